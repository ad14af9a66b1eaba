package mirror

import (
	"bytes"
	"io"

	"assay.dev/platform/csvrow"
	"assay.dev/platform/scrape"
)

// Bounds of one file. They are checked while it is read, so that a hostile file costs no more than an honest one. The
// largest honest file is California's: 129,000 rows, 25 MB, 26 columns.
const (
	maxFile    = 64 << 20 // bytes, decompressed
	maxRows    = 200_000  // blank rows and rows before the header count too
	maxColumns = 200
	maxField   = 8 << 10 // bytes
	// maxText is how many bytes the licenses of a file may take in memory. California's take 19 MB.
	maxText = 24 << 20
	// maxWords is how many words the texts that are searched may have, and maxDifferent how many different ones. Texas's
	// have 1,400,000; a register has fewer than 200,000 different ones.
	maxWords     = 4_000_000
	maxDifferent = 750_000
)

// rowReader reads the rows of a CSV file within the bounds. Its errors are a *[scrape.Failure] of kind changed, io.EOF,
// [csvrow.ErrTooLarge], or those of the source.
type rowReader struct {
	csv  *csvrow.Reader
	rows int
}

func newRowReader(r io.Reader) *rowReader {
	reader := csvrow.NewReader(&boundedFile{source: withoutMark(r)})
	reader.LazyQuotes, reader.FieldsPerRecord, reader.ReuseRecord = true, -1, true
	return &rowReader{csv: reader}
}

// withoutMark is r without the mark of UTF-8 at its beginning, behind which a quote would be a part of the first field.
func withoutMark(r io.Reader) io.Reader {
	first := make([]byte, len(csvrow.ByteOrderMark))
	n, _ := io.ReadFull(r, first) // the readers of archives and of replies repeat their errors
	first = bytes.TrimPrefix(first[:n], []byte(csvrow.ByteOrderMark))
	return io.MultiReader(bytes.NewReader(first), r)
}

// next gives the fields of the next row, which are valid until the one after it.
func (r *rowReader) next() ([]string, error) {
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

// boundedFile fails behind the last byte that a file may have.
type boundedFile struct {
	source io.Reader
	given  int64 // bytes
}

func (b *boundedFile) Read(p []byte) (int, error) {
	n, err := b.source.Read(p)
	if b.given += int64(n); b.given > maxFile {
		return 0, scrape.Failf(scrape.Changed, "the file has more than %d bytes", maxFile)
	}
	return n, err
}
