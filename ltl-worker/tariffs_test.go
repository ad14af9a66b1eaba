package ltlworker_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/ltl-worker/edition"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
	"assay.dev/sandbox"
)

func (s *system) askTable(c contracts.Carrier, asOf contracts.Date) (contracts.FuelTableAnswer, error) {
	ctx, cancel := context.WithTimeout(s.Context(), clocktest.Patience)
	defer cancel()
	return bus.Call[contracts.FuelTableAnswer](ctx, s.client, contracts.FuelTableSubject(contracts.Test, c),
		contracts.FuelTableRequest{Carrier: c, AsOf: asOf})
}

func (s *system) askDiesel(from, to contracts.Date) (contracts.DieselAnswer, error) {
	ctx, cancel := context.WithTimeout(s.Context(), clocktest.Patience)
	defer cancel()
	return bus.Call[contracts.DieselAnswer](ctx, s.client, contracts.DieselSubject(contracts.Test), contracts.DieselRequest{From: from, To: to})
}

// forget makes stored answers, which are there already or soon, ones that must be replaced.
func (s *system) forget(keys ...contracts.CacheKey) {
	s.Helper()
	for _, key := range keys {
		s.edit(key, func(doc []byte) ([]byte, error) {
			var a map[string]any
			err := json.Unmarshal(doc, &a)
			a["expires_at"] = time.Now().Add(-time.Minute)
			return jsonOf(a, err)
		})
	}
}

