package state

import (
	"context"
	"regexp"
	"strings"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/table"
)

// californiaTableLimit is how many rows a search can show (guess): a table that long may be cut off, and its matches
// cannot be counted.
const californiaTableLimit = 1000

// californiaHeads are what the columns of table#abc_licenses may be called (guess: only the table's id, the statuses in
// brackets and the link per row were seen).
var californiaHeads = map[string][]string{
	"number":  {"license number", "license no", "license #", "lic. number", "license"},
	"type":    {"license type", "type", "license type status", "type/status"},
	"expires": {"expir. date", "expiration date", "exp. date", "expires"},
	"issued":  {"orig. iss. date", "original issue date", "issue date"},
	"owner":   {"primary owner", "primary owner and premises addr.", "owner", "licensee"},
	"dba":     {"business name", "dba name", "dba"},
	"address": {"premises addr.", "premises address", "business address", "address"},
}

// californiaTyped is a type with its status: 48 (ACTIVE).
var californiaTyped = regexp.MustCompile(`^(\d{1,3})\b.*\(\s*([A-Za-z0-9]+)\s*\)$`)

// search asks by business name, which is all that the page can be asked by; the other filters are applied to what it gives.
func (c *californiaPage) search(ctx context.Context, q contracts.Query) (SearchReading, error) {
	switch {
	case q.DBAName == "":
		return SearchReading{}, scrape.Failf(scrape.Unavailable, "the page cannot be searched without a business name")
	case strings.IndexFunc(q.DBAName, func(r rune) bool { return r > '~' }) >= 0:
		return SearchReading{}, scrape.Failf(scrape.Unavailable, "the page may not disregard accents")
	}
	asked := californiaSearch(clean(q.DBAName))
	page, err := c.fetcher.Fetch(ctx, scrape.Request{URL: asked})
	if err != nil {
		return SearchReading{}, err
	}
	reading := SearchReading{EvidenceURL: asked, ReadAt: page.ReadAt}
	if samePage(page.URL, californiaLicenseURL) {
		reading.Value, reading.Tally, err = c.onlyHit(page.Text(), q)
		return reading, err
	}
	if !samePage(page.URL, asked) {
		return reading, scrape.Failf(scrape.Changed, "the search sent us to another page")
	}
	reading.Value, reading.Tally, err = readCaliforniaSearch(page.Text(), q, c.today())
	return reading, err
}

// onlyHit is the license page on which a search with one hit lands.
func (c *californiaPage) onlyHit(doc string, q contracts.Query) (Found, contracts.Tally, error) {
	record, t, err := readCaliforniaPage(doc, "", c.today())
	if err != nil {
		return Found{}, t, err
	}
	if record == nil || !matches(q, *record) {
		return Found{}, noneFound, nil
	}
	return Found{Total: 1, Records: []contracts.LicenseRecord{*record}}, t, nil
}

// readCaliforniaSearch reads a table of hits.
func readCaliforniaSearch(doc string, q contracts.Query, today contracts.Date) (Found, contracts.Tally, error) {
	grids, err := table.Parse([]byte(doc))
	if err != nil {
		return Found{}, contracts.Tally{}, scrape.Failf(scrape.Changed, "the page cannot be read: %w", err)
	}
	for _, g := range grids {
		if hits, ok := newCaliforniaHits(g); ok {
			return hits.found(q, today)
		}
	}
	pieces, err := outline(doc, californiaLabels)
	if err != nil {
		return Found{}, contracts.Tally{}, err
	}
	if none(pieces) {
		return Found{}, noneFound, nil
	}
	return Found{}, contracts.Tally{}, scrape.Failf(scrape.Changed, "the search shows no table and does not say that there is nothing")
}

type californiaHits struct {
	columns map[string]int
	rows    []table.Row
}

// newCaliforniaHits is false for a table that is not the one with the hits.
func newCaliforniaHits(g table.Grid) (californiaHits, bool) {
	if g.Cut {
		return californiaHits{}, false
	}
	for i, row := range g.Rows {
		columns := map[string]int{}
		for j, cell := range row.Cells {
			for name, heads := range californiaHeads {
				for _, head := range heads {
					if strings.EqualFold(clean(cell.Text), head) {
						columns[name] = j
					}
				}
			}
		}
		if len(columns) == len(californiaHeads) {
			return californiaHits{columns, g.Rows[i+1:]}, true
		}
	}
	return californiaHits{}, false
}

func (h californiaHits) found(q contracts.Query, today contracts.Date) (Found, contracts.Tally, error) {
	if len(h.rows) >= californiaTableLimit {
		return Found{}, contracts.Tally{}, scrape.Failf(scrape.Unavailable, "the search shows %d rows and may hold more", len(h.rows))
	}
	blocks, records := map[string][]californiaBlock{}, map[string]contracts.LicenseRecord{}
	for _, row := range h.rows {
		record, b, err := h.read(row)
		if err != nil {
			return Found{}, contracts.Tally{}, err
		}
		blocks[record.LicenseNumber] = append(blocks[record.LicenseNumber], b)
		records[record.LicenseNumber] = record
	}
	if len(records) == 0 {
		return Found{}, contracts.Tally{}, scrape.Failf(scrape.Changed, "the table of hits is empty")
	}
	var all []contracts.LicenseRecord
	for number, record := range records {
		licenses, err := licensed(blocks[number])
		if err != nil {
			return Found{}, contracts.Tally{}, err
		}
		if len(licenses) == 0 || !matches(q, record) {
			continue
		}
		b := best(licenses, today)
		record.LicenseTypeCode, record.ExpirationDate = b.kind, b.expires
		if record.Status, err = californiaStatus(b.word, b.expires, today); err != nil {
			return Found{}, contracts.Tally{}, err
		}
		all = append(all, record)
	}
	if len(all) == 0 {
		return Found{}, noneFound, nil
	}
	result, total := found(all), contracts.Tally{}
	for _, r := range result.Records {
		total = total.Add(requiredCalifornia(r)).Add(tally(true))
	}
	return result, total, nil
}

// read is one row: a license and one of its blocks.
func (h californiaHits) read(row table.Row) (contracts.LicenseRecord, californiaBlock, error) {
	cell := func(name string) string {
		if i := h.columns[name]; i < len(row.Cells) {
			return clean(row.Cells[i].Text)
		}
		return ""
	}
	number, err := contracts.NormalLicenseNumber(contracts.CA, cell("number"))
	if err != nil {
		return contracts.LicenseRecord{}, californiaBlock{}, scrape.Failf(scrape.Changed, "a hit has the number %q", contracts.Printable(cell("number")))
	}
	typed := californiaTyped.FindStringSubmatch(cell("type"))
	if typed == nil {
		return contracts.LicenseRecord{}, californiaBlock{}, scrape.Failf(scrape.Changed, "a hit has the type %q", contracts.Printable(cell("type")))
	}
	b := californiaBlock{kind: californiaType(typed[1]), word: typed[2]}
	b.expires, _ = printed(cell("expires"), californiaDate)
	b.issued, _ = printed(cell("issued"), californiaDate)
	return contracts.LicenseRecord{
		LicenseNumber: number, OwnerName: cell("owner"), DBAName: cell("dba"), Address: californiaAddress(cell("address")),
		Suspensions: served(),
	}, b, nil
}
