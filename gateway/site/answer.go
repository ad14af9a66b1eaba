package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"assay.dev/contracts"
)

// maxShown bounds the parts of an answer that a page shows: its records, weeks, documents and notes.
const maxShown = 5000

// answerView is an answer as people read it.
type answerView struct {
	Title         string
	Verifiability contracts.Verifiability
	Table         table
	// Source is the source's address where it is one of the web; else it is shown as text.
	Source string
	// Row is the row of the document to outline: the number of the only license, or the first day of the newest week;
	// empty for neither.
	Row string
	// Absent says that there is no such license; nil for another answer.
	Absent *verdictView
	// IsLookup and IsSearch tell what the answer answers, where it is about licenses.
	IsLookup, IsSearch bool
}

// Doubt says what the confidence is too low for; empty for nothing. A license may FAIL at any.
func (v answerView) Doubt() string {
	switch {
	case !isDoubtful(v.Verifiability):
		return ""
	case v.IsSearch && len(v.Table.Rows) > 0:
		return "that of the least sure match"
	case v.IsLookup:
		return "too low for a PASS"
	}
	return "too low to act on"
}

func isDoubtful(v contracts.Verifiability) bool {
	return v.ExtractionConfidence < contracts.MinConfidence
}

// anyAnswer is the body of a lookup, also of one that found none, a search or a fuel surcharge.
type anyAnswer struct {
	State         contracts.State
	LicenseNumber string `json:"license_number"`
	Record        *contracts.LicenseRecord
	Detail        *struct{ Reason contracts.Reason }
	Results       []contracts.LicenseRecord
	Carrier       contracts.Carrier
	Weeks         []contracts.SurchargeWeek
	Verifiability *contracts.Verifiability `json:"_verifiability"`
}

var errNoAnswer = contracts.Invalid("body", "answer", "no_answer", "this is no answer of a fuel "+
	"surcharge, a license or a search")

// newAnswerViews reads a body that a person brought, or that the API answered: one answer, or those of several
// carriers.
func newAnswerViews(body []byte) ([]answerView, error) {
	if !json.Valid(body) {
		return nil, contracts.Invalid("body", "answer", "json_invalid", "this is no JSON")
	}
	var several struct {
		Results []anyAnswer
		Errors  *[]contracts.CarrierFailure
	}
	if err := json.Unmarshal(body, &several); err != nil || several.Errors == nil {
		var single anyAnswer
		if err := json.Unmarshal(body, &single); err != nil {
			return nil, errNoAnswer
		}
		several.Results = []anyAnswer{single}
	}
	shown := 0
	var views []answerView
	for _, a := range several.Results {
		if a.Verifiability == nil || a.Detail != nil && !a.Detail.Reason.ProvesAbsence() ||
			len(several.Results) > len(contracts.Carriers) {
			return nil, errNoAnswer
		}
		shown += len(a.Results) + len(a.Weeks) + len(a.Verifiability.Evidence) + len(a.Verifiability.Notes)
		views = append(views, a.view())
	}
	if shown > maxShown {
		return nil, contracts.Invalid("body", "answer", "too_long", "this answer has %d parts, of "+
			"which a page shows %d at most", shown, maxShown)
	}
	return views, nil
}

func (a anyAnswer) view() answerView {
	v := answerView{Title: string(a.Carrier), Verifiability: *a.Verifiability}
	if at, err := url.Parse(string(v.Verifiability.RawDataEvidenceURL)); err == nil &&
		(at.Scheme == "https" || at.Scheme == "http") {
		v.Source = at.String()
	}
	switch {
	case a.Record != nil:
		v.Title, v.Row = fmt.Sprintf("%s %s", a.State, a.LicenseNumber), a.Record.LicenseNumber
		v.Table, v.IsLookup = licensesTable(a.State, []contracts.LicenseRecord{*a.Record}, false), true
	case a.Detail != nil:
		v.Title = fmt.Sprintf("%s %s", a.State, a.LicenseNumber)
		_, v.Row = contracts.SplitLicenseType(a.State, a.LicenseNumber)
		v.Absent = newVerdictView(string(contracts.Fail), a.Detail.Reason.Advice())
	case a.Carrier != "":
		v.Table = weeksTable(a.Weeks)
		if len(a.Weeks) > 0 {
			v.Row = string(a.Weeks[0].EffectiveDate)
		}
	default:
		v.Title = string(a.State)
		v.Table, v.IsSearch = licensesTable(a.State, a.Results, true), true
	}
	return v
}

