package scrape_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

type (
	path = scrape.Path[string, string]
	read = func(context.Context, string) (scrape.Reading[string], error)
)

func fine(context.Context, string) (scrape.Reading[string], error) {
	return scrape.Reading[string]{Value: "46.32", Tally: contracts.Tally{Clean: 4, Required: 4}}, nil
}

func poor(context.Context, string) (scrape.Reading[string], error) {
	return scrape.Reading[string]{Value: "?", Tally: contracts.Tally{Clean: 1, Required: 4}}, nil
}

func failing(err error) read {
	return func(context.Context, string) (scrape.Reading[string], error) { return scrape.Reading[string]{}, err }
}

// hanging answers nothing until it is told to stop.
func hanging(ctx context.Context, _ string) (scrape.Reading[string], error) {
	<-ctx.Done()
	return scrape.Reading[string]{}, scrape.Failf(scrape.Unreachable, "no answer: %w", ctx.Err())
}

var down = failing(scrape.Failf(scrape.Unreachable, "down"))

func TestSourceTakesTheFirstPathThatWorks(t *testing.T) {
	for _, tc := range []struct {
		name    string
		primary read
		path    string // that answered
		code    contracts.Code
	}{
		{"primary works", fine, "page", ""},
		{"primary is down", down, "mirror", ""},
		{"primary is not set up", failing(scrape.Failf(scrape.Unavailable, "no browser")), "mirror", ""},
		{"primary reads little", poor, "mirror", ""},
		{"primary fails without a kind", failing(errors.New("bug")), "mirror", ""},
		{"primary's job queue is full", failing(contracts.Errorf(contracts.Busy, "full")), "mirror", ""},
		{"primary is not understood", failing(scrape.Failf(scrape.Unclear, "status 90")), "", contracts.SourceUnavailable},
		{"primary says it is not there", failing(contracts.Errorf(contracts.NotFound, "no such license")), "", contracts.NotFound},
		{"primary insists", failing(contracts.Errorf(contracts.CaptchaSolverNotConfigured, "set it")), "", contracts.CaptchaSolverNotConfigured},
		{"a failure around a coded error is a failure", failing(scrape.Failf(scrape.Changed, "form: %w", contracts.Errorf(contracts.NotFound, "x"))), "mirror", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := scrape.NewSource("S", scrape.Deps{}, path{Name: "page", Method: contracts.StructuredParse, Read: tc.primary},
				path{Name: "mirror", Method: contracts.APIMirror, Read: fine})
			got, err := s.Read(t.Context(), "q")
			if contracts.CodeOf(err) != tc.code || got.Path != tc.path {
				t.Fatalf("got path %q, %v; want %q, %q", got.Path, err, tc.path, tc.code)
			}
		})
	}
}

func TestSourceUnavailable(t *testing.T) {
	for name, c := range map[string]struct {
		page  read
		log   string
		after time.Duration
	}{
		"down":           {down, "unreachable: down", 4 * time.Second},
		"not understood": {failing(scrape.Failf(scrape.Unclear, "status 90")), "unclear: status 90", contracts.FallbackTTL},
	} {
		busy := failing(contracts.Errorf(contracts.Busy, "full").After(4 * time.Second))
		s := scrape.NewSource("S", scrape.Deps{}, path{Name: "page", Read: c.page}, path{Name: "render", Read: busy})
		_, err := s.Read(t.Context(), "q")
		var e *contracts.Error
		if !errors.As(err, &e) || e.Code != contracts.SourceUnavailable || e.RetryAfter != c.after {
			t.Fatalf("%s: got %v", name, err)
		}
		if strings.Contains(e.Message, "down") || !strings.Contains(err.Error(), c.log) {
			t.Errorf("%s: the client reads %q, the log %q", name, e.Message, err)
		}
	}
}

func TestSlowPrimaryLeavesTimeForFallbacks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slowly := func(ctx context.Context, q string) (scrape.Reading[string], error) {
			select {
			case <-time.After(4 * time.Second):
				return fine(ctx, q)
			case <-ctx.Done():
				return hanging(ctx, q)
			}
		}
		s := scrape.NewSource("S", scrape.Deps{}, path{Name: "page", Read: hanging}, path{Name: "browser", Read: hanging}, path{Name: "mirror", Read: slowly})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		got, err := s.Read(ctx, "q")
		if err != nil || got.Path != "mirror" {
			t.Fatalf("got %v, %v", got, err)
		}
	})
}

