package kept_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/gateway/kept"
	"assay.dev/platform/bustest"
	"assay.dev/platform/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var acme = kept.Owner{Environment: contracts.Test, Tenant: "acme"}

func open(t *testing.T, js jetstream.JetStream) kept.Kept {
	t.Helper()
	sealer, err := webhook.NewSealer(strings.Repeat("k", 32))
	if err != nil {
		t.Fatal(err)
	}
	k, err := kept.Open(t.Context(), js, sealer)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A list of deliveries that is cut short because the stream is slow is not told as all of them.
func TestASlowStreamIsNotAllDeliveries(t *testing.T) {
	js, cut := bustest.Slow(t, bustest.Connect(t, bustest.Server(t)))
	webhooks := open(t, js).Webhooks
	e, _, err := webhooks.Create(t.Context(), acme, webhook.Endpoint{}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	place := contracts.OwnerKey(acme.Environment, acme.Tenant) + "." + e.ID
	for range 3 {
		if _, err := js.Publish(t.Context(), contracts.DeliverySubject(place).Name, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	for name, instead := range map[string]string{"nothing comes": "", "two come": `{"batch":2}`} {
		cut <- instead
		all, err := webhooks.Deliveries(t.Context(), acme, e.ID)
		if contracts.CodeOf(err) != contracts.SourceUnavailable {
			t.Errorf("%s: %d, %v", name, len(all), err)
		}
	}
	if all, err := webhooks.Deliveries(t.Context(), acme, e.ID); len(all) != 3 || err != nil {
		t.Errorf("%d, %v", len(all), err)
	}
}
