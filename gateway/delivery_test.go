package gateway_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/deliveries"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
)

const deliveryPath = "/v1/abc/delivery"

// lookups stand for the abc-workers of one environment: a license is ACTIVE until 2027, one that ends with 7 SUSPENDED, and 999999 is none.
func (s *system) lookups(env contracts.Environment) {
	s.t.Helper()
	var endpoints []bus.Endpoint
	for _, state := range contracts.States {
		endpoints = append(endpoints, bus.Handle("license-"+string(state), contracts.LicenseSubject(env, state), answerLookup))
	}
	s.serve("lookups-"+string(env), endpoints...)
}

func answerLookup(_ context.Context, r contracts.LicenseRequest) (contracts.LicenseAnswer, error) {
	now := time.Now()
	a := contracts.LicenseAnswer{
		Provenance: contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: now, ExpiresAt: now.Add(time.Hour), Method: contracts.StructuredParse, EvidenceURL: "https://register.test/license", Complete: true},
		Tally:      contracts.Tally{Clean: 8, Required: 8}, State: r.State, Number: r.Number,
	}
	if r.Number == "999999" {
		return a, nil
	}
	a.Record = &contracts.LicenseRecord{LicenseNumber: r.Number, Status: contracts.Active, ExpirationDate: "2027-06-30", Suspensions: []contracts.Suspension{}}
	if r.State == contracts.NY && r.Number == formerNY {
		a.Record.LicenseNumber = todayNY
	}
	if strings.HasSuffix(r.Number, "7") {
		a.Record.Status = contracts.Suspended
	}
	return a, nil
}

// formerNY is the serial that a license of NY had before 2022. The register shows the license by it as it was, and by todayNY as it is.
const formerNY, todayNY = "1000283", "0345-24-100287"

// A license that is asked for by a former number is answered by that of today, which changes have.
func TestAFormerNumberIsAnsweredByThatOfToday(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.lookups(contracts.Test)
	g, key := s.gateway(), s.key()
	for _, number := range []string{formerNY, todayNY, formerNY} {
		l := decode[contracts.License](t, g.get(key, "/v1/abc/license/"+number+"?state=NY").body)
		if l.LicenseNumber != todayNY || l.Verdict != contracts.Fail {
			t.Errorf("%s: %s %s", number, l.LicenseNumber, l.Verdict)
		}
	}
	if r := g.get(key, "/v1/abc/license/1000284?state=NY"); r.StatusCode != http.StatusOK {
		t.Errorf("a serial that is the number of today: %d %s", r.StatusCode, r.body)
	}
}

