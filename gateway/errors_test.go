package gateway_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
)

const surchargePath = "/v1/ltl/fuel-surcharge"

func TestCodedErrors(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	g := s.gateway()
	all, ltl, abc := s.key(), s.key(products(contracts.LTL)), s.key(products(contracts.ABC))
	expired := s.key(func(r *keys.Record) { r.ExpiresAt = time.Now().Add(-time.Minute) })
	revoked := s.key()
	if err := s.keys.Revoke(t.Context(), revoked); err != nil {
		t.Fatal(err)
	}
	w.broken.Store(&contracts.Carriers[4])
	for name, c := range map[string]struct {
		method, key, target string
		status              int
		code                contracts.Code
	}{
		"no key":                          {"GET", "", surchargePath, 401, contracts.Unauthorized},
		"no key and wrong parameters":     {"GET", "", surchargePath + "?weeks=99", 401, contracts.Unauthorized},
		"malformed key":                   {"GET", "live_abc", surchargePath, 401, contracts.Unauthorized},
		"unknown key":                     {"GET", "0a1b2c3d4emsh5f6a7b8c9d0e1f2p", surchargePath, 401, contracts.Unauthorized},
		"expired key":                     {"GET", expired, surchargePath, 401, contracts.Unauthorized},
		"revoked key":                     {"GET", revoked, surchargePath, 401, contracts.Unauthorized},
		"health without key":              {"GET", "", "/health", 401, contracts.Unauthorized},
		"other product":                   {"GET", abc, surchargePath, 403, contracts.ProductNotEnabled},
		"other product, wrong parameters": {"GET", abc, surchargePath + "?weeks=99", 403, contracts.ProductNotEnabled},
		"listing of the other product":    {"GET", abc, "/v1/ltl/carriers", 403, contracts.ProductNotEnabled},
		"accessorials of the other":       {"GET", abc, "/v1/ltl/accessorials", 403, contracts.ProductNotEnabled},
		"states of the other product":     {"GET", ltl, "/v1/abc/states", 403, contracts.ProductNotEnabled},
		"search of the other product":     {"GET", ltl, "/v1/abc/search", 403, contracts.ProductNotEnabled},
		"license of the other product":    {"GET", ltl, "/v1/abc/license/632923?state=CA", 403, contracts.ProductNotEnabled},
		"unknown carrier":                 {"GET", all, surchargePath + "?carriers=ACME", 404, contracts.NotFound},
		"unknown carrier among known":     {"GET", all, surchargePath + "?carriers=ODFL,ACME", 404, contracts.NotFound},
		"unknown state":                   {"GET", all, "/v1/abc/license/632923?state=ZZ", 404, contracts.NotFound},
		"unknown state in a search":       {"GET", all, "/v1/abc/search?state=ZZ&dba_name=x", 404, contracts.NotFound},
		"license proven absent":           {"GET", all, "/v1/abc/license/999999?state=CA", 404, contracts.NotFound},
		"accessorials":                    {"GET", all, "/v1/ltl/accessorials", 404, contracts.ComingSoon},
		"accessorials of a carrier":       {"GET", all, "/v1/ltl/accessorials?carrier=odfl", 404, contracts.ComingSoon},
		"accessorials of no carrier":      {"GET", all, "/v1/ltl/accessorials?carrier=ACME", 404, contracts.NotFound},
		"unknown path":                    {"GET", all, "/v2/ltl/fuel-surcharge", 404, contracts.NotFound},
		"unknown path without key":        {"GET", "", "/x", 404, contracts.NotFound},
		"path with a slash at its end":    {"GET", all, surchargePath + "/", 404, contracts.NotFound},
		"license with a further segment":  {"GET", all, "/v1/abc/license/632923/x?state=CA", 404, contracts.NotFound},
		"further segment without key":     {"GET", "", "/v1/abc/license/632923/x?state=CA", 404, contracts.NotFound},
		"further segment, other product":  {"GET", ltl, "/v1/abc/license/632923/x?state=CA", 404, contracts.NotFound},
		"POST":                            {"POST", all, surchargePath, 405, contracts.MethodNotAllowed},
		"DELETE without key":              {"DELETE", "", "/v1/abc/search", 405, contracts.MethodNotAllowed},
		"OPTIONS":                         {"OPTIONS", all, "/health", 405, contracts.MethodNotAllowed},
		"long URL":                        {"GET", all, surchargePath + "?carriers=" + strings.Repeat("ODFL,", 2000), 414, contracts.RequestTooLarge},
		"source down":                     {"GET", all, surchargePath + "?carriers=RLC", 503, contracts.SourceUnavailable},
		"no solver":                       {"GET", all, "/v1/abc/license/100001159?state=TX", 503, contracts.CaptchaSolverNotConfigured},
		"no worker":                       {"GET", s.key(live), surchargePath + "?carriers=ODFL", 503, contracts.SourceUnavailable},
		"nothing described":               {"GET", all, "/v1/ltl/carriers", 503, contracts.SourceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.do(c.method, c.key, c.target)
			if r.StatusCode != c.status || r.code() != c.code {
				t.Fatalf("%d %s, want %d %s: %s", r.StatusCode, r.code(), c.status, c.code, r.body)
			}
			if r.Header.Get("Cache-Control") != "no-store" || r.Header.Get("X-Request-Id") == "" {
				t.Errorf("headers %v", r.Header)
			}
			if after := r.Header.Get("Retry-After"); (after != "") != (c.status == 503 || c.status == 429) || after == "0" {
				t.Errorf("Retry-After %q", after)
			}
			if allow := r.Header.Get("Allow"); (allow == "GET, HEAD") != (c.status == 405) {
				t.Errorf("Allow %q", allow)
			}
			for _, inside := range []string{"NO_WORKER", "worker", "NATS", "nats"} {
				if c.code != "" && name != "nothing described" && strings.Contains(string(r.body), inside) {
					t.Errorf("the message tells of %s: %s", inside, r.body)
				}
			}
		})
	}
}

