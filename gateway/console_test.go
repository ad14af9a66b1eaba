package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/session"
	"assay.dev/gateway/usage"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/kv"
)

// withConsole gives all gateways one secret.
func withConsole(c *gateway.Config) {
	c.ConsoleSecret = daemon.Secret(strings.Repeat("one secret for all ", 3))
}

// submit sends a form as a browser does, without following where it leads.
func (g *runningGateway) submit(path string, form url.Values, headers ...string) *response {
	g.t.Helper()
	return g.submitBody(path, "application/x-www-form-urlencoded", form.Encode(), headers...)
}

// submitBody sends a body without a key.
func (g *runningGateway) submitBody(path, mediaType, body string, headers ...string) *response {
	g.t.Helper()
	r, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.url+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	r.Header.Set("Content-Type", mediaType)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := g.client.Transport.RoundTrip(r)
	if err != nil {
		g.t.Fatal(err)
	}
	answer.Body.Close()
	return &response{Response: answer}
}

// logIn is the cookie of a session of the key, as a Cookie header has it.
func (g *runningGateway) logIn(key string) string {
	g.t.Helper()
	r := g.submit("/console/session", url.Values{"key": {" " + key + "\n"}, "to": {"/console/licenses"}}, "Sec-Fetch-Site", "same-origin")
	cookies := r.Cookies()
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/console/licenses" || len(cookies) != 1 || strings.Contains(cookies[0].Value, key) {
		g.t.Fatalf("%d %v", r.StatusCode, r.Header)
	}
	return cookies[0].Name + "=" + cookies[0].Value
}

const accountPage = "/console/account"

// isLoggedIn tells whether a gateway shows the account to a session.
func (g *runningGateway) isLoggedIn(cookie string) bool {
	g.t.Helper()
	r := g.pageOf(accountPage, "Cookie", cookie)
	if r.StatusCode != 200 || r.Header.Get("Cache-Control") != "no-store" {
		g.t.Fatalf("%d %v", r.StatusCode, r.Header)
	}
	return strings.Contains(string(r.body), "Log out")
}

// Two gateways share a session, and a revoked key's session ends at both.
func TestSessionsEndWithTheirKeys(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	one, other := s.gateway(withConsole), s.gateway(withConsole)
	stranger := s.gateway(func(c *gateway.Config) { c.ConsoleSecret = daemon.Secret(strings.Repeat("another secret ", 3)) })
	key := s.key()
	cookie := one.logIn(key)
	if !one.isLoggedIn(cookie) || !other.isLoggedIn(cookie) || stranger.isLoggedIn(cookie) || one.isLoggedIn("") {
		t.Error("the session is not known where it should be, or where it should not")
	}
	if err := s.keys.Revoke(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	revoked := time.Now()
	for _, g := range []*runningGateway{one, other} {
		clocktest.Await(t, "the keys as they are now", func() bool { return g.knowsKeysOf(revoked) })
		if g.isLoggedIn(cookie) {
			t.Error("the session goes on")
		}
	}
	if r := one.get("", surchargePath, "Cookie", cookie, session.Header, "1"); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("%d", r.StatusCode)
	}
}

// A session that was ended is over for every copy of its cookie, at all gateways; another session of the same key goes on.
func TestASessionThatEndedStaysEnded(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	one, other := s.gateway(withConsole), s.gateway(withConsole)
	key := s.key()
	for name, end := range map[string]func(cookie string) int{
		"by the form": func(cookie string) int {
			return one.submit("/console/session", url.Values{"end": {"1"}}, "Sec-Fetch-Site", "same-origin", "Cookie", cookie).StatusCode
		},
		"by a script": func(cookie string) int {
			return one.do(http.MethodDelete, "", "/console/session", "Cookie", cookie, session.Header, "1").StatusCode
		},
	} {
		t.Run(name, func(t *testing.T) {
			copied, kept := one.logIn(key), one.logIn(key)
			if !one.isLoggedIn(copied) || !other.isLoggedIn(copied) {
				t.Fatal("the session is not known")
			}
			if status := end(copied); status != http.StatusSeeOther && status != http.StatusNoContent {
				t.Fatalf("the end: %d", status)
			}
			if one.isLoggedIn(copied) || !one.isLoggedIn(kept) {
				t.Error("the copy goes on, or the other session does not")
			}
			clocktest.Await(t, "the copy ends at the other gateway", func() bool { return !other.isLoggedIn(copied) })
			if r := one.get("", surchargePath, "Cookie", copied, session.Header, "1"); r.StatusCode != http.StatusUnauthorized {
				t.Errorf("%d", r.StatusCode)
			}
		})
	}
	last := one.logIn(key)
	s.nats.Shutdown()
	r := one.submit("/console/session", url.Values{"end": {"1"}}, "Sec-Fetch-Site", "same-origin", "Cookie", last)
	if taken := r.Header.Get("Set-Cookie"); r.StatusCode != http.StatusServiceUnavailable || !strings.Contains(taken, "Max-Age=0") {
		t.Errorf("a session that cannot be ended stays in the browser: %d %q", r.StatusCode, taken)
	}
}

