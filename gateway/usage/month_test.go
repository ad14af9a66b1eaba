package usage

import (
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
)

// NATS dates an event by its own clock: what a gateway whose clock is ahead billed in a new month is read with that month.
func TestAnEventThatNATSDatesBeforeIsRead(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	if _, err := js.Publish(t.Context(), contracts.UsageSubject(contracts.LTL).Name, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	events, pending, err := openEvents(t.Context(), js, time.Now().Add(5*time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	events.Stop()
	if pending != 1 {
		t.Errorf("%d events are read, want 1", pending)
	}
}
