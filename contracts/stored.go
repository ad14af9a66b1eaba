package contracts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Stored answers are checked when they are read: a damaged entry, or one that lies under the key of another, is read
// anew and never served. Fits returns an error for such an entry of the type.

// Fits checks a stored answer of a carrier.
func (a SurchargeAnswer) Fits(key CacheKey) error {
	if !isKeyOf(key, func(env Environment) CacheKey { return SurchargeKey(env, a.Carrier) }) {
		return fmt.Errorf("an answer of carrier %.8q", string(a.Carrier))
	}
	return cmp.Or(a.Provenance.sound(), weeksSound(a.Weeks))
}

// Fits checks the weeks alone. No bucket holds such answers, so no key is compared.
func (a HistoryAnswer) Fits(CacheKey) error { return weeksSound(a.Weeks) }

// Fits checks a stored answer for a license number. The number stands in the key as it was asked for.
func (a LicenseAnswer) Fits(key CacheKey) error {
	q := LicenseRequest{State: a.State, Number: a.Number}
	if !isKeyOf(key, func(env Environment) CacheKey { return LicenseKey(env, q) }) {
		return fmt.Errorf("an answer for another license, of state %.8q", string(a.State))
	}
	if a.Record == nil {
		return cmp.Or(a.Provenance.sound(), a.Tally.sound())
	}
	return cmp.Or(a.Provenance.sound(), a.Tally.sound(), a.Record.sound())
}

// Fits checks a stored answer of a search.
func (a SearchAnswer) Fits(key CacheKey) error {
	q := SearchRequest{State: a.State, Query: a.Query, After: a.After}
	if !isKeyOf(key, func(env Environment) CacheKey { return SearchKey(env, q) }) {
		return fmt.Errorf("an answer to another search, of state %.8q", string(a.State))
	}
	if len(a.Tallies) > 0 && len(a.Tallies) != len(a.Results) {
		return fmt.Errorf("%d results and %d tallies", len(a.Results), len(a.Tallies))
	}
	for _, t := range a.Tallies {
		if err := t.sound(); err != nil {
			return err
		}
	}
	if a.Total < len(a.Results) {
		return fmt.Errorf("%d matches and a total of %d", len(a.Results), a.Total)
	}
	for _, r := range a.Results {
		if err := r.sound(); err != nil {
			return err
		}
	}
	return cmp.Or(a.Provenance.sound(), a.Tally.sound())
}

// Fits checks a stored bracket table.
func (a FuelTableAnswer) Fits(key CacheKey) error {
	of := string(FuelTableKey(Live, a.Carrier, ""))
	_, name, _ := strings.Cut(string(key), ".")
	if !strings.HasPrefix(name+".", of[len(Live)+1:]+".") || len(a.Rows) == 0 {
		return fmt.Errorf("a table of %d rows of carrier %.8q", len(a.Rows), string(a.Carrier))
	}
	return cmp.Or(a.Provenance.sound(), a.Tally.sound())
}

// Fits checks stored diesel prices.
func (a DieselAnswer) Fits(CacheKey) error { return cmp.Or(a.Provenance.sound(), a.Tally.sound()) }

func isKeyOf(key CacheKey, of func(Environment) CacheKey) bool {
	return key == of(Live) || key == of(Test)
}

func (p Provenance) sound() error {
	if !slices.Contains([]Method{APIMirror, StructuredParse, ScraperAPI}, p.Method) || p.ExpiresAt.Before(p.ReadAt) {
		return fmt.Errorf("method %.20q, read at %v, servable until %v", string(p.Method), p.ReadAt, p.ExpiresAt)
	}
	return nil
}

func (t Tally) sound() error {
	if t.Clean < 0 || t.Clean > t.Required {
		return fmt.Errorf("%d of %d items are clean", t.Clean, t.Required)
	}
	return nil
}

func (r LicenseRecord) sound() error {
	known := slices.Contains([]Status{Active, Suspended, Expired, Revoked}, r.Status)
	if r.LicenseNumber == "" || !known || !isDateOrEmpty(r.ExpirationDate) {
		return fmt.Errorf("a record with status %.20q that expires %.20q", string(r.Status), string(r.ExpirationDate))
	}
	return nil
}

// isDateOrEmpty tells a day, or the empty one.
func isDateOrEmpty(d Date) bool {
	_, err := ParseDate(string(d))
	return d == "" || err == nil
}

// weeksSound wants dated weeks, newest first, with percents of 0 to 100.
func weeksSound(weeks []ObservedWeek) error {
	for i, w := range weeks {
		switch _, err := ParseDate(string(w.EffectiveDate)); {
		case err != nil, !isDateOrEmpty(w.EndDate), i > 0 && w.EffectiveDate >= weeks[i-1].EffectiveDate:
			return fmt.Errorf("week %d begins %.20q", i, string(w.EffectiveDate))
		case !(w.Percent >= 0 && w.Percent <= 100), w.DieselUSD != nil && !(*w.DieselUSD > 0):
			return fmt.Errorf("the week of %s has %v percent", w.EffectiveDate, w.Percent)
		case w.Tally.sound() != nil:
			return w.Tally.sound()
		}
	}
	return nil
}
