package opendata

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
)

const (
	// maxFileRows bounds the rows of a table that is taken whole. It is what package mirror reads at most.
	maxFileRows = 200_000
	// RenewedEvery is how often a table that is taken whole is asked for changes. The tables change once a day.
	RenewedEvery = 6 * time.Hour
)

// Table is a SODA resource that is taken whole, as one CSV file.
type Table struct {
	// Name is the file's key, such as TX-licenses.
	Name string
	// Resource is https://host/resource/xxxx-xxxx.json.
	Resource string
	// Columns are those that are read. A table that lacks one of them has changed.
	Columns []string
	// Optional are those that are read if the table has them. That is not known beforehand, so all columns are asked for.
	Optional []string
	// Added are further ones that the table has. Editions that are kept may be of before they were asked for.
	Added []string
	// Entry makes an entry of a row.
	Entry func(Texts) mirror.Entry
}

// Texts gives a row's text in a column; empty when there is none.
type Texts func(column string) string

// URL is the address of the whole table. Its rows are in the order of the service's own row numbers, which no row lacks
// (https://dev.socrata.com/docs/paging.html).
func (t Table) URL() string {
	columns := strings.Join(slices.Concat(t.Columns, t.Added), ",")
	if t.Optional != nil {
		columns = ""
	}
	return soda.URL(strings.TrimSuffix(t.Resource, ".json")+".csv",
		"$select", columns, "$order", ":id", "$limit", strconv.Itoa(maxFileRows))
}

// File is the table for a mirror. A service that gives fewer rows than it counts, such as one with a limit of its own,
// is not believed.
func (t Table) File(c soda.Client) mirror.File {
	return mirror.File{
		Name: t.Name, URL: t.URL(), Read: t.readEntries,
		Rows: func(ctx context.Context) (int, error) { return c.Count(ctx, t.Resource, "") },
	}
}

func (t Table) readEntries(body []byte, add func(mirror.Entry) error) (rows int, err error) {
	table := mirror.Table{Required: t.Columns, Optional: slices.Concat(t.Optional, t.Added)}
	return table.Read(bytes.NewReader(body), func(r mirror.Row, add func(mirror.Entry) error) error {
		return add(t.Entry(r.Text))
	}, add)
}

// EntryOf is the entry of a record. One that is not understood keeps the number that the row prints.
func EntryOf(r register.Record, understood bool, word, printed string) mirror.Entry {
	e := mirror.Entry{
		Record: r.LicenseRecord, Word: word, Unclear: !understood, Unnumbered: r.LicenseNumber == "",
		Undated: len(r.Unreadable) > 0,
	}
	if e.Unnumbered {
		e.Record.LicenseNumber = printed
	}
	e.Record.Status = ""
	return e
}
