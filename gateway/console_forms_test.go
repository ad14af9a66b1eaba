package gateway_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
)

// visitWithoutScripts opens a page of the console in a window without scripts, and logs in.
func (g *runningGateway) visitWithoutScripts(t *testing.T, b *rod.Browser, path, key string, l look) *visit {
	t.Helper()
	v := g.window(t, b, l)
	v.setScripts(false)
	v.goTo(g.url + path)
	v.write("#key", key)
	v.press("main form button")
	return v
}

func (v *visit) setScripts(on bool) {
	v.t.Helper()
	v.must(proto.EmulationSetScriptExecutionDisabled{Value: !on}.Call(v.tab))
}

// write fills a field without the help of scripts in the page.
func (v *visit) write(selector, text string) {
	v.t.Helper()
	v.eval(fmt.Sprintf(`document.querySelector(%q).value = %q`, selector, text))
}

// checkStill is check of a page whose own scripts did not run. Those of the check do.
func (v *visit) checkStill() {
	v.t.Helper()
	v.setScripts(true)
	v.check()
	v.setScripts(false)
}

// press presses a button or a link, and waits for the page that comes.
func (v *visit) press(selector string) {
	v.t.Helper()
	wait := v.tab.WaitNavigation(proto.PageLifecycleEventNameLoad)
	v.eval(`document.querySelector('` + selector + `').click()`)
	wait()
}

// has fails when the page lacks a text.
func (v *visit) has(texts ...string) {
	v.t.Helper()
	page := v.eval(`document.querySelector("main").innerText`)
	for _, text := range texts {
		if !strings.Contains(page, text) {
			v.t.Errorf("the page lacks %q: %.2000s", text, page)
		}
	}
}

// Without scripts a person looks a license up and opens its proof; searches, turns the page, and looks up a license of it; has invoices
// audited and takes the CSV home. Hostile words of a source and of a file are text.
func TestTheConsoleWithoutScripts(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	s.verifier(contracts.Test, contracts.ABC)
	s.archiveWorker(contracts.Live)
	answer, _ := s.licenseAnswer()
	w.evidence.Store(&answer.Verifiability.Evidence)
	matches := *licenses(100, 30)
	matches[0].DBAName, matches[1].OwnerName = hostileName, strings.Repeat("A", 10_000)
	w.matches.Store(&matches)
	g := s.gateway(withConsole)
	testKey, liveKey := s.key(func(r *keys.Record) { r.Limit = 1000 }), s.key(live)
	b := openBrowser(t)
	for _, l := range shown([]look{{width: 360, dark: true}, {width: 1440}}) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visitWithoutScripts(t, b, "/console/licenses", testKey, l)
			v.provesALicense()
			v.searches()
			g.visitWithoutScripts(t, b, "/console/audit", liveKey, l).auditsInvoices()
		})
	}
	s.billed(3) // of two audits of the same file, and two CSVs of the result
}

func (v *visit) provesALicense() {
	v.t.Helper()
	v.write("#number", "632923")
	v.press("#lookup button")
	v.isAt("#message")
	v.has("One license.", "EXAMPLE OWNER LLC", "0.90")
	v.checkStill()
	v.press("#to-proof button")
	v.has("The license 632923 of CA", "EXAMPLE OWNER LLC", "✗ refused: the percent", "Not verified.")
	if marked := v.eval(`document.querySelector("#document mark.row mark").innerText`); marked != "632923" {
		v.t.Errorf("marked is %s", marked)
	}
	v.checkStill()
	if name, saved := v.download(`document.querySelector("#download").click()`); name != "answer.json" || decode[contracts.License](v.t, saved).LicenseNumber != "632923" {
		v.t.Errorf("%s has %.200s", name, saved)
	}
}

