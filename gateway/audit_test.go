package gateway_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/audit/audittest"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
)

const auditPath = "/v1/ltl/audit"

// archivedWeeks is how many weeks the archives of the tests have up to the one in force, which began two days ago. One more is
// announced.
const archivedWeeks = 400

// testsBegan is the day on which the tests began: midnight may pass while they run.
var testsBegan = contracts.Today(time.Now())

// archivedFirst is the first day of the first week.
var archivedFirst = testsBegan.AddDays(-7*(archivedWeeks-1) - 2)

// archivedPercent is that of the i-th week.
func archivedPercent(c contracts.Carrier, i int) float64 {
	return 20 + float64(len(c)) + float64(i*37%100)/10
}

// archiveWorker stands for the ltl-workers: it answers for past weeks over the real bus.
type archiveWorker struct {
	asked atomic.Int64
	fail  atomic.Pointer[contracts.Carrier] // requests for it fail; "" for all
	// away: the sources cannot be read, only the archive. doubted: what the source shows now, of any week, is in doubt.
	away, doubted atomic.Bool
	// documents are those of weeks, by their first days; the first one is where the week stands.
	documents atomic.Pointer[map[contracts.Date][]contracts.Evidence]
}

func (s *system) archiveWorker(env contracts.Environment) *archiveWorker {
	s.t.Helper()
	w := &archiveWorker{}
	var endpoints []bus.Endpoint
	for _, c := range contracts.Carriers {
		endpoints = append(endpoints, bus.Handle("history-"+string(c), contracts.HistorySubject(env, c), w.answer))
	}
	s.serve("archive-"+string(env), endpoints...)
	return w
}

func (w *archiveWorker) answer(_ context.Context, r contracts.HistoryRequest) (contracts.HistoryAnswer, error) {
	w.asked.Add(1)
	if err := r.Validate(); err != nil {
		return contracts.HistoryAnswer{}, err
	}
	if failing := w.fail.Load(); w.away.Load() && r.KnownAt == nil || failing != nil && (*failing == "" || *failing == r.Carrier) {
		return contracts.HistoryAnswer{}, contracts.Errorf(contracts.SourceUnavailable, "the archive cannot be read")
	}
	a := contracts.HistoryAnswer{From: r.From, To: r.To, CurrentFrom: archivedFirst.AddDays(7 * (archivedWeeks - 1))}
	a.Schema, a.Carrier, a.EvidenceURL = contracts.AnswerSchema, r.Carrier, "https://carrier.test/fuel"
	for i := archivedWeeks; i >= 0; i-- {
		start := archivedFirst.AddDays(7 * i)
		if i >= 200 && i < 205 { // a gap
			continue
		}
		switch end := start.AddDays(6); {
		case end < r.From:
			a.Before = max(a.Before, start)
		case start > r.To:
			a.After = start
		default:
			percent := archivedPercent(r.Carrier, i)
			truckload := percent + 10
			a.Weeks = append(a.Weeks, contracts.ObservedWeek{
				SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: start, EndDate: end, Percent: percent, TruckloadPercent: &truckload},
				Tally:         contracts.TallyOf(true, true), Until: end, LastSeenURL: "https://carrier.test/fuel?week=" + string(start),
			})
			if all := w.documents.Load(); all != nil && len((*all)[start]) > 0 {
				a.Weeks[len(a.Weeks)-1].EvidenceSHA256 = &(*all)[start][0].SHA256
				a.Evidence = append(a.Evidence, (*all)[start]...)
			}
		}
	}
	if w.doubted.Load() && r.KnownAt == nil && r.To >= a.CurrentFrom {
		a.Notes = []contracts.Note{{Code: contracts.NoteWordingChanged, Message: "The page says something new."}}
		for i := range a.Weeks {
			a.Weeks[i].Tally = contracts.TallyOf(true, false)
		}
	}
	if today := contracts.Today(time.Now()); r.To > archivedFirst.AddDays(7*archivedWeeks+6) || !r.Announced && r.To > today {
		return a, contracts.Invalid("query", "to", "date_future", "%s has not announced any day after %s", r.Carrier, today)
	}
	return a, nil
}

// auditFile is a CSV of so many lines over ten carriers, with every verdict among them.
func auditFile(lines int) string {
	bills := audittest.Bills{
		First: archivedFirst, Published: archivedPercent, Week: func(n int) int { return 210 + n/20%180 },
		Unknown: func(n int) contracts.Date { return archivedFirst.AddDays(7*202 + n%7) },
	}
	return strings.ReplaceAll(string(bills.CSV(lines)), "\n", "\r\n")
}

// auditedRows are the rows of a CSV answer, without its header and totals.
func auditedRows(t testing.TB, body []byte) (rows [][]string, verdicts map[audit.Verdict]int) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil || len(rows) < 2 || rows[len(rows)-1][3] != "TOTAL" {
		t.Fatalf("%d rows, %v: %.300s", len(rows), err, body)
	}
	verdicts = map[audit.Verdict]int{}
	for _, row := range rows[1 : len(rows)-1] {
		verdicts[audit.Verdict(row[3])]++
	}
	return rows[1 : len(rows)-1], verdicts
}

