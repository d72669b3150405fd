package com.example.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.task.TaskExecutor;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
class WebhookController {
  private final ObjectMapper json;
  private final RecentIds seen;
  private final TaskExecutor executor;
  private final List<String> secrets;

  WebhookController(
      ObjectMapper json,
      RecentIds seen,
      TaskExecutor executor,
      @Value("${webhook.secret}") String secret,
      @Value("${webhook.previous-secret}") String previousSecret) {
    this.json = json;
    this.seen = seen;
    this.executor = executor;
    this.secrets = Stream.of(secret, previousSecret).filter(it -> !it.isEmpty()).toList();
  }

  // sample begins
  // byte[] is the raw body. Verify these bytes: JSON that was parsed and written again differs.
  @PostMapping("/hooks")
  ResponseEntity<String> receive(
      @RequestBody byte[] body,
      @RequestHeader(name = "X-Service-Signature", defaultValue = "") String signature) {
    return receive(body, secret -> hasServiceSignature(body, signature, secret));
  }

  @PostMapping("/standard-hooks")
  ResponseEntity<String> receive(
      @RequestBody byte[] body, @RequestHeader MultiValueMap<String, String> headers) {
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

  private ResponseEntity<String> receive(byte[] body, Predicate<String> isVerifiedWith) {
    if (secrets.stream().noneMatch(isVerifiedWith)) {
      System.out.println("refused");
      return ResponseEntity.status(401).body("The signature is wrong.");
    }
    Delivery delivery = parse(body);
    if (delivery == null) {
      return ResponseEntity.badRequest().body("The body is not a delivery.");
    }
    // In production, insert the id into a table with a unique key instead.
    if (seen.add(delivery.id())) {
      // Runs beside the answer. In production, put the delivery on a durable queue instead.
      executor.execute(() -> handle(delivery));
    } else {
      System.out.println("duplicate " + delivery.id());
    }
    return ResponseEntity.noContent().build();
  }

  private void handle(Delivery delivery) {
    System.out.println("accepted " + delivery.id() + " " + delivery.action());
  }
  // sample ends

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