// One delivery: the license is looked up and priced as an answer, the tenant's lists count, and no client keeps what is said. What is
// proven not to exist, or cannot be read, is answered as a lookup of it is.
func TestOneDelivery(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.lookups(contracts.Live)
	g, key, other := s.gateway(), s.key(live, tenant("acme")), s.key(live, tenant("other"))
	ask := func(k, query string) (contracts.CheckedDelivery, *response) {
		r := g.get(k, deliveryPath+"?"+query)
		if r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s", query, r.StatusCode, r.body)
		}
		return decode[contracts.CheckedDelivery](t, r.body), r
	}
	before := contracts.CA.Today(time.Now())
	d, r := ask(key, "state=CA&license_number=632923")
	if d.Verdict != contracts.Deliver || d.Reasons[0].Code != contracts.HoldsNotReported || d.Record.LicenseNumber != "632923" || d.On < before || d.On > contracts.CA.Today(time.Now()) ||
		d.Verifiability.ExtractionConfidence < contracts.MinConfidence || len(d.HoldsChecked) != 0 {
		t.Errorf("%s", r.body)
	}
	if c := r.Header.Get("Cache-Control"); c != "private, no-cache" {
		t.Errorf("Cache-Control %s", c)
	}
	clocktest.Await(t, "the answer on the bill", func() bool {
		sums, err := usage.Sums(t.Context(), s.js, time.Now())
		return err == nil && len(sums) == 1 && sums[0].Count == 1 && sums[0].Product == contracts.ABC
	})
	if d, _ := ask(key, "state=FL&license_number=BEV3900123&beverage=wine"); d.Verdict != contracts.DeliveryUnverified || d.Reasons[0].Code != contracts.ListNotRead || d.Beverage != contracts.Wine {
		t.Errorf("without the list: %+v", d.Delivery)
	}
	date := string(contracts.FL.Today(time.Now()).AddDays(-1))
	if r := g.sendBody(http.MethodPut, key, "/v1/abc/holds/FL-561.42?date="+date, "text/csv", "license_number,since\r\n3900123,2026-11-01\r\n"); r.StatusCode != http.StatusCreated || r.Header.Get("Location") != "/v1/abc/holds/FL-561.42" {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	if d, _ := ask(key, "state=FL&license_number=BEV3900123"); d.Verdict != contracts.Stop || d.Holds[0].Since != "2026-11-01" || d.HoldsChecked[0].Edition != contracts.Date(date) {
		t.Errorf("on the list: %+v", d.Delivery)
	}
	g.sendBody(http.MethodPut, key, "/v1/abc/holds/IL-100.90?date="+date, "text/csv", "license_number\r\n1B-1143601\r\n")
	if d, _ := ask(key, "state=IL&license_number=1A-1143601"); d.Verdict != contracts.Stop || len(d.Holds) != 1 {
		t.Errorf("on the list with another class: %+v", d.Delivery)
	}
	if d, _ := ask(other, "state=FL&license_number=BEV3900123"); d.Verdict != contracts.DeliveryUnverified || len(d.Holds) != 0 {
		t.Errorf("of another tenant: %+v", d.Delivery)
	}
	if d, _ := ask(key, "state=CA&license_number=632923&on=2099-01-01"); d.Verdict != contracts.Stop || d.Reasons[0].Code != contracts.LicenseNotGood {
		t.Errorf("after it expired: %+v", d.Delivery)
	}
	if r := g.get(key, deliveryPath+"?state=CA&license_number=632923&format=csv"); !strings.Contains(string(r.body), "CA,632923") || !strings.Contains(string(r.body), "DELIVER") {
		t.Errorf("%s", r.body)
	}
	for query, want := range map[string]int{
		"state=CA&license_number=999999": 404, "state=CA": 422, "license_number=1": 422, "state=CA&license_number=632923&beverage=rum": 422,
		"state=CA&license_number=632923&on=today": 422, "state=CA&license_number=632923&ordered_at=noon": 422, "state=CA&license_number=632923&ordered_at=2026-11-01": 200,
	} {
		if r := g.get(key, deliveryPath+"?"+query); r.StatusCode != want {
			t.Errorf("%s: %d, want %d: %s", query, r.StatusCode, want, r.body)
		}
	}
	if d, _ := ask(key, "state=CA&license_number=632927"); d.Verdict != contracts.Stop || d.Reasons[0].Code != contracts.LicenseNotGood {
		t.Errorf("suspended: %+v", d.Delivery)
	}
	if r := g.get(s.key(products(contracts.LTL)), deliveryPath+"?state=CA&license_number=1"); r.code() != contracts.ProductNotEnabled {
		t.Errorf("a key without the product: %d", r.StatusCode)
	}
}