func TestUnknownCarrierIsNamed(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	if r := g.get(s.key(), surchargePath+"?carriers=ACME"); !strings.Contains(string(r.body), "ACME") {
		t.Errorf("%s does not name it", r.body)
	}
}

func TestViolations(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	key := s.key()
	long := strings.Repeat("x", 201)
	for name, c := range map[string]struct{ target, violations string }{
		"weeks 0":                    {surchargePath + "?weeks=0", "query.weeks greater_than_equal"},
		"weeks 27":                   {surchargePath + "?weeks=27", "query.weeks less_than_equal"},
		"weeks negative":             {surchargePath + "?weeks=-1", "query.weeks greater_than_equal"},
		"weeks huge":                 {surchargePath + "?weeks=99999999999999999999", "query.weeks less_than_equal"},
		"weeks not whole":            {surchargePath + "?weeks=4.0", "query.weeks int_parsing"},
		"weeks in words":             {surchargePath + "?weeks=four", "query.weeks int_parsing"},
		"weeks with a sign":          {surchargePath + "?weeks=%2B4", "query.weeks int_parsing"},
		"weeks empty":                {surchargePath + "?weeks=", "query.weeks int_parsing"},
		"weeks twice":                {surchargePath + "?weeks=1&weeks=2", "query.weeks too_many_values"},
		"carriers empty":             {surchargePath + "?carriers=", "query.carriers string_too_short"},
		"a carrier missing":          {surchargePath + "?carriers=ODFL,,SAIA", "query.carriers string_too_short"},
		"carriers too long":          {surchargePath + "?carriers=" + strings.Repeat("ODFL,", 60) + "ODFL", "query.carriers string_too_long"},
		"unknown parameter":          {surchargePath + "?carrier=ODFL", "query.carrier extra_forbidden"},
		"unknown on a listing":       {"/v1/ltl/carriers?code=ODFL", "query.code extra_forbidden"},
		"unknown on states":          {"/v1/abc/states?x=", "query.x extra_forbidden"},
		"unknown on health":          {"/health?x=1", "query.x extra_forbidden"},
		"unknown on accessorials":    {"/v1/ltl/accessorials?weeks=1", "query.weeks extra_forbidden"},
		"parameters in capitals":     {surchargePath + "?Weeks=1", "query.Weeks extra_forbidden"},
		"two at once":                {surchargePath + "?weeks=0&x=1", "query.weeks greater_than_equal, query.x extra_forbidden"},
		"a violation before a 404":   {surchargePath + "?weeks=0&carriers=ACME", "query.weeks greater_than_equal"},
		"bad escape":                 {"/v1/abc/search?state=CA&dba_name=%zz", "query malformed_query, query missing_params"},
		"semicolon":                  {"/v1/abc/search?state=CA&dba_name=x;y", "query malformed_query, query missing_params"},
		"no state":                   {"/v1/abc/search?dba_name=x", "query.state missing"},
		"state twice":                {"/v1/abc/search?state=CA&state=TX&dba_name=x", "query.state too_many_values"},
		"no filter":                  {"/v1/abc/search?state=CA", "query missing_params"},
		"blank filters":              {"/v1/abc/search?state=CA&dba_name=%20&owner_name=", "query missing_params"},
		"long filter":                {"/v1/abc/search?state=CA&address=" + long, "query.address string_too_long"},
		"control character":          {"/v1/abc/search?state=CA&address=a%00b", "query.address string_control"},
		"line feed":                  {"/v1/abc/search?state=CA&address=a%0Ab", "query.address string_control"},
		"line separator":             {"/v1/abc/search?state=CA&address=a%E2%80%A8b", "query.address string_control"},
		"invalid UTF-8":              {"/v1/abc/search?state=CA&address=%ff%fe", "query.address string_encoding"},
		"no state in a lookup":       {"/v1/abc/license/632923", "query.state missing"},
		"empty number":               {"/v1/abc/license/?state=CA", "path.license_number missing"},
		"number the state has not":   {"/v1/abc/license/ABC?state=CA", "path.license_number value_error"},
		"number with a slash in it":  {"/v1/abc/license/63%2F2923?state=CA", "path.license_number value_error"},
		"number encoded twice":       {"/v1/abc/license/%2536%2533?state=CA", "path.license_number value_error"},
		"number with NUL":            {"/v1/abc/license/63%002923?state=CA", "path.license_number string_control"},
		"number that is not UTF-8":   {"/v1/abc/license/%ff?state=CA", "path.license_number string_encoding"},
		"number too long":            {"/v1/abc/license/" + long + "?state=CA", "path.license_number string_too_long"},
		"number of a subject's form": {"/v1/abc/license/*.%3E?state=CA", "path.license_number value_error"},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.get(key, c.target)
			if r.StatusCode != http.StatusUnprocessableEntity || r.violations() != c.violations {
				t.Errorf("%d %q, want 422 %q: %s", r.StatusCode, r.violations(), c.violations, r.body)
			}
		})
	}
}

