package column

import (
	"math"

	"assay.dev/ltl-worker/document/cell"
)

// The bounds of what is plausible: percents of the years 2000 to 2030, and US dollars per gallon.
const (
	leastPercent, mostPercent = 3.0, 100.0
	leastDiesel, mostDiesel   = 1.0, 15.0
)

// percentFactor is what the figures are multiplied by to be percents: 1, 100 for fractions such as 0.4632, 0 when
// they are no percents.
func percentFactor(s *Shape) float64 {
	if !s.IsNumeric() {
		return 0
	}
	plausible := s.IsWithin(0, mostPercent) && s.Median() >= leastPercent
	switch unit := s.Unit(); {
	case unit == cell.Percent && plausible:
		return 1
	case unit != cell.Bare:
		return 0
	case looksLikeFractions(s):
		return 100
	case looksLikePrices(s) || !plausible:
		return 0
	}
	return 1
}

func looksLikeFractions(s *Shape) bool {
	return s.Greatest() < 1 && s.Least() >= leastPercent/100 && 2*s.Fine > s.Figures
}

// looksLikePrices tells whether figures without a unit look like dollars per gallon rather than percents.
func looksLikePrices(s *Shape) bool {
	return 2*s.Fine > s.Figures && s.Median() < 9
}

// dieselFactor is what the figures are multiplied by to be dollars per gallon: 1, 0.01 for cents, 0 when they are no
// such prices.
func dieselFactor(s *Shape) float64 {
	switch unit := s.Unit(); {
	case unit == cell.Percent || unit == cell.PerMile:
		return 0
	case unit != cell.Cents && s.IsWithin(leastDiesel, mostDiesel):
		return 1
	case (unit == cell.Cents || unit == cell.Bare) && s.IsWithin(100*leastDiesel, 100*mostDiesel):
		return 0.01
	}
	return 0
}

// rounded removes the noise of the binary form from a multiplied figure.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }
