package site

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/platform/webhook"
)

// webhooksContent is what the page of webhooks shows.
type webhooksContent struct {
	Token string
	// Once is one form's id: sent twice, it makes one webhook.
	Once string
	// Told is the webhook whose secret is told now; nil for none. Problem is why nothing was done.
	Told    *api.Webhook
	Problem string
	// URL, Types and Portfolios are the form of a further webhook, as it was written.
	URL               string
	Types, Portfolios []option
	Kept              table
	Most              int
	// Shown is the webhook that is looked at; nil for none.
	Shown *webhookView
}

// webhookView is a webhook with the deliveries of the last seven days. Waiting is how many are sent now that a person
// asked for.
type webhookView struct {
	webhook.Endpoint
	StatusView *verdictView
	Facts      []field
	Waiting    int
	Deliveries table
	lineRange
}

// webhooks is the page of webhooks, with the one that the address names. It costs nothing.
func (s *Site) webhooks(w http.ResponseWriter, r *Request) error {
	return s.writeWebhooks(w, r, webhooksContent{}, r.URL.Query().Get("id"), http.StatusOK)
}

// writeWebhooks writes the page with the webhook of an id; empty for none.
func (s *Site) writeWebhooks(w http.ResponseWriter, r *Request, c webhooksContent, id string, status int) error {
	all, err := s.API.Webhooks.List(r.Context(), owner(r))
	if err != nil {
		return s.writeFailedForm(w, r, webhooksPath, err)
	}
	if id != "" {
		i := slices.IndexFunc(all, func(e webhook.Endpoint) bool { return e.ID == id })
		if i < 0 {
			return s.writeFailedForm(w, r, webhooksPath, api.NoWebhook.Example)
		}
		if c.Shown, err = s.webhookView(r, all[i]); err != nil {
			return s.writeFailedForm(w, r, webhooksPath, err)
		}
	}
	c.Once, c.Token, c.Kept, c.Most, c.URL = rand.Text(), s.token(r), webhooksTable(all), kept.MaxWebhooks,
		r.PostForm.Get("url")
	for _, t := range contracts.Texts(contracts.ChangeTypes) {
		c.Types = append(c.Types, option{t, t, slices.Contains(r.PostForm["types"], t)})
	}
	for _, name := range s.portfolioNames(r) {
		c.Portfolios = append(c.Portfolios, option{name, name, name == r.PostForm.Get("portfolio")})
	}
	return s.writePrivate(w, r, "webhooks", frame{Title: "Webhooks", Path: webhooksPath, Content: c}, status)
}

func webhookPage(id string) string { return webhooksPath + "?id=" + id + "#webhook-title" }

func webhooksTable(all []webhook.Endpoint) table {
	t := table{ID: "kept", Columns: []column{{Name: "Sent to", Look: "long"}, {Name: "Status"},
		{Name: "Changes", Look: "long"}, {Name: "To be tried again", Look: "number"}}}
	for _, e := range all {
		row := []cell{{Text: e.URL, Link: webhookPage(e.ID), Label: "The webhook to " + e.URL}, {Verdict: statusOf(e)}}
		t.Rows = append(t.Rows, append(row, texts(wanted(e), strconv.Itoa(len(e.Retries)))...))
	}
	return t
}

// statusOf is how a webhook stands, with why it is disabled.
func statusOf(e webhook.Endpoint) *verdictView {
	v := newVerdictView(string(e.Status()))
	if e.Reason() != "" {
		v.Reasons = []string{e.Reason()}
	}
	return v
}

// wanted are the changes that a webhook gets, in words.
func wanted(e webhook.Endpoint) string {
	text := strings.Join(contracts.Texts(e.Types), ", ")
	text = cmp.Or(text, "all")
	if e.Portfolio != "" {
		text += " of the portfolio " + e.Portfolio
	}
	return text
}

func (s *Site) webhookView(r *Request, e webhook.Endpoint) (*webhookView, error) {
	all, err := s.API.Webhooks.Deliveries(r.Context(), owner(r), e.ID)
	v := &webhookView{Endpoint: e, StatusView: statusOf(e), Waiting: len(e.ByHand),
		Deliveries: table{ID: "deliveries", Columns: []column{
			{Name: "When, UTC", Look: "whole"}, {Name: "Change", Look: "long"}, {Name: "Attempt", Look: "number"},
			{Name: "Reply"}, {Name: "Its first KB", Look: "long"},
			{Name: "Took, ms", Look: "number"}, {Name: "Next attempt, UTC", Look: "whole"}, {Name: "Send again"},
		}}}
	v.Facts = []field{{"Id", e.ID}, {"Changes", wanted(e)}, {"Made, UTC", moment(&e.CreatedAt)}}
	if e.FailingSince != nil {
		v.Facts = append(v.Facts, field{"Failing since, UTC", moment(e.FailingSince)},
			field{"To be tried again", strconv.Itoa(len(e.Retries))})
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("from")) // 0 for none
	v.lineRange = rangeOf(len(all), from)
	for _, d := range all[v.First-1 : v.Last] {
		v.Deliveries.Rows = append(v.Deliveries.Rows, deliveryCells(d))
	}
	return v, err
}

