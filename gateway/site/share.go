package site

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/share"
	"assay.dev/platform/evidence"
	"assay.dev/platform/verify"
)

// sharedPath is where shared proofs are, each under its token: the page, the answer, and the documents.
const sharedPath = "/proof/"

// maxSharedDocument bounds a document that anybody may take away, in bytes: a bulk file is larger.
const maxSharedDocument = 2 << 20

// answerFile is the name of the answer of a proof, for assay evidence verify.
const answerFile = "answer.json"

// sharedContent is what the page of a shared proof shows.
type sharedContent struct {
	share.Share
	// Base is where the proof's files are.
	Base string
}

// IsTest tells whether the data are invented.
func (c sharedContent) IsTest() bool { return c.Environment == contracts.Test }

// IsTakenAway tells whether the document may be taken away here.
func (c sharedContent) IsTakenAway(d share.Document) bool { return d.Bytes <= maxSharedDocument }

// Main is the document with the value.
func (c sharedContent) Main() share.Document { return c.Documents[0] }

// Different are the documents with different bytes: two questions may have the same answer.
func (c sharedContent) Different() (all []share.Document) {
	for _, d := range c.Documents {
		if !slices.ContainsFunc(all, func(other share.Document) bool { return other.SHA256 == d.SHA256 }) {
			all = append(all, d)
		}
	}
	return all
}

// Addresses are where the documents were read, each once.
func (c sharedContent) Addresses() (all []string) {
	for _, d := range c.Documents {
		if !slices.Contains(all, d.URL) {
			all = append(all, d.URL)
		}
	}
	return all
}

// Files are the names of the files that are checked, for a command line.
func (c sharedContent) Files() string {
	var all []string
	for _, d := range c.Different() {
		all = append(all, d.Name())
	}
	return strings.Join(all, " ")
}

// shared shows a proof, or one of its files, to whoever has its token. What is not there looks alike, whatever the
// reason.
func (s *Site) shared(w http.ResponseWriter, r *Request) error {
	h := w.Header()
	setPageHeaders(h)
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Cache-Control", privatePolicy)
	if r.Caller != nil { // others have the limit of their address
		if err := s.countRequest(r.Context(), r.Caller); err != nil {
			return err
		}
	}
	token, file, hasFile := strings.Cut(strings.TrimPrefix(r.URL.Path, sharedPath), "/")
	p, err := s.sharedProof(r, token)
	if err != nil {
		return err
	}
	switch {
	case !hasFile:
		body, err := s.render("shared",
			frame{Title: "Proof", Path: sharedPath, Content: sharedContent{p, sharedPath + token}})
		if err != nil {
			return err
		}
		writeBody(w, r.Request, http.StatusOK, body, htmlType, privatePolicy)
		return nil
	case file == answerFile:
		body := p.Answer
		if p.Environment == contracts.Test {
			body = append([]byte(`{"`+verify.InventedData+`":true,`), body[1:]...)
		}
		return s.sendFile(w, r, sharedPath, answerFile, "application/json", apiAnswer{body: body})
	}
	return s.sharedDocument(w, r, p, file)
}

// noProof is the answer to every token that opens nothing.
var noProof = contracts.Missing(contracts.PathUnknown, "there is no such proof: it never was, has ended, or "+
	"was revoked by who shared it")

func (s *Site) sharedProof(r *Request, token string) (share.Share, error) {
	if !share.Tokens.MatchString(token) {
		s.API.ShareEvents.Missed.Inc()
		return share.Share{}, noProof
	}
	// A restore brings back proofs that were revoked since the backup, as it does keys, which it puts back last.
	if err := s.Keys.Damage(); err != nil {
		return share.Share{}, contracts.Wrap(err, contracts.SourceUnavailable,
			"shared proofs cannot be shown at the moment; retry later").After(5 * time.Second)
	}
	p, err := s.API.Shares.Open(r.Context(), token, time.Now())
	switch {
	case contracts.CodeOf(err) == contracts.NotFound:
		s.API.ShareEvents.Missed.Inc()
		return p, noProof
	case err != nil:
		return p, err
	}
	s.API.ShareEvents.Shown.Inc()
	return p, nil
}

// sharedDocument gives a document of a proof, byte for byte.
func (s *Site) sharedDocument(w http.ResponseWriter, r *Request, p share.Share, name string) error {
	of, ok := p.File(name)
	if !ok || of.Bytes > maxSharedDocument {
		return noProof
	}
	d, err := s.API.Evidence.Get(r.Context(), p.Environment, of.SHA256, of.At, func(product contracts.Product) error {
		if product != p.Product {
			return noProof
		}
		return nil
	})
	if err != nil {
		return err
	}
	writeDocument(w, r, d)
	return nil
}

// writeDocument gives the bytes of a document as an attachment.
func writeDocument(w http.ResponseWriter, r *Request, d *evidence.Document) {
	for _, h := range api.DocumentHeaders(d) {
		w.Header().Set(h.Name, h.Value)
	}
	writeBody(w, r.Request, http.StatusOK, d.Body, "application/octet-stream", privatePolicy)
}
