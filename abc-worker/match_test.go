package abcworker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/abc-worker/match"
	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

// typist makes customers of licenses as people write them down. It knows nothing of how they are matched.
type typist struct {
	*rand.Rand
	all []license.License
}

// typed is a customer and the license that it is of; none for a customer without one.
type typed struct {
	contracts.Customer
	of, how string
}

// entry is a license as a careful person would copy it.
func (t *typist) entry() (typed, contracts.LicenseRecord) {
	for {
		l := t.all[t.IntN(len(t.all))]
		r := l.Mirror
		if r == nil || r.DBAName == "" || r.OwnerName == "" || r.Address.Street == "" {
			continue
		}
		return typed{contracts.Customer{Name: r.DBAName, Street: r.Address.Street, City: r.Address.City, ZipCode: r.Address.ZipCode}, r.LicenseNumber, ""}, *r
	}
}

// slip makes a slip of the hand in one word of at least five letters, or in a number where there is no such word.
func (t *typist) slip(text string) string {
	words := strings.Fields(text)
	long := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) < 5 })
	if len(long) == 0 {
		return text
	}
	word := long[t.IntN(len(long))]
	i := 1 + t.IntN(len(word)-2)
	wrong := []string{
		word[:i] + word[i+1:], word[:i] + string(word[i]) + word[i:], word[:i] + string(word[i+1]) + string(word[i]) + word[min(i+2, len(word)):],
		word[:i] + string(rune('A'+t.IntN(26))) + word[i+1:],
	}[t.IntN(4)]
	return strings.Replace(text, word, wrong, 1)
}

// errors are what people do to an entry. Those in lost leave a customer that has no license.
func (t *typist) errors() map[string]func(c *typed, r contracts.LicenseRecord) {
	long := strings.NewReplacer(" ST", " STREET", " AVE", " AVENUE", " BLVD", " BOULEVARD", " RD", " ROAD", " DR", " DRIVE", " LN", " LANE")
	short := strings.NewReplacer("MARKET", "MKT", "LIQUORS", "LIQ", "RESTAURANT", "REST", "GRILL", "GRILLE", "HOSPITALITY", "HOSP", "TAVERN", "TAV.")
	street := func(c *typed) string { s, _, _ := strings.Cut(c.Street, " STE "); return s }
	return map[string]func(c *typed, r contracts.LicenseRecord){
		"as it is": func(*typed, contracts.LicenseRecord) {},
		"lower case": func(c *typed, _ contracts.LicenseRecord) {
			c.Name, c.City = strings.ToLower(c.Name), strings.ToLower(c.City)
		},
		"a slip in the name":   func(c *typed, _ contracts.LicenseRecord) { c.Name = t.slip(c.Name) },
		"a slip in the street": func(c *typed, _ contracts.LicenseRecord) { c.Street = t.slip(c.Street) },
		"a slip in the city":   func(c *typed, _ contracts.LicenseRecord) { c.City = t.slip(c.City) },
		"slips in name and street": func(c *typed, _ contracts.LicenseRecord) {
			c.Name, c.Street = t.slip(c.Name), t.slip(c.Street)
		},
		"written out": func(c *typed, _ contracts.LicenseRecord) { c.Street = long.Replace(street(c)) + "." },
		"abbreviated": func(c *typed, _ contracts.LicenseRecord) { c.Name = short.Replace(c.Name) },
		"another suite": func(c *typed, _ contracts.LicenseRecord) {
			c.Street = street(c) + fmt.Sprintf(" Suite %d", 1+t.IntN(90))
		},
		"without a suite":   func(c *typed, _ contracts.LicenseRecord) { c.Street = street(c) },
		"suite as a number": func(c *typed, _ contracts.LicenseRecord) { c.Street = street(c) + fmt.Sprintf(", #%d", 1+t.IntN(90)) },
		"the holder":        func(c *typed, r contracts.LicenseRecord) { c.Name = r.OwnerName },
		"holder and trade":  func(c *typed, r contracts.LicenseRecord) { c.Name = r.OwnerName + " dba " + r.DBAName },
		"trade (holder)":    func(c *typed, r contracts.LicenseRecord) { c.Name = r.DBAName + " (" + r.OwnerName + ")" },
		"without Inc": func(c *typed, r contracts.LicenseRecord) {
			c.Name = strings.TrimSuffix(strings.TrimSuffix(r.OwnerName, " INC"), " LLC")
		},
		"an article":    func(c *typed, _ contracts.LicenseRecord) { c.Name = "The " + c.Name + ", L.L.C." },
		"without a ZIP": func(c *typed, _ contracts.LicenseRecord) { c.ZipCode = "" },
		"ZIP alone":     func(c *typed, _ contracts.LicenseRecord) { c.City = "" },
		"a wrong ZIP": func(c *typed, _ contracts.LicenseRecord) {
			c.ZipCode = c.ZipCode[:3] + fmt.Sprintf("%02d", t.IntN(100))
		},
		"the last word gone": func(c *typed, _ contracts.LicenseRecord) {
			if words := strings.Fields(c.Name); len(words) > 2 {
				c.Name = strings.Join(words[:len(words)-1], " ")
			}
		},
		"joined": func(c *typed, _ contracts.LicenseRecord) { c.Name = strings.Replace(c.Name, " ", "", 1) },
		"house changed over": func(c *typed, _ contracts.LicenseRecord) {
			if c.Street[1] != c.Street[2] && c.Street[2] != ' ' {
				c.Street = c.Street[:1] + string(c.Street[2]) + string(c.Street[1]) + c.Street[3:]
			}
		},
		"the number": func(c *typed, r contracts.LicenseRecord) { c.LicenseNumber = r.LicenseNumber },
		"the number, old name": func(c *typed, r contracts.LicenseRecord) {
			c.LicenseNumber, c.Name = r.LicenseNumber, "QUIET PELICAN CAFE"
		},
		"number and nothing": func(c *typed, r contracts.LicenseRecord) {
			c.Customer = contracts.Customer{LicenseNumber: r.LicenseNumber}
		},
		"the number of another": func(c *typed, _ contracts.LicenseRecord) { other, _ := t.entry(); c.LicenseNumber = other.of },
		"lost: on the street":   func(c *typed, _ contracts.LicenseRecord) { c.of, c.Street = "", "2"+c.Street },
		"lost: another name":    func(c *typed, _ contracts.LicenseRecord) { other, _ := t.entry(); c.of, c.Name = "", other.Name },
		"lost: in another city": func(c *typed, _ contracts.LicenseRecord) { c.of, c.City, c.ZipCode = "", "ELSEWHERE", "99999" },
		"lost: another number": func(c *typed, _ contracts.LicenseRecord) {
			other, _ := t.entry()
			c.of, c.Name, c.LicenseNumber = "", "NEW OWL DINER", other.of
		},
		"lost: another street": func(c *typed, _ contracts.LicenseRecord) {
			c.of, c.Street = "", strings.Fields(c.Street)[0]+" UNHEARD OF ST"
		},
		"lost: a holding of it": func(c *typed, r contracts.LicenseRecord) {
			c.of, c.Name = "", strings.TrimSuffix(strings.TrimSuffix(r.OwnerName, " INC"), " LLC")+" Holdings Group"
		},
		"lost: sister store": func(c *typed, _ contracts.LicenseRecord) {
			c.of, c.Name, c.Street = "", c.Name+" 7", "77 UNHEARD OF ST"
		},
		"lost: venue of a chain": func(c *typed, _ contracts.LicenseRecord) { c.of, c.Name = "", "OTHER "+c.Name+" ANNEX HALL" },
	}
}

