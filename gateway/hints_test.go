package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"assay.dev/contracts"
)

// Errors name what the client may have meant.
func TestErrorsSayWhatMayBeMeant(t *testing.T) {
	t.Parallel()
	g := newSystem(t).gateway()
	key := g.key()
	for target, want := range map[string]string{
		surchargePath + "?carrier=ODFL":             "not known here; did you mean carriers? known parameters: carriers, weeks",
		surchargePath + "?carriers%5B%5D=ODFL":      "did you mean carriers?",
		surchargePath + "?Weeks=1":                  "did you mean weeks?",
		surchargePath + "?since=2026-01-01":         "not known here; known parameters: carriers, weeks, as_of, from, to, known_at, announced",
		surchargePath + "?date=2026-01-01":          "did you mean as_of?",
		"/v1/ltl/accessorials?carriers=ODFL":        "did you mean carrier?",
		"/v1/abc/search?state=CA&city=LA":           "did you mean address?",
		"/v1/abc/license/632923?state=CA&zz=1":      "known parameters: state",
		"/v1/abc/license/1?state=CA&license_number": "known parameters: state",
		"/health?x=1":                         "there are no parameters",
		surchargePath + "?carriers=exla":      "did you mean ESTES?",
		surchargePath + "?carriers=ODFL,FXNL": "did you mean FEDEX?",
		surchargePath + "?carriers=Fed+Ex":    "did you mean FEDEX?",
		"/v1/ltl/accessorials?carrier=CNWY":   "did you mean XPO?",
		surchargePath + "?carriers=ACME":      "GET /v1/ltl/carriers lists the valid codes",
		surchargePath + "/":                   "did you mean /v1/ltl/fuel-surcharge?",
		"/V1/LTL/Carriers":                    "did you mean /v1/ltl/carriers?",
		"/abc/states/":                        "did you mean /v1/abc/states?",
		"/v1/abc/license/632923/?state=CA":    "did you mean /v1/abc/license/{license_number}?",
		"/v1/abc/license/632923/x?state=CA":   "GET /openapi.json lists the paths",
		"/v1/abc/license/":                    "license_number",
		"/x":                                  "GET /openapi.json lists the paths",
		"/v1":                                 "GET /openapi.json lists the paths",
	} {
		if r := g.get(key, target); r.StatusCode < 400 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s, want %q", target, r.StatusCode, r.body, want)
		}
	}
}

// An agent is told of tools and arguments, not of paths and parameters.
func TestToolErrorsNameTools(t *testing.T) {
	t.Parallel()
	g := newSystem(t).gateway()
	key := g.key()
	for arguments, c := range map[string]struct{ path, tool, want string }{
		`{"carrier":"ACME"}`:                     {"/mcp/ltl", "get_fuel_surcharge", "; list_carriers lists the valid codes"},
		`{"carrier":"EXLA"}`:                     {"/mcp/ltl", "get_fuel_surcharge", "did you mean ESTES?"},
		`{"carriers":"ODFL"}`:                    {"/mcp/ltl", "get_fuel_surcharge", "carriers: this argument is not known here; did you mean carrier? known arguments: carrier, weeks, as_of, from, to, known_at, announced, fresh"},
		`{"state":"ZZ","dba_name":"x"}`:          {"/mcp/abc", "search_licenses", "; list_states lists the valid codes"},
		`{"state":"CA","city":"x"}`:              {"/mcp/abc", "search_licenses", "city: this argument is not known here; did you mean address?"},
		`{"state":"CA","dba_name":"x","page":2}`: {"/mcp/abc", "search_licenses", "known arguments: state, dba_name, owner_name, address, limit, cursor, fresh"},
	} {
		r := g.message(stateless, c.path, key, toolsCall(stateless, c.tool, arguments))
		if r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), c.want) || strings.Contains(string(r.body), "GET /") {
			t.Errorf("%s: %d %s", arguments, r.StatusCode, r.body)
		}
	}
}

// What is kept by a client is never older than the contract allows, also when an answer has more than its time left.
func TestMaxAgeIsBounded(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test).extra.Store(int64(30 * 24 * 3600))
	g, key := s.gateway(), s.key()
	for target, want := range map[string]int{
		odfl: 604800, "/v1/abc/license/632923?state=CA": 86400, searchPath: 86400,
	} {
		if got := freshFor(t, g.get(key, target).Header); got != want {
			t.Errorf("%s: %d s, want %d", target, got, want)
		}
	}
}
