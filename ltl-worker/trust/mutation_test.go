package trust_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/trust"
)

var (
	mutations    = flag.Int("mutations", 2000, "how many mutated pages are read")
	mutationSeed = flag.Uint64("mutation-seed", 1, "which ones")
)

// remarks are put near the figures, alone or in twos: words that make them others', words that do not, and words that nobody knows.
var remarks = strings.Fields(`Alaska Canada draft suspended estimated withdrawn discount Expedited Volume contract pilot sample former
	Zorbex Quillon Tuesday percent service customers shipments please call today weekly office holiday Reno`)

// visible are the texts of a page, and the texts and figures of JSON.
var visible = regexp.MustCompile(`>[^<]*\d[^<]*<|[:\[] ?"?[^"{}\[\],]*\d[^"{}\[\],]*`)

var digits = regexp.MustCompile(`\d`)

// number is a figure as pages print it.
var number = regexp.MustCompile(`\d+(?:\.\d+)?`)

// tableRow is a row or a record.
var tableRow = regexp.MustCompile(`(?is)<tr[^>]*>.*?</tr>|\{[^{}]*\},?`)

// mutant is a page with what was done to it.
type mutant struct {
	text string
	// done are the changes. remark is what was last written near the figures, and inRecord tells that it stands in the newest record.
	done     []string
	remark   string
	inRecord bool
}

// change makes one change.
func (m *mutant) change(r *rand.Rand, q *sequence, weeks []contracts.SurchargeWeek) {
	some := func(re *regexp.Regexp) (at []int) {
		from := r.IntN(len(m.text))
		if at = re.FindStringIndex(m.text[from:]); at == nil {
			return re.FindStringIndex(m.text)
		}
		return []int{at[0] + from, at[1] + from}
	}
	replace := func(at []int, with string) {
		m.done = append(m.done, fmt.Sprintf("%q by %q", m.text[at[0]:at[1]], with))
		m.text = m.text[:at[0]] + with + m.text[at[1]:]
	}
	switch kind := r.IntN(7); kind {
	case 0, 1, 2: // a figure
		if at := some(visible); at != nil {
			replace(at, otherFigure(r, m.text[at[0]:at[1]], kind))
		}
	case 3: // two rows change places, or one is lost or there twice
		at, other := some(tableRow), some(tableRow)
		if at == nil {
			return
		}
		replace(at, []string{"", m.text[other[0]:other[1]], m.text[at[0]:at[1]] + m.text[at[0]:at[1]]}[r.IntN(3)])
	case 4: // two figures change places
		at, other := some(visible), some(visible)
		if at == nil {
			return
		}
		replace(at, m.text[at[0]:at[0]+1]+strings.Trim(m.text[other[0]+1:other[1]], "<>")+m.text[at[1]-1:at[1]])
	default: // a remark
		m.remark = remarks[r.IntN(len(remarks))]
		if r.IntN(2) == 0 {
			m.remark += " " + remarks[r.IntN(len(remarks))]
		}
		do := []string{"over <p>%s</p>", "end <p>%s</p>", "row <td>%s</td>"}
		if q.of.isJSON() {
			do = []string{`member "note":%q`, `member "status":%q`, `record "remark":%q`}
		}
		which := r.IntN(3)
		if !q.of.isJSON() && len(rowsOf(m.text, weeks[:1])) == 0 {
			which = 1 // the newest row is lost
		}
		m.done = append(m.done, fmt.Sprintf(do[which], m.remark))
		m.text = q.apply(m.text, fmt.Sprintf(do[which], m.remark), weeks[:1])
		m.inRecord = which == 2 && (q.of.isJSON() || isInRow(m.text, m.remark, weeks[:1]))
	}
}

// isInRow tells whether a remark stands in the row of a week, and not behind it.
func isInRow(text, remark string, week []contracts.SurchargeWeek) bool {
	rows := rowsOf(text, week)
	if len(rows) == 0 {
		return false
	}
	row, _, _ := strings.Cut(text[rows[0][0]:rows[0][1]], "</tr>")
	return strings.Contains(row, remark)
}

// otherFigure is a text in which a digit is another one or lost, or a figure is multiplied.
func otherFigure(r *rand.Rand, text string, kind int) string {
	all := digits.FindAllStringIndex(text, -1)
	d := all[r.IntN(len(all))][0]
	switch kind {
	case 0:
		return text[:d] + string(rune('0'+r.IntN(10))) + text[d+1:]
	case 1:
		return text[:d] + text[d+1:]
	}
	f := number.FindStringIndex(text)
	return text[:f[0]] + times(text[f[0]:f[1]], []float64{2, 0.5, 1.02, 0.99, 10}[r.IntN(5)]) + text[f[1]:]
}

