package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"assay.dev/contracts"
)

// Error is a failure that the API answered with (contract §7).
type Error struct {
	// Code may be one of a later version of the API; Status says what kind of failure it is.
	Code    contracts.Code
	Message string
	// Reason says what a NOT_FOUND did not find, and Proof from what a proof of absence was read; empty and nil for other
	// failures.
	Reason contracts.Reason
	Proof  *contracts.Verifiability
	// Cursor is where to begin anew after a GONE of changes; empty for other failures.
	Cursor string
	// Raw is the body as it came; keep it where it is a proof.
	Raw []byte
	// Advice says what to do.
	Advice string
	// RequestID is what the operator finds the request by.
	RequestID string
	Status    int
	// RetryAfter is when a retry makes sense; negative where the API named no time.
	RetryAfter time.Duration
	// Violations say what is wrong with a request that is INVALID_REQUEST.
	Violations []contracts.Violation
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %s", e.Code, e.Message)
	if e.RequestID != "" {
		text += " (request " + e.RequestID + ")"
	}
	return text
}

// IsProofOfAbsence tells whether the license is proven not to exist. No other 404 proves anything.
func (e *Error) IsProofOfAbsence() bool { return e.Reason.ProvesAbsence() }

// UnreachableError is a request without a reply.
type UnreachableError struct {
	URL   string
	cause error
}

// Error says what is wrong and how to look.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the API at %s cannot be reached (%v); check that it runs, with curl %[1]s/openapi.json, and that "+
		"the address (ASSAY_API_URL) is right",
		e.URL, e.cause)
}

// Unwrap returns the cause.
func (e *UnreachableError) Unwrap() error { return e.cause }

// ForeignError is a reply that is none of the API's: something else answers at the address.
type ForeignError struct {
	URL    string
	Status int
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("there is no Assay API at %s: its answer, status %d, is none of the API's", e.URL, e.Status)
}

// maxFailure bounds the body of an error.
const maxFailure = 1 << 20

// failure is the error of a reply that is no 200.
func (c *Client) failure(response *http.Response) error {
	var coded struct {
		Detail struct {
			Error   contracts.Code
			Message string
			Reason  contracts.Reason
		}
		Proof  *contracts.Verifiability `json:"_verifiability"`
		Cursor string
	}
	var invalid struct{ Detail []contracts.Violation }
	e := &Error{Status: response.StatusCode, RequestID: printable(response.Header.Get("X-Request-ID")),
		RetryAfter: retryAfter(response.Header)}
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxFailure)) // what is there of it has to do
	e.Raw = body
	switch {
	case json.Unmarshal(body, &coded) == nil && coded.Detail.Error != "" && coded.Detail.Message != "" &&
		!isOtherPath(response):
		e.Code, e.Message = contracts.Code(printable(string(coded.Detail.Error))), printable(coded.Detail.Message)
		switch e.Code {
		case contracts.NotFound:
			e.Reason, e.Proof = coded.Detail.Reason, coded.Proof
		case contracts.Gone:
			e.Cursor = coded.Cursor
		}
	case json.Unmarshal(body, &invalid) == nil && len(invalid.Detail) > 0:
		e.Code, e.Violations = contracts.InvalidRequest, invalid.Detail
		e.Message = printable(messageOf(invalid.Detail))
	default:
		return &ForeignError{URL: c.base, Status: response.StatusCode}
	}
	e.Advice = cmp.Or((&contracts.Error{Code: e.Code, Reason: e.Reason}).Advice(), codeOf(e.Status).Advice())
	return e
}

// codeOf is the code whose advice is good for every error of a status: a later version of the API has further codes.
func codeOf(status int) contracts.Code {
	switch {
	case status == http.StatusNotFound:
		return contracts.NotFound
	case status == http.StatusTooManyRequests:
		return contracts.RateLimited
	case status == http.StatusServiceUnavailable:
		return contracts.SourceUnavailable
	case status >= http.StatusInternalServerError:
		return contracts.Internal
	}
	return contracts.InvalidRequest
}

// isOtherPath tells a path that the API does not have, behind a wrong address, from what is proven not to exist: the
// API names the environment only in answers to a key.
func isOtherPath(r *http.Response) bool {
	return r.StatusCode == http.StatusNotFound && r.Header.Get("Assay-Environment") == ""
}

// messageOf says what is wrong with each parameter, such as "query weeks: at most 26 weeks".
func messageOf(violations []contracts.Violation) string {
	var all []string
	for _, v := range violations {
		all = append(all, strings.Join(v.Loc, " ")+": "+v.Msg)
	}
	return strings.Join(all, "; ")
}

// printable replaces control and invisible characters, which would do something to a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || contracts.Invisible(r) {
			return '?'
		}
		return r
	}, text)
}
