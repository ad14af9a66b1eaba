package trust_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay.dev/ltl-worker/trust"
)

// Sentences that nobody has accepted. One does not speak of the percents: it counts only in the content of a page.
const (
	ofPercents = "The percentages below are a draft and apply to shipments to Canada."
	ofAnything = "All of this is a draft."
)

// contents are the elements that hold the content of each page. SEFL and AVERITT have none, so that all of their pages is content.
var contents = map[source]string{
	"ODFL": "main", "SAIA": "div.content", "ESTES": "main", "ABF": "article", "RLC": "div.col", "TFORCE": "div.container", "XPO": "main",
	"SEFL": "body", "AVERITT": "body", "FEDEX": "main",
}

// ways are those to put a sentence at an element.
var ways = map[string]func(e *html.Node, sentence string){
	"before":   func(e *html.Node, sentence string) { e.Parent.InsertBefore(element("p", sentence), e) },
	"behind":   func(e *html.Node, sentence string) { e.Parent.InsertBefore(element("p", sentence), e.NextSibling) },
	"first in": func(e *html.Node, sentence string) { e.InsertBefore(element("p", sentence), e.FirstChild) },
	"last in":  func(e *html.Node, sentence string) { e.AppendChild(element("div", sentence)) },
	"text of": func(e *html.Node, sentence string) {
		e.InsertBefore(&html.Node{Type: html.ElementNode, Data: "br"}, e.FirstChild)
		e.InsertBefore(text(sentence), e.FirstChild)
	},
	"heading in":    func(e *html.Node, sentence string) { e.AppendChild(element("h4", sentence)) },
	"caption in":    func(e *html.Node, sentence string) { e.InsertBefore(element("caption", sentence), e.FirstChild) },
	"title of":      func(e *html.Node, sentence string) { set(e, "title", sentence) },
	"aria-label of": func(e *html.Node, sentence string) { set(e, "aria-label", sentence) },
	"picture in": func(e *html.Node, sentence string) {
		img := &html.Node{Type: html.ElementNode, Data: "img"}
		set(img, "alt", sentence)
		e.AppendChild(img)
	},
}

func text(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

func element(tag, sentence string) *html.Node {
	e := &html.Node{Type: html.ElementNode, Data: tag}
	e.AppendChild(text(sentence))
	return e
}

func set(e *html.Node, key, to string) {
	e.Attr = slices.DeleteFunc(e.Attr, func(a html.Attribute) bool { return a.Key == key })
	e.Attr = append(e.Attr, html.Attribute{Key: key, Val: to})
}

// shown are the elements of a page by their paths: of cells and links side by side the first, and of a table two rows.
func shown(n *html.Node, path string, to map[string]*html.Node) {
	count := map[string]int{}
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || slices.Contains([]string{"head", "script", "noscript", "br", "hr"}, c.Data) {
			continue
		}
		count[c.Data]++
		if most := map[string]int{"tr": 2, "td": 2, "th": 1, "a": 1, "li": 1}[c.Data]; most > 0 && count[c.Data] > most {
			continue
		}
		key := path + " " + c.Data
		for _, a := range c.Attr {
			if a.Key == "class" || a.Key == "id" {
				key += "." + strings.Fields(a.Val)[0]
			}
		}
		for to[key] != nil {
			key += "+"
		}
		to[key] = c
		shown(c, key, to)
	}
}

// asks tells whether a page is in doubt, or refused, for whom its editions are accepted.
func (p *played) asks(text string) bool {
	r, isClear, err := read(p.of, text, p.at)
	return err != nil || !isClear || !trust.Judge(r, p.known, p.past).IsClean()
}

// A sentence that takes the percents back is noticed wherever a page shows it. One that does not speak of them is noticed
// wherever the content of the page stands, however that is laid out, and nowhere else.
func TestEachPlaceOfAPage(t *testing.T) {
	for _, p := range playedSources(t) {
		if p.of.isJSON() || p.at != editionAt(changedAt-1) {
			continue
		}
		elements := map[string]*html.Node{}
		shown(parsed(t, p.text), "", elements)
		for path, e := range elements {
			for way, put := range ways {
				beside := way == "before" || way == "behind"
				if e.Data == "html" || beside && e.Data == "body" || way == "caption in" && e.Data != "table" {
					continue
				}
				asks := func(sentence string) bool {
					return p.asks(with(t, p.text, path, func(e *html.Node) { put(e, sentence) }))
				}
				ofAny, want := asks(ofAnything), isContent(path, contents[p.of], beside)
				if ofAny != want {
					t.Errorf("%s: %q %s%s: asks %v, want %v", p.of, ofAnything, way, path, ofAny, want)
				}
				if !ofAny && !asks(ofPercents) {
					t.Errorf("%s: %q %s%s is not noticed", p.of, ofPercents, way, path)
				}
			}
		}
	}
}

// with is a page with an element changed.
func with(t *testing.T, page, path string, change func(*html.Node)) string {
	root, elements := parsed(t, page), map[string]*html.Node{}
	shown(root, "", elements)
	change(elements[path])
	var b strings.Builder
	if err := html.Render(&b, root); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// isContent tells whether what stands in an element, or beside it, is content of the page or the text of a dialog.
func isContent(path, content string, beside bool) bool {
	if beside {
		path = path[:strings.LastIndex(path, " ")]
	}
	parts := strings.Fields(strings.ReplaceAll(path, "+", ""))
	has := func(what string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return part == what || strings.HasPrefix(part, what+".") })
	}
	return has("div.cookie-banner") || has(content) && !has("footer")
}

func parsed(t *testing.T, text string) *html.Node {
	page, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

var opening = regexp.MustCompile(`[{[]\s*`)

// Whatever JSON says that it did not say is noticed.
func TestEachPlaceOfJSON(t *testing.T) {
	for _, p := range playedSources(t) {
		if !p.of.isJSON() {
			continue
		}
		for _, at := range opening.FindAllStringIndex(p.text, -1) {
			says := []string{`"a":"` + ofAnything + `",`, `"` + ofAnything + `":1,`, `"a":{"b":["` + ofAnything + `"]},`, `"a":"<p>` + ofAnything + `</p>",`}
			if p.text[at[0]] == '[' {
				says = []string{`"` + ofAnything + `",`, `{"a":"` + ofAnything + `"},`}
			}
			for _, says := range says {
				if !p.asks(p.text[:at[1]] + says + p.text[at[1]:]) {
					t.Errorf("%s: %s at %d is not noticed", p.of, says, at[0])
				}
			}
		}
	}
}
