package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

// XPO returns the handler of www.xpo.com.
func (s *Sites) XPO() http.Handler {
	return page.Site("XPO", map[string]http.HandlerFunc{
		"GET /fuel-surcharge-table/{$}": s.page("xpo.html", "XPO", contracts.XPO),
	})
}

// XPOLTL returns the handler of ltl.xpo.com, which shows the same table.
func (s *Sites) XPOLTL() http.Handler {
	return page.Site("XPO LTL", map[string]http.HandlerFunc{
		"GET /fuel-surcharge": s.page("xpo.html", "XPO LTL", contracts.XPO),
	})
}
