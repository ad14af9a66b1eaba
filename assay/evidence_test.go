//go:build !race

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
	"assay.dev/platform/verify"
)

// examiner asks a running system for answers and gets the documents that they name.
type examiner struct {
	*testing.T
	base, key, dir string
	session        *http.Cookie
}

// examined is an answer with its documents, in files.
type examined struct {
	answer    []byte
	verified  contracts.Verifiability
	documents [][]byte
	args      []string // of assay evidence verify
}

// given are the documents, as who verifies the answer has them.
func (e examined) given() verify.Documents {
	all := verify.Documents{}
	for _, d := range e.documents {
		all.Add(d)
	}
	return all
}

func newExaminer(t *testing.T) *examiner {
	t.Helper()
	data := t.TempDir()
	base, _, _ := upIn(t, data)
	key := must(t, daemon.Environ{"ASSAY_DATA": data}, "keys", "create", "--tenant", "auditor", "--environment", "test", "--limit", "100000")
	x := &examiner{T: t, base: base, key: strings.TrimSpace(key), dir: t.TempDir()}
	x.session = x.logIn()
	return x
}

func (x *examiner) ask(path string) examined {
	x.Helper()
	e := examined{answer: get(x.T, x.base+path, x.key)}
	var body struct {
		Verifiability contracts.Verifiability `json:"_verifiability"`
	}
	if err := json.Unmarshal(e.answer, &body); err != nil {
		x.Fatal(err)
	}
	e.verified = body.Verifiability
	e.args = []string{"evidence", "verify", x.write("answer.json", e.answer)}
	for _, d := range e.verified.Evidence {
		document := get(x.T, fmt.Sprintf("%s/v1/evidence/%s?at=%s", x.base, d.SHA256, d.At), x.key)
		e.documents = append(e.documents, document)
		e.args = append(e.args, x.write(d.SHA256, document))
	}
	if len(e.documents) == 0 {
		x.Fatalf("%s names no document: %s", path, e.answer)
	}
	return e
}

func (x *examiner) write(name string, content []byte) string {
	x.Helper()
	file := filepath.Join(x.dir, name)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		x.Fatal(err)
	}
	return file
}

// examine wants the command to verify the answer, and to refuse it with one bit changed in a document or in a value.
func (x *examiner) examine(path string, byHand []string) {
	x.Helper()
	e := x.ask(path)
	text := string(e.documents[0])
	for _, value := range byHand {
		if !strings.Contains(text, value) {
			x.Errorf("%s: %q does not stand in the document that evidence_sha256 names", path, value)
		}
	}
	code, out, errs := run(x.T, daemon.Environ{}, e.args...)
	if code != 0 || !strings.HasSuffix(out, "verified\n") {
		x.Errorf("%s: exit %d\n%s%s", path, code, out, errs)
		return
	}
	x.Logf("%s: %s, %d documents, %d bytes; by hand %q", path, e.verified.ExtractionMethod, len(e.documents), len(text), byHand)
	x.refusesFlips(path, e)
	x.isVerifiedByTheConsole(path, e.answer)
}

// isVerifiedByTheConsole has a worker read the kept documents again.
func (x *examiner) isVerifiedByTheConsole(path string, answer []byte) {
	x.Helper()
	if status, v := x.consoleProof(answer); status != http.StatusOK || !v.isVerified || v.good < 2 || v.bad > 0 {
		x.Errorf("%s: the console says %d %+v", path, status, v)
	}
	values, _, _ := bytes.Cut(answer, []byte(`,"_verifiability"`))
	places := valuesIn(values)
	flipped := bytes.Clone(answer)
	flipped[places[len(places)-1]] ^= 1
	if status, v := x.consoleProof(flipped); v.isVerified || status == http.StatusOK && v.bad == 0 {
		x.Errorf("%s: a bit is flipped, and the console says %d %+v", path, status, v)
	}
}

// shownChecks are the checks as the page of a proof shows them.
type shownChecks struct {
	isVerified bool
	good, bad  int
	outcome    string
}

// consoleProof sends an answer to the page of proofs, with the token that the page has for the session.
func (x *examiner) consoleProof(answer []byte) (status int, v shownChecks) {
	x.Helper()
	ask := func(method string, body io.Reader) (int, string) {
		r, err := http.NewRequestWithContext(x.Context(), method, x.base+"/console/proof", body)
		if err != nil {
			x.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.AddCookie(x.session)
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			x.Fatal(err)
		}
		defer reply.Body.Close()
		page, err := io.ReadAll(reply.Body)
		if err != nil {
			x.Fatal(err)
		}
		return reply.StatusCode, string(page)
	}
	_, page := ask(http.MethodGet, nil)
	_, rest, _ := strings.Cut(page, `name="token" value="`)
	token, _, _ := strings.Cut(rest, `"`)
	status, page = ask(http.MethodPost, strings.NewReader(url.Values{"token": {token}, "answer": {string(answer)}}.Encode()))
	_, outcome, _ := strings.Cut(page, `id="outcome"`)
	outcome, _, _ = strings.Cut(outcome, "</p>")
	return status, shownChecks{
		strings.Contains(outcome, ">Verified: "), strings.Count(page, `class="check-good"`), strings.Count(page, `class="check-bad"`), outcome,
	}
}

