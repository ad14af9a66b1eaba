package mirror

import (
	"bytes"
	"encoding/csv"
	"io"

	"assay.dev/platform/scrape"
)

// Bounds of one file. They are checked while it is read, so that a hostile file costs no more than an honest one. The
// largest honest file is California's: 129,000 rows, 25 MB, 26 columns.
const (
	maxFile = 64 << 20 // bytes, decompressed
	maxRows = 200_000  // blank rows and rows before the header count too
	// maxRow is how many bytes a row may take, with the empty lines before it and the line breaks in its quoted fields.
	// It is also how far a quote reaches that is never closed.
	maxRow     = 64 << 10
	maxColumns = 200
	maxField   = 8 << 10 // bytes
	// maxText is how many bytes the licenses of a file may take in memory. California's take 19 MB.
	maxText = 24 << 20
	// maxWords is how many words the texts that are searched may have, and maxDifferent how many different ones. Texas's have
	// 1,400,000; a register has fewer than 200,000 different ones.
	maxWords     = 4_000_000
	maxDifferent = 750_000
)

// rowReader reads the rows of a CSV file within the bounds. Its errors are a *[scrape.Failure] of kind changed, io.EOF,
// or those of the source.
type rowReader struct {
	csv    *csv.Reader
	source *boundedReader
	rows   int
}

func newRowReader(r io.Reader) *rowReader {
	source := &boundedReader{source: withoutMark(r)}
	reader := csv.NewReader(source)
	reader.LazyQuotes, reader.FieldsPerRecord, reader.ReuseRecord = true, -1, true
	return &rowReader{csv: reader, source: source}
}

// withoutMark is r without the mark of UTF-8 at its beginning, behind which a quote would be a part of the first field.
func withoutMark(r io.Reader) io.Reader {
	first := make([]byte, len(byteOrderMark))
	n, _ := io.ReadFull(r, first) // the readers of archives and of replies repeat their errors
	first = bytes.TrimPrefix(first[:n], []byte(byteOrderMark))
	return io.MultiReader(bytes.NewReader(first), r)
}

const byteOrderMark = "\ufeff"

// next gives the fields of the next row, which are valid until the one after it.
func (r *rowReader) next() ([]string, error) {
	r.source.rowEnd = r.csv.InputOffset() + maxRow
	fields, err := r.csv.Read()
	if err != nil {
		return nil, err
	}
	if r.rows++; r.rows > maxRows {
		return nil, scrape.Failf(scrape.Changed, "the file has more than %d rows", maxRows)
	}
	if len(fields) > maxColumns {
		return nil, scrape.Failf(scrape.Changed, "a row has %d columns, and may have %d", len(fields), maxColumns)
	}
	for _, field := range fields {
		if len(field) > maxField {
			return nil, scrape.Failf(scrape.Changed, "a field has %d bytes, and may have %d", len(field), maxField)
		}
	}
	return fields, nil
}

// boundedReader gives no byte beyond the end that the current row must have, nor beyond the end that a file must have.
// Package csv does not bound a row itself, but it can keep only what it is given.
type boundedReader struct {
	source io.Reader
	given  int64 // bytes, since the file's beginning
	rowEnd int64 // as given
}

func (b *boundedReader) Read(p []byte) (int, error) {
	left := min(b.rowEnd, maxFile) - b.given
	if left <= 0 {
		return 0, b.atEnd()
	}
	n, err := b.source.Read(p[:min(int64(len(p)), left)])
	b.given += int64(n)
	return n, err
}

// atEnd is io.EOF when the source has no more bytes than were given.
func (b *boundedReader) atEnd() error {
	if n, err := b.source.Read(make([]byte, 1)); n == 0 {
		return err
	}
	if b.given >= maxFile {
		return scrape.Failf(scrape.Changed, "the file has more than %d bytes", maxFile)
	}
	return scrape.Failf(scrape.Changed, "a row has more than %d bytes, or a quote is not closed", maxRow)
}
