// Package outline reads pages that pair labels with values, whatever markup pairs them: a definition list, a table,
// or lines such as "License Number: 400051". A page becomes a sequence of pieces: headings, labels, values and
// other lines.
package outline

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay.dev/abc-worker/fold"
	"assay.dev/platform/scrape"
)

// Piece is a part of a page, in the page's order.
type Piece struct {
	Kind Kind
	// Text is the piece on one line. Raw is the piece as the page has it, without the blanks at its ends.
	Text, Raw string
}

// Kind is what a piece is for.
type Kind byte

// The kinds of pieces. A Line is a text that is none of the others.
const (
	Line Kind = iota
	Heading
	Label
	Value
)

// Parse gives the pieces of an HTML document, which must be whole. A line that begins with one of the labels and a colon becomes a label
// and a value. Its error is a *[scrape.Failure] of kind changed.
func Parse(doc string, labels Labels) ([]Piece, error) {
	root, err := scrape.ParseWhole([]byte(doc))
	if err != nil {
		return nil, err
	}
	o := &outliner{labels: labels}
	o.walk(root)
	o.endLine()
	return o.pieces, nil
}

type outliner struct {
	labels Labels
	pieces []Piece
	line   strings.Builder
}

// inline elements do not end a line.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Label: true,
	atom.Small: true, atom.Span: true, atom.Strong: true, atom.U: true,
}

// kindOf are the elements that are one piece each.
var kindOf = map[atom.Atom]Kind{
	atom.H1: Heading, atom.H2: Heading, atom.H3: Heading, atom.H4: Heading, atom.H5: Heading, atom.H6: Heading,
	atom.Dt: Label, atom.Dd: Value, atom.Th: Label, atom.Td: Value,
}

func (o *outliner) walk(n *html.Node) {
	if n.Type == html.TextNode {
		o.line.WriteString(n.Data)
		return
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head:
		return
	}
	if kind, ok := kindOf[n.DataAtom]; ok {
		o.endLine()
		o.add(kind, textOf(n))
		return
	}
	if !inline[n.DataAtom] {
		o.endLine()
		defer o.endLine()
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		o.walk(c)
	}
}

// endLine adds the line that was collected.
func (o *outliner) endLine() {
	line := o.line.String()
	o.line.Reset()
	if name, rest, ok := strings.Cut(line, ":"); ok && o.labels.Find(name) != "" {
		o.add(Label, name)
		o.add(Value, rest)
		return
	}
	if strings.TrimSpace(line) != "" {
		o.add(Line, line)
	}
}

func (o *outliner) add(kind Kind, s string) {
	o.pieces = append(o.pieces, Piece{Kind: kind, Text: fold.Blanks(s), Raw: strings.TrimSpace(s)})
}

// Lines are the lines of an element that are not empty, each without needless blanks. Line breaks and blocks end a
// line.
func Lines(n *html.Node) []string {
	var lines []string
	for _, line := range strings.Split(textOf(n), "\n") {
		if line = fold.Blanks(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var out strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out.WriteString(textOf(c))
	}
	if n.DataAtom == atom.Br || n.DataAtom == atom.P || n.DataAtom == atom.Div || n.DataAtom == atom.Li {
		out.WriteByte('\n')
	}
	return out.String()
}

// Labels are the labels that a page pairs with values.
type Labels []string

// minCut is how many letters of a label must be left when the page cuts it off, as in "License Type Sta…".
const minCut = 12

// Find is the label that s stands for, without regard to case and a colon at its end. A page may cut a label off:
// "License Type Sta…" is "License Type Status" when no other label begins so. It is empty when s is no label.
func (ls Labels) Find(s string) string {
	s = strings.TrimRight(fold.Blanks(s), ":. …")
	found := ""
	for _, l := range ls {
		switch {
		case strings.EqualFold(l, s):
			return l
		case len(s) >= minCut && len(s) < len(l) && strings.EqualFold(l[:len(s)], s):
			if found != "" {
				return "" // two labels begin so
			}
			found = l
		}
	}
	return found
}

// saysNone is a sentence by which a register says that it holds nothing of what was asked, such as "No licenses were found" (guess: no such
// page of a real site was seen). It names what was not found, so that "The page was not found" is not one, and it says nothing before that:
// "If no records are found" is not one either.
var saysNone = regexp.MustCompile(`(?i)^\W*(?:(?:we are |we're )?sorry[,:]? |there (?:were|are|was|is) )?(?:` +
	`no (?:matching |active )?(?:licen[cs]es?|licensees?|records?|results?|matches) (?:(?:was|were|is|are|has been|have been|could be) )?(?:found|match|exist)` +
	`|(?:the )?licen[cs]e (?:number )?[#"']?[A-Z0-9-]+["']? (?:was |is |could |does )?not (?:be )?(?:found|exist|on file))`)

// trouble is what a page says that tells of a failure, or of what to do where nothing is found: it proves nothing.
var trouble = regexp.MustCompile(`(?i)\berrors?\b|\bexception\b|\bunavailable\b|\bnot (?:currently )?available\b|\bmaintenance\b|\btim(?:ed?|ing)[ -]?out\b|` +
	`\btry (?:again )?(?:later|tomorrow|soon|in a)|\bagain (?:later|tomorrow|shortly|in a)|\bsession\b[^.]{0,20}\bexpired\b|\bdatabase\b|\boutages?\b|\bincomplete\b|\bunable to\b|` +
	`\b(?:could|can) ?not be (?:completed|processed|reached|retrieved|loaded|executed)|\btechnical (?:difficult|problem|issue)|\btoo many requests\b|\baccess denied\b|` +
	`\b(?:if|when|should|unless|until)\b[^.]{0,40}\bno (?:\w+ )?(?:records|results|licenses|matches)\b`)

// SaysTrouble tells whether a text speaks of a failure. What such a page does not show may exist.
func SaysTrouble(text string) bool { return trouble.MatchString(text) }

// SaysNone tells whether a page says that there is no license of the kind that was asked for, and speaks of no failure. Headings do not count
// as that.
func SaysNone(pieces []Piece) bool {
	says := false
	for _, p := range pieces {
		if SaysTrouble(p.Text) {
			return false
		}
		for sentence := range strings.SplitSeq(p.Text, ". ") {
			says = says || p.Kind != Heading && saysNone.MatchString(sentence)
		}
	}
	return says
}

// discipline is what a notice says of a license that is not in force, whatever its fields say.
var discipline = regexp.MustCompile(`(?i)\bsuspen(?:d|sion)|\brevo(?:ked|cation)|\bcease and desist\b|\bstop(?:ped)? (?:sales|selling|serving)\b|` +
	`\b(?:summary|emergency|closure) order\b|\border(?:s|ed)?\b[^.]{0,40}\b(?:commission|board|department|closed|stopped)\b|\bsurrender`)

// minNotice is the least words of a notice. Shorter lines are links and headings: "Suspensions and Revocations".
const minNotice = 6

// SaysDiscipline tells whether a line of text is a notice that a license was suspended, revoked or the like.
func SaysDiscipline(p Piece) bool {
	return p.Kind == Line && len(strings.Fields(p.Text)) >= minNotice && discipline.MatchString(p.Text)
}