func TestShortFallbackLeavesTheRestToThePrimary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, took := time.Now(), time.Duration(0)
		s := scrape.NewSource("TX", scrape.Deps{},
			path{Name: "form", Timeout: 60 * time.Second, Read: func(ctx context.Context, q string) (scrape.Reading[string], error) {
				defer func() { took = time.Since(start) }()
				return hanging(ctx, q)
			}},
			path{Name: "mirror", Timeout: 10 * time.Second, Read: fine})
		ctx, cancel := context.WithTimeout(t.Context(), 65*time.Second)
		defer cancel()
		if _, err := s.Read(ctx, "q"); err != nil || took != 55*time.Second {
			t.Fatalf("the primary had %s, %v", took, err)
		}
		if h := s.Health(); h.FallbackSince == nil || h.FailingSince != nil {
			t.Errorf("health %+v", h)
		}
	})
}

// A path that is not set up is known as such after the first read, and no time is kept for it.
func TestNoTimeIsKeptForWhatIsNotSetUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var had []time.Duration
		s := scrape.NewSource("S", scrape.Deps{},
			path{Name: "page", Read: func(ctx context.Context, q string) (scrape.Reading[string], error) {
				deadline, _ := ctx.Deadline()
				had = append(had, time.Until(deadline))
				return down(ctx, q)
			}},
			path{Name: "render", Timeout: time.Minute, Read: failing(scrape.Failf(scrape.Unavailable, "no key"))})
		for range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			_, _ = s.Read(ctx, "q")
			cancel()
		}
		if had[0] != 5*time.Second || had[1] != 10*time.Second || time.Since(start) != 0 {
			t.Errorf("the page had %s", had)
		}
	})
}

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		registry := prometheus.NewRegistry()
		calls, primary := 0, hanging
		s := scrape.NewSource("S", scrape.Deps{Metrics: registry}, path{Name: "page", Timeout: 3 * time.Second,
			Read: func(ctx context.Context, q string) (scrape.Reading[string], error) {
				calls++
				return primary(ctx, q)
			}})
		ask := func() (time.Duration, *contracts.Error) {
			start := time.Now()
			_, err := s.Read(t.Context(), "q")
			return time.Since(start), contracts.AsError(err)
		}
		for range 20 {
			if _, err := ask(); err == nil || err.Code != contracts.SourceUnavailable {
				t.Fatalf("got %v", err)
			}
		}
		if calls > 6 {
			t.Errorf("%d calls before the breaker opened", calls)
		}
		if took, err := ask(); took > 0 || err.RetryAfter <= 0 || err.RetryAfter > time.Minute {
			t.Errorf("open breaker: %s, retry after %s", took, err.RetryAfter)
		}
		if h := s.Health(); h.Breaker != "open" || h.LastSuccess != nil || h.FailingSince == nil || h.FallbackSince != nil {
			t.Errorf("health %+v", s.Health())
		}

		// The probe is one, and ends in its own time.
		calls = 0
		time.Sleep(time.Minute)
		go func() { _, _ = ask() }()
		synctest.Wait()
		_, _ = ask()
		time.Sleep(5 * time.Second)
		if calls != 1 || s.Health().Breaker != "open" {
			t.Errorf("%d probes, breaker %s", calls, s.Health().Breaker)
		}

		primary = fine
		time.Sleep(time.Minute)
		if _, err := ask(); err != nil {
			t.Errorf("after recovery: %v", err)
		}
		if h := s.Health(); h.Breaker != "closed" || h.LastSuccess == nil || h.FailingSince != nil {
			t.Errorf("health %+v", s.Health())
		}
		err := testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP breaker_state State of a path's breaker: 0 closed, 1 half-open, 2 open.
