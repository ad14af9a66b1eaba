package gateway_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bus"
)

// verifier stands for the workers of a product: it says of the first value that it stands, and of the second that it does not.
func (s *system) verifier(env contracts.Environment, p contracts.Product) {
	s.t.Helper()
	handler := func(_ context.Context, r contracts.VerifyRequest) (contracts.Verification, error) {
		if !strings.Contains(string(r.Answer), "_verifiability") {
			return contracts.Verification{}, contracts.Invalid("body", "answer", "no_answer", "this is no answer")
		}
		return contracts.Verification{Checks: []contracts.Check{{Holds: true, Text: hostileName}, {Text: "refused: the percent"}}}, nil
	}
	s.serve("verifier-"+string(p), bus.Handle("verify", contracts.VerifySubject(env, p), handler))
}

// licenseAnswer is an answer that names a document, with hostile names in both.
func (s *system) licenseAnswer() (contracts.License, []byte) {
	s.t.Helper()
	number := "632923"
	e := s.keeps(contracts.Test, contracts.ABC, "text/html", "<table><tr><td>ACTIVE"+strings.Repeat("<tr><td>a long page", 100)+"<tr><td>"+number+
		"<td>ACTIVE<td>&lt;script&gt;document.title='x'&lt;/script&gt; \u202egnp.exe</table><script>document.title='y'</script>", number, "ACTIVE")
	answer := contracts.License{State: contracts.CA, LicenseNumber: number, Record: record(number)}
	answer.Record.DBAName, answer.Record.OwnerName = hostileName, strings.Repeat("A", 10_000)
	answer.Verifiability = contracts.Verifiability{
		SourceTimestamp: time.Now().UTC(), ExtractionConfidence: 1, RawDataEvidenceURL: "javascript:alert(1)", EvidenceSHA256: &e.SHA256,
		Evidence: []contracts.Evidence{e}, Notes: []contracts.Note{{Code: contracts.NoteSuspensionsNotReported, Message: hostileName}},
	}
	body, err := json.Marshal(answer)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer, body
}

// A person follows a link to a proof, logs in, sees the document with the value marked, brings the answer, reads the checks, and takes
// both home. What is hostile in either is text.
func TestAProofInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.verifier(contracts.Test, contracts.ABC)
	g := s.gateway(withConsole)
	key := s.key(func(r *keys.Record) { r.Limit = 1000 })
	answer, body := s.licenseAnswer()
	e := answer.Verifiability.Evidence[0]
	b := openBrowser(t)
	for _, l := range shown(journey) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visit(t, b, "/console/proof?id="+e.SHA256+"&at="+string(e.At)+"&find="+answer.LicenseNumber, l)
			v.logIn(key)
			if marked := v.eval(`Array.from(document.querySelectorAll("#document mark:not(.row)"), m => m.innerText + (m.closest(".row") ? " in the row" : "")).join()`); marked != answer.LicenseNumber+" in the row,ACTIVE in the row" {
				t.Errorf("marked is %s", marked)
			}
			if n := v.eval(`document.querySelectorAll(".exhibit .row").length`); n != "1" {
				t.Errorf("%s rows are outlined", n)
			}
			v.until(`(([page, asked]) => page.top < asked.top && asked.bottom < page.bottom)(
				Array.from(document.querySelectorAll(".exhibit, .exhibit .row"), e => e.getBoundingClientRect()))`)
			v.choose("#file", string(body))
			v.until(`document.querySelectorAll("#checks li").length === 2`)
			text := v.eval(`document.querySelector("main").innerText`)
			for _, want := range []string{"✗ refused: the percent", "Not verified.", e.SHA256, "gnp.exe"} {
				if !strings.Contains(text, want) {
					t.Errorf("the page lacks %s", want)
				}
			}
			if n := v.eval(`document.querySelectorAll("main script, main img, main a[href^=javascript]").length + " " + document.title`); n != "0 Proof · Assay" {
				t.Errorf("elements of a source, and the title: %s", n)
			}
			v.check()
			name, saved := v.download(`document.querySelector("#download").click()`)
			if got := decode[contracts.License](t, saved); name != "answer.json" || got.Record.DBAName != hostileName {
				t.Errorf("%s has %.200s", name, saved)
			}
			if name, saved := v.download(`document.querySelector("#document a").click()`); !strings.HasPrefix(name, "ODFL-"+e.SHA256[:12]) || !strings.HasPrefix(string(saved), "<table>") {
				t.Errorf("%s has %.200s", name, saved)
			}
			v.must(proto.EmulationSetEmulatedMedia{Media: "print"}.Call(v.tab))
			if seen := v.eval(`Array.from(document.querySelectorAll("header, .action, input"), e => e.checkVisibility()).includes(true) + " " +
				(document.querySelector(".exhibit").scrollHeight > document.querySelector(".exhibit").clientHeight)`); seen != "false false" {
				t.Errorf("on paper, something can be pressed, or the document is cut: %s", seen)
			}
		})
	}
}

