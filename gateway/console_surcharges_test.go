package gateway_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/session"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
)

const surchargesPage = "/console/surcharges"

// documentHash is that of the document that the newest answers of the chart's worker were read from.
var documentHash = strings.Repeat("0123456789abcdef", 4)

// chartProvenance names one document; what the source says of itself is hostile.
func chartProvenance() contracts.Provenance {
	now := time.Now().UTC()
	return contracts.Provenance{
		Schema: contracts.AnswerSchema, ReadAt: now.Add(-time.Hour), ExpiresAt: now.Add(time.Hour), Method: contracts.StructuredParse, Complete: true,
		EvidenceURL: "https://carrier.test/fuel?" + hostileName + strings.Repeat("A", 10_000),
		Evidence:    []contracts.Evidence{{SHA256: documentHash, URL: "https://carrier.test/fuel", Role: contracts.RoleValues, At: "1041"}},
		Notes:       []contracts.Note{{Code: contracts.NoteFallback, Message: hostileName}},
	}
}

// chartWorker stands for the ltl-workers: it has all weeks that can be asked for, of carriers whose weeks begin on different days.
// The document of the newest week alone is named. It has no week of TFORCE.
func (s *system) chartWorker(env contracts.Environment) {
	s.t.Helper()
	endpoints := []bus.Endpoint{bus.Handle("diesel", contracts.DieselSubject(env), func(_ context.Context, q contracts.DieselRequest) (contracts.DieselAnswer, error) {
		a := contracts.DieselAnswer{Provenance: chartProvenance(), Tally: contracts.TallyOf(true)}
		for monday := q.To.AddDays(-int(q.To.Time().Weekday()+6) % 7); monday >= q.From; monday = monday.AddDays(-7) {
			seen := monday.Time().Add(40 * time.Hour) // on the Tuesday
			a.Weeks = append(a.Weeks, contracts.DieselWeek{Date: monday, USD: 3 + float64(len(a.Weeks)*37%100)/100, FirstSeen: &seen})
		}
		return a, nil
	})}
	for i, c := range contracts.Carriers {
		endpoints = append(endpoints, bus.Handle("history-"+string(c), contracts.HistorySubject(env, c), func(_ context.Context, q contracts.HistoryRequest) (contracts.HistoryAnswer, error) {
			a := contracts.HistoryAnswer{From: q.From, To: q.To, SurchargeAnswer: contracts.SurchargeAnswer{Provenance: chartProvenance(), Carrier: c}}
			for start := q.To.AddDays(-i % 5); c != contracts.TFORCE && start.AddDays(6) >= q.From; start = start.AddDays(-7) {
				week := contracts.SurchargeWeek{EffectiveDate: start, EndDate: start.AddDays(6), Percent: 30 + float64(i) + float64(len(a.Weeks)*37%100)/10}
				if len(a.Weeks) == 0 {
					week.EvidenceSHA256 = &documentHash
				}
				a.Weeks = append(a.Weeks, contracts.ObservedWeek{SurchargeWeek: week, Tally: contracts.TallyOf(true, true), Until: week.EndDate})
			}
			return a, nil
		}))
	}
	s.serve("chart-"+string(env), endpoints...)
}

// allWeeks is the form for all carriers and diesel over as many weeks as can be asked for.
func allWeeks() url.Values {
	today := contracts.Today(time.Now())
	return url.Values{"from": {string(today.AddDays(1 - 7*contracts.MaxHistoryWeeks))}, "to": {string(today)}, "diesel": {"1"}}
}

// show sends the form of the page and reads what comes.
func (g *runningGateway) show(cookie string, form url.Values, headers ...string) *response {
	g.t.Helper()
	return g.sendForm(surchargesPage, cookie, form, headers...)
}

var tokenField = regexp.MustCompile(`name="token" value="([^"]+)"`)

