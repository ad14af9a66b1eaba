package feed_test

import (
	"context"
	"slices"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/feed"
)

// A page of the past that is cut short because the stream is slow is no end: the reader reads it again, and misses nothing.
func TestASlowStreamIsNotTheEnd(t *testing.T) {
	const n = 10_010 // ten more than are held
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
