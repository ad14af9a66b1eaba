package contracts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Code is one of the closed set of failures that may cross a process boundary. What has no code is INTERNAL there.
type Code string

// Codes that clients see.
const (
	InvalidRequest             Code = "INVALID_REQUEST" // validation; its HTTP body is the array form (contract §7)
	Unauthorized               Code = "UNAUTHORIZED"
	ProductNotEnabled          Code = "PRODUCT_NOT_ENABLED"
	NotFound                   Code = "NOT_FOUND"
	ComingSoon                 Code = "COMING_SOON"
	WeekNotArchived            Code = "WEEK_NOT_ARCHIVED" // no week of the archive holds the day that was asked for
	MethodNotAllowed           Code = "METHOD_NOT_ALLOWED"
	NotAcceptable              Code = "NOT_ACCEPTABLE" // no format that the client accepts
	Gone                       Code = "GONE"           // it was kept, and is kept no longer
	RequestTooLarge            Code = "REQUEST_TOO_LARGE"
	UnsupportedMediaType       Code = "UNSUPPORTED_MEDIA_TYPE" // a body of a form that is not read here
	RateLimited                Code = "RATE_LIMITED"
	SourceUnavailable          Code = "SOURCE_UNAVAILABLE"
	CaptchaSolverNotConfigured Code = "CAPTCHA_SOLVER_NOT_CONFIGURED"
	Internal                   Code = "INTERNAL"
)

// Codes that stay inside: clients see SOURCE_UNAVAILABLE for the first three and nothing at all for the last.
const (
	// NoWorker: nobody listens on the subject.
	NoWorker Code = "NO_WORKER"
	// Timeout: the deadline passed before the answer came.
	Timeout Code = "TIMEOUT"
	// Busy: a worker or a queue refused because it is full.
	Busy Code = "BUSY"
	// Canceled: the caller hung up. It is nobody's failure.
	Canceled Code = "CANCELED"
)

type codeFacts struct {
	number int // on the wire, in Nats-Service-Error-Code; never reused
	status int // over HTTP
	public Code
}

var codes = map[Code]codeFacts{
	InvalidRequest:             {1, http.StatusUnprocessableEntity, InvalidRequest},
	Unauthorized:               {2, http.StatusUnauthorized, Unauthorized},
	ProductNotEnabled:          {3, http.StatusForbidden, ProductNotEnabled},
	NotFound:                   {4, http.StatusNotFound, NotFound},
	ComingSoon:                 {5, http.StatusNotFound, ComingSoon},
	MethodNotAllowed:           {6, http.StatusMethodNotAllowed, MethodNotAllowed},
	RequestTooLarge:            {7, http.StatusRequestEntityTooLarge, RequestTooLarge},
	RateLimited:                {8, http.StatusTooManyRequests, RateLimited},
	SourceUnavailable:          {9, http.StatusServiceUnavailable, SourceUnavailable},
	CaptchaSolverNotConfigured: {10, http.StatusServiceUnavailable, CaptchaSolverNotConfigured},
	Internal:                   {11, http.StatusInternalServerError, Internal},
	NoWorker:                   {12, http.StatusServiceUnavailable, SourceUnavailable},
	Timeout:                    {13, http.StatusServiceUnavailable, SourceUnavailable},
	Busy:                       {14, http.StatusServiceUnavailable, SourceUnavailable},
	Canceled:                   {15, 499, Canceled},
	WeekNotArchived:            {16, http.StatusNotFound, WeekNotArchived},
	NotAcceptable:              {17, http.StatusNotAcceptable, NotAcceptable},
	Gone:                       {18, http.StatusGone, Gone},
	UnsupportedMediaType:       {19, http.StatusUnsupportedMediaType, UnsupportedMediaType},
}

// Codes lists the whole set.
func Codes() []Code {
	all := make([]Code, 0, len(codes))
	for c := range codes {
		all = append(all, c)
	}
	return all
}

// HTTPStatus is the status a client sees; 500 for a code outside the set.
func (c Code) HTTPStatus() int {
	if f, ok := codes[c]; ok {
		return f.status
	}
	return http.StatusInternalServerError
}

// Public is the code a client sees for c; INTERNAL for a code outside the set.
func (c Code) Public() Code {
	if f, ok := codes[c]; ok {
		return f.public
	}
	return Internal
}

