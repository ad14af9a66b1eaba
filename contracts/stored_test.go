package contracts

import (
	"testing"
	"time"
)

// Entries as an intruder, a bug or another version may leave them in the bucket.
func TestStoredAnswersAreChecked(t *testing.T) {
	now := time.Now()
	good := Provenance{Schema: AnswerSchema, ReadAt: now, ExpiresAt: now.Add(time.Hour), Method: APIMirror}
	week := func(day Date, percent float64) ObservedWeek {
		return ObservedWeek{SurchargeWeek: SurchargeWeek{EffectiveDate: day, Percent: percent}, Tally: Tally{1, 1}}
	}
	of := func(c Carrier, weeks ...ObservedWeek) SurchargeAnswer {
		return SurchargeAnswer{Provenance: good, Carrier: c, Weeks: weeks}
	}
	license := func(s State, status Status) LicenseAnswer {
		return LicenseAnswer{Provenance: good, State: s, Number: "1", Record: &LicenseRecord{LicenseNumber: "1", Status: status}}
	}
	search := SearchAnswer{Provenance: good, State: CA, Query: Query{DBAName: "x"}, After: Position{Number: "1"}}
	odfl, ca1 := SurchargeKey(Live, ODFL), LicenseKey(Live, LicenseRequest{State: CA, Number: "1"})
	page := SearchKey(Live, SearchRequest{State: CA, Query: search.Query, After: search.After})
	first := SearchKey(Live, SearchRequest{State: CA, Query: search.Query})
	unknown := of(ODFL)
	unknown.Method = "guess"
	for name, c := range map[string]struct {
		answer interface{ Fits(CacheKey) error }
		key    CacheKey
		fits   bool
	}{
		"weeks":              {of(ODFL, week("2026-09-09", 46.32), week("2026-09-02", 46)), odfl, true},
		"another carrier":    {of(SAIA, week("2026-09-09", 46.32)), odfl, false},
		"no carrier":         {of("", week("2026-09-09", 46.32)), odfl, false},
		"less than nothing":  {of(ODFL, week("2026-09-09", -5)), odfl, false},
		"more than all":      {of(ODFL, week("2026-09-09", 4632)), odfl, false},
		"no day":             {of(ODFL, week("next week", 46)), odfl, false},
		"the wrong order":    {of(ODFL, week("2026-09-02", 46), week("2026-09-09", 46)), odfl, false},
		"an unknown method":  {unknown, odfl, false},
		"a license":          {license(CA, Active), ca1, true},
		"another state":      {license(TX, Active), ca1, false},
		"an unknown status":  {license(CA, "FINE"), ca1, false},
		"a page of a search": {search, page, true},
		"another page":       {search, first, false},
		"a table":            {FuelTableAnswer{Provenance: good, Carrier: ODFL}, FuelTableKey(Live, ODFL, ""), false},
	} {
		if err := c.answer.Fits(c.key); (err == nil) != c.fits {
			t.Errorf("%s: %v", name, err)
		}
	}
}
