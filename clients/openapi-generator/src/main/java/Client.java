import integrations.ApiClient;
import integrations.ApiException;
import integrations.api.IntegrationsApi;
import integrations.model.IntegrationDocument;
import integrations.model.IntegrationDocumentConfig;
import integrations.model.IntegrationDocumentSettings;
import integrations.model.MessageReceivedDelivery;
import integrations.model.Problem;
import integrations.model.WebhookDelivery;
import java.util.Map;

/** Reads the text of an incoming message from the body of a webhook, then uses the API. */
public class Client {
  /** The text of an incoming message, from the body of a webhook; null for another event. */
  static String textIn(String body) throws Exception {
    WebhookDelivery delivery =
        ApiClient.createDefaultObjectMapper().readValue(body, WebhookDelivery.class);
    return delivery.getActualInstance() instanceof MessageReceivedDelivery received
        ? received.getData().getMessage().getBody()
        : null;
  }

  static IntegrationDocument document(String baseUrl) {
    return new IntegrationDocument()
        .active(true)
        .provider(IntegrationDocument.ProviderEnum.WEBHOOK)
        .config(new IntegrationDocumentConfig().baseUrl(baseUrl))
        .settings(new IntegrationDocumentSettings());
  }

  public static void main(String[] arguments) throws Exception {
    String account = System.getenv("ACCOUNT");
    String token = System.getenv("TOKEN");
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("API"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    IntegrationsApi api = new IntegrationsApi(client);

    var created = api.createIntegration(account, document("https://hooks.example.com/in"), null);
    String id = created.getId().replaceFirst(".*/", "");
    System.out.printf("created %s%n", created.getConfig().getBaseUrl());

    var listed = api.listIntegrations(account, null, null);
    System.out.printf("listed %d%n", listed.getMember().size());

    var read = api.getIntegration(id);
    System.out.printf("read %s%n", read.getStatus());

    var patched = api.patchIntegration(id, Map.of("active", false), null);
    System.out.printf("patched %s%n", patched.getStatus());

    try {
      api.replaceIntegration(id, document("http://hooks.example.com/in"), null);
    } catch (ApiException refused) {
      Problem problem = client.getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
      System.out.printf(
          "refused %d %s%n", problem.getStatus(), problem.getErrors().get(0).getPointer());
    }

    var deleted = api.deleteIntegrationWithHttpInfo(id, null);
    System.out.printf("deleted %d%n", deleted.getStatusCode());

    System.out.printf("received %s%n", textIn(System.getenv("DELIVERY")));
  }
}
