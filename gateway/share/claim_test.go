package share_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

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

// A bulk file that was kept a week ago and found unchanged this morning says what it says as of this morning, and never of a later day.
func TestAnUnchangedFileIsOfTheDayOfTheAnswer(t *testing.T) {
	t.Parallel()
	hash, kept := strings.Repeat("a", 64), time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		at         contracts.Place
		said, want time.Duration
	}{
		"found unchanged": {"b17", 7 * 24 * time.Hour, 7 * 24 * time.Hour},
		"nothing said":    {"b17", -1000 * 24 * time.Hour, 0},
		"in the future":   {"b17", 9 * 24 * time.Hour, 0},
		"a page":          {"17", 7 * 24 * time.Hour, 0},
	} {
		claim, err := share.OfAnswer(map[string]any{"state": "IL", "license_number": "1A-1", "record": map[string]any{"license_number": "1A-1", "inferred": []any{"status"}},
			"_verifiability": map[string]any{"source_timestamp": kept.Add(c.said), "evidence_sha256": hash, "evidence": []any{map[string]any{"sha256": hash, "at": c.at}}}}, "")
		if err != nil {
			t.Fatal(name, err)
		}
		text, err := claim.Answer(kept, kept.Add(8*24*time.Hour))
		var got contracts.License
		if err != nil || json.Unmarshal(text, &got) != nil || !got.Verifiability.SourceTimestamp.Equal(kept.Add(c.want)) || len(got.Verifiability.Inferred) != 1 {
			t.Errorf("%s: %v %s", name, err, text)
		}
	}
}
