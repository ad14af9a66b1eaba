package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"assay.dev/contracts"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo answers each request with what was asked, or with an error when a carrier is BAD.
type echo struct{}

func (echo) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	w.Header().Set("X-Request-Id", "r1")
	if strings.Contains(r.URL.RawQuery, "BAD") {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.WriteString(`{"detail":{"error":"NOT_FOUND","message":"no \"BAD\" <here>"}}`)
	} else {
		_, _ = w.WriteString(`{"asked":"` + r.URL.EscapedPath() + `","query":"` + r.URL.RawQuery + `","html":"<&>","e":1e2}`)
	}
	return w.Result(), nil
}

// pair is a server with and without direct answers.
func pair(tb testing.TB) (both, alone http.Handler) {
	tb.Helper()
	s := New(contracts.LTL, Deps{API: echo{}, Log: slog.New(slog.DiscardHandler)})
	both, err := s.Handler(HandlerOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return both, refuseBatches(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxMessage,
	}))
}

// asked is one request, and what came back from a handler.
type asked struct {
	header http.Header
	host   string
	body   string
}

func (a asked) of(h http.Handler) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://"+a.host+"/mcp/ltl", strings.NewReader(a.body))
	r.Header = a.header.Clone()
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(context.WithValue(context.Background(), http.LocalAddrContextKey, local)))
	return w
}

// same fails unless both responses mean the same.
func same(t interface{ Fatalf(string, ...any) }, a asked, both, alone http.Handler) {
	x, y := a.of(both), a.of(alone)
	var v, w any
	xJSON, yJSON := json.Unmarshal(x.Body.Bytes(), &v) == nil, json.Unmarshal(y.Body.Bytes(), &w) == nil
	switch {
	case x.Code != y.Code, x.Header().Get("Content-Type") != y.Header().Get("Content-Type"), xJSON != yJSON,
		x.Header().Get("Cache-Control") != y.Header().Get("Cache-Control"):
	case xJSON && !reflect.DeepEqual(v, w):
	case !xJSON && x.Body.String() != y.Body.String():
	default:
		return
	}
	t.Fatalf("%v\n%s\ndirect\n%d %v %s\nSDK\n%d %v %s", a.header, a.body, x.Code, x.Header(), x.Body, y.Code, y.Header(), y.Body)
}