// sendForm sends a form of a page with the token that the page has for a session, unless the form has one, and reads what comes.
func (g *runningGateway) sendForm(path, cookie string, form url.Values, headers ...string) *response {
	g.t.Helper()
	form = maps.Clone(form)
	if found := tokenField.FindSubmatch(g.pageOf("/console/proof", "Cookie", cookie, "Accept-Encoding", "identity").body); !form.Has("token") && found != nil {
		form.Set("token", string(found[1]))
	}
	r, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		g.t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Cookie": {cookie}, "Accept-Encoding": {"identity"}}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := g.client.Do(r)
	if err != nil {
		g.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return &response{answer, body}
}

// doubts has the listing say since when a carrier is in doubt.
func (s *system) doubts(c contracts.Carrier) {
	since := time.Date(2026, 9, 9, 14, 2, 0, 0, time.UTC)
	s.describe(contracts.ListingKey(contracts.Live, contracts.LTL, string(c)), contracts.CarrierListing{
		Code: c, SourceHealth: contracts.SourceHealth{DoubtSince: &since},
	}, nil)
}

// The page shows figures without scripts, with the limits, the permissions and the bill of REST.
func TestSurchargesWithoutScripts(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.chartWorker(contracts.Test)
	s.chartWorker(contracts.Live)
	s.doubts(contracts.SAIA)
	g := s.gateway(withConsole)
	cookie := g.logIn(s.key(live, func(r *keys.Record) { r.Limit = 9 }))
	if r := g.pageOf(surchargesPage, "Cookie", cookie); r.StatusCode != 200 || !strings.Contains(string(r.body), "Each answer costs 0.03 USD") {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	own := []string{"Sec-Fetch-Site", "same-origin"}
	r := g.show(cookie, allWeeks(), own...)
	page := string(r.body)
	newest := contracts.Today(time.Now())
	for want, times := range map[string]int{
		`<details class="figures" data-name="`: len(contracts.Carriers), "in doubt since 2026-09-09 14:02 UTC": 2, "id=" + documentHash: len(contracts.Carriers) - 1 + 160, "<strong>TFORCE</strong>: <bdi>no week": 1,
		fmt.Sprintf(`<td role="cell">%s</td><td role="cell">%s</td><td role="cell">30</td>`, newest, newest.AddDays(6)): 1, "<script>document": 0,
		fmt.Sprintf("/console/proof?as_of=%s&amp;at=1041&amp;carrier=ODFL&amp;find=%[1]s&amp;id=%[2]s", newest, documentHash): 1,
	} {
		if got := strings.Count(page, want); got != times {
			t.Errorf("%d × %s, want %d", got, want, times)
		}
	}
	day := url.Values{"as_of": {string(newest)}, "carriers": {"ODFL"}, "from": {"x"}, "diesel": {"1"}}
	if r := g.show(cookie, day, own...); r.StatusCode != 200 || strings.Count(string(r.body), `class="figures"`) != 1 {
		t.Errorf("one day: %d %s", r.StatusCode, r.body)
	} else if want := fmt.Sprintf(`aria-label="Proof of 30 %% of ODFL">30 %%</a></td>
<td><span class="whole">%s to</span> <span class="whole">%s</span></td><td>1.00</td>`, newest, newest.AddDays(6)); !strings.Contains(string(r.body), want) {
		t.Errorf("the table of one day lacks %s: %s", want, r.body)
	}
	file := g.show(cookie, url.Values{"as_of": {string(newest)}, "carriers": {"ODFL", "SAIA"}, "format": {"csv"}}, own...)
	file.body = withoutMark(t, file.body)
	if !strings.HasPrefix(file.Header.Get("Content-Disposition"), "attachment") || len(file.rows(t)) != 2 {
		t.Errorf("the CSV: %v %s", file.Header, file.body)
	}
	// Nothing is charged for what is refused.
	for name, c := range map[string]struct {
		cookie, site string
		form         url.Values
		status       int
		text         string
	}{
		"another site":        {cookie, "cross-site", allWeeks(), 401, "pages of this site only"},
		"nobody is logged in": {"", "same-origin", allWeeks(), 401, "API key"},
		"no days":             {cookie, "same-origin", url.Values{"from": {"x"}}, 422, "from: this is not a date"},
		"a CSV of no days":    {cookie, "same-origin", url.Values{"from": {"x"}, "format": {"csv"}}, 422, "from: this is not a date"},
		"an unknown carrier":  {cookie, "same-origin", url.Values{"as_of": {string(newest)}, "carriers": {"<b>"}}, 404, "&lt;b&gt;"},
		"another product":     {g.logIn(s.key(products(contracts.ABC))), "same-origin", allWeeks(), 403, "not subscribed"},
	} {
		if r := g.show(c.cookie, c.form, "Sec-Fetch-Site", c.site); r.StatusCode != c.status || !strings.Contains(string(r.body), c.text) {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.body)
		}
	}
	if r := g.show(cookie, day, own...); r.StatusCode != 200 {
		t.Errorf("the eighth request of nine: %d", r.StatusCode)
	}
	if r := g.show(cookie, allWeeks(), own...); !strings.Contains(string(r.body), "RATE_LIMITED") {
		t.Errorf("above the limit: %d", r.StatusCode)
	}
	if r := g.show(cookie, day, append(own, session.Header, "1")...); r.StatusCode != 429 {
		t.Errorf("the header is no way around the limit: %d", r.StatusCode)
	}
	clocktest.Await(t, "the account shows what it cost", func() bool {
		return strings.Contains(string(g.pageOf(accountPage, "Cookie", cookie).body), "<strong>0.18 USD</strong>")
	})
	if err := g.stop(); err != nil { // what is billed is reported by then
		t.Fatal(err)
	}
	// Twice carriers and diesel, of which one met the limit, twice a day, a CSV.
	if sums, err := usage.Sums(t.Context(), s.js, time.Now()); err != nil || len(sums) != 1 || sums[0].Count != 6 {
		t.Errorf("%v: %+v is on the bill", err, sums)
	}
}

// A person logs in, asks for a month, reads the chart with the keyboard, hides a line, and opens the proof of a week. What the
// source says of itself stays text.
func TestSurchargesInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.chartWorker(contracts.Live)
	s.doubts(contracts.SAIA)
	g := s.gateway(withConsole)
	key := s.key(live)
	b := openBrowser(t)
	for _, l := range shown(journey) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visit(t, b, surchargesPage, l)
			v.logIn(key)
			v.drawChart(contracts.Today(time.Now()).AddDays(-28))
			v.check()
			address := v.eval("location.pathname + location.search")
			v.moves(v.tab.Reload)
			v.until(`document.querySelector("#plot canvas") && document.readyState === "complete"`)
			v.goTo(g.url + "/status")
			v.moves(v.tab.NavigateBack)
			v.until(fmt.Sprintf(`document.querySelector("#plot canvas") && location.pathname + location.search === %q`, address))
			if n := v.eval(`document.querySelectorAll("main script, main img").length + " " + document.title`); n != "0 Surcharges · Assay" {
				t.Errorf("elements of a source, and the title: %s", n)
			}
			before := v.eval(`document.querySelector("#readout caption").textContent`)
			v.eval(`document.querySelector("#plot").focus()`)
			v.must(v.tab.Keyboard.Press(input.ArrowLeft))
			v.until(fmt.Sprintf(`document.querySelector("#readout caption").textContent !== %q`, before))
			v.checkChart()
			if text := v.eval(`document.querySelector("#readout").innerText`); !strings.Contains(text, "FEDEX") || !strings.Contains(text, " USD") || strings.Contains(text, "not known") {
				t.Errorf("the readout is %s", text)
			}
			doubts := v.eval(`Array.from(document.querySelectorAll("#readout tr, #tip div"), e => e.innerText).filter(text => /in doubt|\?$/.test(text)).join()`)
			if !strings.Contains(doubts, "in doubt since 2026-09-09 14:02 UTC") || strings.Count(doubts, "SAIA") != 2 || strings.Contains(doubts, "ODFL") {
				t.Errorf("in doubt are %s", doubts)
			}
			clocktest.Await(t, "the account shows what it cost", func() bool {
				v.goTo(g.url + accountPage)
				return strings.Contains(v.eval(`document.querySelector(".month")?.ariaLabel`), "in ")
			})
			v.check()
		})
	}
	v := g.visit(t, b, surchargesPage, looks[0])
	v.logIn(key)
	v.drawChart(contracts.Date(allWeeks().Get("from")))
	t.Logf("the chart of %s rows is drawn in %s ms", v.eval(`document.querySelectorAll("details.figures tbody tr").length`),
		v.eval(`performance.getEntriesByName("chart")[0].duration.toFixed(1)`))
	v.clickPoint()
	v.until(`location.pathname === "/console/proof" && location.search.includes("carrier=SAIA")`)
	v = g.visit(t, b, surchargesPage, looks[0])
	v.logIn(key)
	v.drawChart(contracts.Today(time.Now()).AddDays(-28))
	v.checkPrint()
}

