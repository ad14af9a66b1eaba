package audit_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

// The prices of the tests: Mondays of 2026 and what diesel cost.
var dieselPrices = map[contracts.Date]float64{
	"2026-08-24": 3.512, "2026-08-31": 3.549, "2026-09-07": 3.601, "2026-09-14": 3.650,
}

// agreed is a contract of terms in JSON, for ODFL from 2026-01-01 on unless they say otherwise.
func agreed(t testing.TB, terms ...string) *audit.PricedContract {
	t.Helper()
	g := &audit.PricedContract{Contract: audit.Contract{Name: "acme"}, Prices: dieselPrices, Tables: map[audit.TableOf]audit.Table{
		{Carrier: contracts.ODFL, AsOf: "2026-01-05"}: {FuelTableAnswer: contracts.FuelTableAnswer{Rows: []contracts.Bracket{
			{AtLeastUSD: 3.5, LessThanUSD: 3.55, Percent: 31.2}, {AtLeastUSD: 3.55, LessThanUSD: 3.6, Percent: 31.4}, {AtLeastUSD: 3.6, LessThanUSD: 3.65, Percent: 31.6, TruckloadPercent: new(63.2)},
		}}},
	}}
	for _, text := range terms {
		term := audit.Term{Carrier: contracts.ODFL, From: "2026-01-01"}
		if err := json.Unmarshal([]byte(text), &term); err != nil {
			t.Fatal(err)
		}
		g.Terms = append(g.Terms, term)
	}
	if err := g.Validate(today); err != nil {
		t.Fatal(err)
	}
	return g
}

const brackets = `"basis":"brackets","brackets":[{"from_usd":"3.000","to_usd":"3.500","pct":"28"},{"from_usd":"3.500","to_usd":"3.550","pct":"30.5"},` +
	`{"from_usd":"3.550","to_usd":"3.600","pct":"31"},{"from_usd":"3.600","pct":"31.5"}]`

