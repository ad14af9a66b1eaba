package client

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"assay.dev/contracts"
)

// maxBody bounds the body of a reply. It is more than the largest document.
const maxBody = 128 << 20

// Send sends one request, whose URL is a path of the API such as /v1/ltl/carriers, with the key, once. It follows no
// redirect, so that the key goes nowhere else. The error is an *[UnreachableError] where no reply came. The caller
// closes the body.
func (c *Client) Send(r *http.Request) (*http.Response, error) {
	target, err := url.Parse(c.base + r.URL.RequestURI())
	if err != nil {
		return nil, err
	}
	sent := r.Clone(r.Context())
	sent.URL, sent.Host = target, target.Host
	sent.Header.Set("X-API-Key", c.key())
	response, err := c.transport.RoundTrip(sent)
	if err != nil {
		return nil, &UnreachableError{URL: c.base, cause: err}
	}
	return response, nil
}

// request is a call before it is sent, which it may be several times.
type request struct {
	method, path string
	query        url.Values
	header       http.Header
	body         []byte
}

func (q request) make(ctx context.Context) (*http.Request, error) {
	path := q.path
	if len(q.query) > 0 {
		path += "?" + q.query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, q.method, path, bytes.NewReader(q.body))
	if err == nil && q.header != nil {
		r.Header = q.header.Clone()
	}
	return r, err
}

// exchange sends the request until it is answered, or fails in a way that a retry does not mend. The caller
// closes the body, which ends with the time that the call has.
func (c *Client) exchange(ctx context.Context, q request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	for attempt := 1; ; attempt++ {
		response, err := c.attempt(ctx, q)
		if err == nil {
			response.Body = endingBody{response.Body, cancel}
			return response, nil
		}
		if attempt == c.attempts || !q.isRepeatable(err) || !waitFor(ctx, err) {
			cancel()
			return nil, err
		}
	}
}

// isRepeatable tells whether the request may be sent again after a failure. What was to be made may be there although
// the answer is 503, and would be made twice; 429 is told before anything is done.
func (q request) isRepeatable(err error) bool {
	failed, ok := err.(*Error) //nolint:errorlint // attempt wraps nothing
	return q.method != http.MethodPost || q.header.Get("Idempotency-Key") != "" ||
		ok && failed.Status == http.StatusTooManyRequests
}

// attempt sends the request once. Every status but 200 and 201 is an error.
func (c *Client) attempt(ctx context.Context, q request) (*http.Response, error) {
	r, err := q.make(ctx)
	if err != nil {
		return nil, err
	}
	response, err := c.Send(r)
	if err != nil || response.StatusCode == http.StatusOK || response.StatusCode == http.StatusCreated {
		return response, err
	}
	defer response.Body.Close()
	return nil, c.failure(response)
}

// waitFor waits as long as the API said, where a retry makes sense and the call has the time for it.
func waitFor(ctx context.Context, err error) bool {
	failure, ok := err.(*Error) //nolint:errorlint // attempt wraps nothing
	if !ok || !failure.isTemporary() {
		return false
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= failure.RetryAfter {
		return false
	}
	timer := time.NewTimer(failure.RetryAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// isTemporary tells whether the API named a time after which a retry makes sense.
func (e *Error) isTemporary() bool {
	busy := e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable
	return busy && e.RetryAfter >= 0 && e.Code != contracts.CaptchaSolverNotConfigured
}

// retryAfter reads seconds, or a date by the server's own clock (RFC 9110 §10.2.3); it is negative where the header
// names neither.
func retryAfter(h http.Header) time.Duration {
	if seconds, err := strconv.ParseUint(h.Get("Retry-After"), 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(h.Get("Retry-After"))
	if err != nil {
		return -1
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(0, at.Sub(now))
}

// endingBody ends a call's time when the body is closed.
type endingBody struct {
	io.ReadCloser
	end context.CancelFunc
}

// Close closes the body.
func (b endingBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
