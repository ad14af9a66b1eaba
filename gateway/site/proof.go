package site

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/exhibit"
)

// The paths of proofs. The page takes an entry of an answer's evidence as id (its sha256) and at, the question of the
// answer, or both, as audit a line of a kept audit, such as ID.7, whose answer is paid, and as kept an answer that was
// paid on the page itself. find is the row of the
// document to outline: a first day or a license number.
const (
	proofPath    = "/console/proof"
	documentPath = "/console/proof/document"
)

// maxProofForm bounds the form of a proof, in bytes: it has an answer.
const maxProofForm = contracts.MaxVerified + maxForm

// proofContent is what the page of a proof shows.
type proofContent struct {
	proofQuery
	Token string
	// Question is what the answer answers, in words; empty where the address does not have it. Price is what an answer
	// costs, in USD; empty for nothing.
	Question, Price string
	// Answer is the answer's JSON, and Answers what it says. Both are empty before there is one. AnswerProblem is why
	// there is none.
	Answer, AnswerProblem string
	Answers               []answerView
	// Verification is what became of the checks; nil for none. CheckProblem is why there are none.
	Verification *contracts.Verification
	CheckProblem string
	// Shown is the kept reply that the answer is of; nil for none.
	Shown *shown
	// Problem is why the document is not shown.
	Problem string
	// View is the document; nil without one. Bytes is where its bytes are.
	View  *exhibit.View
	Bytes string
}

// Action is where the forms of the page are sent: its own address.
func (c proofContent) Action() string { return proofPath + "?" + c.values().Encode() }

// Share is the form that shares the proof; nil where the answer is not verified, or is of more than one license or
// carrier.
func (c proofContent) Share() *shareForm {
	if c.Verification == nil || !c.Verification.Verified || len(c.Answers) != 1 || c.Answers[0].IsSearch {
		return nil
	}
	return &shareForm{c.Token, []field{{"answer", c.Answer}}}
}

// DocumentPage is the page of a document of an answer.
func (c proofContent) DocumentPage(e contracts.Evidence, of answerView) string {
	question := c.values()
	for _, name := range []string{"id", "at", "find"} {
		question.Del(name)
	}
	return documentPage(e, of.Row, question)
}

// Short is the beginning of a document's hash.
func (c proofContent) Short(e contracts.Evidence) string { return e.SHA256[:min(12, len(e.SHA256))] }

// proofForm takes an answer to its proof.
type proofForm struct{ Token, Action, Answer string }

// newProofForm is the form for an answer; nil where no document of it is kept. question is what the answer answers, as
// the page takes it.
func newProofForm(token string, body []byte, v answerView, question url.Values) *proofForm {
	if len(v.Verifiability.Evidence) == 0 {
		return nil
	}
	return &proofForm{token, documentPage(v.Verifiability.Evidence[0], v.Row, question), string(body)}
}

// documentPage is the page of a document of an answer. row is the one to outline in it, or empty.
func documentPage(e contracts.Evidence, row string, question url.Values) string {
	query := maps.Clone(question)
	query.Set("id", e.SHA256)
	query.Set("at", string(e.At))
	if row != "" {
		query.Set("find", row)
	}
	return proofPath + "?" + query.Encode()
}

func (s *Site) newProofContent(r *Request) proofContent {
	c := proofContent{proofQuery: proofQueryOf(r), Token: s.token(r)}
	words, product := c.question()
	if c.Question = words; words != "" {
		c.Price = priceOf(r, product)
	}
	return c
}

// proof shows what an answer was read from. Looking costs nothing and counts against the tenant's limit, like the
// endpoints of evidence.
func (s *Site) proof(w http.ResponseWriter, r *Request) error {
	c := s.newProofContent(r)
	if err := s.addPaid(r, &c); err != nil {
		c.Kept = "" // which leaves the question
		return s.writeFailedForm(w, r, c.Action(), err)
	}
	if c.ID == "" {
		return s.writeProof(w, r, c, http.StatusOK)
	}
	return s.writeAnswer(w, r, c)
}

// addPaid adds the answer that was paid here, or what a line of a kept audit rests on: the answer that was paid, or the
// document of a table or of prices. A line that is not kept leaves the question.
func (s *Site) addPaid(r *Request, c *proofContent) error {
	_, product := c.question()
	_, answers, of, err := s.keptReply(r, proofPath, c.Kept, product)
	if err != nil {
		return err
	}
	if of != nil {
		c.Shown = of
		c.AnswerProblem = c.takeAnswer(answers[0]).problem
		return nil
	}
	id, text, _ := strings.Cut(c.Audit, ".")
	number, err := strconv.Atoi(text)
	if err != nil || !r.Caller.Allows(contracts.LTL) {
		return nil
	}
	made, err := s.API.Audits.Get(r.Context(), owner(r), id, time.Now())
	if err != nil {
		_, _, err = explain(err)
		return err
	}
	switch g := made.GroundOf(number); {
	case g == nil:
	case g.Week == nil && c.ID == "":
		c.ID, c.At = g.Evidence[0].SHA256, string(g.Evidence[0].At)
	case g.Week != nil:
		body, err := json.Marshal(g.Week)
		if err != nil {
			return err
		}
		c.AnswerProblem = c.takeAnswer(apiAnswer{status: http.StatusOK, body: body}).problem
	}
	return nil
}

