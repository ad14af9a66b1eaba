package abcworker

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

// plain are licenses of a register that are MATCHED by the names of holder and trade at their addresses, and the register's copy.
func plain(t *testing.T, state contracts.State, n int) (all []contracts.LicenseRecord, ask func(contracts.Customer) contracts.Match) {
	t.Helper()
	register := license.New(contracts.DateOf(time.Now()), license.Sizes{state: 2_000})
	c, err := Recipes[state](sites(t, register)).Bulk.Copy(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ask = func(of contracts.Customer) contracts.Match {
		found, err := matched(t.Context(), c, state, []contracts.Customer{of})
		if err != nil {
			t.Fatal(err)
		}
		return found[0]
	}
	for _, l := range register.Of(state) {
		r := l.Mirror
		if len(all) == n || r == nil || len(strings.Fields(r.DBAName)) < 3 || len(strings.Fields(r.OwnerName)) < 4 || strings.ContainsAny(r.OwnerName, ",&") || r.Address.Street == "" {
			continue
		}
		if ask(customerOf(r, r.DBAName)).Outcome == contracts.Matched && ask(customerOf(r, r.OwnerName)).Outcome == contracts.Matched {
			all = append(all, *r)
		}
	}
	if len(all) < n {
		t.Fatalf("%d licenses of %s", len(all), state)
	}
	return all, ask
}

func customerOf(r *contracts.LicenseRecord, name string) contracts.Customer {
	return contracts.Customer{Name: name, Street: r.Address.Street, City: r.Address.City, ZipCode: r.Address.ZipCode}
}

func without(text string, i int) string {
	words := strings.Fields(text)
	return strings.Join(slices.Delete(words, i, i+1), " ")
}

// What is not quite the customer's is for a person to decide, with the license among the candidates and the reason in words.
func TestWhatIsNotQuiteTheCustomersIsReviewed(t *testing.T) {
	t.Parallel()
	all, ask := plain(t, contracts.CA, 25)
	const moved = "the street is another one: the customer moved, or this is a mailing address"
	for name, tt := range map[string]struct {
		edit    func(c *contracts.Customer, r *contracts.LicenseRecord)
		outcome contracts.MatchOutcome
		reason  string
	}{
		"a company of further words": {func(c *contracts.Customer, r *contracts.LicenseRecord) {
			c.Name = without(r.OwnerName, len(strings.Fields(r.OwnerName))-1) + " Holdings Group"
		}, contracts.Review, "it may be another company's"},
		"further words beside the number": {func(c *contracts.Customer, r *contracts.LicenseRecord) {
			c.Name, c.LicenseNumber = r.DBAName+" Holdings", r.LicenseNumber
		}, contracts.Matched, ""},
		"the first word left out": {func(c *contracts.Customer, r *contracts.LicenseRecord) { c.Name = without(r.OwnerName, 0) }, contracts.Review, ""},
		"a word left out":         {func(c *contracts.Customer, r *contracts.LicenseRecord) { c.Name = without(r.OwnerName, 1) }, contracts.Review, ""},
		"another street": {func(c *contracts.Customer, _ *contracts.LicenseRecord) {
			c.Street = strings.Fields(c.Street)[0] + " Unheard Of Rd"
		}, contracts.Review, moved},
		"a mailing address": {func(c *contracts.Customer, _ *contracts.LicenseRecord) { c.Street = "PO Box 77" }, contracts.Review, moved},
		"a mailing address in another ZIP code": {func(c *contracts.Customer, _ *contracts.LicenseRecord) {
			c.Street, c.ZipCode = "PO Box 77", "00501"
		}, contracts.Review, moved},
		"another street beside the number": {func(c *contracts.Customer, r *contracts.LicenseRecord) {
			c.Street, c.LicenseNumber = "500 Unheard Of St", r.LicenseNumber
		}, contracts.Review, "does not fit the name or the address"},
		"another street and name": {func(c *contracts.Customer, _ *contracts.LicenseRecord) {
			c.Name, c.Street = "Quiet Pelican Unheard", "500 Unheard Of St"
		}, contracts.NoMatch, "by name in that city or ZIP code"},
		"the number and its type": {func(c *contracts.Customer, r *contracts.LicenseRecord) {
			c.LicenseNumber = r.LicenseTypeCode + "-" + r.LicenseNumber
		}, contracts.Matched, ""},
		"another type": {func(c *contracts.Customer, r *contracts.LicenseRecord) { c.LicenseNumber = "99-" + r.LicenseNumber },
			contracts.Review, "The license of the number that was given is not of type 99."},
		"another type and nothing else": {func(c *contracts.Customer, r *contracts.LicenseRecord) {
			*c = contracts.Customer{LicenseNumber: "99-" + r.LicenseNumber}
		}, contracts.Review, "is not of type 99"},
		"a number that there is not": {func(c *contracts.Customer, _ *contracts.LicenseRecord) { c.LicenseNumber = "99999999" },
			contracts.Review, "no license of the number that was given"},
		"a letter in the number": {func(c *contracts.Customer, r *contracts.LicenseRecord) {
			c.LicenseNumber = r.LicenseNumber[:len(r.LicenseNumber)-1] + "O"
		}, contracts.Review, "is not in a form that CA issues, and was not used"},
		"a number of another state": {func(c *contracts.Customer, _ *contracts.LicenseRecord) { c.LicenseNumber = "BEV6210000" },
			contracts.Review, "is not in a form that CA issues, and was not used"},
		"a number of another state and a name that there is not": {func(c *contracts.Customer, _ *contracts.LicenseRecord) {
			*c = contracts.Customer{Name: "Quiet Pelican Unheard", City: "Elsewhere", LicenseNumber: "BEV6210000"}
		}, contracts.NoMatch, "was not used"},
		"no number, in words":   {func(c *contracts.Customer, _ *contracts.LicenseRecord) { c.LicenseNumber = "N/A" }, contracts.Matched, "has no digit, and was not used"},
		"no number, by a dash":  {func(c *contracts.Customer, _ *contracts.LicenseRecord) { c.LicenseNumber = "-" }, contracts.Matched, "was not used"},
		"no number, in a blank": {func(c *contracts.Customer, _ *contracts.LicenseRecord) { c.LicenseNumber = " " }, contracts.Matched, ""},
	} {
		for i := range all {
			r := &all[i]
			c := customerOf(r, r.DBAName)
			tt.edit(&c, r)
			m := ask(c)
			isThere := slices.ContainsFunc(m.Candidates, func(x contracts.MatchCandidate) bool { return x.LicenseNumber == r.LicenseNumber })
			said := m.Reason
			if m.Outcome == contracts.Matched {
				said = strings.Join(m.Candidates[0].Reasons, "; ")
			}
			if m.Outcome != tt.outcome || isThere == (m.Outcome == contracts.NoMatch) || !strings.Contains(said, tt.reason) || len(m.Candidates) > contracts.MaxCandidates {
				t.Errorf("%s: %+v of %s %s %s: %+v", name, c, r.LicenseNumber, r.DBAName, r.Address.Raw, m)
			}
		}
	}
}

// Nothing is matched for who has left, whether it would have to wait or not.
func TestNothingIsMatchedForWhoLeft(t *testing.T) {
	c, err := Recipes[contracts.CA](sites(t, license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.CA: 10}))).Bulk.Copy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	ask := func() {
		if found, err := matched(ctx, c, contracts.CA, []contracts.Customer{{LicenseNumber: "400000"}}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v", found, err)
		}
	}
	ask()
	for range cap(matchings) {
		matchings <- struct{}{}
		defer func() { <-matchings }()
	}
	ask()
}
