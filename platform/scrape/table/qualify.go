package table

import (
	"regexp"
	"slices"
	"strings"
)

// place is where a line or a grid stands: its place in the order of lines, the headings in force, the frames around it.
type place struct {
	at     int
	heads  [7]int32 // by level, as indexes into qualifier.said; 0 for none
	frames []int
	inMain bool // in the element that holds the content of the page
}

// innermost is the innermost heading in force, which is the last one; 0 for none.
func (p place) innermost() int32 { return slices.Max(p.heads[:]) }

// said is a line of the page.
type said struct {
	place
	block *Block
	until int // of a heading: where the element ends that holds it with other content
}

// qualifier finds the lines that may qualify a grid, or a group of lines. A line qualifies what stands under the same
// headings as it and inside the same frames.
type qualifier struct {
	title  string
	crumbs []string

	now   place
	heads []int  // headings whose element has not ended yet
	frame int    // frames so far
	said  []said // the first one is none
	aside []said // images and current items: they take no place among the lines
	found []foundGrids
	by    map[*Block]int // index of a line in said
	// ofPage are the lines about the figures of the page that stand over no grid, by their indexes in said.
	ofPage map[int]Place
}

// foundGrids are the grids of one element. Lines inside it do not qualify them.
type foundGrids struct {
	place
	grids []int
	begin int // where the first of several records stands to which this one belongs
	end   int
	// lines are those of a group of lines. Others between them qualify the group.
	lines   map[*Block]bool
	isLines bool
	// isBlocks is set for a grid of blocks: headings stand between its rows, and in them.
	isBlocks bool
	// pairs are the labels and values of grids of pairs; nil for others. Sentences between them qualify the grids.
	pairs map[string]bool
}

func (g *foundGrids) addPairs(grids []Grid) {
	for _, index := range g.grids {
		if grids[index].Kind != Pairs {
			continue
		}
		if g.pairs == nil {
			g.pairs = map[string]bool{}
		}
		for _, r := range grids[index].Rows {
			g.pairs[r.Cells[0].Text], g.pairs[r.Cells[1].Text] = true, true
		}
	}
}

// holds tells whether a line is a label, a value or both: "LTL: 50%".
func (g *foundGrids) holds(line string) bool {
	label, _, _ := strings.Cut(line, ":")
	return g.pairs[line] || g.pairs[strings.TrimSpace(label)]
}

func newQualifier(body *Block, title string, crumbs []string) *qualifier {
	q := &qualifier{title: title, crumbs: crumbs, said: make([]said, 1, 16), by: map[*Block]int{}}
	q.visit(body)
	return q
}

func (q *qualifier) visit(b *Block) {
	if len(b.Grids) > 0 {
		i := len(q.found)
		q.now.at = len(q.said)
		q.found = append(q.found, foundGrids{place: q.now, grids: b.Grids})
		defer func() { q.found[i].end = len(q.said) }()
	}
	if b.Frame && b.holdsContent {
		before := q.now
		q.frame++
		q.now.frames = slices.Concat(before.frames, []int{q.frame})
		defer func() { q.now = before }()
	}
	if b.Main {
		defer func(before bool) { q.now.inMain = before }(q.now.inMain)
		q.now.inMain = true
	}
	if len(b.Children) > 1 {
		defer q.endHeads(len(q.heads))
	}
	for _, c := range b.Children {
		if c.Text == "" {
			q.visit(c)
			continue
		}
		q.now.at = len(q.said)
		if c.IsAside() {
			q.aside = append(q.aside, said{place: q.now, block: c})
			continue
		}
		if c.Level > 0 {
			q.now.heads[c.Level] = int32(q.now.at)
			clear(q.now.heads[c.Level+1:])
			q.heads = append(q.heads, q.now.at)
		}
		q.by[c] = q.now.at
		q.said = append(q.said, said{place: q.now, block: c})
	}
}

// endHeads notes that the element of all headings but the first n ends.
func (q *qualifier) endHeads(n int) {
	for _, head := range q.heads[n:] {
		q.said[head].until = len(q.said)
	}
	q.heads = q.heads[:n]
}

// IsAside tells whether a block is the text of an image or the current item of a menu, which is no line of the page.
func (b *Block) IsAside() bool { return b.Place == Image || b.Place == Active }

// markContent notes for each element whether it holds a title or a grid.
func (b *Block) markContent() bool {
	b.holdsContent = len(b.Grids) > 0
	for _, c := range b.Children {
		if c.Level > 0 || c.Place != Near && !c.IsAside() || c.markContent() {
			b.holdsContent = true
		}
	}
	return b.holdsContent
}

