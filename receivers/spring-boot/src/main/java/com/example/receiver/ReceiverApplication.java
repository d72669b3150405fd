package com.example.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.core.task.TaskExecutor;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@SpringBootApplication
@RestController
public class ReceiverApplication {
  /** The service sends no larger ones. */
  private static final int MAX_BODY_BYTES = 262_144;

  /** During a rotation of the secret, both secrets are accepted. */
  private static final List<String> SECRETS =
      Stream.of("WEBHOOK_SECRET", "PREVIOUS_WEBHOOK_SECRET")
          .map(System::getenv)
          .filter(secret -> secret != null && !secret.isEmpty())
          .toList();

  private static final Path INBOX = Path.of(System.getenv().getOrDefault("INBOX", "inbox"));

  private final ObjectMapper json;
  private final TaskExecutor executor;

  ReceiverApplication(ObjectMapper json, TaskExecutor executor) {
    this.json = json;
    this.executor = executor;
  }

  public static void main(String[] args) throws IOException {
    if (SECRETS.isEmpty()) {
      System.err.println("Set WEBHOOK_SECRET to the secret of the webhook.");
      System.exit(1);
    }
    Files.createDirectories(INBOX);
    SpringApplication.run(ReceiverApplication.class, args);
  }

  @PostMapping("/hooks")
  ResponseEntity<String> receive(
      InputStream stream,
      @RequestHeader(name = "X-Service-Signature", defaultValue = "") String signature)
      throws IOException {
    byte[] body = read(stream);
    return receive(body, secret -> hasServiceSignature(body, signature, secret));
  }

  @PostMapping("/standard-hooks")
  ResponseEntity<String> receive(
      InputStream stream, @RequestHeader MultiValueMap<String, String> headers) throws IOException {
    byte[] body = read(stream);
    return receive(body, secret -> hasStandardSignature(body, headers, secret));
  }

  /** In constant time. */
  private static boolean hasServiceSignature(byte[] body, String signature, String secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256")); // with "whsec_"
      String expected = HexFormat.of().formatHex(mac.doFinal(body));
      return MessageDigest.isEqual(expected.getBytes(UTF_8), signature.getBytes(UTF_8));
    } catch (GeneralSecurityException ex) {
      throw new IllegalStateException(ex);
    }
  }

  /** By the Standard Webhooks library, which also verifies the age. */
  private static boolean hasStandardSignature(
      byte[] body, MultiValueMap<String, String> headers, String secret) {
    try {
      new Webhook(secret).verify(new String(body, UTF_8), headers);
      return true;
    } catch (WebhookVerificationException | IllegalArgumentException ex) {
      return false;
    }
  }

  /** The raw body. Verify these bytes: JSON that was parsed and written again differs. */
  private static byte[] read(InputStream stream) throws IOException {
    byte[] body = stream.readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      throw new ResponseStatusException(HttpStatus.PAYLOAD_TOO_LARGE);
    }
    return body;
  }

  private ResponseEntity<String> receive(byte[] body, Predicate<String> isVerifiedWith) {
    if (SECRETS.stream().noneMatch(isVerifiedWith)) {
      System.out.println("refused");
      return ResponseEntity.status(401).body("The signature is wrong.");
    }
    Delivery delivery = parse(body);
    if (delivery == null) {
      return ResponseEntity.badRequest().body("The body is not a delivery.");
    }
    try {
      if (store(delivery.id(), body)) {
        executor.execute(() -> handle(delivery)); // Runs beside the answer.
      } else {
        System.out.println("duplicate " + delivery.id());
      }
    } catch (IOException ex) {
      System.err.println("The delivery was not stored: " + ex);
      return ResponseEntity.status(504).build(); // The service sends it again.
    }
    return ResponseEntity.noContent().build();
  }

  // Keeps a delivery in a file of its own, which appears with all its bytes. Returns whether it is
  // new: every attempt has the same id. In production, use your database or a durable queue.
  private static boolean store(String id, byte[] body) throws IOException {
    Path draft = Files.createTempFile(INBOX, "draft-", "");
    try {
      Files.write(draft, body);
      Files.createLink(INBOX.resolve(URLEncoder.encode(id, UTF_8) + ".json"), draft);
      return true;
    } catch (FileAlreadyExistsException ex) {
      return false;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private void handle(Delivery delivery) {
    System.out.println("accepted " + delivery.id() + " " + delivery.action());
  }

  record Delivery(String id, String action, JsonNode data) {}

  private Delivery parse(byte[] body) {
    try {
      JsonNode root = json.readTree(body);
      JsonNode id = root.path("id");
      if (!id.isTextual()) {
        return null;
      }
      return new Delivery(id.textValue(), root.path("action").textValue(), root.path("data"));
    } catch (IOException ex) {
      return null;
    }
  }
}