// Of several cookies the first that opens counts: one that somebody planted does not log a person out. Under TLS the cookie has a name
// that no site below our domain can set.
func TestTheFirstCookieThatOpensCounts(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withConsole)
	cookie := g.logIn(s.key())
	if !g.isLoggedIn("assay-console=planted; "+cookie) || !g.isLoggedIn(cookie+"; assay-console=planted") {
		t.Error("a planted cookie logs out")
	}
	if g.isLoggedIn("__Host-" + cookie) {
		t.Error("a cookie of TLS counts without it")
	}
	key := s.key()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url+"/console/session", strings.NewReader(url.Values{"key": {key}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "console.example"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := g.client.Transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	behind := s.gateway(withConsole, func(c *gateway.Config) { c.TrustedProxies = gateway.Proxies{netip.MustParsePrefix("192.0.2.0/24")} })
	byProxy := behind.submit("/console/session", url.Values{"key": {key}}, "Sec-Fetch-Site", "same-origin")
	for _, answer := range []*http.Response{answer, byProxy.Response} {
		cookies := answer.Cookies()
		if len(cookies) != 1 || cookies[0].Name != "__Host-assay-console" || !cookies[0].Secure || cookies[0].Path != "/" || cookies[0].Domain != "" {
			t.Errorf("%v", answer.Header)
		}
	}
}

// Whatever needs a key needs the console's header beside a session.
func TestASessionAlonePaysNothing(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway(withConsole)
	cookie := g.logIn(s.key(products(contracts.LTL)))
	target := surchargePath + "?carriers=ODFL"
	for name, c := range map[string]struct {
		target  string
		headers []string
		status  int
	}{
		"a session alone":           {target, []string{"Cookie", cookie}, 401},
		"with the header":           {target, []string{"Cookie", cookie, session.Header, "1"}, 200},
		"the header alone":          {target, []string{session.Header, "1"}, 401},
		"a session that is changed": {target, []string{"Cookie", cookie + "x", session.Header, "1"}, 401},
		"a product it lacks":        {"/v1/abc/states", []string{"Cookie", cookie, session.Header, "1"}, 403},
		"another cookie":            {target, []string{"Cookie", "x=y", session.Header, "1"}, 401},
	} {
		if r := g.get("", c.target, c.headers...); r.StatusCode != c.status {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.body)
		}
	}
	if r := g.get(s.key(), target, "Cookie", cookie+"x"); r.StatusCode != 200 {
		t.Errorf("a key beside a session that has ended: %d", r.StatusCode)
	}
}