func jsonOf(v any, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// edit changes a stored answer, which is there already or soon. One that was made to be replaced is replaced first.
func (s *system) edit(key contracts.CacheKey, change func(doc []byte) ([]byte, error)) {
	s.Helper()
	answers, err := s.js.KeyValue(s.Context(), contracts.AnswersBucket.Name)
	s.must(err)
	clocktest.Await(s, "an answer is stored", func() bool { return s.lives(answers, key) })
	s.must(kv.Change(s.Context(), answers, string(key), func(old []byte) ([]byte, error) {
		doc, err := kv.Expand(old)
		s.must(err)
		return change(doc)
	}))
}

// lives tells whether an answer is stored that need not be replaced.
func (s *system) lives(answers jetstream.KeyValue, key contracts.CacheKey) bool {
	s.Helper()
	stored, err := answers.Get(s.Context(), string(key))
	if err != nil {
		return false
	}
	doc, err := kv.Expand(stored.Value())
	s.must(err)
	var a struct {
		ExpiresAt time.Time `json:"expires_at"`
	}
	s.must(json.Unmarshal(doc, &a))
	return a.ExpiresAt.After(time.Now())
}

// archiveTable makes a table one that was seen on days of the past.
func (s *system) archiveTable(c contracts.Carrier, seen ...contracts.Date) {
	s.Helper()
	bucket, err := s.js.KeyValue(s.Context(), contracts.TariffsBucket.Name)
	s.must(err)
	rows := []contracts.Bracket{{AtLeastUSD: 3, LessThanUSD: 4, Percent: 1}, {AtLeastUSD: 4, LessThanUSD: 5, Percent: 2}, {AtLeastUSD: 5, LessThanUSD: 9, Percent: 3}}
	for _, day := range seen {
		_, err := edition.NewArchive(contracts.Test, s.js, bucket).Observe(s.Context(), c, edition.Edition{
			Rows: rows, Tally: contracts.TallyOf(true, true), LastSeen: day.Time().Add(12 * time.Hour),
			Method: contracts.StructuredParse, EvidenceURL: "https://carrier.test/table",
		})
		s.must(err)
	}
}

func today() contracts.Date { return contracts.DateOf(time.Now().In(newYork)) }

var newYork, _ = time.LoadLocation("America/New_York")

// Each table is read as its carrier prints it; ODFL's is that of its tariff, held against its newest percent.
func TestTables(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.worker(withChromium)
	for c, want := range map[contracts.Carrier]struct {
		first, last contracts.Bracket
		rows        int
		extension   bool
	}{
		contracts.ESTES: {contracts.Bracket{AtLeastUSD: 3, LessThanUSD: 3.025, Percent: 24.25}, contracts.Bracket{AtLeastUSD: 4.975, LessThanUSD: 5, Percent: 44}, 80, false},
		contracts.ABF:   {contracts.Bracket{AtLeastUSD: 3, LessThanUSD: 3.04, Percent: 24.4}, contracts.Bracket{AtLeastUSD: 4.96, LessThanUSD: 5, Percent: 44}, 50, true},
		contracts.SEFL:  {contracts.Bracket{AtLeastUSD: 2.99, LessThanUSD: 3.02, Percent: 21.41}, contracts.Bracket{AtLeastUSD: 7.97, LessThanUSD: 8, Percent: 66.23}, 167, false},
		contracts.ODFL:  {contracts.Bracket{AtLeastUSD: 1, LessThanUSD: 1.15, Percent: 12.72}, contracts.Bracket{AtLeastUSD: 5.05, LessThanUSD: 5.1, Percent: 41.32}, 80, true},
	} {
		t.Run(string(c), func(t *testing.T) {
			if scripted(c) {
				needChromium(t)
			}
			a, err := s.askTable(c, "")
			if err != nil {
				t.Fatal(err)
			}
			first, last := a.Rows[0], a.Rows[len(a.Rows)-1]
			if tl := first.TruckloadPercent; (c == contracts.ODFL) != (tl == nil) || tl != nil && *tl != 2*first.Percent {
				t.Errorf("the truckload's percent is %v", tl)
			}
			first.TruckloadPercent, last.TruckloadPercent = nil, nil
			if len(a.Rows) != want.rows || first != want.first || last != want.last || (a.Extension != nil) != want.extension {
				t.Errorf("%d rows from %+v to %+v, extension %+v", len(a.Rows), first, last, a.Extension)
			}
			v := a.Body().Verifiability
			if v.ExtractionConfidence != 1 || !v.Complete || v.RawDataEvidenceURL == "" || v.SourceTimestamp.IsZero() {
				t.Errorf("%+v", v)
			}
			body, err := json.Marshal(a.Body())
			s.must(err)
			if _, err := ltlworker.Verify(t.Context(), body, nil); err == nil || !strings.HasPrefix(err.Error(), "refused: a bracket table is not verified;") {
				t.Errorf("verified: %v", err)
			}
			if again, err := s.askTable(c, today()); err != nil || len(again.Rows) != want.rows {
				t.Errorf("as of today: %v, %d rows", err, len(again.Rows))
			}
		})
	}
	if _, err := s.askTable(contracts.SAIA, ""); contracts.CodeOf(err) != contracts.NotFound {
		t.Errorf("SAIA: %v", err)
	}
}

// A percent that nobody vouches for confirms no table.
func TestATableIsNotConfirmedByADoubt(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	var cfg ltlworker.Config
	s.worker(func(c *ltlworker.Config) { cfg = *c })
	desk, err := ltlworker.OpenSources(t.Context(), cfg, s.js, slog.New(slog.DiscardHandler))
	s.must(err)
	if a, err := s.ask(contracts.ODFL); err != nil || a.InDoubt() {
		t.Fatalf("%v, %v", a.Notes, err)
	}
	clocktest.Await(t, "it is in doubt", func() bool { // its answer is stored after it is told
		_, err := desk.Forget(t.Context(), contracts.ODFL, ltlworker.ToForget{}, nobodyWrites)
		s.must(err)
		a, err := s.ask(contracts.ODFL)
		return err == nil && a.Noted(contracts.NoteWordingUnknown)
	})
	a, err := s.askTable(contracts.ODFL, "")
	if v := a.Body().Verifiability; err != nil || v.ExtractionConfidence >= contracts.MinConfidence || !a.Noted(contracts.NoteWordingUnknown) {
		t.Errorf("confidence %v, notes %v, %v", v.ExtractionConfidence, a.Notes, err)
	}
}

// What applied on a past day is given from the archive; a day on which no table was seen has none.
func TestTableOfAPastDay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 9, 8, 13, 0, 0, 0, time.UTC)
	s := start(t, func() time.Time { return now })
	s.worker()
	if _, err := s.askTable(contracts.SEFL, "2026-09-01"); contracts.CodeOf(err) != contracts.WeekNotArchived {
		t.Errorf("before any sighting: %v", err)
	}
	if _, err := s.askTable(contracts.SEFL, "2026-09-09"); contracts.CodeOf(err) != contracts.InvalidRequest {
		t.Errorf("tomorrow: %v", err)
	}
	if _, err := s.askTable(contracts.ODFL, "2025-04-08"); contracts.CodeOf(err) != contracts.WeekNotArchived {
		t.Errorf("before ODFL's tariff: %v", err)
	}
	s.archiveTable(contracts.SEFL, "2026-03-02", "2026-05-04")
	for day, want := range map[contracts.Date]contracts.Code{
		"2026-03-02": contracts.WeekNotArchived, "2026-03-03": "", "2026-04-01": "", "2026-05-03": "", // on a day of a change both applied
		"2026-05-04": contracts.WeekNotArchived, "2026-05-05": contracts.WeekNotArchived, "2026-09-07": contracts.WeekNotArchived, "2026-09-08": "",
	} {
		a, err := s.askTable(contracts.SEFL, day)
		if isOld := err == nil && a.Rows[0].Percent == 1; contracts.CodeOf(err) != want || err == nil && isOld != (day < "2026-09-08") ||
			err == nil && a.Noted(contracts.NoteFromArchive) != isOld {
			t.Errorf("%s: %v, the old table: %t, %v", day, err, isOld, a.Notes)
		}
	}
	a, err := s.askTable(contracts.ODFL, "2025-04-09")
	if err != nil || a.Edition.Tariff == nil || *a.Edition.Tariff != "ODFL 128-CC" || !a.Noted(contracts.NoteFromArchive) {
		t.Errorf("on the first day of ODFL's tariff: %v %+v", err, a.Edition)
	}
}

