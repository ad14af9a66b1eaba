package column

import (
	"slices"

	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// Shape is what the values of a column look like, all rows together. Broken rows do not count.
type Shape struct {
	Rows, Dates, Figures, Texts int // cells of each kind
	// About is what the words beside the figures mean.
	About meaning.Set
	// Values are the figures, sorted.
	Values []float64
	// Fine counts the figures with two decimals or more, Whole those without decimals, Thousandths those with three
	// decimals.
	Fine, Whole, Thousandths int

	units [cell.PerMile + 1]int
}

// ShapeOf looks at one column of the rows.
func ShapeOf(rows []document.Row, column int) Shape {
	s := Shape{Values: make([]float64, 0, len(rows))}
	for i := range rows {
		if rows[i].Broken {
			continue
		}
		s.Rows++
		switch v := rows[i].Cells[column]; v.Kind {
		case cell.Dates:
			s.Dates++
		case cell.Text:
			s.Texts++
		case cell.Figure:
			s.addQuantity(v.Quantity)
		}
	}
	slices.Sort(s.Values)
	return s
}

func (s *Shape) addQuantity(q cell.Quantity) {
	s.Figures++
	s.units[q.Unit]++
	s.About |= q.About
	s.Values = append(s.Values, q.Value)
	switch {
	case q.Decimals == 0:
		s.Whole++
	case q.Decimals >= 2:
		s.Fine++
	}
	if q.Decimals == 3 {
		s.Thousandths++
	}
}

// IsEmpty tells whether no cell of the column says anything.
func (s *Shape) IsEmpty() bool { return s.Dates+s.Figures+s.Texts == 0 }

// IsMost tells whether n cells are a clear majority of those that say something.
func (s *Shape) IsMost(n int) bool {
	return n > 0 && 10*n >= 6*(s.Dates+s.Figures+s.Texts) && 2*n >= s.Rows
}

// IsDated tells whether the column holds dates.
func (s *Shape) IsDated() bool { return s.IsMost(s.Dates) }

// IsNumeric tells whether the column holds numbers.
func (s *Shape) IsNumeric() bool { return s.IsMost(s.Figures) }

// Unit is the unit of most figures; [cell.Bare] when most have none.
func (s *Shape) Unit() cell.Unit {
	for u := cell.Percent; u <= cell.PerMile; u++ {
		if 2*s.units[u] > s.Figures {
			return u
		}
	}
	return cell.Bare
}

// Least is the smallest figure. Like Greatest and Median it needs a figure.
func (s *Shape) Least() float64 { return s.Values[0] }

// Greatest is the largest figure.
func (s *Shape) Greatest() float64 { return s.Values[len(s.Values)-1] }

// Median is the figure in the middle.
func (s *Shape) Median() float64 { return s.Values[len(s.Values)/2] }

// IsWithin tells whether most figures lie above low and not above high.
func (s *Shape) IsWithin(low, high float64) bool {
	n := 0
	for _, v := range s.Values {
		if v > low && v <= high {
			n++
		}
	}
	return s.IsMost(n)
}