// logIn begins a session of the console.
func (x *examiner) logIn() *http.Cookie {
	x.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	reply, err := client.PostForm(x.base+"/console/session", url.Values{"key": {x.key}})
	if err != nil {
		x.Fatal(err)
	}
	defer reply.Body.Close()
	if len(reply.Cookies()) != 1 {
		x.Fatalf("no session: %d", reply.StatusCode)
	}
	return reply.Cookies()[0]
}

func (x *examiner) refusesFlips(path string, e examined) {
	x.Helper()
	documents := func(flip int) verify.Documents {
		all := verify.Documents{}
		for i, d := range e.documents {
			if i == flip {
				d = bytes.Clone(d)
				d[len(d)/2] ^= 1
			}
			all.Add(d)
		}
		return all
	}
	for i := range e.documents {
		if _, err := verifyAnswer(x.Context(), e.answer, documents(i)); err == nil {
			x.Errorf("%s: a bit of document %d is flipped, and nobody notices", path, i)
		}
	}
	all, from, to := documents(-1), 0, bytes.Index(e.answer, []byte(`,"_verifiability"`))
	places := valuesIn(e.answer[from:to])
	if len(e.documents[0]) > 100_000 { // a bulk file: it is read anew each time
		places = places[:min(len(places), 3)]
	}
	for _, at := range places {
		flipped := bytes.Clone(e.answer)
		flipped[at] ^= 1
		if _, err := verifyAnswer(x.Context(), flipped, all); err == nil {
			x.Errorf("%s: a bit at %d is flipped, and nobody notices: …%s…", path, at, flipped[max(0, at-30):min(len(flipped), at+10)])
			return
		}
	}
}

// notInDocuments are members that no document says: the archive and the clock do, or they follow from others, such as
// the end of a week (see refusesLongerWeeks).
var notInDocuments = []string{"end_date", "first_seen", "revised", "announced", "next_cursor", "limit", "verdict", "reasons", "code", "message"}

// valuesIn are places inside of values of a JSON text: the middle of each, at most 24 of them.
func valuesIn(text []byte) []int {
	var all []int
	for i := 0; i < len(text); i++ {
		if text[i] != ':' || i == 0 || text[i-1] != '"' {
			continue
		}
		name := text[bytes.LastIndexByte(text[:i-1], '"')+1 : i-1]
		end := i + 1 + bytes.IndexAny(append(bytes.Clone(text[i+1:]), '}'), ",}]")
		value := text[i+1 : end]
		if slices.Contains(notInDocuments, string(name)) || len(bytes.Trim(value, `"[]{} `)) == 0 || bytes.Equal(value, []byte("null")) {
			continue
		}
		all = append(all, i+1+len(value)/2)
	}
	return all[:min(len(all), 24)]
}

// For each carrier, and each state's lookup and search: what the answer says stands in the very bytes that it names, and the
// command says so; one bit changed anywhere is refused.
func TestEveryAnswerStandsInItsEvidence(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	x := newExaminer(t)
	for _, c := range contracts.Carriers {
		path := "/v1/ltl/fuel-surcharge?weeks=1&carriers=" + string(c)
		var body contracts.Surcharge
		if err := json.Unmarshal(get(t, x.base+path, x.key), &body); err != nil {
			t.Fatal(err)
		}
		x.examine(path, []string{strconv.FormatFloat(body.Weeks[0].Percent, 'f', -1, 64)})
		x.refusesLongerWeeks(c)
	}
	past := fmt.Sprintf("/v1/ltl/fuel-surcharge?carriers=ODFL&as_of=%s", contracts.Today(time.Now()).AddDays(-21))
	x.examine(past, nil) // the archive knows where the document is kept in which it saw the week
	for _, q := range []struct {
		state       contracts.State
		number, dba string
	}{
		{contracts.CA, "400000", "cafe"}, {contracts.TX, "", "cafe"}, {contracts.TX, "", "grill"}, {contracts.NY, "", "cafe"},
		{contracts.FL, "", "cafe"}, {contracts.FL, "", "grill"}, {contracts.IL, "2-1100003", "cafe"},
	} {
		state, search := q.state, "/v1/abc/search?state="+string(q.state)+"&limit=5&dba_name="+q.dba
		var found contracts.Search
		if err := json.Unmarshal(get(t, x.base+search, x.key), &found); err != nil || len(found.Results) == 0 {
			t.Fatalf("%s: nothing is found, %v", search, err)
		}
		r := found.Results[0]
		x.examine(search, ascii(r.OwnerName))
		x.refusesVerdict(search, r.Verdict)
		number := r.LicenseNumber
		if q.number != "" {
			number = q.number
		}
		lookup := "/v1/abc/license/" + url.PathEscape(number) + "?state=" + string(state)
		var license contracts.License
		if err := json.Unmarshal(get(t, x.base+lookup, x.key), &license); err != nil {
			t.Fatal(err)
		}
		x.examine(lookup, ascii(license.Record.OwnerName))
		x.refusesVerdict(lookup, license.Verdict)
	}
}