// No form of another web site can log somebody in or out.
func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withConsole)
	key := s.key()
	for name, c := range map[string]struct {
		form    url.Values
		headers []string
		status  int
	}{
		"our own":                 {url.Values{"key": {key}}, []string{"Sec-Fetch-Site", "same-origin", "Origin", g.url}, 303},
		"an older browser":        {url.Values{"key": {key}}, []string{"Origin", g.url}, 303},
		"another site":            {url.Values{"key": {key}}, []string{"Sec-Fetch-Site", "cross-site"}, 401},
		"a site beside ours":      {url.Values{"key": {key}}, []string{"Sec-Fetch-Site", "same-site"}, 401},
		"another site, older":     {url.Values{"key": {key}}, []string{"Origin", "https://evil.example"}, 401},
		"another site logs out":   {url.Values{"end": {"1"}}, []string{"Sec-Fetch-Site", "cross-site"}, 401},
		"we log out":              {url.Values{"end": {"1"}}, []string{"Sec-Fetch-Site", "same-origin"}, 303},
		"a key that is none":      {url.Values{"key": {"test_x"}}, nil, 401},
		"a key that is not known": {url.Values{"key": {strings.Repeat("k", 40)}}, nil, 401},
		"no key":                  {url.Values{}, nil, 401},
		"a large form":            {url.Values{"key": {strings.Repeat("k", 2000)}}, nil, 413},
		"a larger form":           {url.Values{"key": {strings.Repeat("k", 8000)}}, nil, 413},
	} {
		r := g.submit("/console/session", c.form, c.headers...)
		began := len(r.Cookies()) == 1 && r.Cookies()[0].MaxAge > 0
		if r.StatusCode != c.status || began != (c.status == 303 && c.form.Has("key")) {
			t.Errorf("%s: %d %v", name, r.StatusCode, r.Header)
		}
	}
	if r := g.submit("/console/session", url.Values{"key": {key}, "to": {"https://evil.example/"}}); r.Header.Get("Location") != accountPage {
		t.Errorf("a log-in leads to %s", r.Header.Get("Location"))
	}
	for header, want := range map[string]int{"": 401, session.Header: 204} {
		r, err := g.try(http.MethodDelete, "", "/console/session", header, "1")
		if header == "" {
			r, err = g.try(http.MethodDelete, "", "/console/session")
		}
		if err != nil || r.StatusCode != want {
			t.Errorf("DELETE with %q: %v %d", header, err, r.StatusCode)
		}
	}
	if r := g.do(http.MethodPut, "", "/console/session"); r.StatusCode != 405 || !strings.Contains(r.Header.Get("Allow"), "POST") {
		t.Errorf("PUT: %d, allowed %s", r.StatusCode, r.Header.Get("Allow"))
	}
}