// Who asks for a fresh reading of what is made of another answer has the source read, and is told when that failed.
func TestFreshTariffs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ask    func(s *system, fresh bool) (contracts.Provenance, error)
		hosts  []string // without which there is no fresh reading
		source string   // that is counted
	}{
		"a range of prices":         {freshDiesel, []string{"fred.stlouisfed.org"}, "diesel"},
		"a transcribed table":       {freshTable(""), []string{"api.odfl.com", "www.odfl.com"}, "ODFL-table"},
		"a transcribed table today": {freshTable(today()), []string{"api.odfl.com", "www.odfl.com"}, "ODFL-table"},
	} {
		t.Run(name, func(t *testing.T) {
			var ahead atomic.Int64
			s := start(t, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) })
			w := s.worker()
			ask := func(fresh bool) contracts.Provenance {
				p, err := c.ask(s, fresh)
				s.must(err)
				return p
			}
			first := ask(false)
			ahead.Add(int64(2 * time.Minute))
			var anew contracts.Provenance
			asked := 0.0
			clocktest.Await(t, "the source is read anew", func() bool { // the first answer is stored after it is told, and old when it is
				asked++
				anew = ask(true)
				return anew.ReadAt.After(first.ReadAt)
			})
			if anew.RefreshFailed || ask(false).ReadAt.Before(anew.ReadAt) {
				t.Errorf("read at %s, then %s, failed: %t", first.ReadAt, anew.ReadAt, anew.RefreshFailed)
			}
			// Who asks while the first answer is being stored is given that one, which is counted as another outcome.
			read, all := w.metric(t, "fresh_reads_total", "source="+c.source, "outcome=read"), w.metric(t, "fresh_reads_total", "source="+c.source)
			if read != 1 || all != asked {
				t.Errorf("of %v requests %v are counted, %v as readings", asked, all, read)
			}
			ahead.Add(int64(2 * time.Minute))
			for _, host := range c.hosts {
				s.must(s.sandbox.Fault(host, "", sandbox.Forbidden))
			}
			if kept := ask(true); !kept.RefreshFailed || !kept.ReadAt.Equal(anew.ReadAt) || ask(false).RefreshFailed {
				t.Errorf("after a failure: %+v", kept)
			}
		})
	}
}

func freshDiesel(s *system, fresh bool) (contracts.Provenance, error) {
	a, err := bus.Call[contracts.DieselAnswer](s.soon(), s.client, contracts.DieselSubject(contracts.Test),
		contracts.DieselRequest{From: today().AddDays(-28), To: today(), Fresh: fresh})
	return a.Provenance, err
}

func freshTable(asOf contracts.Date) func(*system, bool) (contracts.Provenance, error) {
	return func(s *system, fresh bool) (contracts.Provenance, error) {
		a, err := bus.Call[contracts.FuelTableAnswer](s.soon(), s.client, contracts.FuelTableSubject(contracts.Test, contracts.ODFL),
			contracts.FuelTableRequest{Carrier: contracts.ODFL, AsOf: asOf, Fresh: fresh})
		return a.Provenance, err
	}
}

// soon is the context of a request.
func (s *system) soon() context.Context {
	ctx, cancel := context.WithTimeout(s.Context(), 60*time.Second)
	s.Cleanup(cancel)
	return ctx
}

