package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/access/accesstest"
	"assay.dev/platform/daemon"
)

// The terminal's client says what the API says, and its exit codes tell absence from failure and doubt.
func TestGetCommand(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	for name, c := range map[string]struct {
		args []string
		code int
		out  string // words that standard output has
		errs string // words that standard error has
	}{
		"the week of a day":      {[]string{"surcharge", "ODFL", "--as-of", "2026-09-11"}, 0, "ODFL 2026-09-09 2026-09-15 46.32 92.64 5.599", ""},
		"all carriers":           {[]string{"surcharge", "--weeks", "1"}, 0, "FEDEX", ""},
		"sandbox":                {[]string{"license", "CA", "400000"}, 0, "invented data of the sandbox", ""},
		"what is not shown":      {[]string{"license", "NY", "0101-21-100000"}, 0, "suspensions not reported by this source", ""},
		"a status that is drawn": {[]string{"search", "IL", "--dba-name", "tap", "--limit", "2"}, 0, "ACTIVE (inferred)", ""},
		"a table":                {[]string{"table", "ODFL"}, 0, "FROM USD BELOW USD LTL %", ""},
		"the newest cursor":      {[]string{"changes"}, 0, "go on with --since", ""},
		"no change yet":          {[]string{"changes", "--since", "nothing"}, 5, "", "this is not the cursor of an answer"},
		"diesel":                 {[]string{"diesel", "--from", "2026-09-07", "--to", "2026-09-14"}, 0, "2026-09-14 6.285", ""},
		"carriers":               {[]string{"carriers"}, 0, "ESTES EXLA", ""},
		"states":                 {[]string{"states"}, 0, "IL", ""},
		"not there":              {[]string{"license", "CA", "999999"}, 3, "", "NOT_FOUND: CA has no license"},
		"a day of no week":       {[]string{"surcharge", "ODFL", "--as-of", "1999-01-01"}, 3, "", "do not take another week's"},
		"not sure enough":        {[]string{"search", "IL", "--dba-name", "tap", "--require-confidence", "0.90"}, 4, "UNVERIFIED", "the confidence is 0.88, below 0.9"},
		"not sure, as JSON":      {[]string{"search", "IL", "--dba-name", "tap", "--require-confidence", "0.90", "--json"}, 4, `"total_results"`, "the confidence is 0.88, below 0.9"},
		"listings claim nothing": {[]string{"carriers", "--require-confidence", "0.90"}, 2, "", "unknown flag"},
		"not printed":            {[]string{"license", "IL", "2-1100003", "--require", "status,suspensions"}, 4, "REVOKED", `"suspensions" is not reported`},
		"too much":               {[]string{"surcharge", "ODFL", "--weeks", "99"}, 5, "", "at most 26 weeks"},
		"a number in no form":    {[]string{"license", "CA", "LIC4"}, 5, "", "INVALID_REQUEST"},
		"a state by its name":    {[]string{"license", "California", "400000"}, 0, "invented data of the sandbox", ""},
		"no filter":              {[]string{"search", "IL"}, 2, "", "--dba-name"},
		"no date":                {[]string{"surcharge", "ODFL", "--as-of", "yesterday"}, 2, "", "YYYY-MM-DD"},
		"nobody there":           {[]string{"carriers", "--url", "http://127.0.0.1:1"}, 1, "", "cannot be reached"},
		"no address":             {[]string{"carriers", "--url", "here"}, 2, "", "want an address"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := run(t, daemon.Environ{"ASSAY_API_KEY": key, "ASSAY_API_URL": base}, append([]string{"get"}, c.args...)...)
			out = strings.Join(strings.Fields(out), " ")
			if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) || strings.Contains(out+errs, key) {
				t.Errorf("exit %d\n%s\n%s", code, out, errs)
			}
		})
	}
	if code, _, errs := run(t, nil, "get", "carriers"); code != 1 || !strings.Contains(errs, "ASSAY_API_KEY is not set") {
		t.Errorf("without a key: exit %d, %s", code, errs)
	}
}

