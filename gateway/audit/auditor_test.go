package audit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

const (
	evidence = "https://carrier.test/fuel"
	today    = contracts.Date("2026-09-18")
)

// week is one of seven days from a Wednesday, read cleanly, whose truckload percent is the LTL percent and ten.
func week(start contracts.Date, percent float64, edit ...func(*audit.Week)) audit.Week {
	truckload := audit.PublishedPoints(percent + 10)
	w := audit.Week{
		Start: start, End: start.AddDays(6), LTL: audit.PublishedPoints(percent), Truckload: &truckload, Confidence: 1, EvidenceURL: evidence,
	}
	for _, f := range edit {
		f(&w)
	}
	return w
}

// archives are ODFL's weeks, of which those before August are missing but for two, and ESTES', which cannot be read.
func archives() map[contracts.Carrier]audit.Archive {
	open := func(w *audit.Week) { w.IsOpen = true }
	doubtful := func(w *audit.Week) { w.Confidence = 0.88 }
	noTruckload := func(w *audit.Week) { w.Truckload = nil }
	revised := func(w *audit.Week) { w.Revised = "2026-09-04" }
	return map[contracts.Carrier]audit.Archive{
		contracts.ODFL: audit.NewArchive([]audit.Week{
			week("2026-09-16", 46.5, open), week("2026-09-09", 46.32), week("2026-09-02", 46.18, revised), week("2026-08-26", 46, noTruckload),
			week("2026-08-19", 45.5, doubtful), week("2026-07-01", 44), week("2026-06-17", 43),
		}),
		contracts.ESTES: {Failure: "the archive of ESTES cannot be read just now; send this line again later"},
	}
}

// line is a readable line of ODFL on 2026-09-11, whose week has 46.32 %.
func line(t *testing.T, more string) audit.Line {
	t.Helper()
	file, err := audit.Read(t.Context(), lines.NDJSON, []byte(`{"id":"A1","carrier":"odfl","ship_date":"2026-09-11"`+more+`}`), lines.Reading{})
	if err != nil || len(file.Lines) != 1 {
		t.Fatal(file, err)
	}
	return file.Lines[0]
}

func show(r audit.Result) string {
	text := []string{string(r.Verdict)}
	add := func(name string, value any, known bool) {
		if known {
			text = append(text, fmt.Sprintf("%s=%v", name, value))
		}
	}
	if r.ExpectedPct != nil {
		add("pct", r.ExpectedPct, true)
	}
	if r.VariancePoints != nil {
		add("points", r.VariancePoints, true)
	}
	if r.ExpectedAmount != nil {
		add("due", r.ExpectedAmount, true)
	}
	if r.VarianceAmount != nil {
		add("off", r.VarianceAmount, true)
		add("back", r.RecoverableAmount, true)
	}
	return strings.Join(text, " ")
}

