package surcharge

import (
	"slices"
	"strings"
)

// heading is what stands over a column, outermost level first.
type heading struct {
	levels []string
	marks  mark // of all levels
	mode   mark // mLTL, mTL, both, or 0: of the innermost level that says
}

func (h heading) String() string { return strings.Join(h.levels, " > ") }

func (h heading) is(m mark) bool { return h.marks&m != 0 }

// refused tells whether the column is another figure, or of another service or place, than we look for.
func (h heading) refused() bool {
	return h.is(mService|mOther|mRegion) || h.is(mAbroad) && !h.is(mUS)
}

// heading reads the levels over a column by the vocabulary and the rule.
func (r Rule) heading(levels []string) heading {
	h := heading{levels: levels}
	for i := len(levels) - 1; i >= 0; i-- {
		m := r.meaning(levels[i])
		h.marks |= m
		if h.mode == 0 {
			h.mode = m & (mLTL | mTL)
		}
	}
	return h
}

// meaning is the marks of one text. Where the carrier's own words of the rule stand in it, the vocabulary is not asked.
func (r Rule) meaning(s string) mark {
	var buf [32]token
	t := lex(buf[:0], spaced(s))
	if m := r.own(t); m != 0 {
		return m
	}
	var m mark
	for i := 0; i < len(t); {
		next, found := phrase(t, i)
		m |= found
		i = next
	}
	return m
}

func (r Rule) own(t []token) mark {
	for _, phrase := range r.Refuse {
		if says(t, lex(nil, spaced(phrase))) {
			return mService
		}
	}
	var m mark
	for _, phrase := range r.LTL {
		if says(t, lex(nil, spaced(phrase))) {
			m |= mLTL | mPercent
		}
	}
	for _, phrase := range r.Effective {
		if says(t, lex(nil, spaced(phrase))) {
			m |= mEffective
		}
	}
	return m
}

// foreign tells whether a line of text puts what stands under it out of consideration: it names another service or
// place than ours, and is no list in which ours stands too. Under a column headed LTL a line that says truckload only
// contradicts, and the column is right.
func (r Rule) foreign(line string, headedLTL bool) bool {
	m := r.meaning(line)
	switch {
	case m&mAbroad != 0:
		return m&mUS == 0
	case m&mService != 0:
		return m&mLTL == 0 || !strings.ContainsAny(line, ",&/|+-–—") && !strings.Contains(line, " and ")
	}
	return m&mTL != 0 && m&mLTL == 0 && !headedLTL
}

// says tells whether the words of phrase stand in t, symbols aside.
func says(t, phrase []token) bool {
	symbol := func(t token) bool { return t.kind != word && t.kind != digits }
	t, phrase = slices.DeleteFunc(slices.Clone(t), symbol), slices.DeleteFunc(phrase, symbol)
	for i := 0; len(phrase) > 0 && i+len(phrase) <= len(t); i++ {
		if slices.EqualFunc(t[i:i+len(phrase)], phrase, func(a, b token) bool { return a.text == b.text }) {
			return true
		}
	}
	return false
}

// phrase reads the words at i that mean something together, or else one token.
func phrase(t []token, i int) (next int, m mark) {
	w := t[i].text
	if next, m := weights(t, i); next > 0 {
		return next, m
	}
	if w == "less" {
		if next := lessThanTruckload(t, i); next > 0 {
			return next, mLTL
		}
	}
	for _, p := range phrases[w] {
		if follows(t, i+1, p.rest...) {
			return i + 1 + len(p.rest), p.mark
		}
	}
	switch {
	case t[i].kind == '%':
		return i + 1, mPercent
	case t[i].kind == '¢':
		return i + 1, mCents
	case t[i].kind != word:
		return i + 1, 0
	case words[w] == 0 && weekdayOf(w) == 0 && monthOf(w) == 0:
		return i + 1, compound(w)
	}
	return i + 1, words[w] | mNeutral
}

// phrases are words that together mean something else than each alone, by the first of them.
var phrases = map[string][]struct {
	rest []string
	mark mark
}{
	"as":       {{[]string{"of"}, mPosted}},
	"in":       {{[]string{"effect"}, mEffective}},
	"week":     {{[]string{"of"}, mBegin | mDate}},
	"wk":       {{[]string{"of"}, mBegin | mDate}},
	"truck":    {{[]string{"load"}, mTL}},
	"full":     {{[]string{"load"}, mTL}},
	"cross":    {{[]string{"border"}, mAbroad}},
	"home":     {{[]string{"delivery"}, mService}},
	"final":    {{[]string{"mile"}, mService}},
	"at":       {{[]string{"least"}, mBound}},
	"prior":    {{[]string{"monday"}, mNeutral}, {[]string{"week"}, mNeutral}},
	"previous": {{[]string{"monday"}, mNeutral}},
}

// follows tells whether the words stand at i, blanks and hyphens between them aside.
func follows(t []token, i int, want ...string) bool {
	for _, w := range want {
		for i < len(t) && t[i].kind == '-' {
			i++
		}
		if i >= len(t) || t[i].text != w {
			return false
		}
		i++
	}
	return true
}

// lessThanTruckload is the index after "less than (a) truckload" at i, 0 when it is not there.
func lessThanTruckload(t []token, i int) int {
	stage := 0
	for ; i < len(t); i++ {
		switch w := t[i].text; {
		case t[i].kind == '-' && stage > 0, w == "a" && stage == 2, w == "full" && stage == 2:
		case w == "less" && stage == 0, w == "than" && stage == 1:
			stage++
		case (w == "truckload" || w == "truckloads") && stage == 2, w == "load" && stage == 3:
			return i + 1
		case w == "truck" && stage == 2:
			stage = 3
		default:
			return 0
		}
	}
	return 0
}

// compound reads a word that is made of words of the vocabulary, such as "ltlsurcharge".
func compound(w string) mark {
	const least = 3 // letters a part has
	best := make([]mark, len(w)+1)
	best[0] = mNeutral
	for end := least - 1; end <= len(w) && len(w) <= 40; end++ {
		for start := 0; start+2 <= end; start++ {
			m := words[w[start:end]]
			if best[start] != 0 && m != 0 && (end-start >= least || m&(mLTL|mTL|mDate) != 0) {
				best[end] |= best[start] | m
			}
		}
	}
	if best[len(w)] == 0 {
		return mUnknown
	}
	return best[len(w)]
}
