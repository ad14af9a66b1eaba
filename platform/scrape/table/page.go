package table

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Page is a document: its grids, and the text that stands around and between them.
type Page struct {
	// Grids are those of [Parse], with their remarks.
	Grids []Grid
	// Names are what the page calls its owner: the text of the link to the home page, and the name in a copyright line.
	Names []string
	// Body is the text of the page without its menus, header and footer.
	Body *Block

	qualifier *qualifier
}

// Remark is a text that may qualify a grid.
type Remark struct {
	Text  string
	Place Place
	// Of is the cell that a [Hint] is of.
	Of string
}

// Place is where a remark stands in relation to its grid.
type Place uint8

// The places.
const (
	Near   Place = iota // a line under the same headings as the grid, before or after it
	Above               // the line right above it
	Below               // the line right below it
	Over                // a heading in force
	Label               // the name of an element around it: a tab, a summary, a legend, the caption of a figure
	Choice              // what is chosen: the selected option of a list, the current one of some links
	Crumb               // a step on the way to the page
	Title               // the document's title
	Image               // what an image in the content shows, in a few words: a logo
	Kicker              // a short line right above a heading in force
	Active              // the item of a menu that is marked as the current one
	Notice              // what a bar of the site announces to all its visitors
	Hint                // what is shown of a cell to who points at it: a tooltip
)

// Block is an element of the page, or one line of text in it.
type Block struct {
	// Text is the line; it is empty for an element.
	Text string
	// Level is 1 to 6 for a heading.
	Level int
	// Place is [Label] or [Choice] for a line that is one.
	Place Place
	// Grids are those that the element gave; they are indexes into [Page.Grids].
	Grids []int
	// Children are the lines and elements inside, in document order.
	Children []*Block
	// Frame is set for an element that holds its content together, such as a card: headings and lines in it qualify
	// nothing outside.
	Frame bool
	// Hidden is set for an element that the page does not show.
	Hidden bool
	// Main is set for the element that holds the content of the page, and not of the site.
	Main bool

	holdsContent bool // a title or a grid
}

// ParsePage is [Parse] and collects the text around the grids. It leaves out what is furniture of the site.
func ParsePage(doc []byte) (*Page, error) {
	p, root, err := parse(doc, func(root *html.Node) {
		dropFurniture(root)
		joinSplitValues(root)
	})
	if err != nil {
		return nil, err
	}
	o := outliner{grids: p.at, ids: map[string]*html.Node{}, opened: map[string]bool{}}
	o.index(root)
	o.namePanels()
	body := &Block{}
	o.into(root, body)
	body.markContent()
	for _, i := range o.unopened {
		p.grids[i].Unopened = true
	}
	q := newQualifier(body, o.title, o.crumbs)
	if q.isTooLarge() {
		return nil, ErrTooLarge
	}
	for i, n := range p.madeOf {
		p.grids[i].Remarks = hints(n)
	}
	q.findOfPage()
	q.spread(p.grids)
	return &Page{Grids: p.grids, Names: o.names, Body: body, qualifier: q}, nil
}

// outliner turns elements into blocks.
type outliner struct {
	grids    map[*html.Node][]int
	ids      map[string]*html.Node
	labels   map[string]string // by the id of the element that a tab controls
	tabNames []string          // of tabs that do not say what they open
	panels   []*html.Node      // of tabs
	named    map[*html.Node]string
	title    string
	names    []string
	crumbs   []string
	opened   map[string]bool // ids of elements that a tab or a link shows
	tabs     bool            // the page has tabs
	unopened []int           // hidden grids that nothing shows
	inMain   int             // how many elements of content surround the place
}

// index finds the elements that others refer to by their ids.
func (o *outliner) index(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if id := attr(c, "id"); id != "" {
			o.ids[id] = c
		}
		o.noteOpener(c)
		if target := tabTarget(c); target != "" {
			if o.labels == nil {
				o.labels = map[string]string{}
			}
			o.labels[target] = cellText(c)
		}
		o.notePanel(c)
		o.index(c)
	}
}

// noteOpener notes what an element shows: a tab, a button, a link to a place on the page.
func (o *outliner) noteOpener(n *html.Node) {
	o.tabs = o.tabs || isRole(n, "tab") || hasClass(n, "tab", "tabs", "nav-tabs", "tab-link")
	for _, key := range []string{"aria-controls", "data-target", "data-bs-target", "data-tab", "href"} {
		if target := strings.TrimPrefix(attr(n, key), "#"); target != "" && (key != "href" || target != attr(n, key)) {
			o.opened[target] = true
		}
	}
}

