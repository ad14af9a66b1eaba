package gateway_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/keys"
	"assay.dev/platform/clock/clocktest"
)

const (
	customersPage = "/console/customers"
	changesPage   = "/console/changes"
)

// consoleCustomers are customers of each outcome, of whom one has hostile words, one shares a license and one names its type.
const consoleCustomers = "id,name,street,city,zip,state,license\n" +
	"good,a 1,1 Main St,Napa,94559,CA,47-0001\ngone,a 7,1 Main St,Napa,94559,CA,0007\nagain,a 7,2 Main St,Napa,94559,CA,\n" +
	"\"<script>document.title='x'</script>\",b 8,1 Main St,Napa,94559,CA,\nopen,b 9,1 Main St,Napa,94559,CA,\n" +
	"none,c 3,1 Main St,Napa,94559,CA,\naway,a 4,1 Main St,Austin,78701,TX,\nwrong,a 5,1 Main St,Napa,94559,QQ,\n"

// A person brings a list, reads the price, decides what is doubtful, keeps it and sees today's verdicts: with scripts by a dropped file,
// without them by a pasted one.
func TestCustomersInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.matchWorker(contracts.Live)
	s.membersWorker(contracts.Live)
	g := s.gateway(withConsole)
	b := openBrowser(t)
	const price = "8 customers: 5 have a license or candidates for you to decide between, at 0.005 USD each. Free: 2 lines without, or of a state of which there is no copy just now, and 1 that cannot be read (below). Price: 0.025 USD."
	for i, l := range shown(looks) {
		t.Run(l.String(), func(t *testing.T) {
			key := s.key(live, tenant(fmt.Sprint("t", i)), func(r *keys.Record) { r.Limit = 1000 })
			scripts := i%2 == 0
			var v *visit
			check := func() {
				t.Helper()
				if scripts {
					v.check()
				} else {
					v.checkStill()
				}
			}
			if scripts {
				v = g.visit(t, b, customersPage, l)
				v.logIn(key)
				check()
				v.choose("#file", consoleCustomers)
				v.until(fmt.Sprintf(`document.querySelector("#message").textContent.startsWith(%q)`, price))
				check()
				v.press("#pay")
			} else {
				v = g.visitWithoutScripts(t, b, customersPage, key, l)
				check()
				v.write("#pasted", consoleCustomers)
				v.press("#pay")
				v.isAt("#quote-title")
				v.has(price, "line 9: state")
				check()
				v.press("#confirm")
			}
			v.isAt("#result-title")
			v.eval(`(document.title = "before")`)
			v.moves(v.tab.Reload) // the result has an address, and costs nothing again
			v.until(`document.title !== "before" && document.readyState === "complete" && !!document.querySelector("#result-title")`)
			v.has("CA 8. the name is the same", "there is no copy of the register of TX", "line 9: state", "Without a license")
			if n := v.eval(`document.querySelectorAll("main script:not([src]), main img").length + " " + document.title`); n != "0 Customers · Assay" {
				t.Errorf("elements of a file, and the title: %s", n)
			}
			check()
			v.picture("matched " + l.String())
			all := map[string]string{} // what became of each customer
			for _, row := range v.downloadCSV(`document.querySelector("#matches-csv").click()`) {
				all[row[0]] += row[2] + " " + row[3]
			}
			if fmt.Sprint(all["again"], all["open"], all["none"], all["away"]) != "MATCHED 7REVIEW NONE UNRESOLVED " || len(all) != 10 {
				t.Errorf("the matches as CSV: %v", all)
			}
			v.eval(`document.querySelector("#decide-0-none").focus()`)
			v.must(v.tab.Keyboard.Type(input.ArrowUp)) // one key, as one click
			v.write("#portfolio-name", "bars")
			v.press("#keep-these")
			v.isAt("#portfolio-title")
			v.has("Of the list that was kept, 4 of 8 customers have a license here. 4 have none here, and nothing tells of them", "The portfolio has 4 licenses")
			if shown := v.eval(`Array.from(document.querySelectorAll("#stops tbody tr"), r => r.cells[0].innerText.split("\n")[0] + " " + r.cells[1].innerText + " " + r.cells[2].innerText).join("; ")`); shown != "✗ STOP gone CA 7; ✗ STOP again CA 7" {
				t.Errorf("the stops are %s", shown)
			}
			v.picture("portfolio " + l.String())
			if counts := v.eval(`document.querySelector("#verdicts").innerText.replace(/\s+/g, " ")`); counts != "STOP 2 UNVERIFIED 0 CASH_ONLY 0 DELIVER 2" {
				t.Errorf("the verdicts are %s", counts)
			}
			check()
			if rows := v.downloadCSV(`document.querySelector("#stops-csv").click()`); len(rows) != 3 || rows[1][5] != "7" || rows[2][4] != "again" || slices.Contains(rows[0], "editions") {
				t.Errorf("the stops as CSV: %v", rows)
			}
			day := contracts.CA.Today(time.Now()) // which ends while the test runs, once in a day
			name, file := v.download(`document.querySelector("#members-csv").click()`)
			if rows := strings.Count(string(file), "\r\n"); rows != 5 || !strings.Contains(string(file), "CA,good,47-1,") || name != fmt.Sprintf("members-bars-%s.csv", day) && day == contracts.CA.Today(time.Now()) {
				t.Errorf("the licenses as CSV: %s has %s", name, file)
			}
			v.write("#remove-number", "7")
			v.write("#remove-label", "again")
			v.press("#remove")
			v.isAt("#portfolio-title")
			v.has("Removed from this portfolio: CA 7, again")
			if left := decode[api.Portfolio](t, g.get(key, portfoliosPath+"/bars").body).Licenses; len(left) != 3 || left[1].Label != "gone" {
				t.Errorf("after the removal: %+v", left)
			}
			check()
			v.press(`#kept button[name="delete"]`)
			if kept := decode[api.Portfolios](t, g.get(key, portfoliosPath).body); len(kept.Portfolios) != 0 {
				t.Errorf("%+v", kept)
			}
		})
	}
	s.billed(5 * len(shown(looks)))
}

// A list of more doubtful rows than a page shows is decided page after page, charged once, and kept when all is decided; what is kept is added to
// what is there, or put in its place; what a form may not do changes nothing.
func TestCustomersByForm(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.matchWorker(contracts.Live)
	s.membersWorker(contracts.Live)
	g := s.gateway(withConsole)
	key := s.key(live, func(r *keys.Record) { r.Limit = 1000 })
	cookie := g.logIn(key)
	var list strings.Builder
	list.WriteString("id,name,city,state,license\n")
	for i := range 250 {
		id, number := fmt.Sprint(i), ""
		switch i {
		case 3:
			id = "" // it is called by its line, which is no label
		case 200:
			number = "58-777" // of a type that the license to choose has not
		}
		fmt.Fprintf(&list, "%s,b %d,Napa,CA,%s\n", id, 1000+i, number)
	}
	found := g.sendFile(customersPage, cookie, map[string]string{"step": "match"}, []byte(list.String()))
	text := string(found.body)
	if found.StatusCode != 200 || strings.Count(text, "<fieldset") != 200 || !strings.Contains(text, "decide the next: 50 are left") {
		t.Fatalf("%d %.3000s", found.StatusCode, text)
	}
	hidden := func(page, name string) string {
		_, rest, _ := strings.Cut(page, `name="`+name+`" value="`)
		value, _, _ := strings.Cut(rest, `"`)
		return strings.NewReplacer("&#34;", `"`, "&amp;", "&", "&lt;", "<", "&gt;", ">", "&#39;", "'", "&#43;", "+").Replace(value)
	}
	keep := func(page, portfolio string, more url.Values) *response {
		fields := map[string]string{"step": "keep", "portfolio": portfolio}
		for _, name := range []string{"licenses", "asked", "rest", "saved"} {
			fields[name] = hidden(page, name)
		}
		if strings.Contains(page, `name="replace" value="1" checked`) {
			fields["replace"] = "1"
		}
		for name := range more {
			fields[name] = more.Get(name)
		}
		return g.sendFile(customersPage, cookie, fields, nil)
	}
	refused := keep(text, "../x", url.Values{"decide-3": {"0"}})
	if again := string(refused.body); refused.StatusCode != 422 || strings.Count(again, "<fieldset") != 200 || !strings.Contains(again, "a name has a to z") ||
		!strings.Contains(again, `name="decide-3" value="0" checked`) || hidden(again, "rest") != hidden(text, "rest") {
		t.Errorf("what was decided is lost: %d %.3000s", refused.StatusCode, again)
	}
	g.putCSV(key, "big", "state,license_number\r\nCA,9\r\n")
	keep(text, "big", url.Values{"decide-4": {"0"}}) // from which the person goes back
	first := keep(text, "big", url.Values{"decide-3": {"0"}, "replace": {"1"}})
	if n := strings.Count(string(first.body), "<fieldset"); first.StatusCode != 200 || n != 50 || !strings.Contains(string(first.body), "250, b") && !strings.Contains(string(first.body), "249, b 1249") {
		t.Fatalf("%d, %d to decide: %.3000s", first.StatusCode, n, first.body)
	}
	again := g.pageOf(first.Request.URL.RequestURI(), "Cookie", cookie, "Accept-Encoding", "identity")
	if n := strings.Count(string(again.body), "<fieldset"); again.StatusCode != 200 || n != 50 || !strings.Contains(string(again.body), "Still to decide") {
		t.Errorf("the address of the second page: %d, %d to decide", again.StatusCode, n)
	}
	_, csv, _ := strings.Cut(string(again.body), `id="matches-csv" href="`)
	csv, _, _ = strings.Cut(strings.ReplaceAll(csv, "&amp;", "&"), `"`)
	if r := g.pageOf(csv, "Cookie", cookie, "Accept-Encoding", "identity"); strings.Count(string(r.body), ",REVIEW,") != 250 {
		t.Errorf("the matches as CSV at %s: %d %.300s", csv, r.StatusCode, r.body)
	}
	licenses := func() (all string) {
		for _, l := range decode[api.Portfolio](t, g.get(key, portfoliosPath+"/big").body).Licenses {
			all += l.LicenseNumber + "/" + l.Label + " "
		}
		return all
	}
	if got := licenses(); got != "9/ " {
		t.Errorf("before all is decided the portfolio has %s", got)
	}
	last := keep(string(again.body), "big", url.Values{"decide-0": {"0"}})
	if got := last.Request.URL.RequestURI(); got != customersPage+"?name=big" {
		t.Errorf("the last page leads to %s: %.2000s", got, last.body)
	}
	if got := licenses(); got != "1003/ 1200/200 " {
		t.Errorf("kept %s", got)
	}
	for license, isGone := range map[string]bool{"CA 1200": false, "CA 1200, 200": false, "CA 1200, 3": true} {
		page := g.pageOf(customersPage+"?"+url.Values{"name": {"big"}, "removed": {license}}.Encode(), "Cookie", cookie, "Accept-Encoding", "identity")
		if strings.Contains(string(page.body), "Removed from this portfolio") != isGone {
			t.Errorf("%s is told as removed: %v", license, !isGone)
		}
	}
	one, err := json.Marshal([]map[string]string{{"state": "CA", "license_number": "5"}})
	if err != nil {
		t.Fatal(err)
	}
	g.sendForm(customersPage, cookie, url.Values{"step": {"keep"}, "portfolio": {"big"}, "licenses": {string(one)}, "asked": {"[]"}, "rest": {"[]"}, "replace": {"1"}})
	if got := licenses(); got != "5/ " {
		t.Errorf("replaced by %s", got)
	}
	review, err := json.Marshal([]map[string]any{{"customer": "c", "options": []any{map[string]any{"license": map[string]string{"state": "CA", "license_number": "6"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	before := url.Values{"step": {"keep"}, "begun": {"1"}, "portfolio": {"big"}, "licenses": {"[]"}, "kept": {"1"}, "listed": {"3"},
		"asked": {string(review)}, "rest": {string(review)}, "decide-0": {"0"}, "replace": {"1"}}
	next := g.sendForm(customersPage, cookie, before)
	if page := string(next.body); next.StatusCode != 200 || strings.Contains(page, `id="replace"`) || strings.Contains(page, "Nothing is kept before") {
		t.Errorf("a form of the version before, which kept each step: %d %.3000s", next.StatusCode, page)
	}
	keep(string(next.body), "big", url.Values{"begun": {"1"}, "kept": {hidden(string(next.body), "kept")}, "replace": {"1"}})
	if got := licenses(); got != "5/ 6/ " {
		t.Errorf("the steps that the version before kept are lost: %s", got)
	}
	g.sendForm(customersPage, cookie, url.Values{"step": {"keep"}, "portfolio": {"big"}, "licenses": {string(one)}, "asked": {"[]"}, "rest": {"[]"}, "replace": {"1"}})
	for name, c := range map[string]struct {
		form   url.Values
		status int
		text   string
	}{
		"a name":         {url.Values{"step": {"keep"}, "portfolio": {"../x"}, "licenses": {string(one)}, "asked": {"[]"}, "rest": {"[]"}}, 422, "a name has a to z"},
		"no licenses":    {url.Values{"step": {"keep"}, "portfolio": {"big"}, "licenses": {"<b>"}, "asked": {"[]"}, "rest": {"[]"}}, 422, "this form is not ours"},
		"another state":  {url.Values{"step": {"keep"}, "portfolio": {"big"}, "licenses": {`[{"state":"QQ","license_number":"1"}]`}, "asked": {"[]"}, "rest": {"[]"}}, 422, "want one of"},
		"nothing to go":  {url.Values{"delete": {"none"}}, 404, "no portfolio is called"},
		"not there":      {url.Values{"edited": {"big"}, "state": {"CA"}, "number": {"8"}}, 422, "CA 8 is not in the portfolio"},
		"no such state":  {url.Values{"edited": {"big"}, "state": {"QQ"}, "number": {"8"}}, 422, "want one of"},
		"a path to edit": {url.Values{"edited": {"../x"}, "state": {"CA"}, "number": {"5"}}, 422, "a name has a to z"},
		"a path to go":   {url.Values{"delete": {"../../keys"}}, 422, "a name has a to z"},
		"no file":        {url.Values{"step": {"match"}}, 422, "choose a file"},
		"no state":       {url.Values{"pasted": {"id,name\n1,a 7\n"}}, 422, "no column is known as state"},
		"nothing usable": {url.Values{"pasted": {"id,name,state\n1,a 7,QQ\n"}}, 422, "want one of"},
	} {
		if r := g.sendForm(customersPage, cookie, c.form); r.StatusCode != c.status || !strings.Contains(string(r.body), c.text) {
			t.Errorf("%s: %d %.3000s", name, r.StatusCode, r.body)
		}
	}
	if got := licenses(); got != "5/ " {
		t.Errorf("after refused forms %s", got)
	}
	for who, k := range map[string]string{"another tenant": s.key(live, tenant("other")), "the other environment": s.key()} {
		r := g.pageOf(customersPage+"?name=big", "Cookie", g.logIn(k), "Accept-Encoding", "identity")
		if !strings.Contains(string(r.body), "no portfolio is called") {
			t.Errorf("%s sees %s", who, r.body)
		}
	}
	if r := g.pageOf(customersPage+"?name=big", "Cookie", g.logIn(s.key(products(contracts.LTL))), "Accept-Encoding", "identity"); r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), "not subscribed") {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	s.billed(250)
}

// The page of changes shows what its key may see, newest first, page after page, and leads to the documents.
func TestChangesInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withConsole)
	key := s.key(func(r *keys.Record) { r.Limit = 1000 })
	g.cursor(key)
	for i := range 150 {
		s.change(contracts.Test, fmt.Sprint(400000+i))
	}
	s.change(contracts.Live, "500000")
	g.putCSV(key, "two", "state,license_number,label\r\nCA,400000,K-1\r\nCA,47-400149,K-2\r\n")
	b := openBrowser(t)
	numbers := `Array.from(document.querySelectorAll("#changes tbody tr"), r => r.cells[3].innerText.split(",")[0]).join(" ")`
	for _, l := range shown(journey) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visitWithoutScripts(t, b, changesPage, key, l)
			clocktest.Await(t, "the newest change", func() bool {
				v.press("#show")
				return strings.HasPrefix(v.eval(numbers), "400149 400148 ")
			})
			v.has("license.status_changed", "ACTIVE", "SUSPENDED")
			v.checkStill()
			if n := v.eval(`document.querySelectorAll("#changes tbody tr").length`); n != "100" {
				t.Errorf("%s changes on a page", n)
			}
			v.press("#older")
			if got := v.eval(numbers); !strings.HasPrefix(got, "400049 ") || !strings.HasSuffix(got, " 400000") {
				t.Errorf("older: %s", got)
			}
			v.write("#portfolio", "two")
			v.write("#type", string(contracts.StatusChanged))
			v.eval(`document.querySelector("#type").focus()`)
			wait := v.tab.WaitNavigation("load")
			v.must(v.tab.Keyboard.Type(input.Tab, input.Enter))
			wait()
			if got := v.eval(numbers); got != "400149 400000" {
				t.Errorf("of the portfolio: %s", got)
			}
			v.has("K-1", "K-2")
			v.checkStill()
			if cut := v.eval(`(t => t.scrollWidth - t.clientWidth)(document.querySelector("#changes"))`); cut != "0" {
				t.Errorf("%s px of the table are cut off", cut)
			}
			v.write("#type", string(contracts.LicenseAppeared))
			v.press("#show")
			v.has("Nothing here has changed yet.")
			v.checkStill()
		})
	}
	for query, text := range map[string]string{
		"?product=nope": "no change can be", "?portfolio=bars&type=surcharge.published": "no change can be", "?portfolio=none": "no portfolio is called", "?portfolio=../x": "a name has a to z", "?type=<b>": "Nothing here",
	} {
		if r := g.pageOf(changesPage+query, "Cookie", g.logIn(key), "Accept-Encoding", "identity"); r.StatusCode != 200 || !strings.Contains(string(r.body), text) {
			t.Errorf("%s: %d %s", query, r.StatusCode, r.body)
		}
	}
	if r := g.pageOf(changesPage, "Cookie", g.logIn(s.key(products(contracts.LTL))), "Accept-Encoding", "identity"); strings.Contains(string(r.body), "40014") {
		t.Errorf("another product's changes: %s", r.body)
	}
}

