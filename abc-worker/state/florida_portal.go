package state

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// The portal's form (code, measured in September 2026).
const (
	floridaByNumber, floridaByName = "LicNbr", "Name"
	// floridaBoard narrows a search by name to beverages (guess).
	floridaBoard = "400"
	// obligatory: without them the answer is an error page with status 200.
	floridaDivision = "ALL"
	floridaPerPage  = "50"
	floridaForward  = "4"
)

const (
	// floridaSearchTimeout leaves time for the pages of a search, one a second.
	floridaSearchTimeout = 18 * time.Second
	// maxFloridaPages is how many pages of results are turned: 400 lines.
	maxFloridaPages = 8
	// maxFloridaDetails is how many pages of single licenses a read may need.
	maxFloridaDetails = 6
)

// floridaHidden are the fields of the form that must all come back.
var floridaHidden = strings.Fields(`hSID hLastName hFirstName hMiddleName hOrgName hSearchOpt hSearchOpt2 hSearchAltName hSearchPartName
	hSearchFuzzy hDivision hBoard hLicenseType hSpecQual hAddrType hCity hCounty hState hLicNbr hAction hCurrPage hTotalPages
	hTotalRecords hPageAction hDDChange hBoardType hLicTyp hSearchHistoric hRecsPerPage hSearchType`)

// floridaTyped are the fields that a visitor sees when searching by name.
var floridaTyped = []string{"LastName", "FirstName", "MiddleName", "OrgName", "Board", "City", "County", "State"}

// floridaPortal is the department's portal, classic ASP: a conversation of three requests on one cookie.
type floridaPortal struct {
	fetcher  *scrape.Fetcher
	extracts *mirror.Mirror
}

// floridaVisit is one conversation.
type floridaVisit struct {
	session *scrape.Session
	kind    string
	details int
}

// begin goes through the first two steps and gives the form of the third with all its hidden fields.
func (p *floridaPortal) begin(ctx context.Context, kind string) (*floridaVisit, *webforms.Form, error) {
	v := &floridaVisit{session: p.fetcher.Session(), kind: kind}
	if _, _, err := v.get(ctx, scrape.Request{URL: floridaPortalURL}); err != nil {
		return nil, nil, err
	}
	page, doc, err := v.get(ctx, scrape.Request{URL: floridaStep("1", ""), Form: url.Values{"SearchType": {kind}}})
	if err != nil {
		return nil, nil, err
	}
	form, err := webforms.Find(page, doc, "form:has(input[name=hSID]), form:has(input[name=hDivision])")
	if err != nil {
		return nil, nil, err
	}
	form.Action = floridaStep("2", kind)
	for _, name := range floridaHidden {
		if !form.Values.Has(name) {
			form.Values.Set(name, "")
		}
	}
	form.Values.Set("hDivision", floridaDivision)
	form.Values.Set("Search1", "Search")
	return v, form, nil
}

func floridaStep(mode, search string) string {
	if search != "" {
		search = "&search=" + search
	}
	return floridaPortalURL + "?mode=" + mode + search + "&SID=&brd=&typ="
}

// get is a page that is not the portal's error, which has status 200.
func (v *floridaVisit) get(ctx context.Context, r scrape.Request) (*scrape.Page, *goquery.Document, error) {
	page, err := v.session.Fetch(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	doc, err := webforms.Document(page)
	if err == nil && floridaError.MatchString(doc.Find("title, h1, h2, h3").Text()) {
		err = scrape.Failf(scrape.Changed, "the portal answers with its error page")
	}
	return page, doc, err
}

// results is the lines that a submitted form leads to. None is proof that there are none.
func (v *floridaVisit) results(ctx context.Context, form *webforms.Form) ([]floridaLine, time.Time, error) {
	var lines []floridaLine
	var readAt time.Time
	for turned := 1; ; turned++ {
		page, doc, err := v.get(ctx, scrape.Request{URL: form.Action, Form: form.Values})
		if err != nil {
			return nil, readAt, err
		}
		if readAt.IsZero() {
			readAt = page.ReadAt
		}
		shown, err := floridaLines(doc)
		if err != nil {
			return nil, readAt, err
		}
		lines = append(lines, shown...)
		next, err := v.next(page, doc)
		if err != nil || next == nil {
			return lines, readAt, err
		}
		if turned == maxFloridaPages {
			return nil, readAt, scrape.Failf(scrape.Unavailable, "there are more than %d pages of results", maxFloridaPages)
		}
		form = next
	}
}

// next is the form that leads to the next page of results; nil on the last one.
func (v *floridaVisit) next(page *scrape.Page, doc *goquery.Document) (*webforms.Form, error) {
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
	case total > maxFloridaPages:
		return nil, scrape.Failf(scrape.Unavailable, "there are %d pages of results", total)
	}
	form.Action = floridaStep("3", v.kind)
	form.Values.Set("hPageAction", floridaForward)
	form.Values.Set("SearchForward", "Search")
	return form, nil
}