func (v *visit) searches() {
	v.t.Helper()
	v.press(`nav a[href="/console/licenses"]`)
	v.write("#dba_name", "bar")
	v.press("#search button")
	v.has("Page 1: 25 of 30 matches.", "gnp.exe", "<script>document.title", strings.Repeat("A", 10_000))
	if n := v.eval(`document.querySelectorAll("main script, main img, #records a").length + " " + document.title`); n != "0 Licenses · Assay" {
		v.t.Errorf("elements of a source, and the title: %s", n)
	}
	v.checkStill()
	v.press("#more")
	v.has("Page 2: 5 of 30 matches.")
	if rows := v.downloadCSV(`document.querySelector("#csv").click()`); len(rows) != 1+5 {
		v.t.Errorf("the CSV has %d rows", len(rows))
	}
	v.press("#back")
	v.has("Page 1: 25 of 30 matches.")
	v.press("#more")
	v.press(`#records [value="47-129"]`)
	v.has("One license.", "47-129")
	v.checkStill()
}

func (v *visit) auditsInvoices() {
	v.t.Helper()
	v.checkStill()
	v.choose("#file", consoleInvoices())
	v.press("#pay")
	v.isAt("#quote-title")
	v.has("6 lines: 3 will get a verdict, at 0.003 USD each; 3 cannot be judged and are free. Price: 0.009 USD.")
	v.checkStill()
	v.press("#confirm")
	v.isAt("#result-title")
	v.has("31.60 USD", "line 5: id: invisible characters", "line 6: pro_number: at most 200", "Lines 1 to 3 of 3.")
	ids := v.eval(`Array.from(document.querySelectorAll("#lines tbody tr"), r => r.cells[0].innerText + " " + r.cells[8].innerText).join("; ")`)
	if want := "=cmd|' /C calc'!A0 20.90; small 10.70; <script>document.title='x'</script> 0.00"; ids != want {
		v.t.Errorf("the lines are %s", ids)
	}
	if n := v.eval(`document.querySelectorAll("main script, main img").length + " " + document.title`); n != "0 Audit · Assay" {
		v.t.Errorf("elements of a file, and the title: %s", n)
	}
	v.checkStill()
	name, content := v.download(`document.querySelector("#save").click()`)
	if rows, _ := auditedRows(v.t, withoutMark(v.t, content)); !strings.HasPrefix(name, "audit-ODFL-") || len(rows) != 6 {
		v.t.Errorf("%s has %v", name, rows)
	}
	v.press("#lines a")
	v.has("The fuel surcharge of ODFL", "Fuel surcharge %", "Download the answer")
	if n := v.eval(`document.querySelectorAll("#get").length`); n != "0" {
		v.t.Error("the proof of a line that is paid asks for a further answer")
	}
	v.press(`nav a[href="/console/audit"]`)
	v.press("#kept tbody a")
	v.isAt("#result-title")
	v.has("31.60 USD")
	v.press(`#kept button[name="delete"]`)
	if kept := v.eval(`document.querySelectorAll("#kept, #result").length`); kept != "0" {
		v.t.Errorf("%s parts of the audit are left", kept)
	}
}

// sendFile sends a form with a file, as a browser does.
func (g *runningGateway) sendFile(path, cookie string, fields map[string]string, content []byte) *response {
	g.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	token := tokenField.FindSubmatch(g.pageOf(path, "Cookie", cookie, "Accept-Encoding", "identity").body)
	fields["token"] = string(token[1])
	for name, value := range fields {
		_ = form.WriteField(name, value)
	}
	file, err := form.CreateFormFile("file", "a \"b\"\r\n.csv")
	if err != nil {
		g.t.Fatal(err)
	}
	_, _ = file.Write(content)
	_ = form.Close()
	r, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.url+path, &body)
	if err != nil {
		g.t.Fatal(err)
	}
	answer, err := g.send(r, []string{"Content-Type", form.FormDataContentType(), "Cookie", cookie, "Accept-Encoding", "identity"})
	if err != nil {
		g.t.Fatal(err)
	}
	return answer
}

