package state

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// counted is a record and how cleanly it was read.
type counted struct {
	contracts.LicenseRecord
	contracts.Tally
}

// dataset is a table of an open-data service, searched with SQL conditions.
type dataset struct {
	// number is the column that gives rows their order.
	number string
	// serial is the column of former numbers.
	serial     string
	dba, owner string
	// address are the columns that the address filter looks at, one at a time.
	address []string
	// ask gets the rows that meet a condition in the order of their numbers, at most limit of them.
	ask func(ctx context.Context, where string, limit int) (answer, error)
	// count counts them.
	count func(ctx context.Context, where string) (int, error)
	// record reads a row. Its error fails the read, unless it is errNoNumber.
	record func(soda.Row) (counted, error)
}

// answer is rows; full when there may be more.
type answer struct {
	soda.Answer
	full bool
}

// errNoNumber is a row that does not say which license it is of.
var errNoNumber = errors.New("the row has no number")

// sodaTable asks for rows by SODA.
func sodaTable(c soda.Client, resource string, t dataset) dataset {
	t.ask = func(ctx context.Context, where string, limit int) (answer, error) {
		q := soda.Query{Where: where, Order: t.number, Limit: limit}
		a, err := c.Ask(ctx, resource, q)
		return answer{a, a.Full(q)}, err
	}
	t.count = func(ctx context.Context, where string) (int, error) { return c.Count(ctx, resource, where) }
	return t
}

// maxTwins bounds the rows of one number.
const maxTwins = 50

// lookup gives the rows that meet the condition. They are those of the number that was asked, or the table is not what it was.
func (t dataset) lookup(ctx context.Context, where string, asked func(soda.Row) bool) (answer, error) {
	a, err := t.ask(ctx, where, maxTwins)
	if err != nil || len(a.Rows) == 0 {
		return a, err
	}
	if a.Rows = slices.DeleteFunc(a.Rows, func(r soda.Row) bool { return !asked(r) }); len(a.Rows) == 0 {
		return a, scrape.Failf(scrape.Changed, "the rows are not of the license that was asked for")
	}
	return a, nil
}

// hits is what a search of one table found.
type hits struct {
	// total counts all, of which records may be the first.
	total   int
	records []counted
	url     string
	readAt  time.Time
	// accents is false when spellings with accents could not be looked for.
	accents bool
}

// search asks twice: for what is spelled as asked, and for spellings with accents, which SODA tells apart.
func (t dataset) search(ctx context.Context, q contracts.Query) (hits, error) {
	plain, accented := t.conditions(q)
	a, err := t.ask(ctx, plain, soda.MaxRows)
	if err != nil {
		return hits{}, err
	}
	h := hits{url: a.URL, readAt: a.ReadAt}
	if h.records, err = t.matching(a.Rows, q); err != nil {
		return h, err
	}
	if len(a.Rows) > 0 && len(h.records) == 0 {
		return h, scrape.Failf(scrape.Changed, "the rows do not hold what was asked for")
	}
	h.records = distinct(h.records)
	h.total = len(h.records)
	if a.full {
		if h.total, err = t.count(ctx, plain); err != nil {
			return h, err
		}
	}
	others, looked := t.accented(ctx, accented, q)
	h.accents = looked
	h.records, h.total = append(h.records, others...), h.total+len(others)
	return h, nil
}

// accented gives what matches in spite of its accents. That it cannot look is no reason to give nothing, but lowers the
// confidence.
func (t dataset) accented(ctx context.Context, where string, q contracts.Query) ([]counted, bool) {
	if where == "" {
		return nil, true
	}
	a, err := t.ask(ctx, where, soda.MaxRows)
	if err == nil && a.full {
		err = errors.New("too many")
	}
	var records []counted
	if err == nil {
		records, err = t.matching(a.Rows, q)
	}
	if err != nil {
		scrape.Notef(ctx, "spellings with accents are not looked for: %v", err)
		return nil, false
	}
	return distinct(slices.DeleteFunc(records, func(r counted) bool { return literally(q, r.LicenseRecord) })), true
}

