package soda

import (
	"encoding/json"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Row is a row: its texts and numbers by their columns, all as text. Null and other values, such as places, are
// left out.
type Row map[string]string

// UnmarshalJSON reads an object.
func (r *Row) UnmarshalJSON(data []byte) error {
	var columns map[string]json.RawMessage
	if err := json.Unmarshal(data, &columns); err != nil {
		return err
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
	rows := []Row{}
	if err := json.Unmarshal(body, &rows); err != nil || rows == nil {
		if refusal := refusalIn(body); refusal != nil {
			return nil, scrape.Failf(scrape.Changed, "the service answers with an error: %w", refusal)
		}
		return nil, scrape.Failf(scrape.Changed, "the answer is not a list of rows")
	}
	return rows, nil
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
	if code == "" {
		code = envelope.Code
	}
	if code == "" && envelope.Message == "" {
		return nil
	}
	return &Refusal{Code: contracts.Printable(code), Message: contracts.Printable(envelope.Message)}
}
