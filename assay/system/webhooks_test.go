package system_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
)

// hook is a receiver of webhooks, which verifies them by the official library.
type hook struct {
	*httptest.Server
	mu       sync.Mutex
	got      []contracts.Change
	unsigned int
	secrets  []string // each of which must verify what comes
	refusal  int      // the status that it replies; 0 takes what comes
	refused  int
}

func newHook(t *testing.T) *hook {
	h := &hook{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.refusal != 0 {
			h.refused++
			w.WriteHeader(h.refusal)
			return
		}
		for _, secret := range h.secrets {
			verifier, err := standardwebhooks.NewWebhook(secret)
			if err != nil || verifier.Verify(body, r.Header) != nil {
				h.unsigned++
			}
		}
		var c contracts.Change
		_ = json.Unmarshal(body, &c)
		h.got = append(h.got, c)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) changes() ([]contracts.Change, int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]contracts.Change{}, h.got...), h.unsigned
}

// order sends a body to the gateway, with the test key.
func (r *running) order(t *testing.T, method, path, body string) (status int, reply map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-API-Key", r.keys["test"])
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: clocktest.Patience}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	_ = json.Unmarshal(text, &reply)
	return resp.StatusCode, reply
}

// A license that is suspended in the sandbox reaches a webhook once, with what was and what is and the proof, signed, also while the secret
// changes; our own ports are not reached.
func TestASuspensionReachesAWebhook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := start(t, environ(dir))
	h := newHook(t)
	status, made := r.order(t, http.MethodPost, "/v1/webhooks", `{"url":"`+h.URL+`","types":["license.status_changed"]}`)
	if status != http.StatusCreated {
		t.Fatalf("%d %v", status, made)
	}
	path := "/v1/webhooks/" + made["id"].(string)
	h.mu.Lock()
	h.secrets = []string{made["secret"].(string)}
	h.mu.Unlock()
	change := func(is contracts.Status, seen int) contracts.Change {
		t.Helper()
		if status, said := r.post(t, "changes", `{"state":"CA","license_number":"400000","status":"`+string(is)+`"}`); status != http.StatusAccepted {
			t.Fatalf("%d %s", status, said)
		}
		clocktest.Await(t, "the change is told", func() bool { got, _ := h.changes(); return len(got) >= seen })
		got, unsigned := h.changes()
		if len(got) != seen || unsigned > 0 {
			t.Fatalf("%d were told, %d of them not signed", len(got), unsigned)
		}
		return got[seen-1]
	}
	c := change(contracts.Suspended, 1)
	if c.Data.LicenseNumber != "400000" || c.Data.Before.Status != contracts.Active || c.Data.After.Status != contracts.Suspended ||
		len(c.Evidence.Before) == 0 || len(c.Evidence.After) == 0 {
		t.Errorf("%+v", c)
	}
	_, rotated := r.order(t, http.MethodPost, path, `{"action":"rotate"}`)
	h.mu.Lock()
	h.secrets = append(h.secrets, rotated["secret"].(string))
	h.mu.Unlock()
	change(contracts.Active, 2)

	_, own := r.order(t, http.MethodPost, "/v1/webhooks", `{"url":"`+r.base+`/"}`)
	ownPath := "/v1/webhooks/" + own["id"].(string)
	r.order(t, http.MethodPost, ownPath, `{"action":"test"}`)
	var said string
	clocktest.Await(t, "our own port is refused", func() bool {
		_, _, body := r.get(t, r.base+ownPath+"/deliveries", r.keys["test"])
		said = string(body)
		return strings.Contains(said, "webhook.test")
	})
	if !strings.Contains(said, "one of our own ports") {
		t.Error(said)
	}
}