// billed waits until so many lines are on the bill, and a moment longer for what is too many.
func (s *system) billed(want int) {
	s.t.Helper()
	var sums []usage.Sum
	lines := func() (n int) {
		var err error
		if sums, err = usage.Sums(s.t.Context(), s.js, time.Now()); err != nil {
			s.t.Log(err)
		}
		for _, sum := range sums {
			n += sum.Lines
		}
		return n
	}
	if !clocktest.Holds(func() bool { return lines() >= want }) || !clocktest.Stays(func() bool { return lines() <= want }) {
		s.t.Errorf("want %d lines on the bill: %+v", want, sums)
	}
}

// 10,000 lines come back in order, each verdict among them, and the bill has as many lines as were resolved. The same body
// under the same key is not charged again, whichever gateway it goes through; without a key it is.
func TestAuditOfTenThousandLines(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	one, other := s.gateway(), s.gateway()
	key, body := s.key(live), auditFile(lines.MaxLines)
	r := one.post(key, auditPath, "text/csv", body, "Idempotency-Key", "march")
	if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "text/csv; charset=utf-8; header=present" || r.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v %.300s", r.StatusCode, r.Header, r.body)
	}
	rows, verdicts := auditedRows(t, r.body)
	resolved := 0
	for _, v := range audit.Verdicts {
		if verdicts[v] == 0 {
			t.Errorf("no line is %s: %v", v, verdicts)
		}
		if v.IsResolved() {
			resolved += verdicts[v]
		}
	}
	for i, row := range rows {
		if row[0] != fmt.Sprint(i) && row[3] != "INVALID" {
			t.Fatalf("row %d is of line %s", i, row[0])
		}
		if isNamed := strings.Contains(row[20], fmt.Sprintf("line %d:", i+2)); isNamed != (row[3] == "INVALID") {
			t.Fatalf("row %d: %v", i, row)
		}
	}
	s.billed(resolved)
	for _, g := range []*runningGateway{one, other} {
		if again := g.post(key, auditPath, "text/csv", body, "Idempotency-Key", "march"); !bytes.Equal(again.body, r.body) {
			t.Error("a repetition is answered otherwise")
		}
	}
	s.billed(resolved)
	other.post(key, auditPath, "text/csv", body)
	s.billed(2 * resolved)
	if m := one.metrics(); !strings.Contains(m, `gateway_audit_lines_total{environment="",service="gateway",verdict="WRONG_WEEK"}`) ||
		!strings.Contains(m, `gateway_receipts_total{environment="",outcome="repeated",service="gateway"}`) {
		t.Error("no metrics of audits")
	}
	t.Logf("%v, %d resolved", verdicts, resolved)
}

// One line too many, or one byte, and nothing is answered, asked or charged; chunked bodies too.
func TestTooLargeAuditsCostNothing(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.archiveWorker(contracts.Live)
	g := s.gateway()
	key := s.key(live)
	spaces := strings.Repeat(" ", lines.MaxBytes)
	for name, body := range map[string]io.Reader{
		"10,001 lines":          strings.NewReader(auditFile(lines.MaxLines + 1)),
		"10,001 lines, chunked": io.MultiReader(strings.NewReader(auditFile(lines.MaxLines + 1))),
		"bytes":                 strings.NewReader(auditFile(1) + spaces),
		"bytes, chunked":        io.MultiReader(strings.NewReader(auditFile(1) + spaces)),
	} {
		r, err := g.tryPost(key, auditPath, "text/csv", body, "Idempotency-Key", "k")
		if err != nil || r.StatusCode != http.StatusRequestEntityTooLarge || r.code() != contracts.RequestTooLarge {
			t.Errorf("%s: %v %+v", name, err, r)
		}
	}
	if w.asked.Load() > 0 {
		t.Error("the archive was asked")
	}
	g.post(key, auditPath, "text/csv", auditFile(1))
	s.billed(1)
}

