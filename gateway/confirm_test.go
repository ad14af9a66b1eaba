package gateway_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/api"
	"assay.dev/gateway/confirm"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
)

// illinois stands for an abc-worker of IL whose copy prints no status: what was looked up is proven from then on.
type illinois struct {
	mu     sync.Mutex
	looked map[string]int
	before func(number string) // a lookup; nil for nothing
}

func (s *system) illinois(env contracts.Environment) *illinois {
	s.t.Helper()
	w := &illinois{looked: map[string]int{}}
	s.serve("illinois-"+string(env),
		bus.Handle("license-IL", contracts.LicenseSubject(env, contracts.IL), w.lookUp),
		bus.Handle("members-IL", contracts.MembersSubject(env, contracts.IL), w.members),
		bus.Handle("members-CA", contracts.MembersSubject(env, contracts.CA), answerMembers))
	return w
}

// lookUp finds no license whose number ends with 3, proves nothing of one with 4, and fails for one with 5.
func (w *illinois) lookUp(ctx context.Context, r contracts.LicenseRequest) (contracts.LicenseAnswer, error) {
	if w.before != nil {
		w.before(r.Number)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looked[r.Number]++
	if strings.HasSuffix(r.Number, "5") {
		return contracts.LicenseAnswer{}, contracts.Errorf(contracts.SourceUnavailable, "the page does not come")
	}
	a, err := answerLookup(ctx, r)
	switch r.Number[len(r.Number)-1] {
	case '3':
		a.Record = nil
	case '4':
		a.Clean = 1
	}
	return a, err
}

func (w *illinois) members(ctx context.Context, r contracts.MembersRequest) (contracts.MembersAnswer, error) {
	a, err := answerMembers(ctx, r)
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, n := range r.Numbers {
		if w.looked[n] > 0 && !strings.ContainsAny(n[len(n)-1:], "345") {
			answer, _ := answerLookup(ctx, contracts.LicenseRequest{State: r.State, Number: n})
			a.Members[i] = contracts.MemberOf(answer, "2026-09-18")
			a.Members[i].LookedUpAt = &answer.ReadAt
		}
	}
	return a, err
}

// count are the licenses that were looked up, and how often all were.
func (w *illinois) count() (licenses, lookups int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n := range maps.Values(w.looked) {
		lookups += n
	}
	return len(w.looked), lookups
}

func confirmSoon(c *gateway.Config) { c.Confirm.Every = 20 * time.Millisecond }

// answersOf is how many answers of a tenant are on the bill, or were to test keys.
func (s *system) answersOf(tenant string) (n int) {
	sums, err := usage.Sums(s.t.Context(), s.js, time.Now())
	for _, sum := range sums {
		if err == nil && sum.Tenant == tenant {
			n += sum.Count
		}
	}
	return n
}

// licensesOfIllinois are 20 licenses of IL, of which lookups prove 14, and one of CA.
func licensesOfIllinois() string {
	text := "state,license_number\r\nCA,400000\r\n"
	for i := range 20 {
		text += fmt.Sprintf("IL,1A-11436%02d\r\n", i)
	}
	return text
}

// What a portfolio's lookups cost is told before they are set. Each license is looked up once, whichever gateway does and however often one
// starts; what proves something is charged.
func TestLicensesOfAPortfolioAreLookedUp(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.illinois(contracts.Live)
	first := s.gateway(confirmSoon)
	key, list := s.key(live), licensesOfIllinois()
	r := first.putCSV(key, "bars?confirm=daily&dry_run=1", list)
	if k := decode[api.PortfolioKept](t, r.body); r.StatusCode != http.StatusOK || k.Confirm != kept.Daily || k.Confirming != (api.Confirming{Licenses: 20, ADay: 20, PriceADay: 100 * contracts.Cent}) {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	if r := first.get(key, portfoliosPath+"/bars"); r.StatusCode != http.StatusNotFound {
		t.Fatalf("a dry run keeps it: %d", r.StatusCode)
	}
	if r := first.putCSV(key, "bars", list); decode[api.PortfolioKept](t, r.body).Confirm != kept.Never {
		t.Fatalf("%s", r.body)
	}
	change := func(query string) api.PortfolioKept {
		r := first.sendBody(http.MethodPatch, key, portfoliosPath+"/bars?"+query, "application/json", "{}")
		if r.StatusCode != http.StatusOK {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
		return decode[api.PortfolioKept](t, r.body)
	}
	if k := change("confirm=weekly&dry_run=1"); k.Confirm != kept.Weekly || k.Confirming.ADay != 4 || k.Licenses != 21 {
		t.Errorf("%+v", k)
	}
	if n, _ := w.count(); n != 0 {
		t.Fatalf("%d are looked up that nobody asked for", n)
	}
	s.gateway(confirmSoon)
	if k := change("confirm=daily"); k.Confirm != kept.Daily {
		t.Errorf("%+v", k)
	}
	clocktest.Await(t, "all lookups", func() bool { n, _ := w.count(); return n == 20 })
	clocktest.Await(t, "what they cost", func() bool { return s.answersOf("acme") >= 14 })
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	g := s.gateway(confirmSoon)
	if !clocktest.Stays(func() bool { _, n := w.count(); return n == 20 && s.answersOf("acme") == 14 }) {
		_, n := w.count()
		t.Errorf("%d lookups, %d on the bill", n, s.answersOf("acme"))
	}
	r = g.get(key, portfoliosPath+"/bars")
	p := decode[api.Portfolio](t, r.body)
	if p.Confirm != kept.Daily || p.Costs.Licenses != 20 || p.Verdicts[contracts.Unverified] != 6 || p.Verdicts[contracts.Fail] != 2 || p.Licenses[1].LookedUpAt == nil {
		t.Errorf("%.900s", r.body)
	}
	if r := g.putCSV(key, "bars", "state,license_number\r\nCA,400000\r\n"); decode[api.PortfolioKept](t, r.body).Confirm != kept.Daily {
		t.Errorf("a PUT that does not say changes it: %s", r.body)
	}
}

// A license that somebody else looks up while a round is under way is not charged to the portfolio's tenant.
func TestALookupThatServesIsFree(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.illinois(contracts.Live)
	first, goOn := make(chan string), make(chan struct{})
	var lookups atomic.Int64
	w.before = func(number string) {
		if lookups.Add(1) == 1 {
			first <- number
			<-goOn
		}
	}
	g := s.gateway(confirmSoon)
	g.putCSV(s.key(live), "bars?confirm=daily", "state,license_number\r\nIL,1A-1143600\r\nIL,1A-1143601\r\n")
	other := map[string]string{"1A-1143600": "1A-1143601", "1A-1143601": "1A-1143600"}[<-first]
	if r := g.get(s.key(live, tenant("person")), "/v1/abc/license/"+other+"?state=IL"); r.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	close(goOn)
	clocktest.Await(t, "the other is served", func() bool {
		n, _ := g.metric(`gateway_confirmations_total{environment="",outcome="served",service="gateway"}`)
		return n == 1
	})
	clocktest.Await(t, "the first is charged", func() bool { return s.answersOf("acme") > 0 })
	if _, n := w.count(); n != 2 || s.answersOf("acme") != 1 || s.answersOf("person") != 1 {
		t.Errorf("%d lookups, %d and %d on the bill", n, s.answersOf("acme"), s.answersOf("person"))
	}
}

// As many are looked up on a day as may be, whoever asks and however many gateways there are; the others wait for another day, on which those
// that are proven stand behind.
func TestLookupsOfADayAreBounded(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.illinois(contracts.Live)
	var days atomic.Int64
	bounded := func(c *gateway.Config) {
		c.Confirm = confirm.Pace{Every: 20 * time.Millisecond, Most: 3, Clock: func() time.Time { return time.Now().AddDate(0, 0, int(days.Load())) }}
	}
	g := s.gateway() // waits minutes before it looks
	for i, name := range []string{"one", "two"} {
		list := "state,license_number\r\n"
		for n := range 4 {
			list += fmt.Sprintf("IL,1A-15%d00%d0\r\n", i, n)
		}
		r := g.putCSV(s.key(live, tenant(name)), "bars?confirm=daily", list)
		if k := decode[api.PortfolioKept](t, r.body); k.Confirming.ADay != 4 {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
	}
	gateways := []*runningGateway{s.gateway(bounded), s.gateway(bounded)}
	left := func() (days int) { // on which a gateway found that no lookup was left
		for _, g := range gateways {
			n, err := g.metric(`gateway_confirmations_total{environment="",outcome="left",service="gateway"}`)
			if err != nil {
				t.Fatal(err)
			}
			days += int(n)
		}
		return days
	}
	for day, want := range []int{3, 6, 8} {
		before := left() * min(day, 1)
		days.Store(int64(day))
		clocktest.Await(t, fmt.Sprintf("the lookups of day %d", day), func() bool { return s.answersOf("one")+s.answersOf("two") >= want && (want == 8 || left() > before) })
		if n, all := w.count(); n != want || all != want || s.answersOf("one")+s.answersOf("two") != want {
			t.Fatalf("day %d: %d licenses, %d lookups, want %d", day, n, all, want)
		}
		if day == 0 && (s.answersOf("one") == 0 || s.answersOf("two") == 0) {
			t.Errorf("all lookups are of one tenant: %d and %d", s.answersOf("one"), s.answersOf("two"))
		}
	}
}

// What lookups cost stands in the console before they are set there; delinquent lists are put, shown and deleted on the same page.
func TestLookupsAndListsAreSetInTheConsole(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.illinois(contracts.Live)
	g, key := s.gateway(withConsole), s.key(live)
	cookie := g.logIn(key)
	g.putCSV(key, "bars", licensesOfIllinois())
	page := func() string {
		return string(g.pageOf(customersPage+"?name=bars", "Cookie", cookie, "Accept-Encoding", "identity").body)
	}
	if text := page(); !strings.Contains(text, `<option value="never" selected>never<`) || !strings.Contains(text, "daily: 20 a day, 1.00 USD") || !strings.Contains(text, "weekly: 4 a day, 0.20 USD") {
		t.Errorf("%s", text)
	}
	g.sendForm(customersPage, cookie, url.Values{"confirmed": {"bars"}, "confirm": {"weekly"}})
	if text := page(); !strings.Contains(text, `<option value="weekly" selected>`) {
		t.Errorf("%s", text)
	}
	date := string(contracts.IL.Today(time.Now()).AddDays(-1))
	put := func(list, date, content string) *response {
		return g.sendFile(customersPage, cookie, map[string]string{"list": list, "date": date, "date_form": "mdy", "empty": "1", "heading": "\"Lic, No"}, []byte(content))
	}
	for name, r := range map[string]*response{"no list": put("NY-101-aaa", date, ""), "a wrong list": put("NY-101-aaa", date, "name\nx\n")} {
		for _, kept := range []string{`class="state bad"`, `<option value="NY-101-aaa" selected>`, `value="` + date + `"`, `<option value="mdy" selected>`, `value="1" checked`, `value="&#34;Lic, No"`} {
			if !strings.Contains(string(r.body), kept) {
				t.Errorf("%s: %d, the form lost %s", name, r.StatusCode, kept)
			}
		}
	}
	if text := page(); !strings.Contains(text, `<option value="" selected>choose one<`) {
		t.Error("a list is chosen before a person chose one")
	}
	r := g.sendFile(customersPage, cookie, map[string]string{"list": "IL-100.90", "date": date, "heading": "Kept, Nr"}, []byte("\"Kept, Nr\",since\n1A-1143601,2026-11-02\n"))
	if r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), "IL-100.90 of "+date+", 1 license, is here.") {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	if text := page(); !strings.Contains(text, "<bdi>IL-100.90</bdi>") || !strings.Contains(text, "<bdi>"+date+"</bdi>") || !strings.Contains(text, "100.90 2026-11-02") {
		t.Errorf("%s", text)
	}
	for name, r := range map[string]*response{
		"no such list": put("CA-1", date, "license_number\n"), "no day": put("IL-100.90", "today", "license_number\n"), "an older one": put("IL-100.90", "2026-01-01", "license_number\n"),
		"no column": put("IL-100.90", date, "name\nx\n"),
	} {
		if r.StatusCode != 422 && r.StatusCode != http.StatusNotFound || !strings.Contains(string(r.body), `class="state bad"`) {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.body)
		}
	}
	other := string(g.pageOf(customersPage, "Cookie", g.logIn(s.key(live, tenant("other"))), "Accept-Encoding", "identity").body)
	g.sendForm(customersPage, cookie, url.Values{"unlist": {"IL-100.90"}})
	if text := page(); strings.Contains(text, "<bdi>IL-100.90</bdi>") || strings.Contains(other, "<bdi>IL-100.90</bdi>") {
		t.Errorf("%s", text)
	}
}

// Nothing is looked up for who has no key or no request left, and weekly on one day of the week alone.
func TestWhoseLicensesAreNotLookedUp(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.illinois(contracts.Live)
	g := s.gateway(func(c *gateway.Config) { c.RapidAPIABC = "secret-of-the-listing" }) // which waits minutes before it looks
	gone := s.key(live, tenant("gone"))
	put := func(key, query string, n int) {
		if r := g.putCSV(key, "bars?confirm="+query, fmt.Sprintf("state,license_number\r\nIL,1A-12000%02d\r\nIL,1A-13000%02d\r\n", n, n)); r.StatusCode != http.StatusCreated {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
	}
	put(gone, "daily", 1)
	if err := s.keys.Revoke(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	other := s.key(live, tenant("other"), products(contracts.ABC))
	put(other, "never", 2)
	tight := s.key(live, tenant("tight"), limit(1))
	put(tight, "daily", 3)
	weekly := s.key(live, tenant("weekly"))
	list := "state,license_number\r\n"
	for i := range 70 {
		list += fmt.Sprintf("IL,1A-14000%02d\r\n", i)
	}
	if r := g.putCSV(weekly, "bars?confirm=weekly", list); decode[api.PortfolioKept](t, r.body).Confirming.ADay != 14 {
		t.Fatalf("%s", r.body)
	}
	r := g.sendBody(http.MethodPut, "", portfoliosPath+"/bars?confirm=daily", "text/csv", list, "X-Rapidapi-Proxy-Secret", "secret-of-the-listing", "X-Rapidapi-User", "mona")
	if r.StatusCode != 422 || r.violations() != "query.confirm no_key" {
		t.Errorf("through the marketplace: %d %s", r.StatusCode, r.body)
	}
	second := s.gateway(confirmSoon)
	clocktest.Await(t, "a week's share", func() bool { n, _ := w.count(); return n > 0 })
	if !clocktest.Stays(func() bool { n, all := w.count(); return n == all && n < 35 }) {
		n, all := w.count()
		t.Errorf("%d of 70, %d times", n, all)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range slices.Sorted(maps.Keys(w.looked)) {
		if !strings.HasPrefix(n, "1A-14") && !strings.HasPrefix(n, "1A-1300003") && !strings.HasPrefix(n, "1A-1200003") {
			t.Errorf("%s is looked up", n)
		}
	}
	if m := second.metrics(); !strings.Contains(m, `gateway_confirmations_total{environment="",outcome="proven",service="gateway"} `) {
		t.Error("the metric is missing")
	}
}
