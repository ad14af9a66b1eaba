package surcharge

import "slices"

// shape is what the values of a column look like, all rows together.
type shape struct {
	rows    int
	days    int
	figures int
	texts   int
	units   [perMile + 1]int
	about   mark // what the words beside the figures say
	values  []float64
	fine    int // figures with two decimals or more
	whole   int // figures without decimals
}

func shapeOf(rows []row, column int) shape {
	s := shape{values: make([]float64, 0, len(rows))}
	for i := range rows {
		if rows[i].broken {
			continue
		}
		s.rows++
		switch v := &rows[i].values[column]; v.kind {
		case days:
			s.days++
		case text:
			s.texts++
		case figure:
			s.figures++
			s.units[v.q.unit]++
			s.about |= v.q.about
			s.values = append(s.values, v.q.value)
			if v.q.decimals >= 2 {
				s.fine++
			}
			if v.q.decimals == 0 {
				s.whole++
			}
		}
	}
	slices.Sort(s.values)
	return s
}

// most tells whether n is a clear majority of the rows that say something.
func (s shape) most(n int) bool {
	return n > 0 && 10*n >= 6*(s.days+s.figures+s.texts) && 2*n >= s.rows
}

func (s shape) dated() bool   { return s.most(s.days) }
func (s shape) numeric() bool { return s.most(s.figures) }

// unit is the mark that the figures carry; a unit that only some of them carry counts when most do.
func (s shape) unit() unit {
	for u := percent; u <= perMile; u++ {
		if 2*s.units[u] > s.figures {
			return u
		}
	}
	return bare
}

func (s shape) median() float64 { return s.values[len(s.values)/2] }
func (s shape) least() float64  { return s.values[0] }

// within tells whether most figures lie in (low, high].
func (s shape) within(low, high float64) bool {
	n := 0
	for _, v := range s.values {
		if v > low && v <= high {
			n++
		}
	}
	return s.most(n)
}

// The bounds of what is plausible: percents of 2000 to 2030, US dollars per gallon.
const (
	leastPercent, mostPercent = 3.0, 100.0
	leastDiesel, mostDiesel   = 1.0, 15.0
)

// priceLike tells whether bare figures look like dollars per gallon rather than percents.
func (s shape) priceLike() bool {
	return s.within(leastDiesel, 10) && 2*s.fine > s.figures && s.median() < 9
}

// percentScale is what the figures are multiplied by to be percents: 1, 100 for fractions, 0 when they are no percents.
func (s shape) percentScale() float64 {
	switch unit := s.unit(); {
	case unit != percent && unit != bare:
		return 0
	case unit == percent && s.within(0, mostPercent) && s.median() >= leastPercent:
		return 1
	case unit == percent:
		return 0
	case s.values[len(s.values)-1] < 1 && s.least() >= leastPercent/100 && 2*s.fine > s.figures:
		return 100
	case s.priceLike() || !s.within(0, mostPercent) || s.median() < leastPercent:
		return 0
	}
	return 1
}

// dieselScale is what the figures are multiplied by to be dollars per gallon; 0 when they are no such prices.
func (s shape) dieselScale(inCents bool) float64 {
	switch unit := s.unit(); {
	case unit == percent || unit == perMile:
		return 0
	case s.within(leastDiesel, mostDiesel) && unit != cents:
		return 1
	case s.within(100*leastDiesel, 100*mostDiesel) && (inCents || unit == cents || unit == bare):
		return 0.01
	}
	return 0
}