// Without a secret there is no console.
func TestNoConsole(t *testing.T) {
	t.Parallel()
	g := newSystem(t).gateway()
	for _, path := range []string{"/console", accountPage, "/console/licenses", "/console/session"} {
		if r := g.pageOf(path); r.StatusCode != 404 {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
	if strings.Contains(string(g.pageOf("/").body), "/console") {
		t.Error("the home page leads to the console")
	}
	if err := (gateway.Config{ConsoleSecret: "short"}).Validate(); err == nil || !strings.Contains(err.Error(), "ASSAY_CONSOLE_SECRET has 5") {
		t.Errorf("a short secret: %v", err)
	}
}

// The account shows the tenant's keys of its environment, and nobody else's.
func TestTheAccountShowsItsOwn(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withConsole)
	others := []string{s.key(tenant("rival")), s.key(live)}
	mine, second := s.key(), s.key(products(contracts.LTL))
	cookie := g.logIn(mine)
	var page string
	shows := func(key string) bool { return strings.Contains(page, "…<bdi>"+key[len(key)-4:]+"</bdi>") }
	clocktest.Await(t, "the gateway has heard of both keys", func() bool {
		page = string(g.pageOf(accountPage, "Cookie", cookie).body)
		return shows(mine) && shows(second)
	})
	for _, key := range []string{mine, second} {
		if strings.Contains(page, key) {
			t.Errorf("the page shows all of %s", key[len(key)-4:])
		}
	}
	for _, key := range others {
		if shows(key) {
			t.Errorf("the page shows another's key %s", key[len(key)-4:])
		}
	}
}

// What test keys were answered is counted apart from what is charged. A test key sees nothing of the charges.
func TestTheAccountCountsTestsApart(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withConsole)
	for _, e := range []usage.Event{
		{ID: "1", Tenant: "acme", Product: contracts.LTL, At: time.Now().UTC()},
		{ID: "2", Tenant: "acme", Product: contracts.LTL, Tested: 7, TestedAt: time.Now().UTC()},
		{ID: "3", Tenant: "acme", Product: contracts.ABC, Tested: 4, TestedAt: time.Now().UTC()},
	} {
		event, err := json.Marshal(e)
		if err == nil {
			_, err = s.js.Publish(t.Context(), contracts.UsageSubject(e.Product).Name, event)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for key, charged := range map[string]bool{s.key(tenant("acme")): false, s.key(live, tenant("acme")): true} {
		cookie := g.logIn(key)
		var page string
		clocktest.Await(t, "the answers are counted", func() bool {
			page = string(g.pageOf(accountPage, "Cookie", cookie).body)
			return strings.Contains(page, "Answers to test keys in ") && strings.Contains(page, ": 11. They cost nothing")
		})
		if strings.Contains(page, "<strong>0.03 USD</strong>") != charged || strings.Contains(page, "By day and product") != charged {
			t.Errorf("charged %v: %s", charged, page)
		}
	}
}

// hostileAccount writes past the checks what no part of Assay writes: a key's record and a billed answer with hostile words. A hostile
// name of a tenant is no record: such a key cannot be verified.
func (s *system) hostileAccount(key, tenant string) (refused string) {
	s.t.Helper()
	must := func(err error) {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	bucket, err := kv.Open(s.t.Context(), s.js, contracts.KeysBucket)
	must(err)
	words := hostileName + strings.Repeat("A", 10_000)
	put := func(key string, r keys.Record) {
		hash, err := keys.Parse(key)
		must(err)
		r.Environment, r.Limit, r.Products = contracts.Live, 1000, contracts.Products
		value, err := json.Marshal(r)
		must(err)
		_, err = bucket.Put(s.t.Context(), hash.String(), value)
		must(err)
	}
	put(key, keys.Record{Tenant: tenant, Last4: words})
	refused = strings.Repeat("k", 40) // as a marketplace's key may look
	put(refused, keys.Record{Tenant: words})
	event, err := json.Marshal(usage.Event{ID: "1", Tenant: tenant, Product: contracts.Product(words), Route: words, At: time.Now().UTC()})
	must(err)
	_, err = s.js.Publish(s.t.Context(), contracts.UsageSubject(contracts.LTL).Name, event)
	must(err)
	return refused
}

// The account page shows hostile words of a record and of the bill as text, and so does the log-in page with what a form sent. The
// longest name of a tenant fits.
func TestHostileTextOnTheAccountPage(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withConsole)
	longest := strings.Repeat("a@:._-", 16) + "mona"
	key := s.key(live, tenant(longest))
	refused := s.hostileAccount(key, longest)
	clocktest.Await(t, "the hostile bill is known", func() bool {
		return strings.Contains(string(g.pageOf(accountPage, "Cookie", g.logIn(key)).body), "&lt;script&gt;document")
	})
	b := openBrowser(t)
	for _, l := range shown([]look{{width: 360, dark: true}, {width: 1440}}) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visit(t, b, accountPage+"?to="+url.QueryEscape(`"><script>document.title="x"</script>`), l)
			v.must(v.tab.MustElement("#key").Input(refused))
			v.eval(`(document.querySelector("[name=to]").value = '"><img src=x>', document.querySelector("main form button").click())`)
			v.until(`document.querySelector("[role=alert]")?.textContent.includes("cannot be verified")`)
			v.mu.Lock()
			v.wrong = slices.DeleteFunc(v.wrong, func(w string) bool { return strings.Contains(w, "status of 401") }) // the refusal itself
			v.mu.Unlock()
			v.check()
			v.logIn(key)
			v.eval(`document.querySelector("details.figures").open = true`)
			v.check()
			text := v.eval(`document.querySelector("main").innerText`)
			for _, want := range []string{longest, "…<scr", strings.Repeat("A", 10_000)} {
				if !strings.Contains(text, want) {
					t.Errorf("the page lacks %.60s: %.600s", want, text)
				}
			}
			if n := v.eval(`document.querySelectorAll("main script, main img").length + " " + document.title`); n != "0 Account · Assay" {
				t.Errorf("elements of a record, and the title: %s", n)
			}
		})
	}
}

