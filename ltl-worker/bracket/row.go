package bracket

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/document/cell"
)

// The bounds of what is plausible: US dollars a gallon, and percents.
const (
	mostPrice   = 20.0
	mostPercent = 250.0
)

// priceRange matches both prices of a bracket in one cell: "$3.000 - $3.039", "5.57 to 5.60".
var priceRange = regexp.MustCompile(`^\s*\$?\s*(\d{1,2}\.\d{1,4})\s*(?:-|–|—|to)\s*\$?\s*(\d{1,2}\.\d{1,4})\s*$`)

// isRange tells whether most cells of a column hold both prices of a bracket.
func isRange(rows []document.Row, column int) bool {
	n := 0
	for _, r := range rows {
		if !r.Broken && priceRange.MatchString(r.Cells[column].Text) {
			n++
		}
	}
	return 2*n > len(rows)
}

// bracket reads one row. It is false where a price or the LTL percent cannot be read.
func (c columns) bracket(r document.Row) (b contracts.Bracket, ok bool) {
	if r.Broken {
		return b, false
	}
	b.AtLeastUSD, b.LessThanUSD, ok = c.prices(r)
	ltl, isPercent := percentIn(r.Cells[c.ltl])
	if !ok || !isPercent {
		return b, false
	}
	b.Percent = ltl
	if c.truckload != none {
		if p, ok := percentIn(r.Cells[c.truckload]); ok && p >= ltl {
			b.TruckloadPercent = &p
		}
	}
	return b, true
}

func (c columns) prices(r document.Row) (low, high float64, ok bool) {
	if c.low == c.high {
		m := priceRange.FindStringSubmatch(r.Cells[c.low].Text)
		if m == nil {
			return 0, 0, false
		}
		low, _ = strconv.ParseFloat(m[1], 64) // the expression matches numbers alone
		high, _ = strconv.ParseFloat(m[2], 64)
		return low, high, true
	}
	from, to := r.Cells[c.low], r.Cells[c.high]
	return from.Quantity.Value, to.Quantity.Value, from.Kind == cell.Figure && to.Kind == cell.Figure
}

func percentIn(v *cell.Value) (percent float64, ok bool) {
	q := v.Quantity
	return q.Value, v.Kind == cell.Figure && q.Unit == cell.Percent && q.Value >= 0 && q.Value <= mostPercent
}

// settle checks the rows as a whole. Where each row ends a tenth of a cent or a cent before the next one begins, its
// end is included, such as "$3.000 - $3.039" before "$3.040 - $3.079": the rows then end where the next ones begin.
func settle(rows []contracts.Bracket) error {
	if len(rows) < minRows {
		return errors.New("too few rows with two prices and a percent")
	}
	gap := mills(rows[1].AtLeastUSD) - mills(rows[0].LessThanUSD)
	if gap != 0 && gap != 1 && gap != 10 {
		return fmt.Errorf("the rows do not follow one another: %v and %v", rows[0], rows[1])
	}
	for i := range rows {
		b := &rows[i]
		b.AtLeastUSD, b.LessThanUSD = float64(mills(b.AtLeastUSD))/1000, float64(mills(b.LessThanUSD)+gap)/1000
		switch {
		case b.LessThanUSD <= b.AtLeastUSD:
			return fmt.Errorf("a row ends at or before its beginning: %v", *b)
		case i > 0 && mills(rows[i-1].LessThanUSD) != mills(b.AtLeastUSD):
			return fmt.Errorf("the rows do not follow one another: %v and %v", rows[i-1], *b)
		case i > 0 && b.Percent < rows[i-1].Percent:
			return fmt.Errorf("a higher price has a lower percent: %v and %v", rows[i-1], *b)
		}
	}
	return nil
}

// mills is a price in tenths of a cent, which is exact where a float is not.
func mills(usd float64) int { return int(math.Round(usd * 1000)) }
