package listing

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// worker lists SAIA, which it serves with the health that the test sets, and RLC, which it does not serve.
type worker struct {
	*Publisher
	health contracts.SourceHealth
}

func open(t *testing.T, js jetstream.JetStream, name string) *worker {
	t.Helper()
	w := &worker{health: contracts.SourceHealth{Breaker: "closed"}}
	source := func(c contracts.Carrier) Source {
		return Source{
			Key: contracts.ListingKey(contracts.Test, contracts.LTL, string(c)),
			Listing: func(h contracts.SourceHealth) any {
				return contracts.CarrierListing{Code: c, Name: name, SourceHealth: h}
			},
		}
	}
	saia := source(contracts.SAIA)
	saia.Health = func() contracts.SourceHealth { return w.health }
	p, err := Open(t.Context(), js, slog.New(slog.DiscardHandler), []Source{saia, source(contracts.RLC)})
	if err != nil {
		t.Fatal(err)
	}
	w.Publisher = p
	return w
}

func (w *worker) listed(t *testing.T, c contracts.Carrier) (l contracts.CarrierListing, revision uint64) {
	t.Helper()
	entry, err := w.bucket.Get(t.Context(), "test.ltl."+string(c))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(entry.Value(), &l); err != nil {
		t.Fatal(err)
	}
	return l, entry.Revision()
}

func TestWhatOthersSaidStays(t *testing.T) {
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	first, at := open(t, js, "first"), time.Now().UTC()
	first.health.LastSuccess = &at
	first.publish(t.Context(), sameButSuccess)

	second := open(t, js, "second")
	if l, _ := second.listed(t, contracts.SAIA); l.Name != "first" || l.LastSuccess == nil {
		t.Errorf("opening replaced what is known: %+v", l)
	}
	second.health.Breaker = "open"
	second.publish(t.Context(), sameButSuccess)
	if l, _ := second.listed(t, contracts.SAIA); l.Name != "second" || l.Breaker != "open" || l.LastSuccess == nil ||
		!l.LastSuccess.Equal(at) {
		t.Errorf("a worker that has not read yet published %+v", l)
	}
	if l, _ := second.listed(t, contracts.RLC); l.Name != "first" {
		t.Errorf("a source that is not served was published: %+v", l)
	}
}

func TestOnlyChangesArePublished(t *testing.T) {
	w := open(t, bustest.JetStream(t, bustest.Connect(t, bustest.Server(t))), "only")
	w.publish(t.Context(), sameButSuccess)
	_, before := w.listed(t, contracts.SAIA)
	w.publish(t.Context(), sameButSuccess)
	if _, again := w.listed(t, contracts.SAIA); again != before {
		t.Error("a listing was published that had not changed")
	}
	at := time.Now()
	w.health.LastSuccess = &at
	w.publish(t.Context(), sameButSuccess)
	if l, after := w.listed(t, contracts.SAIA); after == before || l.LastSuccess == nil {
		t.Errorf("a change was not published: %+v", l)
	}
	_, before = w.listed(t, contracts.SAIA)
	later := at.Add(time.Second)
	w.health.LastSuccess = &later
	w.publish(t.Context(), sameButSuccess)
	if _, again := w.listed(t, contracts.SAIA); again != before {
		t.Error("a newer success was published by itself, before the sources are counted")
	}
	w.publish(t.Context(), same)
	if l, _ := w.listed(t, contracts.SAIA); !l.LastSuccess.Equal(later) {
		t.Errorf("a newer success was not published when the sources were counted: %+v", l)
	}
}

func TestAFailureIsTriedAgain(t *testing.T) {
	w := open(t, bustest.JetStream(t, bustest.Connect(t, bustest.Server(t))), "again")
	ended, end := context.WithCancel(t.Context())
	end()
	if err := w.Run(ended); err != nil {
		t.Error(err)
	}
	if l, _ := w.listed(t, contracts.SAIA); l.Breaker != "" {
		t.Errorf("published after the end: %+v", l)
	}
	w.publish(t.Context(), sameButSuccess)
	if l, _ := w.listed(t, contracts.SAIA); l.Breaker != "closed" {
		t.Errorf("a listing that could not be published is not tried again: %+v", l)
	}
}