// A form is audited once however it is sent, by scripts or without; a large result is shown in pages; what is too large, and what is no
// file, is refused in the API's words and costs nothing.
func TestAuditsByForm(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	g := s.gateway(withConsole)
	key := s.key(live)
	cookie := g.logIn(key)
	file := auditFile(1000)
	fields := func(step string) map[string]string {
		return map[string]string{"step": step, "tolerance_points": "0", "tolerance_amount": "0.01"}
	}
	for name, c := range map[string]struct {
		fields  map[string]string
		content []byte
		status  int
		text    string
	}{
		"a price":            {fields(""), []byte(file), 200, "1000 lines: "},
		"the match":          {fields(""), []byte("SCAC,Pickup,Fuel\nODFL,9/25/2026,31\n"), 422, `<option value="#2" selected>Pickup</option>`},
		"no lines":           {fields("audit"), []byte("id,carrier\r\n"), 422, "no column is known as ship_date"},
		"a wrong tolerance":  {map[string]string{"step": "audit", "tolerance_points": "<b>"}, []byte(file), 422, "tolerance_points: "},
		"more than 5 MB":     {fields("audit"), bytes.Repeat([]byte("a"), 5<<20+1), 413, "the body is larger than 5242880 bytes"},
		"much more":          {fields("audit"), bytes.Repeat([]byte("a"), 8<<20), 413, "REQUEST_TOO_LARGE"},
		"a content not ours": {map[string]string{"step": "audit", "content": "!"}, nil, 422, "not the content of a file"},
	} {
		if r := g.sendFile("/console/audit", cookie, c.fields, c.content); r.StatusCode != c.status || !strings.Contains(string(r.body), c.text) {
			t.Errorf("%s: %d %.3000s", name, r.StatusCode, r.body)
		}
	}
	sent := g.sendFile("/console/audit", cookie, fields("audit"), []byte(file))
	address := sent.Request.URL.RequestURI()
	content := fields("audit")
	content["content"] = base64.StdEncoding.EncodeToString([]byte(file))
	again := g.sendFile("/console/audit", cookie, content, nil).Request.URL.RequestURI()
	if id, ok := strings.CutPrefix(address, "/console/audit?id="); sent.StatusCode != 200 || !ok || len(id) != 32 || again != address {
		t.Fatalf("%d %s, and again %s", sent.StatusCode, address, again)
	}
	open := func(cookie, address string) *response {
		return g.pageOf(address, "Cookie", cookie, "Accept-Encoding", "identity")
	}
	saved := open(cookie, address+"&save=csv")
	rows, totals := auditedRows(t, withoutMark(t, saved.body))
	if name := saved.Header.Get("Content-Disposition"); len(rows) != 1000 || !strings.HasPrefix(name, fmt.Sprintf("attachment; filename=audit-%d-carriers-", len(contracts.Carriers))) {
		t.Errorf("%d rows, the CSV is %q", len(rows), name)
	}
	first, second := string(open(cookie, address).body), string(open(cookie, address+"&from=200").body)
	if !strings.Contains(first, "Lines 1 to 200 of ") || !strings.Contains(second, "Lines 201 to 400 of ") || !strings.Contains(second, `from=400#lines-title`) {
		t.Errorf("%.3000s", second)
	}
	for name, c := range map[string]struct {
		cookie, address string
		status          int
		text            string
	}{
		"nobody":               {"", address + "&from=200", 200, `name="to" value="` + strings.ReplaceAll(address, "&", "&amp;") + `&amp;from=200"`},
		"another tenant":       {g.logIn(s.key(live, tenant("other"))), address, 404, "no audit with this id is kept"},
		"the test environment": {g.logIn(s.key()), address, 404, "no audit with this id is kept"},
		"another product":      {g.logIn(s.key(live, products(contracts.ABC))), address, 200, "not subscribed"},
		"no id":                {cookie, "/console/audit?id=../x", 404, "no audit with this id is kept"},
	} {
		if r := open(c.cookie, c.address); r.StatusCode != c.status || !strings.Contains(string(r.body), c.text) || strings.Contains(string(r.body), "Lines 1 to") {
			t.Errorf("%s: %d %.3000s", name, r.StatusCode, r.body)
		}
	}
	s.billed(1000 - totals["INVALID"] - totals["DUPLICATE"] - totals["UNRESOLVED"])
}

