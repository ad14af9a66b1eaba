package gateway_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
)

const portfoliosPath = "/v1/abc/portfolios"

// membersWorker stands for the abc-workers: licenses are ACTIVE, those of CA that end with 7 SUSPENDED, and those of IL inferred. TX has no
// copy.
func (s *system) membersWorker(env contracts.Environment) {
	s.t.Helper()
	var endpoints []bus.Endpoint
	for _, state := range contracts.States {
		endpoints = append(endpoints, bus.Handle("members-"+string(state), contracts.MembersSubject(env, state), answerMembers))
	}
	s.serve("members-"+string(env), endpoints...)
}

func answerMembers(_ context.Context, r contracts.MembersRequest) (contracts.MembersAnswer, error) {
	if r.ListsOnly {
		return contracts.MembersAnswer{Lists: []contracts.PublicList{listOfTexas(r.Numbers)}}, nil
	}
	if r.State == contracts.TX {
		return contracts.MembersAnswer{}, contracts.Errorf(contracts.SourceUnavailable, "there is no copy")
	}
	a := contracts.MembersAnswer{Edition: contracts.RegisterEdition{
		State: r.State, ReadAt: time.Date(2026, 9, 18, 14, 0, 0, 0, time.UTC), Licenses: 7,
		Evidence: []contracts.Evidence{{SHA256: strings.Repeat("a", 64), Role: contracts.RoleFile, At: "b1"}},
	}}
	if r.State == contracts.CA { // the only one whose files say of when their data are
		at := time.Date(2026, 9, 17, 10, 50, 0, 0, time.UTC)
		a.Edition.PublishedAt = &at
	}
	for _, n := range r.Numbers {
		of := contracts.LicenseAnswer{
			Provenance: contracts.Provenance{Complete: true}, Tally: contracts.Tally{Clean: 8, Required: 8}, State: r.State,
			Record: &contracts.LicenseRecord{
				LicenseNumber: n, LicenseTypeCode: "47", DBAName: "SHOP " + n, Status: contracts.Active, ExpirationDate: "2027-06-30",
				NotReported: contracts.Members{"suspensions"},
			},
		}
		if strings.HasSuffix(n, "7") && r.State == contracts.CA {
			of.Record.Status = contracts.Suspended
		}
		if r.State == contracts.IL {
			of.Record.Inferred, of.Clean = contracts.Members{"status"}, 7
		}
		m := contracts.MemberOf(of, cmp.Or(r.On, "2026-09-18"))
		if strings.HasSuffix(n, "999") && r.State == contracts.NY {
			m = contracts.MemberAbsent(n, "The data do not list it.")
		}
		a.Members = append(a.Members, m)
	}
	return a, nil
}

// listOfTexas has the licenses that end with 7 since yesterday, those with 8 from tomorrow on, and cannot tell of those with 9.
func listOfTexas(numbers []string) contracts.PublicList {
	today := contracts.TX.Today(time.Now())
	l := contracts.PublicList{
		List: "102.32", Date: today, Named: map[string]contracts.ListEntry{}, Evidence: []contracts.Evidence{{SHA256: strings.Repeat("c", 64), Role: contracts.RoleFile, At: "b2"}},
	}
	for _, n := range numbers {
		switch n[len(n)-1] {
		case '7':
			l.Named[n] = contracts.ListEntry{Since: today.AddDays(-1)}
		case '8':
			l.Named[n] = contracts.ListEntry{Since: today.AddDays(1)}
		case '9':
			l.Unsure = append(l.Unsure, n)
		}
	}
	return l
}

// licenseList are so many licenses of CA; each hundredth line cannot be read.
func licenseList(first, n int) string {
	var b strings.Builder
	b.WriteString("state,license_number,label\r\n")
	for i := range n {
		number := fmt.Sprint(first + i)
		if i%100 == 99 {
			number = "no number"
		}
		fmt.Fprintf(&b, "CA,%s,Customer %d\r\n", number, i)
	}
	return b.String()
}

