package surcharge

import "fmt"

// How surely a column is the LTL percent, from its heading. Less than implied is not enough.
const (
	rival   = -1 // percents of something unknown: what is not headed LTL could as well be this
	implied = 1  // percents without a heading
	general = 2  // headed surcharge, and nothing against it
	mixed   = 3  // headed LTL with words that are not known
	stated  = 4  // headed LTL
)

// pickPercent takes the LTL percent: the column that says so best, and only one.
func (a *assignment) pickPercent() *Refusal {
	best, rank, count, rivals := -1, 0, 0, 0
	for c := range a.columns {
		switch r := a.percentRank(c); {
		case r == rival:
			rivals++
		case r > rank:
			rivals += count
			best, rank, count = c, r, 1
		case r > 0 && best >= 0 && a.same(best, c):
		case r == rank && r > 0:
			count++
		case r > 0:
			rivals++
		}
	}
	switch {
	case best < 0:
		return &Refusal{NoTable, "no column of LTL percents"}
	case count > 1, rank <= general && rivals > 0, a.headed && rank == implied && (a.unheaded() > 1 || a.percents() > 1):
		return &Refusal{Ambiguous, "more than one column could hold the LTL percent"}
	case !a.aboutFuel():
		return &Refusal{NoTable, "nothing says that the percents are fuel surcharges"}
	}
	if line := a.foreignLine(rank >= mixed); line != "" {
		return &Refusal{NoTable, fmt.Sprintf("stands under %q", line)}
	}
	a.roles.percent, a.roles.explicit = best, rank >= mixed
	a.roles.percentScale = a.shapes[best].percentScale()
	return a.checkTruckload()
}

// foreignLine is the line over the sheet that puts it out of consideration; "" for none. The outermost one is the title of
// the whole site, which lists all that a carrier does: a column headed LTL need not mind what services it names.
func (a *assignment) foreignLine(headedLTL bool) string {
	for i, line := range a.context {
		title := i == 0 && len(a.context) > 1 && headedLTL && a.rule.meaning(line)&mAbroad == 0
		if !title && a.rule.foreign(line, headedLTL) && !a.overruled(i) {
			return line
		}
	}
	return ""
}

// percents counts the columns of figures marked as percents.
func (a *assignment) percents() int {
	n := 0
	for _, s := range a.shapes {
		if s.numeric() && s.unit() == percent {
			n++
		}
	}
	return n
}

// overruled tells whether a line further in than line i speaks of LTL or of this country again.
func (a *assignment) overruled(i int) bool {
	for _, inner := range a.context[i+1:] {
		if a.rule.meaning(inner)&(mLTL|mUS) != 0 && !a.rule.foreign(inner, false) {
			return true
		}
	}
	return false
}

func (a *assignment) percentRank(c int) int {
	h, s := a.columns[c], a.shapes[c]
	if !s.numeric() || s.percentScale() == 0 || h.refused() {
		return 0
	}
	mode := h.mode
	if mode == 0 {
		mode = s.about & (mLTL | mTL)
	}
	marked := s.unit() == percent
	switch {
	case s.about&mService != 0, mode&mTL != 0, h.is(mBound) && mode == 0, h.is(mPrice|mIndex) && !marked && s.median() <= mostDiesel:
		return 0
	case mode == mLTL && h.is(mUnknown):
		return mixed
	case mode == mLTL:
		return stated
	case h.is(mUnknown):
		if marked {
			return rival
		}
		return 0
	case h.is(mPercent) && !h.is(mDate):
		return general
	case marked && (len(h.levels) == 0 || h.is(mFuel) && h.marks&^(mNeutral|mFuel|mUS) == 0):
		return implied
	case marked && h.marks&^(mNeutral|mUS) == 0:
		return rival
	}
	return 0
}

// aboutFuel tells whether the sheet says anywhere that it is about fuel.
func (a *assignment) aboutFuel() bool {
	if a.fuel {
		return true
	}
	for c, h := range a.columns {
		if h.is(mFuel) || h.is(mPrice|mIndex) && a.shapes[c].numeric() && a.dieselOf(c) != 0 {
			return true
		}
	}
	for _, line := range a.context {
		if a.rule.meaning(line)&mFuel != 0 {
			return true
		}
	}
	return false
}

// checkTruckload notes the truckload percents and refuses a sheet whose LTL percents are the higher ones: a truckload
// pays more everywhere, so the two columns were swapped.
func (a *assignment) checkTruckload() *Refusal {
	for c, h := range a.columns {
		s := a.shapes[c]
		if h.mode&mTL != 0 && !h.refused() && s.numeric() && s.unit() == a.shapes[a.roles.percent].unit() {
			a.roles.truckload = append(a.roles.truckload, c)
		}
	}
	inverted := 0
	for _, r := range a.rows {
		if a.roles.inverted(r) {
			inverted++
		}
	}
	if 2*inverted > len(a.rows) {
		return &Refusal{Implausible, "LTL percents above those of truckloads"}
	}
	return nil
}

// inverted tells whether the row's LTL percent is higher than a truckload's.
func (r roles) inverted(line row) bool {
	if line.broken || line.values[r.percent].kind != figure {
		return false
	}
	for _, c := range r.truckload {
		if v := line.values[c]; v.kind == figure && v.q.value < line.values[r.percent].q.value {
			return true
		}
	}
	return false
}
