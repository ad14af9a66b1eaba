package sandbox

import (
	"net/http"
	"strconv"
	"time"

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
	mux.HandleFunc("POST /publications", l.age)
}

// age dates what a state publishes back: ?state=CA&days=300. 0 days ends that.
func (l *Licensing) age(w http.ResponseWriter, r *http.Request) {
	state, err := contracts.ParseState(r.FormValue("state"))
	days, daysErr := strconv.Atoi(r.FormValue("days"))
	if err != nil || daysErr != nil || days < 0 || days > 3650 {
		http.Error(w, "want ?state=CA, TX, NY, FL or IL, and days=0 to 3650", http.StatusUnprocessableEntity)
		return
	}
	l.Age(state, time.Duration(days)*24*time.Hour)
	w.WriteHeader(http.StatusNoContent)
}

// listed is a license as the admin address shows it.
type listed struct {
	Number  string                   `json:"number"`
	Forms   []string                 `json:"forms"`
	Case    string                   `json:"case"`
	Primary *contracts.LicenseRecord `json:"primary"`
	Mirror  *contracts.LicenseRecord `json:"mirror"`
	// Truth is what the regulator itself knows.
	Truth *contracts.LicenseRecord `json:"truth"`
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
				entry.Number, entry.Forms, entry.Case, entry.Record(license.Primary), entry.Record(license.Mirror), entry.Truth,
			})
		}
	}
	page.JSON(w, http.StatusOK, found)
}