// isOpened tells whether something on the page shows a hidden element, or hidden elements inside it.
func (o *outliner) isOpened(n *html.Node) bool {
	return o.tabs || followsOpener(n) || o.opened[attr(n, "id")] || n.Parent != nil && (n.Parent.DataAtom == atom.Details || o.opened[attr(n.Parent, "id")])
}

// markUnopened marks the grids in a hidden element that nothing shows.
func (o *outliner) markUnopened(n *html.Node) {
	o.unopened = append(o.unopened, o.grids[n]...)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			o.markUnopened(c)
		}
	}
}

// line collects the text of one line.
type line struct {
	folder
	linked int // bytes inside links
	link   int // links around the place
}

// into puts what n holds into b.
func (o *outliner) into(n *html.Node, b *Block) {
	var l line
	o.children(n, b, &l)
	l.flush(b)
}

func (l *line) flush(b *Block) {
	text := l.b.String()
	if text != "" && (10*l.linked < 6*len(text) || mayBeWeek(text)) { // most of a menu is links
		b.Children = append(b.Children, &Block{Text: text})
	}
	*l = line{link: l.link}
}

// mayBeWeek tells whether a line holds a percent and enough digits for a date, and names the surcharge or little else.
func mayBeWeek(text string) bool {
	count := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			count++
		}
	}
	lower := strings.ToLower(text)
	isNamed := strings.Contains(lower, "surcharge") || strings.Contains(lower, "ltl") || len(strings.Fields(text)) <= maxMenuWords
	return isNamed && count > 6 && strings.Contains(text, "%")
}

func (o *outliner) children(n *html.Node, b *Block, l *line) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			o.text(c.Data, n, b, l)
		case html.ElementNode:
			o.element(c, b, l)
		}
	}
}

func (o *outliner) text(data string, parent *html.Node, b *Block, l *line) {
	if !isPre(parent) && !inPre(parent) {
		l.put(data)
		return
	}
	for i, part := range strings.Split(data, "\n") {
		if i > 0 {
			l.flush(b)
		}
		l.put(part)
	}
}

func (l *line) put(s string) {
	before := l.b.Len()
	l.write(s)
	if l.link > 0 {
		l.linked += l.b.Len() - before
	}
}

func inPre(n *html.Node) bool {
	for p := n.Parent; p != nil && inline(n.DataAtom); n, p = p, p.Parent {
		if isPre(p) {
			return true
		}
	}
	return false
}

// isPre tells whether the lines of n are shown as they are written.
func isPre(n *html.Node) bool {
	return n.DataAtom == atom.Pre || styled(n, "white-space", "pre", "pre-wrap", "pre-line", "break-spaces")
}

// element puts one element into b, as a part of the line l where it does not begin a line.
func (o *outliner) element(n *html.Node, b *Block, l *line) {
	switch {
	case n.DataAtom == atom.Title:
		if o.title == "" {
			o.title = cellText(n)
		}
	case n.DataAtom == atom.Select:
		o.choice(n, b)
	case n.DataAtom == atom.Input:
		l.flush(b)
		o.input(n, b)
	case n.DataAtom == atom.Label && o.isPrompt(n):
		l.flush(b)
		o.controls(n, b)
	case isPressed(n):
		l.flush(b)
		b.Children = append(b.Children, &Block{Text: cellText(n), Place: Choice})
	case n.DataAtom == atom.Head:
		o.into(n, &Block{}) // for its title
	case removed(n) && !opensUnderDate(n):
		o.hidden(n, b, l)
	case isButton(n) && strings.ContainsAny(cellText(n), digits):
		l.flush(b)
		b.Children = append(b.Children, &Block{Text: cellText(n)}) // it opens what it names, such as a week
	case n.DataAtom == atom.Img:
		o.image(n, b)
	case n.DataAtom == atom.Dt && o.opensGrid(n), isButton(n) && isExpander(n) && o.opensFigures(n):
		l.flush(b)
		b.Children = append(b.Children, &Block{Text: cellText(n), Place: Label}) // of what it opens
	case n.DataAtom == atom.Table && onlyCell(n) != "":
		l.flush(b)
		b.Children = append(b.Children, &Block{Text: onlyCell(n)}) // a line that is laid out by a table
	case Unseen(n) && !removed(n) || n.DataAtom == atom.Button || isRole(n, "tab", "button", "tablist"):
	case isCrumbs(n):
		o.crumb(n)
	case o.isNotice(n):
		l.flush(b)
		b.Children = append(b.Children, &Block{Text: cellText(n), Place: Notice})
	case o.isChrome(n) || isMenu(n) && !isIntroduced(b, l) || isOfLinks(n, b, l):
		l.flush(b)
		o.chrome(n, b)
	case n.DataAtom == atom.Br || n.DataAtom == atom.Hr:
		l.flush(b)
	case headingLevel(n) > 0:
		l.flush(b)
		b.Children = append(b.Children, &Block{Text: cmp.Or(cellText(n), imageText(n)), Level: headingLevel(n)})
	case n.DataAtom == atom.Summary || n.DataAtom == atom.Legend || n.DataAtom == atom.Figcaption || n.DataAtom == atom.Caption:
		l.flush(b)
		b.Children = append(b.Children, &Block{Text: cellText(n), Place: Label})
	case n.DataAtom == atom.Label && o.isOption(n):
		l.flush(b)
		o.option(n, b)
	case n.DataAtom == atom.Sup || n.DataAtom == atom.Sub:
		l.raised(cellText(n))
	case isInline(n) && len(o.grids[n]) == 0:
		o.inline(n, b, l)
	default:
		l.flush(b)
		o.block(n, b)
	}
}

