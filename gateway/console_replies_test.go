package gateway_test

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/platform/clock/clocktest"
)

// What the console was answered has an address that shows it again, for nothing and without a question, to its tenant in its environment.
// Who is not logged in comes back there. It is gone once it is deleted.
func TestAnswersOfTheConsoleStay(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Live)
	g := s.gateway(withConsole)
	key := s.key(live)
	cookie := g.logIn(key)
	open := func(cookie, address string) *response {
		return g.pageOf(address, "Cookie", cookie, "Accept-Encoding", "identity")
	}
	for name, c := range map[string]struct {
		path, other string
		form        url.Values
		status      int
		text        string
	}{
		"a license": {"/console/licenses", surchargesPage, url.Values{"state": {"CA"}, "license_number": {"632923"}}, 200, "One license."},
		"a search":  {"/console/licenses", surchargesPage, url.Values{"state": {"CA"}, "dba_name": {"bar"}}, 200, "1 of 1 match."},
		"a chart":   {surchargesPage, "/console/licenses", url.Values{"as_of": {"2026-09-10"}, "carriers": {"ODFL"}}, 200, "In force on 2026-09-10"},
	} {
		t.Run(name, func(t *testing.T) {
			sent := g.sendForm(c.path, cookie, c.form)
			address := sent.Request.URL.RequestURI()
			if id, ok := strings.CutPrefix(address, c.path+"?id="); sent.StatusCode != c.status || !ok || len(id) != 32 || strings.Contains(address, "632923") {
				t.Fatalf("%d %s", sent.StatusCode, address)
			}
			asked := w.asked.Load()
			for _, again := range []*response{sent, open(cookie, address), open(g.logIn(key), address)} {
				if text := string(again.body); again.StatusCode != c.status || !strings.Contains(text, c.text) || !strings.Contains(text, "This address shows the same answer until ") {
					t.Errorf("%d %.3000s", again.StatusCode, text)
				}
			}
			for who, other := range map[string]struct {
				cookie, address string
				status          int
				text            string
			}{
				"nobody":               {"", address, 200, `name="to" value="` + address + `"`},
				"another tenant":       {g.logIn(s.key(live, tenant("other"))), address, 404, "this answer is not kept here"},
				"the test environment": {g.logIn(s.key()), address, 404, "this answer is not kept here"},
				"another page":         {cookie, strings.Replace(address, c.path, c.other, 1), 404, "this answer is not kept here"},
				"no id":                {cookie, c.path + "?id=../x", 404, "this answer is not kept here"},
				"no product":           {g.logIn(s.key(live, products(contracts.ABC))), strings.Replace(address, c.path, surchargesPage, 1), 200, "not subscribed"},
			} {
				if r := open(other.cookie, other.address); r.StatusCode != other.status || !strings.Contains(string(r.body), other.text) || strings.Contains(string(r.body), c.text) {
					t.Errorf("%s: %d %.3000s", who, r.StatusCode, r.body)
				}
			}
			if back := g.submit("/console/session", url.Values{"key": {key}, "to": {address}}).Header.Get("Location"); back != address {
				t.Errorf("who logs in comes to %s", back)
			}
			_, id, _ := strings.Cut(address, "id=")
			g.sendForm(c.path, cookie, url.Values{"delete": {id}})
			if r := open(cookie, address); r.StatusCode != 404 || w.asked.Load() != asked {
				t.Errorf("deleted: %d, and %d more were asked for", r.StatusCode, w.asked.Load()-asked)
			}
		})
	}
	clocktest.Await(t, "what was charged: a license, a page of a search, and a week", func() bool {
		return strings.Contains(string(open(cookie, accountPage).body), "<strong>0.13 USD</strong>")
	})
	if err := s.js.DeleteStream(t.Context(), contracts.RepliesBucket.Stream()); err != nil {
		t.Fatal(err)
	}
	paid := g.sendForm("/console/licenses", cookie, url.Values{"state": {"CA"}, "license_number": {"632923"}})
	if text := string(paid.body); paid.StatusCode != 200 || !strings.Contains(text, "One license.") || strings.Contains(text, "This address") {
		t.Errorf("what cannot be kept: %d %.3000s", paid.StatusCode, text)
	}
}

