package ltlworker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/trust"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/jobs"
	"assay.dev/platform/kv"
	"assay.dev/sandbox"
)

func TestEveryCarrierIsReadRight(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	w := s.worker(withChromium)
	for _, c := range contracts.Carriers {
		t.Run(string(c), func(t *testing.T) {
			if scripted(c) {
				needChromium(t)
			}
			a, err := s.ask(c)
			if err != nil {
				t.Fatal(err)
			}
			s.right(a, true)
			evidence := carrier.Recipes[c].Pages[0]
			if c == contracts.ODFL {
				evidence = carrier.Recipes[c].API[0].URL // the page does not show the prices
			}
			if a.Carrier != c || a.ReadAt.IsZero() || !a.Fresh(time.Now()) || a.EvidenceURL != evidence {
				t.Errorf("provenance %+v", a.Provenance)
			}
			if want := carrier.Recipes[c].Ways()[0].Method(); a.Method != want {
				t.Errorf("read by %s, want %s", a.Method, want)
			}
			v := a.Body(contracts.MaxWeeks).Verifiability
			if v.ExtractionConfidence != 1 || v.Current == nil || !*v.Current || !a.Complete {
				t.Errorf("%+v", v)
			}
			if c != contracts.TFORCE && (len(a.Weeks) != contracts.MaxWeeks || !v.Complete) {
				t.Errorf("%d weeks, %v", len(a.Weeks), v.Notes)
			}
		})
	}
	if n := w.metric(t, "archive_weeks_total", "outcome=lost"); n != 0 {
		t.Errorf("%v weeks lost", n)
	}
}

func TestWeekOfTheThirdPartyReading(t *testing.T) {
	t.Parallel()
	// Tuesday 2026-09-08, sources.md A.0 as the carriers showed it; the sandbox reproduces it.
	at := time.Date(2026, 9, 8, 13, 0, 0, 0, time.UTC)
	s := start(t, func() time.Time { return at })
	s.worker()
	want := map[contracts.Carrier]struct {
		date contracts.Date
		pct  float64
	}{
		contracts.SAIA: {"2026-09-02", 50.12}, contracts.TFORCE: {"2026-09-02", 51.1}, contracts.XPO: {"2026-09-07", 49.75},
		contracts.SEFL: {"2026-09-02", 44.63}, contracts.AVERITT: {"2026-09-02", 48},
	}
	for c, week := range want {
		a, err := s.ask(c)
		if err != nil {
			t.Errorf("%s: %v", c, err)
			continue
		}
		if got := a.Weeks[0]; got.EffectiveDate != week.date || got.Percent != week.pct {
			t.Errorf("%s: %+v", c, got.SurchargeWeek)
		}
		s.right(a, true)
	}
}

func TestAnotherPathAnswersAndSaysSo(t *testing.T) {
	t.Parallel()
	cases := []struct {
		carrier contracts.Carrier
		host    string
		kind    sandbox.Kind
		method  contracts.Method
		diesel  bool
	}{
		{contracts.ODFL, "api.odfl.com", sandbox.Down, contracts.StructuredParse, false},
		{contracts.ODFL, "api.odfl.com", sandbox.Redesigned, contracts.StructuredParse, false},
		{contracts.ODFL, "api.odfl.com", sandbox.Empty, contracts.StructuredParse, false},
		{contracts.ODFL, "www.odfl.com", sandbox.Down, contracts.APIMirror, true},
		{contracts.XPO, "www.xpo.com", sandbox.Forbidden, contracts.StructuredParse, true},
	}
	for _, c := range cases {
		t.Run(string(c.carrier)+" "+c.host+" "+string(c.kind), func(t *testing.T) {
			s := start(t, nil)
			s.worker()
			s.must(s.sandbox.Fault(c.host, "", c.kind))
			a, err := s.ask(c.carrier)
			if err != nil {
				t.Fatal(err)
			}
			if a.Method != c.method {
				t.Errorf("read by %s, want %s", a.Method, c.method)
			}
			s.right(a, c.diesel)
		})
	}
}

