package gateway_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/share"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/evidence"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
)

const sharesPath = "/v1/shares"

// requestIDs are those on the pages of failures.
var requestIDs = regexp.MustCompile(`<code>[^<]*</code>`)

// rereader stands for the workers: an answer is verified where its percent, or the name of its license, stands in its document. Of what is
// absent nothing may stand in it.
func (s *system) rereader(env contracts.Environment, p contracts.Product) {
	s.t.Helper()
	store := evidence.NewStore(s.js)
	handler := func(ctx context.Context, r contracts.VerifyRequest) (contracts.Verification, error) {
		var a struct {
			Weeks         []contracts.SurchargeWeek
			Record        *contracts.LicenseRecord
			Number        string                  `json:"license_number"`
			Verifiability contracts.Verifiability `json:"_verifiability"`
		}
		if err := json.Unmarshal(r.Answer, &a); err != nil {
			return contracts.Verification{}, err
		}
		e := a.Verifiability.Evidence[0]
		d, err := store.Get(ctx, env, e.SHA256, e.At, func(contracts.Product) error { return nil })
		if err != nil {
			return contracts.Verification{}, err
		}
		holds := !strings.Contains(string(d.Body), a.Number)
		if len(a.Weeks) > 0 {
			holds = strings.Contains(string(d.Body), fmt.Sprint(a.Weeks[0].Percent))
		} else if a.Record != nil {
			holds = strings.Contains(string(d.Body), a.Record.DBAName)
		}
		return contracts.Verification{Verified: holds, Checks: []contracts.Check{{Holds: holds, Text: "read again"}}}, nil
	}
	s.serve("rereader-"+string(p)+string(env), bus.Handle("verify", contracts.VerifySubject(env, p), handler))
}

// read keeps a document of a source.
func (s *system) read(env contracts.Environment, p contracts.Product, source, body string) contracts.Evidence {
	s.t.Helper()
	k, err := evidence.Open(evidence.Deps{JetStream: s.js, Environment: env, Product: p, Parser: "v1", Wait: clocktest.Patience})
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = k.Stop(context.Background()) }()
	all, ok := k.Keep(s.t.Context(), evidence.Reading{Source: source, Path: "page"}, []scrape.Document{{Page: &scrape.Page{
		URL: "https://" + source + ".example/page", Status: http.StatusOK, Body: []byte(body), ReadAt: time.Now(),
		Header: http.Header{"Content-Type": {"text/html"}},
	}}})
	if !ok {
		s.t.Fatal("the document is not kept")
	}
	return all[0]
}

// share asks for a proof, and wants a status.
func (g *runningGateway) share(key string, status int, asked any) api.Shared {
	g.t.Helper()
	body, err := json.Marshal(asked)
	if err != nil {
		g.t.Fatal(err)
	}
	r := g.post(key, sharesPath, "application/json", string(body))
	if r.StatusCode != status {
		g.t.Fatalf("%d, want %d: %s", r.StatusCode, status, r.body)
	}
	if status != http.StatusCreated {
		return api.Shared{}
	}
	return decode[api.Shared](g.t, r.body)
}

// seen is what anybody sees at a path, without a key or a cookie.
func (g *runningGateway) seen(path string) *response {
	g.t.Helper()
	return g.pageOf(path, "Accept-Encoding", "identity")
}

// weekAnswer is an answer of a carrier whose document is kept, with the percent that a client says.
func (s *system) weekAnswer(env contracts.Environment, says float64) map[string]any {
	s.t.Helper()
	e := s.read(env, contracts.LTL, "ODFL", "<table><tr><td>2026-09-09<td>46.32</table><script>x</script>")
	return map[string]any{
		"carrier": "ODFL", "weeks": []any{map[string]any{"effective_date": "2026-09-09", "fuel_surcharge_pct": says, "evidence_sha256": e.SHA256}},
		"_verifiability": map[string]any{"evidence": []any{map[string]any{"sha256": e.SHA256, "at": e.At, "url": "https://typed.example/"}}, "extraction_confidence": 1},
	}
}

