package california

import (
	"cmp"
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/outline"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// site is the department's web site.
type site struct {
	fetcher *scrape.Fetcher
	export  register.BulkFiles
}

// pageLabels are the labels on the page of a license (shot).
var pageLabels = outline.Labels{
	"License Number", "Primary Owner", "Office of Application", "County", "Census Tract", "Licensee", "License Type",
	"License Type Status", "Status Date", "Term", "Original Issue Date", "Expiration Date", "Master", "Duplicate",
	"Fee Code", "Transfers", "Reg. Number", "Section", "Proceeding Status", "Decision", "Suspension Days", "Stayed Days",
	"Suspension Start Date", "Suspension End Date", "POIC/Fine",
}

// ofDiscipline are the sections that speak of suspensions that were served or may be.
var ofDiscipline = []string{"OPERATING RESTRICTIONS", "DISCIPLINARY ACTION", "DISCIPLINARY HISTORY"}

// blockHeading is the heading of a block of license types: 48 - ON-SALE GENERAL PUBLIC PREMISES.
var blockHeading = regexp.MustCompile(`^(\d{1,3})\s*[-–]\s*(\S.*)`)

// ofHold are the labels of what became of a hold or an escrow, in the sections of those.
var ofHold = regexp.MustCompile(`(?i)\b(?:hold|escrow|transfer)|^\W*status\W*$`)

// noAction is the one sentence by which a page denies disciplinary action.
var noAction = regexp.MustCompile(`(?i)^no (?:\w+ )?disciplinary action[a-z ]*\.?$`)

// lookup reads the page of a license. The page shows dead licenses too, and says so when there is none: that is proof.
func (c *site) lookup(ctx context.Context, q register.Question) (register.Reading, error) {
	kind, number := contracts.SplitLicenseType(contracts.CA, q.Number)
	asked := licenseURL + url.QueryEscape(number)
	page, err := c.fetcher.Fetch(ctx, scrape.Request{URL: asked})
	if err != nil {
		return register.Reading{}, err
	}
	if !samePage(page.URL, asked) {
		return register.Reading{}, scrape.Failf(scrape.Changed, "the license page sent us to another page")
	}
	reading, err := readLicensePage(page.Text(), kind, number)
	reading.EvidenceURL, reading.ReadAt = asked, page.ReadAt
	return reading, err
}

// samePage tells whether a redirect stayed on the page that was asked for.
func samePage(got, asked string) bool {
	g, err1 := url.Parse(got)
	a, err2 := url.Parse(asked)
	return err1 == nil && err2 == nil && strings.TrimRight(g.Path, "/") == strings.TrimRight(a.Path, "/")
}

// licensePage is what the page of a license says.
type licensePage struct {
	number, owner, dba, address, county string
	numbered                            scrape.Spot // where the number stands
	// other is a second license number that the page shows.
	other       string
	blocks      []typeBlock
	proceedings []proceeding
	// restrictions are the operating restrictions; nil where the page has no section of them.
	restrictions []string
	// history is true when the page says whether there were proceedings. underWay is true when it tells of any in another
	// way.
	history, underWay bool
	// others are the values under labels that are not known. Those of a hold or an escrow are its own.
	others []string
	// notices are the headings, and the pieces outside the sections that speak of discipline in general.
	notices []outline.Piece

	section string            // heading of the section that is read, in upper case
	label   string            // label of the next value; empty where it is not known
	spelled string            // that label as the page has it
	labels  int               // how many labels the section had so far
	texts   map[string]string // of the last block, by their labels
}

// readLicensePage reads the page of a license. There is no record when the page says that there is none, when the
// number is an application's, or when it does not stand for the type that is asked for. An empty number means any: the
// page is where a search with one hit leads.
func readLicensePage(doc, kind, number string) (register.Reading, error) {
	pieces, err := outline.Parse(doc, pageLabels)
	if err != nil {
		return register.Reading{}, err
	}
	published, err := outline.Believe(pieces, zone)
	if err != nil {
		return register.Reading{}, err
	}
	reading := register.Reading{PublishedAt: published}
	r := &licensePage{}
	for _, p := range pieces {
		r.readPiece(p)
	}
	if r.number == "" {
		if outline.SaysNone(pieces) {
			return reading, nil
		}
		return register.Reading{}, scrape.Failf(scrape.Changed, "the page shows no license and does "+
			"not say that there is none")
	}
	shown, err := contracts.NormalLicenseNumber(contracts.CA, r.number)
	_, shown = contracts.SplitLicenseType(contracts.CA, shown)
	if err != nil || number != "" && shown != number || r.other != "" {
		return register.Reading{}, scrape.Failf(scrape.Changed, "the page is of license %q",
			contracts.Printable(cmp.Or(r.other, r.number)))
	}
	if len(r.blocks) == 0 {
		return register.Reading{}, scrape.Failf(scrape.Changed, "the page shows no license types")
	}
	r.fill(&reading, kind, shown)
	if reading.SaysActive() && outline.Notice(r.notices, pageLabels, shown) != "" {
		return register.Reading{PublishedAt: reading.PublishedAt, Unclear: 1}, nil
	}
	return reading, nil
}

func (r *licensePage) readPiece(p outline.Piece) {
	beginsBlock := r.section == "LICENSE TYPES" && blockHeading.MatchString(p.Text)
	if p.Kind == outline.Heading || !slices.Contains(ofDiscipline, r.section) {
		r.notices = append(r.notices, p)
	}
	if r.section == "OPERATING RESTRICTIONS" && p.Kind != outline.Heading {
		r.restrict(fold.Blanks(p.Text))
	}
	isOfSection := (r.section == "HOLDS" || r.section == "ESCROWS") && ofHold.MatchString(r.spelled)
	if p.Kind == outline.Value && r.label == "" && !isOfSection {
		r.others = append(r.others, p.Text)
	}
	switch {
	case p.Kind == outline.Heading && !beginsBlock:
		r.section, r.label, r.labels = strings.ToUpper(strings.TrimRight(p.Text, ": ")), "", 0
	case p.Kind == outline.Label:
		r.label, r.spelled, r.labels = pageLabels.Find(p.Text), p.Text, r.labels+1
	case beginsBlock && (p.Kind != outline.Value || r.label == "License Type"):
		heading := blockHeading.FindStringSubmatch(p.Text)
		r.texts = map[string]string{}
		r.blocks = append(r.blocks, typeBlock{kind: typeCode(heading[1]), name: fold.Blanks(heading[2])})
	case p.Kind == outline.Value && r.label != "":
		r.assign(r.label, p)
	case r.section == "BUSINESS NAME" && r.labels == 0:
		r.dba = fold.Blanks(r.dba + " " + p.Text)
	case r.section == "BUSINESS ADDRESS" && r.labels == 0:
		r.address = strings.TrimSpace(r.address + " " + p.Raw)
	case r.section == "DISCIPLINARY ACTION" && !noAction.MatchString(p.Text),
		strings.HasPrefix(r.section, "DISCIPLINARY") && outline.Notice([]outline.Piece{p}, pageLabels, r.number) != "":
		r.underWay = true
	case r.section == "DISCIPLINARY HISTORY" && strings.HasPrefix(strings.ToLower(p.Text), "no disciplinary history"):
		r.history = true
	}
}

// restrict takes a text of the section of operating restrictions.
func (r *licensePage) restrict(text string) {
	if r.restrictions == nil {
		r.restrictions = []string{}
	}
	if text != "" && !strings.HasPrefix(strings.ToLower(text), "no operating restrictions") {
		r.restrictions = append(r.restrictions, text)
	}
}

func (r *licensePage) assign(label string, p outline.Piece) {
	text := p.Text
	switch label {
	case "License Number":
		if r.number != "" && r.number != text {
			r.other = text
		}
		r.number, r.numbered = text, p.Spot()
	case "Primary Owner":
		r.owner = cmp.Or(r.owner, text)
	case "County":
		r.county = cmp.Or(r.county, text)
	}
	switch r.section {
	case "LICENSE TYPES":
		r.assignBlock(label, p)
	case "DISCIPLINARY ACTION":
		r.underWay = true
	case "DISCIPLINARY HISTORY":
		r.history = true
		r.proceedings = addToProceedings(r.proceedings, label, text)
	}
}

func (r *licensePage) assignBlock(label string, p outline.Piece) {
	if len(r.blocks) == 0 {
		return
	}
	b, text := &r.blocks[len(r.blocks)-1], outline.Both(r.texts[label], p.Text)
	r.texts[label] = text
	switch label {
	case "License Type Status":
		b.word, b.stands = text, p.Spot()
	case "Status Date":
		var clean bool
		b.changed, clean = register.Date(text, dateLayouts...)
		b.garbled = b.garbled || !clean
	case "Original Issue Date":
		var clean bool
		b.issued, clean = register.Date(text, dateLayouts...)
		b.garbled = b.garbled || !clean
	case "Expiration Date":
		var clean bool
		b.expires, clean = register.Date(text, dateLayouts...)
		b.unreadable = register.UnreadableUnless(clean, register.Expiration)
	case "Master":
		b.master = strings.EqualFold(text, "Y")
	}
}

// fill gives a reading the best block of the type that is asked for. Its word may be denied elsewhere on the page.
func (r *licensePage) fill(reading *register.Reading, kind, number string) {
	blocks := bestFirst(licensesIn(r.blocks, kind))
	switch {
	case len(blocks) == 0:
		return
	case !understood(blocks), slices.ContainsFunc(r.others, blocks[0].isDeniedBy):
		reading.Unclear = 1
		return
	}
	reading.Records = []register.Record{r.record(blocks[0], number)}
	if kind == "" {
		reading.Notes = otherTypes(number, blocks)
	}
}

func (r *licensePage) record(b typeBlock, number string) register.Record {
	standing := standingOf(b.word)
	suspensions, readable := suspensionsIn(r.proceedings)
	record := register.Record{
		LicenseRecord: contracts.LicenseRecord{
			LicenseNumber: number, LicenseTypeCode: b.kind, LicenseTypeName: b.name, DBAName: r.dba, OwnerName: r.owner,
			ExpirationDate: b.expires, Status: standing.Status, StatusDate: b.changed, Address: splitAddress(r.address),
			OperatingRestrictions: r.restrictions, Suspensions: suspensions,
		},
		Because: standing.Because,
		Spots:   []scrape.Spot{r.numbered, b.stands},
		Shown:   contracts.Members{register.County, register.Suspensions},
		Unreadable: b.unreadable.With(
			register.UnreadableUnless(r.history && readable && !r.underWay, register.Suspensions)...),
	}
	record.Address.County = r.county
	return record
}

// splitAddress splits "10892 CEDAR AVE , BLOOMINGTON, CA, 92316" from its end, because the street may hold
// commas. A text with fewer parts stays in Raw alone.
func splitAddress(raw string) contracts.Address {
	a := contracts.Address{Raw: strings.Join(strings.Split(raw, "\n"), " ")}
	parts := strings.Split(a.Raw, ",")
	if n := len(parts); n >= 4 {
		a.ZipCode, a.State, a.City = register.ZipCode(parts[n-1]), fold.Blanks(parts[n-2]), fold.Blanks(parts[n-3])
		a.Street = fold.Blanks(strings.Join(parts[:n-3], ","))
	}
	return a
}
