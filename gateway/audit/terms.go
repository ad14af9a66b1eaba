package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"assay.dev/contracts"
)

// Basis is what the percent of a term is made of.
type Basis string

// The bases.
const (
	// Published is the carrier's percent of the week.
	Published Basis = "published"
	// TableAsOf is the percent of the carrier's bracket table as it stood on a day.
	TableAsOf Basis = "table_as_of"
	// OwnBrackets is the percent of the brackets that were agreed.
	OwnBrackets Basis = "brackets"
	// Pegged is a percent at a price, and so many points for each step of the price.
	Pegged Basis = "peg"
)

// Bases lists all.
var Bases = []Basis{Published, TableAsOf, OwnBrackets, Pegged}

// DateBasis is the date of a line whose day is priced.
type DateBasis string

// The dates that a line may have.
const (
	ByShipDate DateBasis = "ship"
	ByPickup   DateBasis = "pickup"
	ByDelivery DateBasis = "delivery"
	ByInvoice  DateBasis = "invoice"
)

// DateBases lists all.
var DateBases = []DateBasis{ByShipDate, ByPickup, ByDelivery, ByInvoice}

// Term is what a shipper agreed with a carrier for some days.
//
//	percent = round(min(max(basis × multiplier − discount_points, floor_pct), cap_pct), decimals)
//	amount  = max(base_amount × percent ÷ 100, rounded half up to a cent, min_amount)
type Term struct {
	Carrier contracts.Carrier `json:"carrier"`
	From    contracts.Date    `json:"from" jsonschema:"The first ship date that the term is for."`
	To      contracts.Date    `json:"to,omitempty" jsonschema:"The last one; absent for no end."`
	Basis   Basis             `json:"basis" jsonschema:"published: the carrier's week; table_as_of: its bracket table as it stood on the day as_of; brackets: your own; peg: a percent at a price and so many points a step."`
	// AsOf is the day of a [TableAsOf].
	AsOf     contracts.Date  `json:"as_of,omitempty" jsonschema:"The day on which the carrier's table stood so, for table_as_of."`
	Brackets []AgreedBracket `json:"brackets,omitempty" jsonschema:"For brackets: in the order of prices, without a gap."`
	Peg      *Peg            `json:"peg,omitempty"`

	Multiplier     *Points   `json:"multiplier,omitempty" csv:"number" jsonschema:"Default 1."`
	DiscountPoints *Points   `json:"discount_points,omitempty" csv:"number" jsonschema:"Default 0."`
	FloorPct       *Points   `json:"floor_pct,omitempty" csv:"number" jsonschema:"Default 0."`
	CapPct         *Points   `json:"cap_pct,omitempty" csv:"number" jsonschema:"Default none."`
	MinAmount      *Cents    `json:"min_amount,omitempty" csv:"number" jsonschema:"Default 0."`
	Decimals       *Count    `json:"decimals,omitempty" jsonschema:"Of the percent, 0 to 4. Default 2."`
	LagWeeks       Count     `json:"lag_weeks,omitempty" jsonschema:"By how many weeks the price of diesel is older than the one of the day. Default 0."`
	DateBasis      DateBasis `json:"date_basis,omitempty" jsonschema:"Which date of a line is priced: ship (the default), pickup, delivery or invoice."`
}

// AgreedBracket is a percent while diesel costs at least FromUSD and less than ToUSD, which the last one may leave out.
type AgreedBracket struct {
	FromUSD Points  `json:"from_usd" csv:"number" jsonschema:"The lowest price of the bracket, in USD a gallon."`
	ToUSD   *Points `json:"to_usd,omitempty" csv:"number" jsonschema:"The price at which the next one begins; the last one may leave it out."`
	Percent Points  `json:"pct" csv:"number"`
}

// Peg is a percent at a price: BasePct, and StepPct for each whole step above BaseUSD, less for each step begun below.
type Peg struct {
	BaseUSD Points `json:"base_usd" csv:"number" jsonschema:"The price in USD a gallon at which the percent is base_pct."`
	BasePct Points `json:"base_pct" csv:"number"`
	StepUSD Points `json:"step_usd" csv:"number" jsonschema:"By how much the price changes for a step."`
	StepPct Points `json:"step_pct" csv:"number" jsonschema:"The points that a step makes."`
}

// What a contract may hold.
const (
	MaxTerms    = 200
	maxBrackets = 500
	maxLag      = 52
	maxDecimals = 4
	// defaultDecimals are those of a percent.
	defaultDecimals = 2
)

