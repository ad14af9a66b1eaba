package courier

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/feed"
	"assay.dev/platform/webhook"
)

// An endpoint that is far behind goes on at once, though nothing of what it reads first is of its portfolio.
func TestAnEndpointThatIsFarBehindGoesOn(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	begin := s.place()
	const n = feed.Held + 10
	subject := contracts.ChangeSubject(contracts.Test, contracts.ABC, "CA", contracts.StatusChanged).Name
	for i := range n {
		_, err := s.js.PublishAsync(subject, fmt.Appendf(nil, `{"data":{"license_number":"%d"}}`, i))
		if s.must(err); i%1000 == 0 { // only so many may be under way
			<-s.js.PublishAsyncComplete()
		}
	}
	<-s.js.PublishAsyncComplete()
	f, err := feed.New(s.js, slog.New(slog.DiscardHandler), prometheus.NewRegistry(), nil)
	s.must(err)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = f.Follow(ctx) })
	t.Cleanup(func() { cancel(); running.Wait() })
	var newest feed.Cursor
	s.await("the feed", func() bool { newest, err = f.Newest(); return err == nil })
	s.must(err)
	now := time.Now()
	e := &endpoint{
		env: contracts.Test, read: begin, saved: now.Add(time.Hour), stored: webhook.Endpoint{Products: contracts.Products,
			Portfolio: "bars", Cursor: begin}, portfolio: portfolio{licenses: feed.Licenses{}, newest: newest},
	}
	c := &courier{feed: f, keys: keyring{known: true}}
	turns := 0
	for next := now; !next.After(time.Now()); turns++ {
		next, err = c.turn(t.Context(), e)
		s.must(err)
	}
	if e.read != newest || turns < 2 {
		t.Errorf("%d turns up to %d of %d", turns, e.read.Sequence, newest.Sequence)
	}
}