func TestAuditFormsAndParameters(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Test)
	g := s.gateway()
	key := s.key()
	week := archivedFirst.AddDays(7 * 300)
	line := fmt.Sprintf(`{"id":"A1","carrier":"ODFL","ship_date":"%s","billed_pct":%.2f`, week, archivedPercent(contracts.ODFL, 300)+0.3)
	for name, c := range map[string]struct {
		target, mediaType, body string
		headers                 []string
		status                  int
		want                    string
	}{
		"object":                 {"", "application/json", line + "}", nil, 200, `"verdict":"OVERBILLED"`},
		"object with options":    {"", "application/json; charset=UTF-8", line + `,"tolerance_points":"0.3"}`, nil, 200, `"verdict":"WITHIN_TOLERANCE"`},
		"object and query":       {"?tolerance_points=0.3", "application/json", line + `,"tolerance_points":"0.3"}`, nil, 422, "in the query too"},
		"list":                   {"?tolerance_points=0.30", "application/json", "[" + line + "}]", nil, 200, `"verdict":"WITHIN_TOLERANCE"`},
		"NDJSON":                 {"", "application/x-ndjson", line + "}\nx", []string{"Accept", "application/*"}, 200, "line 2: this is not JSON"},
		"dry run":                {"?dry_run=1", "application/json", "[" + line + "}]", nil, 200, `{"dry_run":true,"lines":1,"resolved":1,"line_price_usd":"0.00","price_usd":"0.00","live_price_usd":"0.003"}`},
		"dry run as CSV":         {"?dry_run=1", "text/csv", auditFile(3), nil, 200, "true,3,3,0.00,0.00"},
		"dry run as a member":    {"", "application/json", line + `,"dry_run":true}`, nil, 200, `{"dry_run":true`},
		"dry run as a text":      {"", "application/json", line + `,"dry_run":"true"}`, nil, 200, `{"dry_run":true`},
		"dry run in another way": {"", "application/json", line + `,"dry_run":"True"}`, nil, 200, `{"dry_run":true`},
		"no dry run":             {"", "application/json", line + `,"dry_run":"0"}`, nil, 200, `"verdict":"OVERBILLED"`},
		"null dry run":           {"", "application/json", line + `,"dry_run":null}`, nil, 200, `"verdict":"OVERBILLED"`},
		"dry_run is no flag":     {"", "application/json", line + `,"dry_run":2}`, nil, 422, `"loc":["body","dry_run"]`},
		"an empty dry_run":       {"", "application/json", line + `,"dry_run":""}`, nil, 422, `"loc":["body","dry_run"]`},
		"keep and no dry run":    {"?keep=1", "application/json", line + `,"dry_run":"yes"}`, nil, 422, `"loc":["body","dry_run"]`},
		"dry_run is not known":   {"?dry_run=perhaps", "text/csv", auditFile(1), nil, 422, "bool_parsing"},
		"a bad tolerance":        {"?tolerance_amount=1.005", "text/csv", auditFile(1), nil, 422, "at most 2 decimals"},
		"a bad member tolerance": {"", "application/json", line + `,"tolerance_points":"-1"}`, nil, 422, "body"},
		"an unknown parameter":   {"?tolerance=1", "text/csv", auditFile(1), nil, 422, "extra_forbidden"},
		"an unknown column":      {"", "text/csv", "id,carrier,ship_date,rate\n", nil, 422, `column \"rate\"`},
		"no JSON":                {"", "application/json", "{", nil, 422, "not JSON"},
		"no lines":               {"", "application/json", "[]", nil, 422, "no lines"},
		"a form":                 {"", "application/x-www-form-urlencoded", auditFile(1), nil, 415, "UNSUPPORTED_MEDIA_TYPE"},
		"no media type":          {"", "", auditFile(1), nil, 415, "text/csv"},
		"another charset":        {"", "text/csv; charset=latin1", auditFile(1), nil, 415, "UTF-8"},
		"a charset of a file":    {"?columns=auto", "text/csv; charset=windows-1252", strings.Replace(auditFile(1), "\n0,", "\nCaf\xe9,", 1), nil, 200, "Café,ODFL"},
		"four bytes a character": {"?columns=auto", "text/csv", "\xff\xfe\x00\x00a\x00\x00\x00", nil, 422, "UTF-32"},
		"half a character":       {"", "application/json", strings.Replace(line, "A1", `\ud800`, 1) + "}", nil, 200, `id: half a character`},
		"compressed":             {"", "text/csv", auditFile(1), []string{"Content-Encoding", "gzip"}, 415, "Content-Encoding"},
		"JSON is wanted":         {"", "text/csv", auditFile(1), []string{"Accept", "application/json"}, 406, "NOT_ACCEPTABLE"},
		"CSV is not wanted":      {"", "text/csv", auditFile(1), []string{"Accept", "*/*, text/csv;q=0"}, 406, "NOT_ACCEPTABLE"},
		"an empty key":           {"", "text/csv", auditFile(1), []string{"Idempotency-Key", ""}, 422, "Idempotency-Key"},
		"two keys":               {"", "text/csv", auditFile(1), []string{"Idempotency-Key", "a", "Idempotency-Key", "b"}, 422, "Idempotency-Key"},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.post(key, auditPath+c.target, c.mediaType, c.body, c.headers...)
			if r.StatusCode != c.status || !strings.Contains(string(r.body), c.want) {
				t.Errorf("%d %s, want %d %s", r.StatusCode, r.body, c.status, c.want)
			}
			if media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); c.status == 200 && !strings.HasPrefix(c.mediaType, media) {
				t.Errorf("%s is answered as %s", c.mediaType, media)
			}
		})
	}
	if r := g.get(key, auditPath); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "POST" || !strings.Contains(string(r.body), "use POST") {
		t.Errorf("GET: %d %s %s", r.StatusCode, r.Header.Get("Allow"), r.body)
	}
	if r := g.do(http.MethodPost, key, surchargePath); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST elsewhere: %d %s %s", r.StatusCode, r.Header.Get("Allow"), r.body)
	}
	s.billed(0)
	if sums, err := usage.Sums(t.Context(), s.js, time.Now()); err != nil || len(sums) > 0 {
		t.Errorf("a test key is charged: %v, %v", sums, err)
	}
}

