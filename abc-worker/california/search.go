package california

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/outline"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/table"
)

// maxHitRows is how many rows a search can show (guess). The matches of a longer table cannot be counted, because
// it may be cut off.
const maxHitRows = 1000

// hitColumns are what the columns of a search's table may be called (guess: only the table's id, abc_licenses, the
// statuses in brackets and the link in each row were seen).
var hitColumns = map[string][]string{
	"number":  {"license number", "license no", "license #", "lic. number", "license"},
	"type":    {"license type", "type", "type/status"},
	"expires": {"expir. date", "expiration date", "exp. date", "expires"},
	"issued":  {"orig. iss. date", "original issue date", "issue date"},
	"owner":   {"primary owner", "primary owner and premises addr.", "owner", "licensee"},
	"dba":     {"business name", "dba name", "dba"},
	"address": {"premises addr.", "premises address", "business address", "address"},
}

// statusHeads are what the column of the status may be called, where the type's does not hold it, or that of both.
var statusHeads = []string{"status", "license status", "license type status"}

// typeAndStatus is a license type with its status: 48 (ACTIVE).
var typeAndStatus = regexp.MustCompile(`^(\d{1,3})\b.*\(\s*([A-Za-z0-9]+)\s*\)$`)

// search asks by the rarest part of the business name, which is all that the page can be asked by, and applies the
// filters to what it gives. The page may tell accents apart, so the export is asked whether a match is spelled with
// some.
func (c *site) search(ctx context.Context, q register.Question) (register.Reading, error) {
	accents, looked := c.export.Accents(ctx, q.Query, register.Names(q.Query))
	if accents {
		return register.Reading{}, register.CannotAsk("spellings with accents match, which the page may tell apart")
	}
	asked := searchAddress(c.export.RarestPart(ctx, contracts.Query{DBAName: q.Query.DBAName}))
	page, err := c.fetcher.Fetch(ctx, scrape.Request{URL: asked})
	if err != nil {
		return register.Reading{}, err
	}
	var reading register.Reading
	switch {
	case samePage(page.URL, licenseURL):
		reading, err = readOnlyHit(page.Text(), q.Query)
	case samePage(page.URL, asked):
		reading, err = readHits(page.Text(), q.Query)
	default:
		err = scrape.Failf(scrape.Changed, "the search sent us to another page")
	}
	reading.EvidenceURL, reading.ReadAt, reading.AccentsMissed = page.URL, page.ReadAt, !looked
	return reading, err
}

// readOnlyHit reads the page of a license, which a search with one hit shows.
func readOnlyHit(doc string, q contracts.Query) (register.Reading, error) {
	reading, err := readLicensePage(doc, "", "")
	if reading.Records = register.Matching(q, reading.Records); len(reading.Records) == 0 {
		reading.Notes = nil
	}
	reading.Notes = notGood(reading.Notes)
	return reading, err
}

// notGood keeps only the notes that another type of the number is not good.
func notGood(notes []contracts.Note) []contracts.Note {
	return slices.DeleteFunc(notes, func(n contracts.Note) bool { return n.Code != contracts.NoteOtherTypeNotGood })
}

func searchAddress(dba string) string {
	return searchURL + strings.ReplaceAll(url.QueryEscape(dba), "+", "%20")
}

// readHits reads the page with the table of hits, or that of the only one.
func readHits(doc string, q contracts.Query) (register.Reading, error) {
	grids, err := table.Parse([]byte(doc))
	if err != nil {
		return register.Reading{}, scrape.Failf(scrape.Changed, "the page cannot be read: %w", err)
	}
	pieces, err := outline.Parse(doc, pageLabels)
	if err != nil {
		return register.Reading{}, err
	}
	published, err := outline.Believe(pieces, zone)
	if err != nil {
		return register.Reading{}, err
	}
	for _, g := range grids {
		if hits, ok := newHitTable(g); ok {
			reading, err := hits.matching(q)
			if n := outline.Stated(pieces); n > len(hits.rows) {
				reading.Cut = fmt.Sprintf("The search shows %d of %d licenses.", len(hits.rows), n)
			}
			reading.PublishedAt = published
			return reading, err
		}
	}
	isLicense := func(p outline.Piece) bool {
		return p.Kind == outline.Label && pageLabels.Find(p.Text) == "License Number"
	}
	switch {
	case slices.ContainsFunc(pieces, isLicense):
		return readOnlyHit(doc, q)
	case outline.SaysNone(pieces):
		return register.Reading{PublishedAt: published}, nil
	}
	return register.Reading{}, scrape.Failf(scrape.Changed, "the search shows no table and does not "+
		"say that there is nothing")
}