var licenseColumns = []column{
	{Name: "Number", Look: "whole"}, {Name: "Type"}, {Name: "Status"}, {Name: "Trade name"}, {Name: "Owner"},
	{Name: "Address"},
	{Name: "Expires", Look: "whole"}, {Name: "Suspensions"},
}

// rowForm is the form that the rows of a search look their licenses up with.
const rowForm = "row"

// licensesTable shows records. With lookups each row has a button for its license alone.
func licensesTable(state contracts.State, records []contracts.LicenseRecord, withLookups bool) table {
	t := table{ID: "records", Columns: slices.Clip(licenseColumns)}
	isDated := slices.ContainsFunc(records, func(r contracts.LicenseRecord) bool { return r.StatusDate != "" })
	if isDated {
		t.Columns = append(t.Columns, column{Name: "Status since", Look: "whole"})
	}
	isRestricted := slices.ContainsFunc(records,
		func(r contracts.LicenseRecord) bool { return len(r.OperatingRestrictions) > 0 })
	if isRestricted {
		t.Columns = append(t.Columns, column{Name: "Restrictions"})
	}
	if withLookups {
		t.Columns = append(t.Columns, column{Name: "Lookup"})
	}
	for _, r := range records {
		status := string(r.Status)
		if slices.Contains(r.Inferred, "status") {
			status += " (inferred)"
		}
		expires := string(r.ExpirationDate)
		expires = cmp.Or(expires, "not known")
		row := texts(r.LicenseNumber, strings.TrimSpace(r.LicenseTypeCode+" "+r.LicenseTypeName), status,
			r.DBAName, r.OwnerName,
			r.Address.Raw, expires, suspensionsOf(r))
		if isDated {
			row = append(row, cell{Text: string(r.StatusDate)})
		}
		if isRestricted {
			row = append(row, cell{Text: strings.Join(r.OperatingRestrictions, "; ")})
		}
		if withLookups {
			row = append(row, lookupCell(state, r))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// lookupCell is a button that looks up the very license of a record. A license whose number is not shown has none.
func lookupCell(state contracts.State, r contracts.LicenseRecord) cell {
	number := r.LicenseNumber
	if typed := r.LicenseTypeCode + "-" + number; state == contracts.CA {
		if _, err := contracts.NormalLicenseNumber(state, typed); err == nil {
			number = typed
		}
	}
	if number == "" {
		return cell{}
	}
	return cell{Text: "Look up", Form: rowForm, Send: field{"license_number", number}, Label: "Look up " + number}
}

// suspensionsOf says "none" only where the source shows suspensions.
func suspensionsOf(r contracts.LicenseRecord) string {
	if slices.Contains(r.NotReported, "suspensions") {
		return "not reported"
	}
	var all []string
	for _, s := range r.Suspensions {
		dates := "dates not known:"
		if s.StartDate+s.EndDate != "" {
			dates = orUnknown(string(s.StartDate)) + " to " + orUnknown(string(s.EndDate))
		}
		all = append(all, dates+" "+s.Reason)
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, "; ")
}

func orUnknown(text string) string {
	if text == "" {
		return "not known"
	}
	return text
}

func weeksTable(weeks []contracts.SurchargeWeek) table {
	t := table{Columns: []column{
		{Name: "From", Look: "whole"}, {Name: "To", Look: "whole"}, {Name: "Fuel surcharge %"}, {Name: "Diesel USD"},
		{Name: "Truckload %"},
	}}
	for _, w := range weeks {
		end, diesel, truckload := string(w.EndDate), optional(w.DieselUSD), optional(w.TruckloadPercent)
		end = cmp.Or(end, "open")
		diesel = cmp.Or(diesel, "not reported")
		t.Rows = append(t.Rows, texts(string(w.EffectiveDate), end, decimal(w.Percent), diesel, orUnknown(truckload)))
	}
	return t
}
