package weeks

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/platform/scrape"
)

// saiaPage is a page as Saia's. Its newest row has the percent that is given; the others are 50 % and more.
func saiaPage(newest contracts.Date, percent string) string {
	var b strings.Builder
	b.WriteString(`<title>Fuel Surcharge | Saia LTL Freight</title><h1>LTL Fuel Surcharge</h1><table>
		<tr><th>Effective Date</th><th>DOE Price</th><th>LTL %</th><th>TL %</th></tr>`)
	for i := range 30 {
		if i > 0 {
			percent = fmt.Sprintf("%.2f%%", 50+float64(i)/4)
		}
		fmt.Fprintf(&b, "<tr><td>%s</td><td>5.%03d</td><td>%s</td><td>99.00%%</td></tr>",
			newest.AddDays(-7*i).Time().Format("1/2/2006"), 100+i, percent)
	}
	return b.String() + "</table>"
}

// shows makes the carrier show a page from now on.
func (b *bench) shows(html string) {
	r := &reader.Reader{Recipe: carrier.Config{}.Recipe(b.source.recipe.Code)}
	page := &scrape.Page{
		URL: "https://carrier.example/", Status: http.StatusOK, Body: []byte(html), ReadAt: b.clock(),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Last-Modified": {"Tue, 17 Nov 2026 17:00:00 GMT"}},
	}
	b.html = html
	b.page = func() (reader.Found, error) {
		found, err := r.Extract(context.Background(), carrier.Page, page, contracts.Today(b.clock()))
		return found.Value, err
	}
}

func (b *bench) setClock(text string) {
	b.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", text, contracts.NewYork)
	b.must(err)
	b.now.Store(&at)
}

func codesOf(v contracts.Verifiability) []contracts.NoteCode {
	var codes []contracts.NoteCode
	for _, n := range v.Notes {
		codes = append(codes, n.Code)
	}
	return codes
}

// A current row whose percent cannot be read never lets the week before pass for the current one.
func TestUnreadableCurrentWeek(t *testing.T) {
	for _, percent := range []string{"TBD", "", "0.00%", "101%"} {
		t.Run("percent "+percent, func(t *testing.T) {
			b := newBench(t, contracts.SAIA)
			b.setClock("2026-11-20 12:00")
			b.shows(saiaPage("2026-11-18", percent))
			b.accepts(false)
			a, err := b.source.Read(t.Context())
			b.must(err)
			if a.Unreadable != "2026-11-18" || a.Weeks[0].EffectiveDate != "2026-11-11" || a.Due != "2026-11-18" {
				t.Errorf("unreadable %q, newest %s, due %s", a.Unreadable, a.Weeks[0].EffectiveDate, a.Due)
			}
			for _, weeks := range []int{1, 2, 3, 4, 26} {
				v := a.Body(weeks).Verifiability
				if v.ExtractionConfidence != 0.66 || *v.Current ||
					!slices.Contains(codesOf(v.Verifiability), contracts.NoteWeekUnreadable) {
					t.Errorf("%d weeks: %v, current %t, %v", weeks, v.ExtractionConfidence, *v.Current, v.Notes)
				}
			}
		})
	}
}

// A week that lies ahead and cannot be read says nothing about the current one. It is taken back where its row has left the
// page, and not where its percent cannot be read any more.
func TestUnreadableComingWeek(t *testing.T) {
	const coming = "<tr><td>11/18/2026</td><td>5.100</td><td>50.12%</td><td>99.00%</td></tr>"
	page := saiaPage("2026-11-18", "50.12%")
	for _, tt := range []struct {
		name, then string
		takenBack  bool
	}{
		{"TBD", strings.Replace(page, "50.12%", "TBD", 1), false},
		{"empty", strings.Replace(page, "50.12%", "", 1), false},
		{"a dash", strings.Replace(page, "50.12%", "-", 1), false},
		{"nothing", strings.Replace(page, "50.12%", "0.00%", 1), false},
		{"too much", strings.Replace(page, "50.12%", "101%", 1), false},
		{"without its row", strings.Replace(page, coming, "", 1), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, contracts.SAIA)
			var a contracts.SurchargeAnswer
			for i, html := range []string{page, tt.then} {
				b.setClock(fmt.Sprintf("2026-11-17 %d:00", 13+i))
				b.shows(html)
				b.accepts(false)
				var err error
				a, err = b.source.Read(t.Context())
				b.must(err)
			}
			if v := a.Body(4).Verifiability; a.Unreadable != "" || v.ExtractionConfidence != 1 || !*v.Current {
				t.Errorf("unreadable %q, %+v", a.Unreadable, v)
			}
			if known := b.known("2026-11-18", b.clock()); known.Percent != 50.12 || known.Withdrawn != tt.takenBack {
				t.Errorf("%+v", known)
			}
		})
	}
}

