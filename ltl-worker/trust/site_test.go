package trust_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/bracket"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/trust"
	"assay.dev/sandbox/carriers"
	"assay.dev/sandbox/diesel"
)

// firstEdition is when the first edition of each sequence is read. A week lies between two. Diesel was calm in the weeks that follow.
var firstEdition = time.Date(2025, 10, 16, 17, 0, 0, 0, time.UTC)

func editionAt(n int) time.Time { return firstEdition.AddDate(0, 0, 7*n) }

// source is a carrier's page, or with the suffix -API the JSON behind it.
type source string

func (s source) code() contracts.Carrier {
	return contracts.Carrier(strings.TrimSuffix(string(s), "-API"))
}
func (s source) isJSON() bool { return strings.HasSuffix(string(s), "-API") }

var allSources = []source{
	"ODFL", "ODFL-API", "SAIA", "ESTES", "ABF", "RLC", "TFORCE", "XPO", "SEFL", "AVERITT", "FEDEX",
}

// sites plays the carriers' sites at a time of its own.
type sites struct {
	*carriers.Sites
	prices *diesel.Series
	now    time.Time
}

func newSites(t testing.TB) *sites {
	t.Helper()
	prices, err := diesel.Load()
	if err != nil {
		t.Fatal(err)
	}
	s := &sites{prices: prices}
	s.Sites, err = carriers.New(prices, func() time.Time { return s.now }, func(*http.Request) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// page is what a source shows at a time.
func (s *sites) page(t testing.TB, of source, at time.Time) string {
	t.Helper()
	s.now = at
	recipe := carrier.Recipes[of.code()]
	address := recipe.Pages[0]
	if of.isJSON() {
		address = recipe.API[0].URL
	}
	handlers := map[source]http.Handler{
		"ODFL": s.ODFL(), "ODFL-API": s.ODFLAPI(), "SAIA": s.Saia(), "ESTES": s.Estes(), "ABF": s.ABF(), "RLC": s.RLC(), "TFORCE": s.TForce(),
		"XPO": s.XPO(), "SEFL": s.SEFL(), "AVERITT": s.Averitt(), "FEDEX": s.FedExFreight(),
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	var cookies []*http.Cookie
	if recipe.Visit != "" {
		first := httptest.NewRecorder()
		handlers[of].ServeHTTP(first, httptest.NewRequest(http.MethodGet, "/", nil))
		cookies = first.Result().Cookies()
	}
	ask, answer := httptest.NewRequest(http.MethodGet, u.RequestURI(), nil), httptest.NewRecorder()
	for _, c := range cookies {
		ask.AddCookie(c)
	}
	handlers[of].ServeHTTP(answer, ask)
	if answer.Code != http.StatusOK {
		t.Fatalf("%s: %d", of, answer.Code)
	}
	return answer.Body.String()
}

// rightWeeks are the percents that a right reading gives, by their weeks.
func (s *sites) rightWeeks(of source, at time.Time) map[contracts.Date]float64 {
	s.now = at
	right := map[contracts.Date]float64{}
	for _, w := range s.Surcharge(of.code(), contracts.Today(at.AddDate(0, 0, 14))) {
		right[w.EffectiveDate] = w.Percent
	}
	return right
}

// read is a page read by today's extractor: its weeks, lines, and whether the judge of before is clear about it.
func read(of source, text string, at time.Time) (r trust.Reading, isClear bool, err error) {
	recipe := carrier.Config{}.Recipe(of.code())
	parse, rule, path := surcharge.Read, recipe.Rule, "page"
	if of.isJSON() {
		parse, path = surcharge.ReadJSON, "api"
	}
	found, err := parse([]byte(text), rule, contracts.Today(at))
	if len(found.Weeks) == 0 {
		return r, false, fmt.Errorf("%s: %w", of, err)
	}
	isClear = err == nil && len(found.Doubts) == 0 && found.Weeks[0].Clean == found.Weeks[0].Required && found.Unreadable == ""
	r.Path = path
	for _, weeks := range [][]contracts.ObservedWeek{found.Coming, found.Weeks} {
		for _, w := range weeks {
			r.Weeks = append(r.Weeks, w.SurchargeWeek)
		}
	}
	slices.SortFunc(r.Weeks, func(a, b contracts.SurchargeWeek) int {
		return strings.Compare(string(b.EffectiveDate), string(a.EffectiveDate))
	})
	r.Lines = trust.Lines(found.Document, r.Weeks)
	return r, isClear, nil
}

// table is the bracket table that is held of a source before its first edition.
func (s *sites) table(t testing.TB, of source) *contracts.FuelTableAnswer {
	recipe := carrier.Recipes[of.code()]
	switch {
	case recipe.Table == nil:
		return nil
	case recipe.Table.Transcribed != nil:
		return &contracts.FuelTableAnswer{Rows: recipe.Table.Transcribed, Extension: recipe.Table.Extension}
	}
	found, err := bracket.Read([]byte(s.page(t, of, firstEdition)))
	if err != nil {
		return nil
	}
	return &contracts.FuelTableAnswer{Rows: found.Rows, Extension: recipe.Table.Extension}
}

// price is the national price of the Monday that a week's percent follows.
func (s *sites) price(of source) func(contracts.Date) (float64, bool) {
	lag := map[source]int{"ODFL": 9, "XPO": 7}[source(of.code())]
	if lag == 0 {
		lag = 2
	}
	return func(week contracts.Date) (float64, bool) {
		p, ok := s.prices.Price(week.AddDays(-lag))
		return p.USD(), ok
	}
}

var row = regexp.MustCompile(`(?is)<tr[^>]*>`)

// rowsOf are where the rows of the weeks stand in a page, the newest first.
func rowsOf(text string, weeks []contracts.SurchargeWeek) [][2]int {
	starts := row.FindAllStringIndex(text, -1)
	var rows [][2]int
	for _, w := range weeks {
		for i, start := range starts {
			end := len(text)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			if table := strings.Index(strings.ToLower(text[start[0]:end]), "</table"); table >= 0 {
				end = start[0] + table
			}
			if hasDate(text[start[0]:end], w.EffectiveDate) {
				rows = append(rows, [2]int{start[0], end})
				break
			}
		}
	}
	return rows
}

var dateForms = []string{"1/2/2006", "01/02/2006", "01-02-2006", "1/02/2006", "1/2/06", "Jan. 2, 2006"}

func hasDate(text string, d contracts.Date) bool {
	return slices.ContainsFunc(dateForms, func(form string) bool { return strings.Contains(text, ">"+d.Time().Format(form)) })
}

// percentCell is a figure that no dollar sign stands before and that a percent sign or the end of its cell follows.
var percentCell = regexp.MustCompile(`([^$.\d])(\d{1,3}(?:\.\d+)?)(%|<)`)

// scaledPercents multiplies the percents of a row. Prices have a dollar sign, or three decimals and no percent.
func scaledPercents(text string, by float64) string {
	return percentCell.ReplaceAllStringFunc(text, func(s string) string {
		end := len(s) - 1
		x, err := strconv.ParseFloat(s[1:end], 64)
		if err != nil || x < 10 {
			return s
		}
		return s[:1] + strconv.FormatFloat(x*by, 'f', 2, 64) + s[end:]
	})
}

// swapped has the first two percents of a row in each other's place.
func swapped(text string) string {
	cells := regexp.MustCompile(`\d{2,3}\.\d{2}%`).FindAllString(text, 2)
	if len(cells) < 2 {
		return text
	}
	return strings.NewReplacer(cells[0], cells[1], cells[1], cells[0]).Replace(text)
}

var percentMember = regexp.MustCompile(`("(?:ltl|tl)SurchargePercent": ?)([\d.]+)`)

// scaleJSON multiplies the percents of all records, or of the newest one.
func scaleJSON(text, which, by string) string {
	factor, _ := strconv.ParseFloat(by, 64)
	n := 0
	return percentMember.ReplaceAllStringFunc(text, func(s string) string {
		if n++; which == "newest" && n > 2 {
			return s
		}
		m := percentMember.FindStringSubmatch(s)
		x, _ := strconv.ParseFloat(m[2], 64)
		return m[1] + strconv.FormatFloat(x*factor, 'f', 2, 64)
	})
}