// A person logs in, looks a license up, searches, pages through, and logs out.
func TestTheConsoleInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	hostile := *licenses(100, 30)
	hostile[0].DBAName, hostile[0].OwnerName, hostile[0].Address.Raw = hostileName, strings.Repeat("A", 10_000), "javascript:alert(1)"
	w.matches.Store(&hostile)
	g := s.gateway(withConsole)
	key := s.key(func(r *keys.Record) { r.Limit = 1000 })
	b := openBrowser(t)
	for _, l := range shown(journey) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visit(t, b, "/console/licenses", l)
			v.check()
			v.logIn(key)
			v.check()

			v.must(v.tab.MustElement("#number").Input("632923"))
			v.eval(`(sessionStorage.sent = 0, window.fetch = (send => (...of) => (sessionStorage.sent++, send(...of)))(fetch))`)
			v.eval(`(document.querySelector("#lookup button").click(), document.querySelector("#lookup button").click())`)
			v.until(`document.querySelector("#records td")`)
			v.isAt("#message")
			if n := v.eval(`sessionStorage.sent`); n != "1" {
				t.Errorf("two taps are %s requests", n)
			}
			if text := v.eval(`document.querySelector("#answer").innerText`); !strings.Contains(text, "EXAMPLE OWNER LLC") || !strings.Contains(text, "0.90") {
				t.Errorf("the answer is %s", text)
			}
			v.check()

			v.must(v.tab.MustElement("#dba_name").Input("bar"))
			v.eval(`document.querySelector("#search button").click()`)
			v.until(`document.querySelectorAll("#records tbody tr").length === 25`)
			if n := v.eval(`document.querySelectorAll("#records script, #records img, #records a").length + " " + document.title`); n != "0 Licenses · Assay" {
				t.Errorf("elements of a source, and the title: %s", n)
			}
			v.check()
			v.eval(`document.querySelector("#more").click()`)
			v.until(`document.querySelectorAll("#records tbody tr").length === 5 && !document.querySelector("#more")`)
			v.isAt("#message")
			asked := w.asked.Load()
			v.eval(`document.querySelector("#back").click()`) // it was read already
			v.until(`document.querySelectorAll("#records tbody tr").length === 25 && !document.querySelector("#back")`)
			if rows := v.downloadCSV(`document.querySelector("#csv").click()`); len(rows) != 1+25 || w.asked.Load() != asked {
				t.Errorf("the CSV has %d rows, and %d requests were made", len(rows), w.asked.Load()-asked)
			}
			v.check()
			v.eval(`document.querySelector('#records [value="47-107"]').click()`)
			v.until(`document.querySelector("#message").textContent.endsWith(". One license.") && document.querySelector("#records td").innerText === "47-107"`)
			asked = w.asked.Load()
			v.moves(v.tab.NavigateBack)
			v.until(`document.querySelectorAll("#records tbody tr").length === 25`)
			v.moves(v.tab.NavigateForward)
			v.until(`document.querySelector("#records td")?.innerText === "47-107"`)
			v.moves(v.tab.Reload)
			v.until(`document.querySelector("#records td")?.innerText === "47-107" && document.readyState === "complete"`)
			if w.asked.Load() != asked {
				t.Errorf("Back, forward and reload asked for %d more", w.asked.Load()-asked)
			}

			v.goTo(g.url + accountPage)
			v.check()
			if text := v.eval(`document.querySelector("main").innerText`); !strings.Contains(text, "1000 requests in any minute") || !strings.Contains(text, "…"+key[len(key)-4:]) {
				t.Errorf("the account is %s", text)
			}
			v.eval(`document.querySelector("form button").click()`)
			v.until(`document.querySelector("#key")`)
			v.check()
			if cookie := v.eval("document.cookie"); cookie != "" {
				t.Errorf("scripts see %s", cookie)
			}
		})
	}
}

// A failure is told in the API's words.
func TestTheConsoleTellsOfFailures(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway(withConsole)
	v := g.visit(t, openBrowser(t), "/console/licenses", look{width: 1440})
	key := s.key()
	v.logIn(key)
	for number, want := range map[string]string{"999999": "NOT_FOUND", "no number": "license_number"} {
		v.eval(fmt.Sprintf(`(document.querySelector("#number").value = %q, document.querySelector("#lookup button").click())`, number))
		v.until(fmt.Sprintf(`document.querySelector("#message").textContent.includes(%q)`, want))
	}
	v.eval(`document.querySelector("#search button").click()`)
	v.until(`document.querySelector("#message").textContent.includes("dba_name")`)
	if err := s.keys.Revoke(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	clocktest.Await(t, "the session ends", func() bool {
		v.until(`document.querySelector("#number, #key")`)
		v.eval(`document.querySelector("#number") &&
			(document.querySelector("#number").value = "632923", document.querySelector("#lookup button").click())`)
		// A page that has just come sends the form without its script: then the page that asks for the key says it.
		v.until(`document.querySelector("#message")?.textContent !== "Asking the source. This can take a minute."`)
		return strings.Contains(v.eval(`document.querySelector("main").innerText`), "Your session has ended")
	})
}