// The weeks of seven years are read in several requests, over a gap, and none is lost at their edges.
func TestAuditOverYears(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.archiveWorker(contracts.Test)
	g := s.gateway()
	var lines, want []string
	for i := range archivedWeeks {
		lines = append(lines, fmt.Sprintf(`{"id":"%d","carrier":"ODFL","ship_date":"%s","billed_pct":"%.2f"}`,
			i, archivedFirst.AddDays(7*i+i%3), archivedPercent(contracts.ODFL, i)))
		verdict := "MATCH"
		if i >= 200 && i < 205 {
			verdict = "UNRESOLVED"
		}
		want = append(want, verdict)
	}
	body := decode[api.Audit](t, g.post(s.key(), auditPath, "application/json", "["+strings.Join(lines, ",")+"]").body)
	for i, r := range body.Results {
		if string(r.Verdict) != want[i] {
			t.Errorf("week %d: %s, want %s", i, r.Verdict, want[i])
		}
	}
	if asked := w.asked.Load(); asked < 3 || asked > 7 {
		t.Errorf("%d requests for %d weeks", asked, archivedWeeks)
	}
}

// A week that is announced is a neighbour too, and each week has its own evidence.
func TestAuditKnowsWhatIsAnnounced(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Test)
	g := s.gateway()
	body := fmt.Sprintf(`[{"id":"1","carrier":"ODFL","ship_date":"%s","billed_pct":"%.2f"},{"id":"2","carrier":"ODFL","ship_date":"%s","billed_pct":"1"},`+
		`{"id":"3","carrier":"ODFL","ship_date":"%s","billed_pct":"1"}]`,
		testsBegan, archivedPercent(contracts.ODFL, archivedWeeks), testsBegan.AddDays(2), testsBegan.AddDays(-7))
	results := decode[api.Audit](t, g.post(s.key(), auditPath, "application/json", body).body).Results
	if r := results[0]; r.Verdict != audit.WrongWeek || !strings.Contains(*r.Reason, string(testsBegan.AddDays(5))) {
		t.Errorf("%s %q", r.Verdict, *r.Reason)
	}
	if r := results[1]; r.Verdict != audit.Unresolved || !strings.Contains(*r.Reason, "lies ahead") {
		t.Errorf("%s %q", r.Verdict, *r.Reason)
	}
	if r := results[2]; *r.EvidenceURL != "https://carrier.test/fuel?week="+string(testsBegan.AddDays(-9)) {
		t.Errorf("evidence %s", *r.EvidenceURL)
	}
}

// What is in doubt on the page now is so for the days of the week in force, and not for past ones, whatever else is in the file.
func TestADoubtIsOfTheWeekInForce(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Test).doubted.Store(true)
	g := s.gateway()
	var lines []string
	for i := range 6 { // a week each, the one in force first
		lines = append(lines, fmt.Sprintf(`{"id":"%d","carrier":"ODFL","ship_date":"%s","billed_pct":"%.2f"}`,
			i, testsBegan.AddDays(-7*i), archivedPercent(contracts.ODFL, archivedWeeks-1-i)))
	}
	key := s.key()
	for first := range lines { // alone from some week on, and with newer ones
		body := "[" + strings.Join(lines[first:], ",") + "]"
		for i, r := range decode[api.Audit](t, g.post(key, auditPath, "application/json", body).body).Results {
			want := audit.Match
			if first+i == 0 {
				want = audit.Unresolved
			}
			if r.Verdict != want {
				t.Errorf("from week %d on, week %d: %s %s", first, first+i, r.Verdict, *r.Reason)
			}
		}
	}
}

// A carrier that cannot be read leaves its lines UNRESOLVED and free; none that can is 503.
func TestAuditWithoutAnArchive(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.archiveWorker(contracts.Live)
	g := s.gateway()
	key, saia, all := s.key(live), contracts.SAIA, contracts.Carrier("")
	w.away.Store(true)
	_, verdicts := auditedRows(t, g.post(key, auditPath, "text/csv", auditFile(1)).body)
	if verdicts[audit.Match] != 1 {
		t.Errorf("the archive alone: %v", verdicts)
	}
	current := archivedFirst.AddDays(7 * (archivedWeeks - 1))
	days := fmt.Sprintf("id,carrier,ship_date,billed_pct\n1,ODFL,%s,1\n2,ODFL,%s,1\n3,ODFL,%s,1\n", current, current.AddDays(2), current.AddDays(-1))
	_, verdicts = auditedRows(t, g.post(key, auditPath, "text/csv", days).body)
	if verdicts[audit.Unresolved] != 2 || verdicts[audit.Underbilled] != 1 {
		t.Errorf("the current week by the archive alone: %v", verdicts)
	}
	w.fail.Store(&saia)
	_, verdicts = auditedRows(t, g.post(key, auditPath, "text/csv", auditFile(2)).body)
	if verdicts[audit.Unresolved] != 1 || verdicts[audit.Match] != 1 {
		t.Errorf("%v", verdicts)
	}
	w.fail.Store(&all)
	if r := g.post(key, auditPath, "text/csv", auditFile(2)); r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	s.billed(3)
}

