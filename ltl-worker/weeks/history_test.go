package weeks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/surcharge"
)

// knows has the archive know weeks as they were seen at a moment, written and all.
func (b *bench) knows(at string, whole bool, weeks ...contracts.ObservedWeek) {
	b.Helper()
	seen, err := time.Parse(time.RFC3339, at)
	b.must(err)
	b.must(b.archive.Keep(b.Context(), b.source.recipe.Code, archive.Observation{
		Carrier: b.source.recipe.Code, At: seen, Weeks: weeks, Whole: whole,
		Source: archive.Source{Path: "page", Method: contracts.StructuredParse, EvidenceURL: "https://carrier.example/"},
	}))
}

// ask asks for past weeks, and says the answer in short: "whole 2026-09-09 to 2026-09-15 46.32, …".
func (b *bench) ask(req contracts.HistoryRequest) (contracts.HistoryAnswer, string) {
	b.Helper()
	req.Carrier = b.source.recipe.Code
	b.must(req.Validate())
	a, err := b.source.History(b.Context(), req, b.answer)
	if err != nil {
		return a, string(contracts.CodeOf(err)) + " " + contracts.AsError(err).Message
	}
	body, err := a.Body()
	if err != nil {
		return a, string(contracts.CodeOf(err)) + " " + contracts.AsError(err).Message
	}
	said := map[bool]string{true: "whole", false: "gaps"}[body.Verifiability.Complete]
	for _, w := range body.Weeks {
		said += fmt.Sprintf(" %s to %s %v", w.EffectiveDate, w.EndDate, w.Percent)
		if w.Announced {
			said += " announced"
		}
	}
	return a, said
}

func on(day contracts.Date) contracts.HistoryRequest {
	return contracts.HistoryRequest{From: day, To: day}
}

func at(text string) *time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return &t
}

// Weeks of TFORCE, which begin on Wednesdays: two, a gap of five weeks, two, and holidays that moved a start.
func TestTheWeekInForceOnADay(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.setClock("2026-11-20 12:00")
	b.page = func() (reader.Found, error) { return reader.Found{}, errors.New("the source is not asked") }
	toNext := weekOf("2026-06-24", 42)
	toNext.EndDate = "2026-07-02"          // as printed: the first day of the next week
	b.knows("2026-10-02T02:00:00Z", false, // the evening of the day before
		weekOf("2026-05-06", 40), weekOf("2026-05-13", 41), // then nothing for five weeks
		toNext, weekOf("2026-07-02", 43), // a Thursday: 8 days after
		weekOf("2026-07-08", 44), weekOf("2026-07-14", 45), // a Tuesday
		weekOf("2026-07-22", 46))
	for day, want := range map[contracts.Date]string{
		"2026-05-05": "WEEK_NOT_ARCHIVED no week of TFORCE is archived for 2026-05-05; the nearest week begins 2026-05-06",
		"2026-05-06": "whole 2026-05-06 to 2026-05-12 40",
		"2026-05-12": "whole 2026-05-06 to 2026-05-12 40",
		"2026-05-19": "whole 2026-05-13 to 2026-05-19 41",
		"2026-05-20": "WEEK_NOT_ARCHIVED no week of TFORCE is archived for 2026-05-20; the nearest weeks begin 2026-05-13 and 2026-06-24",
		"2026-06-10": "WEEK_NOT_ARCHIVED no week of TFORCE is archived for 2026-06-10; the nearest weeks begin 2026-05-13 and 2026-06-24",
		"2026-06-23": "WEEK_NOT_ARCHIVED no week of TFORCE is archived for 2026-06-23; the nearest weeks begin 2026-05-13 and 2026-06-24",
		"2026-07-01": "whole 2026-06-24 to 2026-07-01 42",
		"2026-07-02": "whole 2026-07-02 to 2026-07-07 43",
		"2026-07-13": "whole 2026-07-08 to 2026-07-13 44",
		"2026-07-21": "whole 2026-07-14 to 2026-07-21 45",
		"2026-07-28": "whole 2026-07-22 to  46",
		"2026-07-29": "WEEK_NOT_ARCHIVED no week of TFORCE is archived for 2026-07-29; the nearest week begins 2026-07-22",
	} {
		if _, said := b.ask(on(day)); said != want {
			t.Errorf("%s\n got %s\nwant %s", day, said, want)
		}
	}
	for days, want := range map[[2]contracts.Date]string{
		{"2026-05-06", "2026-05-19"}: "whole 2026-05-13 to 2026-05-19 41 2026-05-06 to 2026-05-12 40",
		{"2026-05-19", "2026-06-24"}: "gaps 2026-06-24 to 2026-07-01 42 2026-05-13 to 2026-05-19 41",
		{"2026-05-20", "2026-06-23"}: "WEEK_NOT_ARCHIVED no week of TFORCE is archived for the days from 2026-05-20 to 2026-06-23; the nearest weeks begin 2026-05-13 and 2026-06-24",
		{"2026-05-01", "2026-05-06"}: "gaps 2026-05-06 to 2026-05-12 40",
	} {
		if _, said := b.ask(contracts.HistoryRequest{From: days[0], To: days[1]}); said != want {
			t.Errorf("%s\n got %s\nwant %s", days, said, want)
		}
	}
	if b.reads.Load() != 0 {
		t.Error("the source was asked for weeks that have passed")
	}
	a, _ := b.ask(on("2026-05-08"))
	if body, _ := a.Body(); body.Verifiability.Current != nil || body.Verifiability.ExtractionConfidence != 1 || !a.ReadAt.Equal(*at("2026-10-02T02:00:00Z")) ||
		!slices.Equal(codesOf(body.Verifiability.Verifiability), []contracts.NoteCode{contracts.NoteFromArchive}) ||
		!strings.Contains(body.Verifiability.Notes[0].Message, "was last seen on 2026-10-01 at") {
		t.Errorf("%+v", body.Verifiability)
	}
}