// The worked examples of the guide. Each figure was computed by hand: the percent of the basis, what the term makes of it, the amount.
func TestWorkedExamples(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ term, line, want string }{
		// ODFL published 46.32 for the week of Friday, 2026-09-11. 46.32 − 5 = 41.32; 1,000.00 × 41.32 % = 413.20.
		"published, five points less": {`{"basis":"published","discount_points":"5"}`, `"base_amount":"1000","billed_amount":"413.20","billed_pct":"41.32"`,
			"MATCH term 1 of acme, published: 46.32 - 5.00 points = 41.32; 1000.00 x 41.32 / 100 = 413.20"},
		// 46.32 × 0.85 = 39.372, to two decimals 39.37; 1,000.00 × 39.37 % = 393.70.
		"published, 85 per cent of it": {`{"basis":"published","multiplier":"0.85"}`, `"base_amount":"1000","billed_amount":"393.70"`,
			"MATCH term 1 of acme, published: 46.32 x 0.85 = 39.37; 1000.00 x 39.37 / 100 = 393.70"},
		// The same to one decimal: 39.4.
		"published, one decimal": {`{"basis":"published","multiplier":"0.85","decimals":"1"}`, `"billed_pct":"39.4"`, "MATCH term 1 of acme, published: round(46.32 x 0.85, 1) = 39.40"},
		// min(46.32, 40) = 40; 1,000.00 × 40 % = 400.00; billed 463.20, 63.20 too much.
		"published, capped": {`{"basis":"published","cap_pct":"40"}`, `"base_amount":"1000","billed_amount":"463.20"`,
			"OVERBILLED term 1 of acme, published: min(46.32, cap 40.00) = 40.00; 1000.00 x 40.00 / 100 = 400.00"},
		// max(46.32 − 50, 10) = 10.
		"published, with a floor": {`{"basis":"published","discount_points":"50","floor_pct":"10"}`, `"billed_pct":"10"`,
			"MATCH term 1 of acme, published: max(46.32 - 50.00 points, floor 10.00) = 10.00"},
		// Friday, 2026-09-11: the newest Monday that was published is 09-07, 3.601: 31.5; 1,000.00 × 31.5 % = 315.00.
		"own brackets": {`{` + brackets + `}`, `"base_amount":"1000","billed_amount":"315.00"`,
			"MATCH term 1 of acme, diesel 3.601 of 2026-09-07: 31.50; 1000.00 x 31.50 / 100 = 315.00"},
		// Monday, 2026-09-07, itself: its price is published on Tuesday, so 08-31, 3.549: 30.5. On Tuesday it is 09-07.
		"own brackets, on a Monday":  {`{` + brackets + `}`, `"ship_date":"2026-09-07","billed_pct":"30.5"`, "MATCH term 1 of acme, diesel 3.549 of 2026-08-31: 30.50"},
		"own brackets, on a Tuesday": {`{` + brackets + `}`, `"ship_date":"2026-09-08","billed_pct":"31.5"`, "MATCH term 1 of acme, diesel 3.601 of 2026-09-07: 31.50"},
		"own brackets, no lag said":  {`{` + brackets + `,"lag_weeks":null}`, `"billed_pct":"31.5"`, "MATCH term 1 of acme, diesel 3.601 of 2026-09-07: 31.50"},
		// A lag of a week: 09-11 is priced as 09-04, by 08-31: 30.5.
		"own brackets, a week late":                 {`{` + brackets + `,"lag_weeks":1}`, `"billed_pct":"30.5"`, "MATCH term 1 of acme, diesel 3.549 of 2026-08-31: 30.50"},
		"own brackets, a week late, billed without": {`{` + brackets + `,"lag_weeks":1}`, `"billed_pct":"31.5"`, "WRONG_WEEK term 1 of acme, diesel 3.549 of 2026-08-31: 30.50"},
		// The table as it stood on 2026-01-05 has 31.6 for 3.601; × 1.1 = 34.76; 1,000.00 × 34.76 % = 347.60.
		"a table as it stood": {`{"basis":"table_as_of","as_of":"2026-01-05","multiplier":"1.1"}`, `"base_amount":"1000","billed_amount":"347.60"`,
			"MATCH term 1 of acme, diesel 3.601 of 2026-09-07: 31.60 x 1.10 = 34.76; 1000.00 x 34.76 / 100 = 347.60"},
		"a table as it stood, truckload": {`{"basis":"table_as_of","as_of":"2026-01-05"}`, `"service":"truckload","billed_pct":"63.2"`,
			"MATCH term 1 of acme, diesel 3.601 of 2026-09-07: 63.20"},
		"a table as it stood, no truckload": {`{"basis":"table_as_of","as_of":"2026-01-05","lag_weeks":1}`, `"service":"truckload","billed_pct":"31.2"`,
			"UNRESOLVED the bracket table of ODFL as it stood on 2026-01-05 has no truckload percent for the price of diesel of 2026-08-31, 3.549"},
		"a table as it stood, beyond it": {`{"basis":"table_as_of","as_of":"2026-01-05"}`, `"ship_date":"2026-09-15","service":"truckload","billed_pct":"31.2"`,
			"UNRESOLVED the bracket table of ODFL as it stood on 2026-01-05 has no truckload percent for the price of diesel of 2026-09-14, 3.650"},
		"own brackets, truckload": {`{` + brackets + `}`, `"service":"truckload","billed_pct":"31.5"`, "MATCH term 1 of acme, diesel 3.601 of 2026-09-07: 31.50"},
		// 3.601 − 3.10 = 0.501, ten whole steps of 0.05, each 0.5 points: 20 + 5 = 25; 80.00 × 25 % = 20.00, at least 22.50.
		"a peg, with a minimum": {`{"basis":"peg","peg":{"base_usd":"3.10","base_pct":"20","step_usd":"0.05","step_pct":"0.5"},"min_amount":"22.50"}`,
			`"base_amount":"80","billed_amount":"22.50"`, "MATCH term 1 of acme, diesel 3.601 of 2026-09-07: 25.00; max(80.00 x 25.00 / 100, minimum 22.50) = 22.50"},
		// 3.601 − 3.70 = −0.099, two steps begun below: 20 − 1 = 19.
		"a peg, below its base": {`{"basis":"peg","peg":{"base_usd":3.70,"base_pct":20,"step_usd":0.05,"step_pct":0.5}}`, `"billed_pct":"19"`,
			"MATCH term 1 of acme, diesel 3.601 of 2026-09-07: 19.00"},
		// Priced by the delivery, 2026-09-15, a Tuesday: 09-14, 3.650: 31.5. The term is still that of the ship date.
		"by the delivery": {`{` + brackets + `,"to":"2026-09-11","date_basis":"delivery"}`, `"delivery_date":"2026-09-15","billed_pct":"31.5"`,
			"MATCH term 1 of acme by delivery_date 2026-09-15, diesel 3.650 of 2026-09-14: 31.50"},
		// The week of Wednesday, 2026-09-16, has 46.5; 46.5 − 5 = 41.5.
		"published, by the pickup": {`{"basis":"published","discount_points":"5","date_basis":"pickup"}`, `"pickup_date":"2026-09-16","billed_pct":"41.5"`,
			"MATCH term 1 of acme by pickup_date 2026-09-16, published: 46.50 - 5.00 points = 41.50"},
		"by the delivery, without one": {`{` + brackets + `,"date_basis":"delivery"}`, `"billed_pct":"31.5"`, "UNRESOLVED term 1 goes by delivery_date, which the line does not have"},
		"no term":                      {`{` + brackets + `,"from":"2026-09-12"}`, `"billed_pct":"31.5"`, "UNRESOLVED the contract acme has no term of ODFL for 2026-09-11; add one, of the basis published for what ODFL publishes, or audit ODFL without it"},
		"a term that has ended":        {`{` + brackets + `,"to":"2026-09-10"}`, `"billed_pct":"31.5"`, "UNRESOLVED the contract acme has no term of ODFL for 2026-09-11; add one, of the basis published for what ODFL publishes, or audit ODFL without it"},
		"the day lies ahead":           {`{` + brackets + `,"date_basis":"delivery"}`, `"delivery_date":"2026-09-19","billed_pct":"31.5"`, "UNRESOLVED 2026-09-19, by which term 1 goes, lies ahead: today is 2026-09-18 in New York"},
		"no price":                     {`{` + brackets + `,"lag_weeks":9}`, `"billed_pct":"31.5"`, "UNRESOLVED the national price of diesel of 2026-07-06 is not known"},
		"no bracket":                   {`{"basis":"brackets","brackets":[{"from_usd":3,"to_usd":3.601,"pct":30}]}`, `"billed_pct":"30"`, "UNRESOLVED no bracket holds the price of diesel of 2026-09-07, 3.601"},
		"no table":                     {`{"basis":"table_as_of","as_of":"2026-01-06"}`, `"billed_pct":"30"`, "UNRESOLVED the bracket table of ODFL as it stood on 2026-01-06 is not known"},
		// 46.32 × 3 is above 100: no fuel surcharge, whatever was billed.
		"three times as much": {`{"basis":"published","multiplier":3}`, `"billed_pct":"46.32"`,
			"UNRESOLVED term 1 of acme, published makes 138.96 percent, and no fuel surcharge is above 100: correct the term"},
		// 31.5 - 29 = 2.5 is above nothing; 28 - 29 is not, and the formula says so.
		"less than nothing": {`{"basis":"brackets","brackets":[{"from_usd":"3","to_usd":"4","pct":"28"},{"from_usd":"4","pct":"31.5"}],"discount_points":"29"}`, `"billed_pct":"0"`,
			"MATCH term 1 of acme, diesel 3.601 of 2026-09-07: max(28.00 - 29.00 points, 0) = 0.00"},
		"the other service, by price": {`{` + brackets + `}`, `"billed_pct":"56.32"`, "OVERBILLED term 1 of acme, diesel 3.601 of 2026-09-07: 31.50"},
	} {
		t.Run(name, func(t *testing.T) {
			day := ""
			if !strings.Contains(c.line, "ship_date") {
				day = `"ship_date":"2026-09-11",`
			}
			file, err := audit.Read(t.Context(), lines.JSON, []byte(`{"id":"A1","carrier":"ODFL",`+day+c.line+`}`), lines.Reading{})
			if err != nil {
				t.Fatal(err)
			}
			r := audit.NewAuditor(archives(), today, audit.Tolerance{}).Under(agreed(t, c.term)).Audit(file.Lines[0])
			got := string(r.Verdict) + " "
			switch {
			case r.Formula != nil:
				got += *r.Formula
			case r.Reason != nil:
				got += *r.Reason
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Of terms that follow one another each line is held against that of its ship date.
func TestTermsThatFollowOneAnother(t *testing.T) {
	t.Parallel()
	under := agreed(t, `{"to":"2026-09-10","basis":"published"}`, `{"from":"2026-09-11","basis":"published","discount_points":5}`)
	for day, want := range map[contracts.Date]string{"2026-09-10": "term 1 of acme, published: 46.32", "2026-09-11": "term 2 of acme, published: 46.32 - 5.00 points = 41.32"} {
		l := line(t, `,"billed_pct":"1"`)
		l.ShipDate = day
		if r := audit.NewAuditor(archives(), today, audit.Tolerance{}).Under(under).Audit(l); r.Formula == nil || *r.Formula != want {
			t.Errorf("%s: %s, want %s", day, show(r), want)
		}
	}
}

// What cannot be applied in one way only is refused, with its place.
func TestTermsThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ terms, want string }{
		"none":                 {``, "want 1 to 200 terms"},
		"an overlap":           {`{"carrier":"ODFL","from":"2026-01-01","to":"2026-06-30","basis":"published"},{"carrier":"ODFL","from":"2026-06-30","basis":"published"}`, "term 1 and term 2 of ODFL are both for 2026-06-30"},
		"an open end":          {`{"carrier":"ODFL","from":"2026-01-01","basis":"published"},{"carrier":"ODFL","from":"2027-06-30","to":"2027-07-01","basis":"published"}`, "term 1 and term 2 of ODFL"},
		"no carrier":           {`{"carrier":"ACME","from":"2026-01-01","basis":"published"}`, "want one of [ODFL"},
		"no day":               {`{"carrier":"ODFL","basis":"published"}`, "want a day"},
		"an end before":        {`{"carrier":"ODFL","from":"2026-01-02","to":"2026-01-01","basis":"published"}`, "want a day from 2026-01-02"},
		"no basis":             {`{"carrier":"ODFL","from":"2026-01-01"}`, "want one of [published"},
		"a table of no day":    {`{"carrier":"ODFL","from":"2026-01-01","basis":"table_as_of"}`, "needs as_of"},
		"a day of no table":    {`{"carrier":"ODFL","from":"2026-01-01","basis":"published","as_of":"2026-01-01"}`, "nothing else has it"},
		"no brackets":          {`{"carrier":"ODFL","from":"2026-01-01","basis":"brackets"}`, "needs brackets"},
		"no peg":               {`{"carrier":"ODFL","from":"2026-01-01","basis":"peg"}`, "needs peg"},
		"a step of nothing":    {`{"carrier":"ODFL","from":"2026-01-01","basis":"peg","peg":{"base_usd":1,"base_pct":1,"step_usd":0,"step_pct":1}}`, "step_usd is 0"},
		"a lag of published":   {`{"carrier":"ODFL","from":"2026-01-01","basis":"published","lag_weeks":1}`, "its own lag"},
		"a long lag":           {`{"carrier":"ODFL","from":"2026-01-01","basis":"peg","lag_weeks":53,"peg":{"base_usd":1,"base_pct":1,"step_usd":1,"step_pct":1}}`, "want 0 to 52"},
		"another date":         {`{"carrier":"ODFL","from":"2026-01-01","basis":"published","date_basis":"arrival"}`, "want one of [ship"},
		"five decimals":        {`{"carrier":"ODFL","from":"2026-01-01","basis":"published","decimals":5}`, "want 0 to 4"},
		"a cap below":          {`{"carrier":"ODFL","from":"2026-01-01","basis":"published","cap_pct":1,"floor_pct":2}`, "below floor_pct"},
		"a minus":              {`{"carrier":"ODFL","from":"2026-01-01","basis":"published","discount_points":"-1"}`, "negative"},
		"a gap":                {`{"carrier":"ODFL","from":"2026-01-01","basis":"brackets","brackets":[{"from_usd":1,"to_usd":2,"pct":1},{"from_usd":2.001,"pct":2}]}`, "bracket 1 ends at 2.00, and the next one begins at 2.001: that is a gap"},
		"brackets overlap":     {`{"carrier":"ODFL","from":"2026-01-01","basis":"brackets","brackets":[{"from_usd":1,"to_usd":2,"pct":1},{"from_usd":1.999,"pct":2}]}`, "they overlap"},
		"a fall":               {`{"carrier":"ODFL","from":"2026-01-01","basis":"brackets","brackets":[{"from_usd":1,"to_usd":2,"pct":2},{"from_usd":2,"pct":1}]}`, "bracket 2 has a lower percent"},
		"an open one before":   {`{"carrier":"ODFL","from":"2026-01-01","basis":"brackets","brackets":[{"from_usd":1,"pct":1},{"from_usd":2,"pct":2}]}`, "has no to_usd"},
		"85 times":             {`{"carrier":"ODFL","from":"2026-01-01","basis":"published","multiplier":85}`, "times 85.00 makes 850.00 percent of 10.00; write 0.85 for 85 percent"},
		"85 times brackets":    {`{"carrier":"ODFL","from":"2026-01-01","basis":"brackets","multiplier":85,"brackets":[{"from_usd":1,"to_usd":2,"pct":0},{"from_usd":2,"pct":30}]}`, "of 30.00; write 0.85"},
		"a cap of 0.4":         {`{"carrier":"ODFL","from":"2026-01-01","basis":"published","cap_pct":0.4}`, "cap_pct: below 1.5 percent, which looks like a fraction"},
		"fractions":            {`{"carrier":"ODFL","from":"2026-01-01","basis":"brackets","brackets":[{"from_usd":1,"to_usd":2,"pct":0},{"from_usd":2,"pct":0.3}]}`, "brackets: below 1.5 percent"},
		"a pegged fraction":    {`{"carrier":"ODFL","from":"2026-01-01","basis":"peg","peg":{"base_usd":1,"base_pct":0.2,"step_usd":0.05,"step_pct":0.005}}`, "peg: below 1.5 percent"},
		"150 points less":      {`{"carrier":"ODFL","from":"2026-01-01","basis":"published","discount_points":150}`, "discount_points: 150.00 is above 100 percent"},
		"more than all":        {`{"carrier":"ODFL","from":"2026-01-01","basis":"brackets","discount_points":40,"brackets":[{"from_usd":1,"pct":30}]}`, "40.00 points are more than all of the percent, which is 30.00 at most"},
		"cents":                {`{"carrier":"ODFL","from":"2026-01-01","basis":"brackets","brackets":[{"from_usd":500,"to_usd":525,"pct":30}]}`, "500.00 is no price of a gallon of diesel in USD"},
		"a peg in cents":       {`{"carrier":"ODFL","from":"2026-01-01","basis":"peg","peg":{"base_usd":310,"base_pct":20,"step_usd":5,"step_pct":1}}`, "310.00 is no price"},
		"a table of next year": {`{"carrier":"ODFL","from":"2026-01-01","basis":"table_as_of","as_of":"2127-01-01"}`, "today, at most"},
		"an empty one":         {`{"carrier":"ODFL","from":"2026-01-01","basis":"brackets","brackets":[{"from_usd":2,"to_usd":2,"pct":1}]}`, "where it begins or before"},
	} {
		t.Run(name, func(t *testing.T) {
			var contract audit.Contract
			if err := json.Unmarshal([]byte(`{"terms":[`+c.terms+`]}`), &contract); err != nil {
				t.Fatal(err)
			}
			err := contract.Validate(today)
			if err == nil || !strings.Contains(err.Error(), c.want) || contracts.CodeOf(err) != contracts.InvalidRequest {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// Brackets without a gap and an overlap are taken, others refused; under what is taken no amount falls as the price rises.
func TestAmountsNeverFallAsThePriceRises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "brackets")
		from, percent := rapid.Int64Range(0, 40_000).Draw(t, "from"), rapid.Int64Range(20_000, 500_000).Draw(t, "percent")
		gap := rapid.Int64Range(-1, 1).Draw(t, "gap")
		at := rapid.IntRange(0, n).Draw(t, "where")
		term := audit.Term{Carrier: contracts.ODFL, From: "2026-01-01", Basis: audit.OwnBrackets}
		if rapid.Bool().Draw(t, "peg") {
			p := audit.Peg{BaseUSD: audit.Points(from), BasePct: audit.Points(percent), StepUSD: audit.Points(rapid.Int64Range(1, 5000).Draw(t, "step")), StepPct: audit.Points(rapid.Int64Range(0, 20_000).Draw(t, "points"))}
			term.Basis, term.Peg = audit.Pegged, &p
			n, gap = 0, 0
		}
		isBroken := false
		for i := range n {
			to := audit.Points(from + rapid.Int64Range(1000, 5000).Draw(t, "width"))
			b := audit.AgreedBracket{FromUSD: audit.Points(from), ToUSD: &to, Percent: audit.Points(percent)}
			term.Brackets = append(term.Brackets, b)
			from = int64(to)
			if i == at && i < n-1 {
				from, isBroken = from+gap, gap != 0
			}
			percent += rapid.Int64Range(0, 20_000).Draw(t, "rise")
		}
		// 66 percent at most times 1.5 is a percent that can be meant.
		multiplier, discount := audit.Points(rapid.Int64Range(5_000, 15_000).Draw(t, "multiplier")), audit.Points(rapid.Int64Range(0, 10_000).Draw(t, "discount"))
		term.Multiplier, term.DiscountPoints = &multiplier, &discount
		contract := audit.Contract{Name: "p", Terms: []audit.Term{term}}
		if err := contract.Validate(today); (err != nil) != isBroken {
			t.Fatalf("%v: a gap of %d", err, gap)
		}
		if isBroken {
			return
		}
		last := audit.Cents(-1)
		for price := int64(0); price < 100_000; price += rapid.Int64Range(500, 9000).Draw(t, "more") {
			g := &audit.PricedContract{Contract: contract, Prices: map[contracts.Date]float64{"2026-09-07": float64(price) / 10_000}}
			base, billed := audit.Cents(123_456), audit.Cents(1)
			r := audit.NewAuditor(nil, today, audit.Tolerance{}).Under(g).Audit(audit.Line{
				ID: "1", Carrier: "ODFL", Known: true, ShipDate: "2026-09-11", BaseAmount: &base, BilledAmount: &billed, Service: audit.LTL,
			})
			if r.ExpectedAmount == nil {
				continue
			}
			if *r.ExpectedAmount < last {
				t.Fatalf("%v at %d, after %v", *r.ExpectedAmount, price, last)
			}
			last = *r.ExpectedAmount
		}
	})
}

// Own terms are refused where a term is for the line. What no term is for may have them: it is UNRESOLVED.
func TestLinesWithTermsOfTheirOwnAreRefusedUnderAContract(t *testing.T) {
	t.Parallel()
	of := agreed(t, `{"basis":"published"}`)
	for _, other := range []string{`"carrier":"SAIA","ship_date":"2026-09-11"`, `"carrier":"ODFL","ship_date":"2025-09-11"`, `"carrier":"ACME","ship_date":"2026-09-11"`} {
		file, _ := audit.Read(t.Context(), lines.JSON, []byte(`[{"id":"1","min_amount":"1",`+other+`}]`), lines.Reading{})
		if err := of.CheckLines(file.Lines); err != nil {
			t.Errorf("%s: %v", other, err)
		}
	}
	for _, own := range []string{"discount_points", "cap_pct", "min_amount"} {
		file, _ := audit.Read(t.Context(), lines.JSON, []byte(fmt.Sprintf(`[{"id":"1","carrier":"ODFL","ship_date":"2026-09-11","%s":"1"}]`, own)), lines.Reading{})
		if err := of.CheckLines(file.Lines); err == nil || !strings.Contains(err.Error(), "line 1 has "+own+" of its own, and term 1") {
			t.Errorf("%s: %v", own, err)
		}
	}
}

// 60 invoices under one contract come out as in a spreadsheet, which knows nothing of this program: VLOOKUP of the price among the
// brackets, times 0.875, less 1.25 points, at least 22.5, at most 28.4, by ROUND to two decimals; the amount by ROUND, at least 18.75.
func TestSixtyInvoicesAsInASpreadsheet(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/spreadsheet.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) != 61 {
		t.Fatal(len(rows), err)
	}
	g := agreed(t, `{"basis":"brackets","multiplier":"0.875","discount_points":"1.25","floor_pct":"22.5","cap_pct":"28.4","min_amount":"18.75","lag_weeks":1,
		"brackets":[{"from_usd":"3","to_usd":"3.25","pct":"26"},{"from_usd":"3.25","to_usd":"3.4","pct":"27.35"},{"from_usd":"3.4","to_usd":"3.55","pct":"28.15"},
		{"from_usd":"3.55","to_usd":"3.6","pct":"29.05"},{"from_usd":"3.6","to_usd":"3.75","pct":"29.75"},{"from_usd":"3.75","to_usd":"3.9","pct":"31.1"},
		{"from_usd":"3.9","to_usd":"4.1","pct":"32.45"},{"from_usd":"4.1","pct":"34.65"}]}`)
	g.Prices = map[contracts.Date]float64{}
	text := "id,carrier,ship_date,base_amount,billed_amount\n"
	for _, row := range rows[1:] {
		price, err := strconv.ParseFloat(row[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		g.Prices[contracts.Date(row[3])] = price
		text += fmt.Sprintf("%s,ODFL,%s,%s,%s\n", row[0], row[1], row[2], row[8])
	}
	read, err := audit.Read(t.Context(), lines.CSV, []byte(text), lines.Reading{})
	if err != nil || len(read.Lines) != 60 {
		t.Fatal(err)
	}
	auditor := audit.NewAuditor(nil, today, audit.Tolerance{Amount: 1}).Under(g)
	for i, l := range read.Lines {
		row, r := rows[i+1], auditor.Audit(l)
		want := []audit.Verdict{audit.Match, audit.Overbilled, audit.Underbilled, audit.Match, audit.WithinTolerance}[i%5]
		if r.Verdict != want || r.ExpectedPct == nil || r.ExpectedAmount == nil || r.ExpectedPct.String() != row[6] || r.ExpectedAmount.String() != row[7] {
			t.Errorf("%v: %s, %s", row, show(r), *cmp.Or(r.Reason, new(string)))
		}
	}
}