// conditions are the rows that hold all members of the query, and those that may when accents do not count.
func (t dataset) conditions(q contracts.Query) (plain, accented string) {
	var all, either, some []string
	add := func(part string, columns ...string) {
		if part == "" {
			return
		}
		holds, accented := soda.Holds(part, columns...), soda.HoldsAccented(part, columns...)
		all = append(all, holds)
		if accented == "" {
			either = append(either, holds)
			return
		}
		either, some = append(either, soda.Or(holds, accented)), append(some, accented)
	}
	add(q.DBAName, t.dba)
	add(q.OwnerName, t.owner)
	add(q.Address, t.address...)
	switch {
	case len(some) == 0:
	case len(all) == 1:
		accented = some[0]
	default:
		accented = soda.And(append(either, soda.Or(some...))...)
	}
	return soda.And(all...), accented
}

func (t dataset) matching(rows []soda.Row, q contracts.Query) ([]counted, error) {
	var records []counted
	for _, row := range rows {
		r, err := t.record(row)
		if errors.Is(err, errNoNumber) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if matches(q, r.LicenseRecord) {
			records = append(records, r)
		}
	}
	return records, nil
}

// literally tells whether a record holds what was asked without a letter beyond ASCII, such as one with an accent.
func literally(q contracts.Query, r contracts.LicenseRecord) bool {
	has := func(text, part string) bool { return fold.Contains(strings.Map(asciiOnly, text), part) }
	return has(r.DBAName, q.DBAName) && has(r.OwnerName, q.OwnerName) && (has(r.Address.Street, q.Address) || has(r.Address.City, q.Address))
}

// asciiOnly puts a sign that nobody asks for in the place of other letters.
func asciiOnly(r rune) rune {
	if r >= utf8.RuneSelf {
		return '¤'
	}
	return r
}

// distinct keeps the first record of each number.
func distinct(records []counted) []counted {
	seen := map[string]bool{}
	return slices.DeleteFunc(records, func(r counted) bool {
		again := seen[r.LicenseNumber]
		seen[r.LicenseNumber] = true
		return again
	})
}

// searchTables searches tables that together are a register. Where two have a number, the first of them is right.
func searchTables(ctx context.Context, q contracts.Query, tables ...dataset) (SearchReading, error) {
	var reading SearchReading
	var all []counted
	for i, t := range tables {
		h, err := t.search(ctx, q)
		if err != nil {
			return reading, err
		}
		if i == 0 || len(all) == 0 && len(h.records) > 0 {
			reading.EvidenceURL, reading.ReadAt = h.url, h.readAt
		}
		if !h.accents {
			reading.Tally = reading.Add(tally(false))
		}
		before := len(all) + len(h.records)
		all = distinct(append(all, h.records...))
		reading.Value.Total += h.total - (before - len(all))
	}
	records, sum := firstByNumber(all)
	reading.Value.Records, reading.Tally = records, reading.Add(sum)
	return reading, nil
}

// firstByNumber are the records of an answer and how cleanly they were read together.
func firstByNumber(all []counted) ([]contracts.LicenseRecord, contracts.Tally) {
	slices.SortStableFunc(all, func(a, b counted) int { return strings.Compare(a.LicenseNumber, b.LicenseNumber) })
	records, sum := []contracts.LicenseRecord{}, contracts.Tally{}
	for _, r := range all[:min(len(all), contracts.MaxResults)] {
		records = append(records, r.LicenseRecord)
		sum = sum.Add(r.Tally)
	}
	if len(all) == 0 {
		sum = noneFound
	}
	return records, sum
}

// sodaDates are the forms of SODA's dates.
var sodaDates = []string{"2006-01-02T15:04:05", time.DateOnly}

// newest is the row whose column of dates is the latest.
func newest(rows []soda.Row, column string) soda.Row {
	return slices.MaxFunc(rows, func(a, b soda.Row) int { return strings.Compare(a[column], b[column]) })
}
