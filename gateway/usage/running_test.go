package usage_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

// The running month is what was billed before and after its reader began, each tenant's by itself. With a gap nothing is known.
func TestUsageOfTheRunningMonth(t *testing.T) {
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	now := time.Now().UTC()
	p := publisher(t, js)
	report := func(events ...usage.Event) {
		for _, e := range events {
			p.Report(e)
		}
		if err := p.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	lines := event(3, "acme", contracts.LTL, now)
	lines.Lines, lines.LinePrice = 10, 3_000
	report(event(1, "acme", contracts.LTL, now), event(1, "acme", contracts.LTL, now), event(2, "acme", contracts.ABC, now), lines,
		event(4, "bolt", contracts.LTL, now), event(5, "acme", contracts.LTL, now.AddDate(0, -2, 0)))

	running := usage.NewRunning(js, slog.New(slog.DiscardHandler))
	if _, isKnown := running.Of("acme", now); isKnown {
		t.Error("it is known before anything was read")
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- running.Follow(ctx) }()
	total := func() (sum contracts.Price) {
		days, _ := running.Of("acme", now)
		for _, d := range days {
			sum += d.Price
		}
		return sum
	}
	want := contracts.LTL.UnitPrice() + contracts.ABC.UnitPrice() + 30_000
	clocktest.Await(t, "what was billed before", func() bool { return total() == want })
	p.ReportTest("acme", contracts.LTL, now)
	report(event(6, "acme", contracts.LTL, now))
	var days []usage.Day
	clocktest.Await(t, "what is billed now, and what was tested", func() bool { // two events, in either order
		days, _ = running.Of("acme", now)
		return total() == want+contracts.LTL.UnitPrice() && len(days) == 2 && days[1].Tested > 0
	})
	if len(days) != 2 || days[0].Product != contracts.ABC || days[1].Answers != 2 || days[1].Lines != 10 || days[1].Tested != 1 || days[1].Date != contracts.DateOf(now) {
		t.Errorf("%+v", days)
	}
	if none, isKnown := running.Of("nobody", now); len(none) != 0 || !isKnown {
		t.Errorf("%+v %v", none, isKnown)
	}
	if _, isKnown := running.Of("acme", now.AddDate(0, 1, 0)); isKnown {
		t.Error("a month that has not begun is known")
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}

	witness := kv.Witness{Gap: kv.Gap{From: now.Add(-time.Hour), To: time.Now()}}
	if err := kv.Forget(t.Context(), js, contracts.UsageStream.Name, witness); err != nil {
		t.Fatal(err)
	}
	isUnknown(t, js, "without what a restore left out")
	if err := kv.Forget(t.Context(), js, contracts.UsageStream.Name, kv.Witness{}); err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), contracts.UsageStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.DeleteMsg(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	isUnknown(t, js, "with a gap")
}

// isUnknown follows the usage of the month until it says that it is not known.
func isUnknown(t *testing.T, js jetstream.JetStream, why string) {
	t.Helper()
	log, ended := make(logged, 10), make(chan error, 1)
	running := usage.NewRunning(js, slog.New(slog.NewTextHandler(log, nil)))
	ctx, stop := context.WithCancel(t.Context())
	go func() { ended <- running.Follow(ctx) }()
	select {
	case line := <-log:
		if !strings.Contains(line, "the usage of the month is not known") {
			t.Error(line)
		}
	case <-time.After(clocktest.Patience):
		t.Error("it is known " + why)
	}
	if _, isKnown := running.Of("acme", time.Now()); isKnown {
		t.Error("it is shown " + why)
	}
	if stop(); <-ended != nil {
		t.Error("it did not end well")
	}
}

// logged has each line of a log.
type logged chan string

func (l logged) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}
