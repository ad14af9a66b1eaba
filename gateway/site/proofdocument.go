package site

import (
	"context"
	"net/http"
	"net/url"

	"assay.dev/contracts"
	"assay.dev/gateway/exhibit"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/ratelimit"
	"assay.dev/platform/evidence"
)

// addDocument adds the document that the address or the answer names, if one of them does, and returns the status of
// that.
func (s *Site) addDocument(r *Request, c *proofContent) (status int, err error) {
	if c.ID == "" {
		return http.StatusOK, nil
	}
	var d *evidence.Document
	if err = r.Hold(); err == nil {
		d, err = s.kept(r.Context(), r.Caller, c.ID, c.At)
	}
	if err != nil {
		c.Problem, status, err = explain(err)
		return status, err
	}
	c.View, c.Bytes = new(exhibit.Of(d, c.Find)), documentPath+"?"+url.Values{"id": {c.ID}, "at": {c.At}}.Encode()
	return http.StatusOK, nil
}

// keptDocument gives the bytes of a document as an attachment.
func (s *Site) keptDocument(w http.ResponseWriter, r *Request) error {
	if r.Caller == nil {
		return s.logIn(w, r, loginContent{To: proofPath, Problem: sessionEnded}, http.StatusUnauthorized)
	}
	if err := r.Hold(); err != nil {
		return err
	}
	q := proofQueryOf(r)
	d, err := s.kept(r.Context(), r.Caller, q.ID, q.At)
	if err != nil {
		return err
	}
	writeDocument(w, r, d)
	return nil
}

// kept is a document that the caller may see.
func (s *Site) kept(ctx context.Context, caller *keys.Record, id, at string) (*evidence.Document, error) {
	if _, _, err := contracts.Place(at).Parse(); !contracts.IsSHA256(id) || err != nil {
		return nil, contracts.Missing(contracts.DocumentUnknown, "want id and at as an entry of an answer's "+
			"evidence has them: sha256 and at")
	}
	if err := s.countRequest(ctx, caller); err != nil {
		return nil, err
	}
	return s.API.KeptDocument(ctx, caller.Environment, caller.Products, id, contracts.Place(at))
}

// countRequest counts a request against the tenant's limit.
func (s *Site) countRequest(ctx context.Context, caller *keys.Record) error {
	d := s.Limiter.Take(ctx, ratelimit.Tenant{Environment: caller.Environment, Name: caller.Tenant}, caller.Limit)
	if d.Allowed {
		return nil
	}
	return contracts.Errorf(contracts.RateLimited, "the limit of %d requests a minute is used up; "+
		"reload the page in a moment", d.Limit).After(d.Reset)
}
