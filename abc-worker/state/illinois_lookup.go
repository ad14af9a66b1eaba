package state

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/scrape"
)

const (
	// renderTimeout is how long a caller waits for a render; one that takes longer is there for the next caller.
	renderTimeout = 45 * time.Second
	// renderCost bounds what a render may cost; about 5 credits are usual.
	renderCost = 10
)

// illinoisLookup reads the license lookup as the rendering service shows it. Every render is paid for.
type illinoisLookup struct {
	Deps
	today func() contracts.Date
}

// The labels of a card (code, 2019).
var illinoisLabels = labels{
	"License Number", "License No", "License Class", "Retail Type", "Issue Date", "Expiration Date", "Application Status", "License Status",
	"Licensee Name", "Business Name", "Address", "County", "Type", "Owners",
}

func (l *illinoisLookup) lookup(ctx context.Context, number string) (LookupReading, error) {
	asked := illinoisLookupURL + "?" + illinoisLicenseParameter + "=" + url.QueryEscape(number)
	reading := LookupReading{EvidenceURL: asked}
	doc, err := l.render(ctx, number, contracts.RenderJob{URL: asked, MaxCost: renderCost})
	if err != nil {
		return reading, err
	}
	cards, none, err := readIllinoisCards(doc)
	if err != nil {
		return reading, err
	}
	if none {
		reading.Tally = noneFound
		return reading, nil
	}
	for _, c := range cards {
		if shown, err := contracts.NormalLicenseNumber(contracts.IL, c["License Number"]); err != nil || shown != number {
			continue
		}
		record, t, err := c.record()
		if record.Status != noLicense {
			reading.Value = &record
		}
		reading.Tally = t
		return reading, err
	}
	// The default set instead of the license asked for: the number was ignored.
	return reading, scrape.Failf(scrape.Changed, "none of the %d licenses shown is the one asked for", len(cards))
}

// search filters the set that the lookup shows whatever it is asked. One render of it serves all searches until it is a day
// old.
func (l *illinoisLookup) search(ctx context.Context, q contracts.Query) (SearchReading, error) {
	set, err := l.defaultSet(ctx)
	if err != nil {
		return SearchReading{}, err
	}
	reading := SearchReading{EvidenceURL: illinoisLookupURL, ReadAt: set.ReadAt}
	var hits []contracts.LicenseRecord
	for _, r := range set.Results {
		if matches(q, r) {
			hits = append(hits, r)
			reading.Tally = reading.Add(requiredIllinois(r)).Add(tally(true))
		}
	}
	if len(hits) == 0 {
		return reading, scrape.Failf(scrape.Unavailable, "none of the %d licenses shown match, which says nothing of the others", len(set.Results))
	}
	reading.Value = found(hits)
	return reading, nil
}

// defaultSet is kept as the answer to the search that no client can ask: the one without filters.
func (l *illinoisLookup) defaultSet(ctx context.Context) (contracts.SearchAnswer, error) {
	if l.Answers == nil || l.Render == nil {
		return l.renderSet(ctx)
	}
	key := contracts.SearchKey(l.Environment, contracts.SearchRequest{State: contracts.IL})
	return cache.Fill(ctx, l.Answers, key, func(ctx context.Context) (contracts.SearchAnswer, error) {
		set, err := l.renderSet(ctx)
		if scrape.KindOf(err) != "" { // which other processes would not understand
			err = contracts.Wrap(err, contracts.SourceUnavailable, "the license lookup could not be read; retry later")
		}
		return set, err
	})
}

func (l *illinoisLookup) renderSet(ctx context.Context) (contracts.SearchAnswer, error) {
	doc, err := l.render(ctx, "set", contracts.RenderJob{URL: illinoisLookupURL, WaitFor: illinoisCard, MaxCost: renderCost})
	if err != nil {
		return contracts.SearchAnswer{}, err
	}
	cards, _, err := readIllinoisCards(doc)
	if err != nil {
		return contracts.SearchAnswer{}, err
	}
	now := time.Now().UTC()
	set := contracts.SearchAnswer{
		Provenance: contracts.Provenance{
			Schema: contracts.AnswerSchema,
			ReadAt: now, ExpiresAt: now.Add(contracts.LicenseTTL), Method: contracts.ScraperAPI, EvidenceURL: illinoisLookupURL,
		},
		State: contracts.IL,
	}
	for _, c := range cards {
		record, t, err := c.record()
		if err != nil {
			return set, err
		}
		if record.Status != noLicense {
			set.Results, set.Tally = append(set.Results, record), set.Add(t)
		}
	}
	set.Total = len(set.Results)
	if set.Total == 0 {
		return set, scrape.Failf(scrape.Changed, "the lookup shows no licenses")
	}
	return set, nil
}

// render pays for a page once a day: a repeat finds the same job.
func (l *illinoisLookup) render(ctx context.Context, what string, job contracts.RenderJob) (string, error) {
	if l.Render == nil {
		return "", scrape.Failf(scrape.Unavailable, "nobody takes render jobs here")
	}
	id := "IL-" + what + "-" + strings.ReplaceAll(string(l.today()), "-", "")
	result, err := l.Render(ctx, id, job)
	if err != nil {
		return "", err
	}
	page := &scrape.Page{
		URL: result.FinalURL, Status: http.StatusOK, Body: result.HTML, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
	}
	if sign := scrape.Challenge(page); sign != "" {
		return "", scrape.Failf(scrape.Blocked, "the rendering service was given a robot check (%s)", sign)
	}
	return page.Text(), nil
}

// illinoisCardOf is one card or details page: texts by their labels.
type illinoisCardOf map[string]string

// readIllinoisCards gives the cards of a page; none when it says that there are none. A page with neither has changed.
func readIllinoisCards(doc string) (cards []illinoisCardOf, isNone bool, err error) {
	pieces, err := outline(doc, illinoisLabels)
	if err != nil {
		return nil, false, err
	}
	at := ""
	for _, p := range pieces {
		switch {
		case p.kind == label:
			at = illinoisLabels.find(p.text)
		case p.kind == value && p.text != "" && (at == "License Number" || at == "License No"):
			cards = append(cards, illinoisCardOf{"License Number": p.text})
		case p.kind == value && at != "" && len(cards) > 0:
			if card := cards[len(cards)-1]; card[at] == "" {
				card[at] = p.raw
			}
		}
	}
	if len(cards) > 0 {
		return cards, false, nil
	}
	if none(pieces) {
		return nil, true, nil
	}
	return nil, false, scrape.Failf(scrape.Changed, "the lookup shows no licenses and does not say that there are none")
}

func (c illinoisCardOf) record() (contracts.LicenseRecord, contracts.Tally, error) {
	number, err := contracts.NormalLicenseNumber(contracts.IL, c["License Number"])
	if err != nil {
		return contracts.LicenseRecord{}, contracts.Tally{}, scrape.Failf(scrape.Changed, "a card has the number %q", contracts.Printable(c["License Number"]))
	}
	status, err := illinoisWords.status(c["License Status"])
	if err != nil {
		return contracts.LicenseRecord{}, contracts.Tally{}, err
	}
	expires, _ := printed(c["Expiration Date"], illinoisDates...)
	r := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: illinoisType(c["License Class"]), DBAName: clean(c["Business Name"]), OwnerName: clean(c["Licensee Name"]),
		ExpirationDate: expires, Status: status, Address: illinoisAddress(c["Address"], "", clean(c["County"])), Suspensions: served(),
	}
	return r, requiredIllinois(r).Add(tally(true)), nil
}
