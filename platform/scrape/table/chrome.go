package table

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// chromeRoles are ARIA roles of parts of a site.
var chromeRoles = []string{
	"navigation", "banner", "contentinfo", "dialog", "alertdialog", "search", "complementary", "menu", "menubar",
}

// chromeNames are ids and classes of parts of a site. chromeWords are words of such names: "search" of "site-search".
// The word "header" is none: a "panel-header" is the title of a panel.
var (
	chromeNames = indexOf(`page-footer site-footer main-footer global-footer site-header main-menu header footer foot ftr menu nav navbar sidebar topbar side press brands quicklinks sitemap masthead
		colophon utility util social share`)
	chromeWords = indexOf(`search sitemap quicklinks social cookie cookies megamenu mega nav navbar navigation offcanvas util
		utility utilities newsletter popular related copyright subfooter breadcrumbs sidenav leftnav rightnav topnav subnav sidemenu
		leftmenu sidebar`)
	// footers begin the names of the parts of a footer: "foot-brands".
	footers = indexOf(`foot footer ftr`)
	// siteWords stand before them in such names: "fxf-global-footer".
	siteWords = indexOf(`global site page main web corp corporate`)
)

func indexOf(list string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}

// isChrome tells whether n is a part of the site and not of the page: a menu, the header, the footer, a notice.
func (o *outliner) isChrome(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav:
		return true
	case atom.Header, atom.Footer:
		return o.inMain == 0
	case atom.Aside:
		return !o.holdsGrid(n) && (o.inMain == 0 || holdsLinks(n))
	}
	if isRole(n, chromeRoles...) {
		return true
	}
	switch n.DataAtom {
	case atom.Div, atom.Ul, atom.Ol, atom.Section, atom.P, atom.Form, atom.Td:
	default:
		return false
	}
	id := strings.ToLower(attr(n, "id"))
	if strings.Contains(id, "cookie") {
		return true
	}
	return (isChromeName(id) || hasChromeClass(n)) && !o.holdsGrid(n) && !holdsWeek(n)
}

// holdsLinks tells whether n leads elsewhere: it has a link, a heading, a list or a form.
func holdsLinks(n *html.Node) bool {
	for c := range elements(n) {
		switch c.DataAtom {
		case atom.A, atom.Ul, atom.Ol, atom.Form, atom.Nav, atom.Button:
			return true
		}
		if headingLevel(c) > 0 || holdsLinks(c) {
			return true
		}
	}
	return false
}

func hasChromeClass(n *html.Node) bool {
	for class := range strings.FieldsSeq(attr(n, "class")) {
		if isChromeName(strings.ToLower(class)) {
			return true
		}
	}
	return false
}

func isChromeName(name string) bool {
	if name == "" {
		return false
	}
	if chromeNames[name] {
		return true
	}
	first, ofSite := true, false
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' }) {
		if chromeWords[word] || (first || ofSite) && footers[word] {
			return true
		}
		first, ofSite = false, siteWords[word]
	}
	return false
}

// holdsWeek tells whether a percent stands in n, and a digit elsewhere: it may be a week. With a copyright notice it is a footer.
func holdsWeek(n *html.Node) bool {
	text := cellText(n)
	return !strings.Contains(text, "©") && strings.Contains(text, "%") && strings.IndexFunc(text, unicode.IsDigit) >= 0 && !strings.Contains(text, ". ")
}

// The bounds of a list that is a menu.
const (
	minMenuItems = 3
	maxMenuItem  = 30 // bytes of an item
	maxMenuWords = 4
	maxLinkItem  = 60 // bytes of an item under a heading that leads to other pages
)

// isMenu tells whether a list holds nothing but a few words an item, without figures but the year of a paper: the menus of sites are made
// so where they are not marked.
func isMenu(n *html.Node) bool {
	return isListOf(n, func(item string) bool {
		return len(item) <= maxMenuItem && len(strings.Fields(item)) <= maxMenuWords &&
			!strings.ContainsAny(yearOfPaper.ReplaceAllString(item, ""), digits+".:%")
	})
}

// isListOf tells whether n is a list of several items of one kind.
func isListOf(n *html.Node, isItem func(string) bool) bool {
	if n.DataAtom != atom.Ul && n.DataAtom != atom.Ol {
		return false
	}
	items := 0
	for c := range elements(n) {
		if c.DataAtom != atom.Li || !isItem(cellText(c)) || headingLevel(c) > 0 {
			return false
		}
		items++
	}
	return items >= minMenuItems
}

// yearOfPaper finds the year behind the name of a paper: "Accessorial list 2026".
var yearOfPaper = regexp.MustCompile(`[a-z] 20\d\d$`)