// A list in which no column is read as the street is told so above the button that pays. With scripts the sentence with the price says
// it, what is read as what stands before that button too, and who could not be told the price may ask again.
func TestAListWithoutStreetsWarnsBeforeItIsPaid(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.matchWorker(contracts.Live)
	g := s.gateway(withConsole)
	b, key := openBrowser(t), s.key(live, func(r *keys.Record) { r.Limit = 1000 })
	const list = "Cust No,Customer Name,%s,City,State\n7,a 1,1 Main St,Napa,CA\n"
	v := g.visit(t, b, customersPage, looks[0])
	v.logIn(key)
	v.eval(`(window.fetch = (send => (...of) => (window.fetch = send, Promise.reject(new TypeError("Failed to fetch"))))(fetch))`)
	v.write("#pasted", fmt.Sprintf(list, "Where it is"))
	v.eval(`document.querySelector("#pasted").dispatchEvent(new Event("change", {bubbles: true}))`)
	v.until(`document.querySelector("#message").textContent.includes("not reached. Nothing was charged") && !document.querySelector("#pay").disabled`)
	v.eval(`document.querySelector("#pay").click()`)
	v.until(`document.querySelector("#message").textContent.includes("no column of this file is read as the street")`)
	v.until(`document.querySelector("#match").compareDocumentPosition(document.querySelector("#pay")) & Node.DOCUMENT_POSITION_FOLLOWING`)
	v = g.visitWithoutScripts(t, b, customersPage, key, looks[0])
	for where, isWarned := range map[string]bool{"Where it is": true, "Ship-To Address 1": false} {
		v.goTo(g.url + customersPage)
		v.write("#pasted", fmt.Sprintf(list, where))
		v.press("#pay")
		v.isAt("#quote-title")
		const before = `document.querySelector("#quote").innerText.split("Match for")[0].includes("no column of this file is read as the street") + ""`
		if got := v.eval(before); got != fmt.Sprint(isWarned) {
			t.Errorf("%s: warned is %v", where, got)
		}
	}
}

// A match that is kept stays good under a version that reads the file otherwise: its lines are those that were sent.
func TestAKeptMatchHasTheLinesThatWereSent(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	stores, err := kept.Open(t.Context(), s.js, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := s.gateway(withConsole)
	cookie := g.logIn(s.key())
	const headings, moved = "id,state,name,street,city\n", "CA,Bar, LLC,1 Main St,Napa\n"
	for name, c := range map[string]struct {
		list string
		sent []string // the ids of the results
		rows []string // the outcomes of the CSV, with the ids
	}{
		"as it is read now":            {headings + "a,CA,x,1 Main St,Napa\nb," + moved, []string{"a"}, []string{"a,CA,NONE", "b,CA,INVALID"}},
		"a row was read that is not":   {headings + "a,CA,x,1 Main St,Napa\nb," + moved, []string{"a", "b"}, []string{"a,CA,NONE", "b,CA,NONE"}},
		"no row of them is read now":   {headings + "b," + moved, []string{"b"}, []string{"b,CA,NONE"}},
		"it has no id":                 {headings + "a,CA,x,1 Main St,Napa\n," + moved, []string{"a", "3"}, []string{"a,CA,NONE", "3,CA,NONE"}},
		"a row is read that was not":   {headings + "a,CA,x,1 Main St,Napa\nb,CA,y,1 Main St,Napa\n", []string{"b"}, []string{"a,CA,INVALID", "b,CA,NONE"}},
		"another row was read instead": {headings + "a,CA,x,1 Main St,Napa\nb," + moved, []string{"b"}, []string{"a,CA,INVALID", "b,CA,NONE"}},
		"nobody's result":              {headings + "a,CA,x,1 Main St,Napa\n", []string{"z"}, nil},
	} {
		answer := api.CustomerMatches{Totals: customers.NewTotals(nil)}
		for _, id := range c.sent {
			answer.Results = append(answer.Results, customers.NamedMatch{MatchResult: answer.Totals.Add(&customers.Line{ID: id, State: contracts.CA}, contracts.Match{Outcome: contracts.NoMatch, Reason: "nothing fits"})})
		}
		body, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		reply := kept.Reply{Page: customersPage, Form: url.Values{"content": {base64.StdEncoding.EncodeToString([]byte(c.list))}}, Answers: []kept.Answer{{Status: 200, Body: string(body)}}}
		if err := stores.Replies.Put(t.Context(), kept.Owner{Environment: contracts.Test, Tenant: "acme"}, &reply, time.Now()); err != nil {
			t.Fatal(err)
		}
		page := g.pageOf(customersPage+"?id="+reply.ID, "Cookie", cookie, "Accept-Encoding", "identity")
		csv := string(g.pageOf(customersPage+"?save=csv&id="+reply.ID, "Cookie", cookie, "Accept-Encoding", "identity").body)
		if isGood := page.StatusCode == 200; isGood != (c.rows != nil) {
			t.Errorf("%s: %d %.2000s", name, page.StatusCode, page.body)
		}
		for _, row := range c.rows {
			if !strings.Contains(csv, row+",") {
				t.Errorf("%s: no %s in %.2000s", name, row, csv)
			}
		}
	}
}