func (p *floridaPortal) lookup(ctx context.Context, number string) (LookupReading, error) {
	v, form, err := p.begin(ctx, floridaByNumber)
	if err != nil {
		return LookupReading{}, err
	}
	form.Values.Set("LicNbr", number)
	form.Values.Set("RecsPerPage", "10")
	lines, readAt, err := v.results(ctx, form)
	reading := LookupReading{EvidenceURL: floridaPortalURL, ReadAt: readAt, Tally: noneFound}
	if err != nil || len(lines) == 0 {
		return reading, err
	}
	licenses, err := v.licenses(ctx, lines)
	if err != nil {
		return reading, err
	}
	for _, l := range licenses {
		if l.LicenseNumber == number {
			reading.Value, reading.Tally, reading.EvidenceURL = &l.LicenseRecord, l.Tally, l.url
			return reading, nil
		}
	}
	return reading, scrape.Failf(scrape.Changed, "the results are not of the license that was asked for")
}

// search asks for names: the portal knows no streets. Queries that spellings with accents match are left to the extracts.
func (p *floridaPortal) search(ctx context.Context, q contracts.Query) (SearchReading, error) {
	name := q.DBAName
	if len(q.OwnerName) > len(name) {
		name = q.OwnerName
	}
	if name == "" {
		return SearchReading{}, scrape.Failf(scrape.Unavailable, "the portal searches by name only")
	}
	accents, looked := p.accents(ctx, q)
	if accents {
		return SearchReading{}, scrape.Failf(scrape.Unavailable, "spellings with accents match, which the portal may tell apart")
	}
	v, form, err := p.begin(ctx, floridaByName)
	if err != nil {
		return SearchReading{}, err
	}
	for _, field := range floridaTyped {
		form.Values.Set(field, "")
	}
	form.Values.Set("OrgName", withoutAccents(name))
	form.Values.Set("Board", floridaBoard)
	form.Values.Set("RecsPerPage", floridaPerPage)
	lines, readAt, err := v.results(ctx, form)
	if err != nil {
		return SearchReading{}, err
	}
	licenses, err := v.licenses(ctx, lines)
	if err != nil {
		return SearchReading{}, err
	}
	var all []counted
	for _, l := range licenses {
		if matches(q, l.LicenseRecord) {
			all = append(all, l.counted)
		}
	}
	records, sum := firstByNumber(all)
	if !looked {
		sum = sum.Add(tally(false))
	}
	return SearchReading{Value: Found{Total: len(all), Records: records}, Tally: sum, EvidenceURL: floridaPortalURL, ReadAt: readAt}, nil
}

// accents tells whether the extracts know spellings with accents that match, and whether they could be asked. The portal
// does not wait long for them.
func (p *floridaPortal) accents(ctx context.Context, q contracts.Query) (match, looked bool) {
	ctx, cancel := context.WithTimeout(ctx, accentTime)
	defer cancel()
	c, err := p.extracts.Copy(ctx)
	if err != nil {
		scrape.Notef(ctx, "spellings with accents are not looked for: %v", err)
		return false, false
	}
	names := contracts.Query{DBAName: q.DBAName, OwnerName: q.OwnerName}
	return slices.ContainsFunc(c.Matching(q), func(e mirror.Entry) bool { return !literally(names, e.Record) }), true
}

// licenses puts the lines of each license together. What lines do not tell, its own page does: the owner of one that was found
// under its trade name only, and which of two with one number is the newer.
func (v *floridaVisit) licenses(ctx context.Context, lines []floridaLine) ([]floridaLicense, error) {
	var all []floridaLicense
	at := map[string]int{}
	for _, of := range byLicense(lines) {
		l := licenseOf(of)
		i, twice := at[l.LicenseNumber]
		if l.OwnerName == "" || twice {
			detailed, err := v.detail(ctx, l)
			if err != nil {
				return nil, err
			}
			l = detailed
		}
		if !twice {
			at[l.LicenseNumber] = len(all)
			all = append(all, l)
			continue
		}
		if all[i].licensed == "" {
			other, err := v.detail(ctx, all[i])
			if err != nil {
				return nil, err
			}
			all[i] = other
		}
		if l.licensed > all[i].licensed {
			all[i] = l
		}
	}
	return all, nil
}

// detail completes a license from its own page.
func (v *floridaVisit) detail(ctx context.Context, l floridaLicense) (floridaLicense, error) {
	if v.details++; v.details > maxFloridaDetails {
		return l, scrape.Failf(scrape.Unavailable, "more than %d licenses need a page each", maxFloridaDetails)
	}
	_, doc, err := v.get(ctx, scrape.Request{URL: l.url})
	if err != nil {
		return l, err
	}
	return floridaDetail(doc, l)
}
