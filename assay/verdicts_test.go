package main

import (
	"encoding/csv"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
)

// verdictCases are licenses of the sandbox for each line of the guide's table of verdicts.
var verdictCases = map[string]struct {
	state, number string
	verdict       contracts.LicenseVerdict
	code          contracts.VerdictCode // of the first reason; empty for none
	exit          int
}{
	"active":                         {"CA", "400000", contracts.Pass, "", 0},
	"active, a suspension is served": {"CA", "400102", contracts.Pass, "", 0},
	"active, no suspensions shown":   {"NY", "0101-21-100000", contracts.Pass, contracts.VerdictSuspensionsHidden, 0},
	"a suspension is open":           {"CA", "400117", contracts.Conditional, contracts.VerdictSuspensionOpen, 7},
	"revoked":                        {"IL", "2-1100003", contracts.Fail, contracts.VerdictStatusNotActive, 6},
	"suspended, none with dates":     {"FL", "BEV1110009", contracts.Fail, contracts.VerdictStatusNotActive, 6},
	"suspended, below 0.90":          {"TX", "100001014", contracts.Fail, contracts.VerdictStatusNotActive, 6},
	"active past its date":           {"CA", "400003", contracts.Fail, contracts.VerdictExpired, 6},
	"the inactive set":               {"NY", "0222-23-100002", contracts.Fail, contracts.VerdictInactiveSet, 6},
	"revocation pending":             {"CA", "400024", contracts.Unverified, contracts.VerdictConfidenceLow, 8},
	"no expiration date":             {"TX", "100001070", contracts.Unverified, contracts.VerdictConfidenceLow, 8},
}

// One table, five renderings: an answer, its CSV, the tool, the terminal and the console say the same verdict for the same reasons.
func TestVerdictsAreTheSameEverywhere(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	c := newConsolePages(t, base, key)
	tools := agent(t, key, "abc", "--url", base)
	for name, want := range verdictCases {
		t.Run(name, func(t *testing.T) {
			path := base + "/v1/abc/license/" + url.PathEscape(want.number) + "?state=" + want.state
			body := get(t, path, key)
			var judged contracts.Judgement
			if err := json.Unmarshal(body, &judged); err != nil || judged.Reasons == nil {
				t.Fatalf("%v %s", err, body)
			}
			if judged.Verdict != want.verdict || len(judged.Reasons) == 0 != (want.code == "") || want.code != "" && judged.Reasons[0].Code != want.code {
				t.Errorf("API: %s", judged.InWords())
			}
			row := rowOf(t, get(t, path+"&format=csv", key))
			if reasons, _ := json.Marshal(judged.Reasons); row["verdict"] != string(want.verdict) || row["reasons"] != string(reasons) {
				t.Errorf("CSV: %s %s", row["verdict"], row["reasons"])
			}
			r, err := tools.CallTool(t.Context(), &sdk.CallToolParams{
				Name: "get_license", Arguments: map[string]any{"state": want.state, "license_number": want.number},
			})
			if err != nil || r.IsError || len(r.Content) != 3 || r.Content[1].(*sdk.TextContent).Text != judged.InWords() ||
				r.StructuredContent.(map[string]any)["verdict"] != string(want.verdict) {
				t.Errorf("tool: %v %+v", err, r)
			}
			code, out, errs := run(t, daemon.Environ{"ASSAY_API_KEY": key, "ASSAY_API_URL": base}, "get", "license", want.state, want.number)
			if code != want.exit || !slices.Equal(strings.Fields(out)[:2], []string{"verdict", string(want.verdict)}) || code != 0 && !strings.Contains(errs, judged.InWords()) {
				t.Errorf("terminal: exit %d\n%s\n%s", code, out, errs)
			}
			page := c.licenses(t, url.Values{"state": {want.state}, "license_number": {want.number}})
			if !strings.HasPrefix(page, string(want.verdict)) || !holdsReasons(page, judged.Reasons) {
				t.Errorf("console: %s", page)
			}
		})
	}
}

// What is not answered has its verdict too: FAIL where it is proven not to exist.
func TestVerdictsWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	e := daemon.Environ{"ASSAY_API_KEY": key, "ASSAY_API_URL": base}
	if page := newConsolePages(t, base, key).licenses(t, url.Values{"state": {"CA"}, "license_number": {"999999"}}); !strings.HasPrefix(page, "FAIL The license is proven not to exist. Read 20") {
		t.Errorf("console: %s", page)
	}
	for name, c := range map[string]struct {
		args []string
		code int
		out  string
		errs string
	}{
		"proven not to exist":           {[]string{"CA", "999999"}, 3, "", "FAIL: NOT_FOUND: CA has no license"},
		"the proof as JSON":             {[]string{"CA", "999999", "--json"}, 3, `"reason":"LICENSE_ABSENT"},"state":"CA","license_number":"999999","_verifiability":`, "FAIL: "},
		"no such type, any verdict":     {[]string{"CA", "99-400000", "--any"}, 3, "", "FAIL: NOT_FOUND"},
		"a state that is not served":    {[]string{"AZ", "12345"}, 5, "", "not served"},
		"nobody answers":                {[]string{"CA", "400000", "--url", "http://127.0.0.1:1"}, 1, "", "UNVERIFIED: "},
		"a member that is not printed":  {[]string{"NY", "0101-21-100000", "--require", "suspensions"}, 4, "verdict", "not reported"},
		"required before the verdict":   {[]string{"IL", "2-1100003", "--require", "suspensions"}, 4, "FAIL", "not reported"},
		"any verdict":                   {[]string{"IL", "2-1100003", "--any"}, 0, "FAIL", ""},
		"any verdict, and JSON":         {[]string{"CA", "400117", "--any", "--json"}, 0, `"verdict":"CONDITIONAL"`, ""},
		"no confidence may be required": {[]string{"CA", "400000", "--require-confidence", "0.9"}, 2, "", "unknown flag"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := run(t, e, append([]string{"get", "license"}, c.args...)...)
			if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
				t.Errorf("exit %d\n%s\n%s", code, out, errs)
			}
		})
	}
}