// plain is a request that is answered directly.
func plain(protocol, params string) asked {
	h := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {protocol},
	}
	if protocol == protocol20260728 {
		h["Mcp-Method"], h["Mcp-Name"] = []string{"tools/call"}, []string{"get_fuel_surcharge"}
		params = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},` + params
	}
	return asked{h, "localhost", `{"jsonrpc":"2.0","id":"é1","method":"tools/call","params":{` + params + `}}`}
}

func TestPlainCallsAreAnsweredDirectly(t *testing.T) {
	s := New(contracts.LTL, Deps{API: echo{}, Log: slog.New(slog.DiscardHandler)})
	never := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		t.Errorf("the SDK was asked: %s", body)
	})
	for _, protocol := range []string{protocol20250326, protocol20250618, protocol20251125, protocol20260728} {
		a := plain(protocol, `"name":"get_fuel_surcharge","arguments":{"carrier":"ODFL"}`)
		if w := a.of(direct{s, false, never}); w.Code != http.StatusOK || !bytes.Contains(w.Body.Bytes(), []byte(`"structuredContent"`)) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

func TestDirectAnswersAreTheSDKs(t *testing.T) {
	both, alone := pair(t)
	edit := func(a asked, f func(*asked)) asked {
		a.header = maps.Clone(a.header)
		f(&a)
		return a
	}
	for _, protocol := range []string{protocol20250618, protocol20251125, protocol20260728} {
		good := plain(protocol, `"name":"get_fuel_surcharge","arguments":{"carrier":"ODFL","weeks":26}`)
		header := func(name string, values ...string) asked {
			return edit(good, func(a *asked) { a.header[name] = values })
		}
		body := func(old, new string) asked {
			return edit(good, func(a *asked) {
				if !strings.Contains(a.body, old) {
					t.Fatalf("no %s in %s", old, a.body)
				}
				a.body = strings.Replace(a.body, old, new, 1)
			})
		}
		for name, a := range map[string]asked{
			"good":                good,
			"an error":            body(`ODFL`, `BAD`),
			"id 7":                body(`"é1"`, `7`),
			"id -7":               body(`"é1"`, `-7`),
			"id 7.5":              body(`"é1"`, `7.5`),
			"id null":             body(`"é1"`, `null`),
			"id a list":           body(`"é1"`, `[1]`),
			"id large":            body(`"é1"`, `12345678901234567890`),
			"a notification":      body(`"id":"é1",`, ``),
			"no version":          body(`"jsonrpc":"2.0",`, ``),
			"version 1.0":         body(`"2.0"`, `"1.0"`),
			"method in capitals":  body(`"method"`, `"METHOD"`),
			"another method":      body(`tools/call`, `tools/list`),
			"an unknown method":   body(`tools/call`, `tools/none`),
			"an unknown tool":     body(`get_fuel_surcharge`, `none`),
			"no arguments":        body(`,"arguments":{"carrier":"ODFL","weeks":26}`, ``),
			"null arguments":      body(`{"carrier":"ODFL","weeks":26}`, `null`),
			"arguments a string":  body(`{"carrier":"ODFL","weeks":26}`, `"x"`),
			"arguments malformed": body(`"weeks":26`, `"weeks":026`),
			"a further member":    body(`"id":`, `"x":1,"id":`),
			"a further parameter": body(`"name":`, `"task":{},"name":`),
			"request state":       body(`"name":`, `"requestState":"x","name":`),
			"name in capitals":    body(`"name":`, `"NAME":`),
			"the name twice":      body(`"name":`, `"name":"none","name":`),
			"name a number":       body(`"name":"get_fuel_surcharge"`, `"name":1`),
			"trailing text":       edit(good, func(a *asked) { a.body += " x" }),
			"trailing line feed":  edit(good, func(a *asked) { a.body += "\n" }),
			"a batch":             edit(good, func(a *asked) { a.body = "[" + a.body + "]" }),
			"cut short":           edit(good, func(a *asked) { a.body = a.body[:len(a.body)-2] }),
			"empty":               edit(good, func(a *asked) { a.body = "" }),
			"too large":           edit(good, func(a *asked) { a.body += strings.Repeat(" ", maxMessage) }),
			"another host":        edit(good, func(a *asked) { a.host = "evil.example" }),
			"an IPv6 host":        edit(good, func(a *asked) { a.host = "[::1]:8080" }),
			"no accept":           header("Accept"),
			"accept anything":     header("Accept", "*/*"),
			"accept JSON only":    header("Accept", "application/json"),
			"accept turned round": header("Accept", "text/event-stream,application/json"),
			"accept with more":    header("Accept", "text/html, application/json;q=0.9, application/json, text/event-stream"),
			"accept the like":     header("Accept", "application/jsonx, text/event-stream"),
			"accept in two lines": header("Accept", "application/json", "text/event-stream"),
			"content with a set":  header("Content-Type", "application/json; charset=utf-8"),
			"content text":        header("Content-Type", "text/plain"),
			"last event":          header("Last-Event-Id", "1"),
			"no protocol":         header("Mcp-Protocol-Version"),
			"an empty protocol":   header("Mcp-Protocol-Version", ""),
			"the first protocol":  header("Mcp-Protocol-Version", protocol20250326),
			"an old protocol":     header("Mcp-Protocol-Version", "2024-11-05"),
			"an unknown protocol": header("Mcp-Protocol-Version", "2027-01-01"),
			"the other kind":      header("Mcp-Protocol-Version", map[bool]string{true: protocol20251125, false: protocol20260728}[protocol == protocol20260728]),
			"method header":       header("Mcp-Method", "tools/list"),
			"name header":         header("Mcp-Name", "list_carriers"),
			"no name header":      header("Mcp-Name"),
			"a parameter header":  header("Mcp-Param-Carrier", "SAIA"),
			"a session":           header("Mcp-Session-Id", "x"),
			"meta a list":         body(`"params":{`, `"params":{"_meta":[],`),
			"meta null":           body(`"params":{`, `"params":{"_meta":null,`),
			"progress token":      body(`"params":{`, `"params":{"_meta":{"progressToken":1},`),
			"meta of another":     body(`"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"},`),
		} {
			t.Run(protocol+"/"+name, func(t *testing.T) { same(t, a, both, alone) })
		}
	}
	good := plain(protocol20260728, `"name":"get_fuel_surcharge","arguments":{}`)
	for name, capabilities := range map[string]string{
		"with roots": `{"roots":{"listChanged":true}}`, "null": `null`, "a list": `[]`, "text": `"x"`, "roots a list": `{"roots":[]}`,
		"with a client": `{},"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}`, "client null": `{},"io.modelcontextprotocol/clientInfo":null`,
		"client a number": `{},"io.modelcontextprotocol/clientInfo":1`, "client without name": `{},"io.modelcontextprotocol/clientInfo":{"name":1}`,
		"a log level": `{},"io.modelcontextprotocol/logLevel":"debug"`, "no such level": `{},"io.modelcontextprotocol/logLevel":7`,
	} {
		t.Run("capabilities/"+name, func(t *testing.T) {
			a := good
			a.body = strings.Replace(a.body, `Capabilities":{}`, `Capabilities":`+capabilities, 1)
			same(t, a, both, alone)
		})
	}
}

// Whatever is cut out of, doubled in or put into a plain call, both answer the same.
func TestMutantsAreAnsweredAsBySDK(t *testing.T) {
	both, alone := pair(t)
	pieces := []string{`{`, `}`, `[`, `]`, `"`, `,`, `:`, `null`, `1`, `"name"`, `"_meta":{}`, `"id":2`, ` `, `\`, `é`, "\xff", "\x00", `"arguments":{}`}
	rapid.Check(t, func(t *rapid.T) {
		protocol := rapid.SampledFrom([]string{protocol20251125, protocol20260728}).Draw(t, "protocol")
		a := plain(protocol, `"name":"get_fuel_surcharge","arguments":{"carrier":"ODFL"}`)
		from := rapid.IntRange(0, len(a.body)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(a.body), from+8)).Draw(t, "to")
		a.body = a.body[:from] + rapid.SampledFrom(append(pieces, "", a.body[from:to]+a.body[from:to])).Draw(t, "piece") + a.body[to:]
		same(t, a, both, alone)
	})
}

func FuzzParseValues(f *testing.F) {
	for _, seed := range []string{`{}`, `null`, `{"carrier":"ODFL","weeks":4.0}`, `{"carrier":"A,B"}`, `{"weeks":1e400}`, `{"x":{}}`, `[`} {
		f.Add([]byte(seed))
	}
	known := tools[contracts.LTL][1].arguments
	f.Fuzz(func(t *testing.T, raw []byte) {
		given, err := parseValues(known, raw)
		if err != nil {
			if contracts.CodeOf(err) != contracts.InvalidRequest {
				t.Fatal(err)
			}
			return
		}
		for name, value := range given {
			if name != "carrier" && name != "weeks" || name == "carrier" && strings.Contains(value, ",") {
				t.Errorf("%q: %q", name, value)
			}
		}
		if query := given.query(known); !strings.HasPrefix(query, "carriers=") || strings.ContainsAny(query, " \r\n#?") {
			t.Errorf("query %q", query)
		}
	})
}