// While it cannot be told what was charged, a request with an Idempotency-Key is refused as a whole.
func TestNoAuditWithoutReceipts(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	g := s.gateway()
	if err := s.js.DeleteStream(t.Context(), contracts.ReceiptsBucket.Stream()); err != nil {
		t.Fatal(err)
	}
	key := s.key(live)
	if r := g.post(key, auditPath, "text/csv", auditFile(2), "Idempotency-Key", "k"); r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	if r := g.post(key, auditPath, "text/csv", auditFile(1)); r.StatusCode != http.StatusOK {
		t.Errorf("without a key: %d %s", r.StatusCode, r.body)
	}
	s.billed(1)
}

// A request that resolves no line is not remembered: what costs nothing does not fill the bucket of receipts. Its key is free for another
// body. Once a line was charged the key is that body's, also where a body begins with lines that are free.
func TestWhatCostsNothingLeavesNoReceipt(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	g, key := s.gateway(), s.key(live)
	free := "id,carrier,ship_date\r\n" + strings.Repeat("1,ODFL,2026-01-01\r\n", 600)
	priced := "id,carrier,ship_date,billed_pct\r\n" + strings.Repeat("1,ODFL,,\r\n", 600) + "2,ODFL," + string(archivedFirst.AddDays(7*300)) + ",20\r\n"
	other := strings.Replace(priced, "\n2,", "\n3,", 1)
	bucket, err := s.js.KeyValue(t.Context(), contracts.ReceiptsBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		name, body, target string
		status, receipts   int
		replayed           string
	}{
		{"nothing resolved", free, "", 200, 0, ""},
		{"and again", free, "", 200, 0, ""},
		{"and kept", free, "?keep=1", 200, 0, ""},
		{"another body", priced, "", 200, 1, ""},
		{"that body again", priced, "", 200, 1, "true"},
		{"a third body", other, "", 422, 1, ""},
		{"the first body", free, "", 200, 1, ""},
	} {
		r := g.post(key, auditPath+c.target, "text/csv", c.body, "Idempotency-Key", "k")
		keys, err := bucket.Keys(t.Context())
		if r.StatusCode != c.status || r.Header.Get("Idempotent-Replayed") != c.replayed || len(keys) != c.receipts ||
			err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
			t.Errorf("%d, %s: %d %v, %d receipts, %v: %.200s", i, c.name, r.StatusCode, r.Header, len(keys), err, r.body)
		}
		if rows := strings.Count(string(r.body), "\n"); c.status == 200 && rows != strings.Count(c.body, "\n")+1 {
			t.Errorf("%s: %d rows", c.name, rows)
		}
	}
	s.billed(1)
}

// Many send the same request at the same time through two gateways: it is charged once.
func TestAuditIsChargedOnceAtTheSameTime(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	s.archiveWorker(contracts.Test)
	s.membersWorker(contracts.Live)
	gateways := []*runningGateway{s.gateway(), s.gateway()}
	key, body := s.key(live), auditFile(1200)
	_, verdicts := auditedRows(t, gateways[0].post(key, auditPath, "text/csv", body).body)
	resolved := 0
	for v, n := range verdicts {
		if v.IsResolved() {
			resolved += n
		}
	}
	s.billed(resolved)
	gateways[0].post(s.key(), auditPath, "text/csv", body, "Idempotency-Key", "k") // a test key's are others
	var sending sync.WaitGroup
	for i := range 6 {
		sending.Go(func() {
			r, err := gateways[i%2].tryPost(key, auditPath, "text/csv", strings.NewReader(body), "Idempotency-Key", "k")
			if err != nil || r.StatusCode != http.StatusOK {
				t.Error(err, r)
			}
		})
	}
	sending.Wait()
	s.billed(2 * resolved)
	gateways[0].post(s.key(live, tenant("other")), auditPath, "text/csv", body, "Idempotency-Key", "k")
	gateways[0].post(key, deliveryPath, "text/csv", "id,state,license_number\n1,CA,400001\n", "Idempotency-Key", "k")
	s.billed(3*resolved + 1)
}

