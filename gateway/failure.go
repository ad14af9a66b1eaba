package gateway

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"assay.dev/contracts"
)

// When a client should come back, where the failure itself does not say.
const (
	keyRetry     = 2 * time.Second
	sourceRetry  = 30 * time.Second
	workerRetry  = 5 * time.Second
	settingRetry = time.Hour
)

// codedBody is the body of every error but a validation's (contract §7).
type codedBody struct {
	Detail codedDetail `json:"detail"`
}

type codedDetail struct {
	Error   contracts.Code `json:"error"`
	Message string         `json:"message"`
}

// invalidBody is the body of a validation error (contract §7).
type invalidBody struct {
	Detail []contracts.Violation `json:"detail"`
}

// bodyError is an error with a body of its own form.
type bodyError struct {
	cause *contracts.Error
	body  func(public *contracts.Error) any
}

func (e *bodyError) Error() string { return e.cause.Error() }

func (e *bodyError) Unwrap() error { return e.cause }

// fail turns err into its HTTP answer. It is the only place that does.
func (g *gateway) fail(e *exchange, err error) {
	public := publicError(err)
	status := public.Code.HTTPStatus()
	if sized := (*sizeError)(nil); errors.As(err, &sized) {
		status = sized.status
	}
	if public.Code == contracts.RequestTooLarge {
		e.c.Header("Connection", "close") // what is left of it is not worth reading
	}
	h := e.headers()
	h.set("Cache-Control", "no-store")
	if public.RetryAfter > 0 {
		h.set("Retry-After", "").number(seconds(public.RetryAfter))
	}
	if status == http.StatusUnauthorized {
		h.set("Www-Authenticate", `ApiKey realm="assay"`)
	}
	body, _ := json.Marshal(errorBody(err, public)) // strings always marshal
	e.send(h, status, body)
}

func errorBody(err error, public *contracts.Error) any {
	if own := (*bodyError)(nil); errors.As(err, &own) {
		return own.body(public)
	}
	if public.Code == contracts.InvalidRequest {
		return invalidBody{public.Violations}
	}
	return codedBody{codedDetail{public.Code, public.Message}}
}

// publicError is what a client may know of err: a public code, a message without anything internal, and when to retry.
func publicError(err error) *contracts.Error {
	e := contracts.AsError(err)
	public := &contracts.Error{Code: e.Code.Public(), Message: e.Message, RetryAfter: e.RetryAfter, Violations: e.Violations}
	switch {
	case e.Code == contracts.Canceled:
		public.Code = contracts.Canceled // nobody is there to read it
	case public.Code == contracts.Internal:
		public.Message = "something went wrong on our side; retry, and report the X-Request-ID if it persists"
	case public.Code != e.Code:
		public.Message = "this source cannot be read at the moment; retry later"
	}
	if public.Code.HTTPStatus() == http.StatusServiceUnavailable && public.RetryAfter <= 0 {
		public.RetryAfter = retryAfter(e.Code)
	}
	if public.Code == contracts.RateLimited && public.RetryAfter <= 0 {
		public.RetryAfter = time.Second
	}
	if public.Code == contracts.InvalidRequest && public.Violations == nil {
		public.Violations = []contracts.Violation{{Loc: []string{"query"}, Msg: e.Message, Type: "value_error"}}
	}
	return public
}

func retryAfter(c contracts.Code) time.Duration {
	switch c {
	case contracts.NoWorker, contracts.Busy:
		return workerRetry
	case contracts.CaptchaSolverNotConfigured:
		return settingRetry
	default:
		return sourceRetry
	}
}
