import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Receives webhooks with the HTTP server of the JDK. */
record Receiver(List<String> secrets, Verifier verifier) implements HttpHandler {
  /** The service sends no larger ones. */
  static final int MAX_BODY_BYTES = 262_144;

  static final Path INBOX = Path.of(System.getenv().getOrDefault("INBOX", "inbox"));
  static final ExecutorService worker = Executors.newSingleThreadExecutor();

  interface Verifier {
    boolean isVerified(byte[] body, Headers headers, String secret);
  }

  /** Verifies X-Service-Signature in constant time. */
  static boolean hasServiceSignature(byte[] body, Headers headers, String secret) {
    String signature = headers.getFirst("X-Service-Signature");
    if (signature == null) return false;
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256")); // with "whsec_"
      String expected = HexFormat.of().formatHex(mac.doFinal(body));
      return MessageDigest.isEqual(expected.getBytes(UTF_8), signature.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Verifies webhook-signature and webhook-timestamp by the Standard Webhooks library. */
  static boolean hasStandardSignature(byte[] body, Headers headers, String secret) {
    try {
      new Webhook(secret).verify(new String(body, UTF_8), headers);
      return true;
    } catch (WebhookVerificationException | IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    // The raw body. Verify these bytes: JSON that was parsed and written again differs.
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      answer(exchange, 413, "The body is too large.");
      return;
    }
    Headers headers = exchange.getRequestHeaders();
    if (secrets.stream().noneMatch(secret -> verifier.isVerified(body, headers, secret))) {
      System.out.println("refused");
      answer(exchange, 401, "The signature is wrong.");
      return;
    }
    JsonObject delivery = parse(body);
    if (delivery == null || !(delivery.get("id") instanceof JsonPrimitive id) || !id.isString()) {
      answer(exchange, 400, "The body is not a delivery.");
      return;
    }
    boolean isNew;
    try {
      isNew = store(id.getAsString(), body);
    } catch (IOException e) {
      System.err.println("The delivery was not stored: " + e);
      answer(exchange, 504, ""); // The service sends it again.
      return;
    }
    answer(exchange, 204, "");
    if (isNew) {
      worker.execute(() -> process(delivery));
    } else {
      System.out.println("duplicate " + id.getAsString());
    }
  }

  /** Runs after the answer, so that slow work causes no further attempt. */
  static void process(JsonObject delivery) {
    String id = delivery.get("id").getAsString();
    System.out.println("accepted " + id + " " + delivery.get("action").getAsString());
  }

  static JsonObject parse(byte[] body) {
    try {
      JsonElement json = JsonParser.parseString(new String(body, UTF_8));
      return json.isJsonObject() ? json.getAsJsonObject() : null;
    } catch (JsonParseException e) {
      return null;
    }
  }

  static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    // -1 means no body.
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /**
   * Keeps a delivery in a file of its own, which appears with all its bytes. Returns whether it is
   * new: every attempt has the same id. In production, use your database or a durable queue.
   */
  static boolean store(String id, byte[] body) throws IOException {
    Path draft = Files.createTempFile(INBOX, "draft-", "");
    try {
      Files.write(draft, body);
      Files.createLink(INBOX.resolve(URLEncoder.encode(id, UTF_8) + ".json"), draft);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  public static void main(String[] args) throws IOException {
    String secret = System.getenv("WEBHOOK_SECRET");
    if (secret == null || secret.isEmpty()) {
      System.err.println("Set WEBHOOK_SECRET to the secret of the webhook.");
      System.exit(1);
    }
    String previous = System.getenv("PREVIOUS_WEBHOOK_SECRET");
    List<String> secrets =
        previous == null || previous.isEmpty() ? List.of(secret) : List.of(secret, previous);
    Files.createDirectories(INBOX);
    int port = Integer.parseInt(System.getenv("PORT"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/hooks", new Receiver(secrets, Receiver::hasServiceSignature));
    server.createContext("/standard-hooks", new Receiver(secrets, Receiver::hasStandardSignature));
    server.setExecutor(Executors.newFixedThreadPool(10));
    server.start();
  }
}