// The page of a proof permits what the endpoints of evidence do.
func TestAProofIsOfOneProductAndEnvironment(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.verifier(contracts.Test, contracts.ABC)
	g := s.gateway(withConsole)
	answer, body := s.licenseAnswer()
	e := answer.Verifiability.Evidence[0]
	query := url.Values{"id": {e.SHA256}, "at": {string(e.At)}}.Encode()
	both, ltl, inLive := g.logIn(s.key()), g.logIn(s.key(products(contracts.LTL))), g.logIn(s.key(live))
	once := g.logIn(s.key(tenant("poor"), limit(1)))
	for _, c := range []struct {
		name, cookie, query string
		status              int
		shows               string
	}{
		{"its product", both, query, 200, "<mark>632923</mark>"},
		{"without the product", ltl, query, 403, "not subscribed"},
		{"live to test", inLive, query, 404, "no document"},
		{"no place", both, "id=" + e.SHA256, 404, "want id and at"},
		{"no hash", both, "id=%3Cscript%3E&at=1", 404, "want id and at"},
		{"beyond the last", both, "id=" + e.SHA256 + "&at=99", 404, "no document"},
		{"nothing", both, "", 200, "Choose an answer"},
		{"a question", both, "carrier=ODFL&as_of=2026-09-11", 200, "The fuel surcharge of ODFL on 2026-09-11"},
		{"its price", inLive, "state=CA&license_number=1", 200, "Get the answer for 0."},
		{"nobody", "x=y", query, 200, `name="to" value="/console/proof?at=`},
		{"within the limit", once, query, 200, "<mark>"},
		{"above the limit", once, query, 429, "is used up"},
	} {
		r := g.pageOf("/console/proof?"+c.query, "Cookie", c.cookie)
		if r.StatusCode != c.status || !strings.Contains(string(r.body), c.shows) || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", c.name, r.StatusCode, r.body)
		}
	}
	for name, c := range map[string]struct {
		cookie string
		status int
	}{"its product": {both, 200}, "without the product": {ltl, 403}, "live to test": {inLive, 404}, "nobody": {"x=y", 401}} {
		r := g.pageOf("/console/proof/document?"+query, "Cookie", c.cookie)
		if r.StatusCode != c.status || c.status == 200 && r.Header.Get("Content-Security-Policy") != "sandbox" {
			t.Errorf("the document, %s: %d %v", name, r.StatusCode, r.Header)
		}
	}
	for name, c := range map[string]struct {
		cookie, answer string
		status         int
		shows          string
	}{
		"checked":             {both, string(body), 200, "✗ refused: the percent"},
		"without the product": {ltl, string(body), 403, "not subscribed"},
		"of nobody's worker":  {inLive, string(body), 503, "This could not be checked"},
		"no JSON":             {both, "{", 422, "this is no JSON"},
		"no answer":           {both, `{"record":1}`, 422, "this is no answer"},
		"hostile JSON":        {both, `{"_verifiability":{"notes":[` + strings.Repeat("{},", 6000) + "{}]}}", 422, "6001 parts"},
		"nothing":             {both, "", 422, "choose a file"},
		"too large":           {both, strings.Repeat(" ", contracts.MaxVerified+1), 413, "the answer is larger"},
		"much too large":      {both, strings.Repeat(" ", 2*contracts.MaxVerified), 413, "the form is larger"},
		"without a session":   {"", string(body), 401, "API key"},
	} {
		if r := g.sendForm("/console/proof", c.cookie, url.Values{"answer": {c.answer}}); r.StatusCode != c.status || !strings.Contains(string(r.body), c.shows) {
			t.Errorf("checks, %s: %d %.3000s", name, r.StatusCode, r.body)
		}
	}
}

