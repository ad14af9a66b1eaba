package gateway_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/platform/clock/clocktest"
)

const auditsPath = "/v1/ltl/audits"

// keep has a CSV audited and kept, and returns the reply and the audit's id.
func (g *runningGateway) keep(key, target, body string, more ...string) (*response, string) {
	g.t.Helper()
	r := g.post(key, auditPath+"?keep=1"+target, "text/csv", body, more...)
	return r, r.Header.Get(api.HeaderAuditID)
}

// An audit is kept as it was answered: in each form, through any gateway, for its tenant alone and in its environment alone, until it is
// deleted. Reading it is free.
func TestAuditsAreKept(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	one, other := s.gateway(), s.gateway()
	key := s.key(live, tenant("acme"))
	if r := one.get(key, auditsPath); string(r.body) != `{"audits":[]}` {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	file := "Mark," + strings.ReplaceAll(strings.TrimSpace(auditFile(600)), "\r\n", "\r\nm,")
	asked := one.post(key, auditPath+"?columns=auto", "text/csv", file)
	r, id := one.keep(key, "&columns=auto", file)
	if r.StatusCode != 200 || string(r.body) != string(asked.body) || r.Header.Get(api.HeaderColumns) == "" {
		t.Fatalf("%d %.500s", r.StatusCode, r.body)
	}
	if again := other.get(key, auditsPath+"/"+id+"?format=csv"); string(again.body) != string(r.body) || again.Header.Get("Content-Type") != r.Header.Get("Content-Type") {
		t.Errorf("%d %.500s", again.StatusCode, again.body)
	}
	if bare := string(other.get(key, auditsPath+"/"+id+"?format=csv&bom=1&totals=0").body); !strings.HasPrefix(bare, "\ufeffMark,") || strings.Contains(bare, ",TOTAL,") {
		t.Errorf("%.200s", bare)
	}
	whole := decode[api.Audit](t, other.get(key, auditsPath+"/"+id).body)
	if whole.AuditID != id || len(whole.Results) < 600 || whole.Results[1].Other["Mark"] == "" || whole.Columns["carrier"] == "" {
		t.Errorf("%d %+v", len(whole.Results), whole.Matched)
	}
	text, err := other.try(http.MethodGet, key, auditsPath+"/"+id+"?format=ndjson") // the validator takes it for one JSON value
	if err != nil || text.Header.Get("Content-Type") != "application/x-ndjson" {
		t.Fatal(err, text.Header)
	}
	lines := strings.Split(strings.TrimSpace(string(text.body)), "\n")
	if len(lines) != len(whole.Results)+1 || !strings.Contains(lines[len(lines)-1], `"audit_id":"`+id+`"`) {
		t.Errorf("%d lines, the last is %.300s", len(lines), lines[len(lines)-1])
	}
	list := decode[api.Audits](t, other.get(key, auditsPath).body).Audits
	if len(list) != 1 || list[0].ID != id || list[0].Lines != len(whole.Results) || list[0].RecoverableAmount != whole.Totals.RecoverableAmount ||
		list[0].ExpiresAt.Sub(list[0].KeptAt) != 90*24*time.Hour || len(list[0].Carriers) != len(contracts.Carriers) {
		t.Errorf("%+v", list)
	}
	for who, k := range map[string]string{"another tenant": s.key(live, tenant("other")), "the other environment": s.key(tenant("acme"))} {
		for _, r := range []*response{one.get(k, auditsPath+"/"+id), one.sendBody(http.MethodDelete, k, auditsPath+"/"+id, "", "")} {
			if r.StatusCode != 404 || !strings.Contains(string(r.body), `"reason":"NAME"`) {
				t.Errorf("%s: %d %s", who, r.StatusCode, r.body)
			}
		}
		if r := one.get(k, auditsPath); string(r.body) != `{"audits":[]}` {
			t.Errorf("%s: %s", who, r.body)
		}
	}
	if r := one.get(key, auditsPath+"/x"); r.StatusCode != 422 {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	if r := other.sendBody(http.MethodDelete, key, auditsPath+"/"+id, "", ""); r.StatusCode != 200 || string(r.body) != `{"deleted":"`+id+`"}` {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	if r := one.get(key, auditsPath+"/"+id); r.StatusCode != 404 {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	s.billed(2 * whole.Totals.Resolved()) // the audit that was not kept, and the one that was
}

// A request that is repeated gets what was kept and is charged once, whatever became of the first reply; the same key with another body is
// refused, and nothing of that is kept.
func TestAKeptAuditIsRepeated(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.archiveWorker(contracts.Live)
	s.archiveWorker(contracts.Test)
	one, other := s.gateway(), s.gateway()
	key, testKey := s.key(live, tenant("acme")), s.key(tenant("acme"))
	body := consoleInvoices()
	first, id := one.keep(key, "", body, "Idempotency-Key", "k")
	if first.StatusCode != 200 || id == "" || first.Header.Get("Idempotent-Replayed") != "" {
		t.Fatalf("%d %v %s", first.StatusCode, first.Header, first.body)
	}
	asked := w.asked.Load()
	again, same := other.keep(key, "", body, "Idempotency-Key", "k")
	if same != id || string(again.body) != string(first.body) || again.Header.Get("Idempotent-Replayed") != "true" || w.asked.Load() != asked {
		t.Errorf("%s, want %s: %v, asked %d times more", same, id, again.Header, w.asked.Load()-asked)
	}
	if r := one.post(key, auditPath, "text/csv", body, "Idempotency-Key", "k"); r.StatusCode != 200 || r.Header.Get("Idempotent-Replayed") != "true" || r.Header.Get(api.HeaderAuditID) != "" {
		t.Errorf("without keep: %d %v", r.StatusCode, r.Header)
	}
	if _, another := one.keep(key, "&tolerance_amount=1", body, "Idempotency-Key", "k"); another == id || another == "" {
		t.Errorf("another question has the id %q", another)
	}
	if _, another := one.keep(key, "", body); another == id || another == "" {
		t.Errorf("a request without a key has the id %q", another)
	}
	for _, k := range []string{key, testKey} {
		if k == testKey {
			one.post(k, auditPath, "text/csv", auditFile(1), "Idempotency-Key", "k")
		}
		if r, _ := other.keep(k, "", body+"\r\n1,ODFL,2026-01-01,1,,,\r\n", "Idempotency-Key", "k"); r.StatusCode != 422 || !strings.Contains(string(r.body), "another body came with this key") {
			t.Errorf("another body: %d %s", r.StatusCode, r.body)
		}
	}
	if list := decode[api.Audits](t, one.get(key, auditsPath).body).Audits; len(list) != 3 {
		t.Errorf("%d audits are kept, want 3", len(list))
	}
	s.billed(3 + 3) // of one key, and of no key
}

// The oldest audits go, by their number and by their size; an audit of several parts is kept as a whole.
func TestTheOldestAuditsGo(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	stores, err := kept.Open(t.Context(), s.js, nil)
	if err != nil {
		t.Fatal(err)
	}
	audits := stores.Audits
	o, now := kept.Owner{Environment: contracts.Test, Tenant: "acme"}, time.Now()
	noise := make([]byte, 3<<20)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[x>>26]
	}
	var first kept.Audit
	for n := range kept.MaxAudits + 1 {
		a := kept.NewAudit(&lines.Found{Other: []string{"Note"}}, []audit.Audited{{Number: n}}, nil, "", now)
		if n == 0 {
			a.Results[0].Others = []string{string(noise)}
			first = a
		}
		if err := audits.Put(t.Context(), o, a, ""); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			continue
		}
		if got, err := audits.Get(t.Context(), o, first.ID, now); err != nil || got.Results[0].Others[0] != string(noise) {
			t.Fatal(err)
		}
	}
	list, err := audits.List(t.Context(), o, now)
	if err != nil || len(list) != kept.MaxAudits || list[len(list)-1].ID == first.ID {
		t.Errorf("%d audits, %v", len(list), err)
	}
	if _, err := audits.Get(t.Context(), o, first.ID, now); contracts.CodeOf(err) != contracts.NotFound {
		t.Errorf("the oldest: %v", err)
	}
	bucket, err := s.js.KeyValue(t.Context(), contracts.AuditsBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := bucket.Keys(t.Context())
	if err != nil || len(keys) != kept.MaxAudits+1 {
		t.Errorf("%d keys, %v: parts of the oldest are left", len(keys), err)
	}
	late := now.Add(contracts.AuditsBucket.TTL)
	if _, err := audits.Get(t.Context(), o, list[0].ID, late); contracts.CodeOf(err) != contracts.NotFound {
		t.Errorf("after 90 days: %v", err)
	}
	if list, err := audits.List(t.Context(), o, late); err != nil || len(list) != 0 {
		t.Errorf("after 90 days: %d audits, %v", len(list), err)
	}
	g := s.gateway(withConsole)
	few := kept.Owner{Environment: contracts.Test, Tenant: "few"}
	if err := audits.Put(t.Context(), few, kept.NewAudit(&lines.Found{}, nil, nil, "", now), ""); err != nil {
		t.Fatal(err)
	}
	for who, look := range map[string]string{"acme": "state partly", "few": "hint"} {
		page := string(g.pageOf("/console/audit", "Cookie", g.logIn(s.key(tenant(who))), "Accept-Encoding", "identity").body)
		if want := `<p class="` + look + `">Your company’s newest 200 are kept`; !strings.Contains(page, want) {
			t.Errorf("%s: the page lacks %s", who, want)
		}
	}
}

// A client that hangs up has paid for what is kept; while nothing can be kept, nothing is charged.
func TestWhatIsKeptIsCharged(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	g := s.gateway()
	key := s.key(live)
	file := auditFile(4000)
	rows, _ := auditedRows(t, g.post(s.key(live, tenant("other")), auditPath, "text/csv", file).body)
	resolved := 0
	for _, row := range rows {
		if audit.Verdict(row[3]).IsResolved() {
			resolved++
		}
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST %s?keep=1 HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\nContent-Type: text/csv\r\nContent-Length: %d\r\n\r\n%s", auditPath, key, len(file), file)
	if _, err := conn.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	list := func() []kept.AuditEntry { return decode[api.Audits](t, g.get(key, auditsPath).body).Audits }
	if !clocktest.Holds(func() bool { return len(list()) == 1 }) {
		t.Fatal("nothing is kept")
	}
	if err := s.js.DeleteStream(t.Context(), contracts.AuditsBucket.Stream()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if r, _ := g.keep(key, "", file, "Idempotency-Key", "k"); r.StatusCode != 503 || r.Header.Get("Retry-After") == "" {
			t.Errorf("%d %v %.300s", r.StatusCode, r.Header, r.body)
		}
	}
	s.billed(2 * resolved)
}

// A key that is the hash of the file, as the console, the command line and the clients make it, says only what is charged once. The file is
// judged by the terms of now, and so is a line that could not be judged before; while nothing is new it is the audit that was kept.
func TestAFileThatIsSentAgainIsJudgedAnew(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.archiveWorker(contracts.Live)
	g := s.gateway()
	key, saia := s.key(live), contracts.SAIA
	day := archivedFirst.AddDays(7 * 300)
	file := fmt.Sprintf("id,carrier,ship_date,billed_pct\r\n1,ODFL,%s,90\r\n2,SAIA,%s,90\r\n", day, day)
	sum := sha256.Sum256([]byte(file))
	audited := func(discount string) (id, expected, verdict, keptAt string) {
		terms := `{"carrier":"ODFL","from":"2010-01-01","basis":"published","discount_points":"` + discount + `"},{"carrier":"SAIA","from":"2010-01-01","basis":"published"}`
		if r := g.putContract(key, "acme", terms); r.StatusCode/100 != 2 {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
		r, id := g.keep(key, "&contract=acme", file, "Idempotency-Key", hex.EncodeToString(sum[:]))
		made := decode[api.Audit](t, g.get(key, auditsPath+"/"+id).body).Results
		if rows, _ := auditedRows(t, r.body); len(made) != 2 || rows[0][3] != string(made[0].Verdict) || rows[1][3] != string(made[1].Verdict) {
			t.Fatalf("%d %s, kept is %+v", r.StatusCode, r.body, made)
		}
		return id, made[0].ExpectedPct.String(), string(made[1].Verdict), r.Header.Get("Last-Modified")
	}
	w.fail.Store(&saia)
	first, five, unresolved, _ := audited("5")
	same, _, _, keptAt := audited("5")
	if at, err := http.ParseTime(keptAt); same != first || err != nil || time.Since(at) > time.Minute || unresolved != "UNRESOLVED" {
		t.Errorf("nothing is new: %s in place of %s, kept at %q, the second line is %s", same, first, keptAt, unresolved)
	}
	second, three, _, keptAt := audited("3")
	if second == first || three == five || keptAt != "" {
		t.Errorf("by other terms: %s, expected %s by either, kept at %q", second, three, keptAt)
	}
	w.fail.Store(nil)
	third, again, resolved, _ := audited("3")
	if third == second || again != three || resolved != "OVERBILLED" {
		t.Errorf("once the carrier is read again: %s, the second line is %s", third, resolved)
	}
	s.billed(2) // each line once
}
