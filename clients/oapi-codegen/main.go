// Reads the text of an incoming message from the body of a webhook, then uses the API.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path"
)

// textIn returns the text of an incoming message, from the body of a webhook.
func textIn(body []byte) (string, error) {
	var delivery WebhookDelivery
	if err := json.Unmarshal(body, &delivery); err != nil {
		return "", err
	}
	value, err := delivery.ValueByDiscriminator()
	if received, ok := value.(MessageReceivedDelivery); ok {
		return received.Data.Message.Body, nil
	}
	return "", err
}

// withHeaders asks for JSON: the generated client reads no other media type.
func withHeaders(_ context.Context, request *http.Request) error {
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	return nil
}

func document(baseURL string) IntegrationDocument {
	document := IntegrationDocument{Active: true, Provider: "webhook"}
	document.Config.BaseUrl = baseURL
	return document
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx, account := context.Background(), os.Getenv("ACCOUNT")
	client := must(NewClientWithResponses(os.Getenv("API"), WithRequestEditorFn(withHeaders)))

	written := document("https://hooks.example.com/in")
	created := must(client.CreateIntegrationWithResponse(ctx, account, nil, written)).JSON201
	id := path.Base(created.Id)
	fmt.Println("created", created.Config.BaseUrl)

	listed := must(client.ListIntegrationsWithResponse(ctx, account, nil)).JSON200
	fmt.Println("listed", len(listed.Member))

	read := must(client.GetIntegrationWithResponse(ctx, id)).JSON200
	fmt.Println("read", read.Status)

	off := IntegrationPatch{"active": false}
	patched := must(client.PatchIntegrationWithResponse(ctx, id, nil, off)).JSON200
	fmt.Println("patched", patched.Status)

	wrong := document("http://hooks.example.com/in")
	refused := must(client.ReplaceIntegrationWithResponse(ctx, id, nil, wrong)).ApplicationproblemJSON422
	fmt.Println("refused", refused.Status, *(*refused.Errors)[0].Pointer)

	deleted := must(client.DeleteIntegrationWithResponse(ctx, id, nil))
	fmt.Println("deleted", deleted.StatusCode())

	fmt.Println("received", must(textIn([]byte(os.Getenv("DELIVERY")))))
}