// A page that is no longer kept loses its confidence after a day, and then its place as a source.
func TestFrozenPage(t *testing.T) {
	for _, tt := range []struct {
		name, now  string
		newest     contracts.Date
		confidence float64 // 0: the path fails
		current    bool
	}{
		{"the week that is due is there", "2026-11-20 12:00", "2026-11-18", 1, true},
		{"posted for tomorrow only", "2026-11-17 20:00", "2026-11-11", 1, true},
		{"due this morning", "2026-11-18 09:00", "2026-11-11", 1, false},
		{"due for more than a day", "2026-11-19 00:01", "2026-11-11", 0.66, false},
		{"one week old", "2026-11-20 12:00", "2026-11-11", 0.66, false},
		{"the next week is due too", "2026-11-25 12:00", "2026-11-11", 0.66, false},
		{"missing for two weeks", "2026-12-02 12:00", "2026-11-11", 0, false},
		{"12 weeks old", "2026-11-20 12:00", "2026-08-26", 0, false},
		{"25 weeks old", "2026-11-20 12:00", "2026-05-27", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, contracts.SAIA)
			b.setClock(tt.now)
			b.shows(saiaPage(tt.newest, "50.12%"))
			if tt.confidence > 0 {
				b.accepts(false)
			}
			a, err := b.source.Read(t.Context())
			if tt.confidence == 0 {
				if contracts.CodeOf(err) != contracts.SourceUnavailable {
					t.Errorf("%v, %+v", err, a.Weeks)
				}
				return
			}
			b.must(err)
			v := a.Body(1).Verifiability
			if v.ExtractionConfidence != tt.confidence || *v.Current != tt.current {
				t.Errorf("confidence %v, current %t, %+v", v.ExtractionConfidence, *v.Current, v.Notes)
			}
			if overdue := slices.Contains(codesOf(v.Verifiability), contracts.NoteWeekOverdue); overdue == tt.current {
				t.Errorf("notes %v", v.Notes)
			}
			if until := b.source.recipe.Publication.CleanUntil(tt.newest); a.DueClean && a.ExpiresAt.After(until) {
				t.Errorf("expires %s, and from %s on it counts that the week is missing", a.ExpiresAt, until)
			}
		})
	}
}

func TestPublishedAt(t *testing.T) {
	b := newBench(t, contracts.SAIA)
	b.setClock("2026-11-20 12:00")
	b.shows(saiaPage("2026-11-18", "50.12%"))
	a, err := b.source.Read(t.Context())
	b.must(err)
	if want := time.Date(2026, 11, 17, 17, 0, 0, 0, time.UTC); a.PublishedAt == nil || !a.PublishedAt.Equal(want) {
		t.Errorf("published at %v", a.PublishedAt)
	}
}

// keepWeeks has the archive know weeks.
func (b *bench) keepWeeks(at time.Time, weeks ...contracts.ObservedWeek) {
	b.Helper()
	b.must(b.archive.Keep(b.Context(), b.source.recipe.Code, archive.Observation{
		Carrier: b.source.recipe.Code, At: at, Weeks: weeks,
		Source: archive.Source{Path: "api", Method: contracts.APIMirror, EvidenceURL: "https://carrier.example/history"},
	}))
	b.run(func() bool {
		known, err := b.archive.Weeks(b.Context(), b.source.recipe.Code)
		return err == nil && len(known) >= len(weeks)
	})
}