// What was known before and after a revision, and before and after a withdrawal.
func TestWhatWasKnownAtAMoment(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.setClock("2026-11-20 12:00")
	b.knows("2026-08-12T15:00:00Z", true, weekOf("2026-08-05", 40), weekOf("2026-08-12", 41))
	b.knows("2026-08-19T15:00:00Z", true, weekOf("2026-08-05", 40), weekOf("2026-08-12", 41.5), weekOf("2026-08-19", 42))
	b.knows("2026-08-26T15:00:00Z", true, weekOf("2026-08-05", 40), weekOf("2026-08-19", 42), weekOf("2026-08-26", 43))
	days := contracts.HistoryRequest{From: "2026-08-05", To: "2026-08-25"}
	for moment, want := range map[string]string{
		"2026-08-12T14:59:59Z": "WEEK_NOT_ARCHIVED no week of TFORCE is archived for the days from 2026-08-05 to 2026-08-25; no other week of it is known",
		"2026-08-12T15:00:00Z": "gaps 2026-08-12 to  41 2026-08-05 to 2026-08-11 40",
		"2026-08-19T14:59:59Z": "gaps 2026-08-12 to  41 2026-08-05 to 2026-08-11 40",
		"2026-08-19T15:00:00Z": "gaps 2026-08-19 to  42 2026-08-12 to 2026-08-18 41.5 2026-08-05 to 2026-08-11 40",
		"2026-08-26T14:59:59Z": "gaps 2026-08-19 to  42 2026-08-12 to 2026-08-18 41.5 2026-08-05 to 2026-08-11 40",
		"2026-08-26T15:00:00Z": "gaps 2026-08-19 to 2026-08-25 42 2026-08-05 to 2026-08-11 40",
	} {
		days.KnownAt = at(moment)
		if _, said := b.ask(days); strings.Replace(said, "whole", "gaps", 1) != want {
			t.Errorf("%s\n got %s\nwant %s", moment, said, want)
		}
	}
	days.KnownAt = nil
	a, said := b.ask(days)
	if said != "gaps 2026-08-19 to 2026-08-25 42 2026-08-05 to 2026-08-11 40" {
		t.Errorf("now: %s", said)
	}
	if w := a.Weeks[0]; !w.FirstSeen.Equal(*at("2026-08-19T15:00:00Z")) || w.Revised != nil {
		t.Errorf("%+v", w.SurchargeWeek)
	}
	days.KnownAt = at("2026-08-20T00:00:00Z")
	a, _ = b.ask(days)
	if w := a.Weeks[1]; w.Percent != 41.5 || !w.FirstSeen.Equal(*at("2026-08-12T15:00:00Z")) || w.Revised == nil || !w.Revised.Equal(*at("2026-08-19T15:00:00Z")) {
		t.Errorf("%+v", w.SurchargeWeek)
	}
	ahead := on("2026-08-24")
	ahead.KnownAt = at("2026-08-16T15:00:00Z")
	b.knows("2026-08-15T15:00:00Z", false, weekOf("2026-08-19", 42))
	if _, said := b.ask(ahead); said != "WEEK_NOT_ARCHIVED the week of TFORCE that begins 2026-08-19 had not begun at known_at; with announced=true it is answered" {
		t.Errorf("a week that was announced: %s", said)
	}
	ahead.From, ahead.To = "2026-09-10", "2026-09-10" // behind that week
	if _, said := b.ask(ahead); !strings.HasPrefix(said, "WEEK_NOT_ARCHIVED no week of TFORCE is archived for 2026-09-10; ") {
		t.Errorf("a day that no announced week has: %s", said)
	}
}

