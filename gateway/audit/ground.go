package audit

import (
	"cmp"
	"slices"

	"assay.dev/contracts"
)

// Ground is what right percents were computed from, as it was read for an audit.
type Ground struct {
	// Carrier is empty for what is every carrier's: the prices of diesel.
	Carrier contracts.Carrier `json:"carrier,omitempty"`
	// Week is the answer with the one week that a carrier published; nil for prices and tables, which Text describes.
	Week *contracts.Surcharge `json:"week,omitempty"`
	Text string               `json:"text,omitempty"`
	// Evidence are the kept documents of prices and tables. A week names its own.
	Evidence []contracts.Evidence `json:"evidence,omitempty"`
}

// Documents are those that it stands in.
func (g Ground) Documents() []contracts.Evidence {
	if g.Week != nil {
		return g.Week.Verifiability.Evidence
	}
	return g.Evidence
}

// Grounds are what the results of the auditor rest on: each week once, by carriers and days, and then prices and
// tables.
func (a *Auditor) Grounds(results []Audited) (all []Ground) {
	type of struct {
		carrier contracts.Carrier
		start   contracts.Date
	}
	weeks := map[of]bool{}
	for _, r := range results {
		week := of{contracts.Carrier(r.Carrier), r.EffectiveDate}
		if week.start == "" || !r.Verdict.IsResolved() || weeks[week] {
			continue
		}
		weeks[week] = true
		archive := a.archives[week.carrier]
		if read := archive.weeks[archive.weekIndex(week.start)].Read; read != nil {
			all = append(all, Ground{Carrier: week.carrier, Week: new(read())})
		}
	}
	slices.SortFunc(all, func(x, y Ground) int {
		if x.Carrier != y.Carrier {
			return slices.Index(contracts.Carriers, x.Carrier) - slices.Index(contracts.Carriers, y.Carrier)
		}
		return cmp.Compare(x.Week.Weeks[0].EffectiveDate, y.Week.Weeks[0].EffectiveDate)
	})
	if a.agreed != nil {
		all = append(all, a.agreed.Read...)
	}
	return all
}

// IsTruckload tells whether the line was held against a week's percent for truckloads, and not against that for LTL.
func (r Result) IsTruckload(w contracts.SurchargeWeek) bool {
	return r.PublishedPct != nil && w.TruckloadPercent != nil &&
		*r.PublishedPct == PublishedPoints(*w.TruckloadPercent) && *r.PublishedPct != PublishedPoints(w.Percent)
}

// IsDisputed tells whether the line was billed above what is right, and by more than is tolerated.
func (r Result) IsDisputed() bool {
	if !r.Verdict.IsResolved() || slices.Contains([]Verdict{Match, WithinTolerance, Underbilled}, r.Verdict) {
		return false
	}
	if r.RecoverableAmount != nil {
		return *r.RecoverableAmount > 0
	}
	return r.VariancePoints != nil && *r.VariancePoints > 0
}

// Contestability is whether a line that was billed above what is right may still be contested.
type Contestability string

// Whether a line may be contested; empty for a line that is not disputed.
const (
	Contestable Contestability = "contestable"
	Expired     Contestability = "expired"
	// Undated lines are so old that their time may have passed: nobody knows when the bill came.
	Undated Contestability = "undated"
)

// Contestability is that of the line on a day. No bill comes before its shipment. Of a line that is not contested, as
// its reason says, nothing is contestable and nothing expired, also where its amounts are not known.
func (r Result) Contestability(on contracts.Date) Contestability {
	switch {
	case !r.IsDisputed():
		return ""
	case r.ContestBy == "" && r.ShipDate.AddDays(contestDays) < on:
		return Undated
	case r.ContestableAmount != nil && *r.ContestableAmount+or(r.ExpiredAmount, 0) == 0:
		return ""
	case r.ContestBy != "" && r.ContestBy < on:
		return Expired
	}
	return Contestable
}
