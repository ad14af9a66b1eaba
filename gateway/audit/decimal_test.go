package audit_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

func TestDecimals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"46.32": "46.32", "46.3": "46.30", "46": "46.00", "0": "0.00", "046.320000": "46.32", "0.0001": "0.0001", "1e2": "100.00",
		"12.5E-1": "1.25", "1000": "1000.00", "0e99": "0.00",
		"1000.0001": "", "0.00001": "", "": "", ".5": "", "5.": "", "-1": "", "+1": "", "1,5": "", "1 0": "", "0x1": "", "1e": "", "1e999": "",
		"NaN": "", "99999999999999999999": "", "1e18": "", "٤": "", "1_0": "",
	} {
		p, err := audit.ParsePoints(text)
		if (err == nil) != (want != "") || err == nil && p.String() != want {
			t.Errorf("%q: %s, %v, want %q", text, p, err, want)
		}
	}
}

// A number that is written is read as the same number.
func TestDecimalsAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := audit.Points(rapid.Int64Range(0, 10_000_000).Draw(t, "points"))
		if got, err := audit.ParsePoints(p.String()); err != nil || got != p {
			t.Errorf("%d is written %s and read %d, %v", p, p, got, err)
		}
		c := audit.Cents(rapid.Int64Range(0, 100_000_000_000).Draw(t, "cents"))
		if got, err := audit.ParseCents(c.String()); err != nil || got != c {
			t.Errorf("%d is written %s and read %d, %v", c, c, got, err)
		}
		for _, sign := range []audit.Cents{1, -1} {
			var got audit.Cents
			text, _ := json.Marshal(sign * c)
			if err := json.Unmarshal(text, &got); err != nil || got != sign*c {
				t.Errorf("%s is read %d, %v", text, got, err)
			}
		}
		if p > 0 && (-p).String() != "-"+p.String() {
			t.Errorf("%s", -p)
		}
	})
}

// The formula in rational numbers is what the audit computes in whole ones, and who bills by it has a MATCH.
func TestFormulaIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		published := audit.Points(rapid.Int64Range(0, 10_000_000).Draw(t, "published"))
		base := audit.Cents(rapid.Int64Range(0, 100_000_000_000).Draw(t, "base"))
		discount := audit.Points(rapid.Int64Range(0, 10_000_000).Draw(t, "discount"))
		limit := audit.Points(rapid.Int64Range(0, 10_000_000).Draw(t, "cap"))
		minimum := audit.Cents(rapid.Int64Range(0, 1_000_000).Draw(t, "minimum"))
		percent := max(min(published-discount, limit), 0)
		amount := max(rounded(base, percent), minimum)
		archive := audit.NewArchive([]audit.Week{{Start: "2026-09-09", End: "2026-09-15", LTL: published, Confidence: 1}})
		a := audit.NewAuditor(map[contracts.Carrier]audit.Archive{contracts.ODFL: archive}, today, audit.Tolerance{})
		l := audit.Line{
			ID: "1", Carrier: "ODFL", Known: true, ShipDate: "2026-09-11", BilledPct: &percent, BaseAmount: &base, BilledAmount: &amount,
			Discount: &discount, Cap: &limit, MinAmount: &minimum, Service: audit.LTL,
		}
		if r := a.Audit(l); r.Verdict != audit.Match || *r.ExpectedAmount != amount || *r.RecoverableAmount != 0 {
			t.Errorf("%s, want %s and %s: %s", show(r), percent, amount, *r.Formula)
		}
		more := amount + audit.Cents(rapid.Int64Range(1, 1000).Draw(t, "more"))
		l.BilledAmount = &more
		if r := a.Audit(l); r.Verdict != audit.Arithmetic || *r.RecoverableAmount != more-amount {
			t.Errorf("%s, want %s too much", show(r), more-amount)
		}
	})
}

// rounded is a percent of an amount, rounded half up by rational numbers.
func rounded(base audit.Cents, percent audit.Points) audit.Cents {
	exact := new(big.Rat).Mul(big.NewRat(int64(base), 1), big.NewRat(int64(percent), 1_000_000))
	half := exact.Add(exact, big.NewRat(1, 2))
	return audit.Cents(new(big.Int).Div(half.Num(), half.Denom()).Int64())
}

// Totals are the sums of the results, in whatever order verdicts come.
func TestTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := audit.NewAuditor(archives(), today, audit.Tolerance{})
		totals, variance, recoverable := audit.NewTotals(), audit.Cents(0), audit.Cents(0)
		n := rapid.IntRange(1, 50).Draw(t, "lines")
		for range n {
			billed := audit.Cents(rapid.Int64Range(4000, 5000).Draw(t, "billed"))
			base := audit.Cents(10_000)
			l := audit.Line{ID: "1", Carrier: "ODFL", Known: true, ShipDate: "2026-09-11", BaseAmount: &base, BilledAmount: &billed, Service: audit.LTL}
			totals.Add(a.Audit(l))
			variance += billed - 4632
			recoverable += max(billed-4632, 0)
		}
		if totals.Lines != n || totals.Resolved() != n || totals.VarianceAmount != variance || totals.RecoverableAmount != recoverable {
			t.Errorf("%+v, want %s and %s", totals, variance, recoverable)
		}
		counted := 0
		for _, count := range totals.Verdicts {
			counted += count
		}
		if counted != n || len(totals.Verdicts) != len(audit.Verdicts) {
			t.Errorf("%v", totals.Verdicts)
		}
	})
}
