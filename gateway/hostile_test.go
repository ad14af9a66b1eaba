package gateway_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/platform/access/accesstest"
	"assay.dev/platform/bustest"
)

// hostileTexts mean something to NATS, HTTP, a terminal, a spreadsheet, a browser, a template or a database, or are merely long.
var hostileTexts = []string{
	"*", ">", ".", "..", " ", "\t", "\r", "\n", "\x00", "$JS.API.>", "%2a", "%00", "é", "\u2028", "\u202egnp.exe\u2066", "a\u0085b\u009b2J", "\x7f",
	"\x1b[2J", "\x1b]0;owned\a", "=cmd|' /C calc'!A0", "@SUM(1)", "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a\r\nX-Evil: 1",
	"\xff\x9b", "${jndi:x}", "{{.}}", "' OR 1=1 --", "../../etc/passwd", "\U0001F600", "\U000e0041", strings.Repeat("x", 4<<10), strings.Repeat("y", 1<<20),
}

// honestNames look hostile and are names.
var honestNames = []string{"O'Brien", "A & B", "José's – Café"}

// hostileRequest is one way in.
type hostileRequest struct {
	method, target, mediaType, body string
	headers                         []string
}

// waysIn are the requests that hold a text, one for each input of the gateway.
func waysIn(v string) (all []hostileRequest) {
	for _, target := range []string{
		surchargePath + "?carriers=%s", surchargePath + "?weeks=%s", surchargePath + "?%s=1", surchargePath + "?format=csv&carriers=ODFL,%s",
		"/v1/abc/search?state=%s&dba_name=x", "/v1/abc/search?state=CA&dba_name=%s", "/v1/abc/search?state=CA&format=csv&owner_name=x%s",
		"/v1/abc/search?state=NY&address=x%s", "/v1/abc/search?state=CA&dba_name=x&cursor=%s", "/v1/abc/license/632923?state=%s",
		"/v1/ltl/accessorials?carrier=%s", "/v1/evidence/%s", "/health?%s", "/console/surcharges?carriers=%s", "/console?to=%s",
	} {
		all = append(all, hostileRequest{method: http.MethodGet, target: fmt.Sprintf(target, url.QueryEscape(v))})
	}
	for _, target := range []string{"/%s", "/v1/%s/x", "/v1/abc/license/%s?state=CA", "/console/%s"} {
		all = append(all, hostileRequest{method: http.MethodGet, target: fmt.Sprintf(target, url.PathEscape(v))})
	}
	for _, header := range []string{
		"X-API-Key", "X-Request-ID", "traceparent", "If-None-Match", "X-RapidAPI-Proxy-Secret", "X-RapidAPI-User", "X-Forwarded-For", "Accept", "Cookie", "Authorization",
	} {
		all = append(all, hostileRequest{method: http.MethodGet, target: surchargePath + "?carriers=ODFL", headers: []string{header, v}})
	}
	text, _ := json.Marshal(v)
	cell := `"` + strings.ReplaceAll(v, `"`, `""`) + `"`
	line := "id,carrier,ship_date,billed_pct\n" + cell + ",ODFL,2026-09-10,46.32\nb," + cell + ",2026-09-10,1\nc,ODFL," + cell + ",1\n"
	form := url.Values{"key": {v}, "to": {v}, v: {v}}.Encode()
	for _, body := range []struct{ target, mediaType, text string }{
		{"/v1/ltl/audit", "text/csv", line}, {"/v1/ltl/audit", "text/csv", cell + ",carrier\n1,2\n"},
		{"/v1/ltl/audit", "application/json", fmt.Sprintf(`{"lines":[{"id":%s,"carrier":"ODFL","ship_date":"2026-09-10","billed_pct":1},{%s:1}]}`, text, text)},
		{"/v1/ltl/audit", "application/json", v}, {"/console/session", "application/x-www-form-urlencoded", form},
		{"/mcp/abc", "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"search_licenses","arguments":{"state":"CA","dba_name":%s}}}`, text, text)},
		{"/mcp/ltl", "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%s,"arguments":{%s:1}}}`, text, text)},
		{"/mcp/ltl", "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_carriers","arguments":{%s:1}}}`, text)},
		{"/mcp/ltl", "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%s}`, text, text)},
		{"/mcp/ltl", "application/json", `{"jsonrpc":"2.0","id":"` + v + `","method":"ping"}`}, {"/mcp/ltl", "application/json", v},
	} {
		all = append(all, hostileRequest{method: http.MethodPost, target: body.target, mediaType: body.mediaType, body: body.text})
	}
	return all
}

// inertProblem is what is wrong with a reply to hostile input: a failure of ours, or something that is not escaped.
func inertProblem(r *response) error {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	text := string(r.body)
	switch {
	case r.StatusCode >= http.StatusInternalServerError:
		return errors.New("a failure of ours")
	case r.Header.Get("X-Evil") != "":
		return errors.New("a header of the caller's")
	case contracts.Visible(text) != text || contracts.Visible(fmt.Sprint(r.Header)) != fmt.Sprint(r.Header):
		return errors.New("something that acts on a terminal")
	case media == "application/json" && len(text) > 0 && !json.Valid(r.body):
		return errors.New("no JSON")
	case media == "text/html" && (strings.Contains(text, "<script>alert") || strings.Contains(text, "<img src=x")):
		return errors.New("markup of the caller's")
	case media == "text/csv":
		return formulaIn(text)
	}
	return nil
}

