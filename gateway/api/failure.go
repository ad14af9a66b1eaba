package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"time"

	"assay.dev/contracts"
)

// Error is the HTTP body of every failure but a validation's (contract §7).
type Error struct {
	Detail struct {
		Error   contracts.Code   `json:"error"`
		Message string           `json:"message"`
		Reason  contracts.Reason `json:"reason,omitempty" jsonschema:"What a NOT_FOUND did not find; only LICENSE_ABSENT and TYPE_ABSENT prove anything of a license."`
	} `json:"detail"`
	State         contracts.State          `json:"state,omitempty" jsonschema:"Of a proof of absence, as are license_number and _verifiability."`
	LicenseNumber string                   `json:"license_number,omitempty"`
	Verifiability *contracts.Verifiability `json:"_verifiability,omitempty" jsonschema:"What it was read from."`
}

// ValidationError is the HTTP body of a request whose parameters are wrong (contract §7).
type ValidationError struct {
	Detail []contracts.Violation `json:"detail"`
}

// Failure is a failure as the OpenAPI document describes it.
type Failure struct {
	// Name is that of the response among the document's components.
	Name        string
	Status      int
	Description string
	// Body has all members of these types. A failure that wraps another one may also have only the members of [Error].
	Body []reflect.Type
	// Retry: the Retry-After header says when a retry makes sense.
	Retry bool
	// Example is one that happened, or could have.
	Example *contracts.Error
}

// The failures that endpoints name.
var (
	NotFound = coded("NotFound", "The carrier, state or license is not supported or does not exist; reason says which.",
		contracts.Missing(contracts.StateNotServed,
			"state %q is not supported; GET /v1/abc/states lists the valid codes", "AZ"))

	NoLicense = coded("NoLicense", "reason LICENSE_ABSENT or TYPE_ABSENT: proven not to exist, and _verifiability says "+
		"from what. STATE_NOT_SERVED: nothing is known of it.", exampleAbsence())

	NotAcceptable = coded("NotAcceptable", "Accept does not allow the form of the body.",
		contracts.Errorf(contracts.NotAcceptable, "the answer has the form of the body, text/csv, "+
			"which Accept does not allow"))

	UnsupportedMediaType = coded("UnsupportedMediaType", "A body of this form is not read here.",
		contracts.Errorf(contracts.UnsupportedMediaType,
			"say in Content-Type what the body is: application/json, application/x-ndjson, text/csv, in UTF-8"))

	NoLongerKept = coded("NoLongerKept", "The document was kept, and is kept no longer.",
		contracts.Errorf(contracts.Gone, "this document is no longer kept: documents are kept for a limited time"))

	ComingSoon = coded("ComingSoon", "COMING_SOON: not available yet.",
		contracts.Errorf(contracts.ComingSoon, "accessorial fee schedules are not available yet"))

	NoWeek = &Failure{
		Name: "NoWeek", Status: contracts.WeekNotArchived.HTTPStatus(),
		Description: "WEEK_NOT_ARCHIVED: no known week holds the days that were asked for; the message names the nearest " +
			"weeks. Or NOT_FOUND: the carrier is not supported.",
		Body: bodyTypes[Error, contracts.Surcharges](),
		Example: contracts.Errorf(contracts.WeekNotArchived,
			"no week of ODFL is archived for 2025-03-17; the nearest weeks begin 2025-02-12 and 2025-03-26"),
	}

	NoCarrierAvailable = &Failure{
		Name: "NoCarrierAvailable", Status: contracts.SourceUnavailable.HTTPStatus(), Retry: true,
		Description: "None of the carriers can be read now.", Body: bodyTypes[Error, contracts.Surcharges](),
		Example: contracts.Errorf(contracts.SourceUnavailable, "none of the 2 carriers could be read; retry later"),
	}
)

