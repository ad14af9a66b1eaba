package wire

import (
	"encoding/json"
	"errors"
	"net/http"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/site"
)

// writeFailure turns err into its HTTP response. It is the only place that does.
func (s *Server) writeFailure(x *exchange, err error) {
	public := api.PublicError(err)
	status := public.Code.HTTPStatus()
	if large := (*tooLarge)(nil); errors.As(err, &large) {
		status = large.status
	}
	if errors.As(err, new(*malformed)) {
		status = http.StatusBadRequest
	}
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong,
		http.StatusRequestHeaderFieldsTooLarge:
		x.c.Header("Connection", "close") // what is left of the request is not worth reading
	case http.StatusMethodNotAllowed:
		if x.c.Writer.Header()["Allow"] == nil { // the router knows the methods of a path that it has
			x.c.Header("Allow", "GET, HEAD")
		}
	case http.StatusUnauthorized:
		s.challenge(x)
	}
	h := x.newHeaders()
	h.set("Cache-Control", "no-store")
	h.setOrigin(x.origin)
	if x.isLimited && public.Code == contracts.RateLimited {
		h.olderLimits(x)
	}
	if public.RetryAfter > 0 {
		h.set("Retry-After", "").number(ceilSeconds(public.RetryAfter))
	}
	if x.isForPeople() {
		h.set("Vary", "Accept")
		if page, mediaType, err := s.Site.FailurePage(x.c.Writer.Header(), public, x.requestID); err == nil {
			h.set("Content-Type", mediaType)
			x.send(h, status, page)
			return
		}
	}
	body, _ := json.Marshal(api.ErrorBody(err, public)) // strings always marshal
	x.send(h, status, contracts.EscapeJSON(body))
}

// isForPeople tells whether who asked is to see a page: a browser, at the address of a page or of nothing.
func (x *exchange) isForPeople() bool {
	return x.route.isForPeople && site.AcceptsHTML(x.c.Request.Header["Accept"])
}

// challenge says how to send a key. Spreadsheets ask a person for one when they are told to by Basic; a browser that is
// told so for all else would ask where nobody waits for it.
func (s *Server) challenge(x *exchange) {
	challenges := []string{`ApiKey realm="assay"`}
	if r := x.c.Request; x.route.AsksForCSV(r.URL.RawQuery, r.Header["Accept"]) {
		challenges = []string{`Basic realm="assay", charset="UTF-8"`, challenges[0]}
	}
	if s.Tokens != nil {
		challenges = append([]string{s.bearerChallenge(x)}, challenges...)
	}
	x.c.Writer.Header()["Www-Authenticate"] = challenges
}

// tooLarge is a REQUEST_TOO_LARGE whose status says what is too large.
type tooLarge struct {
	status int
	what   string
}

func (e *tooLarge) Error() string { return e.Unwrap().Error() }

func (e *tooLarge) Unwrap() error {
	return contracts.Errorf(contracts.RequestTooLarge, "%s", e.what)
}