// A percent that is not that of its bracket is not clean, and says so.
func TestPercentThatDiffersFromItsBracket(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	w := s.worker()
	s.archiveTable(contracts.SEFL, today().AddDays(-1))
	if a, err := s.ask(contracts.SEFL); err != nil || a.Noted(contracts.NoteBracketDiffers) {
		t.Fatalf("a table holds that nobody saw beside clean weeks: %v %v", err, a.Notes)
	}
	var a contracts.SurchargeAnswer
	clocktest.Await(t, "the table is held against the weeks", func() bool { // which are archived after they are told
		s.expire(contracts.SEFL)
		var err error
		a, err = s.ask(contracts.SEFL)
		s.must(err)
		return a.Noted(contracts.NoteBracketDiffers)
	})
	if v := a.Body(1).Verifiability; !a.Noted(contracts.NoteBracketDiffers) || v.ExtractionConfidence >= 0.90 {
		t.Errorf("confidence %v, notes %v", v.ExtractionConfidence, a.Notes)
	}
	if v := a.Body(26).Verifiability; v.ExtractionConfidence >= 0.90 {
		t.Errorf("with older weeks: confidence %v", v.ExtractionConfidence)
	}
	if n := w.metric(t, "bracket_differs_total", "source=SEFL"); n != 1 {
		t.Errorf("counted %v times", n)
	}
}

// The prices are FRED's, each with its first sighting; those that are asked for and not known are counted.
func TestDiesel(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 9, 22, 16, 0, 0, 0, time.UTC) // a Tuesday, after the publication
	s := start(t, func() time.Time { return now })
	s.worker()
	a, err := s.askDiesel("2026-09-02", "2026-09-22")
	if err != nil {
		t.Fatal(err)
	}
	var dates []contracts.Date
	for _, w := range a.Weeks {
		dates = append(dates, w.Date)
		if w.FirstSeen == nil {
			t.Errorf("%s has no first sighting", w.Date)
		}
	}
	if !slices.Equal(dates, []contracts.Date{"2026-09-21", "2026-09-14", "2026-09-07"}) || a.Weeks[0].USD != 6.529 {
		t.Errorf("%v, the newest at %v", dates, a.Weeks[0].USD)
	}
	if v := a.Body().Verifiability; v.ExtractionConfidence != 1 || !v.Complete || v.RawDataEvidenceURL != "https://fred.stlouisfed.org/graph/fredgraph.csv?id=GASDESW" {
		t.Errorf("%+v", v)
	}
	before, err := s.askDiesel("2021-12-20", "2022-01-09")
	if err != nil || len(before.Weeks) != 1 || before.Complete || !before.Noted(contracts.NoteIncomplete) {
		t.Errorf("a range that begins before the series: %v %+v", err, before)
	}
	for _, q := range [][2]contracts.Date{{"2026-09-22", "2026-09-01"}, {"2026-09-01", "2026-09-23"}, {"2020-01-01", "2026-09-01"}} {
		if _, err := s.askDiesel(q[0], q[1]); contracts.CodeOf(err) != contracts.InvalidRequest {
			t.Errorf("%v: %v", q, err)
		}
	}
}

// While FRED cannot be read the newest price is that of the EIA's feed, and those before it are from the archive.
func TestDieselWithoutFRED(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.worker()
	from := today().AddDays(-28)
	first, err := s.askDiesel(from, today())
	if err != nil || len(first.Weeks) < 3 {
		t.Fatalf("%v %v", err, first.Weeks)
	}
	s.must(s.sandbox.Fault("fred.stlouisfed.org", "", sandbox.Forbidden))
	answers, err := s.js.KeyValue(t.Context(), contracts.AnswersBucket.Name)
	s.must(err)
	again := func() (contracts.DieselAnswer, error) {
		for _, key := range []contracts.CacheKey{contracts.DieselKey(contracts.Test, "", ""), contracts.DieselKey(contracts.Test, from, today())} {
			if s.lives(answers, key) { // who asks while a reading ends gets its answer, and nothing more is stored
				s.forget(key)
			}
		}
		return s.askDiesel(from, today())
	}
	var a contracts.DieselAnswer
	clocktest.Await(t, "the feed is read, and the archive has the weeks", func() bool {
		a, err = again()
		return err == nil && a.Noted(contracts.NoteFallback) && len(a.Weeks) == len(first.Weeks)
	})
	if a.EvidenceURL != "https://www.eia.gov/petroleum/gasdiesel/includes/gas_diesel_rss.xml" {
		t.Errorf("%v %+v", err, a)
	}
	s.must(s.sandbox.Fault("www.eia.gov", "", sandbox.Forbidden))
	clocktest.Await(t, "without any source there is no answer", func() bool {
		_, err := again()
		return contracts.CodeOf(err) == contracts.SourceUnavailable
	})
}
