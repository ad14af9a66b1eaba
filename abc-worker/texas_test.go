package abcworker_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	abcworker "assay.dev/abc-worker"
	captchaworker "assay.dev/captcha-worker"
	"assay.dev/captcha-worker/renderer"
	solving "assay.dev/captcha-worker/solver"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/solver"
)

const (
	texasHost     = "apps.tabc.texas.gov"
	texasDataHost = "data.texas.gov"
)

// solves starts a captcha-worker with a solving service that is quick and does what behave asks of it.
func (s *system) solves(behave func(*solver.Behaviour), adjust ...func(*captchaworker.Config)) *solver.Provider {
	s.Helper()
	provider := s.sandbox.Licensing().Solvers[solver.TwoCaptcha]
	b := provider.Behaviour()
	b.Delay = time.Millisecond
	if behave != nil {
		behave(&b)
	}
	s.must(provider.Behave(b))
	proxy := s.sandbox.ProxyURL()
	cfg := captchaworker.Config{
		Config: daemon.Config{NATSURL: s.nats.ClientURL(), AdminListen: "off", StopTimeout: 20 * time.Second,
			LogLevel: 12},
		Egress:      scrape.Egress{HTTPSProxy: proxy, CAFile: s.sandbox.CAFile()},
		Environment: contracts.Test, SolveSlots: 16, SolveBudget: 20, RenderSlots: 1,
		SolverConfig:   solving.Config{Provider: string(solver.TwoCaptcha), Key: solver.Key, Poll: 10 * time.Millisecond},
		RendererConfig: renderer.Config{URL: "https://api.scraperapi.com"},
	}
	for _, a := range adjust {
		a(&cfg)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- captchaworker.Run(ctx, cfg) }()
	s.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			s.Errorf("captcha-worker ended with %v", err)
		}
	})
	s.await(func() bool { // a lookup before that is answered from the open data
		_, err := bus.Call[contracts.SolverAnswer](s.Context(), s.client, contracts.SolverSubject(contracts.Test), contracts.SolverRequest{})
		return err == nil || contracts.CodeOf(err) == contracts.CaptchaSolverNotConfigured
	})
	return provider
}

func TestTexasLookupByInquiry(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.solves(nil)
	for name, l := range cases(s.register().Of(contracts.TX)) {
		t.Run(name, func(t *testing.T) {
			for _, number := range append([]string{l.Number}, l.Forms...) {
				rightLookup(t, s, l, license.Primary, number, contracts.StructuredParse)
			}
		})
	}
	absent(t, s, contracts.TX, contracts.StructuredParse, "999999999", "MB9999999")
}

func TestTexasFallsBackToTheData(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.solves(nil)
	s.must(s.sandbox.Fault(texasHost, "", sandbox.Broken))
	for name, l := range cases(s.register().Of(contracts.TX)) {
		t.Run(name, func(t *testing.T) {
			for _, number := range append([]string{l.Number}, l.Forms...) {
				rightLookup(t, s, l, license.Mirror, number, contracts.APIMirror)
			}
		})
	}
	unknown(t, s, contracts.TX, "999999999", "MB9999999")
	for name, q := range searches(s, contracts.TX) {
		t.Run(name, func(t *testing.T) { rightAnswer(t, s, contracts.TX, q, license.Mirror, contracts.APIMirror) })
	}
}

func TestTexasSearch(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.solves(nil)
	for name, q := range searches(s, contracts.TX) {
		t.Run(name, func(t *testing.T) {
			path, method := license.Primary, contracts.StructuredParse
			switch name {
			case "business name, accents left out", "business name, accents as it has", "business name, one word", "injection":
				path, method = license.Mirror, contracts.APIMirror // some match by accents only
			}
			rightAnswer(t, s, contracts.TX, q, path, method)
		})
	}
	rightAnswer(t, s, contracts.TX, contracts.Query{DBAName: "no such name"}, license.Primary, contracts.StructuredParse)
}

func TestTexasIsDown(t *testing.T) {
	t.Parallel()
	down(t, contracts.TX, texasHost, texasDataHost)
}

func TestTexasWithoutASolver(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.solves(nil, func(c *captchaworker.Config) { c.SolverConfig.Key = "" })
	l := s.register().Of(contracts.TX)[0]
	s.must(s.sandbox.Fault(texasHost, "", sandbox.Down)) // whatever the site does
	for range 7 {                                        // more often than opens a breaker
		if a, err := s.lookup(contracts.TX, l.Number); contracts.CodeOf(err) != contracts.CaptchaSolverNotConfigured {
			t.Errorf("lookup: %s, %v", show(a), err)
		}
	}
	if a, err := s.search(contracts.TX, contracts.Query{DBAName: l.DBA}); contracts.CodeOf(err) != contracts.CaptchaSolverNotConfigured {
		t.Errorf("search: %s, %v", show(a), err)
	}
}