# TYPE breaker_state gauge
breaker_state{path="page",source="S"} 0
# HELP breaker_transitions_total Changes of a path's breaker, by the state that it came to.
# TYPE breaker_transitions_total counter
breaker_transitions_total{path="page",source="S",to="closed"} 1
breaker_transitions_total{path="page",source="S",to="half-open"} 2
breaker_transitions_total{path="page",source="S",to="open"} 2
# HELP readings_total Readings by a path, by outcome: read (also that there is no such record), failed (also refused by the breaker), or unclear (the source works, and what it says is not understood).
# TYPE readings_total counter
readings_total{outcome="failed",path="page",source="S"} 23
readings_total{outcome="read",path="page",source="S"} 1
readings_total{outcome="unclear",path="page",source="S"} 0
# HELP source_data_age_seconds Time since the source was last read successfully.
# TYPE source_data_age_seconds gauge
source_data_age_seconds{source="S"} 0
`), "breaker_state", "breaker_transitions_total", "readings_total", "source_data_age_seconds")
		if err != nil {
			t.Error(err)
		}
	})
}

// A path that is not set up has no breaker that could be open or closed: alerts are about those that could answer.
func TestAPathThatIsNotSetUpHasNoState(t *testing.T) {
	registry := prometheus.NewRegistry()
	second := failing(scrape.Failf(scrape.Unavailable, "no rendering service is set up"))
	s := scrape.NewSource("S", scrape.Deps{Metrics: registry}, path{Name: "page", Read: failing(scrape.Failf(scrape.Unreachable, "down"))},
		path{Name: "scraper", Read: func(ctx context.Context, q string) (scrape.Reading[string], error) { return second(ctx, q) }})
	for n, want := range []int{2, 1, 2} {
		if n == 2 {
			second = fine
		}
		if n > 0 {
			_, _ = s.Read(t.Context(), "q")
		}
		if got, err := testutil.GatherAndCount(registry, "breaker_state"); err != nil || got != want {
			t.Errorf("after %d readings: %d series, %v; want %d", n, got, err, want)
		}
	}
}

// A site that hangs fails no more than twice in a minute, and no less in a row.
func TestBreakerOpensForASiteThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls, primary := 0, hanging
		s := scrape.NewSource("S", scrape.Deps{}, path{Name: "page", Timeout: 40 * time.Second,
			Read: func(ctx context.Context, q string) (scrape.Reading[string], error) {
				calls++
				return primary(ctx, q)
			}})
		fail := func(times int) {
			for range times {
				_, _ = s.Read(t.Context(), "q")
			}
		}
		fail(4)
		primary = fine
		fail(1)
		primary, calls = hanging, 0
		fail(4)
		if s.Health().Breaker != "closed" {
			t.Error("a success between does not count")
		}
		fail(20)
		if calls > 6 {
			t.Errorf("%d calls before the breaker opened", calls)
		}
	})
}

// What is not the upstream's doing, and what is an answer, never opens a breaker, and is not counted as failed.
func TestBreakerStaysClosed(t *testing.T) {
	hungUp, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tc := range []struct {
		name    string
		ctx     context.Context
		read    read
		outcome string
	}{
		{"the caller hung up", hungUp, hanging, "none"},
		{"refused by our guard", context.Background(), failing(scrape.Failf(scrape.Refused, "private")), "none"},
		{"not set up", context.Background(), failing(scrape.Failf(scrape.Unavailable, "no browser")), "none"},
		{"one thing is not understood", context.Background(), failing(scrape.Failf(scrape.Unclear, "status 90")), "unclear"},
		{"our queue is full", context.Background(), failing(contracts.Errorf(contracts.Busy, "full")), "none"},
		{"no worker", context.Background(), failing(contracts.Errorf(contracts.NoWorker, "none")), "none"},
		{"not found", context.Background(), failing(contracts.Errorf(contracts.NotFound, "none")), "read"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			registry := prometheus.NewRegistry()
			s := scrape.NewSource("S", scrape.Deps{Metrics: registry}, path{Name: "page", Read: tc.read})
			for range 20 {
				_, _ = s.Read(tc.ctx, "q")
			}
			if s.Health().Breaker != "closed" {
				t.Errorf("breaker %s", s.Health().Breaker)
			}
			for _, outcome := range []string{"read", "failed", "unclear"} {
				want := 0
				if outcome == tc.outcome {
					want = 20
				}
				if got := count(t, registry, "readings_total", outcome); got != want {
					t.Errorf("%d readings are counted as %s, want %d", got, outcome, want)
				}
			}
		})
	}
}

// count is the value of a counter with that outcome.
func count(t *testing.T, from prometheus.Gatherer, name, outcome string) int {
	t.Helper()
	families, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if f.GetName() == name && l.GetValue() == outcome {
					return int(m.GetCounter().GetValue())
				}
			}
		}
	}
	t.Fatalf("no %s with outcome %s", name, outcome)
	return 0
}

func TestHurriedCallersDoNotOpenTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scrape.NewSource("S", scrape.Deps{}, path{Name: "page", Read: hanging})
		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			_, _ = s.Read(ctx, "q")
			cancel()
		}
		if s.Health().Breaker != "closed" {
			t.Errorf("breaker %s", s.Health().Breaker)
		}
	})
}

func TestTwoSourcesShareARegistry(t *testing.T) {
	registry := prometheus.NewRegistry()
	for _, name := range []string{"A", "B", "B"} {
		s := scrape.NewSource(name, scrape.Deps{Metrics: prometheus.WrapRegistererWith(prometheus.Labels{"service": "x"}, registry)},
			path{Name: "page", Read: fine})
		if _, err := s.Read(t.Context(), "q"); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := testutil.GatherAndCount(registry, "breaker_state", "source_data_age_seconds", "extract_confidence"); err != nil || n != 6 {
		t.Errorf("%d series, %v", n, err)
	}
}
