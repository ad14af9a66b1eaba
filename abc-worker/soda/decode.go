package soda

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Bounds of one answer. A service that ignores the limit may give more rows than were asked for.
const (
	maxAnswerRows = 10 * MaxRows
	maxRow        = 64 << 10 // bytes
	maxColumns    = 500
)

// Row is a row: its texts and numbers by their columns, all as text. Null and other values, such as places, are
// left out.
type Row map[string]string

// Text is what a column holds; empty where the row does not have it.
func (r Row) Text(column string) string { return r[column] }

// UnmarshalJSON reads an object of at most 64 KiB and 500 columns.
func (r *Row) UnmarshalJSON(data []byte) error {
	if len(data) > maxRow {
		return fmt.Errorf("a row has %d bytes, and may have %d", len(data), maxRow)
	}
	var columns map[string]json.RawMessage
	if err := json.Unmarshal(data, &columns); err != nil {
		return err
	}
	if len(columns) > maxColumns {
		return fmt.Errorf("a row has %d columns, and may have %d", len(columns), maxColumns)
	}
	*r = make(Row, len(columns))
	for name, value := range columns {
		if text, ok := scalar(value); ok {
			(*r)[name] = text
		}
	}
	return nil
}

// scalar is a text or a number as text. It is false for null, objects, lists and booleans.
func scalar(value json.RawMessage) (string, bool) {
	switch c := value[0]; {
	case c == '"':
		var text string
		return text, json.Unmarshal(value, &text) == nil
	case c == '-' || c >= '0' && c <= '9':
		return string(value), true
	}
	return "", false
}

// decode reads an answer: a list of rows. Its error is a *[scrape.Failure] of kind changed.
func decode(body []byte) ([]Row, error) {
	rows, _, err := decodeWithEnds(body)
	return rows, err
}

// decodeWithEnds is decode, and how many bytes there are up to the end of each row.
func decodeWithEnds(body []byte) ([]Row, []int, error) {
	rows, ends, err := decodeRows(json.NewDecoder(bytes.NewReader(body)))
	if err == nil {
		return rows, ends, nil
	}
	if refusal := refusalIn(body); refusal != nil {
		return nil, nil, scrape.Failf(scrape.Changed, "the service answers with an error: %w", refusal)
	}
	return nil, nil, scrape.Failf(scrape.Changed, "the answer is not a list of rows: %w", err)
}

func decodeRows(d *json.Decoder) (rows []Row, ends []int, err error) {
	if opening, err := d.Token(); err != nil || opening != json.Delim('[') {
		return nil, nil, errors.New("it is not a list")
	}
	rows = []Row{}
	for d.More() {
		if len(rows) == maxAnswerRows {
			return nil, nil, fmt.Errorf("it has more than %d rows", maxAnswerRows)
		}
		var row Row
		if err := d.Decode(&row); err != nil {
			return nil, nil, err
		}
		rows, ends = append(rows, row), append(ends, int(d.InputOffset()))
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, errors.New("something follows the list")
	}
	return rows, ends, nil
}

// refusalIn reads the two forms of errors, {"errorCode": …} and {"code": …}. It is nil when body is neither.
func refusalIn(body []byte) *Refusal {
	var envelope struct {
		ErrorCode string `json:"errorCode"`
		Code      string `json:"code"`
		Message   string `json:"message"`
	}
	if json.Unmarshal(body, &envelope) != nil {
		return nil
	}
	code := envelope.ErrorCode
	code = cmp.Or(code, envelope.Code)
	if code == "" && envelope.Message == "" {
		return nil
	}
	return &Refusal{Code: contracts.Printable(code), Message: contracts.Printable(envelope.Message)}
}