// maxPairsOfLines bounds how often a line is compared with a grid.
const maxPairsOfLines = 5_000_000

func (q *qualifier) isTooLarge() bool { return len(q.found)*len(q.said) > maxPairsOfLines }

// spread gives each grid its remarks.
func (q *qualifier) spread(grids []Grid) {
	for i, g := range q.found {
		above, below := 0, len(q.said)+1
		first := i // of records that follow one another without a line between them: a title holds for all of them
		for first > 0 && q.found[first-1].end == q.found[first].at && grids[q.found[first-1].grids[0]].Kind == Pairs {
			first--
		}
		if first > 0 {
			above = q.found[first-1].end
		}
		g.begin = q.found[first].at
		g.isBlocks = grids[g.grids[0]].Kind == Blocks
		if i+1 < len(q.found) {
			below = q.found[i+1].at
		}
		g.addPairs(grids)
		remarks := q.remarks(g, above, below)
		for _, index := range g.grids {
			grids[index].Remarks = appendOthers(grids[index].Remarks, remarks)
		}
	}
}

// appendOthers appends the remarks that are not there yet: a grid may be spread over several elements.
func appendOthers(all, remarks []Remark) []Remark {
	if all == nil {
		return remarks
	}
	for _, r := range remarks {
		if !slices.Contains(all, r) {
			all = append(slices.Clip(all), r)
		}
	}
	return all
}

// remarks are the lines that qualify g. above and below are where the next grids stand: a line beyond them is rather
// about those.
func (q *qualifier) remarks(g foundGrids, above, below int) []Remark {
	var all []Remark
	if q.title != "" {
		all = append(all, Remark{Text: q.title, Place: Title})
	}
	for _, c := range q.crumbs {
		all = append(all, Remark{Text: c, Place: Crumb})
	}
	for i, s := range q.said[1:] {
		isInside := s.at >= g.at && s.at < g.end && s.block.Place == Near && (s.block.Level == 0 || !g.isBlocks)
		if isInside && g.isLines && !g.lines[s.block] && s.block.Level == 0 {
			all = append(all, Remark{Text: s.block.Text, Place: Below})
		}
		if isInside && g.pairs != nil && s.block.Level == 0 && isProse(s.block.Text) && !g.holds(s.block.Text) {
			all = append(all, Remark{Text: s.block.Text, Place: Below})
		}
		isRightAbove := s.at == g.begin-1 && isPrefix(s.frames, g.frames)
		switch {
		case isInside:
		case isRightAbove || q.isOver(s, g.place, g.end):
			if at, ok := s.relativeTo(g, above, below); ok {
				all = append(all, Remark{Text: s.block.Text, Place: at})
			}
		default:
			if at, ok := q.ofPage[i+1]; ok {
				all = append(all, Remark{Text: s.block.Text, Place: at})
			}
		}
	}
	for _, s := range q.aside {
		if q.isOver(s, g.place, g.end) {
			all = append(all, Remark{Text: s.block.Text, Place: s.block.Place})
		}
	}
	return all
}

// isOver tells whether what stands from p to end stands under the headings and inside the frames of s. Headings between
// p and end are a part of it, and one behind end does not hold for a sentence behind the element of that heading. The name of a frame
// holds for all in it.
func (q *qualifier) isOver(s said, p place, end int) bool {
	for level := 1; level < len(s.heads) && s.block.Place != Label; level++ {
		head := int(s.heads[level])
		if head == 0 || head == int(p.heads[level]) || head >= p.at && head < end {
			continue
		}
		if head < end || q.said[head].until > s.at || s.block.Level > 0 || !isProse(s.block.Text) {
			return false
		}
	}
	return isPrefix(s.frames, p.frames)
}

// findOfPage finds the lines that stand over no grid and speak of the figures of the page: those of a notice in a section of its own, such
// as "Every percentage above is withdrawn" (they are Near), and those under a title such as "About these percentages" (Below).
func (q *qualifier) findOfPage() {
	q.ofPage = map[int]Place{}
	for i, s := range q.said[1:] {
		if slices.ContainsFunc(q.found, func(g foundGrids) bool { return q.isOver(s, g.place, g.end) }) {
			continue
		}
		if at, ok := q.aboutPage(s); ok {
			q.ofPage[i+1] = at
		}
	}
}

