package table

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What a tab opens may be said by the tab, by its place among the tabs, or not at all.

// tabTarget is the id of what a tab opens; "" for other elements.
func tabTarget(n *html.Node) string {
	if target := attr(n, "aria-controls"); target != "" {
		return target
	}
	if n.DataAtom != atom.A && n.DataAtom != atom.Button || !isTab(n) {
		return ""
	}
	for _, key := range []string{"href", "data-target", "data-bs-target", "data-tab"} {
		if target := strings.TrimPrefix(attr(n, key), "#"); target != "" && (key != "href" || target != attr(n, key)) {
			return target
		}
	}
	return ""
}

// isTab tells whether an element is one of the tabs of a page by its role or by the names that it and the list around it have.
func isTab(n *html.Node) bool {
	if isRole(n, "tab") || attr(n, "data-toggle") == "tab" || attr(n, "data-bs-toggle") == "tab" {
		return true
	}
	for depth := 0; n != nil && depth < 3; n, depth = n.Parent, depth+1 {
		if hasClass(n, "tab", "tabs", "nav-tabs", "tab-link", "tab-links", "tab-list", "tablist", "tab-nav") {
			return true
		}
	}
	return false
}

// notePanel notes a tab that does not say what it opens, and what tabs open.
func (o *outliner) notePanel(n *html.Node) {
	switch {
	case isRole(n, "tab") && tabTarget(n) == "":
		o.tabNames = append(o.tabNames, cellText(n))
	case isRole(n, "tabpanel") || hasClass(n, "tab-pane"):
		o.panels = append(o.panels, n)
	}
}

// namePanels gives what tabs open the names of the tabs, by their order. Where their numbers differ each has all the names, because any of
// them may be its own.
func (o *outliner) namePanels() {
	if len(o.tabNames) == 0 {
		return
	}
	o.named = map[*html.Node]string{}
	for i, panel := range o.panels {
		o.named[panel] = strings.Join(o.tabNames, " | ")
		if len(o.panels) == len(o.tabNames) {
			o.named[panel] = o.tabNames[i]
		}
	}
}

// followsOpener tells whether a hidden element stands right behind a button, as the parts of an accordion do.
func followsOpener(n *html.Node) bool {
	before := elementBefore(n)
	return before != nil && holdsButton(before)
}

// elementBefore and elementAfter are the elements right beside n; nil where there is none.
func elementBefore(n *html.Node) *html.Node {
	n = n.PrevSibling
	for n != nil && n.Type != html.ElementNode {
		n = n.PrevSibling
	}
	return n
}

func elementAfter(n *html.Node) *html.Node {
	if n == nil {
		return nil
	}
	n = n.NextSibling
	for n != nil && n.Type != html.ElementNode {
		n = n.NextSibling
	}
	return n
}

func holdsButton(n *html.Node) bool {
	if n.DataAtom == atom.Button || isRole(n, "button") || hasAttr(n, "aria-expanded") {
		return true
	}
	for c := range elements(n) {
		if holdsButton(c) {
			return true
		}
	}
	return false
}

// dayIn finds a day with its year: "November 11, 2026", "11/11/2026".
var dayIn = regexp.MustCompile(`(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?,? 20\d\d\b|\b\d{1,2}/\d{1,2}/20\d\d\b|\b20\d\d-\d\d-\d\d\b`)

// opensUnderDate tells whether a hidden element is shown by the button right before it, and the button names a day with its year: the part
// of an accordion for that week. Its text is read like that of a page that shows it.
func opensUnderDate(n *html.Node) bool {
	before := elementBefore(n)
	if before == nil || n.DataAtom != atom.Div && n.DataAtom != atom.Section && n.DataAtom != atom.P {
		return false
	}
	return isExpander(before) && len(cellText(before)) <= maxLine && len(cellText(n)) <= maxLine && dayIn.MatchString(cellText(before))
}

// isButton tells whether n is a button that is no tab. A link that looks like one leads elsewhere.
func isButton(n *html.Node) bool {
	if n.DataAtom == atom.Button {
		return !isRole(n, "tab")
	}
	return isRole(n, "button") && (n.DataAtom != atom.A || opensWeek(n))
}

// isExpander tells whether n is the button of an accordion, or a heading that holds it.
func isExpander(n *html.Node) bool {
	if headingLevel(n) > 0 {
		return slices.ContainsFunc(slices.Collect(elements(n)), isExpander)
	}
	return isButton(n) && (n.DataAtom != atom.Button || hasAttr(n, "aria-expanded") || expanderName.MatchString(attr(n, "class")))
}

// expanderName finds the names that sites give to such buttons.
var expanderName = regexp.MustCompile(`(?i)accordion|collaps|toggle|expand`)

// isPart tells whether n is a part of an accordion: a button, and what it opens.
func isPart(n *html.Node) bool {
	first := firstElement(n)
	if first == nil || elementAfter(first) == nil {
		return false
	}
	for ; first != nil; first = firstElement(first) {
		if isExpander(first) {
			return true
		}
		if elementAfter(firstElement(first)) != nil {
			return false
		}
	}
	return false
}

// firstElement is the first element in n; nil where there is none.
func firstElement(n *html.Node) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
}

// opened is what the button of an accordion opens: the element right behind it, or behind those that hold nothing else. It is nil where
// there is none.
func opened(button *html.Node) *html.Node {
	text := cellText(button)
	for n := button; n != nil && cellText(n) == text; n = n.Parent {
		if next := elementAfter(n); next != nil {
			return next
		}
	}
	return nil
}

// opensGrid tells whether the element right behind a term holds a grid.
func (o *outliner) opensGrid(n *html.Node) bool {
	next := elementAfter(n)
	return next != nil && o.holdsGrid(next)
}

// opensFigures tells whether the button of an accordion opens a grid or percents, and does not say itself what it opens.
func (o *outliner) opensFigures(n *html.Node) bool {
	next := opened(n)
	return next != nil && o.ids[tabTarget(n)] == nil && (o.holdsGrid(next) || strings.Contains(cellText(next), "%"))
}

// onlyCell is the text of a table that has one cell and no other table; "" for all others.
func onlyCell(n *html.Node) string {
	cells, text := 0, ""
	for c := range n.Descendants() {
		switch c.DataAtom {
		case atom.Table:
			return ""
		case atom.Td, atom.Th:
			if cells++; cells > 1 {
				return ""
			}
			text = cellText(c)
		}
	}
	if len(text) > maxLine {
		return ""
	}
	return text
}
