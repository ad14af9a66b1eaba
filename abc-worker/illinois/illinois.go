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

// statusWords are the license statuses of the lookup (guess: the label was seen in code, its values were not).
var statusWords = register.StatusWords{
	"ACTIVE": contracts.Active, "EXPIRED": contracts.Expired,
	"SUSPENDED": contracts.Suspended, "REVOKED": contracts.Revoked,
	"PENDING": register.NoLicense,
}

// zone is where the commission's days begin.
var zone = contracts.IL.Zone()

// dateMeans is what a status of the export follows from.
const dateMeans = "The daily export prints no status. It follows from the expiration date: EXPIRED once that has " +
	"passed, else ACTIVE. A suspended or revoked license cannot be told from it."

// firstTwenty is what the rendered search misses.
const firstTwenty = "The commission's search ignores filters and shows 20 licenses: matches beyond those are missing."

// Recipe is Illinois. Lookups are rendered first, because the export has no status. Searches are answered from the
// export first, because the lookup shows 20 licenses whatever is searched.
//
// The export keeps every license that ever was (47.8 % of them have expired), so a number that is not in it was not
// issued when it was made.
func Recipe(d register.Deps) register.Recipe {
	lookup := &lookupPage{Deps: d}
	export := register.BulkFiles{
		Mirror: d.Mirrors.Mirror(mirror.Spec{
			Name:  string(contracts.IL),
			Files: []mirror.File{{Name: "IL-export", URL: exportURL, Read: readExport, KeepsAll: true}},
			Watch: mirror.Watch{ // the export prints no status
				Status: func(string) (contracts.Status, bool) { return "", false }, MissingEditions: 2,
			},
		}),
		Standing: statusByDate, Today: func() contracts.Date { return d.Today(zone) },
	}
	byExport := export.Path(register.Path{
		Noun: "the daily export", NotReported: contracts.Members{register.Suspensions},
		Inferred: contracts.Members{register.Status}, Schedule: register.Daily,
	})
	rendered := register.Path{
		Name: "render", Method: contracts.ScraperAPI, Timeout: renderTimeout, Noun: "the license lookup", Form: true,
		NotReported: contracts.Members{register.Suspensions}, Schedule: register.BusinessDays,
	}
	byNumber, byFilter := rendered, rendered
	byNumber.Read, byFilter.Read, byFilter.Misses = lookup.lookup, lookup.search, firstTwenty
	return register.Recipe{
		Listing: listing(), Zone: zone, Clock: d.Clock, Paid: true, Bulk: export,
		Required: map[register.Operation]contracts.Members{register.Lookup: register.Common,
			register.Search: register.Common},
		Lookup: []register.Path{byNumber, byExport},
		Search: []register.Path{byExport, byFilter},
	}
}

// statusByDate infers the status from the expiration date.
func statusByDate(_ string, expires, today contracts.Date) register.Standing {
	if expires < today {
		return register.Standing{Status: contracts.Expired, Because: dateMeans}
	}
	return register.Standing{Status: contracts.Active, Because: dateMeans}
}

func listing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.IL, Name: "Illinois", Agency: "Liquor Control Commission", SourceURL: lookupURL,
		Captcha: "none", AntiBot: "browser check; read through a rendering service, about 5 credits a page",
		SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 15_000,
		Limitations: []string{
			"Lookups are read through a rendering service; searches are answered from the daily export, " +
				"whose statuses are inferred.",
			"A license number needs its class: 1A-1143621.",
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

// splitClass splits "1A - Retailer On Premises Consumption" into the code and the name of a license class.
func splitClass(class string) (code, name string) {
	code, name, _ = strings.Cut(fold.Blanks(class), " - ")
	return code, name
}