// Each sheet of a workbook is charged by itself, however it is called, and another column of the same sheet is not paid again.
func TestEachSheetIsChargedByItself(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	g, key := s.gateway(), s.key(live)
	rows := [][]string{{"SCAC", "Shipped", "FSC %"}}
	for i := range 5 {
		rows = append(rows, []string{"ODFL", string(archivedFirst.AddDays(7 * i)), "31%"})
	}
	book := twoSheets(t, rows, rows[:4])
	for _, c := range []struct{ query, replayed string }{
		{"sheet:%231", ""}, {"sheet:%232", ""}, {"sheet:May", "true"}, {"sheet:Cover", "true"}, {"sheet:%232,billed_pct:%233", "true"},
	} {
		r := g.post(key, auditPath+"?columns="+c.query, sheet.WorkbookType, book, "Idempotency-Key", "k")
		if r.StatusCode != http.StatusOK || r.Header.Get("Idempotent-Replayed") != c.replayed {
			t.Errorf("%s: %d %v %.300s", c.query, r.StatusCode, r.Header, r.body)
		}
	}
	s.billed(5 + 3)
}

// Who hangs up pays for what was written, and for the rest when the request comes again; for nothing twice.
func TestAuditOfAClientThatHangsUp(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	g := s.gateway()
	key := s.key(live)
	rows, _ := csv.NewReader(strings.NewReader(auditFile(lines.MaxLines))).ReadAll()
	var body strings.Builder // results in NDJSON are larger than what sockets hold
	for _, line := range jsonLines(rows, 0, lines.MaxLines) {
		text, _ := json.Marshal(line)
		body.Write(append(text, '\n'))
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\nContent-Type: application/x-ndjson\r\nIdempotency-Key: k\r\nContent-Length: %d\r\n\r\n%s",
		auditPath, key, body.Len(), body.String())
	if _, err := io.ReadFull(conn, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	lines := func() (n int) {
		sums, _ := usage.Sums(t.Context(), s.js, time.Now())
		for _, sum := range sums {
			n += sum.Lines
		}
		return n
	}
	r := g.post(key, auditPath, "application/x-ndjson", body.String(), "Idempotency-Key", "k")
	results := r.body[:bytes.LastIndex(bytes.TrimSpace(r.body), []byte("\n"))+1] // the totals follow
	resolved := bytes.Count(results, []byte("\n"))
	for _, v := range []audit.Verdict{audit.Invalid, audit.Duplicate, audit.Unresolved} {
		resolved -= bytes.Count(results, []byte(`"verdict":"`+v+`"`))
	}
	const piece = 250 // one may have been claimed and not written
	clocktest.Await(t, "the rest is charged", func() bool { return lines() >= resolved-piece })
	if got := lines(); got > resolved {
		t.Errorf("%d lines are charged, %d were resolved", got, resolved)
	}
}

// A body that breaks off costs nothing and is nobody's failure.
func TestAuditOfABodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.archiveWorker(contracts.Live)
	g := s.gateway()
	key := s.key(live)
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\nContent-Type: text/csv\r\nContent-Length: 5000\r\n\r\n%s", auditPath, key, auditFile(10))
	_ = conn.Close()
	clocktest.Await(t, "the request ends", func() bool {
		return strings.Contains(g.metrics(), `route="/v1/ltl/audit",service="gateway",status="4xx"} 1`)
	})
	if w.asked.Load() > 0 {
		t.Error("the archive was asked")
	}
	g.post(key, auditPath, "text/csv", auditFile(1))
	s.billed(1)
}

// A tenant's fifth upload at once is refused; other tenants do not feel it.
func TestUploadsAtOnce(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Test)
	g := s.gateway(withConsole)
	key, other := s.key(), s.key(tenant("bolt"))
	_, id := g.keep(key, "", auditFile(1))
	s.client.Transport.(*http.Transport).ExpectContinueTimeout = time.Minute // a body is sent when the gateway reads it
	var hold []*io.PipeWriter
	var sending sync.WaitGroup
	for range 4 {
		body, w := io.Pipe()
		hold = append(hold, w)
		sending.Go(func() {
			if r, err := g.tryPost(key, auditPath, "text/csv", body, "Expect", "100-continue"); err != nil || r.StatusCode != http.StatusOK {
				t.Error(err, r)
			}
		})
		if _, err := io.WriteString(w, auditFile(1)); err != nil {
			t.Fatal(err)
		}
	}
	clocktest.Await(t, "a fifth is refused", func() bool {
		r := g.post(key, auditPath, "text/csv", auditFile(1))
		return isOneTooMany(r)
	})
	document := "/v1/evidence/" + strings.Repeat("0", 64)
	for _, path := range []string{
		auditsPath + "/" + id, document + "?at=1", document + "/view?at=1", "/v1/abc/portfolios/bars", "/v1/abc/portfolios/bars/stops",
	} {
		if r := g.get(key, path); !isOneTooMany(r) {
			t.Errorf("%s, a large answer beside them: %d %s", path, r.StatusCode, r.body)
		}
	}
	if r := g.pageOf("/console/proof?id="+strings.Repeat("0", 64)+"&at=1", "Cookie", g.logIn(key), "Accept-Encoding", "identity"); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the page of a document beside them: %d", r.StatusCode)
	}
	if r := g.get(key, auditsPath); r.StatusCode != http.StatusOK {
		t.Errorf("a small answer beside them: %d %s", r.StatusCode, r.body)
	}
	if r := g.post(other, auditPath, "text/csv", auditFile(1)); r.StatusCode != http.StatusOK {
		t.Errorf("another tenant: %d %s", r.StatusCode, r.body)
	}
	for _, w := range hold {
		_ = w.Close()
	}
	sending.Wait()
	if r := g.post(key, auditPath, "text/csv", auditFile(1)); r.StatusCode != http.StatusOK {
		t.Errorf("after them: %d %s", r.StatusCode, r.body)
	}
	if r := g.get(key, auditsPath+"/"+id); r.StatusCode != http.StatusOK {
		t.Errorf("a large answer after them: %d %s", r.StatusCode, r.body)
	}
}