// exampleAbsence is what a license is answered with that is proven not to exist.
func exampleAbsence() *contracts.Error {
	const page = "https://www.abc.ca.gov/licensing/license-lookup/single-license/?RPTTYPE=12&LICENSE=999999"
	_, err := contracts.LicenseAnswer{
		Provenance: contracts.Provenance{
			Schema: contracts.AnswerSchema, ReadAt: time.Date(2026, 9, 18, 14, 2, 11, 0, time.UTC),
			Method: contracts.StructuredParse, EvidenceURL: page,
			Complete: true, Evidence: []contracts.Evidence{{
				SHA256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", URL: page,
				Role: contracts.RoleValues, At: "1041",
			}},
		},
		Tally: contracts.TallyOf(true, true), State: contracts.CA, Number: "999999",
	}.Body(time.Time{})
	return contracts.AsError(err)
}

// The failures that follow from an endpoint's access, and those that every request can meet.
var (
	Unauthorized = coded("Unauthorized", "The key is missing or not valid.",
		contracts.Errorf(contracts.Unauthorized, "send a valid API key in the X-API-Key header"))

	ProductNotEnabled = coded("ProductNotEnabled", "The key is not subscribed to the product.",
		contracts.Errorf(contracts.ProductNotEnabled, "this key is not subscribed to the abc product"))

	Invalid = &Failure{
		Name: "Invalid", Status: contracts.InvalidRequest.HTTPStatus(),
		Description: "A parameter is missing, unknown or not valid.", Body: bodyType[ValidationError](),
		Example: contracts.Invalid(inQuery, "weeks", "less_than_equal", "at most 26 weeks"),
	}

	MalformedBody = &Failure{
		Name: "MalformedBody", Status: http.StatusBadRequest, Description: "The body is no body of HTTP, such as " +
			"one with malformed chunks.",
		Body: bodyType[ValidationError](), Example: contracts.Invalid("body", "", "malformed_body",
			"the body is no body of HTTP: malformed chunked encoding"),
	}

	RateLimited = retried("RateLimited", "The limit of the key is used up; without a valid key, that of the address.",
		contracts.Errorf(contracts.RateLimited, "the limit of 60 requests a minute is used up; retry in 7 seconds"))

	Unavailable = retried("Unavailable", "The source cannot be read now.", contracts.Errorf(contracts.SourceUnavailable,
		"the export of 20 Nov 2026 does not list it; the register itself could not be read; retry later"))

	InternalFailure = coded("Internal", "A failure on our side.", contracts.Errorf(contracts.Internal, "unexpected"))

	BodyTooLarge = coded("BodyTooLarge", "The body is too large.",
		contracts.Errorf(contracts.RequestTooLarge, "the body is too large"))

	URLTooLong = withStatus(http.StatusRequestURITooLong, "URLTooLong", "The URL is too long.",
		contracts.Errorf(contracts.RequestTooLarge, "the URL is too long"))

	HeadersTooLarge = withStatus(http.StatusRequestHeaderFieldsTooLarge, "HeadersTooLarge", "The headers are too large.",
		contracts.Errorf(contracts.RequestTooLarge, "the headers are too large"))
)

func withStatus(status int, name, description string, example *contracts.Error) *Failure {
	return &Failure{Name: name, Status: status, Description: description, Body: bodyType[Error](), Example: example}
}

// coded is a failure with the status of its example's code.
func coded(name, description string, example *contracts.Error) *Failure {
	return withStatus(example.Code.HTTPStatus(), name, description, example)
}

func retried(name, description string, example *contracts.Error) *Failure {
	f := coded(name, description, example)
	f.Retry = true
	return f
}

// AllFailures are the endpoint's failures, at most one for each status: those that it names win over those that follow
// from its access.
func (e *Endpoint) AllFailures() []*Failure {
	common := []*Failure{InternalFailure, BodyTooLarge, URLTooLong, HeadersTooLarge, RateLimited}
	if e.Access != Open {
		common = append(common, Unauthorized, Invalid, Unavailable)
	}
	if e.Product != "" {
		common = append(common, ProductNotEnabled)
	}
	all := append([]*Failure{}, e.Failures...)
	for _, f := range common {
		if !hasStatus(all, f.Status) {
			all = append(all, f)
		}
	}
	return all
}