// One line for each verdict and each way to it.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		more string
		tol  audit.Tolerance
		want string
		// reason is a part of the reason.
		reason string
	}{
		"percent":              {more: `,"billed_pct":"46.32"`, want: "MATCH pct=46.32 points=0.00"},
		"percent as a number":  {more: `,"billed_pct":46.320`, want: "MATCH pct=46.32 points=0.00"},
		"percent and amount":   {more: `,"billed_pct":"46.32","base_amount":"1200","billed_amount":"555.84"`, want: "MATCH pct=46.32 points=0.00 due=555.84 off=0.00 back=0.00"},
		"amount alone":         {more: `,"base_amount":"1200.00","billed_amount":555.84`, want: "MATCH pct=46.32 due=555.84 off=0.00 back=0.00"},
		"half a cent goes up":  {more: `,"base_amount":"12.50","billed_amount":"5.79"`, want: "MATCH pct=46.32 due=5.79 off=0.00 back=0.00"},
		"discount":             {more: `,"discount_points":"6.32","billed_pct":"40"`, want: "MATCH pct=40.00 points=0.00"},
		"discount below zero":  {more: `,"discount_points":"60","billed_pct":"0"`, want: "MATCH pct=0.00 points=0.00"},
		"cap":                  {more: `,"cap_pct":"30.5","billed_pct":"30.5"`, want: "MATCH pct=30.50 points=0.00"},
		"cap above":            {more: `,"cap_pct":"90","billed_pct":"46.32"`, want: "MATCH pct=46.32 points=0.00"},
		"minimum":              {more: `,"base_amount":"10","min_amount":"25","billed_amount":"25"`, want: "MATCH pct=46.32 due=25.00 off=0.00 back=0.00"},
		"truckload":            {more: `,"service":"TRUCKLOAD","billed_pct":"56.32"`, want: "MATCH pct=56.32 points=0.00"},
		"the week before":      {more: `,"billed_pct":"46.18"`, want: "WRONG_WEEK pct=46.32 points=-0.14", reason: "begins 2026-09-02"},
		"the week after":       {more: `,"billed_pct":"46.50"`, want: "WRONG_WEEK pct=46.32 points=0.18", reason: "begins 2026-09-16"},
		"the week before, net": {more: `,"billed_pct":"45.18","discount_points":1,"base_amount":100,"billed_amount":45.18`, want: "WRONG_WEEK pct=45.32 points=-0.14 due=45.32 off=-0.14 back=0.00"},
		"two weeks before":     {more: `,"billed_pct":"46.00"`, want: "UNDERBILLED pct=46.32 points=-0.32", reason: "0.32 points below"},
		"the other table":      {more: `,"billed_pct":"56.32"`, want: "WRONG_TABLE pct=46.32 points=10.00", reason: "truckload"},
		"the LTL table":        {more: `,"billed_pct":"46.32","service":"truckload"`, want: "WRONG_TABLE pct=56.32 points=-10.00", reason: "ltl"},
		"arithmetic":           {more: `,"billed_pct":"46.32","base_amount":"1200","billed_amount":"600"`, want: "ARITHMETIC pct=46.32 points=0.00 due=555.84 off=44.16 back=44.16"},
		"a cent, tolerated": {
			more: `,"billed_pct":"46.32","base_amount":"1200","billed_amount":"555.85"`, tol: audit.DefaultTolerance,
			want: "WITHIN_TOLERANCE pct=46.32 points=0.00 due=555.84 off=0.01 back=0.01",
		},
		"a cent, not tolerated": {
			more: `,"billed_pct":"46.32","base_amount":"1200","billed_amount":"555.85"`,
			want: "ARITHMETIC pct=46.32 points=0.00 due=555.84 off=0.01 back=0.01",
		},
		"points, tolerated": {more: `,"billed_pct":"46.82"`, tol: audit.Tolerance{Points: 5000}, want: "WITHIN_TOLERANCE pct=46.32 points=0.50"},
		"points, above it":  {more: `,"billed_pct":"46.8201"`, tol: audit.Tolerance{Points: 5000}, want: "OVERBILLED pct=46.32 points=0.5001"},
		"points tolerated, amount not": {
			more: `,"billed_pct":"46.42","base_amount":"100","billed_amount":"50"`, tol: audit.Tolerance{Points: 5000, Amount: 1},
			want: "OVERBILLED pct=46.32 points=0.10 due=46.32 off=3.68 back=3.68",
		},
		"the amount decides": {
			more: `,"billed_pct":"40","base_amount":"100","billed_amount":"50"`, want: "OVERBILLED pct=46.32 points=-6.32 due=46.32 off=3.68 back=3.68",
			reason: "6.32 points below what is expected, 3.68 USD above what is expected",
		},
		"overbilled":        {more: `,"billed_pct":"50"`, want: "OVERBILLED pct=46.32 points=3.68"},
		"underbilled":       {more: `,"base_amount":"100","billed_amount":"40"`, want: "UNDERBILLED pct=46.32 due=46.32 off=-6.32 back=0.00"},
		"a fraction":        {more: `,"billed_pct":"0.60"`, want: "UNRESOLVED", reason: "billed_pct 0.60 may be a fraction, which is 60.00 percent, where 46.32 is right"},
		"a fraction's USD":  {more: `,"billed_pct":"0.4632","base_amount":"1000","billed_amount":"463.20"`, want: "UNRESOLVED", reason: "may be a fraction"},
		"a small percent":   {more: `,"billed_pct":"0.60","base_amount":"1000","billed_amount":"6"`, want: "UNDERBILLED pct=46.32 points=-45.72 due=463.20 off=-457.20 back=0.00"},
		"little is due":     {more: `,"billed_pct":"0.60","discount_points":"41"`, want: "UNDERBILLED pct=5.32 points=-4.72"},
		"nothing billed":    {more: `,"base_amount":"100"`, want: "UNRESOLVED", reason: "neither billed_pct nor billed_amount"},
		"no base":           {more: `,"billed_pct":"46.32","billed_amount":"40"`, want: "UNRESOLVED", reason: "without base_amount"},
		"no such day":       {more: `,"bill_received":"2026-02-30"`, want: "INVALID", reason: "line 1: bill_received: want a date"},
		"no number":         {more: `,"billed_pct":"46,32"`, want: "INVALID", reason: "line 1: billed_pct: want a decimal number"},
		"a sign":            {more: `,"base_amount":-5`, want: "INVALID", reason: "line 1: base_amount: CREDIT: a negative amount"},
		"a discount's sign": {more: `,"discount_points":-5`, want: "INVALID", reason: "line 1: discount_points: want a decimal number"},
		"a minimum's sign":  {more: `,"min_amount":"-5"`, want: "INVALID", reason: "line 1: min_amount: want a decimal number"},
		"half cents":        {more: `,"base_amount":"1.005"`, want: "INVALID", reason: "at most 2 decimals"},
		"an unknown member": {more: `,"discount":"1"`, want: "INVALID", reason: "line 1: discount: there is no such member"},
		"a member twice":    {more: `,"id":"A2"`, want: "INVALID", reason: "line 1: id: this is given twice"},
		"a list":            {more: `,"pro_number":["1"]`, want: "INVALID", reason: "want a text or a number"},
		"a service":         {more: `,"service":"air"`, want: "INVALID", reason: "want ltl or truckload"},
	} {
		t.Run(name, func(t *testing.T) {
			r := audit.NewAuditor(archives(), today, c.tol).Audit(line(t, c.more))
			if got := show(r); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			reason := ""
			if r.Reason != nil {
				reason = *r.Reason
			}
			if !strings.Contains(reason, c.reason) || (reason == "") != (r.Verdict == audit.Match) {
				t.Errorf("reason %q, want %q", reason, c.reason)
			}
			if (r.Verdict == audit.Invalid) != (len(r.Errors) > 0) {
				t.Errorf("%s with errors %q", r.Verdict, r.Errors)
			}
		})
	}
}

// A bill may say what the carrier had published before.
func TestARevisedWeekIsSaid(t *testing.T) {
	t.Parallel()
	for billed, want := range map[string]string{
		"47.18":                       "1.00 points above what is expected; ODFL had published another percent for this week, and this one was first seen on 2026-09-04",
		"46.18":                       "",
		`57.18","service":"truckload`: "1.00 points above what is expected",
	} {
		l := line(t, `,"billed_pct":"`+billed+`"`)
		l.ShipDate = "2026-09-03"
		if r := audit.NewAuditor(archives(), today, audit.Tolerance{}).Audit(l); r.Reason == nil && want != "" || r.Reason != nil && *r.Reason != want {
			t.Errorf("%s: %v", billed, show(r))
		}
	}
}

// Which week applies, and why none does.
func TestWeekOfTheShipDate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		carrier, day, want, reason string
	}{
		"first day":             {"ODFL", "2026-09-09", "2026-09-09 2026-09-15 46.32", ""},
		"last day":              {"ODFL", "2026-09-15", "2026-09-09 2026-09-15 46.32", ""},
		"the open week":         {"ODFL", "2026-09-18", "2026-09-16  46.50", ""},
		"tomorrow":              {"ODFL", "2026-09-19", "", "ship_date lies ahead: today is 2026-09-18"},
		"in a gap":              {"ODFL", "2026-07-08", "", "the nearest before it begins 2026-07-01; the nearest after it begins 2026-08-19"},
		"before all":            {"ODFL", "2026-06-16", "", "no week of ODFL is archived for 2026-06-16; the nearest after it begins 2026-06-17"},
		"read in doubt":         {"ODFL", "2026-08-20", "", "confidence of 0.88"},
		"no archive of it":      {"SAIA", "2026-09-11", "", "no week of SAIA is archived for 2026-09-11"},
		"an archive that fails": {"EXLA", "2026-09-11", "", "cannot be read just now"},
		"an unknown carrier":    {"ACME", "2026-09-11", "", `carrier "ACME" is not supported; the codes are [ODFL SAIA`},
		"a misspelled carrier":  {"Old Dominon Freight", "2026-09-11", "", `carrier "Old Dominon Freight" is not supported; did you mean ODFL?`},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := audit.Read(t.Context(), lines.CSV, []byte("id,carrier,ship_date,billed_pct\nA1,"+c.carrier+","+c.day+",1\n"), lines.Reading{})
			if err != nil {
				t.Fatal(err)
			}
			r := audit.NewAuditor(archives(), today, audit.Tolerance{}).Audit(file.Lines[0])
			if c.want == "" {
				if r.Verdict != audit.Unresolved || !strings.Contains(*r.Reason, c.reason) {
					t.Errorf("%s %q, want UNRESOLVED %q", r.Verdict, *r.Reason, c.reason)
				}
				return
			}
			if got := fmt.Sprintf("%s %s %s", r.EffectiveDate, r.EndDate, r.PublishedPct); got != c.want || *r.EvidenceURL != evidence {
				t.Errorf("%s %s, want %s", got, *r.EvidenceURL, c.want)
			}
		})
	}
}

