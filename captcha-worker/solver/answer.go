package solver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

// answer is what any method of the family answers. Providers write ids and amounts as numbers or as strings.
type answer struct {
	ErrorID   int    `json:"errorId"`
	ErrorCode string `json:"errorCode"`
	TaskID    text   `json:"taskId"`
	Status    string `json:"status"`
	Solution  struct {
		Text string `json:"text"`
	} `json:"solution"`
	Cost    number `json:"cost"`
	Balance number `json:"balance"`
}

func (a *answer) decode(status int, body []byte) error {
	if err := json.Unmarshal(body, a); err != nil {
		if status < 400 && bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
			return fmt.Errorf("%w: JSON that cannot be read", Hostile) // nor the next time
		}
		// Before an overloaded service stands a proxy that answers with an HTML page.
		return fmt.Errorf("%w: HTTP %d", Unreachable, status)
	}
	if a.ErrorID != 0 || a.ErrorCode != "" {
		return fmt.Errorf("%w: %s", kindOf(a.ErrorCode), contracts.Printable(a.ErrorCode))
	}
	if status >= 400 {
		return fmt.Errorf("%w: HTTP %d", Unreachable, status)
	}
	return nil
}

// maxText is above any CAPTCHA that a source shows; those have 4 to 8 characters.
const maxText = 12

// solution refuses what no image shows: it must not reach a state's form. The letters and digits of ASCII are all that
// the sources' CAPTCHAs have, so '; or a letter that only looks like one of them is the service's mistake or its
// malice.
func (a *answer) solution() (*Solution, error) {
	s := strings.TrimSpace(a.Solution.Text)
	if s == "" || len(s) > maxText || strings.ContainsFunc(s, isNoSign) {
		return nil, fmt.Errorf("%w: solution of %d bytes", Hostile, len(a.Solution.Text))
	}
	return &Solution{Text: s, CostUSD: float64(a.Cost)}, nil
}

func isNoSign(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
}

// text reads a JSON string or number as text.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = text(s)
		return nil
	}
	var n json.Number
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	*t = text(n.String())
	return nil
}

// number reads a JSON string or number as an amount that is not negative.
type number float64

func (n *number) UnmarshalJSON(data []byte) error {
	var t text
	if err := t.UnmarshalJSON(data); err != nil {
		return err
	}
	if t == "" {
		return nil
	}
	f, err := strconv.ParseFloat(string(t), 64)
	if err != nil || !(f >= 0 && f < 1e6) {
		return fmt.Errorf("amount %q", t)
	}
	*n = number(f)
	return nil
}

// taskID is the id as the provider wrote it: a number for those that count, a string otherwise.
func taskID(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	return s
}
