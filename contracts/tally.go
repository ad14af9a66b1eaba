package contracts

// Tally counts how many of the items that a source must give were extracted cleanly.
type Tally struct {
	Clean    int `json:"clean"`
	Required int `json:"required"`
}

// TallyOf counts items by whether each is clean.
func TallyOf(clean ...bool) Tally {
	t := Tally{Required: len(clean)}
	for _, c := range clean {
		if c {
			t.Clean++
		}
	}
	return t
}

// Add sums two tallies.
func (t Tally) Add(other Tally) Tally {
	return Tally{Clean: t.Clean + other.Clean, Required: t.Required + other.Required}
}

// Times is the sum of n tallies that are alike.
func (t Tally) Times(n int) Tally { return Tally{Clean: n * t.Clean, Required: n * t.Required} }

// Lowest is the one of both whose ratio is lower. A tally that requires nothing says nothing: the other one is
// returned. For example, of 25 of 27 items (0.92) and 2 of 3 items (0.66) it is the latter.
func (t Tally) Lowest(other Tally) Tally {
	switch {
	case other.Required <= 0:
		return t
	case t.Required <= 0 || other.Clean*t.Required < t.Clean*other.Required:
		return other
	}
	return t
}

// Confidence is Clean ÷ Required rounded down to 2 decimals: 8 of 9 are 0.88. It is 0 when nothing was required: an
// answer that could not be checked deserves no confidence.
func (t Tally) Confidence() float64 {
	if t.Required <= 0 {
		return 0
	}
	return float64(100*t.Clean/t.Required) / 100
}