// A week next to a gap, or read in doubt, is nobody's neighbour; a week without a truckload column matches no such bill.
func TestWrongWeekNeedsAGoodNeighbour(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		day, billed string
		want        audit.Verdict
	}{
		"read in doubt":        {"2026-08-27", "45.50", audit.Underbilled},
		"after it":             {"2026-08-27", "46.18", audit.WrongWeek},
		"in doubt, over a gap": {"2026-07-02", "45.50", audit.Overbilled},
		"over a gap":           {"2026-06-18", "44.00", audit.Overbilled},
		"back over a gap":      {"2026-07-02", "43.00", audit.Underbilled},
		"no truckload column":  {"2026-08-27", "56.00", audit.Overbilled},
	} {
		t.Run(name, func(t *testing.T) {
			l := line(t, `,"billed_pct":"`+c.billed+`"`)
			l.ShipDate = contracts.Date(c.day)
			if r := audit.NewAuditor(archives(), today, audit.Tolerance{}).Audit(l); r.Verdict != c.want {
				t.Errorf("%s, want %s", show(r), c.want)
			}
		})
	}
}

// A shipment's second line is a duplicate of its first readable one, whatever carrier code or letter case it has.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	file, err := audit.Read(t.Context(), lines.CSV, []byte(`id,carrier,ship_date,billed_pct,pro_number
1,EXLA,2026-09-xx,46.32,77
2,EXLA,2026-09-11,46.32,77
3,estes,2026-09-11,46.32,77
4,ODFL,2026-09-11,46.32,77
5,ODFL,2026-09-11,46.32,
6,ODFL,2026-09-11,46.32,
7,Acme,2026-09-11,46.32,a1
8,ACME,2026-09-11,46.32,A1
9,ODFL,2026-09-11,,78
10,ODFL,2026-09-11,46.32,78
11,ODFL,2026-09-11,,78
12,ODFL,2026-09-11,0.00,79
13,ODFL,2026-09-11,46.32,79
14,ODFL,2026-09-11,0.00,79
`), lines.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	a := audit.NewAuditor(archives(), today, audit.Tolerance{})
	var got []audit.Verdict
	for _, l := range file.Lines {
		r := a.Audit(l)
		got = append(got, r.Verdict)
		if l.ID == "3" && *r.Reason != "carrier and pro_number are those of line 3 (id 2)" {
			t.Errorf("reason %q", *r.Reason)
		}
	}
	want := []audit.Verdict{
		audit.Invalid, audit.Unresolved, audit.Duplicate, audit.Match, audit.Match, audit.Match, audit.Unresolved, audit.Duplicate,
		audit.Unresolved, audit.Match, audit.Unresolved, audit.Underbilled, audit.Match, audit.Underbilled, // a line without fuel repeats no bill
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A number that is only written otherwise is a duplicate where the day and what was billed are the same too.
func TestDuplicatesInAnySpelling(t *testing.T) {
	t.Parallel()
	file, err := audit.Read(t.Context(), lines.CSV, []byte(`id,carrier,ship_date,base_amount,billed_amount,pro_number