func TestAFreshReadingReadsTheCarrier(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	s := start(t, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) })
	w := s.worker()
	fresh := func() contracts.SurchargeAnswer {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
		defer cancel()
		a, err := bus.Call[contracts.SurchargeAnswer](ctx, s.client, contracts.SurchargeSubject(contracts.Test, contracts.SAIA),
			contracts.SurchargeRequest{Carrier: contracts.SAIA, Fresh: true})
		s.must(err)
		return a
	}
	first := fresh()
	clocktest.Await(t, "a young answer", func() bool {
		return fresh().ReadAt.Equal(first.ReadAt) && w.metric(t, "fresh_reads_total", "outcome=young") > 0
	})
	ahead.Store(int64(2 * time.Minute))
	anew := fresh()
	if !anew.ReadAt.After(first.ReadAt) || anew.RefreshFailed {
		t.Errorf("an old copy: read at %s, then %s", first.ReadAt, anew.ReadAt)
	}
	s.right(anew, true)
	s.must(s.sandbox.Fault("www.saia.com", "", sandbox.Broken))
	ahead.Store(int64(4 * time.Minute))
	if kept := fresh(); !kept.RefreshFailed || !kept.ReadAt.Equal(anew.ReadAt) {
		t.Errorf("after a failure: %+v", kept.Provenance)
	}
	if n := w.metric(t, "fresh_reads_total", "source=SAIA", "outcome=failed"); n != 1 {
		t.Errorf("%v failures are counted", n)
	}
}

// Prices of diesel that the path does not show come from the archive: the answer names where they were seen, and can be verified.
func TestDieselOfTheArchiveIsProven(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	s := start(t, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) })
	s.worker()
	_, err := s.ask(contracts.ODFL)
	s.must(err)
	s.must(s.sandbox.Fault("api.odfl.com", "", sandbox.Down))
	for minutes := 2; minutes < 6; minutes += 2 { // the page, and then the page again
		ahead.Store(int64(time.Duration(minutes) * time.Minute))
		a := s.askFresh(contracts.ODFL)
		if a.Method != contracts.StructuredParse {
			t.Fatalf("read by %s", a.Method)
		}
		s.right(a, true)
		body := a.Body(contracts.MaxWeeks)
		if i := slices.IndexFunc(body.Verifiability.Notes, func(n contracts.Note) bool { return n.Code == contracts.NoteFromArchive }); i < 0 ||
			!strings.Contains(body.Verifiability.Notes[i].Message, "https://api.odfl.com/") {
			t.Errorf("where the prices were seen: %+v", body.Verifiability.Notes)
		}
		answer, err := json.Marshal(body)
		s.must(err)
		said, err := bus.Call[contracts.Verification](s.soon(), s.client, contracts.VerifySubject(contracts.Test, contracts.LTL), contracts.VerifyRequest{Answer: answer})
		if err != nil || !said.Verified {
			t.Errorf("not verified: %+v, %v", said, err)
		}
	}
}

func TestOneSourceDownLeavesTheOthersAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	t.Parallel()
	s := start(t, nil)
	w := s.worker()
	s.must(s.sandbox.Fault("www.saia.com", "", sandbox.Broken))
	clocktest.Await(t, "the breaker of SAIA opens", func() bool {
		_, err := s.ask(contracts.SAIA)
		var e *contracts.Error
		if !errors.As(err, &e) || e.Code != contracts.SourceUnavailable || e.RetryAfter <= 0 {
			t.Fatalf("SAIA: %v", err)
		}
		return w.metric(t, "breaker_state", "source=SAIA") > 0
	})
	if n := w.metric(t, "breaker_state", "source=RLC"); n != 0 {
		t.Errorf("breaker of RLC: %v", n)
	}
	a, err := s.ask(contracts.RLC)
	if err != nil {
		t.Fatal(err)
	}
	s.right(a, true)
}

// Whatever a site does, what is answered is right or nothing, and a good answer is not overwritten.
func TestFaultsNeverMakeAWrongRecord(t *testing.T) {
	kinds := []sandbox.Kind{
		sandbox.Redesigned, sandbox.Swapped, sandbox.Challenge, sandbox.Empty, sandbox.Forbidden, sandbox.Bomb,
		sandbox.PrivateRedirect, sandbox.ForeignRedirect,
	}
	plain := map[contracts.Carrier]string{
		contracts.ODFL: "api.odfl.com", contracts.SAIA: "www.saia.com", contracts.RLC: "www2.rlcarriers.com",
		contracts.TFORCE: "www.tforcefreight.com", contracts.SEFL: "www.sefl.com", contracts.AVERITT: "tools.averitt.com",
		contracts.FEDEX: "www.fedexfreight.com",
	}
	for _, kind := range kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			s.worker()
			for c, host := range plain {
				if _, err := s.ask(c); err != nil {
					t.Fatal(err)
				}
				before := s.expire(c)
				s.must(s.sandbox.Fault(host, "", kind))
				if c == contracts.ODFL {
					s.must(s.sandbox.Fault("www.odfl.com", "", kind))
				}
				a, err := s.ask(c)
				if err == nil {
					s.right(a, a.Method != contracts.StructuredParse || c != contracts.ODFL)
				} else if code := contracts.CodeOf(err); code != contracts.SourceUnavailable {
					t.Errorf("%s: %v", c, err)
				} else if after := s.revision(c); after != before {
					t.Errorf("%s: the good answer was overwritten", c)
				}
			}
		})
	}
}

func TestRedirectHomeIsNoAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.worker(func(c *ltlworker.Config) {
		s.must(c.URLs.UnmarshalText([]byte("SAIA.page=https://www.saia.com/tools-and-resources/fuel-surcharge")))
	})
	if _, err := s.ask(contracts.SAIA); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("SAIA: %v", err)
	}
}

// accepts accepts what a path of a carrier shows now.
func (s *system) accepts(cfg ltlworker.Config, c contracts.Carrier, path string) {
	s.Helper()
	report, err := ltlworker.Probe(s.Context(), cfg, c, slog.New(slog.DiscardHandler), path)
	s.must(err)
	s.must(report.Paths[0].Err)
	books, err := wording.OpenBucket(s.Context(), contracts.Test, s.js)
	s.must(err)
	s.must(books.Accept(s.Context(), c, trust.NewEdition(report.Paths[0].Value.Trusted(path), "the test", time.Now(), "", false)))
}

func TestConfiguredAPI(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.worker(func(c *ltlworker.Config) {
		s.must(c.URLs.UnmarshalText([]byte("ESTES.api=https://www.estes-express.com/api/fuel-surcharge/v1/history")))
		s.accepts(*c, contracts.ESTES, "api")
	})
	a, err := s.ask(contracts.ESTES)
	if err != nil {
		t.Fatal(err)
	}
	if a.Method != contracts.APIMirror {
		t.Errorf("read by %s", a.Method)
	}
	s.right(a, true)
	if said := s.reread(a.Body(contracts.MaxWeeks)); !said.Verified {
		t.Errorf("not verified: %+v", said)
	}
}

func TestColdCarrierIsFetchedOnce(t *testing.T) {
	s := start(t, nil)
	s.worker()
	s.worker()
	s.must(s.sandbox.Inject(sandbox.Fault{Host: "www.saia.com", Kind: sandbox.Slow, Seconds: 1}))
	const callers = 1_000 // all wait for the one read, which takes a second
	var failed atomic.Int64
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			if a, err := s.ask(contracts.SAIA); err != nil || len(a.Weeks) != contracts.MaxWeeks {
				if failed.Add(1) == 1 {
					t.Errorf("%d weeks, %v", len(a.Weeks), err)
				}
			}
		})
	}
	all.Wait()
	if n := failed.Load(); n != 0 {
		t.Errorf("%d of %d failed", n, callers)
	}
	if n := s.sandbox.Requests("www.saia.com").Total(); n != 1 {
		t.Errorf("%d upstream fetches, want 1", n)
	}
}

func TestStopUnderLoadLosesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.worker()
	second := s.worker()
	if _, err := s.ask(contracts.SAIA); err != nil {
		t.Fatal(err)
	}
	var asked, failed atomic.Int64
	var done atomic.Bool
	more := func(n int64) {
		before := asked.Load()
		clocktest.Await(t, "more requests are answered", func() bool { return asked.Load() >= before+n })
	}
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for !done.Load() {
				if _, err := s.ask(contracts.SAIA); err != nil {
					failed.Add(1)
					t.Log(err)
				}
				asked.Add(1)
			}
		})
	}
	more(200)
	if err := second.stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	more(200)
	done.Store(true)
	all.Wait()
	if failed.Load() != 0 {
		t.Errorf("%d of %d requests failed", failed.Load(), asked.Load())
	}
}

func TestStopFinishesTheReadUnderWay(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	w := s.worker()
	s.must(s.sandbox.Inject(sandbox.Fault{Host: "www.saia.com", Kind: sandbox.Slow, Seconds: 1}))
	answered := make(chan error, 1)
	go func() { _, err := s.ask(contracts.SAIA); answered <- err }()
	clocktest.Await(t, "the site is asked", func() bool { return s.sandbox.Requests("www.saia.com").Total() > 0 })
	if err := w.stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	if err := <-answered; err != nil {
		t.Errorf("the request in work was lost: %v", err)
	}
}

