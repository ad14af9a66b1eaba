package site

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/kept"
)

// shown says of which kept reply a page is, with what its part of the template needs; nil for none.
type shown struct{ Token, Page, ID, At, Until string }

// answerForm answers a form with a page of what the API answered. That is kept, and the browser led to its address,
// where Back and reload show it again. What cannot be kept is shown all the same: it is paid.
func (s *Site) answerForm(w http.ResponseWriter, r *Request, path, place string, answers []apiAnswer,
	write func() error) error {
	id, err := s.keep(r, path, answers)
	if err != nil {
		return write()
	}
	w.Header().Set("Cache-Control", privatePolicy)
	http.Redirect(w, r.Request, path+"?id="+id+place, http.StatusSeeOther)
	return nil
}

// keep keeps what the form of a page was answered, under the id that it returns.
func (s *Site) keep(r *Request, path string, answers []apiAnswer) (id string, err error) {
	form := maps.Clone(r.PostForm)
	form.Del("token")
	reply := kept.Reply{Page: path, Form: form}
	for _, a := range answers {
		reply.Answers = append(reply.Answers, kept.Answer{Status: a.status, Body: string(a.body), Problem: a.problem})
	}
	if err := s.API.Replies.Put(r.Context(), owner(r), &reply, time.Now()); err != nil {
		return "", err
	}
	return reply.ID, nil
}

// keptReply is what the address of a page names by an id: the form, what it was answered, and what the page says of
// that. It asks nothing and costs nothing. of is nil where the address names nothing, or the key lacks the product.
func (s *Site) keptReply(r *Request, path, id string, p contracts.Product) (form url.Values, answers []apiAnswer,
	of *shown, err error) {
	if id == "" || !r.Caller.Allows(p) {
		return nil, nil, nil, nil
	}
	reply, err := s.API.Replies.Get(r.Context(), owner(r), path, id, time.Now())
	if err != nil {
		return nil, nil, nil, err
	}
	for _, a := range reply.Answers {
		answers = append(answers, apiAnswer{status: a.Status, body: []byte(a.Body), problem: a.Problem})
	}
	return reply.Form, answers, &shown{
		s.token(r), path, id, moment(&reply.KeptAt), reply.ExpiresAt.Format(time.DateOnly),
	}, nil
}

// forget deletes what a page keeps under an id.
func (s *Site) forget(w http.ResponseWriter, r *Request, path string,
	remove func(context.Context, kept.Owner, string) error) error {
	if err := remove(r.Context(), owner(r), r.PostForm.Get("delete")); err != nil {
		return s.writeFailedForm(w, r, path, err)
	}
	http.Redirect(w, r.Request, path, http.StatusSeeOther)
	return nil
}

// isKept tells whether what the API answered is an answer: it is charged, or proves that there is none.
func isKept(a apiAnswer, v *verdictView) bool {
	return a.problem == "" || v != nil && v.Word == string(contracts.Fail)
}
