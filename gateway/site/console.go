package site

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/session"
)

// The paths of the console.
const (
	consolePath  = "/console"
	sessionPath  = "/console/session"
	accountPath  = "/console/account"
	licensesPath = "/console/licenses"
	auditPath    = "/console/audit"
)

// consolePages are where a log-in may lead, with any query.
var consolePages = []string{accountPath, licensesPath, auditPath, proofPath}

// privatePolicy keeps what a session shows out of every cache.
const privatePolicy = "no-store"

// maxForm bounds the form with a key, in bytes.
const maxForm = 1 << 10

func (s *Site) console() []Page {
	return []Page{
		{Method: http.MethodGet, Path: consolePath, Serve: func(w http.ResponseWriter, r *Request) error {
			http.Redirect(w, r.Request, accountPath, http.StatusSeeOther)
			return nil
		}},
		{Method: http.MethodGet, Path: accountPath, Serve: s.loggedIn(accountPath, s.account)},
		{Method: http.MethodGet, Path: licensesPath, Serve: s.loggedIn(licensesPath, s.licenses)},
		{Method: http.MethodGet, Path: auditPath, Serve: s.loggedIn(auditPath, s.audit)},
		{Method: http.MethodGet, Path: proofPath, Serve: s.proof},
		{Method: http.MethodGet, Path: documentPath, Serve: s.keptDocument},
		{Method: http.MethodPost, Path: checksPath, Serve: s.checks, MaxUpload: contracts.MaxVerified},
		{Method: http.MethodPost, Path: sessionPath, Serve: s.beginOrEnd},
		{Method: http.MethodDelete, Path: sessionPath, Serve: s.end},
	}
}

// loggedIn shows a page to who is logged in, and the log-in form to others.
func (s *Site) loggedIn(path string, page func(*Request) (string, frame)) func(http.ResponseWriter, *Request) error {
	return func(w http.ResponseWriter, r *Request) error {
		if r.Caller == nil {
			return s.logIn(w, r, loginContent{To: path}, http.StatusOK)
		}
		name, f := page(r)
		return s.writePrivate(w, r, name, f, http.StatusOK)
	}
}

func (s *Site) writePrivate(w http.ResponseWriter, r *Request, name string, f frame, status int) error {
	body, err := s.render(name, f)
	if err != nil {
		return err
	}
	setPageHeaders(w.Header())
	w.Header().Add("Vary", "Cookie")
	writeBody(w, r.Request, status, body, htmlType, privatePolicy)
	return nil
}

// loginContent is the log-in form: where it leads, and why a key was not taken.
type loginContent struct{ To, Problem string }

func (s *Site) logIn(w http.ResponseWriter, r *Request, c loginContent, status int) error {
	return s.writePrivate(w, r, "login", frame{Title: "Log in", Path: c.To, Content: c}, status)
}

// beginOrEnd takes the log-in form, which works without scripts, and the form that logs out. Forms of other web sites are refused by
// what browsers say of a request's origin.
func (s *Site) beginOrEnd(w http.ResponseWriter, r *Request) error {
	if err := http.NewCrossOriginProtection().Check(r.Request); err != nil {
		return contracts.Errorf(contracts.Unauthorized, "log in and out on the pages of this site only")
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return contracts.Errorf(contracts.RequestTooLarge, "the form is larger than %d bytes, or is none", maxForm)
	}
	if r.PostForm.Has("end") {
		http.SetCookie(w, session.EndCookie(r.Request))
		http.Redirect(w, r.Request, accountPath, http.StatusSeeOther)
		return nil
	}
	return s.begin(w, r)
}

// begin makes a session of a key that may be used now.
func (s *Site) begin(w http.ResponseWriter, r *Request) error {
	to := r.PostForm.Get("to")
	if page, _, _ := strings.Cut(to, "?"); !slices.Contains(consolePages, page) {
		to = accountPath
	}
	hash, err := keys.Parse(r.PostForm.Get("key"))
	if err == nil {
		_, err = s.Keys.Lookup(r.Context(), hash, func() error { return nil }) // the request is admitted already
	}
	if err != nil {
		return s.logIn(w, r, loginContent{To: to, Problem: problemOf(err)}, http.StatusUnauthorized)
	}
	http.SetCookie(w, session.Cookie(r.Request, s.Sessions.Seal(hash, time.Now())))
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
	http.SetCookie(w, session.EndCookie(r.Request))
	w.Header().Set("Cache-Control", privatePolicy)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// accountContent is what the page of the account shows: of the tenant whose key is used, in that key's environment.
type accountContent struct {
	*keys.Record
	Standing ratelimit.Decision
	Keys     []keyView
}

type keyView struct {
	keys.Listed
	// State is in use, expired or revoked.
	State string
}

func (s *Site) account(r *Request) (string, frame) {
	c := accountContent{Record: r.Caller, Standing: s.standing(r)}
	for _, k := range s.Keys.OfTenant(r.Caller.Environment, r.Caller.Tenant) {
		c.Keys = append(c.Keys, keyView{k, stateOf(k.Usable())})
	}
	return "account", frame{Title: "Account", Path: accountPath, Content: c}
}

// standing is where the limit of the tenant stands. Looking at it does not count.
func (s *Site) standing(r *Request) ratelimit.Decision {
	return s.Limiter.Peek(ratelimit.Tenant{Environment: r.Caller.Environment, Name: r.Caller.Tenant}, r.Caller.Limit)
}

func stateOf(usable error) string {
	switch {
	case errors.Is(usable, keys.ErrRevoked):
		return "revoked"
	case errors.Is(usable, keys.ErrExpired):
		return "expired"
	}
	return "in use"
}

// licensesContent is what the page of licenses shows before it asks anything.
type licensesContent struct {
	Caller  *keys.Record
	Allowed bool
	States  []contracts.State
	Price   float64
}

func (s *Site) licenses(r *Request) (string, frame) {
	return "licenses", frame{
		Title: "Licenses", Path: licensesPath, Scripts: []string{"own/licenses.js"},
		Content: licensesContent{r.Caller, r.Caller.Allows(contracts.ABC), contracts.States, api.ProductOf(contracts.ABC).PriceUSD()},
	}
}
