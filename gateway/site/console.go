package site

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/session"
)

// The paths of the console.
const (
	consolePath    = "/console"
	sessionPath    = "/console/session"
	accountPath    = "/console/account"
	auditPath      = "/console/audit"
	changesPath    = "/console/changes"
	contractsPath  = "/console/contracts"
	customersPath  = "/console/customers"
	licensesPath   = "/console/licenses"
	surchargesPath = "/console/surcharges"
	webhooksPath   = "/console/webhooks"
)

// consolePage is a page for who is logged in, with its name in the navigation.
type consolePage struct {
	Path, Name string
	serve      func(http.ResponseWriter, *Request) error
}

// consolePages are those of the console, in the order of the navigation. Those without a function are left out.
func (s *Site) consolePages() []consolePage {
	all := []consolePage{
		{surchargesPath, "Surcharges", s.surcharges}, {licensesPath, "Licenses", s.licenses},
		{customersPath, "Customers", s.customers}, {changesPath, "Changes", s.changes},
		{webhooksPath, "Webhooks", s.webhooks}, {auditPath, "Audit", s.audits},
		{contractsPath, "Contracts", s.contracts}, {proofPath, "Proof", s.proof}, {sharesPath, "Shared", s.shares},
		{accountPath, "Account", s.account},
	}
	return slices.DeleteFunc(all, func(p consolePage) bool { return p.serve == nil })
}

// privatePolicy keeps what a session shows out of every cache.
const privatePolicy = "no-store"

// maxLogIn bounds the forms that log in and out, in bytes.
const maxLogIn = 1 << 10

func (s *Site) console() []Page {
	pages := []Page{
		{Method: http.MethodGet, Path: consolePath, Serve: func(w http.ResponseWriter, r *Request) error {
			http.Redirect(w, r.Request, accountPath, http.StatusSeeOther)
			return nil
		}},
		{Method: http.MethodGet, Path: documentPath, Serve: s.keptDocument},
		{Method: http.MethodGet, Path: stopsPath, Serve: s.loggedIn(s.printedStops)},
		{Method: http.MethodPost, Path: sessionPath, Serve: s.beginOrEnd},
		{Method: http.MethodDelete, Path: sessionPath, Serve: s.end},
		s.ownForm(surchargesPath, maxForm, s.sendSurcharges),
		s.ownForm(licensesPath, maxForm, s.sendLicenses),
		s.ownForm(auditPath, maxFileForm, s.sendAudit),
		s.ownForm(customersPath, maxFileForm, s.sendCustomers),
		s.ownForm(contractsPath, maxForm, s.sendContracts),
		s.ownForm(proofPath, maxProofForm, s.sendProof),
		s.ownForm(sharesPath, maxProofForm, s.sendShares),
		s.ownForm(webhooksPath, maxForm, s.sendWebhooks),
	}
	for _, p := range s.menu {
		pages = append(pages, Page{Method: http.MethodGet, Path: p.Path, Serve: s.loggedIn(p.serve)})
	}
	return pages
}

// loggedIn shows a page to who is logged in, and the log-in form to others, who come back to it.
func (s *Site) loggedIn(page func(http.ResponseWriter, *Request) error) func(http.ResponseWriter, *Request) error {
	return func(w http.ResponseWriter, r *Request) error {
		if r.Caller == nil {
			return s.logIn(w, r, loginContent{To: strings.TrimSuffix(r.URL.RequestURI(), "?")}, http.StatusOK)
		}
		return page(w, r)
	}
}

func (s *Site) writePrivate(w http.ResponseWriter, r *Request, name string, f frame, status int) error {
	f.IsTest = isTest(r)
	body, err := s.render(name, f)
	if err != nil {
		return err
	}
	setPageHeaders(w.Header())
	w.Header().Add("Vary", "Cookie")
	writeBody(w, r.Request, status, body, htmlType, privatePolicy)
	return nil
}

// isTest tells whether the data are invented that a person sees.
func isTest(r *Request) bool { return r.Caller != nil && r.Caller.Environment == contracts.Test }

// loginContent is the log-in form: where it leads, and why a key was not taken.
type loginContent struct{ To, Problem string }

func (s *Site) logIn(w http.ResponseWriter, r *Request, c loginContent, status int) error {
	path, _, _ := strings.Cut(c.To, "?")
	return s.writePrivate(w, r, "login", frame{Title: "Log in", Path: path, Content: c}, status)
}

// sessionEnded is for who sends a form without a session.
const sessionEnded = "Your session has ended. Log in, and send the form again."

// beginOrEnd takes the log-in form, which works without scripts, and the form that logs out.
func (s *Site) beginOrEnd(w http.ResponseWriter, r *Request) error {
	if err := fromThisSite(r); err != nil {
		return err
	}
	if err := readForm(w, r, maxLogIn); err != nil {
		return err
	}
	if r.PostForm.Has("end") {
		if err := s.endSession(w, r); err != nil {
			return err
		}
		http.Redirect(w, r.Request, accountPath, http.StatusSeeOther)
		return nil
	}
	return s.begin(w, r)
}

// begin makes a session of a key that may be used now.
func (s *Site) begin(w http.ResponseWriter, r *Request) error {
	to := r.PostForm.Get("to")
	if path, _, _ := strings.Cut(to, "?"); !isStopsPage(path) &&
		!slices.ContainsFunc(s.menu, func(p consolePage) bool { return p.Path == path }) {
		to = accountPath
	}
	hash, err := keys.Parse(strings.TrimSpace(r.PostForm.Get("key"))) // as it is copied
	if err == nil {
		_, err = s.Keys.Lookup(r.Context(), hash, r.AdmitKey)
	}
	switch {
	case contracts.CodeOf(err) == contracts.RateLimited:
		return err
	case err != nil:
		return s.logIn(w, r, loginContent{To: to, Problem: problemOf(err)}, http.StatusUnauthorized)
	}
	http.SetCookie(w, s.Sessions.Cookie(r.Request, s.Sessions.Seal(hash, time.Now())))
	w.Header().Set("Cache-Control", privatePolicy)
	http.Redirect(w, r.Request, to, http.StatusSeeOther)
	return nil
}

func problemOf(err error) string {
	if errors.Is(err, keys.ErrUnverifiable) {
		return "Keys cannot be verified at the moment. Try again in a few seconds."
	}
	return "This key is not valid, or is no longer. Check it, or ask for a new one."
}

// end takes the session from the browser: for scripts, which send the console's header.
func (s *Site) end(w http.ResponseWriter, r *Request) error {
	if r.Header.Get(session.Header) == "" {
		return contracts.Errorf(contracts.Unauthorized, "send the header %s", session.Header)
	}
	if err := s.endSession(w, r); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", privatePolicy)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// endSession takes the cookie from the browser, also where copies of it cannot be ended.
func (s *Site) endSession(w http.ResponseWriter, r *Request) error {
	http.SetCookie(w, s.Sessions.EndCookie(r.Request))
	return s.Sessions.End(r.Request, time.Now())
}
