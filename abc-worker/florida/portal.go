package florida

import (
	"context"
	"net/url"
	"strings"
	"time"

	"assay.dev/abc-worker/outline"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// What is filled into the portal's form (code, measured).
const (
	// what is searched by
	byNumber, byName = "LicNbr", "Name"
	// beverageBoard narrows a search by name to liquor licenses (guess)
	beverageBoard = "400"
	// without these three the answer is an error page with status 200
	allDivisions = "ALL"
	linesPerPage = "50"
	turnForward  = "4"
)

const (
	// searchTimeout leaves time for the pages of a search, one a second.
	searchTimeout = 18 * time.Second
	// maxPages bounds the pages of results that are read, of 50 lines each.
	maxPages = 8
	// maxDetails bounds the pages of single licenses that one read may need.
	maxDetails = 6
)

// hiddenFields are the hidden fields of the form. The portal wants all of them back.
var hiddenFields = strings.Fields(`
	hSID hLastName hFirstName hMiddleName hOrgName hSearchOpt hSearchOpt2 hSearchAltName hSearchPartName
	hSearchFuzzy hDivision hBoard hLicenseType hSpecQual hAddrType hCity hCounty hState hLicNbr hAction
	hCurrPage hTotalPages hTotalRecords hPageAction hDDChange hBoardType hLicTyp hSearchHistoric hRecsPerPage
	hSearchType`)

// nameFields are the fields that a visitor sees when searching by name. They are sent empty.
var nameFields = []string{"LastName", "FirstName", "MiddleName", "OrgName", "Board", "City", "County", "State"}

// portal is the department's portal (classic ASP). A search is a conversation of three requests under one cookie:
// the first page, the choice of what to search by, and the form.
type portal struct {
	fetcher  *scrape.Fetcher
	extracts register.BulkFiles
}

// begin goes through the first two requests and gives the form of the third with all its hidden fields.
func (p *portal) begin(ctx context.Context, kind string) (*visit, *webforms.Form, error) {
	v := &visit{session: p.fetcher.Session(), kind: kind}
	if _, _, err := v.get(ctx, scrape.Request{URL: portalURL}); err != nil {
		return nil, nil, err
	}
	page, doc, err := v.get(ctx, scrape.Request{URL: stepURL("1", ""), Form: url.Values{"SearchType": {kind}}})
	if err != nil {
		return nil, nil, err
	}
	form, err := webforms.Find(page, doc, "form:has(input[name=hSID]), form:has(input[name=hDivision])")
	if err != nil {
		return nil, nil, err
	}
	form.Action = stepURL("2", kind)
	for _, name := range hiddenFields {
		if !form.Values.Has(name) {
			form.Values.Set(name, "")
		}
	}
	form.Values.Set("hDivision", allDivisions)
	form.Values.Set("Search1", "Search")
	return v, form, nil
}

func stepURL(mode, search string) string {
	if search != "" {
		search = "&search=" + search
	}
	return portalURL + "?mode=" + mode + search + "&SID=&brd=&typ="
}

func (p *portal) lookup(ctx context.Context, q register.Question) (register.Reading, error) {
	v, form, err := p.begin(ctx, byNumber)
	if err != nil {
		return register.Reading{}, err
	}
	form.Values.Set("LicNbr", q.Number)
	form.Values.Set("RecsPerPage", "10")
	lines, readAt, err := v.results(ctx, form)
	reading := register.Reading{
		EvidenceURL: portalURL, ReadAt: readAt, PublishedAt: v.day,
		Notes: register.ByForm("Open the portal, choose the search by license number, and type %s.", q.Number),
	}
	if err != nil || len(lines) == 0 {
		return reading, err
	}
	licenses, err := v.licenses(ctx, lines)
	if err != nil {
		return reading, err
	}
	for _, l := range licenses {
		switch {
		case l.LicenseNumber != q.Number:
			continue
		case l.unclear, l.Status == contracts.Active && outline.Notice(v.pieces, nil, q.Number) != "":
			reading.Unclear = 1
		case l.Status != register.NoLicense:
			reading.Records, reading.EvidenceURL, reading.Notes = []register.Record{l.Record}, l.url, nil
		}
		return reading, nil
	}
	return reading, scrape.Failf(scrape.Changed, "the results are not of the license that was asked for")
}

// search asks by the rarest part of a name, the only thing that the portal can be asked by here, and applies the
// filters to what it gives. It cannot be asked when the extracts know a match by accents only, such as "CAFÉ ROMA" for
// "cafe": whether the portal finds that one is not known.
func (p *portal) search(ctx context.Context, q register.Question) (register.Reading, error) {
	accents, looked := p.extracts.Accents(ctx, q.Query, register.Names(q.Query))
	if accents {
		return register.Reading{}, register.CannotAsk("spellings with accents match, which the portal may tell apart")
	}
	part := p.extracts.RarestPart(ctx, q.Query)
	lines, v, readAt, err := p.named(ctx, part)
	if err != nil {
		return register.Reading{}, err
	}
	reading := register.Reading{
		EvidenceURL: portalURL, ReadAt: readAt, PublishedAt: v.day, AccentsMissed: !looked,
		Notes: register.ByForm("Open the portal, choose the search by name, and type %s as the organization.", part),
	}
	licenses, err := v.licenses(ctx, lines)
	for _, l := range licenses {
		switch {
		case l.Status == register.NoLicense && !l.unclear, !register.Matches(q.Query, l.LicenseRecord):
		case l.unclear, p.extracts.OwnedByAnother(ctx, l.LicenseRecord):
			reading.Unclear++
		default:
			reading.Records = append(reading.Records, l.Record)
		}
	}
	return reading, err
}

// named asks the portal for a name.
func (p *portal) named(ctx context.Context, name string) ([]resultLine, *visit, time.Time, error) {
	v, form, err := p.begin(ctx, byName)
	if err != nil {
		return nil, nil, time.Time{}, err
	}
	for _, field := range nameFields {
		form.Values.Set(field, "")
	}
	form.Values.Set("OrgName", name)
	form.Values.Set("Board", beverageBoard)
	form.Values.Set("RecsPerPage", linesPerPage)
	lines, readAt, err := v.results(ctx, form)
	return lines, v, readAt, err
}

// licenses makes licenses of the lines. A license's own page is read where its lines do not tell enough: who the
// owner is, when it was found under its business name only; and which one was licensed last, when two licenses have
// one number.
func (v *visit) licenses(ctx context.Context, lines []resultLine) ([]foundLicense, error) {
	var all []foundLicense
	at := map[string]int{}
	for _, of := range linesByLicense(lines) {
		l := mergeLines(of)
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
		switch {
		case l.licensed > all[i].licensed:
			all[i] = l
		case l.licensed == all[i].licensed:
			all[i].unclear = all[i].unclear || l.unclear || l.Status != all[i].Status
		}
	}
	return all, nil
}

// detail completes a license from its own page.
func (v *visit) detail(ctx context.Context, l foundLicense) (foundLicense, error) {
	if v.details++; v.details > maxDetails {
		return l, register.CannotAsk("more than %d licenses need a page each", maxDetails)
	}
	_, doc, err := v.get(ctx, scrape.Request{URL: l.url})
	if err != nil {
		return l, err
	}
	return readDetail(doc, l)
}