func (g *runningGateway) putCSV(key, name, body string) *response {
	return g.sendBody(http.MethodPut, key, portfoliosPath+"/"+name, "text/csv", body)
}

// 10,000 lines are kept but for those that cannot be read, which are told by their lines. What is kept comes back in order with a verdict each.
func TestPortfolioOfTenThousand(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.membersWorker(contracts.Live)
	g, key := s.gateway(), s.key(live, tenant("acme"))
	began := time.Now()
	r := g.putCSV(key, "west", licenseList(400_000, lines.MaxLines))
	kept := decode[api.PortfolioKept](t, r.body)
	if r.StatusCode != http.StatusCreated || kept.Licenses != 9_900 || len(kept.Errors) != 100 || !strings.HasPrefix(kept.Errors[0], "line 101: license_number: ") {
		t.Fatalf("%d %.500s", r.StatusCode, r.body)
	}
	t.Logf("PUT of 10,000 lines with 100 bad ones: %s", time.Since(began))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began = time.Now()
	r = g.get(key, portfoliosPath+"/west")
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	t.Logf("GET of 9,900 licenses: %s, %d bytes, %d MB allocated", took, len(r.body), (after.TotalAlloc-before.TotalAlloc)>>20)
	whole := decode[api.Portfolio](t, r.body)
	if r.StatusCode != http.StatusOK || len(whole.Licenses) != 9_900 || whole.Verdicts[contracts.Pass]+whole.Verdicts[contracts.Fail] != 9_900 || len(whole.Editions) != 1 {
		t.Fatalf("%d %v %.500s", r.StatusCode, whole.Verdicts, r.body)
	}
	if l := whole.Licenses[99]; l.LicenseNumber != "400100" || l.Label != "Customer 100" || l.Verdict != contracts.Pass || l.ReadAt == nil || *l.Status != contracts.Active {
		t.Errorf("%+v", l)
	}
	if r := g.putCSV(key, "west", licenseList(1, lines.MaxLines+1)); r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a line too many: %d", r.StatusCode)
	}
	if r := g.putCSV(key, "east", licenseList(1, lines.MaxLines)); r.StatusCode != http.StatusCreated {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	if r := g.putCSV(key, "more", licenseList(1, 500)); r.StatusCode != 422 || !strings.Contains(string(r.body), "at most 20000") {
		t.Errorf("more than 20,000 of a tenant: %d %s", r.StatusCode, r.body)
	}
	s.billed(0)
}

