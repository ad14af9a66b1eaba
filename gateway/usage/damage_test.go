package usage_test

import (
	"errors"
	"testing"
	"time"

	"assay.dev/platform/kv"

	"assay.dev/contracts"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bustest"
)

// A part is never a sum: neither with a gap nor with an event that cannot be understood.
func TestDamagedUsageIsNotSummed(t *testing.T) {
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	now := time.Now().UTC()
	p := publisher(t, js)
	for i := range 10 {
		p.Report(event(i, "acme", contracts.LTL, now))
	}
	if err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), contracts.UsageStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), contracts.UsageSubject(contracts.LTL).Name, []byte(`"id":"x"}`)); err != nil {
		t.Fatal(err)
	}
	var damage *kv.Damaged
	if sums, err := usage.Sums(t.Context(), js, now); !errors.As(err, &damage) {
		t.Errorf("an event is not understood: %v, %v", sums, err)
	}
	if err := errors.Join(stream.DeleteMsg(t.Context(), 11), stream.DeleteMsg(t.Context(), 5)); err != nil {
		t.Fatal(err)
	}
	if sums, err := usage.Sums(t.Context(), js, now); !errors.As(err, &damage) {
		t.Errorf("an event is missing: %v, %v", sums, err)
	}
}
