package sandbox

import (
	"net/http"
	"slices"

	"assay.dev/sandbox/page"
)

// adminCall is a call of the admin address.
type adminCall struct {
	Method, Path string // as in a pattern of [http.ServeMux], without a final {$}
	// Example is the query or the body that may come with the call.
	Example string
	Means   string
	handler http.HandlerFunc
}

// calls is the one table of what the admin address serves. The index page is made from it.
func (s *Sandbox) calls() []adminCall {
	alive := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }
	return slices.Concat([]adminCall{
		{"GET", "/faults", "", "the faults in force", s.listFaults},
		{"POST", "/faults", `{"host":"www.saia.com","path":"/tools","fault":"slow","seconds":5}`,
			"sets a fault; path and seconds may be left out", s.postFault},
		{"DELETE", "/faults", "?host=www.saia.com", "ends the faults of one host; without host, all", s.deleteFaults},
		{"GET", "/requests", "?host=www.saia.com",
			"how often each path of one host was asked for; without host, of all",
			s.listRequests},
		{"DELETE", "/requests", "", "sets these counts to zero", s.deleteRequests},
		{"GET", "/livez", "", "200 while it runs", alive},
		{"GET", "/readyz", "", "200 while it runs", alive},
	}, s.weekCalls(), s.world.licensing.calls())
}

// Admin serves the admin calls, and an index page at / that lists the calls, the kinds of faults, and hosts and
// license numbers to try. It asks for no key. It refuses changes by pages of other origins in somebody's browser,
// which cannot read it either.
func (s *Sandbox) Admin() http.Handler {
	mux := http.NewServeMux()
	for _, call := range s.calls() {
		mux.HandleFunc(call.Method+" "+call.Path, call.handler)
	}
	s.world.licensing.mount(mux)
	mux.HandleFunc("GET /{$}", s.index)
	return http.NewCrossOriginProtection().Handler(mux)
}

func (s *Sandbox) listFaults(w http.ResponseWriter, _ *http.Request) {
	page.JSON(w, http.StatusOK, s.proxy.faults.all())
}

func (s *Sandbox) deleteFaults(w http.ResponseWriter, r *http.Request) {
	s.proxy.faults.clear(r.URL.Query().Get("host"))
	w.WriteHeader(http.StatusNoContent)
}

func (s *Sandbox) listRequests(w http.ResponseWriter, r *http.Request) {
	if host := r.URL.Query().Get("host"); host != "" {
		page.JSON(w, http.StatusOK, s.Requests(host))
		return
	}
	page.JSON(w, http.StatusOK, s.proxy.journal.all())
}

func (s *Sandbox) deleteRequests(w http.ResponseWriter, _ *http.Request) {
	s.proxy.journal.clear()
	w.WriteHeader(http.StatusNoContent)
}

func (s *Sandbox) postFault(w http.ResponseWriter, r *http.Request) {
	var f Fault
	err := page.Decode(w, r, &f)
	if err == nil {
		err = s.Inject(f)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	page.JSON(w, http.StatusCreated, f)
}