// checkPrint looks at the page as it is printed: with the figures that are folded, and without the form. It is the last look at a
// page. The layout for print is made after the first question about it.
func (v *visit) checkPrint() {
	v.t.Helper()
	v.must(proto.EmulationSetEmulatedMedia{Media: "print"}.Call(v.tab))
	v.until(`document.querySelector("details.figures:not([open]) td").checkVisibility({contentVisibilityAuto: true}) &&
		document.querySelector("details.figures td").offsetHeight > 0 && !document.querySelector("form.choose").checkVisibility()`)
}

// drawChart sends the form of the page and waits for the chart.
func (v *visit) drawChart(from contracts.Date) {
	v.t.Helper()
	v.eval(fmt.Sprintf(`(document.querySelector("[name=from]").value = %q, document.querySelector("form.choose button").click())`, from))
	v.until(`document.querySelector("#plot canvas") && performance.getEntriesByName("chart").length`)
}

// checkChart looks at the tip beside the pointer, at the marks of the lines, and that nothing is cut off, folded rows included.
func (v *visit) checkChart() {
	v.t.Helper()
	v.until(`document.querySelector("#tip").checkVisibility({visibilityProperty: true})`)
	said := v.eval(`document.querySelector("#readout caption").textContent + " " +
		document.querySelector("#tip strong").textContent + " " + document.querySelectorAll("#tip div").length`)
	if words := strings.Fields(said); words[1] != words[2] || words[3] != "10" {
		v.t.Errorf("the readout and the tip: %s", said)
	}
	if n := v.eval(`new Set(Array.from(document.querySelectorAll("#readout .swatch"),
		s => s.innerHTML.replaceAll(/style="stroke: [^;]*;/g, ""))).size`); n != "10" {
		v.t.Errorf("%s of 10 lines are told apart without colours", n)
	}
	v.eval(`document.querySelectorAll("details.figures").forEach(d => d.open = true)`)
	cut := v.eval(`Array.from(document.querySelectorAll(".scroll, .figures td, #readout td"))
		.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent.slice(0, 80)).join("; ")`)
	if cut != "" {
		v.t.Errorf("cut off: %s", cut)
	}
	v.eval(`document.querySelectorAll("details.figures").forEach(d => d.open = false)`)
}

