package surcharge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
)

// scoped is a document of testdata/scope or testdata/unseen, and what a careful person reads in it (see its README.md).
type scoped struct {
	document
	trap  bool
	stale bool
	due   contracts.Date
	weeks map[string]bool // the lines of weeks
	lines []string
}

var weekdays = map[string]time.Weekday{
	"Monday": time.Monday, "Tuesday": time.Tuesday, "Wednesday": time.Wednesday, "Thursday": time.Thursday, "Friday": time.Friday,
}

// scopedSets are the directories of testdata whose documents are read so, each by another author.
var scopedSets = []string{"scope", "unseen"}

func scopedDocuments(t testing.TB) []scoped {
	t.Helper()
	var all []scoped
	for _, set := range scopedSets {
		all = append(all, scopedDocumentsOf(t, set)...)
	}
	return all
}

func scopedDocumentsOf(t testing.TB, set string) []scoped {
	t.Helper()
	wants, err := filepath.Glob("testdata/" + set + "/*.want")
	if err != nil || len(wants) == 0 {
		t.Fatal("no documents", err)
	}
	var all []scoped
	for _, path := range wants {
		d := scoped{document: document{name: strings.TrimSuffix(filepath.Base(path), ".want")}, weeks: map[string]bool{}}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(want)) {
			d.take(strings.TrimSpace(line))
		}
		stem := strings.TrimSuffix(path, ".want")
		if d.body, err = os.ReadFile(stem + ".html"); err != nil {
			d.json = true
			if d.body, err = os.ReadFile(stem + ".json"); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, d)
	}
	return all
}

func (d *scoped) take(line string) {
	switch key, rest, _ := strings.Cut(line, " "); key {
	case "":
	case "today":
		d.today = contracts.Date(rest)
	case "weekday":
		day := weekdays[rest]
		d.rule.Weekday = &day
		d.due = d.today
		for d.due.Time().Weekday() != day {
			d.due = d.due.AddDays(-1)
		}
	case "diesel":
		d.rule.Diesel = map[string]surcharge.Diesel{"required": surcharge.Required, "absent": surcharge.Absent}[rest]
	case "why":
	case "carrier":
		d.rule.Names = carrier.Recipes[contracts.Carrier(rest)].Rule.Names
	case "trap":
		d.trap, d.stale = true, strings.HasPrefix(rest, "stale:")
	default:
		fields := strings.Fields(line)
		for i, text := range fields[1:] {
			if x, err := strconv.ParseFloat(text, 64); err == nil {
				fields[i+1] = plainNumber(x)
			}
		}
		line = "week " + strings.Join(fields, " ")
		d.weeks[line] = true
		d.lines = append(d.lines, line)
	}
}

// answer is what an ltl-worker makes of the reading.
func (d scoped) answer(r surcharge.Reading) contracts.Surcharge {
	a := contracts.SurchargeAnswer{
		Provenance: contracts.Provenance{Schema: contracts.AnswerSchema},
		Weeks:      r.Weeks, Due: d.due, DueClean: d.today == d.due, Unreadable: r.Unreadable, PrintsDiesel: d.rule.Diesel != surcharge.Absent,
	}
	a.Complete = true
	return a.Body(len(r.Weeks))
}

// verdict is "" for a right answer, "unread" for a plain document that is not read as a person reads it, and else what
// is wrong at a confidence of 0.90 or more.
func (d scoped) verdict() string {
	r, err := d.read(d.body)
	if err != nil {
		if d.trap {
			return ""
		}
		return fmt.Sprintf("unread: %v", err)
	}
	confidence := d.answer(r).Verifiability.ExtractionConfidence
	if confidence >= 0.90 {
		for _, w := range r.Weeks {
			var b strings.Builder
			line(&b, "week", w)
			if text := strings.TrimSpace(b.String()); !d.weeks[text] && !d.stale {
				return "wrong: " + text
			}
		}
		if d.stale {
			return "wrong: stale"
		}
	}
	if d.trap {
		return ""
	}
	if confidence < 0.90 {
		return fmt.Sprintf("unread: confidence %v", confidence)
	}
	if len(r.Weeks) != len(d.lines) {
		return fmt.Sprintf("unread: %d of %d weeks", len(r.Weeks), len(d.lines))
	}
	return ""
}

func TestScopedDocuments(t *testing.T) {
	for _, set := range scopedSets {
		t.Run(set, func(t *testing.T) { testScopedSet(t, scopedDocumentsOf(t, set)) })
	}
}

func testScopedSet(t *testing.T, documents []scoped) {
	var right, plain int
	for _, d := range documents {
		if !d.trap {
			plain++
		}
		t.Run(d.name, func(t *testing.T) {
			verdict := d.verdict()
			if verdict == "" && !d.trap {
				right++
			}
			if verdict != "" {
				r, _ := d.read(d.body)
				t.Errorf("%s\n%s", verdict, strings.Join(r.Notes, "\n"))
			}
		})
	}
	t.Logf("%d of %d plain documents are read right", right, plain)
}