func TestTFORCEAccumulatesWeeks(t *testing.T) {
	t.Parallel()
	var now atomic.Pointer[time.Time]
	at := time.Date(2025, 6, 5, 15, 0, 0, 0, time.UTC) // a Thursday
	now.Store(&at)
	s := start(t, func() time.Time { return *now.Load() })
	s.worker()
	var want []contracts.SurchargeWeek
	for week := range 30 {
		day := at.AddDate(0, 0, 7*week)
		now.Store(&day)
		want = append([]contracts.SurchargeWeek{s.sandbox.Surcharge(contracts.TFORCE)[0]}, want...)
		want = want[:min(len(want), contracts.MaxWeeks)]
		// An answer of that time has ended by the real clock, so each request reads anew; the archive is written after it.
		clocktest.Await(t, fmt.Sprintf("%d weeks are known", len(want)), func() bool {
			a, err := s.ask(contracts.TFORCE)
			s.must(err)
			return slices.EqualFunc(a.Weeks, want, func(a contracts.ObservedWeek, b contracts.SurchargeWeek) bool {
				return sameWeek(a.SurchargeWeek, b)
			})
		})
	}
}

func TestRevisionIsReported(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	kv, err := s.js.KeyValue(t.Context(), contracts.WeeksBucket.Name)
	s.must(err)
	shown := s.sandbox.Surcharge(contracts.RLC)[2]
	sighting := `{"at":"2026-01-01T00:00:00Z","path":"page","method":"scraper"}`
	_, err = kv.PutString(t.Context(), "test.v2.RLC."+string(shown.EffectiveDate)+".1",
		`{"effective_date":"`+string(shown.EffectiveDate)+`","fuel_surcharge_pct":11.5,"first":`+sighting+`,"last":`+sighting+`}`)
	s.must(err)
	s.worker()
	a, err := s.ask(contracts.RLC)
	s.must(err)
	s.right(a, true) // what the page shows now wins
	stream, err := s.js.Stream(t.Context(), contracts.EventsStream.Name)
	s.must(err)
	var event contracts.SurchargeRevision
	clocktest.Await(t, "the revision is told", func() bool {
		msg, err := stream.GetLastMsgForSubject(t.Context(),
			contracts.EventSubject(contracts.Test, contracts.EventRevision).Name)
		return err == nil && json.Unmarshal(msg.Data, &event) == nil
	})
	if event.Carrier != contracts.RLC || event.Was.Percent != 11.5 || !sameWeek(event.Is, shown) {
		t.Errorf("event %+v", event)
	}
}

// A week that a carrier takes back is a hole, whether weeks are asked for by their number or by days.
func TestAWeekThatIsTakenBackIsAHole(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	weeks := s.sandbox.Surcharge(contracts.RLC)
	hole := weeks[2].EffectiveDate
	s.must(s.sandbox.Withdraw(contracts.RLC, hole))
	s.worker()
	a, err := s.ask(contracts.RLC)
	s.must(err)
	past, err := bus.Call[contracts.HistoryAnswer](t.Context(), s.client, contracts.HistorySubject(contracts.Test, contracts.RLC),
		contracts.HistoryRequest{Carrier: contracts.RLC, From: weeks[3].EffectiveDate, To: weeks[0].EffectiveDate})
	s.must(err)
	ofDays, err := past.Body()
	s.must(err)
	for name, body := range map[string]contracts.Surcharge{"weeks=3": a.Body(3), "from and to": ofDays} {
		v := body.Verifiability
		want := fmt.Sprintf("[{INCOMPLETE No week of RLC is archived for these days: %s to %s.}]", hole, weeks[1].EffectiveDate.AddDays(-1))
		if len(body.Weeks) != 3 || v.Complete || fmt.Sprint(v.Notes) != want {
			t.Errorf("%s: %d weeks, complete %v, %v; want %s", name, len(body.Weeks), v.Complete, v.Notes, want)
		}
	}
	if v := a.Body(2).Verifiability; !v.Complete {
		t.Errorf("weeks=2 holds no hole: %v", v.Notes)
	}
}

func TestListings(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.worker(func(c *ltlworker.Config) { c.Carriers = ltlworker.Carriers{contracts.SAIA} })
	kv, err := s.js.KeyValue(t.Context(), contracts.SourcesBucket.Name)
	s.must(err)
	listing := func(c contracts.Carrier) (l contracts.CarrierListing) {
		entry, err := kv.Get(t.Context(), "test.ltl."+string(c))
		s.must(err)
		s.must(json.Unmarshal(entry.Value(), &l))
		return l
	}
	for _, c := range contracts.Carriers {
		if l := listing(c); l.Code != c || l.SourceURL == "" {
			t.Errorf("%+v", l)
		}
	}
	if _, err := s.ask(contracts.RLC); contracts.CodeOf(err) != contracts.NoWorker {
		t.Errorf("RLC is not served here: %v", err)
	}
	clocktest.Await(t, "the breaker of SAIA is listed", func() bool { return listing(contracts.SAIA).Breaker == "closed" })
}

