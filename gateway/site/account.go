package site

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/usage"
)

// accountContent is what the page of the account shows: of the tenant whose key is used, in that key's environment.
type accountContent struct {
	*keys.Record
	LimitState ratelimit.Decision
	Keys       []keyView
	// Usage is that of the running month. A test key sees what test keys were answered, and nothing of what is charged.
	Usage *monthView
	// Prices are what a live key pays.
	Prices []field
}

type keyView struct {
	keys.Listed
	// State is in use, expired or revoked.
	State string
}

func (s *Site) account(w http.ResponseWriter, r *Request) error {
	c := accountContent{Record: r.Caller, LimitState: s.limitState(r)}
	for _, k := range s.Keys.OfTenant(r.Caller.Environment, r.Caller.Tenant) {
		c.Keys = append(c.Keys, keyView{k, stateOf(k.Usable())})
	}
	c.Prices = s.prices(r.Caller.Products)
	c.Usage = newMonthView(time.Now().UTC(), r.Caller.Tenant, s.Usage)
	if isTest(r) {
		c.Usage.hideCharges()
	}
	return s.writePrivate(w, r, "account", frame{Title: "Account", Path: accountPath, Content: c}, http.StatusOK)
}

// prices are what an answer of each product costs, and a line of what is sent as a list.
func (s *Site) prices(of []contracts.Product) (all []field) {
	for _, p := range of {
		all = append(all, field{"An answer of " + string(p), p.UnitPrice().String()})
		if p == contracts.LTL {
			all = append(all, field{"A line of an audit", s.API.Auditing.Price.String()})
			continue
		}
		all = append(all, field{"A customer whose license is found, or for you to decide", s.API.Matching.Price.String()},
			field{"A delivery of a list that gets a verdict", s.API.Delivering.Price.String()})
	}
	return all
}

func stateOf(usable error) string {
	switch {
	case errors.Is(usable, keys.ErrRevoked):
		return "revoked"
	case errors.Is(usable, keys.ErrExpired):
		return "expired"
	}
	return "in use"
}

// monthView is a tenant's usage of the running month in words and as a chart.
type monthView struct {
	Month string
	// IsKnown is false while the usage cannot be read.
	IsKnown bool
	Total   contracts.Price
	// Tested is the number of answers to test keys.
	Tested int
	// Days are those with usage of live keys.
	Days []usage.Day
	// Bars are the days of the month up to today; Text says what they show, for who does not see them.
	Bars []dayBar
	Text string
}

// dayBar is one day of the chart: a bar from the bottom, as high as its share of the dearest day.
type dayBar struct {
	X, Y, Height int
	Title        string
}

// The chart's measures, in units of its picture.
const (
	barWidth    = 10
	chartHeight = 60
)

func newMonthView(now time.Time, tenant string, from *usage.Running) *monthView {
	v := &monthView{Month: usage.Month(now)}
	if v.Days, v.IsKnown = from.Of(tenant, now); !v.IsKnown {
		return v
	}
	spent := make([]contracts.Price, now.Day())
	var most contracts.Price
	dearest := 1
	for _, d := range v.Days {
		v.Tested += d.Tested
		day := min(d.Date.Time().Day(), now.Day())
		v.Total += d.Price
		if spent[day-1] += d.Price; spent[day-1] > most {
			most, dearest = spent[day-1], day
		}
	}
	v.Days = slices.DeleteFunc(v.Days, func(d usage.Day) bool { return d.Answers+d.Lines == 0 })
	for i, price := range spent {
		b := dayBar{X: barWidth * i, Title: fmt.Sprintf("%s-%02d: %s USD", v.Month, i+1, price)}
		if most > 0 {
			b.Height = int((chartHeight*price + most - 1) / most) // a day with any usage has a bar
		}
		b.Y = chartHeight - b.Height
		v.Bars = append(v.Bars, b)
	}
	v.Text = fmt.Sprintf("%s USD in %s; most, %s USD, on %s-%02d", v.Total, lines.Plural(now.Day(), "day"), most, v.Month,
		dearest)
	return v
}

// hideCharges leaves what test keys were answered.
func (v *monthView) hideCharges() {
	*v = monthView{Month: v.Month, IsKnown: v.IsKnown, Tested: v.Tested}
}

// limitState is where the limit of the tenant stands. Looking at it does not count.
func (s *Site) limitState(r *Request) ratelimit.Decision {
	return s.Limiter.Peek(ratelimit.Tenant{Environment: r.Caller.Environment, Name: r.Caller.Tenant}, r.Caller.Limit)
}
