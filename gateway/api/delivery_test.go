package api

import (
	"testing"
	"testing/synctest"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/portfolio"
)

// At night a day has passed in one state and not yet in another.
func TestADayIsPastByTheDayOfTheLicensesStates(t *testing.T) {
	california, florida := portfolio.License{State: contracts.CA}, portfolio.License{State: contracts.FL}
	synctest.Test(t, func(t *testing.T) {
		<-time.After(5*time.Hour + 30*time.Minute) // this clock begins with the year 2000 in UTC
		for _, c := range []struct {
			query  string
			all    []portfolio.License
			isPast bool
		}{
			{"on=1999-12-31", []portfolio.License{california}, false}, {"on=1999-12-31", []portfolio.License{florida}, true},
			{"on=1999-12-31", []portfolio.License{california, florida}, true}, {"on=2000-01-01", []portfolio.License{california, florida}, false},
			{"", []portfolio.License{california, florida}, false},
		} {
			var r Request
			r.Reset(stopsEndpoint)
			r.Query, r.Path = c.query, "bars"
			if err := r.check(); err != nil {
				t.Fatal(err)
			}
			if on, err := r.deliveryDay(portfolio.StatesOf(c.all)...); (contracts.CodeOf(err) == contracts.InvalidRequest) != c.isPast {
				t.Errorf("%q in %+v: %s, %v", c.query, c.all, on, err)
			}
		}
	})
}
