package worker

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/daemon"
)

// lister lists SAIA, which it serves with the health that the test sets, and RLC, which it does not serve.
type lister struct {
	*publisher
	health contracts.SourceHealth
}

func open(t *testing.T, js jetstream.JetStream, name string) *lister {
	t.Helper()
	w := &lister{health: contracts.SourceHealth{Breaker: "closed"}}
	source := func(c contracts.Carrier) Source {
		return Source{
			Code: string(c),
			Listing: func(h contracts.SourceHealth) any {
				return contracts.CarrierListing{Code: c, Name: name, SourceHealth: h}
			},
		}
	}
	saia := source(contracts.SAIA)
	saia.Health = func() contracts.SourceHealth { return w.health }
	served := &Worker{Daemon: &daemon.Daemon{JetStream: js, Log: slog.New(slog.DiscardHandler)},
		cfg: Config{Environment: contracts.Test}, service: Service{Product: contracts.LTL}}
	p, err := served.openListings(t.Context(), []Source{saia, source(contracts.RLC)})
	if err != nil {
		t.Fatal(err)
	}
	w.publisher = p
	return w
}

func (w *lister) listed(t *testing.T, c contracts.Carrier) (l contracts.CarrierListing, revision uint64) {
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
	if err := w.run(ended); err != nil {
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
