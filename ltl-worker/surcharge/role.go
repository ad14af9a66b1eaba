package surcharge

import (
	"fmt"
	"strings"
)

// roles says which column of a sheet is what; -1 for none.
type roles struct {
	date, percent, diesel int
	percentScale          float64
	dieselScale           float64
	explicit              bool  // the percent is headed LTL, not just surcharge
	truckload             []int // percents that a truckload pays
	dayFirst              bool
}

// assign finds the columns by heading and shape. A refusal says what is wrong with the sheet.
func assign(s sheet, rule Rule) (*assignment, *Refusal) {
	a := &assignment{sheet: s, rule: rule, roles: roles{date: -1, percent: -1, diesel: -1}}
	for c := range s.columns {
		a.shapes = append(a.shapes, shapeOf(s.rows, c))
	}
	for _, step := range []func() *Refusal{a.contradiction, a.pickDate, a.pickPercent, a.pickDiesel, a.checkRatio} {
		if refusal := step(); refusal != nil {
			return a, refusal
		}
	}
	return a, nil
}

type assignment struct {
	sheet
	rule   Rule
	shapes []shape
	roles  roles
	dates  []ordinal // the effective date of each row
}

// contradiction refuses a sheet of which a heading says one thing and the values below it another: its columns were
// moved without their headings, and then no other heading can be trusted either.
func (a *assignment) contradiction() *Refusal {
	for c, h := range a.columns {
		if len(h.levels) > 0 && a.contradicts(h, a.shapes[c], a.dieselOf(c)) {
			return &Refusal{Implausible, fmt.Sprintf("the values under %q are not what it says", h)}
		}
	}
	return nil
}

func (a *assignment) contradicts(h heading, s shape, diesel float64) bool {
	rate, price, other := h.is(mPercent|mLTL|mTL), h.is(mPrice|mIndex), h.refused()
	begins := h.is(mEffective | mBegin)
	day, bound := begins || h.is(mDate|mEnd|mPosted), h.is(mBound) && !rate
	switch {
	case s.dated():
		return (rate || h.is(mPrice|mRemark) || other || bound) && !day
	case other && !h.is(mRemark):
		return false
	case s.numeric() && s.unit() == percent:
		return (price || day || bound || h.is(mRemark)) && !rate || begins && h.is(mDate)
	case s.numeric() && (h.is(mPrice) || price && s.fine > 0 || bound) && !rate && diesel == 0:
		return true
	case s.numeric() && h.mode == mLTL && !price && (s.unit() == dollars || s.percentScale() == 0):
		return true
	case s.numeric() && day && !rate && !h.is(mPrice) && s.fine > 0, s.most(s.texts) && h.mode == mLTL:
		return true
	}
	return (s.numeric() || s.most(s.texts)) && (begins || h.is(mEnd)) && !rate && !price && !bound
}

// unheaded counts the columns that say something under no heading. In a table with headings, what one column is can be
// told from the others; what two are cannot.
func (a *assignment) unheaded() int {
	n := 0
	for c, h := range a.columns {
		if s := a.shapes[c]; len(h.levels) == 0 && s.days+s.figures+s.texts > 0 {
			n++
		}
	}
	return n
}

func (a *assignment) dieselOf(c int) float64 {
	return a.shapes[c].dieselScale(a.columns[c].is(mCents) || strings.Contains(strings.Join(a.context, " "), "cents"))
}

// pickDate takes the column of effective dates: the one that says so best, and only one.
func (a *assignment) pickDate() *Refusal {
	best, rank, count, unheaded := -1, 0, 0, 0
	for c, h := range a.columns {
		if !a.shapes[c].dated() {
			continue
		}
		if len(h.levels) == 0 {
			unheaded++
		}
		switch r := dateRank(h); {
		case r > rank:
			best, rank, count = c, r, 1
		case r == rank && r > 0 && !a.same(best, c):
			count++
		}
	}
	switch {
	case best < 0:
		return &Refusal{NoTable, "no column of effective dates"}
	case count > 1, unheaded > 0 && rank > 1, a.headed && unheaded > 0 && a.unheaded() > 1:
		return &Refusal{Ambiguous, "more than one column could hold the effective date"}
	}
	a.roles.date = best
	return a.resolveOrder()
}

// dateRank says how clearly dates are headed as the first day of a rate; 0 for dates that are something else.
func dateRank(h heading) int {
	switch {
	case h.refused() || h.is(mEnd) && !h.is(mBegin):
		return 0
	case h.is(mEffective) && !h.is(mIndex|mPosted|mPrice):
		return 4
	case h.is(mBegin) && !h.is(mIndex|mPosted|mPrice):
		return 3
	case h.is(mIndex | mPosted | mPrice | mUnknown):
		return 0
	case h.is(mDate):
		return 2
	case len(h.levels) == 0 || h.marks&^(mNeutral|mFuel) == 0:
		return 1
	}
	return 0
}

// same tells whether two columns say the same in every row, be it in other words.
func (a *assignment) same(c, d int) bool {
	for i := range a.rows {
		if r := &a.rows[i]; !r.broken && !r.values[c].equals(&r.values[d]) {
			return false
		}
	}
	return true
}
