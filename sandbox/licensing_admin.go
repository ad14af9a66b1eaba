package sandbox

import (
	"mime"
	"net/http"
	"strconv"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/page"
	"assay.dev/sandbox/texas"
)

// calls are those about licenses, for the table of [Sandbox.Admin].
func (l *Licensing) calls() []adminCall {
	return []adminCall{
		{"GET", "/licenses", "?state=CA", "licenses of a state, each with the record that a right reading gives; " +
			"&case=plain those of one case, &limit=500 more than 50", l.list},
		{"POST", "/publications", "?state=CA&days=300",
			"dates what a state publishes back by that many days; 0 ends that",
			l.age},
		{"POST", "/changes", `{"state":"CA","license_number":"400000","status":"SUSPENDED"}`,
			"changes the status of a license, on its page and in the state's file; until the sandbox starts anew. " +
				`{"carrier":"SAIA","publish":"next"} shows that carrier's next week before its time. ` +
				`{"state":"TX","hold":"100001140"} puts a license on TX's delinquent list from today on, and takes it from it with "lifted":true`, l.change},
	}
}

// change changes the status of a license that a register prints.
func (l *Licensing) change(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		State   contracts.State   `json:"state,omitempty"`
		Number  string            `json:"license_number,omitempty"`
		Status  contracts.Status  `json:"status,omitempty"`
		Carrier contracts.Carrier `json:"carrier,omitempty"`
		Publish string            `json:"publish,omitempty"`
		Hold    string            `json:"hold,omitempty"`
		Lifted  bool              `json:"lifted,omitempty"`
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "send JSON, and say so in Content-Type", http.StatusUnsupportedMediaType)
		return
	}
	if err := page.Decode(w, r, &asked); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	if asked.Hold != "" || asked.Lifted {
		l.hold(w, asked.State, asked.Hold, asked.Lifted, asked.Number != "" || asked.Status != "" || asked.Carrier != "" ||
			asked.Publish != "")
		return
	}
	if asked.Carrier != "" && asked.State == "" {
		l.publish(w, asked.Carrier, asked.Publish)
		return
	}
	number, err := contracts.NormalLicenseNumber(asked.State, asked.Number)
	switch {
	case err != nil || asked.Status == "" || asked.Carrier != "" || asked.Publish != "":
		http.Error(w, "want a state, a license_number of it and a status, or a carrier with publish",
			http.StatusUnprocessableEntity)
		return
	case !license.Prints(asked.State, asked.Status):
		http.Error(w, "the register of this state does not print this status", http.StatusUnprocessableEntity)
		return
	}
	if err := l.Register.Edit(asked.State, l.now(), map[string]license.Edit{number: {Status: asked.Status}}); err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	page.JSON(w, http.StatusAccepted, asked)
}

// hold puts a license on TX's delinquent list from today on, or takes it from it.
func (l *Licensing) hold(w http.ResponseWriter, state contracts.State, text string, lifted, isMixed bool) {
	number, err := contracts.NormalLicenseNumber(contracts.TX, text)
	if state != contracts.TX || err != nil || isMixed {
		http.Error(w, "want the state TX, the number of a license in hold, and lifted or nothing more",
			http.StatusUnprocessableEntity)
		return
	}
	entry := &texas.Hold{Since: contracts.TX.Today(l.now())}
	if lifted {
		entry = nil
	}
	if !l.Holds.Place(number, entry, l.now()) {
		http.Error(w, "there is no license of this number", http.StatusNotFound)
		return
	}
	page.JSON(w, http.StatusAccepted, map[string]any{"state": state, "hold": number, "lifted": lifted})
}

// mount adds the controls of the paid services, which have calls of their own.
func (l *Licensing) mount(mux *http.ServeMux) {
	for service, provider := range l.Solvers {
		path := "/solvers/" + string(service)
		mux.Handle(path+"/", http.StripPrefix(path, provider.Admin()))
	}
	mux.Handle("/renderer/", http.StripPrefix("/renderer", l.Renderer.Admin()))
}

// Examples are licenses of a state to try: of each status the first that the register has, in the order of the
// register. Since its first licenses show each case once, no others are looked at.
func (l *Licensing) Examples(state contracts.State) []license.License {
	var examples []license.License
	seen := map[contracts.Status]bool{}
	for _, entry := range l.few.Of(state) {
		if entry.Primary != nil && !seen[entry.Primary.Status] {
			seen[entry.Primary.Status] = true
			examples = append(examples, entry)
		}
	}
	return examples
}

// age dates what a state publishes back: ?state=CA&days=300. 0 days ends that.
func (l *Licensing) age(w http.ResponseWriter, r *http.Request) {
	state, err := contracts.ParseState(r.FormValue("state"))
	days, daysErr := strconv.Atoi(r.FormValue("days"))
	if err != nil || daysErr != nil || days < 0 || days > 3650 {
		http.Error(w, "want ?state="+contracts.Listed(contracts.States, "or")+", and days=0 to 3650", http.StatusUnprocessableEntity)
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
		http.Error(w, "want ?state="+contracts.Listed(contracts.States, "or"), http.StatusUnprocessableEntity)
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
