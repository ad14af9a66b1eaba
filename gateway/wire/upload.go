package wire

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

// How long the body of an upload may take to arrive, and how long its answer may take to be read.
const (
	uploadTime = 60 * time.Second
	answerTime = 90 * time.Second
)

// hold takes a place among the uploads and large answers, until the reply is sent. A request has one place.
func (s *Server) hold(x *exchange, tenant string) (err error) {
	if sender, ok := x.ctx.Value(agentKey{}).(*agent); x.leaveUpload != nil || ok && sender.isUploading {
		return nil
	}
	x.leaveUpload, err = s.uploads.enter(tenant)
	return err
}

// receive takes the whole body of a request to an endpoint with an upload. Nothing is answered or charged before it is
// there.
func (s *Server) receive(x *exchange) (err error) {
	if x.route.Upload == nil {
		return nil
	}
	r := x.c.Request
	if err := x.request.TakeForm(r.Header["Content-Type"], r.Header["Content-Encoding"], r.Header["Accept"]); err != nil {
		return err
	}
	if x.request.IdempotencyKey, err = idempotencyKey(r.Header); err != nil {
		return err
	}
	if err := s.hold(x, x.caller.Tenant); err != nil {
		return err
	}
	conn := http.NewResponseController(x.c.Writer)
	_ = conn.SetReadDeadline(x.began.Add(uploadTime)) // the request of a tool call has no connection of its own
	x.request.Body, err = io.ReadAll(http.MaxBytesReader(x.c.Writer, r.Body, x.request.Form.MaxBytes))
	_ = conn.SetWriteDeadline(time.Now().Add(answerTime)) // as above
	return x.uploadError(err)
}

// uploadError is what a client is told of a body that did not arrive.
func (x *exchange) uploadError(err error) error {
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &tooLarge):
		return bodyTooLarge(tooLarge.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		msg := fmt.Sprintf("the body did not arrive within %d seconds", int(uploadTime.Seconds()))
		return &contracts.Error{
			Code: contracts.InvalidRequest, Message: msg, Violations: []contracts.Violation{{Loc: []string{"body"}, Msg: msg,
				Type: "timeout"}},
		}
	}
	if broken := (*net.OpError)(nil); errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &broken) ||
		x.ctx.Err() != nil {
		return contracts.Wrap(err, contracts.Canceled, "the body broke off")
	}
	return &malformed{"the body is no body of HTTP: " + err.Error()}
}

// malformed is an INVALID_REQUEST whose status says that not even HTTP was understood.
type malformed struct{ what string }

func (e *malformed) Error() string { return e.what }

func (e *malformed) Unwrap() error {
	return contracts.Invalid("body", "", "malformed_body", "%s", contracts.Visible(e.what))
}

// headerIdempotencyKey is the header of draft-ietf-httpapi-idempotency-key-header.
const headerIdempotencyKey = "Idempotency-Key"

// maxIdempotencyKey bounds a key, in characters.
const maxIdempotencyKey = 200

// conditions are headers that make a change depend on what is there (RFC 9110 §13.1), of which nothing here knows.
var conditions = [...]string{"If-Match", "If-None-Match", "If-Unmodified-Since"}

// checkHeaders refuses headers of a request to change something that would be without effect: who sends them relies on
// it.
func (x *exchange) checkHeaders() error {
	if x.route.Method == "" {
		return nil
	}
	for _, name := range conditions {
		if x.c.Request.Header[name] != nil {
			return contracts.Invalid("header", name, "not_supported", "this request takes no conditions: nothing was changed")
		}
	}
	if x.c.Request.Header[headerIdempotencyKey] == nil || x.route.LinePriced {
		return nil
	}
	var where []string
	for _, e := range api.Endpoints {
		if e.LinePriced {
			where = append(where, e.Method+" "+e.Path)
		}
	}
	return contracts.Invalid("header", headerIdempotencyKey, "not_supported", "a repetition is not told from a new "+
		"request here: nothing was changed; the header means something at %s", strings.Join(where, ", "))
}

// idempotencyKey is the key by which a client repeats a request; empty without one.
func idempotencyKey(h http.Header) (string, error) {
	given := h[headerIdempotencyKey]
	if len(given) == 0 {
		return "", nil
	}
	isGood := len(given) == 1 && given[0] != "" && len(given[0]) <= maxIdempotencyKey
	for _, c := range []byte(given[0]) {
		isGood = isGood && c >= ' ' && c <= '~'
	}
	if !isGood {
		return "", contracts.Invalid("header", headerIdempotencyKey, "idempotency_key",
			"want one key of 1 to %d printable ASCII characters", maxIdempotencyKey)
	}
	return given[0], nil
}
