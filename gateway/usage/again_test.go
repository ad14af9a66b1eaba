package usage_test

import (
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

// Events that are stored, but whose acknowledgements are lost, are not stored again when the stream has forgotten their IDs.
func TestEventsAreStoredOnceThoughTheirIDsAreForgotten(t *testing.T) {
	window := contracts.UsageStream.DedupWindow
	contracts.UsageStream.DedupWindow = 200 * time.Millisecond // an acknowledgement is waited for longer
	defer func() { contracts.UsageStream.DedupWindow = window }()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	set := func(acknowledges bool) (stored uint64) {
		stream, err := js.Stream(t.Context(), contracts.UsageStream.Name)
		if err != nil {
			t.Fatal(err)
		}
		cfg := stream.CachedInfo().Config
		cfg.NoAck, cfg.Duplicates = !acknowledges, contracts.UsageStream.DedupWindow
		if _, err := js.UpdateStream(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		return stream.CachedInfo().State.Msgs
	}
	set(false)
	now := time.Now().UTC()
	p := publisher(t, js)
	for i := range 10 {
		p.Report(event(i, "acme", contracts.LTL, now))
	}
	flushed := make(chan error, 1)
	go func() { flushed <- p.Flush(t.Context()) }()
	clocktest.Await(t, "all are stored", func() bool { return set(false) == 10 })
	set(true)
	if err := <-flushed; err != nil {
		t.Fatal(err)
	}
	p.Report(event(10, "acme", contracts.LTL, now))
	if err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sums, err := usage.Sums(t.Context(), js, now); err != nil || len(sums) != 1 || sums[0].Count != 11 {
		t.Errorf("%v, %v", sums, err)
	}
}
