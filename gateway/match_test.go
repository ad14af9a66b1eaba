package gateway_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/lines"
	"assay.dev/platform/bus"
)

const matchPath = "/v1/abc/match"

// matchWorker stands for the abc-workers: a customer called "a 3" has the license 3, one called "b 3" candidates, and others none. States
// that are away have no copy.
type matchWorker struct {
	asked atomic.Int64
	away  atomic.Bool
}

func (s *system) matchWorker(env contracts.Environment) *matchWorker {
	s.t.Helper()
	w := &matchWorker{}
	var endpoints []bus.Endpoint
	for _, state := range []contracts.State{contracts.CA, contracts.TX} {
		endpoints = append(endpoints, bus.Handle("match-"+string(state), contracts.MatchSubject(env, state), w.answer))
	}
	s.serve("match-"+string(env), endpoints...)
	return w
}

func (w *matchWorker) answer(_ context.Context, r contracts.MatchRequest) (contracts.MatchAnswer, error) {
	w.asked.Add(1)
	if r.State == contracts.TX || w.away.Load() {
		return contracts.MatchAnswer{}, contracts.Errorf(contracts.SourceUnavailable, "there is no copy")
	}
	a := contracts.MatchAnswer{Edition: contracts.RegisterEdition{
		State: r.State, ReadAt: time.Date(2026, 9, 18, 14, 0, 0, 0, time.UTC), Licenses: 7, Evidence: []contracts.Evidence{{SHA256: strings.Repeat("a", 64), Role: contracts.RoleFile, At: "b1"}},
	}}
	for _, c := range r.Customers {
		kind, number, _ := strings.Cut(c.Name, " ")
		one := []contracts.MatchCandidate{{LicenseNumber: number, LicenseTypeCode: "47", Score: 1, Reasons: []string{"the name is the same"}}}
		switch kind {
		case "a":
			a.Matches = append(a.Matches, contracts.Match{Outcome: contracts.Matched, Candidates: one})
		case "b":
			a.Matches = append(a.Matches, contracts.Match{Outcome: contracts.Review, Reason: "several", Candidates: append(one, one...)})
		default:
			a.Matches = append(a.Matches, contracts.Match{Outcome: contracts.NoMatch, Reason: "nothing fits"})
		}
	}
	return a, nil
}

// customerList are so many customers, of each outcome some.
func customerList(n int) string {
	var b strings.Builder
	b.WriteString("id,name,street,city,zip,state,license_number\n")
	for i := range n {
		kind, state := string("abc"[i%3]), "ca"
		switch {
		case i%10 == 9:
			state = "TX"
		case i%50 == 48:
			state = "QQ"
		}
		fmt.Fprintf(&b, "%d,%s %d,1 Main St,Napa,94559,%s,\n", i, kind, i, state)
	}
	return b.String()
}

// 10,000 customers come back in order. What is matched, and what a person decides, is charged once; what has no copy, no match or no sense
// is not.
func TestMatchOfTenThousandCustomers(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.matchWorker(contracts.Live)
	g, key := s.gateway(), s.key(live)
	r := g.post(key, matchPath, "text/csv", customerList(lines.MaxLines), "Idempotency-Key", "list")
	rows, err := csv.NewReader(strings.NewReader(string(r.body))).ReadAll()
	if err != nil || r.StatusCode != http.StatusOK || len(rows) != lines.MaxLines+2 {
		t.Fatalf("%d %v %d rows: %.300s", r.StatusCode, err, len(rows), r.body)
	}
	outcomes, resolved := map[string]int{}, 0
	for i, row := range rows[1 : len(rows)-1] {
		outcomes[row[2]]++
		switch outcome := contracts.MatchOutcome(row[2]); {
		case row[0] != fmt.Sprint(i) || (outcome == contracts.Matched) != (row[3] == fmt.Sprint(i)):
			t.Fatalf("row %d: %v", i, row)
		case outcome == contracts.InvalidCustomer && !strings.Contains(row[13], fmt.Sprintf("line %d: state", i+2)):
			t.Fatalf("row %d: %v", i, row)
		case outcome.IsResolved():
			resolved++
		}
	}
	for _, o := range contracts.MatchOutcomes {
		if outcomes[string(o)] == 0 {
			t.Errorf("no line is %s: %v", o, outcomes)
		}
	}
	if total := rows[len(rows)-1]; total[2] != "TOTAL" || !strings.HasPrefix(total[13], "10000 lines: ") {
		t.Errorf("the last row: %v", total)
	}
	s.billed(resolved)
	if again := g.post(key, matchPath, "text/csv", customerList(lines.MaxLines), "Idempotency-Key", "list"); string(again.body) != string(r.body) {
		t.Error("a repetition is answered otherwise")
	}
	s.billed(resolved)
	if asked := w.asked.Load(); asked > 2*(lines.MaxLines/contracts.MaxCustomers+8) {
		t.Errorf("the workers are asked %d times: a state that failed is asked again", asked)
	}
	if m := g.metrics(); !strings.Contains(m, `gateway_match_lines_total{environment="",outcome="REVIEW",service="gateway"}`) {
		t.Error("no metric of outcomes")
	}
	if r := g.post(key, matchPath, "text/csv", customerList(lines.MaxLines+1)); r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("one customer too many: %d", r.StatusCode)
	}
}

