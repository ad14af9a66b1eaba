package trust

import (
	"slices"
	"time"

	"assay.dev/contracts"
)

// Bounds of what is learned without a person.
const (
	MaxLearnedAtOnce = 20   // lines a reading
	MaxLearned       = 2000 // lines a path
	LearnedFor       = 90 * 24 * time.Hour
)

// Wording is what is known of the words of one source: the editions that are shipped with the recipe, those that were
// accepted here, and the lines that were learned.
type Wording struct {
	Editions []Edition `json:"editions"`
	Learned  []Learned `json:"learned,omitempty"`
}

// Edition is the wording of one path as somebody accepted it: raw lines, and the weeks against which they are made
// comparable, so that a better normaliser takes nothing away.
type Edition struct {
	Path string    `json:"path"`
	By   string    `json:"by"` // who looked at the page
	At   time.Time `json:"at"` // when
	// SHA256 is the hash of the document, in lower-case hex; "" where it was not kept.
	SHA256 string                    `json:"sha256,omitempty"`
	Weeks  []contracts.SurchargeWeek `json:"weeks"`
	Lines  []Line                    `json:"lines"`
	// Figures tells that the weeks' figures were accepted as they are shown. They are clean from then on, whatever was
	// known before. A bracket table that the newest of them break proves and contradicts nothing from there on.
	Figures bool `json:"figures,omitempty"`
}

// NewEdition is a reading as somebody accepts it. Without the figures it keeps the weeks that its lines need alone.
func NewEdition(r Reading, by string, at time.Time, sha256 string, figures bool) Edition {
	e := Edition{Path: r.Path, By: by, At: at.UTC().Truncate(time.Millisecond), SHA256: sha256, Weeks: r.Weeks,
		Lines: r.Lines, Figures: figures}
	if !figures {
		e.Weeks = referred(r.Lines, r.Weeks)
	}
	return e
}

// referred are the weeks that are needed to make the lines comparable.
func referred(lines []Line, weeks []contracts.SurchargeWeek) []contracts.SurchargeWeek {
	var kept []contracts.SurchargeWeek
	for i, w := range weeks {
		if i < 2 || slices.ContainsFunc(lines, func(l Line) bool { return l.Week == w.EffectiveDate }) {
			kept = append(kept, contracts.SurchargeWeek{
				EffectiveDate: w.EffectiveDate, Percent: w.Percent, DieselUSD: w.DieselUSD, TruckloadPercent: w.TruckloadPercent,
			})
		}
	}
	return kept
}

// Learned is a line that was new beside proven figures.
type Learned struct {
	Line
	Path  string                    `json:"path"`
	Weeks []contracts.SurchargeWeek `json:"weeks"` // those against which it is made comparable
	First time.Time                 `json:"first"`
	Last  time.Time                 `json:"last"` // when it was last seen
}

// Known are the lines and figures that are known of one path, ready to be compared.
type Known struct {
	// Since is when the path was first accepted; the zero time where nobody did, which is first contact.
	Since    time.Time
	lines    map[string]bool
	counters map[string]bool // lines whose numbers change, as [counter] has them
	figures  map[contracts.Date]contracts.SurchargeWeek
}

// Known makes comparable what is known of a path at a moment.
func (w Wording) Known(path string, now time.Time) Known {
	k := Known{lines: map[string]bool{}, counters: map[string]bool{}, figures: map[contracts.Date]contracts.SurchargeWeek{}}
	before := map[string]counted{}
	for _, e := range w.Editions {
		if e.Path != path {
			continue
		}
		if k.Since.IsZero() || e.At.Before(k.Since) {
			k.Since = e.At
		}
		k.addEdition(e, before)
		for _, week := range e.Weeks {
			if e.Figures {
				k.figures[week.EffectiveDate] = week
			}
		}
	}
	for _, l := range w.Learned {
		if l.Path == path && now.Sub(l.Last) < LearnedFor {
			k.addLine(l.Line, l.Weeks)
		}
	}
	return k
}

func (k Known) addLine(l Line, weeks []contracts.SurchargeWeek) (form, asIs string) {
	form, asIs = Comparable(l, weeks)
	k.lines[form], k.lines[asIs] = true, true
	return form, asIs
}

func (k Known) has(l Line, weeks []contracts.SurchargeWeek) bool {
	form, asIs := Comparable(l, weeks)
	return k.lines[form] || k.lines[asIs] || l.Week == "" && k.counters[counter(asIs)]
}

// counted is a line of an edition that may be a [counter]; without text it is none.
type counted struct {
	line         string
	isNearFigure bool
}

// addEdition takes the lines of an edition. Where one before has a line with another number, a person saw that the
// number changes; but one that was a figure of the weeks, or about one both times, has to stay that, and of lines alike
// each is meant by itself. before has the lines of the editions before by their counters.
func (k Known) addEdition(e Edition, before map[string]counted) {
	once := map[string]counted{}
	for _, l := range e.Lines {
		form, asIs := k.addLine(l, e.Weeks)
		c := counter(asIs)
		if c == "" || l.Week != "" {
			continue
		}
		if _, isSeveral := once[c]; isSeveral || form != asIs {
			asIs = ""
		}
		once[c] = counted{asIs, isNearFigure(asIs, reference("", e.Weeks))}
	}
	for c, now := range once {
		switch was, isOld := before[c]; {
		case !isOld:
			before[c] = now
		case was.line == "", now.line == "", was.line != now.line && was.isNearFigure && now.isNearFigure:
			before[c] = counted{}
			delete(k.counters, c)
		case was.line != now.line:
			k.counters[c] = true
		}
	}
}

// IsFirstContact tells whether nobody has accepted any wording of the path.
func (k Known) IsFirstContact() bool { return k.Since.IsZero() }

// Unknown are the lines of a reading that are not known.
func (k Known) Unknown(r Reading) []Line {
	var unknown []Line
	for _, l := range r.Lines {
		if !k.has(l, r.Weeks) {
			unknown = append(unknown, l)
		}
	}
	return unknown
}

// Learn is the wording once a clean reading was seen at a moment: with the lines that its verdict learned, those that
// were seen again known for longer, and without those that nobody has seen for [LearnedFor]. Of too many lines the ones
// seen longest ago go.
func (w Wording) Learn(r Reading, lines []Line, at time.Time) Wording {
	shown := Known{lines: map[string]bool{}}
	for _, l := range r.Lines {
		shown.addLine(l, r.Weeks)
	}
	var kept, others []Learned
	for _, l := range w.Learned {
		switch {
		case l.Path != r.Path:
			others = append(others, l)
			continue
		case shown.has(l.Line, l.Weeks):
			l.Last = at
		}
		if at.Sub(l.Last) < LearnedFor {
			kept = append(kept, l)
		}
	}
	for _, l := range lines[:min(len(lines), MaxLearnedAtOnce)] {
		kept = append(kept, Learned{Line: l, Path: r.Path, Weeks: referred([]Line{l}, r.Weeks), First: at, Last: at})
	}
	slices.SortStableFunc(kept, func(a, b Learned) int { return b.Last.Compare(a.Last) })
	w.Learned = slices.Concat(others, kept[:min(len(kept), MaxLearned)])
	return w
}