func TestThePastOfASandbox(t *testing.T) {
	t.Parallel()
	var moved atomic.Pointer[time.Time]
	now := time.Now()
	moved.Store(&now)
	past, err := sandbox.Start(sandbox.Options{Clock: func() time.Time { return *moved.Load() }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = past.Close() }()
	s := start(t, nil)
	cfg := ltlworker.Config{}
	cfg.Environment = contracts.Test
	cfg.HTTPSProxy, cfg.CAFile = past.ProxyURL(), past.CAFile()
	var moments []time.Time
	want := s.sandbox.Surcharge(contracts.TFORCE)
	for week := contracts.MaxWeeks - 1; week > 0; week-- {
		moments = append(moments, now.AddDate(0, 0, -7*week))
	}
	weeksBucket, err := kv.Open(t.Context(), s.js, contracts.WeeksBucket)
	s.must(err)
	log := slog.New(slog.DiscardHandler)
	unrevised := func(context.Context, string, contracts.SurchargeRevision) error {
		return errors.New("a week was revised")
	}
	kept, err := archive.Open(contracts.Test, s.js, weeksBucket, log, prometheus.NewRegistry(), unrevised, nil)
	s.must(err)
	for _, moment := range moments {
		moved.Store(&moment)
		cfg.Clock = func() time.Time { return moment }
		report, err := ltlworker.Probe(t.Context(), cfg, contracts.TFORCE, log, string(carrier.Page))
		s.must(errors.Join(err, report.Paths[0].Err))
		kept.Observe(archive.Observation{
			Carrier: contracts.TFORCE, Weeks: report.Paths[0].Value.Weeks, At: moment, Source: archive.Source{Path: string(carrier.Page)}, Whole: true,
		})
	}
	s.must(kept.Stop(t.Context()))
	moved.Store(&now)
	s.worker()
	a, err := s.ask(contracts.TFORCE)
	s.must(err)
	if len(a.Weeks) != contracts.MaxWeeks || !sameWeek(a.Weeks[0].SurchargeWeek, want[0]) {
		t.Fatalf("%d weeks, newest %+v", len(a.Weeks), a.Weeks[0])
	}
	for i, w := range a.Weeks {
		shown, err := sandbox.Surcharge(contracts.TFORCE, want[0].EffectiveDate.AddDays(-7*i))
		s.must(err)
		if !sameWeek(w.SurchargeWeek, shown[0]) {
			t.Errorf("entry %d: %+v, want %+v", i, w.SurchargeWeek, shown[0])
		}
	}
}

func TestRenderingServiceIsTheLastPath(t *testing.T) {
	t.Parallel()
	healthy, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = healthy.Close() }()
	client := healthy.Client()
	defer client.CloseIdleConnections()
	s := start(t, nil)
	queue, err := jobs.Open(t.Context(), bus.Deps{Conn: s.conn}, s.js, contracts.Test)
	s.must(err)
	rendered := atomic.Int64{}
	workers, err := jobs.Work(t.Context(), queue, contracts.Render, 1,
		func(ctx context.Context, _ string, job contracts.RenderJob) (contracts.RenderResult, error) {
			rendered.Add(1)
			answer, err := client.Get(job.URL)
			if err != nil {
				return contracts.RenderResult{}, err
			}
			defer func() { _ = answer.Body.Close() }()
			html, err := io.ReadAll(answer.Body)
			return contracts.RenderResult{HTML: html, FinalURL: job.URL, Credits: 5}, err
		})
	s.must(err)
	defer func() { _ = workers.Stop(context.Background()) }()
	s.worker(func(c *ltlworker.Config) { c.Renderer = true })
	s.must(s.sandbox.Fault("www.saia.com", "", sandbox.Forbidden))
	a, err := s.ask(contracts.SAIA)
	s.must(err)
	if a.Method != contracts.ScraperAPI || a.EvidenceURL != carrier.Recipes[contracts.SAIA].Pages[0] ||
		rendered.Load() != 1 {
		t.Errorf("read by %s at %s after %d renders", a.Method, a.EvidenceURL, rendered.Load())
	}
	s.right(a, true)
}
