package florida

import (
	"context"
	"strconv"
	"time"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/abc-worker/outline"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/webforms"
	"assay.dev/platform/scrape"
)

// visit is one conversation with the portal.
type visit struct {
	session *scrape.Session
	// kind is byNumber or byName.
	kind string
	// details counts the pages of single licenses that were read.
	details int
	// pieces are what the pages of results say. day is the oldest of which they say that they are; zero where they say
	// none.
	pieces []outline.Piece
	day    time.Time
}

// get fetches a page. The portal's error page, which has status 200, is a failure.
func (v *visit) get(ctx context.Context, r scrape.Request) (*scrape.Page, *goquery.Document, error) {
	page, err := v.session.Fetch(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	doc, err := webforms.Document(page)
	if err == nil && errorPage.MatchString(doc.Find("title, h1, h2, h3").Text()) {
		err = scrape.Failf(scrape.Changed, "the portal answers with its error page")
	}
	return page, doc, err
}

// results submits the form and reads all pages of results. No lines are proof that there is no such license.
func (v *visit) results(ctx context.Context, form *webforms.Form) ([]resultLine, time.Time, error) {
	var lines []resultLine
	var readAt time.Time
	seen := 0
	for turned := 1; ; turned++ {
		page, doc, err := v.get(ctx, scrape.Request{URL: form.Action, Form: form.Values})
		if err != nil {
			return nil, readAt, err
		}
		if readAt.IsZero() {
			readAt = page.ReadAt
			scrape.Decide(ctx, page)
		}
		v.pieces = append(v.pieces, outline.Of(doc.Nodes[0], nil)...)
		if v.day, err = outline.Believe(v.pieces, zone); err != nil {
			return nil, readAt, err
		}
		shown, all, err := readResults(doc)
		if err != nil {
			return nil, readAt, err
		}
		lines, seen = append(lines, shown...), seen+all
		next, err := v.next(page, doc)
		if err == nil && next == nil && seen < statedRecords(doc) {
			err = scrape.Failf(scrape.Changed, "the results are %d lines and say %d", seen, statedRecords(doc))
		}
		if err != nil || next == nil {
			return lines, readAt, err
		}
		if turned == maxPages {
			return nil, readAt, register.CannotAsk("there are more than %d pages of results", maxPages)
		}
		form = next
	}
}

// statedRecords is how many lines the results have by their form; 0 when it does not say.
func statedRecords(doc *goquery.Document) int {
	n, _ := strconv.Atoi(doc.Find("input[name=hTotalRecords]").AttrOr("value", ""))
	return n
}

// next is the form that leads to the next page of results; nil on the last one.
func (v *visit) next(page *scrape.Page, doc *goquery.Document) (*webforms.Form, error) {
	const hasPages = "form:has(input[name=hTotalPages])"
	if doc.Find(hasPages).Length() == 0 {
		return nil, nil
	}
	form, err := webforms.Find(page, doc, hasPages)
	if err != nil {
		return nil, err
	}
	current, _ := strconv.Atoi(form.Values.Get("hCurrPage"))
	total, _ := strconv.Atoi(form.Values.Get("hTotalPages"))
	switch {
	case total <= 1 || current >= total:
		return nil, nil
	case current < 1:
		return nil, scrape.Failf(scrape.Changed, "the results do not say which of %d pages they are", total)
	case total > maxPages:
		return nil, register.CannotAsk("there are %d pages of results", total)
	}
	form.Action = stepURL("3", v.kind)
	form.Values.Set("hPageAction", turnForward)
	form.Values.Set("SearchForward", "Search")
	return form, nil
}