func times(figure string, by float64) string {
	var x float64
	_, _ = fmt.Sscan(figure, &x)
	_, decimals, _ := strings.Cut(figure, ".")
	return fmt.Sprintf("%.*f", len(decimals), x*by)
}

// played is a source whose editions were read until one, and what that one shows.
type played struct {
	*sequence
	text  string
	at    time.Time
	weeks []contracts.SurchargeWeek
	right map[contracts.Date]float64
	known trust.Known
}

// playedSources are all sources at the edition before the last change and at it: without and with a week that nobody has seen.
func playedSources(t *testing.T) (all []played) {
	s := newSites(t)
	for _, of := range allSources {
		q := newSequence(t, s, of, change{})
		if outcome, why := q.playBefore(); outcome != "" {
			t.Fatal(of, outcome, why)
		}
		path := "page"
		if of.isJSON() {
			path = "api"
		}
		for n := changedAt - 1; n <= changedAt; n++ {
			p := played{sequence: q, text: q.text(n), at: editionAt(n), right: q.rightWeeks(of, editionAt(n))}
			p.weeks, p.known = q.Surcharge(of.code(), contracts.Today(p.at.AddDate(0, 0, 14))), q.wording.Known(path, p.at)
			all = append(all, p)
		}
	}
	return all
}

// wrong are the weeks of a reading that a right one has not.
func (p *played) wrong(r trust.Reading) (wrong []contracts.SurchargeWeek) {
	for _, w := range r.Weeks {
		if percent, ok := p.right[w.EffectiveDate]; !ok || percent != w.Percent {
			wrong = append(wrong, w)
		}
	}
	return wrong
}

// kindOf names why a clean reading of a mutant may be wrong; "" where nothing explains it.
func (m *mutant) kindOf(q *played, r trust.Reading, v trust.Verdict, wrong []contracts.SurchargeWeek) string {
	isNewestRead := r.Weeks[0].EffectiveDate == q.weeks[0].EffectiveDate
	seen := func(w contracts.SurchargeWeek) bool {
		return slices.ContainsFunc(q.past.Clean, func(c contracts.SurchargeWeek) bool { return c.EffectiveDate == w.EffectiveDate })
	}
	revised, unseen := 0, 0
	for _, w := range wrong {
		switch {
		case seen(w):
			revised++
		case w.EffectiveDate != r.Weeks[0].EffectiveDate:
			unseen++
		}
	}
	switch {
	case v.State != trust.Proven && len(v.Learn) > 0, slices.ContainsFunc(v.Learn, func(l trust.Line) bool { return trust.StopWord(l.Text) != "" }),
		isNewestRead && m.inRecord && slices.ContainsFunc(v.Learn, func(l trust.Line) bool { return strings.Contains(l.Text, m.remark) }):
		return ""
	case len(wrong) == 0:
		return "right"
	case revised > 2:
		return ""
	case unseen > 0:
		return "a past week that nobody has seen"
	case revised > 0:
		return "one or two revised past weeks"
	}
	return "a newest week that nobody has seen, and that is plausible"
}

// No mutation of the words or the figures of an accepted page is wrong and clean, but for kinds that no figure or word could tell. A
// longer run: go test ./ltl-worker/trust -run Mutation -args -mutations=1000000 -mutation-seed=7.
func TestNoMutationIsWrong(t *testing.T) {
	all := playedSources(t)
	random := rand.New(rand.NewPCG(*mutationSeed, 0))
	counts := map[string]int{}
	for range *mutations {
		p := &all[random.IntN(len(all))]
		m := mutant{text: p.text}
		for range 1 + random.IntN(3) {
			m.change(random, p.sequence, p.weeks)
		}
		r, isClear, err := read(p.of, m.text, p.at)
		if err != nil {
			counts["refused"]++
			continue
		}
		v := trust.Judge(r, p.known, p.past)
		if !v.IsClean() || !isClear {
			counts["in doubt"]++
			continue
		}
		wrong := p.wrong(r)
		kind := m.kindOf(p, r, v, wrong)
		if counts[kind]++; kind == "" {
			t.Errorf("%s, seed %d: clean and wrong: %v, learned %v beside %s\n%s", p.of, *mutationSeed, wrong, v.Learn, r.Weeks[0].EffectiveDate, strings.Join(m.done, "\n"))
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("seed %d: %8d %s", *mutationSeed, counts[kind], kind)
	}
}