// formulaIn is an error when a cell is what a spreadsheet takes for a formula.
func formulaIn(text string) error {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	for _, cell := range slices.Concat(rows...) {
		if cell != "" && strings.ContainsAny(cell[:1], "=@\t\r\n") {
			return fmt.Errorf("the formula %q", cell)
		}
	}
	return err
}

// requestID finds the request id in a log line and in a span.
var requestID = regexp.MustCompile(`request_id"[^}]*?Value":"[^"]*"|request_id":"[^"]*"`)

// Nothing that can be sent, and nothing that a source says, is a failure of ours, or gets unescaped into an answer, a page, a CSV,
// a log line, a trace or a subject.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	heard := accesstest.Overhear(t, bustest.Connect(t, s.nats))
	matches := s.worker(contracts.Test).matchAll(slices.Concat(hostileTexts, honestNames))
	spans, logs := filepath.Join(t.TempDir(), "spans"), &lockedBuffer{}
	g := s.gatewayWithLog(slog.New(slog.NewJSONHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug})), withConsole, func(c *gateway.Config) {
		c.AnonymousLimit, c.AnonymousRate, c.TraceFile = 100_000, 100_000, spans
	})
	key := s.key()
	cookie := g.logIn(key)
	for _, v := range hostileTexts {
		for _, in := range waysIn(v) {
			g.refuseHostile(key, cookie, v, in)
		}
	}
	g.showHostile(key, matches)
	if err := g.stop(); err != nil {
		t.Fatal(err)
	}
	traced, err := os.ReadFile(spans)
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"log": logs.text(), "trace": string(traced)} {
		for line := range strings.Lines(text) {
			own := requestID.ReplaceAllString(line, "") // printable ASCII of the caller's (contract §7.1)
			if !json.Valid([]byte(line)) || len(line) > 4<<10 || strings.ContainsAny(line, "\x7f\u009b\u202e\x1b") || strings.Contains(own, "alert(1)") || strings.Contains(own, "jndi") {
				t.Errorf("in the %s: %q", where, line)
			}
		}
	}
	if strange := heard.Strange(); len(strange) > 0 || len(heard.Heard()) < 100 {
		t.Errorf("of %d messages these have strange subjects: %q", len(heard.Heard()), strange)
	}
}

// refuseHostile sends one request and looks at the reply. What Go's client does not send is left out.
func (g *runningGateway) refuseHostile(key, cookie, v string, in hostileRequest) {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), in.method, g.url+in.target, strings.NewReader(in.body))
	if err != nil {
		return
	}
	req.Header = http.Header{"X-Api-Key": {key}, "Accept": {"application/json, text/event-stream, text/csv;q=0.1, text/html;q=0.1"}, "Content-Type": {in.mediaType}}
	if strings.HasPrefix(in.target, "/console") {
		req.Header = http.Header{"Cookie": {cookie}, "Content-Type": {in.mediaType}, "Sec-Fetch-Site": {"same-origin"}}
	}
	for i := 0; i < len(in.headers); i += 2 {
		req.Header.Set(in.headers[i], in.headers[i+1])
	}
	resp, err := g.client.Transport.RoundTrip(req)
	if err != nil {
		return // a header that may not be sent, or a body whose end nobody reads
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if wrong := inertProblem(&response{resp, body}); wrong != nil {
		g.t.Errorf("%s %.60s %v with %.40q: %d, %v: %.300q", in.method, in.target, in.headers, v, resp.StatusCode, wrong, body)
	}
}

// matchAll lets a search find a license of each name that may stand in JSON.
func (w *worker) matchAll(names []string) (all []contracts.LicenseRecord) {
	for i, name := range names {
		if utf8.ValidString(name) && len(name) < 1<<20 {
			r := record(fmt.Sprintf("6329%02d", i))
			r.DBAName, r.OwnerName, r.Address.Raw = name, name, name
			all = append(all, r)
		}
	}
	w.matches.Store(&all)
	return all
}

// showHostile looks at what a source says in each output, where it is the same to who reads it by its rules.
func (g *runningGateway) showHostile(key string, matches []contracts.LicenseRecord) {
	g.t.Helper()
	const asked = "/v1/abc/search?state=FL&dba_name=bar&limit=100"
	answer, table := g.get(key, asked), g.get(key, asked+"&format=csv")
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_licenses","arguments":{"state":"FL","dba_name":"bar","limit":100}}}`
	tool, err := g.tryPost(key, "/mcp/abc", "application/json", strings.NewReader(call), "Accept", "application/json, text/event-stream")
	if err != nil {
		g.t.Fatal(err)
	}
	for _, r := range []*response{answer, table, tool} {
		if wrong := inertProblem(r); wrong != nil || r.StatusCode != http.StatusOK {
			g.t.Errorf("%s: %d, %v: %.500q", r.Request.URL, r.StatusCode, wrong, r.body)
		}
	}
	called := decode[struct {
		Result struct {
			StructuredContent contracts.Search `json:"structuredContent"`
		} `json:"result"`
	}](g.t, tool.body).Result.StructuredContent
	rows, _ := csv.NewReader(strings.NewReader(string(table.body))).ReadAll() // formulaIn read it
	named := slices.Index(rows[0], "dba_name")
	for i, found := range decode[contracts.Search](g.t, answer.body).Results {
		name := matches[i].DBAName
		if found.DBAName != name || called.Results[i].DBAName != name {
			g.t.Errorf("%.40q became %.40q and %.40q", name, found.DBAName, called.Results[i].DBAName)
		}
		if cell := rows[i+1][named]; slices.Contains(honestNames, name) && cell != name {
			g.t.Errorf("%q became %q in the CSV", name, cell)
		}
	}
}