// Contract is what a shipper agreed with its carriers.
type Contract struct {
	Name  string `json:"name"`
	Terms []Term `json:"terms"`
}

// Validate refuses what cannot be applied to a line in one way only, or cannot be meant. Its error names the place.
func (c Contract) Validate(today contracts.Date) error {
	if len(c.Terms) == 0 || len(c.Terms) > MaxTerms {
		return Violation(-1, "", "want 1 to %d terms", MaxTerms)
	}
	for i, t := range c.Terms {
		err := t.validate(i, today)
		if err == nil {
			err = t.validateBrackets(i)
		}
		if err == nil {
			err = t.meant(i)
		}
		if err != nil {
			return err
		}
		for j, earlier := range c.Terms[:i] {
			if earlier.Carrier == t.Carrier && (t.To == "" || earlier.From <= t.To) &&
				(earlier.To == "" || t.From <= earlier.To) {
				return Violation(i, "from", "term %d and term %d of %s are both for %s; end one before the other begins",
					j+1, i+1, t.Carrier, max(t.From, earlier.From))
			}
		}
	}
	return nil
}

// Violation is the refusal of a member of a term by its place; below zero of all terms.
func Violation(i int, member, format string, args ...any) error {
	text, loc, where := fmt.Sprintf(format, args...), []string{"body", "terms"}, ""
	if i >= 0 {
		loc, where = append(loc, strconv.Itoa(i)), fmt.Sprintf("term %d: ", i+1)
	}
	msg := where + text
	if member != "" {
		loc, where = append(loc, member), where+member+": "
	}
	return &contracts.Error{
		Code: contracts.InvalidRequest, Message: where + text,
		Violations: []contracts.Violation{{Loc: loc, Msg: msg, Type: "value_error"}},
	}
}

func (t Term) validate(i int, today contracts.Date) error {
	fail := func(member, format string, args ...any) error { return Violation(i, member, format, args...) }
	isOf := func(basis Basis) bool { return t.Basis == basis }
	switch {
	case !slices.Contains(contracts.Carriers, t.Carrier):
		return fail("carrier", "want one of %v", contracts.Carriers)
	case t.From == "" || t.From < FirstDay || t.From > lastDay:
		return fail("from", "want a day from %s to %s", FirstDay, lastDay)
	case t.To != "" && (t.To < t.From || t.To > lastDay):
		return fail("to", "want a day from %s to %s", t.From, lastDay)
	case !slices.Contains(Bases, t.Basis):
		return fail("basis", "want one of %v", Bases)
	case isOf(TableAsOf) != (t.AsOf != ""):
		return fail("as_of", "table_as_of needs as_of, and nothing else has it")
	case t.AsOf > today:
		return fail("as_of", "want %s, today, at most", today)
	case isOf(OwnBrackets) != (len(t.Brackets) > 0):
		return fail("brackets", "the basis brackets needs brackets, and nothing else has them")
	case isOf(Pegged) != (t.Peg != nil):
		return fail("peg", "the basis peg needs peg, and nothing else has it")
	case isOf(Published) && t.LagWeeks != 0:
		return fail("lag_weeks", "what the carrier publishes has its own lag")
	case t.LagWeeks < 0 || t.LagWeeks > maxLag:
		return fail("lag_weeks", "want 0 to %d", maxLag)
	case t.DateBasis != "" && !slices.Contains(DateBases, t.DateBasis):
		return fail("date_basis", "want one of %v", DateBases)
	case t.Decimals != nil && (*t.Decimals < 0 || *t.Decimals > maxDecimals):
		return fail("decimals", "want 0 to %d", maxDecimals)
	case t.CapPct != nil && *t.CapPct < or(t.FloorPct, 0):
		return fail("cap_pct", "it is below floor_pct")
	case t.isNegative():
		return fail("", "no number may be negative")
	case isOf(Pegged) && t.Peg.StepUSD == 0:
		return fail("peg", "step_usd is 0")
	}
	return nil
}

