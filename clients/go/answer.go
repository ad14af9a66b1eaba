package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"assay.dev/contracts"
)

// Answer is what the API answered to a call.
type Answer[Body any] struct {
	Body Body
	// Raw is the body as it came. Keep it beside the documents of the answer: `assay evidence verify` reads it.
	Raw       []byte
	RequestID string
	// Header is the reply's, such as Age, and Cache-Status: its detail refresh-failed says that no fresh reading was had.
	Header      http.Header
	Environment contracts.Environment
	// Blocks are the _verifiability blocks of the answer: one, or one for each carrier of an answer for several. A
	// listing has none.
	Blocks []contracts.Verifiability

	statements []statement
}

// statement is the part of an answer that one _verifiability block speaks of.
type statement struct {
	Verifiability *contracts.SurchargeVerifiability `json:"_verifiability"`
	Record        json.RawMessage                   `json:"record"`
	Weeks         []json.RawMessage                 `json:"weeks"`
	Rows          []json.RawMessage                 `json:"rows"`
	Results       []json.RawMessage                 `json:"results"`
}

// records are the objects whose members the block speaks of.
func (s statement) records() []json.RawMessage {
	all := slices.Concat(s.Weeks, s.Rows, s.Results)
	if s.Record != nil {
		all = append(all, s.Record)
	}
	return all
}

// statementsOf takes an answer apart.
func statementsOf(raw []byte) ([]statement, error) {
	var whole statement
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, err
	}
	if whole.Verifiability != nil {
		return []statement{whole}, nil
	}
	var all []statement
	for _, result := range whole.Results {
		inner, err := statementsOf(result)
		if err != nil {
			return nil, err
		}
		all = append(all, inner...)
	}
	return all, nil
}

// ConfidenceError is an answer that is less sure than was required.
type ConfidenceError struct {
	Confidence, Required float64
	// Notes say why.
	Notes     []contracts.Note
	RequestID string
	// Raw is the answer, for a person to judge.
	Raw []byte
}

func (e *ConfidenceError) Error() string {
	text := fmt.Sprintf("the confidence is %v, below %v", e.Confidence, e.Required)
	for _, n := range e.Notes {
		text += fmt.Sprintf("; %s: %s", n.Code, printable(n.Message))
	}
	return text
}

// RequireConfidence is a *[ConfidenceError] where a block's confidence is lower; nil for an answer without blocks.
func (a *Answer[Body]) RequireConfidence(least float64) error {
	for _, v := range a.Blocks {
		if v.ExtractionConfidence < least {
			return &ConfidenceError{v.ExtractionConfidence, least, v.Notes, a.RequestID, a.Raw}
		}
	}
	return nil
}

// Why a member does not hold.
const (
	NotReported = "not reported" // the source cannot show it: that it is empty means nothing
	Inferred    = "inferred"     // it is computed, no source printed it
	Unknown     = "unknown"      // records have no member of this name
	NotTrue     = "not true"     // of current: the newest week is not the one that is due
)

// MemberError is a member of an answer that does not hold.
type MemberError struct {
	Member string
	// Why is [NotReported], [Inferred], [Unknown] or [NotTrue].
	Why string
	// Notes are the answer's.
	Notes []contracts.Note
}

func (e *MemberError) Error() string {
	return fmt.Sprintf("member %q is %s", contracts.Printable(e.Member), e.Why)
}

// Require is a *[MemberError] where one of the members is not reported or only inferred, and where records have no such
// member. Nested members are dotted, such as address.county; address asks for all of its members. current holds where
// it is true: the newest week is the one that is due.
func (a *Answer[Body]) Require(members ...string) error {
	for _, member := range members {
		if len(a.statements) == 0 {
			return &MemberError{Member: member, Why: Unknown}
		}
		for _, s := range a.statements {
			if why := s.doubts(member); why != "" {
				return &MemberError{member, why, s.Verifiability.Notes}
			}
		}
	}
	return nil
}

// doubts says why a member does not hold; "" when it does.
func (s statement) doubts(member string) string {
	names := func(named string) bool {
		return named == member || strings.HasPrefix(named, member+".") || strings.HasPrefix(member, named+".")
	}
	current := s.Verifiability.Current
	switch {
	case member == "current" && (current == nil || !*current):
		return NotTrue
	case member == "current":
		return ""
	case slices.ContainsFunc(s.Verifiability.NotReported, names):
		return NotReported
	case slices.ContainsFunc(s.Verifiability.Inferred, names):
		return Inferred
	case slices.ContainsFunc(s.records(), func(r json.RawMessage) bool { return !has(r, member) }):
		return Unknown
	}
	return ""
}

// has tells whether a record has a member, whatever its value.
func has(record json.RawMessage, member string) bool {
	name, inner, isNested := strings.Cut(member, ".")
	var members map[string]json.RawMessage
	if json.Unmarshal(record, &members) != nil {
		return false
	}
	value, ok := members[name]
	if ok && isNested {
		return has(value, inner)
	}
	return ok
}

// askData makes a call whose answer has _verifiability blocks.
func askData[Body any](ctx context.Context, c *Client, q request) (*Answer[Body], error) {
	a, err := ask[Body](ctx, c, q)
	if err != nil {
		return nil, err
	}
	if len(a.statements) == 0 {
		return nil, &ForeignError{URL: c.base, Status: http.StatusOK} // an answer without its proof is none
	}
	if err := a.RequireConfidence(c.confidence); err != nil {
		return nil, err
	}
	return a, nil
}

// ask makes a call whose answer is JSON.
func ask[Body any](ctx context.Context, c *Client, q request) (*Answer[Body], error) {
	response, err := c.exchange(ctx, q)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	raw, err := c.readBody(response)
	if err != nil {
		return nil, err
	}
	a := &Answer[Body]{
		Raw: raw, RequestID: printable(response.Header.Get("X-Request-ID")), Header: response.Header,
		Environment: contracts.Environment(response.Header.Get("Assay-Environment")),
	}
	if err := json.Unmarshal(raw, &a.Body); err != nil {
		return nil, &ForeignError{URL: c.base, Status: response.StatusCode}
	}
	a.statements, _ = statementsOf(raw) // what cannot be taken apart has none
	for _, s := range a.statements {
		a.Blocks = append(a.Blocks, s.Verifiability.Verifiability)
	}
	return a, nil
}

// readBody reads a body to its end.
func (c *Client) readBody(response *http.Response) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if err != nil {
		return nil, &UnreachableError{URL: c.base, cause: err}
	}
	if len(raw) > maxBody {
		return nil, &ForeignError{URL: c.base, Status: response.StatusCode}
	}
	return raw, nil
}
