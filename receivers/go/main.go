// Command webhook-receiver receives webhooks with net/http.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"sync"
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

func receive(secrets []string, isVerified verifier, seen *recentIDs) http.HandlerFunc {
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
		// In production, insert the id into a table with a unique key, and put the delivery on a
		// durable queue, before you answer.
		isNew := seen.add(d.ID)
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

// recentIDs remembers the latest 10,000 ids.
type recentIDs struct {
	mu    sync.Mutex
	ids   map[string]bool
	order []string
}

// add reports whether the id is new.
func (r *recentIDs) add(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ids[id] {
		return false
	}
	r.ids[id] = true
	r.order = append(r.order, id)
	if len(r.order) > 10_000 {
		delete(r.ids, r.order[0])
		r.order = r.order[1:]
	}
	return true
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
	seen := &recentIDs{ids: map[string]bool{}}
	http.Handle("POST /hooks", receive(secrets, hasServiceSignature, seen))
	http.Handle("POST /standard-hooks", receive(secrets, hasStandardSignature, seen))
	server := &http.Server{
		Addr:        "127.0.0.1:" + os.Getenv("PORT"),
		ReadTimeout: 15 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}