// Violation is one way in which a request is invalid (contract §7).
type Violation struct {
	Loc  []string `json:"loc"`
	Msg  string   `json:"msg"`
	Type string   `json:"type"`
}

// Error is a failure with a code. Message is for the client: it says what to do next and holds nothing internal. The
// wrapped cause is for logs and never crosses a process boundary.
type Error struct {
	Code       Code          `json:"code"`
	Message    string        `json:"message"`
	RetryAfter time.Duration `json:"retry_after_ns,omitempty"`
	Violations []Violation   `json:"violations,omitempty"`
	// Reason says what a NOT_FOUND did not find; empty for other codes, and from a worker of the version before there were
	// reasons.
	Reason Reason `json:"reason,omitempty"`
	// Repeated says that the source was not read for this: an earlier reading's failure is kept for some minutes. Metrics
	// count it apart.
	Repeated bool `json:"repeated,omitempty"`
	// Proof says what a proof of absence was read from; nil where nothing is proven. It is part of no reply of a worker.
	Proof *Absence `json:"-"`
	// Peer is set when another process said so, and not set when we inferred it.
	Peer bool `json:"-"`

	cause error
}

// Errorf makes an Error without a cause.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Missing makes a NOT_FOUND that says what was not found.
func Missing(what Reason, format string, args ...any) *Error {
	e := Errorf(NotFound, format, args...)
	e.Reason = what
	return e
}

// Wrap makes an Error that keeps cause for logs.
func Wrap(cause error, code Code, format string, args ...any) *Error {
	e := Errorf(code, format, args...)
	e.cause = cause
	return e
}

// Invalid makes an INVALID_REQUEST of one violation.
func Invalid(in, name, kind, format string, args ...any) *Error {
	msg := fmt.Sprintf(format, args...)
	return &Error{
		Code: InvalidRequest, Message: msg,
		Violations: []Violation{{Loc: []string{in, name}, Msg: msg, Type: kind}},
	}
}

// Advice says what a client does after the error: that of its reason, or else of its code.
func (e *Error) Advice() string {
	if advice := e.Reason.Advice(); advice != "" {
		return advice
	}
	return e.Code.Advice()
}

// After sets when a retry makes sense.
func (e *Error) After(d time.Duration) *Error {
	e.RetryAfter = d
	return e
}

// Error is for logs: it includes the cause.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.cause)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// AsError finds the Error in err's chain. A context's end becomes CANCELED or TIMEOUT, anything else INTERNAL with err
// as its cause. It returns nil for nil.
func AsError(err error) *Error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return Wrap(err, Canceled, "the caller hung up")
	case errors.Is(err, context.DeadlineExceeded):
		return Wrap(err, Timeout, "the time allowed for this request has passed; retry later")
	default:
		return Wrap(err, Internal, "something went wrong on our side; retry, and report the request id if it persists")
	}
}

// CodeOf is the code of [AsError]; empty for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return AsError(err).Code
}

// EncodeError gives err its form on the wire: the number for Nats-Service-Error-Code, the text for Nats-Service-Error
// and the body.
func EncodeError(err error) (number, description string, body []byte) {
	e := AsError(err)
	facts, ok := codes[e.Code]
	if !ok {
		e = Wrap(err, Internal, "something went wrong on our side")
		facts = codes[Internal]
	}
	body, _ = json.Marshal(e) // strings, numbers and slices of them always marshal
	return strconv.Itoa(facts.number), string(e.Code), body
}

// DecodeError is the reverse of [EncodeError]. A number outside the set, or a body that does not agree with it, is
// INTERNAL: a peer of another version must not make us claim what we do not know.
func DecodeError(number string, body []byte) *Error {
	var e Error
	n, err := strconv.Atoi(number)
	if err == nil {
		err = json.Unmarshal(body, &e)
	}
	if facts, ok := codes[e.Code]; err != nil || !ok || facts.number != n {
		return &Error{Code: Internal, Message: "a worker sent an error that is not understood", Peer: true}
	}
	e.Peer = true
	return &e
}

// Printable bounds s to 40 characters and replaces what is not printable, so that what a user sent can stand in a
// message or a log line.
func Printable(s string) string {
	out := strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
	if r := []rune(out); len(r) > 40 {
		out = string(r[:40]) + "…"
	}
	return out
}