// customers are so many, of every kind of error.
func (t *typist) customers(n int) []typed {
	errors := t.errors()
	var kinds []string
	for kind := range errors {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	all := make([]typed, n)
	for i := range all {
		var r contracts.LicenseRecord
		all[i], r = t.entry()
		all[i].how = kinds[i%len(kinds)]
		errors[all[i].how](&all[i], r)
	}
	return all
}

// measured is what became of customers.
type measured struct {
	falsely, matched, reviewed, lost, of int
	hard                                 []string
	took                                 time.Duration
}

func measure(t testing.TB, state contracts.State, sizes license.Sizes, n int) (m measured) {
	t.Helper()
	register := license.New(contracts.DateOf(time.Now()), sizes)
	c, err := Recipes[state](sites(t, register)).Bulk.Copy(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	all := (&typist{rand.New(rand.NewPCG(7, 11)), register.Of(state)}).customers(n)
	started := time.Now()
	for batch := range slices.Chunk(all, contracts.MaxCustomers) {
		var asked []contracts.Customer
		for _, c := range batch {
			asked = append(asked, c.Customer)
		}
		all, err := match.All(t.Context(), c, state, asked)
		if err != nil {
			t.Fatal(err)
		}
		for i, found := range all {
			m.add(t, &batch[i], found)
		}
	}
	m.took = time.Since(started)
	return m
}

func (m *measured) add(t testing.TB, c *typed, found contracts.Match) {
	isThere := slices.ContainsFunc(found.Candidates, func(x contracts.MatchCandidate) bool { return x.LicenseNumber == c.of })
	if c.of != "" {
		m.of++
	}
	switch {
	case found.Outcome == contracts.Matched && !isThere:
		m.falsely++
		t.Errorf("%s: %+v is matched with %+v", c.how, c.Customer, found.Candidates)
	case found.Outcome == contracts.Matched:
		m.matched++
	case c.of != "" && isThere:
		m.reviewed++
	case c.of != "":
		m.lost++
		m.hard = append(m.hard, fmt.Sprintf("%s: %+v: %s", c.how, c.Customer, found.Reason))
	}
}

// Of customers as people write them none is matched with a license that is another's, and nine of ten are found.
func TestMatchIsNeverWrong(t *testing.T) {
	t.Parallel()
	for _, state := range contracts.States {
		m := measure(t, state, license.Sizes{state: 5_000}, 660)
		t.Logf("%s: %d of %d matched, %d to decide, %d lost, %d wrong, in %s", state, m.matched, m.of, m.reviewed, m.lost, m.falsely, m.took)
		if 10*(m.matched+m.reviewed) < 9*m.of || 3*m.matched < 2*m.of {
			t.Errorf("%s: %d matched and %d to decide of %d: %v", state, m.matched, m.reviewed, m.of, m.hard[:min(20, len(m.hard))])
		}
	}
}

// BenchmarkMatch matches 3,000 customers with registers of real size.
func BenchmarkMatch(b *testing.B) {
	for _, state := range contracts.States {
		b.Run(string(state), func(b *testing.B) {
			for b.Loop() {
				m := measure(b, state, license.RealSize(), 3_000)
				b.ReportMetric(float64(m.falsely), "wrong")
				b.ReportMetric(100*float64(m.matched)/float64(m.of), "%-matched")
				b.ReportMetric(100*float64(m.matched+m.reviewed)/float64(m.of), "%-found")
				b.ReportMetric(m.took.Seconds(), "match-s")
				b.Logf("not found:\n%s", strings.Join(m.hard[:min(20, len(m.hard))], "\n"))
			}
		})
	}
}
