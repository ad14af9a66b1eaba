// Package california reads the liquor licenses of California's Department of Alcoholic Beverage Control: the page
// of a license and the search by business name, then the department's daily export.
//
// A remark in brackets says how a fact is known: shot is a screenshot of the real page, code is other people's code
// that reads it, doc is the department's documentation, and guess is a guess.
package california

import (
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
	"REVPEN": contracts.Active,    // revocation pending: active until it expires, see statusOn
	"CANCEL": contracts.Expired, "CANCELED": contracts.Expired, "NREN": contracts.Expired,
	"AUTREV": contracts.Revoked, "DEPREV": contracts.Revoked,
	// applications
	"PEND": register.NoLicense, "PENDING": register.NoLicense, "NEW": register.NoLicense, "ISSUED": register.NoLicense,
	"WITHDRAWN": register.NoLicense, "WTHDRN": register.NoLicense,
	"DENIED": register.NoLicense, "VOIDED": register.NoLicense, "PDEV": register.NoLicense,
}

// statusOn is what a status word means on a day. A license with revocation pending (REVPEN) expires with its date.
// An ACTIVE one stays active past its date, because the department books renewal fees weeks late.
func statusOn(word string, expires, today contracts.Date) (contracts.Status, error) {
	status, err := statusWords.Status(word)
	if err == nil && fold.Blanks(word) == "REVPEN" && expires != "" && expires < today {
		status = contracts.Expired
	}
	return status, err
}

// zone is where the department's days begin.
var zone = register.Zone("America/Los_Angeles")

// Recipe is California: its pages first, then its export. Lookup by page shows all licenses with their suspensions;
// the export holds living licenses only, without suspensions.
func Recipe(d register.Deps) register.Recipe {
	today := func() contracts.Date { return d.Today(zone) }
	pages := &site{fetcher: d.Fetcher, today: today}
	export := register.BulkFiles{
		Mirror: d.Mirrors.Mirror(mirror.Spec{
			Name: string(contracts.CA),
			Files: []mirror.File{{
				Name: "CA-export", URL: exportURL, MaxBytes: 16 << 20,
				Read: func(body []byte, add func(mirror.Entry) error) (int, error) {
					return readExport(body, today(), add)
				},
			}},
		}),
		Status: statusOn, Today: today,
		ProvesAbsenceFor: 0, // the export leaves out dead licenses
	}
	return register.Recipe{
		Listing: listing(),
		Lookup: []register.LookupPath{
			{Name: "page", Method: contracts.StructuredParse, Read: pages.lookup},
			export.LookupPath(),
		},
		Search: []register.SearchPath{
			{Name: "page", Method: contracts.StructuredParse, Read: pages.search},
			export.SearchPath(),
		},
	}
}

// required tallies the fields that every path to California must give, other than the status.
func required(r contracts.LicenseRecord) contracts.Tally {
	a := r.Address
	return register.TallyOf(r.LicenseNumber != "", r.LicenseTypeCode != "", r.OwnerName != "", r.ExpirationDate != "",
		a.Street != "", a.City != "", a.ZipCode != "")
}

func listing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.CA, Name: "California",
		Agency: "Department of Alcoholic Beverage Control", SourceURL: homeURL,
		Captcha: "none", AntiBot: "none", SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		ExtractionMethod: contracts.StructuredParse, FallbackMethods: []contracts.Method{contracts.APIMirror},
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 1500, ProvesAbsence: true,
		Limitations: []string{
			"Search by owner_name or address without dba_name is answered from the daily export (api_mirror).",
			"Suspensions are read by lookup only; search results and the daily export do not show them.",
			"The daily export leaves out licenses that are no longer alive: " +
				"it cannot prove that a license does not exist.",
			"An ACTIVE license past its expiration date is reported as the department has it: " +
				"its fee updates take up to six weeks.",
		},
		LicenseTypes: []contracts.LicenseType{
			{Code: "20", Name: "Off-Sale Beer & Wine"}, {Code: "21", Name: "Off-Sale General"},
			{Code: "41", Name: "On-Sale Beer & Wine, Eating Place"}, {Code: "47", Name: "On-Sale General, Eating Place"},
			{Code: "48", Name: "On-Sale General, Public Premises"}, {Code: "58", Name: "Caterer's Permit"},
			{Code: "75", Name: "On-Sale General, Brewpub"},
		},
	}
}