// A page of another site cannot make the console pay, change or tell anything, by form or by script, with a session that the browser
// has.
func TestAnotherSiteGetsNothingOfTheConsole(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	g := s.gateway(withConsole)
	key := s.key(live)
	// A token that another session of the same key was given does not help.
	token := string(tokenField.FindSubmatch(g.pageOf("/console/audit", "Cookie", g.logIn(key), "Accept-Encoding", "identity").body)[1])
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>evil</title><form id=pay method=post enctype=text/plain action="%[1]s/v1/ltl/audit"><input name=id></form>
<form id=out method=post action="%[1]s/console/session"><input name=end value=1></form><form id=see action="%[1]s/v1/ltl/carriers"></form>
<form id=draw method=post action="%[1]s/console/surcharges"><input name=as_of value="%[2]s"></form>
<form id=in method=post action="%[1]s/console/session"><input name=key value="%[3]s"></form>
<form id=look method=post action="%[1]s/console/licenses"><input name=state value=CA><input name=license_number value=632923><input name=token value="%[4]s"></form>
<form id=audit method=post enctype=multipart/form-data action="%[1]s/console/audit"><input name=step value=audit><input name=content value="%[5]s"><input name=token value="%[4]s"></form>
<form id=prove method=post action="%[1]s/console/proof?carrier=ODFL&as_of=%[2]s"><input name=step value=get></form>`,
			g.url, archivedFirst, key, token, base64.StdEncoding.EncodeToString([]byte(consoleInvoices())))
	}))
	defer evil.Close()
	v := g.visit(t, openBrowser(t), "/console/account", look{width: 1440})
	v.logIn(key)
	// Same host, another port: the site is the same, so SameSite alone does not stop the cookie.
	for _, form := range []string{"pay", "out", "see", "draw", "in", "look", "audit", "prove"} {
		v.goTo(evil.URL)
		v.eval(`document.getElementById("` + form + `").submit()`)
		v.until(`location.port !== "` + evil.URL[strings.LastIndex(evil.URL, ":")+1:] + `" && document.readyState === "complete"`)
		if text := v.eval("document.body.innerText"); !strings.Contains(text, "UNAUTHORIZED") && !strings.Contains(text, "UNSUPPORTED_MEDIA_TYPE") {
			t.Errorf("%s: %s", form, text)
		}
	}
	v.goTo(evil.URL)
	for _, path := range []string{"/console/audit", "/console/licenses", "/console/proof"} {
		got := v.eval(`fetch("` + g.url + path + `", {method: "POST", credentials: "include", mode: "no-cors", body: new FormData(document.getElementById("audit"))}).then(r => r.type + " " + r.status, () => "refused")`)
		if got != "opaque 0" {
			t.Errorf("%s: %s", path, got)
		}
	}
	for _, options := range []string{
		`{method: "POST", credentials: "include", body: "x"}`,
		`{method: "POST", credentials: "include", mode: "no-cors", body: "x"}`,
		`{method: "POST", credentials: "include", headers: {"X-Assay-Console": "1", "Content-Type": "text/csv"}, body: "id,carrier,ship_date\n"}`,
	} {
		got := v.eval(`fetch("` + g.url + auditPath + `", ` + options + `).then(r => r.type + " " + r.status, () => "refused")`)
		if got != "refused" && got != "opaque 0" {
			t.Errorf("%s: %s", options, got)
		}
	}
	s.billed(0)
	if sums, err := usage.Sums(t.Context(), s.js, time.Now()); err != nil || len(sums) != 0 {
		t.Errorf("%v: %+v is on the bill", err, sums)
	}
	v.goTo(g.url + accountPage)
	if text := v.eval("document.body.innerText"); !strings.Contains(text, "Log out") {
		t.Error("another site has ended the session")
	}
}