// Each result of a search has its verdict, in the answer, its CSV, the tool, the terminal and the console. Where the way to the register
// shows no suspensions, a PASS says so.
func TestVerdictsOfSearches(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	filter := url.Values{"state": {"CA"}, "dba_name": {"pizzeria"}, "limit": {"100"}}
	path := base + "/v1/abc/search?" + filter.Encode()
	var found contracts.Search
	if err := json.Unmarshal(get(t, path, key), &found); err != nil || len(found.Results) < 5 {
		t.Fatalf("%v, %d results", err, len(found.Results))
	}
	verdicts := map[contracts.LicenseVerdict]int{}
	for _, r := range found.Results {
		verdicts[r.Verdict]++
		if r.Verdict == contracts.Pass && (len(r.Reasons) == 0 || r.Reasons[0].Code != contracts.VerdictSuspensionsHidden) {
			t.Errorf("%s is a PASS without reserve: %v", r.LicenseNumber, r.Reasons)
		}
	}
	if verdicts[contracts.Fail] == 0 || verdicts[contracts.Pass] == 0 || verdicts[contracts.Unverified] == 0 {
		t.Errorf("the verdicts are %v", verdicts)
	}
	first := found.Results[0]
	if row := rowOf(t, get(t, path+"&format=csv", key)); row["verdict"] != string(first.Verdict) || row["license_number"] != first.LicenseNumber {
		t.Errorf("CSV: %v", row)
	}
	r, err := agent(t, key, "abc", "--url", base).CallTool(t.Context(), &sdk.CallToolParams{
		Name: "search_licenses", Arguments: map[string]any{"state": "CA", "dba_name": "pizzeria"},
	})
	if err != nil || r.StructuredContent.(map[string]any)["results"].([]any)[0].(map[string]any)["verdict"] != string(first.Verdict) {
		t.Errorf("tool: %v %+v", err, r)
	}
	out := must(t, daemon.Environ{"ASSAY_API_KEY": key, "ASSAY_API_URL": base}, "get", "search", "CA", "--dba-name", "pizzeria")
	if lines := strings.Split(out, "\n"); !slices.Equal(strings.Fields(lines[1])[:2], []string{string(first.Verdict), first.LicenseNumber}) {
		t.Errorf("terminal: %s", out)
	}
	page := newConsolePages(t, base, key).table(t, url.Values{"state": {"CA"}, "dba_name": {"pizzeria"}})
	if want := string(first.Verdict); !strings.Contains(page, want) || !holdsReasons(page, first.Reasons) {
		t.Errorf("console: %s", page)
	}
}

func holdsReasons(page string, reasons []contracts.VerdictReason) bool {
	return !slices.ContainsFunc(reasons, func(r contracts.VerdictReason) bool { return !strings.Contains(page, r.Message) })
}

// rowOf is the first row of a CSV by its columns.
func rowOf(t *testing.T, text []byte) map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%v %s", err, text)
	}
	row := map[string]string{}
	for i, name := range rows[0] {
		row[name] = rows[1][i]
	}
	return row
}

// consolePages are the console's pages as somebody sees them without scripts.
type consolePages struct {
	base    string
	session *http.Cookie
}

func newConsolePages(t *testing.T, base, key string) consolePages {
	t.Helper()
	x := &examiner{T: t, base: base, key: key}
	return consolePages{base, x.logIn()}
}

var (
	pageToken = regexp.MustCompile(`name="token" value="([^"]+)"`)
	pageTag   = regexp.MustCompile(`<[^>]*>`)
	verdictAt = regexp.MustCompile(`(?s)<p id="verdict".*?</p>`)
	tableAt   = regexp.MustCompile(`(?s)<table.*?</table>`)
	signAt    = regexp.MustCompile(`<span aria-hidden="true">.</span>`)
)

// licenses is what the page of licenses says of the verdict, as text; the sign before it is left out.
func (c consolePages) licenses(t *testing.T, form url.Values) string {
	return c.part(t, form, verdictAt)
}

// table is the table of a search, as text.
func (c consolePages) table(t *testing.T, form url.Values) string { return c.part(t, form, tableAt) }

func (c consolePages) part(t *testing.T, form url.Values, at *regexp.Regexp) string {
	t.Helper()
	token := pageToken.FindStringSubmatch(c.page(t, nil))
	if token == nil {
		t.Fatal("the page has no form")
	}
	form.Set("token", token[1])
	page := c.page(t, form)
	text := html.UnescapeString(pageTag.ReplaceAllString(signAt.ReplaceAllString(at.FindString(page), ""), " "))
	if text == "" {
		t.Fatalf("the page is %s", page)
	}
	return strings.Join(strings.Fields(text), " ")
}

// page opens the page of licenses, or sends its form.
func (c consolePages) page(t *testing.T, form url.Values) string {
	t.Helper()
	method := http.MethodGet
	if form != nil {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(t.Context(), method, c.base+"/console/licenses", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.AddCookie(c.session)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	reply, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
