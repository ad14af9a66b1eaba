// Package csvrow bounds the rows of CSV files. Package encoding/csv reads a row whole before it tells how many cells it
// has: a line of five million commas takes 0.5 GB.
package csvrow

import (
	"encoding/csv"
	"errors"
	"io"
)

// MaxBytes is how many bytes a row may take, with the empty lines before it and the line breaks in its quoted cells. It
// is also how far a quote reaches that is never closed.
const MaxBytes = 64 << 10

// ByteOrderMark is what some programs write at the beginning of a text in UTF-8, and Excel wants there. It is no part
// of the first cell: who reads a file that may have it cuts it off before.
const ByteOrderMark = "\ufeff"

// ErrTooLarge is the error for a row that is larger. The file cannot be read on.
var ErrTooLarge = errors.New("a row has more than 64 KB, or a quote is not closed")

// Reader is a [csv.Reader] that asks for no more than MaxBytes of a row.
type Reader struct {
	*csv.Reader
	source *source
}

// NewReader returns a reader of r.
func NewReader(r io.Reader) *Reader {
	s := &source{r: r}
	return &Reader{csv.NewReader(s), s}
}

// Read is [csv.Reader.Read], or fails with ErrTooLarge.
func (r *Reader) Read() ([]string, error) {
	r.source.rowEnd = r.InputOffset() + MaxBytes
	return r.Reader.Read()
}

// source ends where the current row must have ended. So a reader of rows cannot keep more than that in memory.
type source struct {
	r      io.Reader
	given  int64 // bytes, since the file's beginning
	rowEnd int64 // as given
}

func (s *source) Read(p []byte) (int, error) {
	left := s.rowEnd - s.given
	if left <= 0 {
		return 0, s.atEnd()
	}
	n, err := s.r.Read(p[:min(int64(len(p)), left)])
	s.given += int64(n)
	return n, err
}

// atEnd is io.EOF when there are no more bytes than were given.
func (s *source) atEnd() error {
	n, err := s.r.Read(make([]byte, 1))
	if n == 0 {
		return err
	}
	return ErrTooLarge
}