// isOneTooMany tells whether the answer says what the client is to do, and accuses no source.
func isOneTooMany(r *response) bool {
	return r.StatusCode == http.StatusTooManyRequests && r.Header.Get("Retry-After") != "" &&
		strings.Contains(string(r.body), "send the requests one after the other")
}

// The tool takes the same lines in batches and finds the same, and leaves out what matches.
func TestAuditToolInBatches(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Test)
	g := s.gateway()
	file, err := audit.Read(t.Context(), lines.CSV, []byte(auditFile(600)), lines.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := csv.NewReader(strings.NewReader(auditFile(600))).ReadAll()
	for _, protocol := range protocols {
		session := g.agent(protocol, "/mcp/ltl", s.key())
		tool := listed(t, session, "audit_fuel_surcharge")
		for first := 0; first < len(file.Lines); first += api.MaxToolLines {
			lines := jsonLines(rows, first, first+api.MaxToolLines)
			r := call(t, session, "audit_fuel_surcharge", map[string]any{"lines": lines, "tolerance_amount": 0.01})
			structured, _ := json.Marshal(r.StructuredContent)
			if err := validate(tool.OutputSchema, structured); r.IsError || err != nil {
				t.Fatalf("isError %t, %v: %.300s", r.IsError, err, textOf(t, r))
			}
			input, _ := json.Marshal(map[string]any{"lines": lines[:3]}) // later ones have days that are none
			if err := validate(tool.InputSchema, input); err != nil {
				t.Error(err)
			}
			size := 0
			for _, c := range r.Content {
				size += len(c.(*sdk.TextContent).Text)
			}
			if size > 24_000 {
				t.Errorf("%d bytes", size)
			}
			got := decode[api.AuditSummary](t, structured)
			sent, _ := json.Marshal(lines)
			rest := decode[api.Audit](t, g.post(s.key(), auditPath, "application/json", string(sent)).body)
			checkSummary(t, got, rest)
		}
	}
	session := g.agent(stateless, "/mcp/ltl", s.key())
	for name, c := range map[string]struct {
		arguments map[string]any
		want      string
	}{
		"too many":     {map[string]any{"lines": jsonLines(rows, 0, 201)}, "INVALID_REQUEST: lines: at most 200 items"},
		"no list":      {map[string]any{"lines": "x"}, "INVALID_REQUEST: lines: this must be a list"},
		"none":         {map[string]any{}, "INVALID_REQUEST: lines: this argument is required"},
		"a bad option": {map[string]any{"lines": jsonLines(rows, 0, 1), "tolerance_points": "x"}, "INVALID_REQUEST: tolerance_points: want a decimal"},
	} {
		if r := call(t, session, "audit_fuel_surcharge", c.arguments); !r.IsError || !strings.HasPrefix(textOf(t, r), c.want) {
			t.Errorf("%s: %s, want %s", name, textOf(t, r), c.want)
		}
	}
}

// A host that calls again with the same lines, as a call that broke off allows it, pays for them once. A repetition that is charged for a line
// that had no verdict before is not told as free.
func TestAnAuditToolCallIsChargedOnce(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.archiveWorker(contracts.Live)
	session := s.gateway().agent(stateless, "/mcp/ltl", s.key(live))
	rows, _ := csv.NewReader(strings.NewReader(auditFile(2))).ReadAll()
	for _, want := range []string{"0.006", "0"} {
		r := call(t, session, "audit_fuel_surcharge", map[string]any{"lines": jsonLines(rows, 0, 2)})
		if cost := fmt.Sprint(r.Meta["assay.dev/cost-usd"]); r.IsError || cost != want {
			t.Errorf("it cost %s, want %s: %s", cost, want, textOf(t, r))
		}
	}
	s.billed(2)
	lines := jsonLines(rows, 0, 2)
	lines[0]["carrier"], lines[1]["carrier"] = "SAIA", "ABF"
	for i, want := range []string{"0.003", "0.006", "0"} {
		w.fail.Store([]*contracts.Carrier{new(contracts.ABF), nil, nil}[i])
		if r := call(t, session, "audit_fuel_surcharge", map[string]any{"lines": lines}); costOf(r) != "cost "+want {
			t.Errorf("call %d: %s, want %s: %s", i, costOf(r), want, textOf(t, r))
		}
	}
	s.billed(4)
}