// validateBrackets wants brackets that follow one another, and percents that never fall.
func (t Term) validateBrackets(i int) error {
	fail := func(n int, format string, args ...any) error {
		return Violation(i, "brackets", "bracket %d "+format, append([]any{n + 1}, args...)...)
	}
	if len(t.Brackets) > maxBrackets {
		return Violation(i, "brackets", "at most %d brackets are allowed", maxBrackets)
	}
	for n, b := range t.Brackets {
		isLast := n == len(t.Brackets)-1
		switch {
		case b.ToUSD == nil && !isLast:
			return fail(n, "has no to_usd, which only the last one may leave out")
		case b.ToUSD != nil && *b.ToUSD <= b.FromUSD:
			return fail(n, "ends at %v, where it begins or before", *b.ToUSD)
		case !isLast && *b.ToUSD < t.Brackets[n+1].FromUSD:
			return fail(n, "ends at %v, and the next one begins at %v: that is a gap", *b.ToUSD, t.Brackets[n+1].FromUSD)
		case !isLast && *b.ToUSD > t.Brackets[n+1].FromUSD:
			return fail(n, "ends at %v, and the next one begins at %v: they overlap", *b.ToUSD, t.Brackets[n+1].FromUSD)
		case !isLast && t.Brackets[n+1].Percent < b.Percent:
			return fail(n+1, "has a lower percent than the one before")
		}
	}
	return nil
}

func (t Term) isNegative() bool {
	all := []int64{
		int64(or(t.Multiplier, 0)), int64(or(t.DiscountPoints, 0)), int64(or(t.FloorPct, 0)), int64(or(t.CapPct, 0)),
		int64(or(t.MinAmount, 0)),
	}
	if t.Peg != nil {
		all = append(all, int64(t.Peg.BaseUSD), int64(t.Peg.BasePct), int64(t.Peg.StepUSD), int64(t.Peg.StepPct))
	}
	for _, b := range t.Brackets {
		all = append(all, int64(b.FromUSD), int64(b.Percent), int64(or(b.ToUSD, 0)))
	}
	return slices.Min(all) < 0
}

func or[N any](given *N, absent N) N {
	if given == nil {
		return absent
	}
	return *given
}

// on is the place of the term of a carrier for a ship date; ok is false for none.
func (c Contract) on(carrier contracts.Carrier, shipDate contracts.Date) (i int, ok bool) {
	i = slices.IndexFunc(c.Terms, func(t Term) bool {
		return t.Carrier == carrier && t.From <= shipDate && (t.To == "" || shipDate <= t.To)
	})
	return i, i >= 0
}

// priced is the day of a line that is priced; empty where the line does not have it.
func (t Term) priced(l Line) contracts.Date {
	switch cmp.Or(t.DateBasis, ByShipDate) {
	case ByPickup:
		return l.PickupDate
	case ByDelivery:
		return l.DeliveryDate
	case ByInvoice:
		return l.InvoiceDate
	}
	return l.ShipDate
}

// monday is the Monday whose price a day is priced by: the newest that was published by so many weeks before. A
// Monday's price counts as published from the day after on.
func (t Term) monday(day contracts.Date) contracts.Date {
	last := day.AddDays(-7*int(t.LagWeeks) - 1) // the newest day whose price may be known
	return last.AddDays(-(int(last.Time().Weekday()) + 6) % 7)
}

// atPrice is the percent of the term's own basis at a price; ok is false for a price outside of its brackets.
func (t Term) atPrice(price Points) (percent Points, ok bool) {
	if t.Basis == Pegged {
		steps := int64(math.Floor(float64(price-t.Peg.BaseUSD) / float64(t.Peg.StepUSD)))
		return min(t.Peg.BasePct+Points(steps)*t.Peg.StepPct, maxPoints), true
	}
	for _, b := range t.Brackets {
		if b.FromUSD <= price && (b.ToUSD == nil || price < *b.ToUSD) {
			return b.Percent, true
		}
	}
	return 0, false
}

// percent applies the term to the percent of its basis.
func (t Term) percent(basis Points) Points {
	const exact = int64(onePoint) // of the multiplier's decimals
	v := min(max(t.exact(basis), int64(or(t.FloorPct, 0))*exact), int64(maxPoints)*exact)
	if t.CapPct != nil {
		v = min(v, int64(*t.CapPct)*exact)
	}
	unit := exact
	for range pointDecimals - int(or(t.Decimals, defaultDecimals)) {
		unit *= 10
	}
	return Points((v + unit/2) / unit * unit / exact)
}

// exact is the percent before it is bounded and rounded, with the decimals of the multiplier besides its own.
func (t Term) exact(basis Points) int64 {
	return int64(basis)*int64(or(t.Multiplier, onePoint)) - int64(or(t.DiscountPoints, 0))*int64(onePoint)
}