1,ODFL,2026-09-11,100,46.32,ODF-70001
2,ODFL,2026-09-11,100,46.32,odf 70001
3,ODFL,2026-09-11,200,92.64,ODF70001
4,ODFL,2026-09-10,100,46.32,ODF70002
5,ODFL,2026-09-11,100,46.32,ODF70002x
6,ODFL,2026-09-11,100,46.32,0123456
7,ODFL,2026-09-11,100,46.32,123456
8,ODFL,2026-09-10,100,46.32,00123456
9,ODFL,2026-09-11,100,46.32,--
10,ODFL,2026-09-11,100,46.32,0
`), lines.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	a := audit.NewAuditor(archives(), today, audit.Tolerance{})
	var repeated []string
	for _, l := range file.Lines {
		if r := a.Audit(l); r.Verdict == audit.Duplicate {
			repeated = append(repeated, r.ID)
			if !strings.HasPrefix(*r.Reason, "carrier, ship_date, what was billed and, but for spaces, signs and leading zeros, pro_number are those of line ") {
				t.Errorf("reason %q", *r.Reason)
			}
		}
	}
	if !slices.Equal(repeated, []string{"2", "7"}) {
		t.Errorf("%v", repeated)
	}
}

func TestFormulaAndContestBy(t *testing.T) {
	t.Parallel()
	for more, want := range map[string]string{
		`,"billed_pct":"1"`:                                                                   "published: 46.32",
		`,"billed_pct":"1","discount_points":"2"`:                                             "published: 46.32 - 2.00 points = 44.32",
		`,"billed_pct":"1","discount_points":"2","cap_pct":"40"`:                              "published: min(46.32 - 2.00 points, cap 40.00) = 40.00",
		`,"billed_pct":"1","discount_points":"50"`:                                            "published: max(46.32 - 50.00 points, 0) = 0.00",
		`,"billed_pct":"1","base_amount":"1200"`:                                              "published: 46.32; 1200.00 x 46.32 / 100 = 555.84",
		`,"billed_pct":"1","base_amount":"10","min_amount":"25","bill_received":"2026-09-14"`: "published: 46.32; max(10.00 x 46.32 / 100, minimum 25.00) = 25.00",
		`,"billed_pct":"1","base_amount":"10","min_amount":null,"cap_pct":"","service":"ltl"`: "published: 46.32; 10.00 x 46.32 / 100 = 4.63",
	} {
		r := audit.NewAuditor(archives(), today, audit.Tolerance{}).Audit(line(t, more))
		if *r.Formula != want {
			t.Errorf("formula %q, want %q", *r.Formula, want)
		}
		if contest := contracts.Date("2027-03-13"); strings.Contains(more, "bill_received") != (r.ContestBy == contest) {
			t.Errorf("%s: contest_by %q", more, r.ContestBy)
		}
	}
}

// What was said of a file's percents is not doubted.
func TestAPercentBelowOneThatWasSaid(t *testing.T) {
	t.Parallel()
	for form, want := range map[lines.PercentForm]audit.Verdict{
		"": audit.Unresolved, lines.InPercent: audit.Underbilled, lines.AsFraction: audit.Overbilled,
	} {
		for _, isAsIs := range []bool{false, true} {
			file, err := audit.Read(t.Context(), lines.CSV, []byte("id,carrier,ship_date,billed_pct\n1,ODFL,2026-09-11,0.60\n"), lines.Reading{Percents: form, AsIs: isAsIs})
			if err != nil {
				t.Fatal(err)
			}
			if r := audit.NewAuditor(archives(), today, audit.Tolerance{}).Audit(file.Lines[0]); r.Verdict != want {
				t.Errorf("%q, as it is %t: %s", form, isAsIs, show(r))
			}
		}
	}
}

// Beside percents that are fractions, few points may be points or a fraction.
func TestPointsBesideFractions(t *testing.T) {
	t.Parallel()
	const refused = "line 2: discount_points: 0.05 may be a fraction; write it in percent, such as 5"
	for _, c := range []struct {
		points, want string
		form         lines.PercentForm
	}{
		{"0.05", refused, lines.AsFraction}, {"0.05", "", lines.InPercent}, {"5", "", lines.AsFraction}, {"0", "", lines.AsFraction}, {"", "", lines.AsFraction},
	} {
		for _, isAsIs := range []bool{false, true} {
			file, err := audit.Read(t.Context(), lines.CSV, []byte("id,carrier,ship_date,billed_pct,discount_points\n1,ODFL,2026-09-11,0.60,"+c.points+"\n"), lines.Reading{Percents: c.form, AsIs: isAsIs})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(file.Lines[0].Errors, "; "); got != c.want {
				t.Errorf("%s as %s: %s, want %s", c.points, c.form, got, c.want)
			}
		}
	}
}

// What is no number repeats no shipment, and neither does a number that the carrier uses again after more than a year.
func TestWhatIsNoDuplicate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pro, first, second string
		isDuplicate        bool
	}{
		"a number":                {"70001", "2026-09-10", "2026-09-11", true},
		"letters and a digit":     {"ODF1", "2026-09-10", "2026-09-11", true},
		"an E within a number":    {"12E45", "2026-09-10", "2026-09-11", true},
		"not applicable":          {"N/A", "2026-09-10", "2026-09-11", false},
		"to be determined":        {"TBD", "2026-09-11", "2026-09-11", false},
		"zeros":                   {"000", "2026-09-11", "2026-09-11", false},
		"an exponent":             {"1.23457E+11", "2026-09-11", "2026-09-11", false},
		"an exponent, whole":      {"1e+11", "2026-09-11", "2026-09-11", false},
		"a year apart":            {"70001", "2025-09-11", "2026-09-11", true},
		"more than a year apart":  {"70001", "2025-09-10", "2026-09-11", false},
		"more than a year before": {"70001", "2026-09-11", "2025-09-10", false},
	} {
		a := audit.NewAuditor(archives(), today, audit.Tolerance{})
		var r audit.Result
		for _, day := range []string{c.first, c.second} {
			l := line(t, `,"billed_pct":"46.32","pro_number":"`+c.pro+`"`)
			l.ShipDate = contracts.Date(day)
			r = a.Audit(l)
		}
		if (r.Verdict == audit.Duplicate) != c.isDuplicate {
			t.Errorf("%s: %s", name, show(r))
		}
	}
}