// A DUPLICATE behind the cut of a tool's answer is one in the next call too, where that is made as the words say.
func TestADuplicateBehindTheCut(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Test)
	session := s.gateway().agent(stateless, "/mcp/ltl", s.key())
	all, last := make([]map[string]string, api.MaxToolLines), api.MaxToolLines-1
	for i := range all {
		all[i] = map[string]string{"id": fmt.Sprint(i + 1), "carrier": "ODFL", "ship_date": "2026-09-11", "billed_pct": "56.82", "pro_number": fmt.Sprint(1000 + i)}
	}
	all[last]["pro_number"] = all[0]["pro_number"]
	audited := func(lines []map[string]string) (words string, a api.AuditSummary) {
		r := call(t, session, "audit_fuel_surcharge", map[string]any{"lines": lines})
		for i := range len(r.Content) - 1 {
			words += blockOf(r, i)
		}
		return words, decode[api.AuditSummary](t, []byte(textOf(t, r)))
	}
	words, first := audited(all)
	if first.ResultsLeftOut == 0 || first.Totals.Verdicts[audit.Duplicate] != 1 ||
		!strings.Contains(words, "Another call with them and with every line of their carriers and pro_numbers shows them") {
		t.Errorf("%d left out, %+v: %s", first.ResultsLeftOut, first.Totals, words)
	}
	if _, next := audited(append(all[last-1:], all[0])); len(next.Results) != 3 || next.Totals.Verdicts[audit.Duplicate] != 1 {
		t.Errorf("with every line of the shipment: %+v", next)
	}
}

// checkSummary holds a tool's answer against that of REST to the same lines.
func checkSummary(t *testing.T, got api.AuditSummary, rest api.Audit) {
	t.Helper()
	var open []audit.Result
	for _, r := range rest.Results {
		if r.Verdict != audit.Match {
			open = append(open, r.Result)
		}
	}
	if len(got.Results)+got.ResultsLeftOut != len(open) || fmt.Sprint(got.Totals) != fmt.Sprint(rest.Totals) {
		t.Fatalf("%d results, %d left out, want %d; totals %+v, want %+v", len(got.Results), got.ResultsLeftOut, len(open), got.Totals, rest.Totals)
	}
	for i, r := range got.Results {
		x, _ := json.Marshal(r)
		y, _ := json.Marshal(open[i])
		if !bytes.Equal(x, y) {
			t.Errorf("the tool has\n%s\nREST\n%s", x, y)
		}
	}
}

// jsonLines are rows of a CSV as objects.
func jsonLines(rows [][]string, from, to int) []map[string]string {
	var all []map[string]string
	for _, row := range rows[1+from : 1+min(to, len(rows)-1)] {
		line := map[string]string{}
		for i, name := range rows[0] {
			if row[i] != "" {
				line[name] = row[i]
			}
		}
		all = append(all, line)
	}
	return all
}

// A line costs what the operator set; a dry run tells it and costs nothing.
func TestAuditSettingIsCharged(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	g := s.gateway(func(c *gateway.Config) { c.AuditLinePrice = 20_000 })
	key := s.key(live)
	quote := decode[struct {
		Resolved int    `json:"resolved"`
		Line     string `json:"line_price_usd"`
		Price    string `json:"price_usd"`
	}](t, g.post(key, auditPath+"?dry_run=1", "application/json", `[`+strings.TrimSuffix(strings.Repeat(fmt.Sprintf(
		`{"id":"1","carrier":"ODFL","ship_date":"%s","billed_pct":"1"},`, archivedFirst), 7), ",")+`]`).body)
	if quote.Resolved != 7 || quote.Line != "0.02" || quote.Price != "0.14" {
		t.Errorf("%+v", quote)
	}
	g.post(key, auditPath, "text/csv", auditFile(5))
	s.billed(5)
	if sums, _ := usage.Sums(t.Context(), s.js, time.Now()); sums[0].Cents != 10 || sums[0].Count != 0 {
		t.Errorf("%+v", sums)
	}
}

// A body whose chunks are none is malformed; one that ends early was given up by the client.
func TestMalformedChunksAreTheClientsFault(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	head := "POST /v1/ltl/audit HTTP/1.1\r\nHost: x\r\nX-API-Key: " + s.key() + "\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n"
	for name, chunks := range map[string]string{
		"no size": "xyz\r\nabc\r\n0\r\n\r\n", "a size that is too large": "fffffffffffffffff\r\n", "no line end after a chunk": "3\r\nabcdef\r\n0\r\n\r\n",
	} {
		r, err := g.raw(head + chunks)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.StatusCode != http.StatusBadRequest || !r.Close {
			t.Errorf("%s: %d %v", name, r.StatusCode, r.Header)
		}
	}
}
