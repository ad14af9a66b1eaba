// Package california reads the liquor licenses of California's Department of Alcoholic Beverage Control: the page
// of a license and the search by business name, then the department's daily export.
//
// A remark in brackets says how a fact is known: shot is a screenshot of the real page, code is other people's code
// that reads it, doc is the department's documentation, and guess is a guess.
package california

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
	// the page of one license (shot: 637 pages)
	licenseURL = "https://www.abc.ca.gov/licensing/license-lookup/single-license/?RPTTYPE=12&LICENSE="
	// the search by business name (doc: links of this form are quoted as evidence; guess: they answer a search)
	searchURL = "https://www.abc.ca.gov/licensing/license-lookup/?RPTTYPE=15&DBANAME="
	// the daily export (code, in nine programs)
	exportURL = "https://www.abc.ca.gov/wp-content/uploads/DailyExport-CSV.zip"
	// where people begin
	homeURL = "https://www.abc.ca.gov/licensing/license-lookup/"
)

// statusWords are the status words of the page and of the export (code, shot).
var statusWords = register.StatusWords{
	"ACTIVE": contracts.Active,
	"SUSPEN": contracts.Suspended, "SUSPENDED": contracts.Suspended,
	"SUREND": contracts.Suspended, // surrendered voluntarily by rule 65: the owner may take it up again
	"R64B":   contracts.Suspended, // surrendered by rule 64(b): the premises are not ready
	"REVPEN": contracts.Active,    // revocation pending: see standingOf
	"CANCEL": contracts.Expired, "CANCELED": contracts.Expired, "NREN": contracts.Expired,
	"AUTREV": contracts.Revoked, "DEPREV": contracts.Revoked,
	// applications
	"PEND": register.NoLicense, "PENDING": register.NoLicense, "NEW": register.NoLicense, "ISSUED": register.NoLicense,
	"WITHDRAWN": register.NoLicense, "WTHDRN": register.NoLicense,
	"DENIED": register.NoLicense, "VOIDED": register.NoLicense, "PDEV": register.NoLicense,
}

// standingOf is what a known word means. The department has not said that a license with revocation pending (REVPEN)
// may not operate. No status follows from a date: the department books renewal fees weeks late.
func standingOf(word string) register.Standing {
	status, _ := statusWords.Find(word)
	standing := register.Standing{Status: status}
	if strings.EqualFold(fold.Blanks(word), "REVPEN") {
		standing.Because = "The department prints REVPEN, revocation pending: the license counts as " +
			"active until it is revoked."
	}
	return standing
}

// zone is where the department's days begin.
var zone = contracts.CA.Zone()

// livingOnly is what the export misses.
const livingOnly = "The daily export lists living licenses only: canceled, expired and revoked " +
	"ones are missing from it."

// Recipe is California: its pages first, then its export. Lookup by page shows all licenses with their suspensions;
// the export holds living licenses only, without suspensions.
func Recipe(d register.Deps) register.Recipe {
	export := register.BulkFiles{
		Mirror: d.Mirrors.Mirror(mirror.Spec{
			Name: string(contracts.CA), MaxAge: 6 * time.Hour, // an edition may come at any hour
			Files: []mirror.File{{
				Name: "CA-export", URL: exportURL, MaxBytes: 16 << 20, Read: readExport, Published: exportDate,
			}},
			Watch: mirror.Watch{Status: register.Reported(standingOf), ByType: true, MissingEditions: 2, ReportsRemovals: true},
		}),
		Standing:   func(word string, _, _ contracts.Date) register.Standing { return standingOf(word) },
		Today:      func() contracts.Date { return d.Today(zone) },
		OtherTypes: entryTypes,
	}
	pages := &site{fetcher: d.Fetcher, export: export}
	byExport := register.Path{
		Noun: "the daily export", NotReported: contracts.Members{register.Suspensions}, Misses: livingOnly,
		Schedule: register.BusinessDays,
	}
	return register.Recipe{
		Listing: listing(), Zone: zone, Clock: d.Clock, Bulk: export,
		Required: map[register.Operation]contracts.Members{
			register.Lookup: register.Common.With(register.Suspensions), register.Search: register.Common,
		},
		Lookup: []register.Path{
			{Name: "page", Method: contracts.StructuredParse, Noun: "the license's page", Schedule: register.BusinessDays,
				Read: pages.lookup},
			export.Path(byExport),
		},
		Search: []register.Path{
			{
				Name: "page", Method: contracts.StructuredParse, Noun: "the search by business name", Form: true,
				Schedule:    register.BusinessDays,
				NotReported: contracts.Members{register.County, register.Suspensions},
				Asks:        func(q register.Question) bool { return q.Query.DBAName != "" }, Read: pages.search,
			},
			export.Path(byExport),
		},
	}
}

func listing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.CA, Name: "California",
		Agency: "Department of Alcoholic Beverage Control", SourceURL: homeURL,
		Captcha: "none", AntiBot: "none", SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 1500,
		Limitations: []string{
			"Search by owner_name or address without dba_name is answered from the daily export.",
			"Names of people are printed surname first (RAMOS , FRANCISCO), articles last (LAHAINA ROOM, THE).",
			"One number may stand for several license types: write the type first (58-400051) to ask for one of them.",
			"A license with revocation pending (REVPEN) is ACTIVE, inferred.",
		},
		LicenseTypes: []contracts.LicenseType{
			{Code: "20", Name: "Off-Sale Beer & Wine"}, {Code: "21", Name: "Off-Sale General"},
			{Code: "41", Name: "On-Sale Beer & Wine, Eating Place"}, {Code: "47", Name: "On-Sale General, Eating Place"},
			{Code: "48", Name: "On-Sale General, Public Premises"}, {Code: "58", Name: "Caterer's Permit"},
			{Code: "75", Name: "On-Sale General, Brewpub"},
		},
	}
}