// A day of the current week is answered from the source, with weeks before it from the archive, and announced ones on request.
func TestTheCurrentWeekIsReadFromTheSource(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.setClock("2026-11-20 12:00")
	b.knows("2026-11-11T15:00:00Z", false, weekOf("2026-11-11", 49))
	b.page = func() (reader.Found, error) {
		return reader.Found{Reading: surcharge.Reading{
			Weeks: []contracts.ObservedWeek{weekOf("2026-11-18", 50)}, Coming: []contracts.ObservedWeek{weekOf("2026-11-25", 51)},
		}}, nil
	}
	for name, tt := range map[string]struct {
		req  contracts.HistoryRequest
		want string
	}{
		"today":                    {on("2026-11-20"), "whole 2026-11-18 to 2026-11-24 50"},
		"with the week before":     {contracts.HistoryRequest{From: "2026-11-17", To: "2026-11-18"}, "whole 2026-11-18 to 2026-11-24 50 2026-11-11 to 2026-11-17 49"},
		"an announced day":         {contracts.HistoryRequest{From: "2026-11-26", To: "2026-11-26", Announced: true}, "whole 2026-11-25 to  51 announced"},
		"until the last announced": {contracts.HistoryRequest{From: "2026-11-18", To: "2026-12-01", Announced: true}, "whole 2026-11-25 to  51 announced 2026-11-18 to 2026-11-24 50"},
		"beyond what is announced": {contracts.HistoryRequest{From: "2026-11-18", To: "2026-12-02", Announced: true}, "INVALID_REQUEST TFORCE has not announced any day after 2026-12-01"},
	} {
		if _, said := b.ask(tt.req); said != tt.want {
			t.Errorf("%s\n got %s\nwant %s", name, said, tt.want)
		}
	}
	a, _ := b.ask(on("2026-11-20"))
	if body, err := a.Body(); err != nil || body.Verifiability.Current == nil || !*body.Verifiability.Current || !a.IncludesCurrent {
		t.Errorf("%+v, %v", body.Verifiability, err)
	}
	for days, want := range map[contracts.HistoryRequest]bool{
		{From: "2026-11-24", To: "2026-11-24", Announced: true}: true,
		{From: "2026-11-24", To: "2026-12-01", Announced: true}: false, // the newest week has not begun
		{From: "2026-11-25", To: "2026-12-01", Announced: true}: false, // the week after the current one
		{From: "2026-11-11", To: "2026-11-17"}:                  false,
	} {
		a, _ := b.ask(days)
		if body, err := a.Body(); err != nil || (body.Verifiability.Current != nil) != want || want && !*body.Verifiability.Current {
			t.Errorf("%s to %s: %+v, %v", days.From, days.To, body.Verifiability, err)
		}
	}
	b.page = func() (reader.Found, error) { return reader.Found{}, errors.New("down") }
	if _, said := b.ask(on("2026-11-20")); !strings.HasPrefix(said, "SOURCE_UNAVAILABLE") {
		t.Errorf("the source is down: %s", said)
	}
	if _, said := b.ask(on("2026-11-14")); said != "whole 2026-11-11 to 2026-11-17 49" {
		t.Errorf("the source is down, and a past day is asked for: %s", said)
	}
}

