// Package illinois reads the liquor licenses of the Illinois Liquor Control Commission: its lookup, as a rendering
// service shows it, then its daily export.
//
// A remark in brackets says how a fact is known: page is the commission's own page, measured means by us, code is
// other people's code, and guess is a guess.
package illinois

import (
	"strings"
	"time"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
)

// How the register is asked.
const (
	// the lookup; behind it is a portal that lets only browsers in (page)
	lookupURL = "https://ilcc.illinois.gov/resources/liquor-license-lookup.html"
	// the parameter of a license number in the lookup's address (guess: the lookup takes one)
	numberParameter = "licenseNumber"
	// a card of the results (code of 2019); it is waited for, because scripts fill the page
	cardSelector = "div.ms-srch-item-body"
	// the daily export (code, measured)
	exportURL = "https://ilcc.illinois.gov/content/dam/soi/en/web/ilcc/datasources/ilcc-licenses-daily-export.csv"
)

// absenceProof is how old a copy of the export may be and still prove absence. The export keeps every license that
// ever was (47.8 % of them have expired), so a number that is not in it was not issued when it was made.
const absenceProof = 3 * 24 * time.Hour

// statusWords are the license statuses of the lookup (guess: the label was seen in code, its values were not).
var statusWords = register.StatusWords{
	"ACTIVE": contracts.Active, "EXPIRED": contracts.Expired,
	"SUSPENDED": contracts.Suspended, "REVOKED": contracts.Revoked,
	"PENDING": register.NoLicense,
}

// zone is where the commission's days begin.
var zone = register.Zone("America/Chicago")

// Recipe is Illinois: the lookup first, then the export. A lookup by either proves that a license does not exist. Of
// the searches only that of the export sees every license: the lookup shows 20.
func Recipe(d register.Deps) register.Recipe {
	today := func() contracts.Date { return d.Today(zone) }
	lookup := &lookupPage{Deps: d, today: today}
	export := register.BulkFiles{
		Mirror: d.Mirrors.Mirror(mirror.Spec{
			Name:  string(contracts.IL),
			Files: []mirror.File{{Name: "IL-export", URL: exportURL, Read: readExport}},
		}),
		Status: statusByDate, Today: today, ProvesAbsenceFor: absenceProof,
	}
	return register.Recipe{
		Listing: listing(),
		Lookup: []register.LookupPath{
			{Name: "render", Method: contracts.ScraperAPI, Timeout: renderTimeout, Read: lookup.lookup},
			export.LookupPath(),
		},
		Search: []register.SearchPath{
			{Name: "render", Method: contracts.ScraperAPI, Timeout: renderTimeout, Read: lookup.search},
			export.SearchPath(),
		},
	}
}

// statusByDate infers the status from the expiration date: the export has no status. Suspended and revoked licenses
// cannot be told from the others.
func statusByDate(_ string, expires, today contracts.Date) (contracts.Status, error) {
	if expires < today {
		return contracts.Expired, nil
	}
	return contracts.Active, nil
}

// required tallies the fields that every path to Illinois must give, other than the status.
func required(r contracts.LicenseRecord) contracts.Tally {
	a := r.Address
	return register.TallyOf(r.LicenseNumber != "", r.LicenseTypeCode != "", r.OwnerName != "", r.ExpirationDate != "",
		a.Street != "", a.City != "", a.ZipCode != "")
}

func listing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.IL, Name: "Illinois", Agency: "Liquor Control Commission", SourceURL: lookupURL,
		Captcha: "none", AntiBot: "browser check; read through a rendering service, about 5 credits a page",
		SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		ExtractionMethod: contracts.ScraperAPI, FallbackMethods: []contracts.Method{contracts.APIMirror},
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 15_000, ProvesAbsence: true,
		Limitations: []string{
			"The lookup ignores filters and shows 20 licenses: search filters those, " +
				"and is answered from the daily export (api_mirror) when none of them match.",
			"The daily export has no status: a license is EXPIRED once its date has passed and ACTIVE before; " +
				"suspended and revoked licenses cannot be told there.",
			"No source gives the dates of suspensions.",
			"A license issued since the last daily export may be missing from it.",
		},
		LicenseTypes: []contracts.LicenseType{
			{Code: "1A", Name: "Retailer On Premises Consumption"}, {Code: "1B", Name: "Retailer Off Premises Consumption"},
			{Code: "2", Name: "Wholesaler"}, {Code: "3", Name: "Importing Distributor"}, {Code: "4", Name: "Manufacturer"},
			{Code: "5", Name: "Non-Resident Dealer"}, {Code: "9", Name: "Special Event Retailer"},
		},
	}
}

// dateLayouts are the forms of dates: 3/1/2027, and ISO 8601 with or without a time.
var dateLayouts = []string{"1/2/2006", time.DateOnly, "2006-01-02T15:04:05", "2006-01-02T15:04:05.000"}

// classCode is a license class without its name: "1A - Retailer On Premises Consumption" is 1A.
func classCode(class string) string {
	code, _, _ := strings.Cut(fold.Blanks(class), " - ")
	return code
}
