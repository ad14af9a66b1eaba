package site

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/share"
)

// sharesPath is the console's page of the proofs that a tenant shares.
const sharesPath = "/console/shares"

// sharesContent is what that page shows.
type sharesContent struct {
	Token string
	// Made is the proof whose token the address of the page has; nil for none. Problem is why none was made.
	Made    *api.Shared
	Problem string
	Shared  table
	Most    int
}

// shareForm makes a proof of what its fields say.
type shareForm struct {
	Token  string
	Fields []field
}

// shares lists the tenant's proofs.
func (s *Site) shares(w http.ResponseWriter, r *Request) error {
	return s.writeShares(w, r, sharesContent{}, http.StatusOK)
}

func (s *Site) writeShares(w http.ResponseWriter, r *Request, c sharesContent, status int) error {
	all, err := s.API.Shares.List(r.Context(), owner(r), time.Now())
	if err != nil {
		return s.writeFailedForm(w, r, sharesPath, err)
	}
	c.Token, c.Shared, c.Most = s.token(r), sharesTable(all), kept.MaxShares
	if token := r.URL.Query().Get("made"); share.Tokens.MatchString(token) {
		isMade := func(e share.ProofEntry) bool { return e.ID == share.IDOf(token) }
		if at := slices.IndexFunc(all, isMade); at >= 0 {
			base := s.API.BaseURL(&api.Request{Host: r.Host})
			c.Made = &api.Shared{ProofEntry: all[at], Token: token, URL: base + share.Path(token)}
		}
	}
	return s.writePrivate(w, r, "shares", frame{Title: "Shared proofs", Path: sharesPath, Content: c}, status)
}

func sharesTable(all []share.ProofEntry) table {
	t := table{ID: "shares", Columns: []column{
		{Name: "Made, UTC", Look: "whole"}, {Name: "Claim", Look: "long"}, {Name: "Ends, UTC", Look: "whole"},
		{Name: "Revoke"},
	}}
	for _, e := range all {
		made := e.CreatedAt.Format("2006-01-02 15:04:05")
		t.Rows = append(t.Rows, append(texts(made, e.Claim, e.ExpiresAt.Format(time.DateTime)),
			cell{Text: "Revoke", Form: "revoke", Send: field{"revoke", e.ID}, Label: "Revoke the proof of " + made}))
	}
	return t
}

// sendShares makes a proof and leads to an address that has its token, or revokes one.
func (s *Site) sendShares(w http.ResponseWriter, r *Request) error {
	if id := r.PostForm.Get("revoke"); id != "" {
		if _, err := s.API.Shares.Revoke(r.Context(), owner(r), id); err != nil {
			return s.writeFailedForm(w, r, sharesPath, err)
		}
		s.API.ShareEvents.Revoked.Inc()
		http.Redirect(w, r.Request, sharesPath, http.StatusSeeOther)
		return nil
	}
	a := askForShare(r)
	if a.status != http.StatusCreated {
		return s.writeShares(w, r, sharesContent{Problem: a.problem}, a.status)
	}
	var made api.Shared
	if err := a.decode(&made); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", privatePolicy)
	http.Redirect(w, r.Request, sharesPath+"?made="+made.Token+"#made-title", http.StatusSeeOther)
	return nil
}

// askForShare asks the API for the proof that the form wants.
func askForShare(r *Request) apiAnswer {
	f := r.PostForm
	asked := share.ProofRequest{AuditID: f.Get("audit_id"), Week: contracts.Date(f.Get("week"))}
	asked.Line, _ = strconv.Atoi(f.Get("line")) // no line has the number 0
	asked.Days, _ = strconv.Atoi(f.Get("days")) // 0 is as none
	if text := f.Get("answer"); text != "" {
		if err := json.Unmarshal([]byte(text), &asked.Answer); err != nil {
			return refusal(errNoAnswer)
		}
	}
	return ask(r, http.MethodPost, "/v1/shares", []byte(jsonOf(asked)))
}
