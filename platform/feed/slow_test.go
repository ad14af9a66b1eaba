package feed_test

import (
	"context"
	"slices"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/feed"
)

// A page of the past that is cut short because the stream is slow is no end: the reader reads it again, and misses nothing.
func TestASlowStreamIsNotTheEnd(t *testing.T) {
	const n = 310 // ten more than are held
	conn := bustest.Connect(t, bustest.Server(t))
	s := &stand{T: t, js: bustest.JetStream(t, conn)}
	s.publishMany(n)
	var cut chan<- string
	s.js, cut = bustest.Slow(t, conn)
	s.follow()
	newest := s.newest(n)
	since := feed.Cursor{Epoch: newest.Epoch, Sequence: 2}
	for name, instead := range map[string]string{"nothing comes": "", "three changes come": `{"batch":3}`} {
		cut <- instead
		if page, err := s.feed.Read(t.Context(), everything(), since, 5); contracts.CodeOf(err) != contracts.SourceUnavailable {
			t.Errorf("%s: %v, next %d, %v", name, s.ids(page), page.Next.Sequence, err)
		}
	}
	page, err := s.feed.Read(t.Context(), everything(), since, 5)
	s.must(err)
	if !slices.Equal(page.Sequences, []uint64{3, 4, 5, 6, 7}) || page.Next.Sequence != 7 {
		t.Errorf("%s, next %d", s.ids(page), page.Next.Sequence)
	}
}

// What changed while the stream was not followed is told too; what was there at the beginning is not.
func TestChangesOfAPauseAreTold(t *testing.T) {
	s := start(t)
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 1, 1)
	s.follow()
	s.newest(1)
	s.pause()
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 2, 2)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.feed.Follow(ctx) }()
	s.newest(3)
	cancel()
	s.must(<-ended)
	if want := []string{"test CA.e.2", "test CA.e.3"}; !slices.Equal(s.told, want) {
		t.Errorf("told %v, want %v", s.told, want)
	}
}

// withoutConsumers is a JetStream that makes no consumer of one who follows before it is let.
type withoutConsumers struct {
	jetstream.JetStream
	asked, let chan struct{}
}

func (js withoutConsumers) OrderedConsumer(ctx context.Context, stream string,
	cfg jetstream.OrderedConsumerConfig) (jetstream.Consumer, error) {
	js.asked <- struct{}{}
	<-js.let
	return js.JetStream.OrderedConsumer(ctx, stream, cfg)
}

// Before all is here that there was at the beginning, nothing old is told as the newest, and no cursor as one that leads nowhere.
func TestAFeedThatBeginsKnowsNothing(t *testing.T) {
	s := start(t)
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 1, 3)
	s.follow()
	newest := s.newest(3)
	js := withoutConsumers{s.js, make(chan struct{}), make(chan struct{})}
	s.js = js
	s.run()
	<-js.asked
	_, err := s.feed.Newest()
	_, place := s.feed.Place(newest)
	_, read := s.feed.Read(t.Context(), everything(), newest, 10)
	_, _, latest := s.feed.Latest(everything(), 0, 10)
	for name, err := range map[string]error{"newest": err, "place": place, "read": read, "latest": latest} {
		if contracts.CodeOf(err) != contracts.SourceUnavailable {
			t.Errorf("%s: %v", name, err)
		}
	}
	close(js.let)
	if got := s.newest(3); got != newest {
		t.Errorf("%v, want %v", got, newest)
	}
}

// A reader comes back to a gateway that is behind the one that gave the cursor.
func TestACursorMayBeAheadOfAFeed(t *testing.T) {
	s := start(t)
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 1, 1)
	s.follow()
	behind := s.feed
	s.pause()
	s.follow()
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 2, 1)
	ahead := s.newest(2)
	page, err := behind.Read(t.Context(), everything(), ahead, 10)
	if err != nil || len(page.Changes) > 0 || page.Next != ahead {
		t.Errorf("%s, next %v, %v; want nothing, next %v", s.ids(page), page.Next, err, ahead)
	}
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 3, 2)
	page, err = behind.Read(t.Context(), everything(), ahead, 10)
	if err != nil || !slices.Equal(s.ids(page), []string{"CA.e.3", "CA.e.4"}) || page.Next.Sequence != 4 {
		t.Errorf("%s, next %v, %v", s.ids(page), page.Next, err)
	}
}
