package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/api"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/webhook"
)

func withWebhooks(c *gateway.Config) { c.WebhookKey = "the key of a test has 32 characters" }

// A tenant makes, sees, changes and deletes its webhooks; others see none of it, and the secret is told once.
func TestWebhooksAreKept(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withWebhooks)
	key := s.key()
	g.cursor(key)
	const form = "application/json"
	r := g.post(key, "/v1/webhooks", form, `{"url":"https://erp.example.com/hook","types":["license.status_changed","license.appeared","license.appeared"]}`)
	made := decode[api.Webhook](t, r.body)
	if r.StatusCode != http.StatusCreated || r.Header.Get("Location") != "/v1/webhooks/"+made.ID || !strings.HasPrefix(made.Secret, "whsec_") || len(made.Types) != 2 || made.Status != "active" {
		t.Fatalf("made: %d %s", r.StatusCode, r.body)
	}
	path := "/v1/webhooks/" + made.ID
	for _, path := range []string{"/v1/webhooks", path, path + "/deliveries"} {
		if r := g.get(key, path); r.StatusCode != http.StatusOK || strings.Contains(string(r.body), "whsec_") {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
	}
	if r := g.get(key, "/v1/webhooks"); !strings.Contains(string(r.body), made.ID) {
		t.Errorf("listed: %s", r.body)
	}
	for name, other := range map[string]string{"another tenant": s.key(tenant("another")), "the other environment": s.key(live)} {
		if r := g.get(other, "/v1/webhooks"); string(r.body) != `{"webhooks":[]}` {
			t.Errorf("%s sees %s", name, r.body)
		}
		for _, r := range []*response{
			g.get(other, path), g.get(other, path+"/deliveries"), g.post(other, path, form, `{"action":"rotate"}`), g.do(http.MethodDelete, other, path),
		} {
			if r.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %d %s", name, r.StatusCode, r.body)
			}
		}
	}
	act := func(order string, status int) api.Webhook {
		t.Helper()
		r := g.post(key, path, form, order)
		if r.StatusCode != status {
			t.Errorf("%s: %d %s", order, r.StatusCode, r.body)
			return api.Webhook{}
		}
		w, _ := decodeWebhook(r.body)
		return w
	}
	if w := act(`{"action":"pause"}`, 200); w.Status != "paused" || w.Secret != "" {
		t.Errorf("%+v", w)
	}
	if w := act(`{"action":"resume"}`, 200); w.Status != "active" {
		t.Errorf("%+v", w)
	}
	if w := act(`{"action":"rotate"}`, 200); w.Secret == made.Secret || !strings.HasPrefix(w.Secret, "whsec_") {
		t.Errorf("%+v", w)
	}
	for range webhook.MaxByHand {
		act(`{"action":"test"}`, 200)
	}
	act(`{"action":"test"}`, 429)
	act(`{"action":"jump"}`, 422)
	act(`{"act":"pause"}`, 422)
	act(`{"action":"replay","event_id":"CA.e.1"}`, 404)
	if r := g.do(http.MethodDelete, key, path); r.StatusCode != http.StatusOK {
		t.Errorf("deleted: %d %s", r.StatusCode, r.body)
	}
	if r := g.get(key, path); r.StatusCode != http.StatusNotFound {
		t.Errorf("after the deletion: %d", r.StatusCode)
	}
	made = decode[api.Webhook](t, g.post(s.key(products(contracts.ABC)), "/v1/webhooks", form, `{"url":"https://erp.example.com/hook"}`).body)
	bucket, place := s.endpoint(made.ID)
	if e, err := bucket.Get(t.Context(), place); err != nil || !strings.Contains(string(e.Value()), `"products":["abc"]`) {
		t.Errorf("made with a key for one product: %s %v", e.Value(), err)
	}
}

func decodeWebhook(body []byte) (w api.Webhook, err error) {
	err = json.Unmarshal(body, &w)
	return w, err
}