// An answer that is paid on the page of a proof has an address: that shows it again, also beside another document of it, and asks and charges
// nothing.
func TestAnAnswerPaidAtItsProofStays(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Live)
	s.verifier(contracts.Live, contracts.ABC)
	first := s.keeps(contracts.Live, contracts.ABC, "text/html", "<table><tr><td>632923<td>ACTIVE</table>", "632923")
	second := s.keeps(contracts.Live, contracts.ABC, "text/html", "<table><tr><td>632923<td>a second page</table>", "632923")
	w.evidence.Store(&[]contracts.Evidence{first, second})
	g := s.gateway(withConsole)
	key := s.key(live, limit(1000))
	cookie := g.logIn(key)
	const question = "/console/proof?license_number=632923&state=CA"
	open := func(address string) *response {
		return g.pageOf(address, "Cookie", cookie, "Accept-Encoding", "identity")
	}
	paid := g.sendForm(question, cookie, url.Values{"step": {"get"}})
	address := paid.Request.URL.RequestURI()
	link := regexp.MustCompile(`href="([^"]*` + second.SHA256 + `[^"]*)"`).FindSubmatch(paid.body)
	if paid.StatusCode != 200 || !strings.Contains(address, "kept=") || link == nil {
		t.Fatalf("%d %s %s", paid.StatusCode, address, paid.body)
	}
	for name, r := range map[string]*response{"the answer": paid, "again": open(address), "a second document": open(html.UnescapeString(string(link[1])))} {
		text := string(r.body)
		if r.StatusCode != 200 || strings.Contains(text, `id="get"`) || !strings.Contains(text, `id="download"`) || !strings.Contains(text, `id="checks"`) || strings.Contains(text, "a second page") != (name == "a second document") {
			t.Errorf("%s: %d %s", name, r.StatusCode, text)
		}
	}
	if r := g.pageOf(address, "Cookie", g.logIn(s.key(live, tenant("other"))), "Accept-Encoding", "identity"); r.StatusCode != 404 || strings.Contains(string(r.body), "EXAMPLE OWNER") {
		t.Errorf("another tenant: %d %s", r.StatusCode, r.body)
	}
	_, id, _ := strings.Cut(address, "kept=")
	id, _, _ = strings.Cut(id, "&")
	g.sendForm("/console/proof", cookie, url.Values{"delete": {id}})
	if r := open(address); r.StatusCode != 404 || w.asked.Load() != 1 {
		t.Errorf("deleted: %d, %d were asked for", r.StatusCode, w.asked.Load())
	}
	clocktest.Await(t, "what was charged: one license", func() bool {
		return strings.Contains(string(open(accountPage).body), "<strong>0.05 USD</strong>")
	})
}

// The oldest answers go, by their number and after seven days. They never push an audit out.
func TestTheOldestAnswersGo(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	stores, err := kept.Open(t.Context(), s.js, nil)
	if err != nil {
		t.Fatal(err)
	}
	replies, audits := stores.Replies, stores.Audits
	o, now := kept.Owner{Environment: contracts.Test, Tenant: "acme"}, time.Now()
	a := kept.NewAudit(&lines.Found{}, []audit.Audited{{Number: 1}}, nil, "", now)
	if err := audits.Put(t.Context(), o, a, ""); err != nil {
		t.Fatal(err)
	}
	all := make([]kept.Reply, kept.MaxReplies+1)
	for i := range all {
		all[i] = kept.Reply{Page: "/p", Form: url.Values{"n": {"1"}}, Answers: []kept.Answer{{Status: 200, Body: "{}\u2028<é"}}}
		if err := replies.Put(t.Context(), o, &all[i], now); err != nil {
			t.Fatal(err)
		}
	}
	get := func(i int, at time.Time) (kept.Reply, error) { return replies.Get(t.Context(), o, "/p", all[i].ID, at) }
	if _, err := get(0, now); contracts.CodeOf(err) != contracts.NotFound {
		t.Errorf("the oldest: %v", err)
	}
	for _, i := range []int{1, kept.MaxReplies} {
		if r, err := get(i, now); err != nil || r.Answers[0] != all[i].Answers[0] || r.Form.Get("n") != "1" {
			t.Errorf("%d: %+v %v", i, r, err)
		}
	}
	late := now.Add(contracts.RepliesBucket.TTL)
	if _, err := get(1, late); contracts.CodeOf(err) != contracts.NotFound {
		t.Errorf("after 7 days: %v", err)
	}
	few := kept.Owner{Environment: contracts.Test, Tenant: "few"}
	for _, at := range []time.Time{now, now, late} {
		if err := replies.Put(t.Context(), few, &kept.Reply{Page: "/p"}, at); err != nil {
			t.Fatal(err)
		}
	}
	bucket, err := s.js.KeyValue(t.Context(), contracts.RepliesBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := bucket.Keys(t.Context())
	keys = slices.DeleteFunc(keys, func(key string) bool { return !strings.HasPrefix(key, contracts.OwnerKey(few.Environment, few.Tenant)) })
	if err != nil || len(keys) != 2 {
		t.Errorf("%v, %v: answers of 7 days are left", keys, err)
	}
	if _, err := audits.Get(t.Context(), o, a.ID, now); err != nil {
		t.Errorf("the audit: %v", err)
	}
}
