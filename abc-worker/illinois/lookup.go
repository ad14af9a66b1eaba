package illinois

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/outline"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

const (
	// renderTimeout is how long a caller waits for a render. A render that takes longer goes on, for the next caller.
	renderTimeout = 45 * time.Second
	// renderCost bounds the credits that a render may cost; about 5 are usual.
	renderCost = 10
)

// lookupPage is the license lookup as the rendering service shows it. Every render is paid for.
type lookupPage struct {
	register.Deps
}

// cardLabels are the labels of a card (code of 2019).
var cardLabels = outline.Labels{
	"License Number", "License No", "License Class", "Retail Type", "Issue Date", "Expiration Date",
	"Application Status", "License Status", "Licensee Name", "Business Name", "Address", "County", "Type", "Owners",
}

func (l *lookupPage) lookup(ctx context.Context, q register.Question) (register.Reading, error) {
	asked := lookupURL + "?" + numberParameter + "=" + url.QueryEscape(q.Number)
	reading := register.Reading{EvidenceURL: asked}
	page, err := l.render(ctx, q.Number, contracts.RenderJob{URL: asked, MaxCost: renderCost})
	if err != nil {
		return reading, err
	}
	reading.ReadAt = page.ReadAt
	shown, err := readCards(page.Text())
	if reading.PublishedAt = shown.day; err != nil {
		return reading, err
	}
	if len(shown.cards) == 0 {
		return reading, shown.denies(page.URL, q.Number)
	}
	cards := shown.cards
	asksFor := func(c card) bool {
		shown, err := contracts.NormalLicenseNumber(contracts.IL, c.texts["License Number"])
		return err == nil && shown == q.Number
	}
	if !slices.ContainsFunc(cards, asksFor) {
		// The default set instead of the license asked for: the number was ignored.
		return reading, scrape.Failf(scrape.Changed, "none of the %d licenses shown is the one asked for", len(cards))
	}
	licenses, unclear := licensesOf(slices.DeleteFunc(cards, func(c card) bool { return !asksFor(c) }))
	if reading.Unclear = min(unclear, 1); unclear == 0 {
		reading.Records = licenses
	}
	if reading.SaysActive() && outline.Notice(shown.pieces, cardLabels, q.Number) != "" {
		reading.Records, reading.Unclear = nil, 1
	}
	return reading, nil
}

// search filters the 20 licenses that the lookup shows whatever it is asked. One render of them serves all searches
// for setKept.
func (l *lookupPage) search(ctx context.Context, q register.Question) (register.Reading, error) {
	set, err := l.defaultSet(ctx)
	if err != nil {
		return register.Reading{}, err
	}
	recordSet(ctx, set)
	reading := register.Reading{EvidenceURL: lookupURL, ReadAt: set.ReadAt, Unclear: set.Unclear}
	for _, r := range set.Results {
		if register.Matches(q.Query, r) {
			reading.Records = append(reading.Records, register.Record{LicenseRecord: r})
		}
	}
	return reading, nil
}

// recordSet says that an answer was read from the set, which may have been rendered for another one.
func recordSet(ctx context.Context, set shownSet) {
	if len(set.Evidence) == 0 {
		scrape.Record(ctx, scrape.Document{})
	}
	for _, e := range set.Evidence {
		scrape.Record(ctx, scrape.Document{Kept: &e})
	}
}

// shownSet is the default set as it is kept.
type shownSet struct {
	contracts.Provenance
	Results []contracts.LicenseRecord `json:"results"`
	// Unclear is how many of the cards are not understood.
	Unclear int `json:"unclear"`
}

// setKept is how long a render of the default set serves.
const setKept = 15 * time.Minute

// defaultSet is the licenses that the lookup shows. They are kept in the cache under the key of a search without
// filters, which no client can ask.
func (l *lookupPage) defaultSet(ctx context.Context) (shownSet, error) {
	if l.Answers == nil || l.Render == nil {
		return l.renderSet(ctx)
	}
	key := contracts.SearchKey(l.Environment, contracts.SearchRequest{State: contracts.IL})
	return cache.Fill(ctx, l.Answers, key, func(ctx context.Context) (shownSet, error) {
		set, err := l.renderSet(ctx)
		if scrape.KindOf(err) != "" { // other processes that wait for this read do not know kinds
			err = contracts.Wrap(err, contracts.SourceUnavailable, "the license lookup could not be read; retry later")
		}
		return set, err
	})
}

// renderSet pays for a render of the lookup without a number.
func (l *lookupPage) renderSet(ctx context.Context) (shownSet, error) {
	ctx, read := scrape.RecordDocuments(ctx)
	page, err := l.render(ctx, "set", contracts.RenderJob{URL: lookupURL, WaitFor: cardSelector, MaxCost: renderCost})
	if err != nil {
		return shownSet{}, err
	}
	shown, err := readCards(page.Text())
	if err != nil {
		return shownSet{}, err
	}
	now := time.Now().UTC()
	set := shownSet{Provenance: contracts.Provenance{
		Schema: contracts.AnswerSchema,
		ReadAt: now, ExpiresAt: now.Add(setKept), Method: contracts.ScraperAPI, EvidenceURL: lookupURL,
	}}
	licenses, unclear := licensesOf(shown.cards)
	set.Unclear = unclear
	for _, l := range licenses {
		set.Results = append(set.Results, l.LicenseRecord)
	}
	if len(set.Results) == 0 {
		return set, scrape.Failf(scrape.Changed, "the lookup shows no licenses")
	}
	kept, all := l.Keeper.Keep(ctx, evidence.Reading{Source: string(contracts.IL), Path: "render",
		Rows: register.RowsOf(licenses)}, read.Ordered(lookupURL))
	set.NameEvidence(kept, all, now)
	return set, nil
}

