package api

import (
	"context"
	"io"
	"iter"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/coding"
	"assay.dev/gateway/deliveries"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/platform/evidence"
	"assay.dev/platform/feed"
)

// API is what the endpoints' functions answer from.
type API struct {
	Answers *answers.Store
	Catalog *Catalog
	// Evidence has the documents that answers were read from.
	Evidence *evidence.Store
	// Feed has what changed.
	Feed *feed.Feed
	// ChangesRead, if it is set, is called when a client reads changes.
	ChangesRead func(contracts.Environment)
	// Document makes the reply with the OpenAPI document of [Endpoints], once; see [DocumentPage].
	Document func() (Reply, error)
	kept.Kept
	// LimitOf is the limit of a tenant's keys for a product; 0 for a tenant without one.
	LimitOf func(contracts.Environment, string, contracts.Product) int
	// WebhookLoopback permits addresses of this machine.
	WebhookLoopback bool
	// ShareEvents count what becomes of the proofs that tenants share.
	ShareEvents ShareEvents
	// Auditing, Matching and Delivering are what lines of audits, of lists of customers and of lists of deliveries cost.
	Auditing   *PricedLines[audit.Verdict]
	Matching   *PricedLines[contracts.MatchOutcome]
	Delivering *PricedLines[deliveries.Verdict]
	// PublicURL is the API's address as clients see it; empty takes it from each request.
	PublicURL string
}

// Answer checks the request's parameters and answers it. Its errors are what [PublicError] makes fit for clients.
func (a *API) Answer(ctx context.Context, r *Request) (Reply, error) {
	if r.endpoint.Access != Open {
		if err := r.check(); err != nil {
			return Reply{}, err
		}
	}
	reply, err := r.endpoint.Answer(ctx, a, r)
	if err == nil && r.wantsCSV() {
		reply, err = reply.tabulate(r.endpoint.Table)
	}
	if err != nil {
		return reply, err
	}
	return r.mark(reply), nil
}

// maxHost bounds a host name with its port (RFC 1035 §2.3.4).
const maxHost = 255 + len(":65535")

// BaseURL is the address of the API as the client sees it, such as https://api.example.com; empty when the request
// does not tell it.
func (a *API) BaseURL(r *Request) string {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-[]"
	switch {
	case a.PublicURL != "":
		return strings.TrimRight(a.PublicURL, "/")
	case len(r.Host) > maxHost || strings.Trim(r.Host, allowed) != "":
		return ""
	}
	return "http://" + r.Host
}

// Reply is the 200 of a request: its body, and what its headers say of the body.
type Reply struct {
	Body []byte
	// Coded gives Body in the codings that clients ask for; nil for a body that is made for this reply alone.
	Coded *coding.Body
	// MediaType is JSON's when empty.
	MediaType string
	// Created: the request made what was not there. The status is 201.
	Created bool
	// Headers are further ones, their names in Go's canonical form.
	Headers []Header
	ETag    string
	// ReadAt and ExpiresAt are those of the data; zero for a reply that is not read from a source.
	ReadAt, ExpiresAt time.Time
	// MaxAge is used where ExpiresAt is zero.
	MaxAge time.Duration
	// Tier is the farthest that any of the data came from; empty for no data.
	Tier answers.Tier
	// Collapsed: all that was asked of workers was asked by other requests already.
	Collapsed bool
	// RefreshFailed: a fresh reading was asked for and failed for some of the data, which are those from before.
	RefreshFailed bool
	// Partial replies lack a part that a later request may get, so clients must not keep them.
	Partial bool

	// Pieces are the body where it is written as it is made, in place of Body. Each resolved line in them costs
	// LinePrice.
	Pieces    iter.Seq[lines.Piece]
	LinePrice contracts.Price
	// Sheet is the place of the one that was read of a workbook that has several; 0 for others. Each is charged by itself.
	Sheet int
	// IsWhole: the results are kept, and the first piece charges all, whether or not the client gets the reply. Keep keeps
	// it once it is known that it may be charged; nil for one that is kept already.
	IsWhole bool
	Keep    func(context.Context) error
	// Write writes the body as it is made, in place of Body and Pieces. What fails in it cuts the reply short.
	Write func(io.Writer) error
}

// Header is a header of a reply.
type Header struct{ Name, Value string }

// foundReply is the reply of one answer.
func foundReply(f answers.Found, err error) (Reply, error) {
	if err != nil {
		return Reply{}, err
	}
	return Reply{
		Body: f.Body, Coded: f.Coded, ETag: f.ETag, ReadAt: f.ReadAt, ExpiresAt: f.ExpiresAt, Tier: f.Tier,
		Collapsed:     f.Collapsed,
		RefreshFailed: f.RefreshFailed,
	}, nil
}

// replyWhole asks for the answer that is kept under a key, and replies with the whole of it, as body shows it.
func replyWhole[A, B any, P interface {
	*A
	Origin() *contracts.Provenance
}](ctx context.Context, a *API, r *Request, key contracts.CacheKey, to contracts.Subject, request any,
	body func(A) B) (Reply, error) {
	return foundReply(answers.Get(ctx, a.Answers, answers.Question[A]{
		Key: key, Subject: to, Request: request, Fresh: r.Fresh, RequestID: r.ID, MaxTime: FastMaxTime,
		Body: func(found A, _ answers.View) (contracts.Provenance, any, error) {
			return *P(&found).Origin(), body(found), nil
		},
	}))
}

// Page is the reply of a body that is not read from a source. An empty media type means JSON.
func Page(body []byte, mediaType string, maxAge time.Duration) Reply {
	return Reply{Body: body, MediaType: mediaType, ETag: answers.ETag(body), MaxAge: maxAge}
}

// How long a worker may take over a source.
const (
	FastMaxTime = 25 * time.Second
	// SlowMaxTime leaves room for a CAPTCHA solve or a paid render.
	SlowMaxTime = 75 * time.Second
)