// A stranger sees the proof of an answer, takes its files away and finds the hash; what was typed beside it is not in it. It ends when it is
// revoked, for its tenant alone.
func TestAProofIsSharedAndRevoked(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.rereader(contracts.Test, contracts.LTL)
	one, other := s.gateway(), s.gateway()
	key := s.key(tenant("acme"))
	made := one.share(key, 201, map[string]any{"answer": s.weekAnswer(contracts.Test, 46.32), "days": 30})
	if made.URL != one.url+"/proof/"+made.Token || !share.Tokens.MatchString(made.Token) || made.ExpiresAt.Sub(made.CreatedAt) != 30*24*time.Hour {
		t.Errorf("%+v", made)
	}
	page := other.seen(share.Path(made.Token))
	text := string(page.body)
	for _, want := range []string{"46.32 %", "2026-09-09", "INVENTED DATA", "https://ODFL.example/page", "assay evidence verify answer.json", "read again"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(text, "typed.example") || strings.Contains(text, "<script>") || page.StatusCode != 200 {
		t.Errorf("%d %s", page.StatusCode, text)
	}
	for name, want := range map[string]string{"X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Set-Cookie": ""} {
		if got := page.Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	var answer struct {
		contracts.Surcharge
		Invented bool `json:"invented_data"`
	}
	if err := json.Unmarshal(one.seen(share.Path(made.Token)+"/answer.json").body, &answer); err != nil || !answer.Invented || answer.Verifiability.Evidence[0].URL != "https://ODFL.example/page" {
		t.Errorf("%v %+v", err, answer)
	}
	hash := answer.Verifiability.Evidence[0].SHA256
	document := one.seen(share.Path(made.Token) + "/ODFL-" + hash[:12] + ".html")
	if sum := sha256.Sum256(document.body); hex.EncodeToString(sum[:]) != hash || !strings.HasPrefix(document.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%d %s", document.StatusCode, document.body)
	}
	if r := one.seen(share.Path(made.Token) + "/ODFL-aaaaaaaaaaaa.html"); r.StatusCode != 404 {
		t.Errorf("another document: %d", r.StatusCode)
	}
	never := one.seen(share.Path(share.NewToken()))
	for who, k := range map[string]string{"another tenant": s.key(tenant("other")), "the other environment": s.key(live, tenant("acme"))} {
		if list := one.get(k, sharesPath); string(list.body) != `{"shares":[]}` {
			t.Errorf("%s: %s", who, list.body)
		}
		for _, name := range []string{made.Token, made.ID} {
			if r := one.sendBody(http.MethodDelete, k, sharesPath+"/"+name, "", ""); r.StatusCode != 404 || !strings.Contains(string(r.body), `"NAME"`) {
				t.Errorf("%s: %d %s", who, r.StatusCode, r.body)
			}
		}
	}
	if list := decode[api.Shares](t, other.get(key, sharesPath).body).Shares; len(list) != 1 || list[0] != made.ProofEntry {
		t.Errorf("%+v", list)
	}
	if r := other.sendBody(http.MethodDelete, key, sharesPath+"/"+made.Token, "", ""); r.StatusCode != 200 || string(r.body) != `{"deleted":"`+made.ID+`"}` {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	for _, path := range []string{share.Path(made.Token), share.Path(made.Token) + "/answer.json", share.Path("x"), "/proof/"} {
		gone := one.seen(path)
		if of := func(r *response) string { return requestIDs.ReplaceAllString(string(r.body), "") }; gone.StatusCode != 404 || of(gone) != of(never) {
			t.Errorf("%s: %d %s", path, gone.StatusCode, gone.body)
		}
	}
	if r := one.sendBody(http.MethodDelete, key, sharesPath+"/"+made.ID, "", ""); r.StatusCode != 404 {
		t.Errorf("revoked twice: %d", r.StatusCode)
	}
	bucket, err := s.js.KeyValue(t.Context(), contracts.SharesBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	if keys, err := bucket.Keys(t.Context()); err != nil || len(keys) != 1 {
		t.Errorf("%v, %v: want the list alone", keys, err)
	}
	for event, want := range map[string]int{"made": 1, "missed": 5, "shown": 3, "revoked": 0} {
		if line := fmt.Sprintf(`event="%s",service="gateway"} %d`, event, want); !strings.Contains(one.metrics(), line) {
			t.Errorf("the metrics lack %s", line)
		}
	}
}

// A restore brings back proofs that were revoked since the backup: nobody sees any before an operator confirmed the keys.
func TestProofsWaitForRestoredKeys(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.rereader(contracts.Test, contracts.LTL)
	g := s.gateway()
	made := g.share(s.key(tenant("acme")), 201, map[string]any{"answer": s.weekAnswer(contracts.Test, 46.32)})
	keys := contracts.KeysBucket.Stream()
	if err := kv.Forget(t.Context(), s.js, keys, kv.Witness{Restored: time.Now()}); err != nil {
		t.Fatal(err)
	}
	isSeen := func(status int) func() bool {
		return func() bool { return g.seen(share.Path(made.Token)).StatusCode == status }
	}
	clocktest.Await(t, "nobody sees the proof", isSeen(503))
	if err := kv.Confirm(t.Context(), s.js, keys); err != nil {
		t.Fatal(err)
	}
	clocktest.Await(t, "the proof is there again", isSeen(200))
	if err := s.js.DeleteStream(t.Context(), keys); err != nil { // of a full restore, which puts the keys back last
		t.Fatal(err)
	}
	clocktest.Await(t, "nobody sees the proof while the keys are gone", isSeen(503))
}

// Nobody has us certify what he typed: a value, a document of another source, one that is not kept, or one of the other environment.
func TestWhatDocumentsDoNotSayIsNotShared(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.rereader(contracts.Test, contracts.LTL)
	s.rereader(contracts.Test, contracts.ABC)
	s.rereader(contracts.Live, contracts.LTL)
	g := s.gateway()
	right := s.weekAnswer(contracts.Test, 46.32)
	with := func(name string, value any) map[string]any {
		changed := map[string]any{}
		for k, v := range right {
			changed[k] = v
		}
		changed[name] = value
		return changed
	}
	for name, c := range map[string]struct {
		key    string
		asked  map[string]any
		status int
	}{
		"another percent":       {s.key(), map[string]any{"answer": s.weekAnswer(contracts.Test, 66.6)}, 422},
		"a percent in doubt":    {s.key(), map[string]any{"answer": s.doubted(right)}, 422},
		"another carrier":       {s.key(), map[string]any{"answer": with("carrier", "SAIA")}, 422},
		"no carrier":            {s.key(), map[string]any{"answer": with("carrier", "ACME")}, 404},
		"another week":          {s.key(), map[string]any{"answer": right, "week": "2026-09-02"}, 422},
		"no document":           {s.key(), map[string]any{"answer": with("_verifiability", map[string]any{})}, 422},
		"the other environment": {s.key(live), map[string]any{"answer": right}, 422},
		"another product":       {s.key(products(contracts.ABC)), map[string]any{"answer": right}, 403},
		"two things":            {s.key(), map[string]any{"answer": right, "audit_id": "x"}, 422},
		"nothing":               {s.key(), map[string]any{}, 422},
		"no such member":        {s.key(), map[string]any{"answer": right, "claim": "x"}, 422},
		"an audit of nobody":    {s.key(), map[string]any{"audit_id": strings.Repeat("a", 32), "line": 1}, 404},
		"too long":              {s.key(), map[string]any{"answer": right, "days": 401}, 422},
		"too short":             {s.key(), map[string]any{"answer": right, "days": -1}, 422},
		"an absence by heart":   {s.key(), map[string]any{"state": "CA", "license_number": "123456", "evidence_sha256": strings.Repeat("a", 64)}, 422},
	} {
		t.Run(name, func(t *testing.T) { g.share(c.key, c.status, c.asked) })
	}
	if list := g.get(s.key(), sharesPath); string(list.body) != `{"shares":[]}` {
		t.Errorf("%s", list.body)
	}
}

// The proof of a line has the invoice's figures, said to be the sharer's own, and goes with the audit.
func TestALineOfAnAuditIsShared(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.rereader(contracts.Live, contracts.LTL)
	w := s.archiveWorker(contracts.Live)
	day := archivedFirst.AddDays(7 * 300)
	e := s.read(contracts.Live, contracts.LTL, "ODFL", fmt.Sprintf("<table><tr><td>%s<td>%v</table>", day, archivedPercent(contracts.ODFL, 300)))
	w.documents.Store(&map[contracts.Date][]contracts.Evidence{day: {e}})
	g := s.gateway()
	key := s.key(live, tenant("acme"))
	_, id := g.keep(key, "", fmt.Sprintf("id,carrier,ship_date,billed_pct,base_amount,billed_amount,pro_number\r\n"+
		"a,ODFL,%s,90,1000.00,900.00,PRO77\r\nb,ODFL,%s,90,,,\r\nc,ACME,%s,90,,,\r\n", day, day.AddDays(7), day))
	made := g.share(key, 201, map[string]any{"audit_id": id, "line": 2})
	page := string(g.seen(share.Path(made.Token)).body)
	for _, want := range []string{"PRO77", "900.00 USD", "own figures", "Too much", "points above what is expected, ", string(day)} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s: %s", want, page)
		}
	}
	if strings.Contains(page, "INVENTED") {
		t.Error("a live proof says that it is invented")
	}
	for _, line := range []int{1, 3, 4} { // the headings, a week without a document, a line without a verdict
		g.share(key, 422, map[string]any{"audit_id": id, "line": line})
	}
	g.share(s.key(live, tenant("other")), 404, map[string]any{"audit_id": id, "line": 2})
	if r := g.sendBody(http.MethodDelete, key, auditsPath+"/"+id, "", ""); r.StatusCode != 200 {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	if r := g.seen(share.Path(made.Token)); r.StatusCode != 404 {
		t.Errorf("after its audit was deleted: %d", r.StatusCode)
	}
	s.billed(2)
}

// doubted is an answer that the service itself does not believe.
func (s *system) doubted(answer map[string]any) map[string]any {
	of := maps.Clone(answer)
	proof := maps.Clone(of["_verifiability"].(map[string]any))
	proof["extraction_confidence"], of["_verifiability"] = 0.88, proof
	return of
}

// A proof does not outlive its audit, which is deleted while the documents are read again.
func TestAProofOfADeletedAuditIsNotKept(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.archiveWorker(contracts.Live)
	day := archivedFirst.AddDays(7 * 300)
	e := s.read(contracts.Live, contracts.LTL, "ODFL", fmt.Sprintf("<table><tr><td>%s<td>%v</table>", day, archivedPercent(contracts.ODFL, 300)))
	w.documents.Store(&map[contracts.Date][]contracts.Evidence{day: {e}})
	g := s.gateway()
	key := s.key(live, tenant("acme"))
	_, id := g.keep(key, "", fmt.Sprintf("id,carrier,ship_date,billed_pct,base_amount\r\na,ODFL,%s,90,1000.00\r\n", day))
	s.serve("deleting", bus.Handle("verify", contracts.VerifySubject(contracts.Live, contracts.LTL),
		func(context.Context, contracts.VerifyRequest) (contracts.Verification, error) {
			if r := g.sendBody(http.MethodDelete, key, auditsPath+"/"+id, "", ""); r.StatusCode != 200 {
				t.Errorf("%d %s", r.StatusCode, r.body)
			}
			return contracts.Verification{Verified: true, Checks: []contracts.Check{{Holds: true, Text: "read again"}}}, nil
		}))
	g.share(key, 404, map[string]any{"audit_id": id, "line": 2})
	bucket, err := s.js.KeyValue(t.Context(), contracts.SharesBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	if keys, err := bucket.Keys(t.Context()); err != nil || len(keys) != 1 {
		t.Errorf("%v, %v: want the list alone", keys, err)
	}
}

// That there is no such license is shared by the kept answer of a lookup, and of no other number's.
func TestAnAbsenceIsShared(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	s.rereader(contracts.Test, contracts.ABC)
	e := s.read(contracts.Test, contracts.ABC, "CA", "<p>No records were found.")
	w.evidence.Store(&[]contracts.Evidence{e})
	g := s.gateway(withConsole)
	key := s.key()
	asked := map[string]any{"state": "CA", "license_number": "999999", "evidence_sha256": e.SHA256}
	refused := map[string]bool{}
	refuse := func() {
		t.Helper()
		body, _ := json.Marshal(asked)
		r := g.post(key, sharesPath, "application/json", string(body))
		if refused[string(r.body)] = true; r.StatusCode != 422 || len(refused) > 1 {
			t.Errorf("%d, and a refusal tells what was looked up: %v", r.StatusCode, refused)
		}
	}
	refuse() // nobody has looked it up
	absent := g.get(key, "/v1/abc/license/999999?state=CA", "Cache-Control", "no-cache")
	if absent.StatusCode != 404 {
		t.Fatalf("%d %s", absent.StatusCode, absent.body)
	}
	g.get(key, "/v1/abc/license/632923?state=CA", "Cache-Control", "no-cache")
	for _, n := range []string{"999999", "632923"} {
		s.awaitStored(contracts.LicenseKey(contracts.Test, contracts.LicenseRequest{State: contracts.CA, Number: n}))
	}
	made := g.share(key, 201, asked)
	if page := string(g.seen(share.Path(made.Token)).body); !strings.Contains(page, "showed no license 999999") || !strings.Contains(page, "No records were found") {
		t.Error(page)
	}
	if body := string(g.seen(share.Path(made.Token) + "/answer.json").body); !strings.Contains(body, `"record":null`) {
		t.Error(body)
	}
	asked["license_number"] = "632923"
	refuse() // which exists
	asked["license_number"], asked["evidence_sha256"] = "999999", strings.Repeat("a", 64)
	refuse()
	for _, n := range []string{"999999", "632923", "123456"} {
		asked["license_number"] = n
		g.share(s.key(products(contracts.LTL)), 403, asked)
	}

	cookie := g.logIn(key)
	page := g.sendForm("/console/licenses", cookie, url.Values{"state": {"CA"}, "license_number": {"999999"}})
	if !strings.Contains(string(page.body), "Share this proof") {
		t.Errorf("%s", page.body)
	}
	page = g.sendForm("/console/proof?state=CA&license_number=999999", cookie, url.Values{"step": {"get"}})
	if text := string(page.body); page.StatusCode != 200 || !strings.Contains(text, "FAIL") || !strings.Contains(text, "The license is proven not to exist.") ||
		!strings.Contains(text, "No records were found") || !strings.Contains(text, `id="download"`) || strings.Contains(text, `id="get"`) {
		t.Errorf("the page of the proof: %d %s", page.StatusCode, text)
	}
	page = g.sendForm("/console/shares", cookie, url.Values{"answer": {string(absent.body)}, "days": {"7"}})
	list := decode[api.Shares](t, g.get(key, sharesPath).body).Shares
	if page.StatusCode != 200 || len(list) != 2 || list[0].ExpiresAt.Sub(list[0].CreatedAt) != 7*24*time.Hour || !strings.Contains(string(page.body), g.url+"/proof/") {
		t.Errorf("%d %d %s", page.StatusCode, len(list), page.body)
	}
	again := g.pageOf(page.Request.URL.RequestURI(), "Cookie", cookie, "Accept-Encoding", "identity")
	if list := decode[api.Shares](t, g.get(key, sharesPath).body).Shares; len(list) != 2 || !strings.Contains(string(again.body), g.url+"/proof/") {
		t.Errorf("a reload makes %d of 2: %s", len(list), again.body)
	}
	if page = g.sendForm("/console/shares", cookie, url.Values{"revoke": {list[0].ID}}); page.StatusCode != 200 && page.StatusCode != 303 {
		t.Errorf("%d %s", page.StatusCode, page.body)
	}
	if list := decode[api.Shares](t, g.get(key, sharesPath).body).Shares; len(list) != 1 {
		t.Errorf("%d are left", len(list))
	}
}

// A proof ends with its days and with its documents, and a tenant has a bounded number of them.
func TestProofsEnd(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	stores, err := kept.Open(t.Context(), s.js, nil)
	if err != nil {
		t.Fatal(err)
	}
	shares := stores.Shares
	o, now := kept.Owner{Environment: contracts.Test, Tenant: "acme"}, time.Now().UTC()
	token := share.NewToken()
	put := func(token string, ends time.Duration, at time.Time) error {
		return shares.Put(t.Context(), o, share.Share{
			ProofEntry: share.ProofEntry{ID: share.IDOf(token), Kind: share.Week, CreatedAt: at, ExpiresAt: at.Add(ends)}, Environment: o.Environment,
		})
	}
	if err := put(token, time.Hour, now); err != nil {
		t.Fatal(err)
	}
	if _, err := shares.Open(t.Context(), token, now.Add(59*time.Minute)); err != nil {
		t.Error(err)
	}
	late := now.Add(time.Hour)
	if _, err := shares.Open(t.Context(), token, late); contracts.CodeOf(err) != contracts.NotFound {
		t.Errorf("after an hour: %v", err)
	}
	if list, err := shares.List(t.Context(), o, late); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
	s.shareMany(o, kept.MaxShares-1, late)
	if err := put(share.NewToken(), time.Hour, late); err != nil { // the ended one leaves its place
		t.Fatal(err)
	}
	if err := put(share.NewToken(), time.Hour, late); contracts.CodeOf(err) != contracts.InvalidRequest {
		t.Errorf("one too many: %v", err)
	}

	e := s.read(contracts.Test, contracts.LTL, "ODFL", "46.32 2026-09-09")
	stream, err := s.js.Stream(t.Context(), contracts.EvidenceStream(contracts.Test).Name)
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	cfg.MaxAge = 48 * time.Hour
	if _, err := s.js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	s.rereader(contracts.Test, contracts.LTL)
	answer := s.weekAnswer(contracts.Test, 46.32)
	made := s.gateway().share(s.key(tenant("other")), 201, map[string]any{"answer": answer, "days": 400})
	if life := made.ExpiresAt.Sub(made.CreatedAt); life > 48*time.Hour || life < 47*time.Hour || e.SHA256 == "" {
		t.Errorf("it lives %s, its document two days", life)
	}
}

// shareMany adds n proofs to the list of what a tenant shares, at once: one by one they take ten seconds of a processor.
func (s *system) shareMany(o kept.Owner, n int, at time.Time) {
	s.t.Helper()
	bucket, err := s.js.KeyValue(s.t.Context(), contracts.SharesBucket.Name)
	if err != nil {
		s.t.Fatal(err)
	}
	key := contracts.OwnerKey(o.Environment, o.Tenant)
	e, err := bucket.Get(s.t.Context(), key)
	if err != nil {
		s.t.Fatal(err)
	}
	list := struct {
		Tenant string             `json:"tenant"`
		Shares []share.ProofEntry `json:"shares"`
	}{}
	if err := json.Unmarshal(e.Value(), &list); err != nil {
		s.t.Fatal(err)
	}
	for range n {
		list.Shares = append(list.Shares, share.ProofEntry{
			ID: share.IDOf(share.NewToken()), Kind: share.Week, CreatedAt: at, ExpiresAt: at.Add(time.Hour),
		})
	}
	text, err := json.Marshal(list)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := bucket.Put(s.t.Context(), key, text); err != nil {
		s.t.Fatal(err)
	}
}

// Who guesses is stopped by the limit of his address.
func TestGuessingProofsIsLimited(t *testing.T) {
	t.Parallel()
	g := newSystem(t).gateway(func(c *gateway.Config) { c.AnonymousLimit = 5 })
	limited := 0
	for range 8 {
		switch r := g.seen(share.Path(share.NewToken())); r.StatusCode {
		case http.StatusTooManyRequests:
			limited++
		case http.StatusNotFound:
		default:
			t.Errorf("%d %s", r.StatusCode, r.body)
		}
	}
	if limited < 2 {
		t.Errorf("%d of 8 are refused", limited)
	}
}