// isInline tells whether n is a part of a line. Elements that a page makes up, such as <fuel-card>, are not.
func isInline(n *html.Node) bool {
	return inline(n.DataAtom) && (n.DataAtom != 0 || !strings.Contains(n.Data, "-"))
}

func (o *outliner) inline(n *html.Node, b *Block, l *line) {
	if current := attr(n, "aria-current"); current != "" && current != "false" {
		b.Children = append(b.Children, &Block{Text: cellText(n), Place: Choice})
	}
	if day := attr(n, "datetime"); n.DataAtom == atom.Time && len(day) >= len("2006-01-02") && day[4] == '-' {
		l.put(" " + day[:len("2006-01-02")] + " ") // the text may lack the year
		return
	}
	l.edge = l.edge || followsInline(n)
	if n.DataAtom == atom.A {
		o.name(n)
	}
	if n.DataAtom == atom.A && !opensWeek(n) {
		l.link++
		defer func() { l.link-- }()
	}
	o.children(n, b, l)
}

// opensWeek tells whether a link opens what it names on the page itself, such as a week.
func opensWeek(n *html.Node) bool {
	to := attr(n, "href")
	return (to == "" || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "javascript:")) && strings.ContainsAny(cellText(n), digits)
}

// hidden keeps an element that is not shown only for the grids in it.
func (o *outliner) hidden(n *html.Node, b *Block, l *line) {
	if !o.holdsGrid(n) {
		return
	}
	if !o.isOpened(n) {
		o.markUnopened(n)
	}
	l.flush(b)
	inner := &Block{Frame: true, Hidden: true}
	o.label(n, inner)
	inner.Grids = o.grids[n]
	o.into(n, inner)
	b.Children = append(b.Children, inner)
}

func (o *outliner) holdsGrid(n *html.Node) bool {
	if len(o.grids[n]) > 0 {
		return true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && o.holdsGrid(c) {
			return true
		}
	}
	return false
}

func (o *outliner) block(n *html.Node, b *Block) {
	inner := &Block{Grids: o.grids[n], Frame: isFrame(n) || isPart(n), Main: n.DataAtom == atom.Main || isRole(n, "main")}
	o.label(n, inner)
	if isMain(n) {
		o.inMain++
		defer func() { o.inMain-- }()
	}
	isRead := len(inner.Grids) > 0 && (isPre(n) || isRole(n, "table", "grid", "treegrid"))
	if !isRead && (n.DataAtom != atom.Table || o.isLayout(n)) {
		o.into(n, inner)
	}
	b.Children = append(b.Children, inner)
}

