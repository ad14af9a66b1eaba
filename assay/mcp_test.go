package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// agent starts `assay mcp` and connects a client to it. The command ends when the client leaves.
func agent(t *testing.T, key string, args ...string) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan int, 1)
	var errs bytes.Buffer
	go func() {
		c := &console{environ: daemon.Environ{"ASSAY_API_KEY": key}, in: toServer, out: fromServer, errs: &errs}
		ended <- execute(context.Background(), append([]string{"mcp"}, args...), c)
		_ = fromServer.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if code := <-ended; code != 0 {
			t.Errorf("exit %d: %s", code, &errs)
		}
	})
	return session
}

func TestToolsOverStdioAnswerAsREST(t *testing.T) {
	base, key := up(t)
	tools := agent(t, key, "ltl", "--url", base)
	r, err := tools.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_fuel_surcharge", Arguments: map[string]any{"carrier": "ODFL", "weeks": 3}})
	if err != nil || r.IsError {
		t.Fatalf("%v %+v", err, r)
	}
	var rest any
	if err := json.Unmarshal(get(t, base+"/v1/ltl/fuel-surcharge?carriers=ODFL&weeks=3", key), &rest); err != nil || !reflect.DeepEqual(rest, r.StructuredContent) {
		t.Errorf("%v\n%v\nREST\n%v", err, r.StructuredContent, rest)
	}
	if r.Meta["assay.dev/environment"] != "test" || r.Meta["assay.dev/requests-left"] == nil {
		t.Errorf("_meta %v", r.Meta)
	}
	t.Run("sizes", func(t *testing.T) {
		checkSizes(t, tools, agent(t, key, "abc", "--url", base))
	})
	for name, c := range map[string]struct{ key, url, want string }{
		"a wrong key":       {"live_abc", base + "/", "UNAUTHORIZED: "},
		"nothing there":     {key, "http://127.0.0.1:1", "SOURCE_UNAVAILABLE: the API at http://127.0.0.1:1 cannot be reached (dial tcp"},
		"all well":          {key, base, ""},
		"the tool server":   {key, base + "/mcp/abc", ""},
		"its other address": {key, base + "/mcp-abc/", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := agent(t, c.key, "abc", "--url", c.url).CallTool(t.Context(), &sdk.CallToolParams{Name: "list_states"})
			if err != nil || r.IsError != (c.want != "") || !strings.HasPrefix(r.Content[0].(*sdk.TextContent).Text, c.want) {
				t.Errorf("%v %+v", err, r)
			}
			if text := r.Content[0].(*sdk.TextContent).Text; c.key != "" && strings.Contains(text, c.key) {
				t.Errorf("the key is told: %s", text)
			}
		})
	}
}

// maxResult is how large a result may be whose call has the required arguments only: agents cut longer ones off. It is 6,000
// tokens at four bytes each.
const maxResult = 4 * 6000

// checkSizes calls each tool with its required arguments only, and with the largest answers that the sandbox has for those.
func checkSizes(t *testing.T, ltl, abc *sdk.ClientSession) {
	for name, c := range map[string]struct {
		session   *sdk.ClientSession
		tool      string
		arguments map[string]any
	}{
		"carriers":      {ltl, "list_carriers", nil},
		"surcharges":    {ltl, "get_fuel_surcharge", map[string]any{"carrier": "AVERITT"}},
		"table, ODFL":   {ltl, "get_fuel_table", map[string]any{"carrier": "ODFL"}},
		"table, SEFL":   {ltl, "get_fuel_table", map[string]any{"carrier": "SEFL"}},
		"table, ESTES":  {ltl, "get_fuel_table", map[string]any{"carrier": "ESTES"}},
		"diesel":        {ltl, "get_diesel_prices", map[string]any{"from": "2025-09-15", "to": "2026-09-14"}},
		"audit":         {ltl, "audit_fuel_surcharge", map[string]any{"lines": []map[string]any{{"id": "1", "carrier": "ODFL", "ship_date": "2026-09-11", "billed_pct": "50"}}}},
		"accessorials":  {ltl, "get_accessorials", nil},
		"states":        {abc, "list_states", nil},
		"search, CA":    {abc, "search_licenses", map[string]any{"state": "CA", "dba_name": "cafe"}},
		"search, NY":    {abc, "search_licenses", map[string]any{"state": "NY", "dba_name": "cafe"}},
		"search, FL":    {abc, "search_licenses", map[string]any{"state": "FL", "dba_name": "bar"}},
		"license of CA": {abc, "get_license", map[string]any{"state": "CA", "license_number": "400117"}},
	} {
		r, err := c.session.CallTool(t.Context(), &sdk.CallToolParams{Name: c.tool, Arguments: c.arguments})
		if err != nil || r.IsError != (name == "accessorials") {
			t.Errorf("%s: %v %+v", name, err, r)
			continue
		}
		whole, _ := json.Marshal(r)
		t.Logf("%-14s %5d tokens", name, len(whole)/4)
		if len(whole) > maxResult {
			t.Errorf("%s: %d bytes, want at most %d", name, len(whole), maxResult)
		}
	}
}

// TestAnAgentIsNotServedFromElsewhere points the command at addresses where something answers that is not the API.
func TestAnAgentIsNotServedFromElsewhere(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/json/v1/ltl/carriers" {
			_, _ = io.WriteString(w, "<h1>It works!</h1>")
			return
		}
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "{}")
	}))
	defer page.Close()
	base, key := up(t)
	for name, url := range map[string]string{"below the API": base + "/v1", "a page": page.URL, "JSON of another kind": page.URL + "/json"} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := run(t, daemon.Environ{"ASSAY_API_KEY": key}, "mcp", "ltl", "--url", url)
			if code != 1 || out != "" || !strings.Contains(errs, "there is no Assay API at "+url+":") || strings.Contains(errs, key) {
				t.Errorf("exit %d\n%s\n%s", code, out, errs)
			}
		})
	}
}

func get(t *testing.T, url, key string) []byte {
	t.Helper()
	status, body := ask(t, url, key)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	return body
}

// ask makes one request of the API.
func ask(t *testing.T, url, key string) (status int, body []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", key)
	client := http.Client{Timeout: clocktest.Patience, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err = io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, body
}

func TestAnAgentIsToldWhatIsMissing(t *testing.T) {
	for name, tt := range map[string]struct {
		e    daemon.Environ
		args []string
		want string
	}{
		"no key":           {nil, []string{"mcp", "ltl"}, "ASSAY_API_KEY is not set"},
		"no address":       {daemon.Environ{"ASSAY_API_KEY": "x"}, []string{"mcp", "ltl", "--url", "localhost:8080"}, "want an address such as"},
		"another server":   {daemon.Environ{"ASSAY_API_KEY": "x"}, []string{"mcp", "ltl", "--url", "http://x/mcp/abc"}, "for it say assay mcp abc"},
		"no such product":  {daemon.Environ{"ASSAY_API_KEY": "x"}, []string{"mcp", "gas"}, "ltl"},
		"no product named": {daemon.Environ{"ASSAY_API_KEY": "x"}, []string{"mcp"}, "<product>"},
	} {
		t.Run(name, func(t *testing.T) {
			if code, _, errs := run(t, tt.e, tt.args...); code == 0 || !strings.Contains(errs, tt.want) {
				t.Errorf("exit %d: %s", code, errs)
			}
		})
	}
}