// TX's list is read: who is not on it may be delivered to, and what was ordered before the first day on it until 1 p.m. of that day.
func TestDeliveryInTexas(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.lookups(contracts.Test)
	s.membersWorker(contracts.Test)
	g, key := s.gateway(), s.key()
	today := contracts.TX.Today(time.Now())
	tomorrow := string(today.AddDays(1))
	for query, want := range map[string]string{
		"100001001&beverage=wine": "DELIVER TYPE_NOT_LOOKED_AT", "100001001": "CASH_ONLY CASH_LAW", "100001007&beverage=wine": "STOP LICENSE_NOT_GOOD", "100001009&beverage=spirits": "UNVERIFIED LIST_NOT_READ",
		"100001008&beverage=wine":                                                 "DELIVER ON_LIST",
		"100001008&beverage=wine&on=" + tomorrow:                                  "STOP ON_LIST",
		"100001008&beverage=wine&on=" + tomorrow + "&ordered_at=" + tomorrow:      "STOP ON_LIST",
		"100001008&beverage=wine&ordered_at=9999-12-31&on=" + tomorrow:            "STOP ON_LIST", // what systems write for "no date"
		"100001008&beverage=wine&ordered_at=" + string(today) + "&on=" + tomorrow: "DELIVER ORDERED_BEFORE",
		"100001008&beverage=malt&on=" + tomorrow:                                  "CASH_ONLY CASH_LAW",
		"100001001&beverage=wine&on=" + string(today.AddDays(21)):                 "UNVERIFIED LIST_TOO_OLD",
	} {
		r := g.get(key, deliveryPath+"?state=TX&license_number="+query)
		d := decode[contracts.CheckedDelivery](t, r.body)
		got := string(d.Verdict)
		if len(d.Reasons) > 0 {
			got += " " + string(d.Reasons[0].Code)
		}
		if got != want {
			t.Errorf("%s: %s, want %s: %s", query, got, want, r.body)
		}
		if isRead := !strings.HasPrefix(query, "100001009"); isRead != (len(d.HoldsChecked) == 1) || isRead && (d.HoldsChecked[0].Edition != today || d.HoldsChecked[0].Evidence[0].At != "b2") {
			t.Errorf("%s: lists %+v", query, d.HoldsChecked)
		}
	}
	posted := "id,state,license_number,beverage,on,ordered_at\n1,TX,100001008,wine," + tomorrow + "," + string(today) + "\n2,TX,100001008,wine," + tomorrow + ",\n3,CA,1,wine,,\n"
	if got := string(g.post(key, deliveryPath, "text/csv", posted).body); !strings.Contains(got, "1,TX,100001008,UNVERIFIED") || !strings.Contains(got, "2,TX,100001008,STOP") {
		t.Errorf("ordered before the first day on the list, and not: %s", got)
	}
	// Without a copy of the register, a license on the list is to be stopped; the other one is not proven.
	g.putCSV(key, "bars", "state,license_number,label\r\nTX,100001007,held\r\nTX,100001001,free\r\nCA,1,other\r\n")
	if got := string(g.get(key, portfoliosPath+"/bars/stops?beverage=wine&format=csv").body); !strings.Contains(got, "TX,held,100001007") || strings.ContainsAny(got, "[{") || strings.Contains(got, "editions") || strings.Index(got, "STOP") > strings.Index(got, "UNVERIFIED") {
		t.Errorf("%s", got)
	}
}

func TestToolChecksDelivery(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.lookups(contracts.Test)
	g, key := s.gateway(), s.key()
	r := call(t, g.agent(stateless, "/mcp/abc", key), "check_delivery", map[string]any{"state": "CA", "license_number": 632923, "beverage": "wine"})
	if text := blockOf(r, 1); r.IsError || !strings.Contains(text, "DELIVER: CA publishes no delinquent list.") {
		t.Errorf("%s", text)
	}
	today := string(contracts.FL.Today(time.Now()))
	g.sendBody(http.MethodPut, key, "/v1/abc/holds/FL-561.42?date="+today, "text/csv", "license_number\r\n3900123\r\n")
	r = call(t, g.agent(stateless, "/mcp/abc", key), "check_delivery", map[string]any{"state": "FL", "license_number": "BEV3900124"})
	if text := blockOf(r, 1); r.IsError || !strings.HasSuffix(text, " Lists: 561.42 of "+today) {
		t.Errorf("of a list that does not name it: %s", text)
	}
}

// deliveryList are so many deliveries: each tenth to a state without a copy, each fiftieth cannot be read.
func deliveryList(n int) string {
	var b strings.Builder
	b.WriteString("id,state,license_number,beverage,on,ordered_at\n")
	for i := range n {
		state, number, beverage := "CA", fmt.Sprint(400_000+i), "wine"
		switch {
		case i%50 == 48:
			beverage = "rum"
		case i%10 == 9:
			state, number = "TX", "100001159"
		}
		fmt.Fprintf(&b, "%d,%s,%s,%s,,2026-11-01\n", i, state, number, beverage)
	}
	return b.String()
}

// 10,000 deliveries come back in order. What has a verdict is charged once.
func TestTenThousandDeliveries(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.membersWorker(contracts.Live)
	g, key := s.gateway(), s.key(live)
	started := time.Now()
	r := g.post(key, deliveryPath, "text/csv", deliveryList(lines.MaxLines), "Idempotency-Key", "list")
	t.Logf("%s for %d lines, %d bytes", time.Since(started), lines.MaxLines, len(r.body))
	rows, err := csv.NewReader(strings.NewReader(string(r.body))).ReadAll()
	if err != nil || r.StatusCode != http.StatusOK || len(rows) != lines.MaxLines+2 {
		t.Fatalf("%d %v %d rows: %.300s", r.StatusCode, err, len(rows), r.body)
	}
	verdicts := map[deliveries.Verdict]int{}
	for i, row := range rows[1 : len(rows)-1] {
		v := deliveries.Verdict(row[3])
		verdicts[v]++
		if row[0] != fmt.Sprint(i) || v == deliveries.Invalid && !strings.Contains(row[4], fmt.Sprintf("line %d: beverage: want", i+2)) ||
			row[1] == "TX" && v != deliveries.Verdict(contracts.DeliveryUnverified) {
			t.Fatalf("row %d: %v", i, row)
		}
	}
	for _, v := range []deliveries.Verdict{"STOP", "UNVERIFIED", "DELIVER", "INVALID"} {
		if verdicts[v] == 0 {
			t.Errorf("no line is %s: %v", v, verdicts)
		}
	}
	if total := rows[len(rows)-1]; total[3] != "TOTAL" || !strings.HasPrefix(total[4], "10000 lines: ") {
		t.Errorf("the last row: %v", total)
	}
	const resolved = 8_800 // 200 are INVALID, and 1,000 of TX UNVERIFIED
	s.billed(resolved)
	g.post(key, deliveryPath, "text/csv", deliveryList(lines.MaxLines), "Idempotency-Key", "list")
	s.billed(resolved)
	if m := g.metrics(); !strings.Contains(m, `gateway_delivery_lines_total{environment="",service="gateway",verdict="STOP"}`) {
		t.Error("no metric of verdicts")
	}
}