func hasStatus(all []*Failure, status int) bool {
	return slices.ContainsFunc(all, func(f *Failure) bool { return f.Status == status })
}

// bodyError is an error whose body has further members than [Error].
type bodyError struct {
	cause *contracts.Error
	body  func(Error) any
}

func (e *bodyError) Error() string { return e.cause.Error() }

func (e *bodyError) Unwrap() error { return e.cause }

// ErrorBody is the HTTP body of err, of which public is the public form.
func ErrorBody(err error, public *contracts.Error) any {
	if public.Code == contracts.InvalidRequest {
		return ValidationError{public.Violations}
	}
	var body Error
	body.Detail.Error, body.Detail.Message, body.Detail.Reason = public.Code, public.Message, public.Reason
	if p := public.Proof; p != nil {
		body.State, body.LicenseNumber, body.Verifiability = p.State, p.LicenseNumber, &p.Verifiability
	}
	if own := (*bodyError)(nil); errors.As(err, &own) {
		return own.body(body)
	}
	return body
}

// ErrorIn is the error that a body of [ErrorBody] tells; nil for any other body.
func ErrorIn(body []byte) *contracts.Error {
	var invalid ValidationError
	if json.Unmarshal(body, &invalid) == nil && len(invalid.Detail) > 0 {
		return &contracts.Error{Code: contracts.InvalidRequest, Message: invalid.Detail[0].Msg, Violations: invalid.Detail}
	}
	var e Error
	if json.Unmarshal(body, &e) != nil || e.Detail.Error == "" || e.Detail.Message == "" {
		return nil
	}
	told := &contracts.Error{Code: e.Detail.Error, Message: e.Detail.Message, Reason: e.Detail.Reason}
	if e.Verifiability != nil {
		told.Proof = &contracts.Absence{State: e.State, LicenseNumber: e.LicenseNumber, Verifiability: *e.Verifiability}
	}
	return told
}

// When a client should come back, where the failure itself does not say.
const (
	sourceRetry  = 30 * time.Second
	workerRetry  = 5 * time.Second
	settingRetry = time.Hour
	limitRetry   = time.Second
)

// PublicError is what a client may know of err: a public code, a message without anything internal, and when to retry.
func PublicError(err error) *contracts.Error {
	e := contracts.AsError(err)
	public := &contracts.Error{
		Code: e.Code.Public(), Message: e.Message, RetryAfter: e.RetryAfter, Violations: e.Violations,
		Reason: e.Reason, Proof: e.Proof,
	}
	switch {
	case e.Code == contracts.Canceled:
		public.Code = contracts.Canceled // nobody is there to read it
	case public.Code == contracts.Internal:
		public.Message = "something went wrong on our side; retry, and report the X-Request-ID if it persists"
	case public.Code != e.Code:
		public.Message = "this source cannot be read at the moment; retry later"
	}
	if public.RetryAfter <= 0 {
		public.RetryAfter = retryAfter(e.Code)
	}
	if public.Code == contracts.InvalidRequest && public.Violations == nil {
		public.Violations = []contracts.Violation{{Loc: []string{inQuery}, Msg: e.Message, Type: "value_error"}}
	}
	return public
}

// retryAfter is zero for failures that a retry does not mend.
func retryAfter(c contracts.Code) time.Duration {
	switch {
	case c == contracts.NoWorker, c == contracts.Busy:
		return workerRetry
	case c == contracts.CaptchaSolverNotConfigured:
		return settingRetry
	case c == contracts.RateLimited:
		return limitRetry
	case c.HTTPStatus() == http.StatusServiceUnavailable:
		return sourceRetry
	}
	return 0
}
