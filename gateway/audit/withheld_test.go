package audit_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

// keptOf is a result as it is read again from where it is kept.
func keptOf(t *testing.T, r audit.Result) (kept audit.Audited) {
	t.Helper()
	text, err := json.Marshal(audit.Audited{Result: r})
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// claimed is what an audit says of a line's money: what is recoverable, contestable and expired, and its standing as it is kept.
func claimed(t *testing.T, r audit.Result) string {
	t.Helper()
	kept := keptOf(t, r)
	text := []string{string(kept.Verdict)}
	for _, amount := range []*audit.Cents{kept.RecoverableAmount, kept.ContestableAmount, kept.ExpiredAmount} {
		if amount == nil {
			text = append(text, "-")
		} else {
			text = append(text, amount.String())
		}
	}
	return strings.Join(append(text, string(kept.Contestability(today))), " ")
}

// The truckload column is the right one for a heavy shipment: only who says that a line is of LTL contests it.
func TestTheTruckloadColumnIsContestedOnlyForLTL(t *testing.T) {
	t.Parallel()
	const why = "; service=ltl on the line contests it"
	const amounts = `,"base_amount":"2000.00","billed_amount":"1126.40"`
	for name, c := range map[string]struct {
		more, want string
		isTold     bool
	}{
		"no service":                {`,"billed_pct":"56.32"` + amounts, "WRONG_TABLE 200.00 0.00 0.00 ", true},
		"no service, no amounts":    {`,"billed_pct":"56.32"`, "WRONG_TABLE - 0.00 0.00 ", true},
		"an empty service":          {`,"service":""` + amounts, "WRONG_TABLE 200.00 0.00 0.00 ", true},
		"no service, received":      {`,"bill_received":"2026-09-12"` + amounts, "WRONG_TABLE 200.00 0.00 0.00 ", true},
		"no service, a cent more":   {`,"base_amount":"2000.00","billed_amount":"1126.41"`, "OVERBILLED 200.01 0.00 0.00 ", true},
		"no service, last week's":   {`,"billed_pct":"56.50"`, "OVERBILLED - 0.00 0.00 ", true},
		"ltl, a cent more":          {`,"service":"ltl","base_amount":"2000.00","billed_amount":"1126.41"`, "OVERBILLED 200.01 200.01 0.00 contestable", false},
		"ltl":                       {`,"service":"ltl"` + amounts, "WRONG_TABLE 200.00 200.00 0.00 contestable", false},
		"ltl, no amounts":           {`,"service":"LTL","billed_pct":"56.32"`, "WRONG_TABLE - - - contestable", false},
		"truckload, billed as LTL":  {`,"service":"truckload","billed_pct":"46.32"`, "WRONG_TABLE - - - ", false},
		"truckload":                 {`,"service":"truckload"` + amounts, "MATCH 0.00 0.00 0.00 ", false},
		"no service, another price": {`,"billed_pct":"57"`, "OVERBILLED - - - contestable", false},
		"no service, another week":  {`,"billed_pct":"46.50"`, "WRONG_WEEK - - - contestable", false},
	} {
		r := audit.NewAuditor(archives(), today, audit.DefaultTolerance).Audit(line(t, c.more))
		if got := claimed(t, r); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if isTold := r.Reason != nil && strings.HasSuffix(*r.Reason, why); isTold != c.isTold {
			t.Errorf("%s: reason %s", name, *r.Reason)
		}
	}
}

// What is above what is right by no more than is tolerated is not contested, whichever verdict it has, and nothing of a
// bill that is below it.
func TestWhatIsToleratedIsNotContested(t *testing.T) {
	t.Parallel()
	dollars, points := audit.Tolerance{Amount: 500}, audit.Tolerance{Points: 5000}
	for name, c := range map[string]struct {
		more, want string
		tol        audit.Tolerance
		isTold     bool
	}{
		"a cent above a low percent":  {`,"billed_pct":"46.3","base_amount":"1000","billed_amount":"463.21"`, "UNDERBILLED 0.01 0.00 0.00 ", audit.DefaultTolerance, false},
		"dollars above a low percent": {`,"billed_pct":"46.3","base_amount":"1000","billed_amount":"466.21"`, "UNDERBILLED 3.01 0.00 0.00 ", dollars, false},
		"a cent of another week":      {`,"base_amount":"2.75","billed_amount":"1.28"`, "WRONG_WEEK 0.01 0.00 0.00 ", audit.DefaultTolerance, true},
		"the points of another week":  {`,"billed_pct":"46.5"`, "WRONG_WEEK - 0.00 0.00 ", points, true},
		"a cent of another table":     {`,"service":"ltl","base_amount":"0.10","billed_amount":"0.06"`, "WRONG_TABLE 0.01 0.00 0.00 ", audit.DefaultTolerance, true},
		"nothing is tolerated":        {`,"base_amount":"2.75","billed_amount":"1.28"`, "WRONG_WEEK 0.01 0.01 0.00 contestable", audit.Tolerance{}, false},
		"points beyond it":            {`,"billed_pct":"46.5","base_amount":"1000","billed_amount":"465.00"`, "WRONG_WEEK 1.80 1.80 0.00 contestable", dollars, false},
	} {
		r := audit.NewAuditor(archives(), today, c.tol).Audit(line(t, c.more))
		if got := claimed(t, r); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if isTold := strings.HasSuffix(*r.Reason, "; it is within the tolerances, so it is not contested"); isTold != c.isTold {
			t.Errorf("%s: reason %s", name, *r.Reason)
		}
	}
}

// A carrier's bracket table has a truckload column too. A contract's own brackets are for both services.
func TestTheTruckloadColumnOfATable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ term, more, want string }{
		"no service":   {`{"basis":"table_as_of","as_of":"2026-01-05"}`, `,"billed_pct":"63.2"`, "OVERBILLED - 0.00 0.00 "},
		"ltl":          {`{"basis":"table_as_of","as_of":"2026-01-05"}`, `,"service":"ltl","billed_pct":"63.2"`, "OVERBILLED - - - contestable"},
		"the price":    {`{"basis":"table_as_of","as_of":"2026-01-05"}`, `,"billed_pct":"62"`, "OVERBILLED - - - contestable"},
		"own brackets": {`{` + brackets + `}`, `,"billed_pct":"63.2"`, "OVERBILLED - - - contestable"},
	} {
		r := audit.NewAuditor(archives(), today, audit.DefaultTolerance).Under(agreed(t, c.term)).Audit(line(t, c.more))
		if got := claimed(t, r); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A credit is one in lines that are written as the API wants them too.
func TestACreditInPlainLines(t *testing.T) {
	t.Parallel()
	const object = `{"id":"1","carrier":"ODFL","pro_number":"100","ship_date":"2026-09-11","base_amount":"1000","billed_pct":"56.82","billed_amount":"568.20"}`
	credited := strings.NewReplacer(`"1000"`, `-1000`, `"568.20"`, `"-568.20"`).Replace(object)
	for format, text := range map[lines.Format]string{
		lines.JSON: "[" + object + "," + credited + "]", lines.NDJSON: object + "\n" + credited,
		lines.CSV: "id,carrier,pro_number,ship_date,base_amount,billed_pct,billed_amount\n1,ODFL,100,2026-09-11,1000,56.82,568.20\n2,ODFL,100,2026-09-11,,,-568.205\n",
	} {
		file, err := audit.Read(t.Context(), format, []byte(text), lines.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		all := slices.Collect(audit.NewAuditor(archives(), today, audit.DefaultTolerance).All(file.Lines, func(audit.Verdict) {}))
		if got := claimed(t, all[0].Result); got != "OVERBILLED 105.00 0.00 0.00 " || !strings.Contains(*all[0].Reason, "is a credit of this shipment") {
			t.Errorf("%s: %s, %s", format, got, *all[0].Reason)
		}
		if e := all[1].Errors; all[1].Verdict != audit.Invalid || !strings.HasSuffix(e[0], "_amount: CREDIT: a negative amount is a credit, which is not audited") {
			t.Errorf("%s: %s %v", format, all[1].Verdict, e)
		}
	}
}

// What a carrier credited is not claimed again, wherever in the file the credit stands.
func TestACreditedShipmentIsNotContested(t *testing.T) {
	t.Parallel()
	const billed, credit = "ODFL,%s,2026-09-11,1000,56.82,568.20\n", "ODFL,%s,2026-09-11,-1000,56.82,-568.20\n"
	for name, c := range map[string]struct {
		rows, want, reason string
	}{
		"behind it":            {fmt.Sprintf(billed+credit, "100", "100"), "OVERBILLED 105.00 0.00 0.00 ", "; line 3 is a credit of this shipment, so it is not contested"},
		"before it":            {fmt.Sprintf(credit+billed, "100", "100"), "OVERBILLED 105.00 0.00 0.00 ", "; line 2 is a credit of this shipment, so it is not contested"},
		"in another spelling":  {fmt.Sprintf(billed+credit, "0100-7", "100 7"), "OVERBILLED 105.00 0.00 0.00 ", "; line 3 is a credit of this shipment, so it is not contested"},
		"of another shipment":  {fmt.Sprintf(billed+credit, "100", "101"), "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"without a number":     {fmt.Sprintf(billed+credit, "N/A", "N/A"), "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"of another carrier":   {fmt.Sprintf(billed, "100") + "SAIA,100,2026-09-11,-1000,56.82,-568.20\n", "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"of a year before":     {fmt.Sprintf(billed, "100") + "ODFL,100,2025-09-10,-1000,56.82,-568.20\n", "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"no day of it":         {fmt.Sprintf(billed, "100") + "ODFL,100,,-1000,56.82,-568.20\n", "OVERBILLED 105.00 0.00 0.00 ", "; line 3 is a credit of this shipment, so it is not contested"},
		"by percent only":      {"ODFL,100,2026-09-11,,56.82,\n" + fmt.Sprintf(credit, "100"), "OVERBILLED - 0.00 0.00 ", "; line 3 is a credit of this shipment, so it is not contested"},
		"of accounts":          {fmt.Sprintf(billed, "100") + "ODFL,100,2026-09-11,\" $(1,000.00)\",56.82, $(568.20)\n", "OVERBILLED 105.00 0.00 0.00 ", "; line 3 is a credit of this shipment, so it is not contested"},
		"with its word":        {fmt.Sprintf(billed, "100") + "ODFL,100,2026-09-11,1000.00 CR,56.82,568.20CR\n", "OVERBILLED 105.00 0.00 0.00 ", "; line 3 is a credit of this shipment, so it is not contested"},
		"in no known form":     {fmt.Sprintf(billed, "100") + "ODFL,100,2026-09-11,1000.00,56.82,credit 568.20\n", "OVERBILLED 105.00 0.00 0.00 ", "; line 3 of this shipment cannot be read, so it is not contested"},
		"of another, unread":   {fmt.Sprintf(billed, "100") + "ODFL,101,2026-09-11,1000.00,56.82,credit 568.20\n", "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"moved cells":          {fmt.Sprintf(billed, "100") + "ODFL,100,2026-09-11,-1,000.00,56.82,568.20\n", "OVERBILLED 105.00 0.00 0.00 ", "; line 3 is a credit of this shipment, so it is not contested"},
		"corrected":            {fmt.Sprintf(billed, "100") + "ODFL,100,2026-09-11,1000,46.32,463.20\n", "OVERBILLED 105.00 0.00 0.00 ", "; line 3 bills this shipment otherwise, so it is not contested"},
		"corrected, once more": {fmt.Sprintf(billed+billed, "100", "100") + "ODFL,0100,2026-10-11,900,56.82,511.38\n", "OVERBILLED 105.00 0.00 0.00 ", "; line 4 bills this shipment otherwise, so it is not contested"},
		"billed twice":         {fmt.Sprintf(billed+billed, "100", "100"), "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"a row without fuel":   {fmt.Sprintf(billed, "100") + "ODFL,100,2026-09-11,75.00,,\n", "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"a row of zero fuel":   {fmt.Sprintf(billed, "100") + "ODFL,100,2026-09-11,75.00,0.00,0.00\n", "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"billed after years":   {fmt.Sprintf(billed, "100") + "ODFL,100,2024-09-11,1000,46.32,463.20\n", "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"many of an exponent":  {fmt.Sprintf(billed, "1.23457E+11") + "ODFL,1.23457E+11,2026-09-11,1000,46.32,463.20\n", "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"an exponent":          {fmt.Sprintf(billed+credit, "1.23457E+11", "1.23457e+11"), "OVERBILLED 105.00 0.00 0.00 ", "; line 3 is a credit of this shipment, so it is not contested"},
		"of an unknown name":   {fmt.Sprintf(billed, "100") + "OLD DOMINION FRT LN,100,2026-09-11,-1000,56.82,-568.20\n", "OVERBILLED 105.00 0.00 0.00 ", "; line 3 is a credit of this shipment, so it is not contested"},
		"only its percent":     {fmt.Sprintf(billed, "100") + "ODFL,100,2026-09-11,1000,-56.82,568.20\n", "OVERBILLED 105.00 105.00 0.00 contestable", "expected"},
		"of what was right":    {"ODFL,100,2026-09-11,1000,46.32,463.20\n" + fmt.Sprintf(credit, "100"), "MATCH 0.00 0.00 0.00 ", ""},
		"nothing else is":      {fmt.Sprintf(billed+credit+billed, "100", "100", "102"), "OVERBILLED 105.00 0.00 0.00 ", "; line 3 is a credit of this shipment, so it is not contested"},
	} {
		text := "SCAC,PRO #,Ship Date,Net Linehaul,FSC %,Fuel\n" + c.rows
		file, err := audit.Read(t.Context(), lines.CSV, []byte(text), lines.Reading{AsIs: true, DateForm: "mdy"})
		if err != nil {
			t.Fatal(name, err)
		}
		for r := range audit.NewAuditor(archives(), today, audit.DefaultTolerance).All(file.Lines, func(audit.Verdict) {}) {
			if r.Verdict == audit.Invalid {
				continue
			}
			reason := ""
			if r.Reason != nil {
				reason = *r.Reason
			}
			if got := claimed(t, r.Result); got != c.want || !strings.HasSuffix(reason, c.reason) || c.reason == "" && reason != "" {
				t.Errorf("%s: %s, want %s; reason %s", name, got, c.want, reason)
			}
			break
		}
	}
}

// A credit without a number is that of the lines with its id; one with a number is that of no other number.
func TestACreditIsFoundByItsID(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ numbers, want string }{
		"no numbers":            {",", "OVERBILLED 105.00 0.00 0.00 "},
		"no number of the bill": {",100", "OVERBILLED 105.00 0.00 0.00 "},
		"none of the credit":    {"100,N/A", "OVERBILLED 105.00 0.00 0.00 "},
		"of another shipment":   {"100,101", "OVERBILLED 105.00 105.00 0.00 contestable"},
	} {
		one, other, _ := strings.Cut(c.numbers, ",")
		file, err := readAsIs(t, "SCAC,Invoice #,PRO,Ship Date,Base,FSC Amount\nODFL,INV-7,"+one+",2026-09-11,1000,568.20\nODFL,INV-8,,2026-09-11,1000,568.20\nODFL,INV7,"+other+",2026-09-11,,-105.00\n")
		if err != nil {
			t.Fatal(err)
		}
		all := slices.Collect(audit.NewAuditor(archives(), today, audit.DefaultTolerance).All(file.Lines, func(audit.Verdict) {}))
		if got := claimed(t, all[0].Result); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if got := claimed(t, all[1].Result); got != "OVERBILLED 105.00 105.00 0.00 contestable" {
			t.Errorf("%s: the other invoice is %s", name, got)
		}
	}
}