// refusesLongerWeeks wants the ends of weeks to be verified, of those whose documents the answer names, and an end
// that is too late to be refused; and the week before in the place of the newest one, where one document shows both.
func (x *examiner) refusesLongerWeeks(c contracts.Carrier) {
	x.Helper()
	e := x.ask("/v1/ltl/fuel-surcharge?weeks=26&carriers=" + string(c))
	documents := e.given()
	var body contracts.Surcharge
	if err := json.Unmarshal(e.answer, &body); err != nil {
		x.Fatal(err)
	}
	isNamed := func(w contracts.SurchargeWeek) bool {
		return w.EvidenceSHA256 != nil && documents[*w.EvidenceSHA256].Body != nil
	}
	for !isNamed(body.Weeks[len(body.Weeks)-1]) {
		body.Weeks = body.Weeks[:len(body.Weeks)-1]
	}
	isRefused := func(weeks []contracts.SurchargeWeek, i int, end contracts.Date) bool {
		said := body
		said.Weeks = slices.Clone(weeks)
		said.Weeks[i].EndDate = end
		text, err := json.Marshal(said)
		if err != nil {
			x.Fatal(err)
		}
		_, err = verifyAnswer(x.Context(), text, documents)
		var refused *verify.Refused
		return errors.As(err, &refused)
	}
	if older := body.Weeks[1:]; len(older) > 0 && *older[0].EvidenceSHA256 == *body.Weeks[0].EvidenceSHA256 {
		if !isRefused(older, 0, "") || isRefused(older, 0, older[0].EndDate) {
			x.Errorf("%s: the week of %s is told as the newest, or is refused with its end", c, older[0].EffectiveDate)
		}
	}
	for _, i := range []int{0, 1, len(body.Weeks) - 1} {
		if i >= len(body.Weeks) {
			continue
		}
		late := body.Weeks[i].EffectiveDate.AddDays(10)
		if i > 0 {
			late = body.Weeks[i-1].EffectiveDate
		}
		if isRefused(body.Weeks, i, body.Weeks[i].EndDate) || !isRefused(body.Weeks, i, late) {
			x.Errorf("%s: the week of %s ends on %q, which is refused, or it may end on %s", c, body.Weeks[i].EffectiveDate, body.Weeks[i].EndDate, late)
		}
	}
}

// refusesVerdict wants a better verdict than what was read gives to be refused.
func (x *examiner) refusesVerdict(path string, is contracts.LicenseVerdict) {
	x.Helper()
	other := contracts.Pass
	if is == other {
		other = contracts.Fail
	}
	e := x.ask(path)
	documents := e.given()
	said := bytes.Replace(e.answer, []byte(`"verdict":"`+is+`"`), []byte(`"verdict":"`+other+`"`), 1)
	if _, err := verifyAnswer(x.Context(), said, documents); bytes.Equal(said, e.answer) || err == nil {
		x.Errorf("%s: %s is said for %s, and nobody notices", path, other, is)
	}
}

// ascii is a name that has the same bytes in every charset that sources use; nothing for another one.
func ascii(name string) []string {
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return nil
	}
	return []string{name}
}

// A week of which the answer names no document is refused by its name, and the others are verified all the same.
func TestWeeksWithoutADocument(t *testing.T) {
	t.Parallel()
	x := newExaminer(t)
	e := x.ask("/v1/ltl/fuel-surcharge?weeks=3&carriers=SAIA")
	var body contracts.Surcharge
	if err := json.Unmarshal(e.answer, &body); err != nil || len(body.Weeks) != 3 {
		t.Fatalf("%v %s", err, e.answer)
	}
	body.Weeks[1].EvidenceSHA256 = nil
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := verifyAnswer(t.Context(), text, e.given())
	said := strings.Join(lines, "\n")
	if err == nil || !strings.Contains(err.Error(), string(body.Weeks[1].EffectiveDate)+" of SAIA comes from the archive") ||
		!strings.Contains(said, string(body.Weeks[0].EffectiveDate)) || !strings.Contains(said, string(body.Weeks[2].EffectiveDate)) {
		t.Errorf("%v\n%s", err, said)
	}
}
