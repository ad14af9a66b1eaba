package mcp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
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

func FuzzParseArguments(f *testing.F) {
	for _, seed := range []string{`{}`, `null`, `{"carrier":"ODFL","weeks":4.0}`, `{"carrier":"A,B"}`, `{"weeks":1e400}`,
		`{"x":{}}`, `{"fresh":true}`, `{"fresh":"no"}`, `[`} {
		f.Add([]byte(seed))
	}
	known := newTool(api.ProductOf(contracts.LTL).Tools()[1], Deps{}).arguments
	f.Fuzz(func(t *testing.T, raw []byte) {
		given, err := parseArguments(known, raw)
		if err != nil {
			if contracts.CodeOf(err) != contracts.InvalidRequest {
				t.Fatal(err)
			}
			return
		}
		for name, value := range given {
			if name != "carrier" && name != "weeks" && name != "fresh" || name == "carrier" && strings.Contains(value, ",") {
				t.Errorf("%q: %q", name, value)
			}
		}
		if query := given.query(known); !strings.HasPrefix(query, "carriers=") || strings.ContainsAny(query, " \r\n#?") {
			t.Errorf("query %q", query)
		}
	})
}
