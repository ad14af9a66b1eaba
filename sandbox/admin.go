package sandbox

import (
	"encoding/json"
	"net/http"

	"assay.dev/sandbox/page"
)

// Admin serves the faults and counters over HTTP:
//
//	POST   /faults {"host":"www.saia.com","path":"/tools","fault":"slow","seconds":5}   path and seconds may be left out
//	GET    /faults      those in force
//	DELETE /faults      ends them; ?host=www.saia.com those of one host
//	GET    /requests    host → path → requests since the start; ?host= one host's
//	DELETE /requests    sets the counters to zero
//	GET    /licenses?state=CA   the licenses, each with the record that a right reading gives; ?case= those of one case, ?limit=
//	/solvers/2captcha/, /solvers/anti-captcha/, /solvers/capsolver/   see solver.Provider.Admin
//	/renderer/                  see renderer.Service.Admin
//	GET    /livez, /readyz
func (s *Sandbox) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /faults", s.postFault)
	mux.HandleFunc("GET /faults", func(w http.ResponseWriter, _ *http.Request) {
		page.JSON(w, http.StatusOK, s.proxy.faults.all())
	})
	mux.HandleFunc("DELETE /faults", func(w http.ResponseWriter, r *http.Request) {
		s.proxy.faults.clear(r.URL.Query().Get("host"))
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /requests", func(w http.ResponseWriter, r *http.Request) {
		if host := r.URL.Query().Get("host"); host != "" {
			page.JSON(w, http.StatusOK, s.Requests(host))
			return
		}
		page.JSON(w, http.StatusOK, s.proxy.journal.all())
	})
	mux.HandleFunc("DELETE /requests", func(w http.ResponseWriter, _ *http.Request) {
		s.proxy.journal.clear()
		w.WriteHeader(http.StatusNoContent)
	})
	s.world.licensing.admin(mux)
	alive := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }
	mux.HandleFunc("GET /livez", alive)
	mux.HandleFunc("GET /readyz", alive)
	return mux
}

func (s *Sandbox) postFault(w http.ResponseWriter, r *http.Request) {
	var f Fault
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096))
	d.DisallowUnknownFields()
	err := d.Decode(&f)
	if err == nil {
		err = s.Inject(f)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	page.JSON(w, http.StatusCreated, f)
}