// render has a page rendered. what names it in the job's id, which holds the quarter of an hour: a repeat in the same
// quarter finds the same job and is not paid for again.
func (l *lookupPage) render(ctx context.Context, what string, job contracts.RenderJob) (*scrape.Page, error) {
	if l.Render == nil {
		return nil, scrape.Failf(scrape.Unavailable, "nobody takes render jobs here")
	}
	id := "IL-" + what + "-" + l.Clock().UTC().Truncate(setKept).Format("20060102T1504")
	result, err := l.Render(ctx, id, job)
	if err != nil {
		return nil, err
	}
	page := &scrape.Page{
		URL: result.FinalURL, Status: http.StatusOK, Body: result.HTML, ReadAt: cmp.Or(result.ReadAt, l.Clock().UTC()),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
	}
	if sign := scrape.Challenge(page); sign != "" {
		return nil, scrape.Failf(scrape.Blocked, "the rendering service was given a robot check (%s)", sign)
	}
	scrape.Record(ctx, scrape.Document{Page: page})
	return page, nil
}

// card is one card of the results, or a page of details: texts by their labels.
type card struct {
	texts map[string]string
	spots []scrape.Spot // of number and status
}

// cardPage is a page of cards. day is the one that it says it is of; zero where it says none.
type cardPage struct {
	cards  []card
	pieces []outline.Piece
	day    time.Time
}

// readCards reads a page of cards. There are none when the page says so. A page that neither has any nor says that is a
// failure of kind changed.
func readCards(doc string) (shown cardPage, err error) {
	if shown.pieces, err = outline.Parse(doc, cardLabels); err != nil {
		return shown, err
	}
	if shown.day, err = outline.Believe(shown.pieces, zone); err != nil {
		return shown, err
	}
	at := "" // the label that the next value belongs to
	for _, p := range shown.pieces {
		switch {
		case p.Kind == outline.Label:
			at = cardLabels.Find(p.Text)
		case p.Kind == outline.Value && p.Text != "" && (at == "License Number" || at == "License No"):
			shown.cards = append(shown.cards, card{map[string]string{"License Number": p.Text}, []scrape.Spot{p.Spot()}})
		case p.Kind == outline.Value && at != "" && len(shown.cards) > 0:
			card := &shown.cards[len(shown.cards)-1]
			if card.texts[at] == "" && at == "License Status" {
				card.spots = append(card.spots, p.Spot())
			}
			card.texts[at] = outline.Both(card.texts[at], p.Raw)
		}
	}
	if len(shown.cards) == 0 && !outline.SaysNone(shown.pieces) {
		err = scrape.Failf(scrape.Changed, "the lookup shows no licenses and does not say that there are none")
	}
	return shown, err
}

// denies fails unless it is the lookup's page that says that there is no license with the number. That page may say it
// without the number, which proves nothing.
func (s cardPage) denies(from, number string) error {
	got, err := url.Parse(from)
	asked, also := url.Parse(lookupURL)
	if err != nil || also != nil || !scrape.SameSite(got.Hostname(), asked.Hostname()) || got.Path != asked.Path {
		return scrape.Failf(scrape.Changed, "another page than the lookup says that there are no licenses")
	}
	if !slices.ContainsFunc(s.pieces, func(p outline.Piece) bool {
		return strings.Contains(strings.ToUpper(p.Text), number) && outline.SaysNone([]outline.Piece{p})
	}) {
		return register.CannotAsk("the lookup shows no licenses and does not speak of the one asked for")
	}
	return nil
}

// licensesOf are the licenses of the cards, each by the card of its newest term. unclear counts the cards that are not
// understood, and the licenses of which two cards differ that are of one term, or of which one has no date.
func licensesOf(cards []card) (licenses []register.Record, unclear int) {
	at := map[string]int{}
	for _, c := range cards {
		record, ok := c.record()
		i, twice := at[record.LicenseNumber]
		switch {
		case !ok:
			unclear++
		case record.Status == register.NoLicense:
		case !twice:
			at[record.LicenseNumber] = len(licenses)
			licenses = append(licenses, record)
		case record.Status != licenses[i].Status && (record.ExpirationDate == licenses[i].ExpirationDate ||
			min(record.ExpirationDate, licenses[i].ExpirationDate) == ""):
			unclear++
		case record.ExpirationDate > licenses[i].ExpirationDate:
			licenses[i] = record
		}
	}
	return licenses, unclear
}

// record is the license of a card. ok is false when its number or its status is not understood, or when that of its
// application is the status of a license that is not in force.
func (c card) record() (r register.Record, ok bool) {
	number, err := contracts.NormalLicenseNumber(contracts.IL, c.texts["License Number"])
	status, known := statusWords.Find(c.texts["License Status"])
	expires, clean := register.Date(c.texts["Expiration Date"], dateLayouts...)
	class, name := splitClass(c.texts["License Class"])
	r = register.Record{
		LicenseRecord: contracts.LicenseRecord{
			LicenseNumber: number, LicenseTypeCode: class, LicenseTypeName: name,
			DBAName: fold.Blanks(c.texts["Business Name"]), OwnerName: fold.Blanks(c.texts["Licensee Name"]),
			ExpirationDate: expires, Status: status,
			Address: splitAddress(c.texts["Address"], "", fold.Blanks(c.texts["County"])),
		},
		Unreadable: register.UnreadableUnless(clean, register.Expiration), Spots: c.spots,
	}
	applied, says := statusWords.Find(c.texts["Application Status"])
	denied := says && status == contracts.Active && applied != contracts.Active && applied != register.NoLicense
	return r, err == nil && known && !denied
}
