package surcharge

import "fmt"

// pickDiesel takes the national diesel price where the rule wants one. Where several columns could be it, none is.
func (a *assignment) pickDiesel() *Refusal {
	if a.rule.Diesel == Absent {
		return nil
	}
	best, rank, count := -1, 0, 0
	for c := range a.columns {
		switch r := a.dieselRank(c); {
		case r > rank:
			best, rank, count = c, r, 1
		case r == rank && r > 0 && !a.same(best, c):
			count++
		}
	}
	if best >= 0 && count == 1 {
		a.roles.diesel, a.roles.dieselScale = best, a.dieselOf(best)
	}
	return nil
}

func (a *assignment) dieselRank(c int) int {
	h, s := a.columns[c], a.shapes[c]
	if !s.numeric() || c == a.roles.percent || a.dieselOf(c) == 0 || h.refused() {
		return 0
	}
	switch {
	case !a.headed && len(h.levels) == 0:
		if thousandths(a.rows, c) {
			return 1
		}
		return 0
	case h.is(mIndex) && !h.is(mPrice|mFuel) && 2*s.whole > s.figures: // the numbers of the rows
		return 0
	case h.is(mPercent|mLTL|mTL|mBound) || !h.is(mPrice|mIndex|mFuel|mUS):
		return 0
	case h.is(mUnknown):
		return 1
	case h.is(mUS):
		return 3
	}
	return 2
}

// thousandths tells whether the column's figures are printed as the EIA prints prices: to a tenth of a cent.
func thousandths(rows []row, c int) bool {
	n, all := 0, 0
	for _, r := range rows {
		if !r.broken && r.values[c].kind == figure {
			all++
			if r.values[c].q.decimals == 3 {
				n++
			}
		}
	}
	return 2*n > all
}

// The bounds of percent points per dollar of diesel. Carriers lie between 5 and 13.
const leastRatio, mostRatio = 2, 25

// checkRatio refuses percents and prices that cannot belong together.
func (a *assignment) checkRatio() *Refusal {
	if a.roles.diesel < 0 {
		return nil
	}
	ratio := a.shapes[a.roles.percent].median() * a.roles.percentScale / (a.shapes[a.roles.diesel].median() * a.roles.dieselScale)
	if ratio < leastRatio || ratio > mostRatio {
		return &Refusal{Implausible, fmt.Sprintf("%.1f percent points per dollar", ratio)}
	}
	return nil
}
