package opendata

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Contradicts tells whether two tables of a register contradict each other about a license, which expires at end in the
// first and at other in the next. The first table is right where its term is newer.
func Contradicts(end, other contracts.Date) bool { return other == "" || other >= end }

// Search searches tables that together are a register, from a position on. A license that a table has against the one
// before is left out.
func Search(ctx context.Context, q register.Question, tables ...Dataset) (register.Reading, error) {
	var reading register.Reading
	var shown []string // where records stand
	last := ""         // the number up to which the records of all tables are known
	for _, t := range tables {
		h, err := t.search(ctx, q)
		if err != nil {
			return reading, err
		}
		if reading.EvidenceURL == "" {
			reading.EvidenceURL, reading.ReadAt = h.url, h.readAt
		}
		if len(h.records) > 0 {
			shown = append(shown, h.url)
		}
		if h.last != "" && (last == "" || precedes(h.last, last)) {
			last = h.last
		}
		reading.PublishedAt = Older(reading.PublishedAt, t.updatedAt(ctx))
		reading.AccentsMissed = reading.AccentsMissed || h.accentsMissed
		reading.Unclear += h.unclear
		if h.disordered {
			reading.Cut = fmt.Sprintf("The source does not give its rows in order, so that matches beyond the "+
				"first %d cannot be asked for.", soda.MaxRows)
		}
		reading.Unclear += dropContradicted(&reading, &h)
		before := len(reading.Records) + len(h.records)
		reading.Records = register.Distinct(append(reading.Records, h.records...))
		reading.Total += h.total - (before - len(reading.Records))
	}
	if reading.More = last != ""; reading.More {
		beyond := func(r register.Record) bool { return precedes(last, r.LicenseNumber) }
		reading.Records = slices.DeleteFunc(reading.Records, beyond)
	}
	if len(shown) > 0 {
		reading.EvidenceURL = shown[0]
	}
	if len(shown) > 1 {
		reading.Notes = register.ByForm("The matches stand in %d data sets: %s", len(shown), strings.Join(shown, " and "))
	}
	return reading, nil
}

// dropContradicted drops the licenses of which nobody can tell whether the next table or those before it are right, and
// tells how many they were.
func dropContradicted(reading *register.Reading, h *hits) (dropped int) {
	ends := map[string]contracts.Date{}
	for _, r := range reading.Records {
		ends[r.LicenseNumber] = r.ExpirationDate
	}
	contradicted := map[string]bool{}
	for _, r := range h.records {
		if end, ok := ends[r.LicenseNumber]; ok && Contradicts(end, r.ExpirationDate) {
			contradicted[r.LicenseNumber] = true
		}
	}
	isContradicted := func(r register.Record) bool { return contradicted[r.LicenseNumber] }
	for _, drop := range []struct {
		records *[]register.Record
		total   *int
	}{{&reading.Records, &reading.Total}, {&h.records, &h.total}} {
		before := len(*drop.records)
		*drop.records = slices.DeleteFunc(*drop.records, isContradicted)
		*drop.total -= before - len(*drop.records)
	}
	return len(contradicted)
}

func precedes(a, b string) bool {
	return contracts.Position{Number: a}.Compare(contracts.Position{Number: b}) < 0
}