func TestMatchForms(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.matchWorker(contracts.Test)
	g, key := s.gateway(), s.key()
	var whole api.CustomerMatches
	r := g.post(key, matchPath, "application/json", `[{"id":"1","name":"a 7","city":"Napa","state":"CA"},{"id":"2","name":"b 8","zip":"94559","state":"CA"},{"id":"3","state":"CA","name":"Nobody"},{"id":4,"state":"CA","license_number":"5"}]`)
	if err := json.Unmarshal(r.body, &whole); err != nil || len(whole.Results) != 4 || len(whole.Totals.Editions) != 1 || whole.Totals.Editions[0].Evidence[0].At != "b1" {
		t.Fatalf("%d %v %s", r.StatusCode, err, r.body)
	}
	if one := whole.Results[0]; one.License == nil || one.License.LicenseNumber != "7" || one.Reason != nil || len(whole.Results[1].Candidates) != 2 ||
		whole.Results[1].License != nil || whole.Results[2].Outcome != contracts.InvalidCustomer || whole.Results[3].Outcome != contracts.NoMatch {
		t.Errorf("%+v", whole.Results)
	}
	exported := "Cust #;DBA;Address;City;State;Zip;Rep\nK1;a 7;1 Main;Napa;California;94559;Kim\n"
	r = g.post(key, matchPath+"?columns=auto&totals=0", "text/csv", exported)
	if want := "Rep,id,state,outcome,"; !strings.HasPrefix(string(r.body), want) || !strings.Contains(string(r.body), "Kim,K1,CA,MATCHED,7,") || strings.Contains(string(r.body), "TOTAL") {
		t.Errorf("a file as it is: %d %s", r.StatusCode, r.body)
	}
	r = g.post(key, matchPath, "text/csv", "id,state,name,street,city,zip,license_number\nK1,CA,b 8,1 Main St,Napa,94559,48-8\nK2,QQ,c,,,,9\n")
	for _, want := range []string{"\r\nK1,CA,REVIEW,,", ",b 8,1 Main St,Napa,94559,48-8\r\n", ",c,,,,9\r\n"} {
		if !strings.Contains(string(r.body), want) {
			t.Errorf("what was given does not come back, %q: %s", want, r.body)
		}
	}
	if r := g.post(key, matchPath, "application/json", `{"id":"1","name":"a 7","city":"Napa","state":"CA","dry_run":"2"}`); r.violations() != "body.dry_run bool_parsing" {
		t.Errorf("dry_run 2: %d %s", r.StatusCode, r.body)
	}
	r = g.post(key, matchPath+"?dry_run=1", "application/x-ndjson", `{"id":"1","name":"a 7","city":"Napa","state":"CA"}`)
	if !strings.Contains(string(r.body), `"lines":1,"resolved":1,"line_price_usd":"0.00","price_usd":"0.00","live_price_usd":"0.005"`) {
		t.Errorf("a dry run: %s", r.body)
	}
	for name, body := range map[string]string{"no lines": "id,state\n", "an unknown column": "id,state,color\n1,CA,red\n", "not CSV": "\"id"} {
		if r := g.post(key, matchPath, "text/csv", body); r.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.body)
		}
	}
	if r := g.post(s.key(products(contracts.LTL)), matchPath, "text/csv", exported); r.code() != contracts.ProductNotEnabled {
		t.Errorf("a key without the product: %d", r.StatusCode)
	}
	w.away.Store(true)
	if r := g.post(key, matchPath, "text/csv", customerList(3)); r.code() != contracts.SourceUnavailable {
		t.Errorf("no copy at all: %d %s", r.StatusCode, r.body)
	}
}
