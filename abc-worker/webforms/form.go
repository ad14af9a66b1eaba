// Package webforms fills in and submits the forms of pages as a browser does. Old server frameworks, such as
// ASP.NET WebForms and classic ASP, keep their state in hidden inputs and a cookie. They refuse a submission that
// lacks any of them.
package webforms

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/table"
)

// Document parses a page that must be whole. Its error is a *[scrape.Failure] of kind changed.
func Document(page *scrape.Page) (*goquery.Document, error) {
	root, err := scrape.ParseWhole([]byte(page.Text()))
	if err != nil {
		return nil, err
	}
	return goquery.NewDocumentFromNode(root), nil
}

// nodeNumber is the attribute by which a copy of a page keeps the numbers of its elements.
const nodeNumber = "assay-node"

// SpotOf is where a text of an element of a [Shown] page stands.
func SpotOf(element *goquery.Selection, text string) scrape.Spot {
	at, _ := strconv.Atoi(element.AttrOr(nodeNumber, ""))
	return scrape.Spot{At: at, Text: text}
}

// Shown is a copy of a document without what the page does not show, such as a message that a script would show.
func Shown(doc *goquery.Document) *goquery.Document {
	shown := goquery.CloneDocument(doc)
	scrape.NumberNodes(shown.Nodes[0], func(n *html.Node, number int) {
		if n.Type == html.ElementNode {
			isOld := func(a html.Attribute) bool { return a.Key == nodeNumber }
			n.Attr = append(slices.DeleteFunc(n.Attr, isOld), html.Attribute{Key: nodeNumber, Val: strconv.Itoa(number)})
		}
	})
	shown.Find("*").FilterFunction(func(_ int, s *goquery.Selection) bool { return table.Unseen(s.Get(0)) }).Remove()
	return shown
}

// Form is a form as it would be submitted. Its values begin with what the page has put in: hidden inputs, texts,
// what is checked and what is selected. A button is not among them until it is pressed.
type Form struct {
	// Action is the URL it is sent to, on the host of the page.
	Action string
	Values url.Values

	controls map[string]bool
	buttons  map[string]string
}

// Find reads the first form of the page that the CSS selector matches. Its error is a *[scrape.Failure] of kind
// changed: there is no such form, or it would be sent to another host.
func Find(page *scrape.Page, doc *goquery.Document, selector string) (*Form, error) {
	element := doc.Find(selector).First()
	if element.Length() == 0 {
		return nil, scrape.Failf(scrape.Changed, "the page has no form %s", selector)
	}
	action, err := Resolve(page, element.AttrOr("action", ""))
	if err != nil {
		return nil, err
	}
	f := &Form{Action: action, Values: url.Values{}, controls: map[string]bool{}, buttons: map[string]string{}}
	element.Find("input, select, textarea, button").Each(func(_ int, control *goquery.Selection) { f.addControl(control) })
	return f, nil
}

// Resolve is the URL that a link of the page leads to. Its error is a *[scrape.Failure] of kind changed: the link
// leads to another host or scheme.
func Resolve(page *scrape.Page, link string) (string, error) {
	base, err := url.Parse(page.URL)
	if err != nil {
		return "", scrape.Failf(scrape.Changed, "the page has no URL")
	}
	target, err := base.Parse(strings.TrimSpace(link))
	if err != nil || target.Host != base.Host || target.Scheme != base.Scheme {
		return "", scrape.Failf(scrape.Changed, "a link leads away from %s", base.Host)
	}
	return target.String(), nil
}

func (f *Form) addControl(control *goquery.Selection) {
	name, named := control.Attr("name")
	if _, disabled := control.Attr("disabled"); disabled || !named || name == "" {
		return
	}
	switch goquery.NodeName(control) {
	case "select":
		f.addSelect(name, control)
	case "textarea":
		f.hold(name, control.Text())
	case "button":
		f.buttons[name] = control.AttrOr("value", "")
	default:
		f.addInput(name, control)
	}
}

func (f *Form) addInput(name string, control *goquery.Selection) {
	value := control.AttrOr("value", "")
	_, checked := control.Attr("checked")
	switch strings.ToLower(control.AttrOr("type", "text")) {
	case "submit", "image", "button":
		f.buttons[name] = value
	case "reset", "file":
	case "checkbox", "radio":
		f.controls[name] = true
		if checked {
			f.Values.Add(name, control.AttrOr("value", "on"))
		}
	default:
		f.hold(name, value)
	}
}

// addSelect adds the options that are selected. In a list from which one is chosen, the first option is selected
// when none is.
func (f *Form) addSelect(name string, control *goquery.Selection) {
	f.controls[name] = true
	value := func(option *goquery.Selection) string {
		return option.AttrOr("value", strings.TrimSpace(option.Text()))
	}
	options := control.Find("option")
	selected := options.Filter("[selected]")
	if _, several := control.Attr("multiple"); !several && selected.Length() == 0 {
		selected = options.First()
	}
	selected.Each(func(_ int, option *goquery.Selection) { f.Values.Add(name, value(option)) })
}

// hold takes over the value that the page has put into a control.
func (f *Form) hold(name, value string) {
	f.controls[name] = true
	f.Values.Add(name, value)
}

// Fill sets a control. Its error is a *[scrape.Failure] of kind changed: the form has no control of that name.
// Without that error, a form that was changed would be sent without the text, and answer another question than the
// one that was asked.
func (f *Form) Fill(name, value string) error {
	if !f.controls[name] {
		return scrape.Failf(scrape.Changed, "the form has no field %s", name)
	}
	f.Values.Set(name, value)
	return nil
}

// Press adds a button to what is submitted. Its error is as that of [Form.Fill].
func (f *Form) Press(name string) error {
	value, ok := f.buttons[name]
	if !ok {
		return scrape.Failf(scrape.Changed, "the form has no button %s", name)
	}
	f.Values.Set(name, value)
	return nil
}

// Submit sends the form in a session, which must be the one that got its page.
func (f *Form) Submit(ctx context.Context, session *scrape.Session) (*scrape.Page, error) {
	return session.Fetch(ctx, scrape.Request{URL: f.Action, Form: f.Values})
}
