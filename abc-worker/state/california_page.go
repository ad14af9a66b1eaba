package state

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// californiaPage reads the pages that people read.
type californiaPage struct {
	fetcher *scrape.Fetcher
	today   func() contracts.Date
}

// The labels of the page (shot).
var californiaLabels = labels{
	"License Number", "Primary Owner", "Office of Application", "County", "Census Tract", "Licensee", "License Type",
	"License Type Status", "Status Date", "Term", "Original Issue Date", "Expiration Date", "Master", "Duplicate", "Fee Code",
	"Transfers", "Reg. Number", "Section", "Proceeding Status", "Decision", "Suspension Days", "Stayed Days",
	"Suspension Start Date", "Suspension End Date", "POIC/Fine",
}

// blockHeading is the head of a block of license types: 48 - ON-SALE GENERAL PUBLIC PREMISES.
var blockHeading = regexp.MustCompile(`^(\d{1,3})\s*[-–]\s*\S`)

func (c *californiaPage) lookup(ctx context.Context, number string) (LookupReading, error) {
	asked := californiaLicenseURL + url.QueryEscape(number)
	page, err := c.fetcher.Fetch(ctx, scrape.Request{URL: asked})
	if err != nil {
		return LookupReading{}, err
	}
	reading := LookupReading{EvidenceURL: asked, ReadAt: page.ReadAt}
	if !samePage(page.URL, asked) {
		return reading, scrape.Failf(scrape.Changed, "the license page sent us to another page")
	}
	reading.Value, reading.Tally, err = readCaliforniaPage(page.Text(), number, c.today())
	return reading, err
}

// samePage tells whether a redirect stayed on the page.
func samePage(got, asked string) bool {
	g, err1 := url.Parse(got)
	a, err2 := url.Parse(asked)
	return err1 == nil && err2 == nil && strings.TrimRight(g.Path, "/") == strings.TrimRight(a.Path, "/")
}

// californiaReport is what the page says.
type californiaReport struct {
	number, owner, dba, address, county string
	blocks                              []californiaBlock
	proceedings                         []proceeding
	// history: the page says whether there were proceedings.
	history bool

	section string // upper case
	label   string // of the value to come
	labels  int    // since the section began
}

// readCaliforniaPage reads the page of one license. No record: the page says that there is none, or that the number stands
// for an application.
func readCaliforniaPage(doc, number string, today contracts.Date) (*contracts.LicenseRecord, contracts.Tally, error) {
	pieces, err := outline(doc, californiaLabels)
	if err != nil {
		return nil, contracts.Tally{}, err
	}
	r := &californiaReport{}
	for _, p := range pieces {
		r.read(p)
	}
	if r.number == "" {
		if none(pieces) {
			return nil, noneFound, nil
		}
		return nil, contracts.Tally{}, scrape.Failf(scrape.Changed, "the page shows no license and does not say that there is none")
	}
	if shown, err := contracts.NormalLicenseNumber(contracts.CA, r.number); err != nil || number != "" && shown != number {
		return nil, contracts.Tally{}, scrape.Failf(scrape.Changed, "the page is of license %q", contracts.Printable(r.number))
	}
	if len(r.blocks) == 0 {
		return nil, contracts.Tally{}, scrape.Failf(scrape.Changed, "the page shows no license types")
	}
	return r.record(today)
}

func (r *californiaReport) read(p piece) {
	switch {
	case p.kind == heading && !(r.section == "LICENSE TYPES" && blockHeading.MatchString(p.text)):
		r.section, r.label, r.labels = strings.ToUpper(p.text), "", 0
	case p.kind == label:
		r.label, r.labels = californiaLabels.find(p.text), r.labels+1
	case r.section == "LICENSE TYPES" && blockHeading.MatchString(p.text) && (p.kind != value || r.label == "License Type"):
		r.blocks = append(r.blocks, californiaBlock{kind: californiaType(blockHeading.FindStringSubmatch(p.text)[1])})
	case p.kind == value && r.label != "":
		r.assign(r.label, p.text)
	case r.section == "BUSINESS NAME" && r.labels == 0:
		r.dba = clean(r.dba + " " + p.text)
	case r.section == "BUSINESS ADDRESS" && r.labels == 0:
		r.address = strings.TrimSpace(r.address + " " + p.raw)
	case r.section == "DISCIPLINARY HISTORY" && strings.HasPrefix(strings.ToLower(p.text), "no disciplinary history"):
		r.history = true
	}
}

func (r *californiaReport) assign(label, text string) {
	switch label {
	case "License Number":
		r.number = text
	case "Primary Owner":
		r.owner = text
	case "County":
		r.county = text
	}
	switch r.section {
	case "LICENSE TYPES":
		r.assignBlock(label, text)
	case "DISCIPLINARY HISTORY":
		r.history = true
		r.proceedings = assignProceeding(r.proceedings, label, text)
	}
}

func (r *californiaReport) assignBlock(label, text string) {
	if len(r.blocks) == 0 {
		return
	}
	b := &r.blocks[len(r.blocks)-1]
	switch label {
	case "License Type Status":
		b.word = text
	case "Status Date":
		b.changed, _ = printed(text, californiaDate)
	case "Original Issue Date":
		b.issued, _ = printed(text, californiaDate)
	case "Expiration Date":
		b.expires, _ = printed(text, californiaDate)
	case "Master":
		b.master = strings.EqualFold(text, "Y")
	}
}

func (r *californiaReport) record(today contracts.Date) (*contracts.LicenseRecord, contracts.Tally, error) {
	blocks, err := licensed(r.blocks)
	if err != nil {
		return nil, contracts.Tally{}, err
	}
	if len(blocks) == 0 {
		return nil, noneFound, nil
	}
	b := best(blocks, today)
	status, err := californiaStatus(b.word, b.expires, today)
	if err != nil {
		return nil, contracts.Tally{}, err
	}
	number, _ := contracts.NormalLicenseNumber(contracts.CA, r.number) // checked
	suspensions, readable := suspensions(r.proceedings)
	record := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: b.kind, DBAName: r.dba, OwnerName: r.owner, ExpirationDate: b.expires, Status: status,
		Address: californiaAddress(r.address), Suspensions: suspensions,
	}
	record.Address.County = r.county
	return &record, requiredCalifornia(record).Add(tally(true, r.history && readable)), nil
}

// requiredCalifornia counts the fields that every path to California must give, the status not included.
func requiredCalifornia(r contracts.LicenseRecord) contracts.Tally {
	a := r.Address
	return tally(r.LicenseNumber != "", r.LicenseTypeCode != "", r.OwnerName != "", r.ExpirationDate != "", a.Street != "", a.City != "", a.ZipCode != "")
}

// californiaAddress splits "10892 CEDAR AVE , BLOOMINGTON, CA, 92316" from its end: the street may hold commas.
func californiaAddress(raw string) contracts.Address {
	a := contracts.Address{Raw: strings.Join(strings.Split(raw, "\n"), " ")}
	parts := strings.Split(a.Raw, ",")
	if n := len(parts); n >= 4 {
		a.ZipCode, a.State, a.City = zipCode(parts[n-1]), clean(parts[n-2]), clean(parts[n-3])
		a.Street = clean(strings.Join(parts[:n-3], ","))
	}
	return a
}
