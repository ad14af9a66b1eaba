package gateway

import (
	"net/http"
	"net/url"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"assay.dev/contracts"
)

// What is accepted of a query string is what net/url reads in it, and only in the forms that are allowed.
func FuzzParameters(f *testing.F) {
	for _, seed := range []string{"carriers=ODFL&weeks=4", "carriers=%20odfl,,", "weeks=%2B4&weeks", "a=b;c&%zz", "&&=&carriers=\xff", "carriers=%E2%80%A8"} {
		f.Add(seed)
	}
	to := &route{parameters: []string{"carriers", "weeks", "state"}}
	f.Fuzz(func(t *testing.T, raw string) {
		e := &exchange{route: to, c: &gin.Context{Request: &http.Request{URL: &url.URL{RawQuery: raw}}}}
		p := e.parameters()
		weeks := p.weeks()
		carriers, unknown := p.carriers()
		_, _ = p.state()
		for _, v := range p.violations {
			if len(v.Loc) == 0 || v.Msg == "" || v.Type == "" || !utf8.ValidString(v.Loc[len(v.Loc)-1]) {
				t.Errorf("violation %+v", v)
			}
		}
		if len(p.violations) > 0 {
			if contracts.CodeOf(p.err(unknown)) != contracts.InvalidRequest {
				t.Error("violations are no error")
			}
			return
		}
		if weeks < contracts.MinWeeks || weeks > contracts.MaxWeeks || unknown == nil && len(carriers) == 0 {
			t.Errorf("%q: %d weeks of %v", raw, weeks, carriers)
		}
		want, err := url.ParseQuery(raw)
		if err != nil {
			t.Fatalf("%q is accepted: %v", raw, err)
		}
		for _, g := range p.given {
			if !slices.Contains(want[g.name], g.value) {
				t.Errorf("%q: %s is %q, want one of %q", raw, g.name, g.value, want[g.name])
			}
		}
	})
}

func FuzzIDs(f *testing.F) {
	f.Add("order-1", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Fuzz(func(t *testing.T, requestID, traceparent string) {
		n := newIDs(http.Header{headerRequestID: {requestID}, headerTraceparent: {traceparent}})
		if len(n.id) != 32 || n.requestID == "" || len(n.requestID) > maxRequestID || !n.own.IsValid() {
			t.Errorf("%+v", n)
		}
		if n.requestID != n.id && n.requestID != requestID {
			t.Errorf("request id %q", n.requestID)
		}
	})
}
