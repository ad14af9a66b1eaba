package surcharge_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/surcharge/refusal"
)

var update = flag.Bool("update", false, "write what is read into testdata/*.txtar")

// sample is a document of our own making and what it says, as testdata/FAMILY.txtar has it: NAME.html or NAME.json, and NAME.want.
type sample struct {
	name  string // FAMILY/NAME
	body  []byte
	json  bool
	rule  surcharge.Rule
	today contracts.Date
	// head is the lines that say how the document is read and why it is there, want what is read.
	head, want string
}

// samples are all documents.
func samples(t testing.TB) (all []sample) {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no documents", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		family := strings.TrimSuffix(filepath.Base(path), ".txtar")
		for i := 0; i+1 < len(archive.Files); i += 2 {
			page, want := archive.Files[i], archive.Files[i+1]
			s := sample{body: page.Data, json: strings.HasSuffix(page.Name, ".json")}
			name, _, _ := strings.Cut(page.Name, ".")
			if s.name = family + "/" + name; want.Name != name+".want" {
				t.Fatalf("%s: %s stands behind %s", path, want.Name, page.Name)
			}
			s.parse(string(want.Data))
			all = append(all, s)
		}
	}
	return all
}

// parse reads the lines of a .want file.
func (s *sample) parse(lines string) {
	for line := range strings.Lines(lines) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "why":
		case "today":
			s.today = contracts.Date(rest)
		case "diesel":
			s.rule.NoDiesel = rest == "absent"
		case "carrier":
			s.rule = carrier.Config{}.Recipe(contracts.Carrier(rest)).Rule
		case "now":
			if at, err := time.Parse(time.RFC3339, rest); err == nil {
				s.today = contracts.Today(at)
			} else {
				s.today = contracts.Date(rest)
			}
		default:
			s.want += line
			continue
		}
		s.head += line
	}
}

func (s sample) read(body []byte) (surcharge.Reading, error) {
	if s.json {
		return surcharge.ReadJSON(body, s.rule, s.today)
	}
	return surcharge.Read(body, s.rule, s.today)
}

// isRead tells whether the document is one that must be read.
func (s sample) isRead() bool { return !strings.HasPrefix(s.want, "refused") }

// reasons are the names that the .want files give the grounds of a refusal.
var reasons = map[refusal.Reason]string{
	refusal.Empty: "Empty", refusal.Malformed: "Malformed", refusal.NoTable: "NoTable",
	refusal.NoRows: "NoRows", refusal.Ambiguous: "Ambiguous",
	refusal.Implausible: "Implausible", refusal.Stale: "Stale", refusal.NotInForce: "NotInForce",
}

// numberOrNone is a number that may be missing.
func numberOrNone(p *float64) string {
	if p == nil {
		return "-"
	}
	return plainNumber(*p)
}

// outcome writes a reading as the .want files do: one line for each week with its percent and its diesel price.
func outcome(r surcharge.Reading, err error) string {
	var refused *refusal.Refusal
	if errors.As(err, &refused) {
		return "refused " + reasons[refused.Reason] + "\n"
	}
	var b strings.Builder
	line := func(kind string, w contracts.ObservedWeek) {
		fmt.Fprintf(&b, "%s %s %s %s\n", kind, w.EffectiveDate, plainNumber(w.Percent), numberOrNone(w.DieselUSD))
	}
	for i := range r.Coming {
		line("coming", r.Coming[len(r.Coming)-1-i])
	}
	for _, w := range r.Weeks {
		line("week", w)
	}
	fmt.Fprintf(&b, "tally %d/%d\n", r.Tally().Clean, r.Tally().Required)
	return b.String()
}

func TestDocuments(t *testing.T) {
	all := samples(t)
	got := map[string]string{}
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			r, err := s.read(s.body)
			got[s.name] = outcome(r, err)
			if got[s.name] != s.want && !*update {
				t.Errorf("%v\n%s\ngot\n%s\nwant\n%s", err, strings.Join(r.Notes, "\n"), got[s.name], s.want)
			}
		})
	}
	if *update {
		write(t, all, got)
	}
}

// write puts what was read into the archives.
func write(t *testing.T, all []sample, got map[string]string) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		family := strings.TrimSuffix(filepath.Base(path), ".txtar")
		for i, f := range archive.Files {
			for _, s := range all {
				if s.name+".want" == family+"/"+f.Name {
					archive.Files[i].Data = []byte(s.head + got[s.name])
				}
			}
		}
		if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
