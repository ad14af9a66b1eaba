package california

import (
	"context"
	"net/url"
	"regexp"
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
	"type":    {"license type", "type", "license type status", "type/status"},
	"expires": {"expir. date", "expiration date", "exp. date", "expires"},
	"issued":  {"orig. iss. date", "original issue date", "issue date"},
	"owner":   {"primary owner", "primary owner and premises addr.", "owner", "licensee"},
	"dba":     {"business name", "dba name", "dba"},
	"address": {"premises addr.", "premises address", "business address", "address"},
}

// typeAndStatus is a license type with its status: 48 (ACTIVE).
var typeAndStatus = regexp.MustCompile(`^(\d{1,3})\b.*\(\s*([A-Za-z0-9]+)\s*\)$`)

// search asks by business name, which is all that the page can be asked by, and applies the other filters to what
// it gives.
func (c *site) search(ctx context.Context, q contracts.Query) (register.SearchReading, error) {
	switch {
	case q.DBAName == "":
		return register.SearchReading{}, scrape.Failf(scrape.Unavailable,
			"the page cannot be searched without a business name")
	case strings.IndexFunc(q.DBAName, func(r rune) bool { return r > '~' }) >= 0:
		return register.SearchReading{}, scrape.Failf(scrape.Unavailable, "the page may not disregard accents")
	}
	asked := searchAddress(fold.Blanks(q.DBAName))
	page, err := c.fetcher.Fetch(ctx, scrape.Request{URL: asked})
	if err != nil {
		return register.SearchReading{}, err
	}
	reading := register.SearchReading{EvidenceURL: asked, ReadAt: page.ReadAt}
	if samePage(page.URL, licenseURL) {
		reading.Value, reading.Tally, err = c.onlyHit(page.Text(), q)
		return reading, err
	}
	if !samePage(page.URL, asked) {
		return reading, scrape.Failf(scrape.Changed, "the search sent us to another page")
	}
	reading.Value, reading.Tally, err = readHits(page.Text(), q, c.today())
	return reading, err
}

func searchAddress(dba string) string {
	return searchURL + strings.ReplaceAll(url.QueryEscape(dba), "+", "%20")
}

// onlyHit reads the page of a license to which a search with one hit leads.
func (c *site) onlyHit(doc string, q contracts.Query) (register.Found, contracts.Tally, error) {
	record, t, err := readLicensePage(doc, "", c.today())
	if err != nil {
		return register.Found{}, t, err
	}
	var matching []register.Tallied
	if record != nil && register.Matches(q, *record) {
		matching = append(matching, register.Tallied{LicenseRecord: *record, Tally: t})
	}
	found, t := register.Collect(matching)
	return found, t, nil
}

// readHits reads the page with the table of hits.
func readHits(doc string, q contracts.Query, today contracts.Date) (register.Found, contracts.Tally, error) {
	grids, err := table.Parse([]byte(doc))
	if err != nil {
		return register.Found{}, contracts.Tally{}, scrape.Failf(scrape.Changed, "the page cannot be read: %w", err)
	}
	for _, g := range grids {
		if hits, ok := newHitTable(g); ok {
			return hits.found(q, today)
		}
	}
	pieces, err := outline.Parse(doc, pageLabels)
	if err != nil {
		return register.Found{}, contracts.Tally{}, err
	}
	if outline.SaysNone(pieces) {
		return register.Found{}, register.NoneFound, nil
	}
	return register.Found{}, contracts.Tally{}, scrape.Failf(scrape.Changed,
		"the search shows no table and does not say that there is nothing")
}

// hitTable is the table of hits: where its columns are, and the rows under their headings. Each row is one block of
// a license.
type hitTable struct {
	columns map[string]int
	rows    []table.Row
}

// newHitTable finds the row of headings. It is false for a table without one, which is not the table of hits.
func newHitTable(g table.Grid) (hitTable, bool) {
	if g.Cut {
		return hitTable{}, false
	}
	for i, row := range g.Rows {
		columns := map[string]int{}
		for j, cell := range row.Cells {
			for name, heads := range hitColumns {
				for _, head := range heads {
					if strings.EqualFold(fold.Blanks(cell.Text), head) {
						columns[name] = j
					}
				}
			}
		}
		if len(columns) == len(hitColumns) {
			return hitTable{columns, g.Rows[i+1:]}, true
		}
	}
	return hitTable{}, false
}

// found gives the licenses that match: the blocks of one number together are one license.
func (h hitTable) found(q contracts.Query, today contracts.Date) (register.Found, contracts.Tally, error) {
	if len(h.rows) >= maxHitRows {
		return register.Found{}, contracts.Tally{}, scrape.Failf(scrape.Unavailable,
			"the search shows %d rows and may hold more", len(h.rows))
	}
	blocks, records := map[string][]typeBlock{}, map[string]contracts.LicenseRecord{}
	for _, row := range h.rows {
		record, b, err := h.read(row)
		if err != nil {
			return register.Found{}, contracts.Tally{}, err
		}
		blocks[record.LicenseNumber] = append(blocks[record.LicenseNumber], b)
		records[record.LicenseNumber] = record
	}
	if len(records) == 0 {
		return register.Found{}, contracts.Tally{}, scrape.Failf(scrape.Changed, "the table of hits is empty")
	}
	var all []register.Tallied
	for number, record := range records {
		licenses, err := withoutApplications(blocks[number])
		if err != nil {
			return register.Found{}, contracts.Tally{}, err
		}
		if len(licenses) == 0 || !register.Matches(q, record) {
			continue
		}
		b := bestBlock(licenses, today)
		record.LicenseTypeCode, record.ExpirationDate = b.kind, b.expires
		if record.Status, err = statusOn(b.word, b.expires, today); err != nil {
			return register.Found{}, contracts.Tally{}, err
		}
		all = append(all, register.Tallied{LicenseRecord: record, Tally: required(record).Add(register.TallyOf(true))})
	}
	found, t := register.Collect(all)
	return found, t, nil
}

// read reads one row: a license, and one of its blocks.
func (h hitTable) read(row table.Row) (contracts.LicenseRecord, typeBlock, error) {
	cell := func(name string) string {
		if i := h.columns[name]; i < len(row.Cells) {
			return fold.Blanks(row.Cells[i].Text)
		}
		return ""
	}
	number, err := contracts.NormalLicenseNumber(contracts.CA, cell("number"))
	if err != nil {
		return contracts.LicenseRecord{}, typeBlock{}, scrape.Failf(scrape.Changed,
			"a hit has the number %q", contracts.Printable(cell("number")))
	}
	typed := typeAndStatus.FindStringSubmatch(cell("type"))
	if typed == nil {
		return contracts.LicenseRecord{}, typeBlock{}, scrape.Failf(scrape.Changed,
			"a hit has the type %q", contracts.Printable(cell("type")))
	}
	b := typeBlock{kind: typeCode(typed[1]), word: typed[2]}
	b.expires, _ = register.Date(cell("expires"), dateLayout)
	b.issued, _ = register.Date(cell("issued"), dateLayout)
	return contracts.LicenseRecord{
		LicenseNumber: number, OwnerName: cell("owner"), DBAName: cell("dba"), Address: splitAddress(cell("address")),
		Suspensions: register.NoSuspensions(),
	}, b, nil
}
