package site

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
	"assay.dev/gateway/exhibit"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/session"
	"assay.dev/platform/evidence"
)

// The paths of proofs. The page takes an entry of an answer's evidence as id (its sha256) and at, the question of the answer, or
// both. find is a text to look for in the document.
const (
	proofPath    = "/console/proof"
	documentPath = "/console/proof/document"
	checksPath   = "/console/proof/checks"
)

// proofContent is what the page of a proof shows before its script has an answer.
type proofContent struct {
	proofQuery
	// Question is what the answer answers, in words; empty where the address does not have it. Price is what an answer costs, in
	// USD; empty for nothing.
	Question, Price string
	// Problem is why the document is not shown.
	Problem string
	// View is the document; nil without one. Bytes is where its bytes are.
	View  *exhibit.View
	Bytes string
}

// proofQuery is what the address of a proof says.
type proofQuery struct{ ID, At, Find, Carrier, AsOf, State, LicenseNumber string }

func proofQueryOf(r *Request) proofQuery {
	q := r.URL.Query()
	return proofQuery{
		ID: q.Get("id"), At: q.Get("at"), Find: q.Get("find"),
		Carrier: q.Get("carrier"), AsOf: q.Get("as_of"), State: q.Get("state"), LicenseNumber: q.Get("license_number"),
	}
}

// question is what the query asks, with the product that answers it; both are empty for nothing.
func (q proofQuery) question() (words string, p contracts.Product) {
	switch {
	case q.Carrier != "" && q.AsOf != "":
		return fmt.Sprintf("The fuel surcharge of %s on %s", q.Carrier, q.AsOf), contracts.LTL
	case q.State != "" && q.LicenseNumber != "":
		return fmt.Sprintf("The license %s of %s", q.LicenseNumber, q.State), contracts.ABC
	}
	return "", ""
}

// proof shows what an answer was read from. Looking costs nothing and counts against the tenant's limit, like the endpoints
// of evidence.
func (s *Site) proof(w http.ResponseWriter, r *Request) error {
	if r.Caller == nil {
		return s.logIn(w, r, loginContent{To: proofPath + "?" + r.URL.RawQuery}, http.StatusOK)
	}
	c, status := proofContent{proofQuery: proofQueryOf(r)}, http.StatusOK
	words, product := c.question()
	if c.Question = words; words != "" && r.Caller.Environment == contracts.Live {
		c.Price = fmt.Sprintf("%.2f", api.ProductOf(product).PriceUSD())
	}
	if err := s.addDocument(r, &c); err != nil {
		public := api.PublicError(err)
		if public.Code == contracts.Internal {
			return err
		}
		c.Problem, status = public.Message, public.Code.HTTPStatus()
	}
	return s.writePrivate(w, r, "proof", frame{Title: "Proof", Path: proofPath, Scripts: []string{"own/proof.js"}, Content: c}, status)
}

// addDocument adds the document that the address names, if it names one.
func (s *Site) addDocument(r *Request, c *proofContent) error {
	if c.ID == "" {
		return nil
	}
	d, err := s.kept(r.Context(), r.Caller, c.ID, c.At)
	if err != nil {
		return err
	}
	view := exhibit.Of(d, c.Find)
	c.View, c.Bytes = &view, documentPath+"?"+url.Values{"id": {c.ID}, "at": {c.At}}.Encode()
	return nil
}

// keptDocument gives the bytes of a document as an attachment.
func (s *Site) keptDocument(w http.ResponseWriter, r *Request) error {
	if r.Caller == nil {
		return s.logIn(w, r, loginContent{To: proofPath}, http.StatusUnauthorized)
	}
	q := proofQueryOf(r)
	d, err := s.kept(r.Context(), r.Caller, q.ID, q.At)
	if err != nil {
		return err
	}
	for _, h := range api.DocumentHeaders(d) {
		w.Header().Set(h.Name, h.Value)
	}
	writeBody(w, r.Request, http.StatusOK, d.Body, "application/octet-stream", privatePolicy)
	return nil
}

// checks has an answer verified by a worker of its product, and tells what was looked at. It costs nothing, and counts against the
// tenant's limit.
func (s *Site) checks(w http.ResponseWriter, r *Request) error {
	if r.Caller == nil || r.Header.Get(session.Header) == "" {
		return contracts.Errorf(contracts.Unauthorized, "this needs a session of the console, and the header %s", session.Header)
	}
	answer, err := io.ReadAll(http.MaxBytesReader(w, r.Body, contracts.MaxVerified))
	switch {
	case err != nil:
		return contracts.Errorf(contracts.RequestTooLarge, "the answer is larger than %d bytes, or broke off", contracts.MaxVerified)
	case !json.Valid(answer):
		return contracts.Invalid("body", "", "json_invalid", "this is no JSON")
	}
	if err := s.take(r.Context(), r.Caller); err != nil {
		return err
	}
	verification, err := s.API.Verify(r.Context(), r.Caller.Environment, r.Caller.Products, answer)
	if err != nil {
		return err
	}
	body, err := answers.Marshal(verification)
	if err != nil {
		return err
	}
	writeBody(w, r.Request, http.StatusOK, body, "application/json", privatePolicy)
	return nil
}

// kept is a document that the caller may see.
func (s *Site) kept(ctx context.Context, caller *keys.Record, id, at string) (*evidence.Document, error) {
	if _, _, err := contracts.Place(at).Parse(); !contracts.IsSHA256(id) || err != nil {
		return nil, contracts.Errorf(contracts.NotFound, "want id and at as an entry of an answer's evidence has them: sha256 and at")
	}
	if err := s.take(ctx, caller); err != nil {
		return nil, err
	}
	return s.API.KeptDocument(ctx, caller.Environment, caller.Products, id, contracts.Place(at))
}

// take counts a request against the tenant's limit.
func (s *Site) take(ctx context.Context, caller *keys.Record) error {
	d := s.Limiter.Take(ctx, ratelimit.Tenant{Environment: caller.Environment, Name: caller.Tenant}, caller.Limit)
	if d.Allowed {
		return nil
	}
	return contracts.Errorf(contracts.RateLimited, "the limit of %d requests a minute is used up; reload the page in a moment", d.Limit).After(d.Reset)
}
