package usage_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay.dev/platform/kv"

	"assay.dev/contracts"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
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

// A month whose first events are kept no longer is not summed, by size, by age or after a loss; one that began with the stream is.
// That is no damage: the runbook says elsewhere what to do.
func TestAMonthThatIsNotWholeIsNotSummed(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	now := time.Now().UTC()
	p := publisher(t, js)
	for i := range 10 {
		p.Report(event(i, "acme", contracts.LTL, now))
	}
	if err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sums, err := usage.Sums(t.Context(), js, now); err != nil || len(sums) != 1 || sums[0].Count != 10 {
		t.Errorf("all: %v, %v", sums, err)
	}
	stream, err := js.Stream(t.Context(), contracts.UsageStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	cfg.MaxBytes = int64(stream.CachedInfo().State.Bytes / 2) // NATS drops the oldest
	if _, err := js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	var damage *kv.Damaged
	if sums, err := usage.Sums(t.Context(), js, now); err == nil || errors.As(err, &damage) || !strings.Contains(err.Error(), "StreamFull") {
		t.Errorf("the first half is gone: %v, %v", sums, err)
	}
	if sums, err := usage.Sums(t.Context(), js, now.AddDate(0, 2, 0)); err != nil || len(sums) != 0 {
		t.Errorf("a later month: %v, %v", sums, err)
	}
	isUnknown(t, js, "although half of it is gone")
	cfg.FirstSeq = stream.CachedInfo().State.LastSeq + 1_000_000 // as after a loss that was accepted
	if err := js.DeleteStream(t.Context(), cfg.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if sums, err := usage.Sums(t.Context(), js, now); err == nil || !strings.Contains(err.Error(), "StreamFull") {
		t.Errorf("nothing is there yet after a loss: %v, %v", sums, err)
	}
	path := filepath.Join(t.TempDir(), "aside")
	if err := os.WriteFile(path, []byte(`{"id":"late","tenant":"acme","product":"ltl"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	waiting := publisherWith(t, js, reopened(t, path))
	go func() { ended <- waiting.Run(ctx) }()
	clocktest.Await(t, "what waited is stored, although the month is not whole", func() bool { return empty(t, path) })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
