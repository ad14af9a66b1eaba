package install_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/access"
	"assay.dev/platform/clock/clocktest"
)

// call asks the gateway with a body.
func call(t *testing.T, method, address, key, body string) (reply map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", key)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	client := http.Client{Timeout: clocktest.Patience, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if err := json.Unmarshal(text, &reply); err != nil || resp.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %d %s", method, address, resp.StatusCode, text)
	}
	return reply
}

// checkWebhooks takes webhooks through all that gateway and courier do for them: a change of a portfolio's license, which fails once.
func (d deployment) checkWebhooks(t *testing.T, base, key string) {
	t.Helper()
	var requests atomic.Int32
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) == 1 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer receiver.Close()
	call(t, http.MethodPut, base+"/v1/abc/portfolios/bars", key, `{"licenses":[{"state":"CA","license_number":"400000"}]}`)
	made := call(t, http.MethodPost, base+"/v1/webhooks", key, fmt.Sprintf(`{"url":%q,"portfolio":"bars"}`, receiver.URL))
	hook := base + "/v1/webhooks/" + made["id"].(string)
	change := `{"id":"CA.e.1","type":"license.status_changed","product":"abc","source":"CA","data":{"license_number":"400000"}}`
	subject := contracts.ChangeSubject(contracts.Test, contracts.ABC, "CA", contracts.StatusChanged).Name
	if _, err := d.jetStream(t, access.Name(contracts.ABC.Worker(), contracts.Test)).Publish(t.Context(), subject, []byte(change)); err != nil {
		t.Fatal(err)
	}
	listed := func() int { return len(call(t, http.MethodGet, hook+"/deliveries", key, "")["deliveries"].([]any)) }
	clocktest.Await(t, "the second attempt succeeds", func() bool { return requests.Load() == 2 && listed() == 2 })
	call(t, http.MethodPost, hook, key, `{"action":"rotate"}`)
	call(t, http.MethodPost, hook, key, `{"action":"replay","event_id":"CA.e.1"}`)
	clocktest.Await(t, "it is sent again", func() bool { return requests.Load() == 3 && listed() == 3 })
	call(t, http.MethodDelete, hook, key, "")
}