// isOfLinks tells whether a list stands right under a heading that leads to other pages, and none of its items speaks of the figures.
func isOfLinks(n *html.Node, b *Block, l *line) bool {
	if len(b.Children) == 0 || l.b.Len() > 0 {
		return false
	}
	head := b.Children[len(b.Children)-1]
	return head.Level > 0 && linkHeads.MatchString(head.Text) && !ofFigures.MatchString(head.Text) && isListOf(n, func(item string) bool {
		return len(item) <= maxLinkItem && !strings.ContainsAny(item, "%$.") && !ofFigures.MatchString(item)
	})
}

// linkHeads begin the headings of such lists: "More about charges", "Also in our library".
var linkHeads = regexp.MustCompile(`(?i)^(?:(?:read |learn |find |see )?more (?:about|on|from|in|for|to read|help|information|resources|topics|pages|articles|links)\b|` +
	`more$|related\b|see also\b|` +
	`also (?:in|on|from|see|of interest|useful|read)\b|further (?:reading|information)\b|(?:quick|useful|helpful|popular|other) (?:links|pages|topics|resources|articles|documents)\b|` +
	`(?:frequently used|recommended|most read|you (?:may|might) also)\b)`)

// isIntroduced tells whether the line before a place ends with a colon, or speaks of what follows.
func isIntroduced(b *Block, l *line) bool {
	text := l.b.String()
	for last := b; text == "" && last != nil && len(last.Children) > 0; {
		last = last.Children[len(last.Children)-1]
		text = last.Text
	}
	text = strings.ToLower(text)
	return strings.HasSuffix(text, ":") || strings.Contains(text, "appl") || strings.Contains(text, "valid") ||
		strings.Contains(text, "only") || strings.HasSuffix(text, " for") || scopeHeads.MatchString(text)
}

// scopeHeads find the titles of lists that say for what figures are.
var scopeHeads = regexp.MustCompile(`\b(?:this|these|territor(?:y|ies)|scope|coverage|who|whom|covered)\b`)

// chrome takes the owner's name, the main heading, headings that name a brand, the current item of a menu, and sentences about the figures
// out of a part of the site.
func (o *outliner) chrome(n *html.Node, b *Block) {
	if !holdsLines(n) {
		if text := cellText(n); isProse(text) && len(text) <= maxLine && ofFiguresThere.MatchString(text) {
			b.Children = append(b.Children, &Block{Text: text, Place: Notice})
			return
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode:
		case c.DataAtom == atom.H1:
			b.Children = append(b.Children, &Block{Text: cellText(c), Level: 1})
		case headingLevel(c) > 0 && strings.ContainsAny(cellText(c), "®™"): // "Panther Premium Logistics®" over a side column is a logo
			b.Children = append(b.Children, &Block{Text: cellText(c), Place: Image})
		case isCrumbs(c):
			o.crumb(c)
		case c.DataAtom == atom.A:
			o.name(c)
			o.active(c, b)
		case !Unseen(c):
			o.active(c, b)
			o.chrome(c, b)
		}
	}
}

// holdsLines tells whether n holds elements that are lines of their own.
func holdsLines(n *html.Node) bool {
	for c := range elements(n) {
		if !inline(c.DataAtom) || holdsLines(c) {
			return true
		}
	}
	return false
}

// active notes the current item of a menu.
func (o *outliner) active(n *html.Node, b *Block) {
	current := attr(n, "aria-current")
	if (current == "" || current == "false") && !hasClass(n, "active", "selected", "current", "is-active", "is-selected") {
		return
	}
	if text := cellText(n); text != "" && len(text) <= maxMenuItem {
		b.Children = append(b.Children, &Block{Text: text, Place: Active})
	}
}

// noticeNames are the classes of bars in which a site tells all its visitors something.
var noticeNames = []string{
	"alert", "alertbox", "alert-bar", "alertbar", "site-alert", "announcement", "announcement-bar", "announcements", "notice-bar", "ticker", "marquee",
}

// minNotice is the least words of what such a bar announces. Fewer may be a title: "Canada".
const minNotice = 4

// isNotice tells whether n is a bar outside the content in which the site tells all its visitors something.
func (o *outliner) isNotice(n *html.Node) bool {
	if o.inMain > 0 || !isRole(n, "alert", "status", "marquee") && !hasClass(n, noticeNames...) || o.holdsGrid(n) {
		return false
	}
	text := cellText(n)
	return len(strings.Fields(text)) >= minNotice && len(text) <= maxLine && !strings.Contains(text, "%")
}

// imageText is what the images in n show; "" for none.
func imageText(n *html.Node) string {
	var all []string
	for c := range n.Descendants() {
		if text := strings.TrimSpace(attr(c, "alt")); c.DataAtom == atom.Img && text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, " ")
}

// maxImage is the longest text, in bytes, for an image that names something. A longer one tells what it shows.
const maxImage = 60

func (o *outliner) image(n *html.Node, b *Block) {
	if text := strings.TrimSpace(attr(n, "alt")); text != "" && len(text) <= maxImage && !Unseen(n) {
		b.Children = append(b.Children, &Block{Text: text, Place: Image})
	}
}