// Older is the earlier time of those that are not zero.
func Older(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// hits is what a search of one table found.
type hits struct {
	// total counts all matches of the query. records are those after the question's position, up to last when there are
	// more.
	total, unclear int
	records        []register.Record
	last           string
	url            string
	readAt         time.Time
	// disordered is set when there are more matches, and they cannot be asked for.
	disordered bool
	// accentsMissed is set when spellings with accents could not be looked for.
	accentsMissed bool
}

// search asks for rows that hold the parts as they are spelled, or with accents, because SODA tells é from e. When the
// service refuses the longer condition, it is asked for the first only.
func (t Dataset) search(ctx context.Context, q register.Question) (h hits, err error) {
	plain, accented := t.conditions(q.Query)
	where := plain
	if accented != "" {
		where = soda.Or(plain, accented)
	}
	a, err := t.Ask(ctx, t.from(where, q.After), soda.MaxRows)
	if accented != "" && scrape.KindOf(err) == scrape.Changed {
		scrape.Notef(ctx, "spellings with accents are not looked for: %v", err)
		h.accentsMissed, where, accented = true, plain, ""
		a, err = t.Ask(ctx, t.from(where, q.After), soda.MaxRows)
	}
	if err != nil {
		return h, err
	}
	h.url, h.readAt = a.URL, a.ReadAt
	h.records, h.unclear = t.readRows(a, q.Query)
	if len(a.Rows) > 0 && len(h.records)+h.unclear == 0 {
		if err := t.noneHolds(ctx, plain); err != nil {
			return h, err
		}
	}
	h.records = register.Distinct(h.records)
	h.total = len(h.records)
	if a.Full {
		h.last = t.lastNumber(a.Rows)
		h.disordered = h.last == ""
	}
	if a.Full || q.After != (contracts.Position{}) {
		err = t.count(ctx, q.Query, plain, accented, &h)
	}
	return h, err
}

// lastNumber is the number after which the rows go on that follow these. It is empty when these rows are not in order
// of their numbers: nobody knows then which rows follow.
func (t Dataset) lastNumber(rows []soda.Row) (last string) {
	for _, row := range rows {
		r, _ := t.Record(row)
		switch {
		case r.LicenseNumber == "":
		case precedes(r.LicenseNumber, last):
			return ""
		default:
			last = r.LicenseNumber
		}
	}
	return last
}

// noneHolds fails when the service gives rows that are spelled as asked: the rows that it gave before do not match, so
// they are not what they seem.
func (t Dataset) noneHolds(ctx context.Context, plain string) error {
	a, err := t.Ask(ctx, plain, 1)
	if err == nil && len(a.Rows) > 0 {
		err = scrape.Failf(scrape.Changed, "the rows do not hold what was asked for")
	}
	return err
}

// count counts all matches: those that are spelled as asked are counted by the service, those with accents are read.
func (t Dataset) count(ctx context.Context, q contracts.Query, plain, accented string, h *hits) error {
	n, err := t.Count(ctx, plain)
	h.total, h.unclear = n.Clear, max(n.Unclear, h.unclear)
	if err != nil || accented == "" {
		return err
	}
	others, looked := t.accented(ctx, q, accented)
	h.total, h.accentsMissed = h.total+len(others), h.accentsMissed || !looked
	return nil
}

// from narrows a condition to rows after a position.
func (t Dataset) from(where string, after contracts.Position) string {
	if after == (contracts.Position{}) || t.After == nil {
		return where
	}
	return soda.And(where, t.After(after.Number))
}

// Accented gives the records that match the query only when accents do not count: a search for "cafe" gives "CAFÉ
// ROMA" here. looked is false when the service could not be asked.
func (t Dataset) Accented(ctx context.Context, q contracts.Query) (records []register.Record, looked bool) {
	_, where := t.conditions(q)
	if where == "" {
		return nil, true
	}
	return t.accented(ctx, q, where)
}

// maxAccentedPages bounds the answers, of [soda.MaxRows] rows each, that are read for spellings with accents.
const maxAccentedPages = 5

func (t Dataset) accented(ctx context.Context, q contracts.Query,
	where string) (records []register.Record, looked bool) {
	rows, err := t.pages(ctx, where, maxAccentedPages)
	if err != nil {
		scrape.Notef(ctx, "spellings with accents are not looked for: %v", err)
		return nil, false
	}
	records, _ = t.readRows(Answer{Answer: soda.Answer{Rows: rows}}, q)
	counted := func(r register.Record) bool { return register.IsSpelledSo(q, r.LicenseRecord) }
	return register.Distinct(slices.DeleteFunc(records, counted)), true
}

// pages gets all rows that meet a condition, in at most so many answers.
func (t Dataset) pages(ctx context.Context, where string, most int) (rows []soda.Row, err error) {
	var after contracts.Position
	for range most {
		a, err := t.Ask(ctx, t.from(where, after), soda.MaxRows)
		if err != nil {
			return nil, err
		}
		rows = append(rows, a.Rows...)
		if !a.Full {
			return rows, nil
		}
		if after.Number = t.lastNumber(a.Rows); after.Number == "" {
			return nil, errors.New("the rows are not in order")
		}
	}
	return nil, fmt.Errorf("there are more than %d rows", most*soda.MaxRows)
}

// conditions are two: plain is met by rows that hold all parts of the query as they are spelled, accented by further
// rows that may hold them when accents do not count, and other spellings of an address do. accented is empty when no
// letter of the query takes an accent and no part of it has another spelling.
func (t Dataset) conditions(q contracts.Query) (plain, accented string) {
	var all, either, some []string
	add := func(text string, otherwise func(parts []string, columns ...string) string, columns ...string) {
		parts := fold.Parts(text)
		if len(parts) == 0 {
			return
		}
		holds, accented := soda.Holds(parts, columns...), otherwise(parts, columns...)
		all = append(all, holds)
		if accented == "" {
			either = append(either, holds)
			return
		}
		either, some = append(either, soda.Or(holds, accented)), append(some, accented)
	}
	add(q.DBAName, soda.HoldsAccented, t.DBA)
	add(q.OwnerName, soda.HoldsAccented, t.Owner)
	add(q.Address, func(parts []string,
		columns ...string) string {
		return soda.HoldsAddress(parts, t.ZIP, columns...)
	}, t.Address...)
	switch {
	case len(some) == 0:
	case len(all) == 1:
		accented = some[0]
	default:
		accented = soda.And(append(either, soda.Or(some...))...)
	}
	return soda.And(all...), accented
}