// hitTable is the table of hits: where its columns are, and the rows under their headings. Each row is one block of
// a license.
type hitTable struct {
	grid    *table.Grid
	columns map[string]int
	status  int // the status's own column; -1 for none
	rows    []table.Row
}

// newHitTable finds the row of headings, which may be repeated below. It is false for a table without one, which is not
// the table of hits.
func newHitTable(g table.Grid) (hitTable, bool) {
	if g.Cut {
		return hitTable{}, false
	}
	for i, row := range g.Rows {
		columns, status := map[string]int{}, -1
		for j, cell := range row.Cells {
			isHead := func(head string) bool { return strings.EqualFold(fold.Blanks(g.Text(cell)), head) }
			for name, heads := range hitColumns {
				if slices.ContainsFunc(heads, isHead) {
					columns[name] = j
				}
			}
			if slices.ContainsFunc(statusHeads, isHead) {
				status = j
			}
		}
		if _, typed := columns["type"]; !typed && status >= 0 {
			columns["type"], status = status, -1
		}
		if len(columns) == len(hitColumns) {
			same := func(a, b table.Cell) bool { return g.Text(a) == g.Text(b) }
			repeats := func(other table.Row) bool { return slices.EqualFunc(other.Cells, row.Cells, same) }
			return hitTable{&g, columns, status, slices.DeleteFunc(g.Rows[i+1:], repeats)}, true
		}
	}
	return hitTable{}, false
}

// matching gives the licenses that match: the blocks of one number together are one license.
func (h hitTable) matching(q contracts.Query) (register.Reading, error) {
	if len(h.rows) >= maxHitRows {
		return register.Reading{}, register.CannotAsk("the search shows %d rows and may hold more", len(h.rows))
	}
	if len(h.rows) == 0 {
		return register.Reading{}, scrape.Failf(scrape.Changed, "the table of hits is empty")
	}
	var reading register.Reading
	blocks := map[string][]typeBlock{}
	for _, row := range h.rows {
		b, ok := h.readRow(row)
		if !ok {
			reading.Unclear++ // whether it matches is not known either
			continue
		}
		number := b.beside.LicenseNumber
		blocks[number] = append(blocks[number], b)
	}
	matches := func(b typeBlock) bool { return register.Matches(q, b.beside) }
	for _, number := range slices.Sorted(maps.Keys(blocks)) {
		licenses := bestFirst(licensesIn(blocks[number], ""))
		switch {
		case !slices.ContainsFunc(licenses, matches):
		case !understood(licenses):
			reading.Unclear++
		case matches(licenses[0]):
			reading.Records = append(reading.Records, licenses[0].found())
			reading.Notes = append(reading.Notes, notGood(otherTypes(number, licenses))...)
		}
	}
	return reading, nil
}

// found is the license that a row of a search shows.
func (b typeBlock) found() register.Record {
	record, standing := b.beside, standingOf(b.word)
	record.LicenseTypeCode, record.ExpirationDate, record.Status = b.kind, b.expires, standing.Status
	return register.Record{LicenseRecord: record, Because: standing.Because, Unreadable: b.unreadable}
}

// readRow reads one row: a block of a license. ok is false when its number or its type is not understood.
func (h hitTable) readRow(row table.Row) (b typeBlock, ok bool) {
	at := func(i int) string {
		if i >= 0 && i < len(row.Cells) {
			return fold.Blanks(h.grid.Text(row.Cells[i]))
		}
		return ""
	}
	cell := func(name string) string { return at(h.columns[name]) }
	number, err := contracts.NormalLicenseNumber(contracts.CA, cell("number"))
	kind := cell("type")
	if status := strings.Trim(at(h.status), "()"); status != "" {
		kind += " (" + status + ")"
	}
	typed := typeAndStatus.FindStringSubmatch(kind)
	if err != nil || typed == nil {
		return b, false
	}
	_, number = contracts.SplitLicenseType(contracts.CA, number)
	b = typeBlock{kind: typeCode(typed[1]), word: typed[2], beside: contracts.LicenseRecord{
		LicenseNumber: number, OwnerName: cell("owner"), DBAName: cell("dba"), Address: splitAddress(cell("address")),
	}}
	var clean bool
	b.expires, clean = register.Date(cell("expires"), dateLayouts...)
	b.unreadable = register.UnreadableUnless(clean, register.Expiration)
	b.issued, clean = register.Date(cell("issued"), dateLayouts...)
	b.garbled = !clean
	return b, true
}