// writeAnswer writes the page with the document and, where there is an answer, its checks.
func (s *Site) writeAnswer(w http.ResponseWriter, r *Request, c proofContent) error {
	status, err := s.addDocument(r, &c)
	if err != nil {
		return err
	}
	checked := http.StatusOK
	if c.Answer != "" {
		if checked, err = s.addChecks(r, &c); err != nil {
			return err
		}
	}
	return s.writeProof(w, r, c, max(status, checked))
}

func (s *Site) writeProof(w http.ResponseWriter, r *Request, c proofContent, status int) error {
	return s.writePrivate(w, r, "proof",
		frame{Title: "Proof", Path: proofPath, Scripts: []string{"own/proof.js"}, Content: c}, status)
}

// sendProof shows an answer beside its document and checks one against the other, or gives the answer as a file. The
// answer comes with the form, or is asked for.
func (s *Site) sendProof(w http.ResponseWriter, r *Request) error {
	if r.PostForm.Has("delete") {
		return s.forget(w, r, proofPath, s.API.Replies.Delete)
	}
	c, step := s.newProofContent(r), r.PostForm.Get("step")
	c.Kept = "" // the answer is another one
	a := c.answer(r, step)
	if step == "download" {
		return s.sendFile(w, r, proofPath, "answer.json", "application/json", a)
	}
	if isKept(a, failedLookup(a)) {
		if step == "get" {
			c.Kept, _ = s.keep(r, proofPath, []apiAnswer{a}) // else it is shown all the same: it is paid
		}
		if c.Kept != "" {
			w.Header().Set("Cache-Control", privatePolicy)
			http.Redirect(w, r.Request, c.Action()+"#answer-title", http.StatusSeeOther)
			return nil
		}
		a = c.takeAnswer(apiAnswer{status: http.StatusOK, body: a.body})
	}
	if a.problem != "" {
		c.AnswerProblem = a.problem
		return s.writeProof(w, r, c, a.status)
	}
	return s.writeAnswer(w, r, c)
}

// answer is the answer that the form asks for or has: in a field where the page before had it, else in a file.
func (c *proofContent) answer(r *Request, step string) apiAnswer {
	if step == "get" && c.target() != "" {
		return get(r, c.target())
	}
	body := []byte(r.PostForm.Get("answer"))
	if len(body) == 0 {
		var err error
		if body, _, err = sentFile(r); err != nil {
			return refusal(err)
		}
	}
	if len(body) > contracts.MaxVerified {
		return refusal(contracts.Errorf(contracts.RequestTooLarge, "the answer is larger than %d bytes",
			contracts.MaxVerified))
	}
	return apiAnswer{status: http.StatusOK, body: body}
}

// refusal is an error of ours in place of an answer.
func refusal(err error) apiAnswer {
	problem, status, internal := explain(err)
	if internal != nil {
		return apiAnswer{status: http.StatusInternalServerError, problem: "The answer could not be read."}
	}
	return apiAnswer{status: status, problem: problem}
}

// takeAnswer shows an answer, and the document that it names first unless the address names another one of it.
func (c *proofContent) takeAnswer(a apiAnswer) apiAnswer {
	views, err := newAnswerViews(a.body)
	if err != nil {
		return refusal(err)
	}
	c.Answer, c.Answers = string(a.body), views
	isNamed := func(e contracts.Evidence) bool { return e.SHA256 == c.ID }
	if len(views) == 0 || slices.ContainsFunc(views,
		func(v answerView) bool { return slices.ContainsFunc(v.Verifiability.Evidence, isNamed) }) {
		return a
	}
	if first := views[0]; len(first.Verifiability.Evidence) > 0 {
		c.ID, c.At, c.Find = first.Verifiability.Evidence[0].SHA256, string(first.Verifiability.Evidence[0].At), first.Row
	}
	return a
}

// addChecks has the answer verified by a worker of its product, and returns the status of that. It costs nothing, and
// counts against the tenant's limit.
func (s *Site) addChecks(r *Request, c *proofContent) (status int, err error) {
	if err = s.countRequest(r.Context(), r.Caller); err == nil {
		var v contracts.Verification
		if v, err = s.API.Verify(r.Context(), r.Caller.Environment, r.Caller.Products,
			json.RawMessage(c.Answer)); err == nil {
			c.Verification = &v
			return http.StatusOK, nil
		}
	}
	c.CheckProblem, status, err = explain(err)
	return status, err
}
