// Package opendata finds licenses in the tables of open-data services: the data sets of Texas and New York, which
// are asked by SODA, and New York's map, which takes the same conditions.
package opendata

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Dataset is a table of licenses, searched with SQL conditions. Number, Serial, DBA, Owner and Address name its
// columns.
type Dataset struct {
	// Number is the column that gives rows their order.
	Number string
	// Serial is the column of former numbers.
	Serial     string
	DBA, Owner string
	// Address are the columns that the address filter looks at, each by itself.
	Address []string
	// Ask gets the rows that meet a condition, ordered by Number, at most limit of them.
	Ask func(ctx context.Context, where string, limit int) (Answer, error)
	// Count counts the rows that meet a condition.
	Count func(ctx context.Context, where string) (int, error)
	// Record reads a row. Its error fails the whole read, unless it is ErrNoNumber: then the row is left out.
	Record func(soda.Row) (register.Tallied, error)
}

// Answer is rows. Full tells that there may be more.
type Answer struct {
	soda.Answer
	Full bool
}

// ErrNoNumber is the error for a row that does not say which license it is of.
var ErrNoNumber = errors.New("the row has no number")

// DateLayouts are the forms of SODA's dates.
var DateLayouts = []string{"2006-01-02T15:04:05", time.DateOnly}

// SODA is t with Ask and Count that ask a resource by SODA: https://host/resource/xxxx-xxxx.json.
func SODA(c soda.Client, resource string, t Dataset) Dataset {
	t.Ask = func(ctx context.Context, where string, limit int) (Answer, error) {
		q := soda.Query{Where: where, Order: t.Number, Limit: limit}
		a, err := c.Ask(ctx, resource, q)
		return Answer{a, a.Full(q)}, err
	}
	t.Count = func(ctx context.Context, where string) (int, error) { return c.Count(ctx, resource, where) }
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
	a.Rows = slices.DeleteFunc(a.Rows, func(r soda.Row) bool { return !asked(r) })
	if len(a.Rows) == 0 {
		return a, scrape.Failf(scrape.Changed, "the rows are not of the license that was asked for")
	}
	return a, nil
}

// Newest is the row whose column of dates is the latest. There must be at least one row.
func Newest(rows []soda.Row, column string) soda.Row {
	return slices.MaxFunc(rows, func(a, b soda.Row) int { return strings.Compare(a[column], b[column]) })
}

// read reads the rows that match the query. The conditions let through a few that do not.
func (t Dataset) read(rows []soda.Row, q contracts.Query) ([]register.Tallied, error) {
	var records []register.Tallied
	for _, row := range rows {
		r, err := t.Record(row)
		if errors.Is(err, ErrNoNumber) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if register.Matches(q, r.LicenseRecord) {
			records = append(records, r)
		}
	}
	return records, nil
}
