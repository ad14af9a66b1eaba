package share_test

import (
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/share"
)

// The proof of a line names the percent that was published for its service.
func TestTheSentenceOfALineIsOfItsService(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("a", 64)
	for name, c := range map[string]struct {
		published audit.Points
		truckload *float64
		want      string
	}{
		"ltl":                 {463_200, new(92.64), "Saia (SAIA) published a fuel surcharge of 46.32 % for the week that begins on 2026-09-09."},
		"truckload":           {926_400, new(92.64), "Saia (SAIA) published a fuel surcharge for truckloads of 92.64 % for the week that begins on 2026-09-09."},
		"the same for both":   {463_200, new(46.32), "Saia (SAIA) published a fuel surcharge of 46.32 % for the week that begins on 2026-09-09."},
		"no truckload column": {463_200, nil, "Saia (SAIA) published a fuel surcharge of 46.32 % for the week that begins on 2026-09-09."},
	} {
		week := contracts.Surcharge{Weeks: []contracts.SurchargeWeek{{
			EffectiveDate: "2026-09-09", Percent: 46.32, TruckloadPercent: c.truckload, EvidenceSHA256: &hash,
		}}}
		week.Verifiability.Evidence = []contracts.Evidence{{SHA256: hash}}
		line := audit.Audited{Number: 2, Result: audit.Result{Verdict: audit.Overbilled, PublishedPct: &c.published}}
		claim, err := share.OfLine([]audit.Audited{line}, &audit.Ground{Carrier: contracts.SAIA, Week: &week}, 2, "")
		if err != nil {
			t.Fatal(name, err)
		}
		if got := claim.Sentence("Saia"); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