// A surcharge has to be as sure as bills need, unless 0 is said. What is not is printed all the same.
func TestASurchargeHasToBeSure(t *testing.T) {
	t.Parallel()
	body := `{"carrier":"ODFL","weeks":[{"effective_date":"2026-09-09","fuel_surcharge_pct":46.32}],"_verifiability":{"source_timestamp":` +
		`"2026-09-18T14:02:11Z","extraction_confidence":0.66,"notes":[{"code":"WEEK_OVERDUE","message":"A newer week is due."}]}}`
	doubtful := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Assay-Environment", "live")
		_, _ = io.WriteString(w, body)
	}))
	defer doubtful.Close()
	for name, c := range map[string]struct {
		args []string
		code int
		out  string
	}{
		"by default":      {nil, 4, "2026-09-09 - 46.32"},
		"as JSON":         {[]string{"--json"}, 4, body},
		"every answer":    {[]string{"--require-confidence=0"}, 0, "2026-09-09 - 46.32"},
		"what it reaches": {[]string{"--require-confidence", "0.66"}, 0, "46.32"},
	} {
		t.Run(name, func(t *testing.T) {
			e := daemon.Environ{"ASSAY_API_KEY": "k", "ASSAY_API_URL": doubtful.URL}
			code, out, errs := run(t, e, append([]string{"get", "surcharge", "ODFL"}, c.args...)...)
			isTold := strings.Contains(errs, "the confidence is 0.66, below 0.9; WEEK_OVERDUE: A newer week is due.")
			if code != c.code || !strings.Contains(strings.Join(strings.Fields(out), " "), c.out) || isTold != (c.code != 0) {
				t.Errorf("exit %d\n%s\n%s", code, out, errs)
			}
		})
	}
}

// Changes are a table, and the cursor to go on with stands below it. A wrong question is told as the API tells it.
func TestChangesArePrinted(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.RawQuery
		w.Header().Set("Assay-Environment", "test")
		_, _ = io.WriteString(w, `{"changes":[{"id":"CA.1.0","type":"license.status_changed","occurred_at":"2026-09-18T15:00:04Z","product":"abc","source":"CA",`+
			`"data":{"license_number":"400000","before":{"status":"ACTIVE"},"after":{"status":"SUSPENDED"}},"evidence":{"before":[],"after":[]}}],"cursor":"RlFBLjE4"}`)
	}))
	defer api.Close()
	code, out, errs := run(t, daemon.Environ{"ASSAY_API_KEY": "k", "ASSAY_API_URL": api.URL}, "get", "changes", "--since", "RlFBLjE3", "--source", "CA,TX", "--wait", "5")
	out = strings.Join(strings.Fields(out), " ")
	if code != 0 || !strings.Contains(out, "2026-09-18 15:00:04Z CA license.status_changed 400000 ACTIVE SUSPENDED go on with --since RlFBLjE4") {
		t.Errorf("exit %d\n%s\n%s", code, out, errs)
	}
	if query := <-asked; query != "limit=100&since=RlFBLjE3&source=CA%2CTX&wait=5" {
		t.Errorf("asked %s", query)
	}
}