// isLayout tells whether a table only places other elements.
func (o *outliner) isLayout(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		switch c.DataAtom {
		case atom.Table, atom.Pre, atom.Ul, atom.Ol, atom.Dl, atom.H1, atom.H2, atom.H3, atom.H4, atom.Fieldset:
			return true
		case atom.P:
			if len(cellText(c)) > maxLine { // a paragraph is no cell
				return true
			}
		case atom.Td:
			if lines := countLines(c); lines > 2 && strings.Contains(cellText(c), "%") && (len(cellText(c)) > maxLine || writtenDay.MatchString(cellText(c))) {
				return true
			}
		}
		if o.isLayout(c) {
			return true
		}
	}
	return false
}

// writtenDay finds a day with or without its year. A cell with a day and a percent among its lines is a card, and not a value.
var writtenDay = regexp.MustCompile(`(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\b\d{1,2}/\d{1,2}\b`)

// countLines is how many lines a cell holds.
func countLines(n *html.Node) int {
	blocks, breaks := 0, 0
	for c := range elements(n) {
		switch {
		case c.DataAtom == atom.Br:
			breaks++
		case !inline(c.DataAtom):
			blocks++
		}
	}
	return max(blocks, breaks+1)
}

// label gives a block the name that its element has for assistive technology, or that of the tab that opens it.
func (o *outliner) label(n *html.Node, b *Block) {
	text := ""
	if by := attr(n, "aria-labelledby"); by != "" {
		for id := range strings.FieldsSeq(by) {
			if named := o.ids[id]; named != nil && headingLevel(named) == 0 && named.DataAtom != atom.Figcaption && !(named.DataAtom == atom.Button && dayIn.MatchString(cellText(named))) {
				text = strings.TrimSpace(text + " " + cellText(named))
			}
		}
	} else if name := attr(n, "aria-label"); name != "" && n.DataAtom != atom.Table && !isRole(n, "table", "grid", "treegrid") {
		text = name
	}
	if text == "" {
		text = o.labels[attr(n, "id")]
	}
	if text == "" {
		text = o.named[n]
	}
	if text != "" {
		b.Frame = true
		b.Children = append(b.Children, &Block{Text: text, Place: Label})
	}
}

func hasAttr(n *html.Node, key string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return true
		}
	}
	return false
}

func isMain(n *html.Node) bool {
	return n.DataAtom == atom.Main || n.DataAtom == atom.Article || n.DataAtom == atom.Section || isRole(n, "main", "article")
}

// isFrame tells whether an element holds its content together.
func isFrame(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Article, atom.Section, atom.Li, atom.Figure, atom.Details, atom.Fieldset:
		return true
	}
	if isRole(n, "tabpanel", "region", "group", "listitem", "article") || strings.HasSuffix(n.Data, "-card") {
		return true
	}
	return hasClass(n, "card", "panel", "tab-pane", "accordion-item", "tile")
}

func hasClass(n *html.Node, names ...string) bool {
	for class := range strings.FieldsSeq(attr(n, "class")) {
		for _, name := range names {
			if strings.EqualFold(class, name) {
				return true
			}
		}
	}
	return false
}

// isCrumbs tells whether n is the way to the page.
func isCrumbs(n *html.Node) bool {
	if n.DataAtom != atom.Nav && n.DataAtom != atom.Ol && n.DataAtom != atom.Ul && n.DataAtom != atom.Div && n.DataAtom != atom.P {
		return false
	}
	name := strings.ToLower(attr(n, "class") + " " + attr(n, "id") + " " + attr(n, "aria-label") + " " + attr(n, "aria-labelledby"))
	return strings.Contains(name, "breadcrumb") || strings.Contains(name, "crumbs")
}

func (o *outliner) crumb(n *html.Node) {
	var collect func(*html.Node)
	collect = func(n *html.Node) {
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			switch {
			case k.Type == html.TextNode:
				crumb := strings.Trim(strings.TrimSpace(k.Data), "/>»›·| ")
				if crumb != "" && !strings.EqualFold(crumb, "home") {
					o.crumbs = append(o.crumbs, crumb)
				}
			case k.Type == html.ElementNode && headingLevel(k) == 0 && !Unseen(k):
				collect(k)
			}
		}
	}
	collect(n)
}

// name notes the text of the link to the home page.
func (o *outliner) name(n *html.Node) {
	to := strings.ToLower(attr(n, "href"))
	if to == "/" || attr(n, "rel") == "home" || strings.HasPrefix(to, "default.aspx") || to == "index.html" {
		if text := cellText(n); len(text) > 1 && len(text) <= 60 && !strings.EqualFold(text, "home") {
			o.names = append(o.names, text)
		}
	}
}
