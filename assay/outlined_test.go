//go:build !race

package main

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// outlined is the one row that the view of an answer's document outlines; it is how people see it, without marks.
func (x *examiner) outlined(path, find string) (row string, e examined) {
	x.Helper()
	e = x.ask(path)
	d := e.verified.Evidence[0]
	view := string(get(x.T, fmt.Sprintf("%s/v1/evidence/%s/view?at=%s&find=%s", x.base, d.SHA256, d.At, url.QueryEscape(find)), x.key))
	_, rest, _ := strings.Cut(view, "<mark class=row>")
	row, _, isWhole := strings.Cut(rest, "\n</mark>")
	if n := strings.Count(view, "class=row") + strings.Count(view, "class=asked"); n != 1 || !isWhole {
		x.Errorf("%s, %s: %d outlines in %s", path, find, n, view)
	}
	return html.UnescapeString(tags.ReplaceAllString(row, "")), e
}

// holds wants one of the spellings of each value in a row.
func (x *examiner) holds(what, row string, values ...[]string) {
	x.Helper()
	for _, spellings := range values {
		isThere := func(s string) bool { return strings.Contains(strings.ToUpper(row), strings.ToUpper(s)) }
		if !slices.ContainsFunc(spellings, isThere) {
			x.Errorf("%s: none of %q in the outlined row %q", what, spellings, row)
		}
	}
	x.Logf("%s: %q", what, row)
}

// The forms in which the sandbox's sources print days and figures.
func daySpellings(day contracts.Date) (all []string) {
	for _, layout := range []string{time.DateOnly, "1/2/2006", "01/02/2006", "1/2/06", "01-02-2006", "20060102", "January 2, 2006", "Jan 2, 2006", "Jan. 2, 2006", "2-Jan-2006"} {
		all = append(all, day.Time().Format(layout))
	}
	return all
}

func figureSpellings(v float64) (all []string) {
	for decimals := range 4 {
		if text := strconv.FormatFloat(v, 'f', decimals, 64); slices.Contains([]float64{v}, parsed(text)) {
			all = append(all, text)
		}
	}
	return all
}

func parsed(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64)
	return v
}

// For each source: the one row that is outlined in its document holds what the answer says, and no other row does.
func TestTheOutlinedRowHoldsWhatWasRead(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	x := newExaminer(t)
	for _, c := range contracts.Carriers {
		for _, back := range []int{0, 1} { // the newest week, and the one before it in the same document
			var body contracts.Surcharge
			path := "/v1/ltl/fuel-surcharge?weeks=2&carriers=" + string(c)
			if err := json.Unmarshal(get(t, x.base+path, x.key), &body); err != nil {
				t.Fatal(err)
			}
			if back >= len(body.Weeks) {
				continue
			}
			if hash := body.Weeks[back].EvidenceSHA256; back > 0 && (hash == nil || *hash != *body.Verifiability.EvidenceSHA256) {
				continue // a page with one week shows no other
			}
			w := body.Weeks[back]
			row, _ := x.outlined(path, string(w.EffectiveDate))
			values := [][]string{daySpellings(w.EffectiveDate), figureSpellings(w.Percent)}
			if w.DieselUSD != nil {
				values = append(values, figureSpellings(*w.DieselUSD))
			}
			x.holds(string(c), row, values...)
			if other := body.Weeks[1-min(back, 1)]; len(body.Weeks) > 1 && slices.ContainsFunc(daySpellings(other.EffectiveDate), func(s string) bool {
				return strings.Contains(row, s)
			}) {
				x.Errorf("%s: the row of %s is outlined with that of %s: %q", c, w.EffectiveDate, other.EffectiveDate, row)
			}
		}
	}
	x.outlinesDiesel()
	for _, q := range []struct {
		state  contracts.State
		number string
	}{{contracts.CA, "400000"}, {contracts.TX, ""}, {contracts.NY, ""}, {contracts.FL, ""}, {contracts.IL, "2-1100003"}} {
		x.outlinesLicense(q.state, q.number)
	}
}

func (x *examiner) outlinesDiesel() {
	x.Helper()
	today := contracts.Today(time.Now())
	path := fmt.Sprintf("/v1/ltl/diesel?from=%s&to=%s", today.AddDays(-21), today)
	var body struct{ Weeks []contracts.DieselWeek }
	if err := json.Unmarshal(get(x.T, x.base+path, x.key), &body); err != nil || len(body.Weeks) == 0 {
		x.Fatalf("%s: %v", path, err)
	}
	w := body.Weeks[0]
	row, _ := x.outlined(path, string(w.Date))
	x.holds("diesel", row, daySpellings(w.Date), figureSpellings(w.USD))
}

func (x *examiner) outlinesLicense(state contracts.State, number string) {
	x.Helper()
	if number == "" {
		var found contracts.Search
		search := "/v1/abc/search?limit=5&dba_name=cafe&state=" + string(state)
		if err := json.Unmarshal(get(x.T, x.base+search, x.key), &found); err != nil || len(found.Results) == 0 {
			x.Fatalf("%s: nothing is found, %v", search, err)
		}
		number = found.Results[0].LicenseNumber
	}
	lookup := "/v1/abc/license/" + url.PathEscape(number) + "?state=" + string(state)
	var license contracts.License
	if err := json.Unmarshal(get(x.T, x.base+lookup, x.key), &license); err != nil {
		x.Fatal(err)
	}
	row, _ := x.outlined(lookup, license.LicenseNumber)
	values := [][]string{{license.LicenseNumber, strings.TrimPrefix(license.LicenseNumber, "BEV")}}
	if state != contracts.NY { // its sets do not print the status: to stand in one of them is it
		words := map[contracts.Status][]string{
			contracts.Active:    {"active", "current", "issued", "REVPEN"},
			contracts.Suspended: {"suspen", "surrend", "R64B", "escrow"},
			contracts.Expired:   {"expired", "cancel", "NREN", "delinquent", "null"},
			contracts.Revoked:   {"revo", "rev"},
		}
		values = append(values, words[license.Record.Status])
	}
	x.holds(string(state), row, values...)
}
