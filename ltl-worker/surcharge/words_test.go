package surcharge_test

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/trust"
)

// TestMain makes the random pages the same in every run. Other ones: go test -rapid.seed=N.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.seed"); f.Value.String() == "0" {
		_ = f.Value.Set("1") // a number
	}
	os.Exit(m.Run())
}

// qualifiers are words that make a table one of other figures than ours, some of each kind, and words that nobody knows.
var qualifiers = []string{
	"Alaska", "Hawaii", "Canada", "Ontario", "Texas", "California", "Northeast", "Southwest", "Puerto Rico", "Mexico", "Zone 4",
	"Intrastate", "International", "Cross-Border", "Regional", "New England",
	"Guaranteed", "Expedited", "Volume", "Refrigerated", "Temperature-Controlled", "Hazmat", "Final Mile", "Flatbed", "Intermodal",
	"Drayage", "Parcel", "Air", "Ocean", "Dedicated", "Time-Critical", "Residential", "Trade Show", "Partial", "Space-Based",
	"Broker", "Partner", "Affiliate", "Logistics", "Third-Party", "Interline", "Agent",
	"Contract", "Customer-Specific", "Members", "Promotional", "Government", "Preferred Account",
	"Peak Season", "Accessorial", "Discount", "Rebate", "Load Factor", "Detention", "Insurance", "Capped",
	"Estimated", "Sample", "Preliminary", "Forecast", "Proposed", "Superseded", "Cents per Mile",
	"Zorbex", "Quillon", "Tier K7", "Blackbird",
}

// places are where a qualifier is put into a page: into the last heading or the title before the first week, above the
// table, into its caption, into the heading of the percents.
var places = []struct {
	name string
	put  func(before, after []byte, word string) []byte
}{
	{"title of the page", func(before, after []byte, word string) []byte {
		return join(insertLast(before, `<title>\s*`, word+" "), after)
	}},
	{"heading", func(before, after []byte, word string) []byte {
		return join(insertLast(before, `<[hH][1-4][^>]*>`, word+" "), after)
	}},
	{"line above", func(before, after []byte, word string) []byte {
		return join(insertBefore(before, `<(table|TABLE|PRE|pre|ul|dl)\b`, "<p>"+word+"</p>"), after)
	}},
	{"sentence above", func(before, after []byte, word string) []byte {
		return join(insertBefore(before, `<(table|TABLE|PRE|pre|ul|dl)\b`, "<p>The following percentages apply to "+word+" shipments only.</p>"), after)
	}},
	{"caption", func(before, after []byte, word string) []byte {
		return join(insertLast(before, `<(?:table|TABLE)\b[^>]*>`, "<caption>"+word+"</caption>"), after)
	}},
	{"column", func(before, after []byte, word string) []byte {
		return join(insertLast(before, `<(?:th|td|TH|TD)\b[^>]*>(?:<[^>]*>)*\s*(?:LTL|Surcharge)\b`, " "+word+" "), after)
	}},
}

func join(before, after []byte) []byte {
	if before == nil {
		return nil
	}
	return append(bytes.Clone(before), after...)
}

// insertLast puts text behind the last match; nil when there is none.
func insertLast(doc []byte, pattern, text string) []byte {
	all := regexp.MustCompile(pattern).FindAllIndex(doc, -1)
	if len(all) == 0 {
		return nil
	}
	at := all[len(all)-1][1]
	return append(append(bytes.Clone(doc[:at]), text...), doc[at:]...)
}

func insertBefore(doc []byte, pattern, text string) []byte {
	all := regexp.MustCompile(pattern).FindAllIndex(doc, -1)
	if len(all) == 0 {
		return nil
	}
	at := all[len(all)-1][0]
	return append(append(bytes.Clone(doc[:at]), text...), doc[at:]...)
}

// notMutable are documents in which the places are not those of the table.
var notMutable = map[string]bool{
	"shape/current-beside-history":       true, // its first figure stands in a box above another heading
	"seen-tables/fedex-callouts-newyear": true, // its first figure is advertising
}

var figure = regexp.MustCompile(`[>\s]\d\d\.\d`)

// firstWeek is where the first percent stands; -1 for a page whose figures have other forms.
func (s sample) firstWeek() int {
	_, after, ok := bytes.Cut(s.body, []byte("</nav>"))
	if !ok {
		_, after, _ = bytes.Cut(s.body, []byte("</title>"))
	}
	found := figure.FindIndex(after)
	if found == nil {
		return -1
	}
	return len(s.body) - len(after) + found[0]
}

// lines are what trust compares of a page that says these weeks.
func lines(r surcharge.Reading) trust.Reading {
	var weeks []contracts.SurchargeWeek
	for _, w := range r.Weeks {
		weeks = append(weeks, w.SurchargeWeek)
	}
	return trust.Reading{Path: "page", Lines: trust.Lines(r.Document, weeks), Weeks: weeks}
}

// One foreign or unknown word in a place that qualifies the table, and the page is refused, or its words are others than those that were
// accepted: no such page is clean while no figure proves it.
func TestOneWordMakesADifference(t *testing.T) {
	every := 6 // documents take the combinations in turn
	if testing.Short() {
		every = 30
	}
	for d, s := range samples(t) {
		at := s.firstWeek()
		if s.json || !s.isRead() || notMutable[s.name] || at < 0 || bytes.Count(bytes.ToLower(s.body), []byte("<table")) != 1 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			r, err := s.read(s.body)
			if err != nil {
				t.Fatal(err)
			}
			now := s.today.Time().Add(17 * time.Hour)
			accepted := trust.Wording{Editions: []trust.Edition{trust.NewEdition(lines(r), "a person", now, "", false)}}
			known := accepted.Known("page", now)
			for p, place := range places {
				for w, word := range qualifiers {
					if (p*len(qualifiers)+w+d)%every != 0 {
						continue
					}
					mutant := place.put(s.body[:at], s.body[at:], word)
					if mutant == nil {
						continue
					}
					found, err := s.read(mutant)
					if err != nil {
						continue
					}
					if trust.Judge(lines(found), known, trust.Past{}).IsClean() {
						t.Errorf("%q as %s is clean\n%s", word, place.name, strings.Join(found.Notes, "\n"))
					}
				}
			}
		})
	}
}