// A path that prints no diesel price takes the known ones, names those that are missing, and does not last.
func TestPathThatPrintsLess(t *testing.T) {
	b := newBench(t, contracts.ODFL) // its first path is "api", and the bench's is "page"
	b.setClock("2026-11-20 12:00")
	price, truckload := 5.599, 66.6
	known := weekOf("2026-11-18", 50)
	known.DieselUSD, known.TruckloadPercent = &price, &truckload
	otherwise := weekOf("2026-11-11", 44) // known with another percent
	otherwise.DieselUSD = &price
	b.keepWeeks(b.clock().AddDate(0, 0, -1), known, otherwise)
	b.page = func() (reader.Found, error) {
		return reader.Found{Reading: surcharge.Reading{Weeks: []contracts.ObservedWeek{weekOf("2026-11-18", 50), weekOf("2026-11-11", 49)}}}, nil
	}
	a, err := b.source.Read(t.Context())
	b.must(err)
	if d := a.Weeks[0].DieselUSD; d == nil || *d != price || a.Weeks[1].DieselUSD != nil {
		t.Errorf("prices %v, %v", d, a.Weeks[1].DieselUSD)
	}
	if p := a.Weeks[0].TruckloadPercent; p == nil || *p != truckload {
		t.Errorf("truckload percent %v", p)
	}
	v := a.Body(2).Verifiability
	codes := codesOf(v.Verifiability)
	for _, want := range []contracts.NoteCode{contracts.NoteFallback, contracts.NoteFromArchive,
		contracts.NoteDieselNotReported} {
		if !slices.Contains(codes, want) {
			t.Errorf("no note %s: %v", want, v.Notes)
		}
	}
	if !slices.Contains(v.NotReported, "doe_diesel_price_usd") {
		t.Errorf("not reported: %v", v.NotReported)
	}
	again, err := b.source.Read(t.Context()) // the path has been seen since, and shows no price
	b.must(err)
	for _, a := range []contracts.SurchargeAnswer{a, again} {
		if text := noteText(a, contracts.NoteFromArchive); !strings.Contains(text, "Those of 1 weeks") || !strings.Contains(text, "on 2026-11-19 at https://carrier.example/history.") {
			t.Errorf("where the price was seen: %s", text)
		}
	}
	if left := a.ExpiresAt.Sub(b.clock()); left > contracts.FallbackTTL {
		t.Errorf("lives %s", left)
	}
	b.page = func() (reader.Found, error) { // another percent, in doubt: the archive keeps what it knows
		return reader.Found{Reading: surcharge.Reading{Weeks: []contracts.ObservedWeek{weekOf("2026-11-18", 52)}, Doubts: []string{"a test"}}}, nil
	}
	if a, _, _ = b.read(); a.Weeks[0].DieselUSD != nil || a.Weeks[0].TruckloadPercent != nil {
		t.Errorf("what belongs to another percent is added: %+v", a.Weeks[0].SurchargeWeek)
	}
}

// noteText is the message of the answer's first note of that code.
func noteText(a contracts.SurchargeAnswer, code contracts.NoteCode) string {
	for _, n := range a.Body(contracts.MaxWeeks).Verifiability.Notes {
		if n.Code == code {
			return n.Message
		}
	}
	return ""
}