func TestDeliveryForms(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.membersWorker(contracts.Test)
	g, key := s.gateway(), s.key()
	today := contracts.CA.Today(time.Now())
	soon := string(today.AddDays(5))
	body := `[{"id":"1","state":"CA","license_number":"400001","on":"` + soon + `"},{"id":"2","state":"CA","license_number":"7"},{"id":"3","state":"ca","license_number":"x y"},{"id":"4","state":"CA","license_number":"400001","ordered_at":"noon"}]`
	r := g.post(key, deliveryPath, "application/json", body)
	whole := decode[api.Deliveries](t, r.body)
	if len(whole.Results) != 4 || len(whole.Totals.Editions) != 1 || whole.Totals.Lines != 4 || whole.Totals.Verdicts[deliveries.Invalid] != 2 {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	if one := whole.Results[0]; one.Verdict != "DELIVER" || one.DBAName != "SHOP 400001" || one.ValidUntil == nil || contracts.CA.Today(*one.ValidUntil) <= today || contracts.CA.Today(*one.ValidUntil) > contracts.CA.Today(time.Now()).AddDays(1) || string(one.On) != soon {
		t.Errorf("%+v", one)
	}
	if bad := whole.Results[2]; len(bad.Errors) != 1 || bad.ValidUntil != nil || bad.On != "" || whole.Results[1].On < today || whole.Results[1].On > contracts.CA.Today(time.Now()) || whole.Results[1].Verdict != "STOP" {
		t.Errorf("%+v", whole.Results)
	}
	exported := "Cust #;License;State;Rep\nK1;400001;California;Kim\n"
	if r := g.post(key, deliveryPath+"?columns=auto", "text/csv", exported); !strings.Contains(string(r.body), "Kim,K1,CA,400001,DELIVER") {
		t.Errorf("a file as it is: %d %s", r.StatusCode, r.body)
	}
	// A file as it is tells the day and the beverage that each line was judged for; what the columns do not tell is asked for, and can be said.
	year := strconv.Itoa(time.Now().Year() + 1)
	export := "Order #,State,License #,Delivery Date,Product\n77,CA,400001,12/4/" + year + ",beer\n"
	if r := g.post(key, deliveryPath+"?columns=auto", "text/csv", export); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(r.body), "date_form=mdy") {
		t.Errorf("12/4 is read without asking: %d %s", r.StatusCode, r.body)
	}
	if r := g.post(key, deliveryPath+"?columns=auto&date_form=mdy", "text/csv", export); !strings.Contains(string(r.body), year+"-12-04,malt\r\n") || !strings.HasPrefix(string(r.body), "id,state,") {
		t.Errorf("the month first: %d %s", r.StatusCode, r.body)
	}
	if r := g.post(key, deliveryPath+"?date_form=mdy", "text/csv", export); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(r.body), "say columns=auto too") {
		t.Errorf("date_form alone: %d %s", r.StatusCode, r.body)
	}
	r = g.post(key, deliveryPath+"?dry_run=1", "application/x-ndjson", `{"id":"1","state":"CA","license_number":"400001"}`)
	if !strings.Contains(string(r.body), `"lines":1,"resolved":1,"line_price_usd":"0.00"`) {
		t.Errorf("a dry run: %s", r.body)
	}
	days := "id,state,license_number,on\n"
	for i := range deliveries.MaxDays + 1 {
		days += fmt.Sprintf("%d,CA,400001,%s\n", i, today.AddDays(i))
	}
	for name, body := range map[string]string{"no lines": "id,state,license_number\n", "an unknown column": "id,state,color\n1,CA,red\n", "too many days": days} {
		if r := g.post(key, deliveryPath, "text/csv", body); r.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.body)
		}
	}
	// A register says what a license is now: no day that has passed in its state has a verdict.
	g.putCSV(key, "bars", "state,license_number\r\nCA,400001\r\nFL,BEV3900123\r\n")
	for state, number := range map[contracts.State]string{contracts.CA: "400001", contracts.FL: "BEV3900123"} {
		past := string(state.Today(time.Now()).AddDays(-1))
		r = g.post(key, deliveryPath, "text/csv", fmt.Sprintf("id,state,license_number,on\n1,%s,%s,%s\n", state, number, past))
		if !strings.Contains(string(r.body), "INVALID") || !strings.Contains(string(r.body), past+" has passed") {
			t.Errorf("a past day in a list: %d %s", r.StatusCode, r.body)
		}
		for _, path := range []string{fmt.Sprintf("%s?state=%s&license_number=%s&", deliveryPath, state, number), portfoliosPath + "/bars?", portfoliosPath + "/bars/stops?"} {
			if r := g.get(key, path+"on="+past); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(r.body), past+" has passed") {
				t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
			}
			if r := g.get(key, path+"on=2010-01-01"); r.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
			}
		}
	}
	if r := g.post(key, deliveryPath, "text/csv", "id,state,license_number\n1,TX,100001159\n"); r.code() != contracts.SourceUnavailable {
		t.Errorf("no copy at all: %d %s", r.StatusCode, r.body)
	}
}
