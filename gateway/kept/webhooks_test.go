package kept_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
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

// lossy is a JetStream whose buckets lose the acknowledgement of their first update; then another changes the key.
type lossy struct{ jetstream.JetStream }

func (js lossy) KeyValue(ctx context.Context, name string) (jetstream.KeyValue, error) {
	bucket, err := js.JetStream.KeyValue(ctx, name)
	return &lossyBucket{KeyValue: bucket}, err
}

type lossyBucket struct {
	jetstream.KeyValue
	isLost bool
}

func (b *lossyBucket) Update(ctx context.Context, key string, value []byte, last uint64) (uint64, error) {
	revision, err := b.KeyValue.Update(ctx, key, value, last)
	if err != nil || b.isLost {
		return revision, err
	}
	b.isLost = true
	if _, err := b.Put(ctx, key, bytes.Replace(value, []byte("before"), []byte("after"), 1)); err != nil {
		return 0, err
	}
	return 0, nats.ErrTimeout
}

// A rotation that is made again, because another changed the webhook meanwhile, gives one new secret.
func TestARotationIsMadeOnce(t *testing.T) {
	webhooks := open(t, lossy{bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))}).Webhooks
	e, _, err := webhooks.Create(t.Context(), acme, webhook.Endpoint{URL: "https://before.example"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	e, _, err = webhooks.Rotate(t.Context(), acme, e.ID, time.Now())
	if err != nil || e.URL != "https://after.example" || len(e.Secrets) != 2 || e.Secrets[0].Until != nil {
		t.Errorf("%s, %d secrets, %v", e.URL, len(e.Secrets), err)
	}
}
