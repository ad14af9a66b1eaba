package sandbox

import (
	"net/http"
	"strconv"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/page"
)

// admin adds the controls of the services, and a look into the register.
func (l *Licensing) admin(mux *http.ServeMux) {
	for service, provider := range l.Solvers {
		path := "/solvers/" + string(service)
		mux.Handle(path+"/", http.StripPrefix(path, provider.Admin()))
	}
	mux.Handle("/renderer/", http.StripPrefix("/renderer", l.Renderer.Admin()))
	mux.HandleFunc("GET /licenses", l.list)
}

// listed is a license as the admin address shows it.
type listed struct {
	Number  string                   `json:"number"`
	Forms   []string                 `json:"forms"`
	Case    string                   `json:"case"`
	Primary *contracts.LicenseRecord `json:"primary"`
	Mirror  *contracts.LicenseRecord `json:"mirror"`
}

// list shows the first licenses of a state, which show each case once; ?case= those of one, ?limit= more.
func (l *Licensing) list(w http.ResponseWriter, r *http.Request) {
	state, err := contracts.ParseState(r.FormValue("state"))
	if err != nil {
		http.Error(w, "want ?state=CA, TX, NY, FL or IL", http.StatusUnprocessableEntity)
		return
	}
	limit, err := strconv.Atoi(r.FormValue("limit"))
	if err != nil || limit < 1 {
		limit = 50
	}
	wanted, found := r.FormValue("case"), []listed{}
	for _, entry := range l.Register.Of(state) {
		if len(found) < limit && (wanted == "" || wanted == entry.Case) {
			found = append(found, listed{
				entry.Number, entry.Forms, entry.Case, entry.Record(license.Primary), entry.Record(license.Mirror),
			})
		}
	}
	page.JSON(w, http.StatusOK, found)
}
