package site

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/spreadsheet"
)

// maxForm bounds a form of a few fields, in bytes.
const maxForm = 64 << 10 // a table of 500 brackets is 17 KB of it

// fromThisSite refuses forms of other web sites, by what browsers say of a request's origin.
func fromThisSite(r *Request) error {
	if err := http.NewCrossOriginProtection().Check(r.Request); err != nil {
		return contracts.Errorf(contracts.Unauthorized, "send this form from the pages of this site only")
	}
	return nil
}

// ownForm takes a form of a page that may cost or change something. The form is from this site, its sender is logged
// in, it is at most maxBytes large, and it holds a token of the session that it is sent with. send finds it in the
// request's PostForm and MultipartForm.
func (s *Site) ownForm(path string, maxBytes int64, send func(http.ResponseWriter, *Request) error) Page {
	serve := func(w http.ResponseWriter, r *Request) error {
		if err := fromThisSite(r); err != nil {
			return err
		}
		if r.Caller == nil {
			return s.logIn(w, r, loginContent{To: path, Problem: sessionEnded}, http.StatusUnauthorized)
		}
		if err := s.readOwnForm(w, r, maxBytes); err != nil {
			return s.writeFailedForm(w, r, path, err)
		}
		return send(w, r)
	}
	return Page{Method: http.MethodPost, Path: path, Serve: serve, TakesForm: true, IsUpload: maxBytes > maxForm}
}

func (s *Site) readOwnForm(w http.ResponseWriter, r *Request, maxBytes int64) error {
	if err := readForm(w, r, maxBytes); err != nil {
		return err
	}
	if !s.Sessions.IsFormToken(s.keyOf(r), r.PostForm.Get("token")) {
		return contracts.Errorf(contracts.Unauthorized, "this form was made for another session: open the page "+
			"again and send it from there")
	}
	return nil
}

// readForm reads a form, all of it into memory.
func readForm(w http.ResponseWriter, r *Request, maxBytes int64) error {
	if r.ContentLength > maxBytes {
		return formTooLarge(maxBytes)
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBytes)
	err := r.ParseForm()
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && kind == "multipart/form-data" {
		err = r.ParseMultipartForm(maxBytes)
	}
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case errors.As(err, &tooLarge):
		return formTooLarge(maxBytes)
	case err != nil:
		return contracts.Invalid("body", "", "malformed_form", "the form broke off, or is none")
	}
	return nil
}

func formTooLarge(maxBytes int64) error {
	return contracts.Errorf(contracts.RequestTooLarge, "the form is larger than %d bytes; send less at once", maxBytes)
}

// keyOf is the key that the session is of; zero without one. A token of no session is good for no session.
func (s *Site) keyOf(r *Request) keys.Hash {
	// who is asked for a session has been told why there is none
	_, key, _ := s.Sessions.OfRequest(r.Request, time.Now())
	return key
}

// token is for the forms of a page that the request is answered with.
func (s *Site) token(r *Request) string { return s.Sessions.FormToken(s.keyOf(r)) }

// failure is why nothing came of a request: of a form at the path Form, or of another one, with its id.
type failure struct{ Title, Problem, Form, RequestID string }

func (f failure) frame() frame { return frame{Title: f.Title, Path: f.Form, Content: f} }

// failedForm is why nothing came of the form at a path.
func failedForm(problem, path string) frame {
	return failure{Title: "Not done", Problem: problem, Form: path}.frame()
}

// done leads to a page after what the API did for a form of another, or tells there why it did not.
func (s *Site) done(w http.ResponseWriter, r *Request, a apiAnswer, form, next string) error {
	if a.problem != "" {
		return s.writePrivate(w, r, "failed", failedForm(a.problem, form), a.status)
	}
	http.Redirect(w, r.Request, next, http.StatusSeeOther)
	return nil
}

// FailurePage is the page that tells a person of an error that no page has told of. e is as clients may know it.
func (s *Site) FailurePage(h http.Header, e *contracts.Error, requestID string) (body []byte,
	mediaType string, err error) {
	f := failure{Title: "Not done", Problem: wordsOf(e), RequestID: requestID}
	if e.Code == contracts.NotFound {
		f.Title = "Not found"
	}
	setPageHeaders(h)
	body, err = s.render("failed", f.frame())
	return body, htmlType, err
}

// writeFailedForm tells a person why nothing came of a form.
func (s *Site) writeFailedForm(w http.ResponseWriter, r *Request, path string, err error) error {
	problem, status, err := explain(err)
	if err != nil {
		return err
	}
	if status == http.StatusRequestEntityTooLarge {
		w.Header().Set("Connection", "close") // what is left of the request is not worth reading
	}
	return s.writePrivate(w, r, "failed", failedForm(problem, path), status)
}

// explain is an error in words for a person, with the status of the page that shows it. An internal error is not for
// people: it comes back.
func explain(err error) (problem string, status int, internal error) {
	public := api.PublicError(err)
	if public.Code == contracts.Internal {
		return "", 0, err
	}
	return wordsOf(public), public.Code.HTTPStatus(), nil
}

// wordsOf are an error's words for a person.
func wordsOf(public *contracts.Error) string {
	if len(public.Violations) > 0 {
		return violationsIn(public.Violations)
	}
	return fmt.Sprintf("%s (%s)", public.Message, public.Code)
}

// violationsIn are such as "to: this day is to come; from: this is not a date".
func violationsIn(violations []contracts.Violation) string {
	var all []string
	for _, v := range violations {
		all = append(all, v.Loc[len(v.Loc)-1]+": "+v.Msg)
	}
	return strings.Join(all, "; ")
}

// field is one hidden field of a form.
type field struct{ Name, Value string }

// sendFile answers a form with a file that the browser saves, or with the page that says why there is none. mediaType
// is the file's. A CSV begins with a byte order mark; the name of one with invented data begins with test.
func (s *Site) sendFile(w http.ResponseWriter, r *Request, path, name, mediaType string, a apiAnswer) error {
	if a.problem != "" {
		return s.writePrivate(w, r, "failed", failedForm(a.problem, path), a.status)
	}
	if mediaType == spreadsheet.MediaType {
		a.body = spreadsheet.Marked(a.body)
		if isTest(r) {
			name = "test-" + name
		}
	}
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	writeBody(w, r.Request, http.StatusOK, a.body, mediaType, privatePolicy)
	return nil
}