func TestOversizeAndMalformedRequests(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	key := s.key()
	head := func(more string) string {
		return "GET " + surchargePath + "?carriers=ODFL HTTP/1.1\r\nHost: x\r\nX-API-Key: " + key + "\r\n" + more
	}
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"plain":                {head("\r\n"), 200},
		"64 KB of headers":     {head("X-Fill: " + strings.Repeat("a", 64<<10) + "\r\n\r\n"), 431},
		"2 MB of headers":      {head("X-Fill: " + strings.Repeat("a", 2<<20) + "\r\n\r\n"), 431},
		"10,000 carriers":      {"GET " + surchargePath + "?" + strings.Repeat("carriers=ODFL&", 5000) + " HTTP/1.1\r\nHost: x\r\nX-API-Key: " + key + "\r\n\r\n", 414},
		"a body":               {head("Content-Length: 2\r\n\r\n{}"), 200},
		"a large body":         {head("Content-Length: 100000\r\n\r\n" + strings.Repeat("a", 1000)), 413},
		"a large chunked body": {head("Transfer-Encoding: chunked\r\n\r\n1400\r\n" + strings.Repeat("a", 0x1400) + "\r\n0\r\n\r\n"), 413},
		"length and chunks":    {head("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 413},
		"length and chunks for a tool": {"POST /mcp/ltl HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
			"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n28\r\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\r\n0\r\n\r\n", 200},
		"two lengths":                  {head("Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"), 400},
		"a blank before the colon":     {head("X-Evil : 1\r\n\r\n"), 400},
		"no host":                      {"GET /health HTTP/1.1\r\n\r\n", 400},
		"not HTTP":                     {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", 400},
		"HTTP/2 without being asked":   {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 413},
		"two keys":                     {head("X-API-Key: other\r\n\r\n"), 401},
		"a target that is no path":     {"GET foo HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		"a target that is a URL":       {"GET http://x/health HTTP/1.1\r\nHost: x\r\n\r\n", 401},
		"CONNECT":                      {"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 404},
		"asterisk":                     {"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 200},
		"bad escape in the path":       {"GET /v1/abc/license/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		"dots in the path":             {"GET /v1/../health HTTP/1.1\r\nHost: x\r\n\r\n", 404},
		"path with two slashes before": {"GET //health HTTP/1.1\r\nHost: x\r\n\r\n", 404},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := g.raw(c.request)
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != c.status {
				t.Errorf("%s, want %d", resp.Status, c.status)
			}
			if strings.Contains(c.request, "Transfer-Encoding") && !resp.Close {
				t.Error("the connection stays open after a chunked request")
			}
		})
	}
}