// A form that may cost something needs the token of its own session, whatever a browser says of its origin; permissions and limits are
// those of the API.
func TestFormsNeedTheTokenOfTheirSession(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	g := s.gateway(withConsole)
	key := s.key()
	cookie, other := g.logIn(key), g.logIn(key)
	token := string(tokenField.FindSubmatch(g.pageOf("/console/licenses", "Cookie", other, "Accept-Encoding", "identity").body)[1])
	lookup := url.Values{"state": {"CA"}, "license_number": {"632923"}}
	poor := g.logIn(s.key(tenant("poor"), limit(1)))
	for _, c := range []struct {
		name, cookie string
		more         url.Values
		headers      []string
		status       int
		text         string
	}{
		{"its own", cookie, nil, nil, 200, "One license."},
		{"no token", cookie, url.Values{"token": {""}}, nil, 401, "made for another session"},
		{"of another session of its key", cookie, url.Values{"token": {token}}, nil, 200, "One license."},
		{"of another key", poor, url.Values{"token": {token}}, nil, 401, "made for another session"},
		{"changed", cookie, url.Values{"token": {token + "A"}}, nil, 401, "made for another session"},
		{"the session itself", cookie, url.Values{"token": {strings.TrimPrefix(cookie, "assay-console=")}}, nil, 401, "made for another session"},
		{"from another site", cookie, nil, []string{"Sec-Fetch-Site", "cross-site"}, 401, "pages of this site only"},
		{"from the site beside", cookie, nil, []string{"Sec-Fetch-Site", "same-site"}, 401, "pages of this site only"},
		{"from an older browser", cookie, nil, []string{"Origin", "https://evil.example"}, 401, "pages of this site only"},
		{"a key and no session", "", url.Values{"token": {token}}, []string{"X-Api-Key", key}, 401, "made for another session"},
		{"nobody", "", nil, nil, 401, "API key"},
		{"another product", g.logIn(s.key(products(contracts.LTL))), nil, nil, 403, "not subscribed"},
		{"an unknown license", cookie, url.Values{"license_number": {"999999"}}, nil, 404, "NOT_FOUND"},
		{"a path", cookie, url.Values{"license_number": {"../../ltl/carriers?x"}}, nil, 422, "license_number: "},
		{"no filter", cookie, url.Values{"license_number": nil, "dba_name": {""}}, nil, 422, "dba_name"},
		{"a large form", cookie, url.Values{"x": {strings.Repeat("x", 80_000)}}, nil, 413, "REQUEST_TOO_LARGE"},
		{"within the limit", poor, nil, nil, 200, "One license."},
		{"above the limit", poor, nil, nil, 429, "RATE_LIMITED"},
	} {
		form := url.Values{}
		for _, from := range []url.Values{lookup, c.more} {
			for name, values := range from {
				form[name] = values
			}
		}
		if form["license_number"] == nil {
			form.Del("license_number")
		}
		asked := w.asked.Load()
		r := g.sendForm("/console/licenses", c.cookie, form, c.headers...)
		if r.StatusCode != c.status || !strings.Contains(string(r.body), c.text) || slices.Contains([]int{401, 413}, c.status) && w.asked.Load() != asked {
			t.Errorf("%s: %d %.3000s", c.name, r.StatusCode, r.body)
		}
		if r.StatusCode != http.StatusUnauthorized && r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", c.name, r.Header)
		}
	}
}
