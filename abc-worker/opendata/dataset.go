// Package opendata finds licenses in the tables of open-data services: the data sets of Texas and New York, which
// are asked by SODA, and New York's map, which takes the same conditions.
package opendata

import (
	"cmp"
	"context"
	"strings"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Dataset is a table of licenses, searched with SQL conditions. Number, Serial, DBA, Owner, Address and ZIP name its
// columns.
type Dataset struct {
	// Number is the column that gives rows their order.
	Number string
	// Serial is the column of former numbers.
	Serial     string
	DBA, Owner string
	// Address are the columns that the address filter looks at together, ZIP that of the ZIP code.
	Address []string
	ZIP     string
	// Ask gets the rows that meet a condition, ordered by Number, at most limit of them.
	Ask func(ctx context.Context, where string, limit int) (Answer, error)
	// Count counts the rows that meet a condition. It tells apart those that [Dataset.Record] does not understand,
	// where the service can be asked for them.
	Count func(ctx context.Context, where string) (Count, error)
	// UpdatedAt is when the table was last updated; zero when that is not known. nil: the service never says.
	UpdatedAt func(context.Context) time.Time
	// Record reads a row. It is false for a row that is not understood; the record's number is then empty if that is
	// why.
	Record func(soda.Row) (register.Record, bool)
	// After is the condition for rows beyond a number, in the order of the column Number.
	After func(number string) string
}

// Answer is rows. Full tells that there may be more.
type Answer struct {
	soda.Answer
	Full bool
}

// end is how many bytes there are up to the end of a row; 0 where that is not known.
func (a Answer) end(i int) int {
	if i < len(a.Ends) {
		return a.Ends[i]
	}
	return 0
}

// Count is how many rows are understood, and how many are not.
type Count struct{ Clear, Unclear int }

// CountByStatus makes a [Dataset.Count] that tells the rows whose status word is understood from the others.
func CountByStatus(
	c soda.Client, resource, column string, understands func(word string) bool,
) func(context.Context, string) (Count, error) {
	return func(ctx context.Context, where string) (n Count, err error) {
		counts, err := c.CountBy(ctx, resource, where, column)
		for word, rows := range counts {
			if understands(word) {
				n.Clear += rows
			} else {
				n.Unclear += rows
			}
		}
		return n, err
	}
}

// DateLayouts are the forms of SODA's dates; the last two are guesses.
var DateLayouts = []string{"2006-01-02T15:04:05", time.DateOnly, "2006-01-02T15:04:05Z", "1/2/2006"}

// SODA is t with what asks a resource by SODA: https://host/resource/xxxx-xxxx.json. A Count that is set stays.
func SODA(c soda.Client, resource string, t Dataset) Dataset {
	t.Ask = func(ctx context.Context, where string, limit int) (Answer, error) {
		q := soda.Query{Where: where, Order: t.Number, Limit: limit}
		a, err := c.Ask(ctx, resource, q)
		return Answer{a, a.Full(q)}, err
	}
	if t.Count == nil {
		t.Count = func(ctx context.Context, where string) (n Count, err error) {
			n.Clear, err = c.Count(ctx, resource, where)
			return n, err
		}
	}
	updated := &age{}
	t.UpdatedAt = func(ctx context.Context) time.Time {
		return updated.at(ctx, func(ctx context.Context) (time.Time, error) { return c.UpdatedAt(ctx, resource) })
	}
	return t
}

// maxTwins bounds the rows of one number.
const maxTwins = 50

// Lookup gives the rows that meet a condition on the number, and keeps those that are of it by the word of asked.
// When the service gives rows and none of them is, it ignores the condition: a failure of kind changed.
func (t Dataset) Lookup(ctx context.Context, where string, asked func(soda.Row) bool) (Answer, error) {
	a, err := t.Ask(ctx, where, maxTwins)
	if err != nil || len(a.Rows) == 0 {
		return a, err
	}
	of := soda.Answer{URL: a.URL, ReadAt: a.ReadAt}
	for i, row := range a.Rows {
		if asked(row) {
			of.Rows, of.Ends = append(of.Rows, row), append(of.Ends, a.end(i))
		}
	}
	if a.Answer = of; len(a.Rows) == 0 {
		return a, scrape.Failf(scrape.Changed, "the rows are not of the license that was asked for")
	}
	return a, nil
}

// updatedAt is when the table was last updated.
func (t Dataset) updatedAt(ctx context.Context) time.Time {
	if t.UpdatedAt == nil {
		return time.Time{}
	}
	return t.UpdatedAt(ctx)
}

// Newest is the reading of a lookup: the row whose column of dates is the latest. There must be at least one row. It is
// unclear when another row of that date, or of none, has another number or status; with no column all are of one date.
func (t Dataset) Newest(ctx context.Context, a Answer, column string) register.Reading {
	reading := register.Reading{EvidenceURL: a.URL, ReadAt: a.ReadAt, PublishedAt: t.updatedAt(ctx)}
	newest, dates := 0, make([]contracts.Date, len(a.Rows))
	for i, row := range a.Rows {
		if dates[i], _ = register.Date(row[column], DateLayouts...); dates[i] > dates[newest] {
			newest = i
		}
	}
	r, ok := t.Record(a.Rows[newest])
	for i, other := range a.Rows {
		o, alsoOK := t.Record(other)
		isOlder := dates[i] != "" && dates[i] < dates[newest]
		ok = ok && (isOlder || alsoOK && o.LicenseNumber == r.LicenseNumber && o.Status == r.Status)
	}
	if ok {
		reading.Records = []register.Record{t.spotted(r, a, newest)}
	} else {
		reading.Unclear = 1
	}
	return reading
}

// None is the reading of a lookup that found no row.
func (t Dataset) None(ctx context.Context, a Answer) register.Reading {
	return register.Reading{EvidenceURL: a.URL, ReadAt: a.ReadAt, PublishedAt: t.updatedAt(ctx)}
}

// spotted is a record with where its row stands, by the number that is printed there.
func (t Dataset) spotted(r register.Record, a Answer, i int) register.Record {
	row := a.Rows[i]
	r.Spots = []scrape.Spot{{At: a.end(i), Text: cmp.Or(row[t.Number], row[strings.ReplaceAll(t.Number, "_", "")])}}
	return r
}

// readRows reads the rows that match the query. The conditions let through a few that do not. Rows that are not
// understood are counted; of one without a number it is not known whether it matches.
func (t Dataset) readRows(a Answer, q contracts.Query) (records []register.Record, unclear int) {
	for i, row := range a.Rows {
		r, ok := t.Record(row)
		switch {
		case !ok && (r.LicenseNumber == "" || register.Matches(q, r.LicenseRecord)):
			unclear++
		case ok && register.Matches(q, r.LicenseRecord):
			records = append(records, t.spotted(r, a, i))
		}
	}
	return records, unclear
}