// A week that cannot be read as it should is named where the words around it are known.
func TestFieldsThatAreUnreadableAreSaid(t *testing.T) {
	b := newBench(t, contracts.SAIA)
	b.setClock("2026-11-20 12:00")
	const page = `<title>Fuel Surcharge | Saia</title><main><h1>LTL Fuel Surcharge</h1><table><tr><th>Effective</th><th>LTL</th></tr>` +
		`<tr><td>11/18/2026</td><td>50.0%%</td></tr><tr><td>11/11/2026</td><td>49.5%%</td></tr><tr><td>11/04/2026</td><td>%s</td></tr></table></main>`
	b.shows(fmt.Sprintf(page, "see note"))
	b.accepts(false)
	a, err := b.source.Read(t.Context())
	b.must(err)
	v := a.Body(2).Verifiability
	if v.ExtractionConfidence >= 0.9 || !strings.Contains(noteText(a, contracts.NoteFieldUnreadable), "2026-11-11") || a.InDoubt() {
		t.Errorf("confidence %v, notes %v", v.ExtractionConfidence, v.Notes)
	}
	b.shows(fmt.Sprintf(page, "49.0%"))
	a, err = b.source.Read(t.Context())
	b.must(err)
	if v := a.Body(3).Verifiability; v.ExtractionConfidence != 1 || noteText(a, contracts.NoteFieldUnreadable) != "" {
		t.Errorf("a plain page: %+v", v)
	}
}

func TestArchivedWeeksSayWhereTheyWereSeen(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	b.setClock("2026-11-20 12:00")
	seen := b.clock().AddDate(0, 0, -8)
	b.knows("2026-11-04T17:00:00Z", true, weekOf("2026-10-28", 47), weekOf("2026-11-04", 48))
	b.knows("2026-11-11T17:00:00Z", true, weekOf("2026-10-28", 47), weekOf("2026-11-11", 49)) // the week between is withdrawn
	b.keepWeeks(seen, weekOf("2026-11-11", 49))
	b.page = func() (reader.Found, error) {
		return reader.Found{Reading: surcharge.Reading{Weeks: []contracts.ObservedWeek{weekOf("2026-11-18", 50)}}}, nil
	}
	a, err := b.source.Read(t.Context())
	b.must(err)
	if len(a.Weeks) != 3 || a.Weeks[0].Archived != nil || a.Weeks[1].Archived == nil || a.Weeks[2].Percent != 47 {
		t.Fatalf("%+v", a.Weeks)
	}
	if s := a.Weeks[1].Archived; !s.At.Equal(seen) || s.EvidenceURL != "https://carrier.example/history" {
		t.Errorf("%+v", s)
	}
	if codes := codesOf(a.Body(2).Verifiability.Verifiability); !slices.Equal(codes,
		[]contracts.NoteCode{contracts.NoteFromArchive}) {
		t.Errorf("notes %v", codes)
	}
	if a.PrintsDiesel || len(codesOf(a.Body(1).Verifiability.Verifiability)) != 0 {
		t.Errorf("%+v", a.Body(1).Verifiability)
	}
}

// While a carrier shows only its next week, the week in force comes from the archive, and the first document that is named is
// the one that shows it; of an answer with the week to come it is the one that shows that. While the page is in doubt, the
// answer is below the gate all the same.
func TestTheWeekInForceIsProvenWhileOnlyTheNextIsShown(t *testing.T) {
	b := newBench(t, contracts.TFORCE)
	var page surcharge.Reading
	b.page = func() (reader.Found, error) { return reader.Found{Reading: page}, nil }
	b.setClock("2026-11-20 12:00")
	page.Weeks = []contracts.ObservedWeek{weekOf("2026-11-18", 50)}
	shown, err := b.source.Read(t.Context())
	b.must(err)
	b.setClock("2026-11-24 20:00")
	b.html = "another page"
	page = surcharge.Reading{Coming: []contracts.ObservedWeek{weekOf("2026-11-25", 51)}}
	a, err := b.source.Read(t.Context())
	b.must(err)
	inForce, coming := shown.Evidence[0].SHA256, *b.known("2026-11-25", b.clock()).Last.EvidenceSHA256
	named := func(evidence []contracts.Evidence) (all string) {
		for _, e := range evidence {
			all += fmt.Sprint(map[string]string{inForce: "in force ", coming: "coming "}[e.SHA256], e.Role, " ")
		}
		return all
	}
	if got := named(a.Evidence); got != "in force values coming context context " || *a.Weeks[0].EvidenceSHA256 != inForce {
		t.Errorf("%q", got)
	}
	for days, want := range map[contracts.HistoryRequest]string{
		on("2026-11-24"): "in force values coming context context ",
		{From: "2026-11-24", To: "2026-11-25", Announced: true}: "coming values in force values context ",
	} {
		if a, said := b.ask(days); named(a.Evidence) != want {
			t.Errorf("%s: %q, want %q", said, named(a.Evidence), want)
		}
	}
	page.Doubts = []string{"it is a Sunday"}
	if a, note, confidence := b.read(); note != contracts.NotePercentInDoubt || confidence >= contracts.MinConfidence ||
		a.Weeks[0].EffectiveDate != "2026-11-18" {
		t.Errorf("beside a week in doubt: %s, %v, %v", note, confidence, a.Weeks)
	}
}