// A portfolio is its tenant's alone, in its environment, through any gateway, until it is deleted.
func TestPortfoliosAreKept(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.membersWorker(contracts.Test)
	one, other := s.gateway(), s.gateway()
	key := s.key(tenant("acme"))
	if r := one.get(key, portfoliosPath); string(r.body) != `{"portfolios":[]}` {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	put := func(name, body string) *response {
		return one.sendBody(http.MethodPut, key, portfoliosPath+"/"+name, "application/json", body)
	}
	r := put("bars", `{"licenses":[{"state":"ca","license_number":"CA 00400007","label":"C1"},{"state":"IL","license_number":"1A-1143621"},{"state":"TX","license_number":"100001159"},
		{"state":"NY","license_number":"0340-22-106999"},{"state":"CA","license_number":"400007"},{"state":"CA","license_number":"47-400001","label":"`+strings.Repeat("x", 41)+`"}]}`)
	if want := []string{"line 5: license_number: this license stands in line 1 already", "line 6: label: at most 40 characters are allowed"}; r.StatusCode != 201 ||
		fmt.Sprint(decode[api.PortfolioKept](t, r.body).Errors) != fmt.Sprint(want) {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	p := decode[api.Portfolio](t, other.get(key, portfoliosPath+"/bars").body)
	want := []string{"CA 400007 FAIL STATUS_NOT_ACTIVE", "IL 1A-1143621 UNVERIFIED CONFIDENCE_LOW", "TX 100001159 UNVERIFIED NO_COPY", "NY 0340-22-106999 FAIL LICENSE_ABSENT"}
	for i, l := range p.Licenses {
		if got := fmt.Sprint(l.State, " ", l.LicenseNumber, " ", l.Verdict, " ", l.Reasons[0].Code); got != want[i] || (l.ReadAt == nil) != (l.State == contracts.TX) {
			t.Errorf("%s, want %s: %+v", got, want[i], l)
		}
	}
	if csv := string(other.get(key, portfoliosPath+"/bars?format=csv").body); strings.Count(csv, "\r\n") != 5 || !strings.Contains(csv, "CA,C1,400007,47,SHOP 400007") {
		t.Errorf("%s", csv)
	}
	for name, body := range map[string]string{
		"all bad": `{"licenses":[{"state":"QQ","license_number":"1"}]}`, "none": `{"licenses":[]}`, "no object": `[]`, "unknown": `{"list":[]}`, "more": `{"licenses":[]} {}`,
	} {
		if r := put("bars", body); r.StatusCode != 422 {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.body)
		}
	}
	if r := put("Bars", `{}`); r.StatusCode != 422 {
		t.Errorf("a name: %d", r.StatusCode)
	}
	if list := decode[api.Portfolios](t, other.get(key, portfoliosPath).body).Portfolios; len(list) != 1 || list[0].Licenses != 4 || list[0].Name != "bars" {
		t.Errorf("%+v", list)
	}
	edit := `{"add":[{"state":"CA","license_number":"1"}]}`
	for who, k := range map[string]string{"another tenant": s.key(tenant("other")), "the other environment": s.key(live, tenant("acme"))} {
		for _, r := range []*response{
			one.get(k, portfoliosPath+"/bars"), one.sendBody(http.MethodDelete, k, portfoliosPath+"/bars", "", ""), one.get(k, "/v1/changes?portfolio=bars"),
			one.sendBody(http.MethodPatch, k, portfoliosPath+"/bars", "application/json", edit),
		} {
			if r.StatusCode != 404 || !strings.Contains(string(r.body), `"reason":"NAME"`) {
				t.Errorf("%s: %d %s", who, r.StatusCode, r.body)
			}
		}
		if r := one.get(k, portfoliosPath); string(r.body) != `{"portfolios":[]}` {
			t.Errorf("%s: %s", who, r.body)
		}
	}
	if r := other.sendBody(http.MethodDelete, key, portfoliosPath+"/bars", "", ""); r.StatusCode != 200 || string(r.body) != `{"deleted":"bars"}` {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	if r := one.get(key, portfoliosPath+"/bars"); r.StatusCode != 404 {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	one1 := `{"licenses":[{"state":"CA","license_number":"1"}]}`
	for i := range kept.MaxPortfolios {
		if r := put(fmt.Sprint("p", i), one1); r.StatusCode != 201 {
			t.Fatalf("%d: %d %s", i, r.StatusCode, r.body)
		}
	}
	if r := put("p50", one1); r.StatusCode != 422 {
		t.Errorf("the 51st: %d", r.StatusCode)
	}
	if r := put("p49", one1); r.StatusCode != 200 {
		t.Errorf("one in place of another: %d", r.StatusCode)
	}
}

// A change is whole or not at all, and of changes at once none is lost.
func TestPortfoliosAreChanged(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.membersWorker(contracts.Test)
	one, other := s.gateway(), s.gateway()
	key := s.key(tenant("acme"))
	one.putCSV(key, "bars", "state,license_number,label\r\nCA,1,a\r\nCA,2,b\r\n")
	change := func(g *runningGateway, body string) *response {
		return g.sendBody(http.MethodPatch, key, portfoliosPath+"/bars", "application/json", body)
	}
	numbers := func() (all string) {
		for _, l := range decode[api.Portfolio](t, one.get(key, portfoliosPath+"/bars").body).Licenses {
			all += l.LicenseNumber + l.Label + " "
		}
		return all
	}
	for name, body := range map[string]string{
		"an unknown license removed": `{"add":[{"state":"CA","license_number":"3"}],"remove":[{"state":"CA","license_number":"9"}]}`,
		"a line that cannot be read": `{"add":[{"state":"CA","license_number":"3"},{"state":"CA","license_number":"?"}]}`,
	} {
		if r := change(one, body); r.StatusCode != 422 || numbers() != "1a 2b " {
			t.Errorf("%s: %d %s", name, r.StatusCode, numbers())
		}
	}
	one.putCSV(key, "typed", "state,license_number\r\nCA,75-404977\r\n")
	body := `{"remove":[{"state":"CA","license_number":"404977"}]}`
	if r := one.sendBody(http.MethodPatch, key, portfoliosPath+"/typed", "application/json", body); r.StatusCode != 422 || !strings.Contains(string(r.body), "write CA 75-404977") {
		t.Errorf("without its type: %d %s", r.StatusCode, r.body)
	}
	for _, step := range []struct{ body, want string }{
		{`{"add":[{"state":"CA","license_number":"3"},{"state":"CA","license_number":"2","label":"B"}],"remove":[{"state":"CA","license_number":"1"}]}`, "2b 3 2B "},
		{`{"add":[{"state":"CA","license_number":"3","label":"c"},{"state":"CA","license_number":"2"},{"state":"CA","license_number":"2","label":"B"}]}`, "2b 2B 3c "},
		{`{"remove":[{"state":"CA","license_number":"2","label":"b"}],"add":[{"state":"CA","license_number":"2","label":"bb"}]}`, "2B 3c 2bb "},
		{`{"remove":[{"state":"CA","license_number":"2"}],"add":[{"state":"CA","license_number":"2","label":"B"}]}`, "3c 2B "},
		{`{"remove":[{"state":"CA","license_number":"3","label":"c"}],"add":[{"state":"CA","license_number":"3"}]}`, "2B 3 "},
	} {
		if r := change(one, step.body); r.StatusCode != 200 || numbers() != step.want {
			t.Errorf("%s: %d %s, want %s: %s", step.body, r.StatusCode, numbers(), step.want, r.body)
		}
	}
	if r := change(one, `{"remove":[{"state":"CA","license_number":"2","label":"b"}]}`); r.StatusCode != 422 || numbers() != "2B 3 " {
		t.Errorf("a label that is not there: %d %s", r.StatusCode, numbers())
	}
	var all sync.WaitGroup
	for i, g := range []*runningGateway{one, other, one, other} {
		all.Go(func() {
			for r := change(g, fmt.Sprintf(`{"add":[{"state":"CA","license_number":"10%d"}]}`, i)); r.StatusCode != 200; {
				if r.StatusCode != 503 {
					t.Errorf("%d %s", r.StatusCode, r.body)
					return
				}
				r = change(g, fmt.Sprintf(`{"add":[{"state":"CA","license_number":"10%d"}]}`, i))
			}
		})
	}
	all.Wait()
	if got := numbers(); len(strings.Fields(got)) != 6 {
		t.Errorf("after four changes at once: %s", got)
	}
}

// The feed tells of a portfolio's licenses, and whether their sources are read, where it is held in memory: of those that the portfolio has
// when the change comes.
func TestChangesOfAPortfolio(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g, key := s.gateway(), s.key(tenant("acme"))
	begin := g.cursor(key)
	g.putCSV(key, "bars", "state,license_number\r\nCA,400001\r\nCA,47-400002\r\nCA,48-400003\r\nTX,100400004\r\n")
	for _, number := range []string{"400000", "400001", "400002", "400003", "100400004"} {
		s.change(contracts.Test, number)
	}
	for _, source := range []string{"NY", "TX-holds"} {
		none := []contracts.Evidence{}
		doc, err := json.Marshal(contracts.Change{
			ID: source + ".x.0", Type: contracts.SourceDegraded, Product: contracts.ABC, Source: source, Evidence: contracts.ChangeEvidence{Before: none, After: none},
		})
		if err == nil {
			_, err = s.js.Publish(t.Context(), contracts.ChangeSubject(contracts.Test, contracts.ABC, source, contracts.SourceDegraded).Name, doc)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var page contracts.Changes
	clocktest.Await(t, "all changes", func() bool {
		page = g.changes(key, "?since="+begin)
		return len(page.Changes) == 7
	})
	of := g.changes(key, "?portfolio=bars&since="+begin)
	if len(of.Changes) != 3 || of.Changes[2].ID != "TX-holds.x.0" || of.Changes[0].ID != "CA.e.400001" || of.Changes[1].ID != "CA.e.400002" || of.Cursor != page.Cursor {
		t.Errorf("%+v", of)
	}
	told := make(chan contracts.Changes, 1)
	go func() { told <- g.changes(key, "?wait=60&portfolio=bars&since="+page.Cursor) }()
	clocktest.Await(t, "a request waits", func() bool {
		return strings.Contains(g.metrics(), `feed_readers{doing="waiting",environment="",service="gateway"} 1`)
	})
	g.putCSV(key, "bars", "state,license_number\r\nCA,400005\r\n")
	s.change(contracts.Test, "400005")
	if more := <-told; len(more.Changes) != 1 || more.Changes[0].ID != "CA.e.400005" {
		t.Errorf("of a license that came to the portfolio meanwhile: %+v", more)
	}
}

// copyOf serves a copy of a state's register with the licenses, by the numbers that they are asked for.
func (s *system) copyOf(state contracts.State, all map[string]contracts.Member) {
	name := "members-" + string(state)
	s.serve(name, bus.Handle(name, contracts.MembersSubject(contracts.Test, state),
		func(_ context.Context, r contracts.MembersRequest) (contracts.MembersAnswer, error) {
			a := contracts.MembersAnswer{Edition: contracts.RegisterEdition{State: state, Evidence: []contracts.Evidence{}}}
			for _, n := range r.Numbers {
				m, isThere := all[n]
				if active := contracts.Active; isThere {
					m.Status, m.Judgement = &active, contracts.Judgement{Verdict: contracts.Pass, Reasons: []contracts.VerdictReason{}}
				} else {
					m = contracts.MemberUnlisted(n, "It is not listed.")
				}
				a.Members = append(a.Members, m)
			}
			return a, nil
		}))
}

// A number of TX of before 2021 is kept as that of today, which is what changes and lists have; while the copy cannot tell it, nothing is kept.
func TestAPortfolioHasTheNumbersOfToday(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g, key := s.gateway(), s.key(tenant("acme"))
	body := "state,license_number,label\r\nTX,MB-747105,A\r\nTX,100001159,A\r\nTX,P123456,C\r\nCA,400001,D\r\nTX,mb747105,A\r\nTX,BG571927,F\r\n"
	if r := g.putCSV(key, "bars", body); r.StatusCode != 503 || r.Header.Get("Retry-After") == "" || !strings.Contains(string(r.body), "MB747105") {
		t.Fatalf("without a copy: %d %s", r.StatusCode, r.body)
	}
	s.copyOf(contracts.TX, map[string]contracts.Member{"MB747105": {LicenseNumber: "100001159"}, "BG571927": {LicenseNumber: "100002222"}})
	r := g.putCSV(key, "bars", body)
	want := []string{"line 6: license_number: this license stands in line 2 already", "license_number: MB747105 is license 100001159, which stands in another line already"}
	if errs := decode[api.PortfolioKept](t, r.body).Errors; r.StatusCode != 201 || fmt.Sprint(errs) != fmt.Sprint(want) {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	kept := func() (all []string) {
		for _, l := range decode[api.Portfolio](t, g.get(key, portfoliosPath+"/bars").body).Licenses {
			all = append(all, l.LicenseNumber)
		}
		return all
	}
	if got := fmt.Sprint(kept()); got != "[100001159 P123456 400001 100002222]" {
		t.Errorf("kept: %s", got)
	}
	r = g.sendBody(http.MethodPatch, key, portfoliosPath+"/bars", "application/json",
		`{"add":[{"state":"TX","license_number":"MB747105","label":"G"}],"remove":[{"state":"TX","license_number":"BG571927"}]}`)
	if got := fmt.Sprint(kept()); r.StatusCode != 200 || got != "[100001159 P123456 400001 100001159]" {
		t.Errorf("after the change: %d %s: %s", r.StatusCode, r.body, got)
	}
}

// A license that is written in two ways is one: it is there once for each label, is removed by either spelling, and is found on a list.
func TestOneLicenseInTwoSpellings(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g, key := s.gateway(), s.key(tenant("acme"))
	ca := map[string]contracts.Member{"400183": {LicenseNumber: "400183", LicenseTypeCode: "48"}, "404977": {LicenseNumber: "404977", LicenseTypeCode: "75"}}
	const twice = "state,license_number,label\nCA,400183,A\nCA,48-400183,A\nCA,48-400183,B\nCA,47-400183,C\nCA,75-404977,D\nNY,1000283,E\nNY,0345-24-100283,E\nCA,400999,F\nCA,41-400999,F\n"
	if r := g.putCSV(key, "bars", twice); r.StatusCode != 503 {
		t.Fatalf("without a copy: %d %s", r.StatusCode, r.body)
	}
	s.copyOf(contracts.CA, ca)
	s.copyOf(contracts.NY, map[string]contracts.Member{"1000283": {LicenseNumber: "0345-24-100283"}, "0345-24-100283": {LicenseNumber: "0345-24-100283"}})
	r := g.putCSV(key, "bars", twice)
	want := []string{
		"license_number: 48-400183 is license 400183, which stands in another line already",
		"license_number: 1000283 is license 0345-24-100283, which stands in another line already",
	}
	if errs := decode[api.PortfolioKept](t, r.body).Errors; r.StatusCode != 201 || !slices.Equal(errs, want) {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	kept := func() (all []string) {
		for _, l := range decode[api.Portfolio](t, g.get(key, portfoliosPath+"/bars").body).Licenses {
			all = append(all, l.LicenseNumber+" "+l.Label)
		}
		return all
	}
	if got, want := kept(), []string{"400183 A", "400183 B", "47-400183 C", "75-404977 D", "0345-24-100283 E", "400999 F", "41-400999 F"}; !slices.Equal(got, want) {
		t.Errorf("kept %q", got)
	}
	patch := func(status int, body string) {
		t.Helper()
		if r := g.sendBody(http.MethodPatch, key, portfoliosPath+"/bars", "application/json", body); r.StatusCode != status {
			t.Errorf("%s: %d %s", body, r.StatusCode, r.body)
		}
	}
	patch(200, `{"remove":[{"state":"CA","license_number":"404977"},{"state":"CA","license_number":"75-404977"},{"state":"NY","license_number":"1000283"}],
		"add":[{"state":"CA","license_number":"48-400183","label":"G"},{"state":"CA","license_number":"400183","label":"G"}]}`)
	patch(200, `{"remove":[{"state":"CA","license_number":"48-400183","label":"A"}]}`)
	patch(422, `{"remove":[{"state":"CA","license_number":"41-400183"}]}`)
	if got, want := kept(), []string{"400183 B", "47-400183 C", "400999 F", "41-400999 F", "400183 G"}; !slices.Equal(got, want) {
		t.Errorf("after the changes: %q", got)
	}
	list := "/v1/abc/holds/NY-101-aa?date=" + string(contracts.NY.Today(time.Now()))
	if r := g.sendBody(http.MethodPut, key, list, "text/csv", "license_number\n0345-24-100283\n"); r.StatusCode >= 300 {
		t.Fatalf("a list: %d %s", r.StatusCode, r.body)
	}
	if r := g.post(key, deliveryPath, "text/csv", "id,state,license_number\n1,NY,1000283\n"); !strings.Contains(string(r.body), ",ACTIVE,101-aa,101-aa of ") {
		t.Errorf("%s", r.body)
	}
}
