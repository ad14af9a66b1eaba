package opendata

import (
	"context"
	"errors"
	"slices"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Search searches tables that together are a register. When two have a license of the same number, the first table
// is right.
func Search(ctx context.Context, q contracts.Query, tables ...Dataset) (register.SearchReading, error) {
	var reading register.SearchReading
	var all []register.Tallied
	for i, t := range tables {
		h, err := t.search(ctx, q)
		if err != nil {
			return reading, err
		}
		if i == 0 || len(all) == 0 && len(h.records) > 0 {
			reading.EvidenceURL, reading.ReadAt = h.url, h.readAt
		}
		if !h.accents {
			reading.Tally = reading.Add(register.TallyOf(false))
		}
		before := len(all) + len(h.records)
		all = register.Distinct(append(all, h.records...))
		reading.Value.Total += h.total - (before - len(all))
	}
	found, sum := register.Collect(all)
	reading.Value.Records, reading.Tally = found.Records, reading.Add(sum)
	return reading, nil
}

// hits is what a search of one table found.
type hits struct {
	// total counts all matches. records may be the first of them only.
	total   int
	records []register.Tallied
	url     string
	readAt  time.Time
	// accents is false when spellings with accents could not be looked for.
	accents bool
}

// search asks twice, because SODA tells é from e: for what is spelled as asked, and for spellings with accents.
func (t Dataset) search(ctx context.Context, q contracts.Query) (hits, error) {
	plain, _ := t.conditions(q)
	a, err := t.Ask(ctx, plain, soda.MaxRows)
	if err != nil {
		return hits{}, err
	}
	h := hits{url: a.URL, readAt: a.ReadAt}
	if h.records, err = t.read(a.Rows, q); err != nil {
		return h, err
	}
	if len(a.Rows) > 0 && len(h.records) == 0 {
		return h, scrape.Failf(scrape.Changed, "the rows do not hold what was asked for")
	}
	h.records = register.Distinct(h.records)
	h.total = len(h.records)
	if a.Full {
		if h.total, err = t.Count(ctx, plain); err != nil {
			return h, err
		}
	}
	others, looked := t.Accented(ctx, q)
	h.accents = looked
	h.records, h.total = append(h.records, others...), h.total+len(others)
	return h, nil
}

// Accented gives the records that match the query only when accents do not count: a search for "cafe" gives "CAFÉ
// ROMA" here. looked is false when the service could not be asked. That is no failure, but it lowers the
// confidence.
func (t Dataset) Accented(ctx context.Context, q contracts.Query) (records []register.Tallied, looked bool) {
	_, where := t.conditions(q)
	if where == "" {
		return nil, true
	}
	a, err := t.Ask(ctx, where, soda.MaxRows)
	if err == nil && a.Full {
		err = errors.New("too many")
	}
	if err == nil {
		records, err = t.read(a.Rows, q)
	}
	if err != nil {
		scrape.Notef(ctx, "spellings with accents are not looked for: %v", err)
		return nil, false
	}
	literal := func(r register.Tallied) bool { return register.MatchesLiterally(q, r.LicenseRecord) }
	return register.Distinct(slices.DeleteFunc(records, literal)), true
}

// conditions are two: plain is met by rows that hold all members of the query as they are spelled, accented by rows
// that may hold them when accents do not count. accented is empty when no letter of the query takes an accent.
func (t Dataset) conditions(q contracts.Query) (plain, accented string) {
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
	add(q.DBAName, t.DBA)
	add(q.OwnerName, t.Owner)
	add(q.Address, t.Address...)
	switch {
	case len(some) == 0:
	case len(all) == 1:
		accented = some[0]
	default:
		accented = soda.And(append(either, soda.Or(some...))...)
	}
	return soda.And(all...), accented
}