// deliveryCells are those of an attempt in the table. What was only a test is not sent again.
func deliveryCells(d webhook.Noted) []cell {
	reply := &verdictView{Word: strconv.Itoa(d.Status), Sign: "✓", Look: "good"}
	if d.Error != "" {
		reply.Sign, reply.Look, reply.Reasons = "✗", "bad", []string{d.Error}
	}
	if d.Status == 0 {
		reply.Word = "none"
	}
	attempt := strconv.Itoa(d.Attempt)
	if d.ByHand {
		attempt = "by hand"
	}
	when, again := d.At.UTC().Format(time.DateTime), cell{}
	if d.Sequence > 0 {
		again = cell{Text: "Send again", Form: "act", Send: field{"replay", d.EventID},
			Label: "Send again " + d.EventID + ", of " + when}
	}
	row := append(texts(when, string(d.Type)+" "+d.EventID, attempt), cell{Verdict: reply})
	return append(append(row, texts(d.Reply, strconv.FormatInt(d.Milliseconds, 10), moment(d.NextAt))...), again)
}

// sendWebhooks makes a webhook, or does with one what the pressed button says.
func (s *Site) sendWebhooks(w http.ResponseWriter, r *Request) error {
	f := r.PostForm
	id, order := f.Get("id"), api.WebhookOrder{Action: api.WebhookAction(f.Get("action"))}
	if event := f.Get("replay"); event != "" {
		order = api.WebhookOrder{Action: "replay", EventID: event}
	}
	if id == "" {
		target := api.WebhookTarget{URL: strings.TrimSpace(f.Get("url")), Portfolio: f.Get("portfolio")}
		for _, t := range f["types"] {
			target.Types = append(target.Types, contracts.ChangeType(t))
		}
		return s.tellSecret(w, r, "", "/v1/webhooks", jsonOf(target))
	}
	if err := api.CheckWebhookID(id); err != nil {
		return s.writeFailedForm(w, r, webhooksPath, err)
	}
	target, next := "/v1/webhooks/"+id, webhookPage(id)
	switch order.Action {
	case "rotate":
		return s.tellSecret(w, r, id, target, jsonOf(order))
	case "delete":
		return s.done(w, r, ask(r, http.MethodDelete, target, nil), webhooksPath, webhooksPath)
	}
	return s.done(w, r, ask(r, http.MethodPost, target, []byte(jsonOf(order))), webhooksPath, next)
}

// tellSecret sends what makes a secret, which the page tells this once, or why there is none. A form that is sent
// again, as by loading that page again, makes nothing.
func (s *Site) tellSecret(w http.ResponseWriter, r *Request, id, path, body string) error {
	sum := sha256.Sum256([]byte(r.PostForm.Encode()))
	sent := kept.Reply{ID: hex.EncodeToString(sum[:16]), Page: webhooksPath}
	err := s.API.Replies.Put(r.Context(), owner(r), &sent, time.Now())
	if errors.Is(err, kept.ErrKept) {
		r.PostForm = nil
		return s.writeWebhooks(w, r, webhooksContent{Problem: "This was done already, and the secret was told then. If it " +
			"is lost, give the webhook a new one."}, id, http.StatusConflict)
	}
	if err != nil {
		_ = s.API.Replies.Delete(r.Context(), owner(r), sent.ID) // it may be half kept
		return s.writeFailedForm(w, r, webhooksPath, err)
	}
	a := ask(r, http.MethodPost, path, []byte(body))
	if a.problem != "" {
		// else it goes by itself, and a page that is asked for sends another form
		_ = s.API.Replies.Delete(r.Context(), owner(r), sent.ID)
		return s.writeWebhooks(w, r, webhooksContent{Problem: a.problem}, id, a.status)
	}
	told := &api.Webhook{}
	if err := a.decode(told); err != nil {
		return err
	}
	r.PostForm = nil // which is done with
	return s.writeWebhooks(w, r, webhooksContent{Told: told}, told.ID, http.StatusOK)
}