func TestEvidenceNotes(t *testing.T) {
	odfl, averitt := carrier.Recipes[contracts.ODFL], carrier.Recipes[contracts.AVERITT]
	for _, tt := range []struct {
		name     string
		recipe   carrier.Recipe
		way      carrier.Way
		evidence string
		notes    int
	}{
		{"JSON that a GET opens", odfl, carrier.API, odfl.API[0].URL, 0},
		{"JSON that only a POST opens", odfl, carrier.API, odfl.Pages[0], 1},
		{"a page", odfl, carrier.Page, odfl.Pages[0], 0},
		{"a page behind a cookie", averitt, carrier.Page, averitt.Pages[0], 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if notes := evidenceNotes(tt.recipe, tt.way, tt.evidence); len(notes) != tt.notes {
				t.Errorf("%+v", notes)
			}
		})
	}
}

// A holiday moves the first day of a week by one. The week before holds until then, and the moved one until the next.
func TestAWeekThatAHolidayMoved(t *testing.T) {
	page := saiaPage("2026-11-11", "50.12%")
	tuesday, thursday := strings.Replace(page, "11/11/2026", "11/10/2026", 1), strings.Replace(page, "11/11/2026", "11/12/2026", 1)
	oneRow, _, _ := strings.Cut(thursday, "<tr><td>11/4/")
	for _, tt := range []struct {
		name, now, page string
		newest          contracts.Date
		current         bool
	}{
		{"begun a day early, on its first day", "2026-11-10 13:00", tuesday, "2026-11-10", true},
		{"begun a day early, a day later", "2026-11-11 09:00", tuesday, "2026-11-10", true},
		{"begun a day early, on its last day", "2026-11-17 20:00", tuesday, "2026-11-10", true},
		{"begun a day early, and the next one is missing", "2026-11-18 09:00", tuesday, "2026-11-10", false},
		{"begins a day late, on the day before", "2026-11-11 09:00", thursday, "2026-11-04", true},
		{"begun a day late", "2026-11-12 09:00", thursday, "2026-11-12", true},
		{"begun a day late, and the next one is missing", "2026-11-18 09:00", thursday, "2026-11-12", false},
		{"one row of a day late", "2026-11-12 09:00", oneRow + "</table>", "2026-11-12", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, contracts.SAIA)
			b.setClock(tt.now)
			b.shows(tt.page)
			b.accepts(false)
			a, err := b.source.Read(t.Context())
			b.must(err)
			v := a.Body(1).Verifiability
			if a.Weeks[0].EffectiveDate != tt.newest || v.ExtractionConfidence != 1 || *v.Current != tt.current ||
				slices.Contains(codesOf(v.Verifiability), contracts.NoteWeekOverdue) == tt.current {
				t.Errorf("week of %s, confidence %v, current %t, %+v", a.Weeks[0].EffectiveDate, v.ExtractionConfidence, *v.Current, v.Notes)
			}
			if len(a.Weeks) == 1 {
				return
			}
			before, said := b.ask(on(tt.newest.AddDays(-1))) // the day before is in a week that is past
			body, err := before.Body()
			b.must(err)
			v = body.Verifiability
			if v.Current != nil || v.ExtractionConfidence != 1 || slices.Contains(codesOf(v.Verifiability), contracts.NoteWeekOverdue) {
				t.Errorf("the day before: %s, %+v", said, v)
			}
		})
	}
}
