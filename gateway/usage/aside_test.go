package usage_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

// What a stop cannot store waits in a file. The next start stores it once, also what the stream has already.
func TestEventsOutliveAStopWithoutAStore(t *testing.T) {
	srv := bustest.Server(t)
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	path := filepath.Join(t.TempDir(), "aside")
	aside, err := usage.OpenAside(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := usage.OpenAside(path); err == nil {
		t.Error("a second gateway has the file too")
	}
	now := time.Now().UTC()
	before := publisher(t, js)
	before.Report(event(7, "acme", contracts.LTL, now))
	if err := before.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}

	opts := bustest.Stop(srv)
	p := publisherWith(t, js, aside)
	for i := range 391 {
		p.Report(event(i, "acme", contracts.LTL, now))
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Flush(stopped); err != nil {
		t.Fatal(err)
	}
	if err := aside.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode(), err)
	}

	srv = bustest.Start(t, opts)
	js = bustest.JetStream(t, bustest.Connect(t, srv))
	for range 2 { // the second start finds nothing to send
		ctx, cancel := context.WithCancel(t.Context())
		aside := reopened(t, path)
		next, ran := publisherWith(t, js, aside), make(chan error, 1)
		go func() { ran <- next.Run(ctx) }()
		want := []usage.Sum{{Tenant: "acme", Product: contracts.LTL, Month: usage.Month(now), Count: 391, Cents: 391 * contracts.LTL.UnitPrice().Cents(), Price: 391 * contracts.LTL.UnitPrice()}}
		clocktest.Await(t, "every event is stored once", func() bool {
			got, err := usage.Sums(t.Context(), js, now)
			return err == nil && slices.Equal(got, want) && empty(t, path)
		})
		cancel()
		if err := errors.Join(<-ran, aside.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// Without room for all of them the rest is lost, and the stop says how many.
func TestAStopSaysWhatIsLost(t *testing.T) {
	srv := bustest.Server(t)
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	bustest.Stop(srv)
	p := publisher(t, js)
	p.Report(event(1, "acme", contracts.LTL, time.Now()))
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Flush(stopped); err == nil {
		t.Error("nobody is told")
	}
}

func reopened(t *testing.T, path string) *usage.Aside {
	t.Helper()
	aside, err := usage.OpenAside(path)
	if err != nil {
		t.Fatal(err)
	}
	return aside
}

func empty(t *testing.T, path string) bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return !slices.ContainsFunc(text, func(b byte) bool { return b != 0 })
}