// The proof of an answer is downloaded and verified by what the terminal's client prints.
func TestGetEvidenceCommand(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	e, dir := daemon.Environ{"ASSAY_API_KEY": key, "ASSAY_API_URL": base}, t.TempDir()
	answer := filepath.Join(dir, "answer.json")
	if err := os.WriteFile(answer, []byte(must(t, e, "get", "license", "TX", "100001000", "--json")), 0o600); err != nil {
		t.Fatal(err)
	}
	listed := must(t, e, "get", "evidence", answer, "--to", dir)
	verify := []string{"evidence", "verify", answer}
	for line := range strings.Lines(listed) {
		verify = append(verify, strings.Split(line, "\t")[0])
	}
	if said := must(t, nil, verify...); !strings.HasSuffix(said, "verified") || len(verify) < 4 {
		t.Errorf("%v: %s", verify, said)
	}
	must(t, e, "get", "evidence", answer, "--to", dir) // again: the files are there
	if err := os.WriteFile(verify[3], []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := run(t, e, "get", "evidence", answer, "--to", dir); code != 1 || !strings.Contains(errs, "exists") {
		t.Errorf("a file of mine: exit %d, %s", code, errs)
	}
}

// What a source says does nothing to a terminal.
func TestHostileTextIsInertAtATerminal(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := newReport(&out)
	record := contracts.LicenseRecord{LicenseNumber: "1", DBAName: "\x1b[2JCAFÉ\u202e\t\nX\u009b"}
	showRecord(r, record)
	showSearch(r, contracts.Search{Results: []contracts.SearchResult{{LicenseRecord: record}}})
	r.claim("this", contracts.Verifiability{Notes: []contracts.Note{{Code: "X", Message: "a\nb\x1b]0;c"}}})
	if err := r.flush(); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.ContainsAny(text, "\x1b\u202e\u009b\t") || !strings.Contains(text, "?[2JCAFÉ???X?") || !strings.Contains(text, "a?b") {
		t.Errorf("%q", text)
	}
}

// Whatever stands on a command line, nothing that is printed does something to the terminal, and no NATS subject holds it.
func TestHostileArgumentsAreInertAtATerminal(t *testing.T) {
	t.Parallel()
	base, key := up(t)
	e := daemon.Environ{"ASSAY_DATA": shared.data, "ASSAY_API_URL": base, "ASSAY_API_KEY": key}
	conn, _, err := connect(t.Context(), &console{environ: e})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	heard := accesstest.Overhear(t, conn)
	for _, v := range []string{
		"*", "..", "$JS.API.>", "a\rb", "\u202egnp.exe\u009b2J\x7f", "\x1b[2J\x1b]0;x\a", "\xff\x9b", "=cmd|<script>", strings.Repeat("x", 4<<10),
	} {
		for _, args := range [][]string{
			{v}, {"help", v}, {"--" + v}, {"get", "surcharge", v}, {"get", "license", "CA", v}, {"get", "license", v, "1"}, {"get", "search", "CA", "--dba-name", v},
			{"get", "search", "CA", "--dba-name", v, "--url", v}, {"get", "evidence", v}, {"evidence", "verify", v, v}, {"audit", v}, {"audit", v + ".csv"},
			{"keys", "create", "--tenant", v}, {"keys", "revoke", v}, {"keys", "rotate", v}, {"keys", "import", "--tenant", v, "--product", "ltl", "--key-file", v},
			{"usage", "--month", v}, {"usage", "--tenant", v}, {"credits", "show", "--environment", v}, {"probe", v}, {"probe", "CA", "--number", v},
			{"archive", "import", v}, {"restore", v, v}, {"provision", "--accept-loss", v}, {"mcp", v}, {"mcp", "ltl", "--url", v}, {"settings", "--manifests", v},
		} {
			code, out, errs := run(t, e, args...)
			if said := strings.ReplaceAll(out+errs, "\n", ""); contracts.Visible(said) != said || strings.ContainsAny(said, "\r") {
				t.Errorf("assay %.60q says %.300q", args, said)
			}
			if code == 0 && args[0] != "get" && args[0] != "usage" {
				t.Errorf("assay %.60q did something: %s%s", args, out, errs)
			}
		}
	}
	if strange := heard.Strange(); len(strange) > 0 || len(heard.Heard()) == 0 {
		t.Errorf("of %d messages these have strange subjects: %q", len(heard.Heard()), strange)
	}
}

// What is written in parts is looked at as a whole.
func TestInertWriter(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	w := &inertWriter{to: &out}
	for _, part := range []string{"caf\xc3", "\xa9\r", "\na\rb\x1b", "[2J\xe2\x80", "\xae;\xff\n"} {
		if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if want := "café\r\na?b?[2J?;?\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
