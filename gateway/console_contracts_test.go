package gateway_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/keys"
	"assay.dev/platform/clock/clocktest"
)

const contractsPage = "/console/contracts"

// A person enters terms of a contract, with and without scripts, is told what is wrong with one, checks, copies and deletes; and has
// invoices audited by it.
func TestContractsInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	s.priceWorker(contracts.Live)
	g := s.gateway(withConsole)
	b := openBrowser(t)
	all := shown([]look{{width: 360, dark: true}, {width: 1440}})
	for i, l := range all {
		t.Run(l.String(), func(t *testing.T) {
			key := s.key(live, tenant(fmt.Sprint("t", i)), func(r *keys.Record) { r.Limit = 1000 })
			v := g.visitWithoutScripts(t, b, contractsPage, key, l)
			v.has("No contract is kept yet")
			v.checkStill()
			v.write("#name", "acme")
			v.write("#from", "2010-01-01")
			v.write("#basis", "brackets")
			v.write("#carrier", "ODFL")
			v.write("#brackets", "1.00\t6.30\t30\n6.40\t31.5")
			v.press(`#term [value="check"]`)
			v.isAt("#message")
			v.has("6.3", "6.4")
			v.refused(422)
			if kept := v.eval(`document.querySelector("#brackets").value.length + " " + document.querySelector("#basis").value`); kept != "22 brackets" {
				t.Errorf("what was written is gone: %s", kept)
			}
			v.checkStill()
			v.write("#brackets", "$1.00\t$6.30\t30%\n$6.30\t31.5%")
			v.press(`#term [value="check"]`)
			v.has("This may be kept.", "No contract is kept yet")
			v.eval(`document.querySelector("#brackets").focus()`)
			wait := v.tab.WaitNavigation("load")
			v.must(v.tab.Keyboard.Type(input.Tab, input.Enter))
			wait()
			v.isAt("#contract-title")
			v.has("brackets: from 1.00 to 6.30: 30.00 %; from 6.30 on: 31.50 %")
			v.checkStill()
			v.write("#from", "2010-01-01")
			v.write("#carrier", "SAIA")
			v.write("#discount_points", "5")
			v.write("#multiplier", "8500%")
			v.press(`#term [value="add"]`)
			v.has("times 85.00 makes 845.00 percent of 10.00; write 0.85 for 85 percent")
			v.refused(422)
			v.write("#multiplier", "85%")
			v.press(`#term [value="add"]`)
			v.has("published x 0.85 - 5.00")
			v.write("#from", "2026-01-01")
			v.write("#carrier", "SAIA")
			v.press(`#term [value="add"]`)
			v.has("term 2 and term 3 of SAIA are both for 2026-01-01")
			v.refused(422)
			v.checkStill()
			v.write("#copy", "copy-1")
			v.press("#duplicate button")
			v.has("The contract copy-1", "published x 0.85 - 5.00")
			v.press(`#terms [value="0"]`)
			if n := v.eval(`document.querySelectorAll("#terms tbody tr").length + " " + document.querySelectorAll("#kept tbody tr").length`); n != "1 2" {
				t.Errorf("terms and contracts: %s", n)
			}
			v.press(`#kept [value="copy-1"]`)
			list := decode[api.Contracts](t, g.get(key, contractsPath).body).Contracts
			if len(list) != 1 || list[0].Name != "acme" || list[0].Terms != 2 {
				t.Errorf("%+v", list)
			}
			v.press(`nav a[href="/console/audit"]`)
			v.write("#contract", "acme")
			v.choose("#file", "id,carrier,ship_date,base_amount,billed_amount\r\n1,ODFL,"+string(archivedFirst.AddDays(2100))+",1000,301\r\n")
			v.press("#pay")
			v.press("#confirm")
			v.has("OVERBILLED", "300.00", "1.00 USD above")
			v.checkStill()
		})
	}
	s.billed(len(all)) // a line of each look
}

// refused wants the browser to have told of one page that was answered with a status, which is expected then.
func (v *visit) refused(status int) {
	v.t.Helper()
	told := clocktest.Holds(func() bool {
		v.mu.Lock()
		defer v.mu.Unlock()
		return len(v.wrong) > 0
	})
	v.mu.Lock()
	defer v.mu.Unlock()
	if !told || len(v.wrong) != 1 || !strings.Contains(v.wrong[0], strconv.Itoa(status)) {
		v.t.Errorf("%v, want one %d", v.wrong, status)
	}
	v.wrong = nil
}

// What a form of contracts may not do is refused in the API's words, and changes nothing.
func TestFormsOfContracts(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withConsole)
	key := s.key(func(r *keys.Record) { r.Limit = 1000 })
	cookie := g.logIn(key)
	if r := g.putContract(key, "main", ownBrackets); r.StatusCode/100 != 2 {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	term := func(more ...string) url.Values {
		form := url.Values{"step": {"add"}, "name": {"main"}, "carrier": {"SAIA"}, "basis": {"published"}, "from": {"2026-01-01"}}
		for i := 0; i < len(more); i += 2 {
			form.Set(more[i], more[i+1])
		}
		return form
	}
	for name, c := range map[string]struct {
		form   url.Values
		status int
		text   string
	}{
		"a name":         {term("name", "../x"), 422, "a name has a to z"},
		"no number":      {term("cap_pct", "<b>"), 422, "want a decimal number"},
		"no date":        {term("from", ""), 422, "from: "},
		"no weeks":       {term("lag_weeks", "x"), 422, "lag_weeks: this is not a whole number"},
		"no brackets":    {term("basis", "brackets", "brackets", "1 2 3 4"), 422, "line 1: want a price"},
		"half a peg":     {term("basis", "peg", "peg.base_usd", "3"), 422, "term 2: "},
		"a basis":        {term("basis", "x"), 422, "basis: "},
		"no such copy":   {url.Values{"step": {"copy"}, "name": {"none"}, "copy": {"other"}}, 422, "want 1 to 200 terms"},
		"the same name":  {url.Values{"step": {"copy"}, "name": {"main"}, "copy": {"main"}}, 422, "there is a contract of that name already"},
		"the last term":  {url.Values{"remove": {"0"}, "name": {"main"}}, 422, "want 1 to 200 terms"},
		"nothing to go":  {url.Values{"delete": {"none"}}, 404, "no contract is called"},
		"a wrong delete": {url.Values{"delete": {"a.b"}}, 422, "a name has a to z"},
	} {
		if r := g.sendForm(contractsPage, cookie, c.form); r.StatusCode != c.status || !strings.Contains(string(r.body), c.text) {
			t.Errorf("%s: %d %.3000s", name, r.StatusCode, r.body)
		}
	}
	if kept := decode[kept.KeptContract](t, g.get(key, contractsPath+"/main").body); len(kept.Terms) != 1 {
		t.Errorf("%+v", kept)
	}
	if r := g.pageOf(contractsPage+"?name=main", "Cookie", g.logIn(s.key(tenant("other"))), "Accept-Encoding", "identity"); strings.Contains(string(r.body), "31.50") {
		t.Errorf("another tenant sees %s", r.body)
	}
	if r := g.pageOf(contractsPage, "Cookie", g.logIn(s.key(products(contracts.ABC))), "Accept-Encoding", "identity"); r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), "not subscribed") {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
}