// A week whose row the source shows without a readable percent is not taken from the archive: it is not listed, with dates as
// with weeks.
func TestUnreadableWeeksAreNotTakenFromTheArchive(t *testing.T) {
	clean := saiaPage("2026-11-18", "50.12%")
	for name, tt := range map[string]struct{ percent, today, since string }{
		"the newest": {"50.12%", "WEEK_NOT_ARCHIVED no week of SAIA is archived for 2026-11-20; the nearest week begins 2026-11-11",
			"gaps 2026-11-11 to 2026-11-17 50.25 2026-11-04 to 2026-11-10 50.5 2026-10-28 to 2026-11-03 50.75"},
		"one between": {"50.50%", "whole 2026-11-18 to  50.12", "gaps 2026-11-18 to  50.12 2026-11-11 to 2026-11-17 50.25 2026-10-28 to 2026-11-03 50.75"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, contracts.SAIA)
			for i, html := range []string{clean, strings.Replace(clean, tt.percent, "", 1)} {
				b.setClock(fmt.Sprintf("2026-11-%d 13:00", 17+3*i))
				b.shows(html)
				b.accepts(false)
				_, err := b.source.Read(t.Context())
				b.must(err)
			}
			for days, want := range map[contracts.HistoryRequest]string{on("2026-11-20"): tt.today, {From: "2026-10-28", To: "2026-11-20"}: tt.since} {
				if _, said := b.ask(days); said != want {
					t.Errorf("from %s\n got %s\nwant %s", days.From, said, want)
				}
			}
		})
	}
}

// A week that is due and not shown is not answered with the week before it.
func TestADueWeekThatIsMissing(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.setClock("2026-11-20 12:00")
	b.page = func() (reader.Found, error) {
		return reader.Found{Reading: surcharge.Reading{Weeks: []contracts.ObservedWeek{weekOf("2026-11-11", 49)}}}, nil
	}
	if _, said := b.ask(on("2026-11-20")); said != "WEEK_NOT_ARCHIVED no week of TFORCE is archived for 2026-11-20; the nearest week begins 2026-11-11" {
		t.Error(said)
	}
	a, said := b.ask(contracts.HistoryRequest{From: "2026-11-11", To: "2026-11-20"})
	if body, err := a.Body(); err != nil || said != "gaps 2026-11-11 to  49" || *body.Verifiability.Current || body.Verifiability.ExtractionConfidence != 0.66 {
		t.Errorf("%s, %+v, %v", said, body.Verifiability, err)
	}
}

// All weeks of a carrier are answered from memory. `make bench` measures it.
func BenchmarkHistory(b *testing.B) {
	w := newBench(b, contracts.TFORCE)
	for i := range contracts.MaxHistoryWeeks {
		w.knows("2026-10-01T12:00:00Z", false, weekOf(contracts.Date("2026-09-30").AddDays(-7*i), 40))
	}
	req := contracts.HistoryRequest{Carrier: contracts.TFORCE, From: "2023-09-13", To: "2026-10-01"}
	for b.Loop() {
		if a, err := w.source.History(context.Background(), req, w.answer); err != nil || len(a.Weeks) < contracts.MaxHistoryWeeks-1 {
			b.Fatal(len(a.Weeks), err)
		}
	}
}

// What the archive adds to a reading of 30 weeks, of 160 that are known.
func BenchmarkArchivedWeeks(b *testing.B) {
	w := newBench(b, contracts.TFORCE)
	var shown []contracts.ObservedWeek
	for i := range contracts.MaxHistoryWeeks {
		week := weekOf(contracts.Date("2026-09-30").AddDays(-7*i), 40)
		w.knows("2026-10-01T12:00:00Z", false, week)
		if i < 30 {
			shown = append(shown, week)
		}
	}
	reading := surcharge.Reading{Weeks: shown}
	now := time.Date(2026, 10, 2, 12, 0, 0, 0, time.UTC)
	for b.Loop() {
		w.archive.Observe(archive.Observation{Carrier: contracts.TFORCE, At: now, Weeks: shown})
		a := contracts.SurchargeAnswer{Weeks: slices.Clone(shown)}
		w.source.complete(b.Context(), &a, reading, now)
	}
}
