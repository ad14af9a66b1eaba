package surcharge_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/surcharge/refusal"
)

// document is a page of our own making and what it says, as testdata/NAME.want has it.
type document struct {
	name  string
	body  []byte
	json  bool
	rule  surcharge.Rule
	today contracts.Date
	want  string
}

func documents(t testing.TB) []document {
	t.Helper()
	wants, err := filepath.Glob("testdata/*.want")
	if err != nil || len(wants) == 0 {
		t.Fatal("no documents", err)
	}
	var all []document
	for _, path := range wants {
		d := document{name: strings.TrimSuffix(filepath.Base(path), ".want")}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(want)) {
			switch key, rest, _ := strings.Cut(strings.TrimSpace(line), " "); key {
			case "today":
				d.today = contracts.Date(rest)
			case "diesel":
				d.rule.Diesel = map[string]surcharge.Diesel{"required": surcharge.Required, "absent": surcharge.Absent}[rest]
			default:
				d.want += line
			}
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

func (d document) read(body []byte) (surcharge.Reading, error) {
	if d.json {
		return surcharge.ReadJSON(body, d.rule, d.today)
	}
	return surcharge.Read(body, d.rule, d.today)
}

// right tells whether the document is one that must be read.
func (d document) right() bool { return !strings.HasPrefix(d.want, "refused") }

// reasons are the names that the .want files give the grounds of a refusal.
var reasons = map[refusal.Reason]string{
	refusal.Empty: "Empty", refusal.Malformed: "Malformed", refusal.NoTable: "NoTable", refusal.Brackets: "Brackets",
	refusal.Template: "Template", refusal.NoRows: "NoRows", refusal.Ambiguous: "Ambiguous",
	refusal.Implausible: "Implausible", refusal.Stale: "Stale", refusal.NotInForce: "NotInForce",
}

// print writes a reading as the .want files do.
func print(r surcharge.Reading, err error) string {
	var refused *refusal.Refusal
	if errors.As(err, &refused) {
		return "refused " + reasons[refused.Reason] + "\n"
	}
	var b strings.Builder
	for i := range r.Coming {
		line(&b, "coming", r.Coming[len(r.Coming)-1-i])
	}
	for _, w := range r.Weeks {
		line(&b, "week", w)
	}
	fmt.Fprintf(&b, "tally %d/%d\n", r.Tally().Clean, r.Tally().Required)
	return b.String()
}

func line(b *strings.Builder, kind string, w contracts.ObservedWeek) {
	diesel := "-"
	if w.DieselUSD != nil {
		diesel = plainNumber(*w.DieselUSD)
	}
	fmt.Fprintf(b, "%s %s %s %s\n", kind, w.EffectiveDate, plainNumber(w.Percent), diesel)
}

func TestDocuments(t *testing.T) {
	for _, d := range documents(t) {
		t.Run(d.name, func(t *testing.T) {
			r, err := d.read(d.body)
			if got := print(r, err); got != d.want {
				t.Errorf("%v\n%s\ngot\n%s\nwant\n%s", err, strings.Join(r.Notes, "\n"), head(got), head(d.want))
			}
		})
	}
}

// head is the first lines of a long text.
func head(s string) string {
	lines := strings.SplitAfter(s, "\n")
	if len(lines) > 12 {
		lines = append(lines[:6:6], append([]string{"…\n"}, lines[len(lines)-4:]...)...)
	}
	return strings.Join(lines, "")
}