func TestTexasWithASolverThatFails(t *testing.T) {
	t.Parallel()
	for _, failure := range []solver.Failure{"ERROR_ZERO_BALANCE", "ERROR_CAPTCHA_UNSOLVABLE", solver.Hostile, solver.Silent} {
		t.Run(string(failure), func(t *testing.T) {
			if failure == solver.Silent && testing.Short() {
				t.Skip("waits for its time-out")
			}
			s := start(t)
			s.worker()
			provider := s.solves(nil)
			method := "createTask"
			if failure != "ERROR_ZERO_BALANCE" {
				method = "getTaskResult"
			}
			s.must(provider.Fail(method, failure, 5))
			l := s.register().Of(contracts.TX)[0]
			rightLookup(t, s, l, license.Mirror, l.Number, contracts.APIMirror)
			if got := s.sandbox.Licensing().Inquiry.Submissions(); got.Answered+got.WrongCode != 0 {
				t.Errorf("something reached the form: %+v", got)
			}
		})
	}
}

func TestTexasGivesUpAfterThreeCodes(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	provider := s.solves(func(b *solver.Behaviour) { b.Wrong = 1 })
	l := s.register().Of(contracts.TX)[0]
	rightLookup(t, s, l, license.Mirror, l.Number, contracts.APIMirror)
	if got := s.sandbox.Licensing().Inquiry.Submissions().WrongCode; got != 3 {
		t.Errorf("%d codes were tried", got)
	}
	s.await(func() bool { return provider.Counts().Reported == 3 })
}

// Of a hundred licenses, 30 % of the codes wrong, 97 are expected to be answered by the inquiry. They are asked for
// one after the other, so that the same codes are wrong each time.
func TestTexasWithWrongCodes(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	t.Parallel()
	s := start(t)
	s.worker()
	provider := s.solves(func(b *solver.Behaviour) { b.Wrong = 0.3 })
	byInquiry := 0
	for _, l := range s.register().Of(contracts.TX)[:100] {
		a, err := s.lookup(contracts.TX, l.Number)
		path := license.Mirror
		if a.Method == contracts.StructuredParse {
			path = license.Primary
			byInquiry++
		}
		if l.PrimaryUnclear {
			continue
		}
		if err != nil || a.Record == nil || !same(*a.Record, *l.Record(path)) {
			t.Errorf("%s by %s\n got %s, %v\nwant %s", l.Number, a.Method, show(a.Record), err, show(l.Record(path)))
		}
	}
	wrong := s.sandbox.Licensing().Inquiry.Submissions().WrongCode
	s.await(func() bool { return provider.Counts().Reported == wrong })
	counts := provider.Counts()
	t.Logf("%d of 100 by the inquiry; %d solves, %d wrong, %d reported", byInquiry, counts.Created, counts.Wrong,
		counts.Reported)
	if byInquiry < 96 || counts.Misreported > 0 || counts.Duplicates > 0 {
		t.Errorf("%d by the inquiry, %+v", byInquiry, counts)
	}
}

// While the queues before both sites are full, a further lookup is refused before a flight is claimed for it, and told when to
// come again. When there is room again, it is answered.
func TestTexasRefusesWhatHasNoRoom(t *testing.T) {
	t.Parallel()
	const places, more = 2 * 64, 20 // of both queues
	s := start(t)
	s.worker(func(c *abcworker.Config) { c.FetchTimeout = clocktest.Patience })
	s.solves(nil)
	for _, host := range []string{texasHost, texasDataHost} { // until the faults are cleared
		s.must(s.sandbox.Inject(sandbox.Fault{Host: host, Kind: sandbox.Slow, Seconds: 3600}))
	}
	ended := make(chan error, places+more)
	for i := range places + more {
		go func() {
			_, err := s.lookup(contracts.TX, fmt.Sprint(900_000_000+i))
			ended <- err
		}()
	}
	for range more {
		if err := <-ended; contracts.CodeOf(err) != contracts.SourceUnavailable || contracts.AsError(err).RetryAfter != 15*time.Second {
			t.Errorf("refused with %v", err)
		}
	}
	bucket, err := s.js.KeyValue(t.Context(), contracts.FlightsBucket.Name)
	s.must(err)
	var flights []string
	clocktest.Await(t, "who has a place has claimed a flight", func() bool {
		flights, err = bucket.Keys(t.Context())
		s.must(err)
		return len(flights) >= places
	})
	if len(flights) != places {
		t.Errorf("%d flights, want %d", len(flights), places)
	}
	s.sandbox.ClearFaults()
	for range places {
		if err := <-ended; contracts.CodeOf(err) == contracts.Busy {
			t.Errorf("with a place: %v", err)
		}
	}
	all, next := s.register().Of(contracts.TX), 0
	clocktest.Await(t, "the inquiry is asked again", func() bool { // had its queue been full for a minute, it counted as down
		next++
		a, err := s.lookup(contracts.TX, all[next%len(all)].Number)
		return err == nil && a.Method == contracts.StructuredParse
	})
	rightLookup(t, s, all[0], license.Primary, all[0].Number, contracts.StructuredParse)
}
