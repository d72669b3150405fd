// Command webhook-receiver receives webhooks with net/http.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// hasServiceSignature verifies X-Service-Signature in constant time.
func hasServiceSignature(body []byte, header http.Header, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret)) // the whole secret, with "whsec_"
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(header.Get("X-Service-Signature")))
}

// hasStandardSignature verifies webhook-signature and webhook-timestamp by the library.
func hasStandardSignature(body []byte, header http.Header, secret string) bool {
	webhook, err := standardwebhooks.NewWebhook(secret)
	return err == nil && webhook.Verify(body, header) == nil
}

type verifier func(body []byte, header http.Header, secret string) bool

// Data stays raw, so that no number in it is rounded.
type delivery struct {
	ID     string          `json:"id"`
	Action string          `json:"action"`
	Data   json.RawMessage `json:"data"`
}

func receive(secrets []string, isVerified verifier, inbox string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// The raw body. Verify these bytes: JSON that was parsed and encoded again differs.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 262_144))
		if err != nil {
			http.Error(w, "The body is incomplete or too large.", http.StatusRequestEntityTooLarge)
			return
		}
		if !slices.ContainsFunc(secrets, func(s string) bool { return isVerified(body, r.Header, s) }) {
			fmt.Println("refused")
			http.Error(w, "The signature is wrong.", http.StatusUnauthorized)
			return
		}
		var d delivery
		if err := json.Unmarshal(body, &d); err != nil || d.ID == "" {
			http.Error(w, "The body is not a delivery.", http.StatusBadRequest)
			return
		}
		isNew, err := store(inbox, d.ID, body)
		if err != nil {
			log.Println("The delivery was not stored:", err)
			w.WriteHeader(http.StatusGatewayTimeout) // The service sends it again.
			return
		}
		w.WriteHeader(http.StatusNoContent)
		if isNew {
			go handle(d)
		} else {
			fmt.Println("duplicate", d.ID)
		}
	}
}

// handle runs after the answer, so that slow work causes no further attempt.
func handle(d delivery) {
	fmt.Println("accepted", d.ID, d.Action)
}

// store keeps a delivery in a file of its own, which appears with all its bytes. It reports whether
// the delivery is new: every attempt has the same id. In production, use your database or a durable
// queue.
func store(inbox, id string, body []byte) (bool, error) {
	draft, err := os.CreateTemp(inbox, "draft-")
	if err != nil {
		return false, err
	}
	defer os.Remove(draft.Name())
	_, err = draft.Write(body)
	if err = errors.Join(err, draft.Close()); err != nil {
		return false, err
	}
	err = os.Link(draft.Name(), filepath.Join(inbox, url.QueryEscape(id)+".json"))
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("Set WEBHOOK_SECRET to the secret of the webhook.")
	}
	secrets := []string{secret}
	if previous := os.Getenv("PREVIOUS_WEBHOOK_SECRET"); previous != "" {
		secrets = append(secrets, previous)
	}
	inbox := os.Getenv("INBOX")
	if inbox == "" {
		inbox = "inbox"
	}
	if err := os.MkdirAll(inbox, 0o700); err != nil {
		log.Fatal(err)
	}
	http.Handle("POST /hooks", receive(secrets, hasServiceSignature, inbox))
	http.Handle("POST /standard-hooks", receive(secrets, hasStandardSignature, inbox))
	server := &http.Server{
		Addr:        "127.0.0.1:" + os.Getenv("PORT"),
		ReadTimeout: 15 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}