// What is wrong is said, and bounded.
func TestWebhooksThatCannotBeMade(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withWebhooks)
	key := s.key()
	g.cursor(key)
	for body, status := range map[string]int{
		`{"url":"http://erp.example.com/"}`: 422, `{"url":"https://erp.example.com:8443/"}`: 422, `{"url":"https://10.0.0.1/"}`: 422, `{"url":"https://127.0.0.1/"}`: 422,
		`{"url":"https://localhost/"}`: 422, `{"url":"https://u:p@erp.example.com/"}`: 422, `{"url":"https://2130706433/"}`: 422, `{"url":"ftp://erp.example.com/"}`: 422,
		`{"url":"https://metadata.google.internal/"}`: 422, `{"url":""}`: 422, `{}`: 422, `[]`: 422, `{"url":"https://x.example.com/` + strings.Repeat("x", 2000) + `"}`: 422,
		`{"url":"https://erp.example.com/","types":["webhook.test"]}`: 422, `{"url":"https://erp.example.com/","portfolio":"../x"}`: 422,
		`{"url":"https://erp.example.com/","portfolio":"none"}`: 404, `{"url":"https://erp.example.com/` + strings.Repeat("x", 9000) + `"}`: 413,
	} {
		if r := g.post(key, "/v1/webhooks", "application/json", body); r.StatusCode != status {
			t.Errorf("%.80s: %d %s, want %d", body, r.StatusCode, r.body, status)
		}
	}
	for body, status := range map[string]int{`"types":["license.appeared"]`: 403, `"types":["source.in_doubt"]`: 201, `"types":["hold.placed","surcharge.revised"]`: 201} {
		r := g.post(s.key(tenant("ltl"), products(contracts.LTL)), "/v1/webhooks", "application/json", `{"url":"https://erp.example.com/",`+body+`}`)
		if r.StatusCode != status {
			t.Errorf("with a key of ltl, %s: %d %s", body, r.StatusCode, r.body)
		}
	}
	g.putCSV(key, "bars", "state,license_number\r\nCA,400001\r\n")
	if r := g.post(key, "/v1/webhooks", "application/json", `{"url":"https://erp.example.com/","types":["table.replaced"],"portfolio":"bars"}`); r.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("tables of a portfolio: %d %s", r.StatusCode, r.body)
	}
	if r := g.get(key, "/v1/webhooks/x"); r.violations() != "path.id string_pattern_mismatch" {
		t.Errorf("no id: %d %s", r.StatusCode, r.body)
	}
	if r := g.get(key, "/v1/webhooks/"+strings.Repeat("a", 26)+"/deliveries?limit=1001"); !strings.Contains(string(r.body), "at most 1000 attempts") {
		t.Errorf("too many attempts: %d %s", r.StatusCode, r.body)
	}
	for i := range 21 {
		r := g.post(key, "/v1/webhooks", "application/json", fmt.Sprintf(`{"url":"https://erp.example.com/%d"}`, i))
		if want := r.StatusCode == http.StatusCreated; want != (i < 20) {
			t.Errorf("%d: %d %s", i, r.StatusCode, r.body)
		}
	}
	off := s.gateway()
	off.cursor(key)
	if r := off.post(s.key(tenant("off")), "/v1/webhooks", "application/json", `{"url":"https://erp.example.com/"}`); r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("without a key: %d %s", r.StatusCode, r.body)
	}
}

// What the courier noted is listed, the newest first, and is gone with the webhook; what was sent can be sent again.
func TestDeliveriesAreListed(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withWebhooks)
	key := s.key()
	g.cursor(key)
	made := decode[api.Webhook](t, g.post(key, "/v1/webhooks", "application/json", `{"url":"https://erp.example.com/hook"}`).body)
	path := "/v1/webhooks/" + made.ID
	bucket, place := s.endpoint(made.ID)
	note := func(event string, sequence uint64, attempt int) {
		s.note(place, webhook.Noted{Sequence: sequence, DeliveryAttempt: webhook.DeliveryAttempt{
			EventID: event, Type: contracts.StatusChanged, At: time.Now().UTC(), Attempt: attempt, Status: 500, Reply: "<script>",
		}})
	}
	note("CA.e.1", 7, 1)
	note("CA.e.1", 7, 2)
	note("test.x", 0, 1)
	var listed api.WebhookDeliveries
	clocktest.Await(t, "all are listed", func() bool {
		listed = decode[api.WebhookDeliveries](t, g.get(key, path+"/deliveries").body)
		return len(listed.Deliveries) == 3
	})
	if d := listed.Deliveries; d[0].EventID != "test.x" || d[1].Attempt != 2 || d[2].Attempt != 1 || d[2].Reply != "<script>" {
		t.Errorf("%+v", d)
	}
	if r := g.get(key, path+"/deliveries?limit=1"); strings.Count(string(r.body), "event_id") != 1 {
		t.Errorf("%s", r.body)
	}
	if r := g.post(key, path, "application/json", `{"action":"replay","event_id":"CA.e.1"}`); r.StatusCode != http.StatusOK || decode[api.Webhook](t, r.body).EventID != "CA.e.1" {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	entry, err := bucket.Get(t.Context(), place)
	if err != nil || !strings.Contains(string(entry.Value()), `"by_hand":[{"event":"CA.e.1","sequence":7,`) {
		t.Errorf("what is to be sent: %s %v", entry.Value(), err)
	}
	failed := strings.Replace(string(entry.Value()), `{`, `{"disabled":"x","retries":[{"event":"CA.e.2","attempts":10,"due":"2100-01-01T00:00:00Z"}],`, 1)
	if _, err = bucket.Put(t.Context(), place, []byte(failed)); err != nil {
		t.Fatal(err)
	}
	g.post(key, path, "application/json", `{"action":"resume"}`)
	if entry, err = bucket.Get(t.Context(), place); err != nil || strings.Contains(string(entry.Value()), "2100") || strings.Contains(string(entry.Value()), `"attempts"`) {
		t.Errorf("what failed begins anew: %s %v", entry.Value(), err)
	}
	g.do(http.MethodDelete, key, path)
	stream, err := s.js.Stream(t.Context(), contracts.DeliveriesStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().State.Msgs; n != 1 {
		t.Errorf("%d messages are left, want what removed the others", n)
	}
}

// endpoint is where a webhook is kept.
func (s *system) endpoint(id string) (bucket jetstream.KeyValue, key string) {
	s.t.Helper()
	bucket, err := s.js.KeyValue(s.t.Context(), contracts.EndpointsBucket.Name)
	if err != nil {
		s.t.Fatal(err)
	}
	lister, err := bucket.ListKeys(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for k := range lister.Keys() {
		if strings.HasSuffix(k, id) {
			key = k
		}
	}
	return bucket, key
}

// note notes what became of a delivery, as the courier does.
func (s *system) note(key string, d webhook.Noted) {
	s.t.Helper()
	doc, err := json.Marshal(d)
	if err == nil {
		_, err = s.js.Publish(s.t.Context(), contracts.DeliverySubject(key).Name, doc)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}