// aboutPage tells whether a line or its title speaks of the figures of the page, and where it then belongs.
func (q *qualifier) aboutPage(s said) (at Place, ok bool) {
	head := s.innermost()
	isTitled := head > 0 && ofGrid.MatchString(q.said[head].block.Text)
	if isTitled && s.block.Level == 0 && isProse(s.block.Text) {
		return Below, true
	}
	return Near, isTitled || ofFiguresThere.MatchString(s.block.Text)
}

const gridNouns = `(?:tables?|schedule|scale|figures|percentages|percents|rates|surcharges|columns?|values|numbers|data)`

var (
	// ofGrid finds a title that points at a grid.
	ofGrid = regexp.MustCompile(`(?i)\b(?:this|these) (?:ltl |fuel )*(?:page|percentage|surcharge|` + gridNouns + `)\b`)
	// ofFiguresThere finds a line that speaks of the figures of a page, or of the page.
	ofFiguresThere = regexp.MustCompile(`(?i)\b(?:these|this|all|every|each|no|the|our|ltl|fuel|below|following) (?:ltl |fuel )*(?:page|site|website|percentage (?:above|below)|` + gridNouns + `)\b|` +
		gridNouns + ` (?:\w+ )?(?:above|below|shown|listed|appl(?:y|ies))\b|\b(?:you are|you're|now|currently) viewing\b`)
)

func (s said) relativeTo(g foundGrids, above, below int) (Place, bool) {
	switch {
	case s.block.Level > 0:
		return Over, true
	case s.block.Place != Near:
		return s.block.Place, true
	case g.inMain && !s.inMain: // a line of the site
		return Near, true
	case s.at == g.begin-1, s.isSubtitle():
		return Above, true
	case s.at >= above && s.isKickerOf(g.place):
		return Kicker, true
	case s.at < above, s.at >= below:
		return Near, isProse(s.block.Text)
	case s.at == g.end && below > g.end+1:
		return Below, true
	}
	return Near, true
}

// isSubtitle tells whether a short line stands right below the innermost heading.
func (s said) isSubtitle() bool {
	head := s.innermost()
	return head > 0 && s.at == int(head)+1 && len(s.block.Text) <= maxLine
}

// maxKicker is the most words of a kicker.
const maxKicker = 12

// isKickerOf tells whether a few words stand right above one of the headings in force at p: "Must-arrive expedited"
// over the heading "Fuel surcharge by week".
func (s said) isKickerOf(p place) bool {
	return slices.Contains(p.heads[1:], int32(s.at)+1) && len(strings.Fields(s.block.Text)) <= maxKicker
}

// isProse tells a sentence, which may be about all grids around it, from the title of one.
func isProse(text string) bool { return strings.HasSuffix(text, ".") || len(text) > maxLine }

func isPrefix(short, long []int) bool {
	if len(short) > len(long) {
		return false
	}
	for i := range short {
		if short[i] != long[i] {
			return false
		}
	}
	return true
}

// Around is what qualifies a group of lines of the page that belong together: the titles over all of them, outermost
// first, and the remarks.
func (p *Page) Around(lines []*Block) (context []string, remarks []Remark) {
	q := p.qualifier
	first := q.said[q.by[lines[0]]].place
	end := first.at
	for _, line := range lines {
		s := q.said[q.by[line]]
		end = max(end, s.at+1)
		first = first.common(s.place)
	}
	if q.title != "" {
		context = append(context, q.title)
	}
	for _, head := range first.heads {
		if head != 0 {
			context = appendText(context, q.said[head].block.Text)
		}
	}
	g := foundGrids{place: first, begin: first.at, end: end, isLines: true, lines: map[*Block]bool{}}
	for _, line := range lines {
		g.lines[line] = true
	}
	remarks = q.remarks(g, 0, len(q.said)+1)
	for _, r := range remarks {
		if r.Place == Label || r.Place == Above && !isProse(r.Text) {
			context = appendText(context, r.Text)
		}
	}
	return context, remarks
}

// common is what stands around both places. The order is that of the first.
func (p place) common(other place) place {
	p.at = min(p.at, other.at)
	for level := range p.heads {
		if p.heads[level] != other.heads[level] || int(p.heads[level]) >= p.at && p.at > 0 {
			p.heads[level] = 0
		}
	}
	n := 0
	for n < min(len(p.frames), len(other.frames)) && p.frames[n] == other.frames[n] {
		n++
	}
	p.frames = p.frames[:n]
	return p
}
