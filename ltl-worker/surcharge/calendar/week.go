package calendar

import "slices"

// Weekly tells whether days follow one another in weeks. Zeros and repeated days are ignored. A holiday may move a
// few days by one, and weeks may be missing; a monthly or a daily list is not weekly.
func Weekly(days []Day) bool {
	days = distinct(days)
	gaps := make([]Day, 0, len(days))
	regular := 0
	for i := 1; i < len(days); i++ {
		gap := days[i] - days[i-1]
		gaps = append(gaps, gap)
		if gap%7 == 0 || gap == 6 || gap == 8 {
			regular++
		}
	}
	slices.Sort(gaps)
	return len(gaps) == 0 || 10*regular >= 7*len(gaps) && gaps[len(gaps)/2] <= 14
}

// distinct sorts the days and removes zeros and repetitions.
func distinct(days []Day) []Day {
	days = slices.Clone(days)
	slices.Sort(days)
	days = slices.Compact(days)
	if len(days) > 0 && days[0] == 0 {
		days = days[1:]
	}
	return days
}

// Known counts the days that are not 0.
func Known(days []Day) int {
	n := 0
	for _, d := range days {
		if d != 0 {
			n++
		}
	}
	return n
}

// DropMistyped sets days to 0 that are probably typing errors: they are not on the weekday of the other days, and
// they are not a week away from a neighbour. A holiday moves a day by one, but keeps it a week away from its
// neighbours.
func DropMistyped(days []Day) {
	var counts [7]int
	known := make([]Day, 0, len(days))
	for _, d := range days {
		if d != 0 {
			counts[d.Weekday()]++
			known = append(known, d)
		}
	}
	most := slices.Max(counts[:])
	if len(known) < 5 || 10*most < 7*len(known) {
		return // too few days to know the usual weekday
	}
	usual := slices.Index(counts[:], most)
	for i, d := range days {
		if d != 0 && int(d.Weekday()) != usual && !aWeekFromNeighbours(d, known) {
			days[i] = 0
		}
	}
}

// aWeekFromNeighbours tells whether another day is about a week away from d, and none is closer.
func aWeekFromNeighbours(d Day, days []Day) bool {
	near := false
	for _, other := range days {
		gap := d - other
		gap = max(gap, -gap)
		if gap > 0 && gap < 5 {
			return false
		}
		near = near || gap > 0 && gap <= 9
	}
	return near
}