// One table has the percents of all carriers on a day, at both widths; a carrier without an answer has a row too.
func TestADayOfAllCarriersInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.chartWorker(contracts.Test)
	g := s.gateway(withConsole)
	key := s.key()
	b := openBrowser(t)
	for _, l := range shown(journey) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visit(t, b, surchargesPage, l)
			v.logIn(key)
			v.write("[name=as_of]", string(contracts.Today(time.Now())))
			v.press("form.choose button")
			v.isAt("#answer")
			rows := v.eval(`Array.from(document.querySelectorAll(".day tbody tr"),
				r => r.innerText.replaceAll(/\s+/g, " ")).join("; ")`)
			if strings.Count(rows, " % 2") != 9 || strings.Count(rows, "; ") != 9 ||
				!strings.Contains(rows, "TFORCE no answer (WEEK_NOT_ARCHIVED)") {
				t.Errorf("the table has %s", rows)
			}
			if over := v.eval(`document.querySelector(".day").getBoundingClientRect().right > innerWidth`); over != "false" {
				t.Error("the table is cut off")
			}
			v.check()
		})
	}
}

// What was first seen, or changed, after the moment that is asked for was not known then: neither the carriers' weeks nor the prices.
func TestDieselAsKnownAtAMoment(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.chartWorker(contracts.Test)
	g := s.gateway(withConsole)
	cookie := g.logIn(s.key())
	form := url.Values{"from": {"2026-08-03"}, "to": {"2026-08-31"}, "diesel": {"1"}, "carriers": {"ODFL"}}
	for moment, want := range map[string]string{
		"": "5 weeks of the", "2026-08-25": "4 weeks of the", "2026-08-18": "3 weeks of the",
		"2026-08-11T15:59:59Z": "1 week of the", "2026-08-11T16:00:00Z": "2 weeks of the",
	} {
		form.Set("known_at", moment)
		page := string(g.show(cookie, form).body)
		if !strings.Contains(page, want) || strings.Contains(page, "Left out") != (moment != "") {
			t.Errorf("known at %q: the page lacks %q: %s", moment, want, page)
		}
	}
}

// clickPoint clicks the newest point of SAIA, as a hand does.
func (v *visit) clickPoint() {
	v.t.Helper()
	for i := range 19 {
		at, err := v.tab.Eval(fmt.Sprintf(`() => {
			if (!document.querySelector("#plot")) return "";
			for (const box of document.querySelectorAll("#readout input")) if (box.checked !== box.closest("tr").textContent.includes("SAIA")) box.click();
			document.querySelector("#plot").scrollIntoView({block: "center"});
			const over = document.querySelector(".u-over").getBoundingClientRect();
			return (over.x + over.width / 2) + " " + (over.y + over.height * %d / 20);
		}`, i+1))
		if err != nil || at.Value.Str() == "" {
			return // the click before leads to another page, perhaps just now
		}
		var x, y float64
		if _, err := fmt.Sscan(at.Value.Str(), &x, &y); err != nil {
			v.t.Fatal(at, err)
		}
		v.must(v.tab.Mouse.MoveTo(proto.NewPoint(x, y)))
		v.must(v.tab.Mouse.Click(proto.InputMouseButtonLeft, 1))
	}
}
