package state

import (
	"net/url"
	"strings"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
)

// How the register is asked.
const (
	// shot, 637 pages
	californiaLicenseURL = "https://www.abc.ca.gov/licensing/license-lookup/single-license/?RPTTYPE=12&LICENSE="
	// doc: links of this form are given as evidence elsewhere; that they answer a search is a guess
	californiaSearchURL = "https://www.abc.ca.gov/licensing/license-lookup/?RPTTYPE=15&DBANAME="
	// code, nine times
	californiaExportURL = "https://www.abc.ca.gov/wp-content/uploads/DailyExport-CSV.zip"
	californiaHome      = "https://www.abc.ca.gov/licensing/license-lookup/"
)

// californiaWords are the status words of page and export (code, shot).
var californiaWords = words{
	"ACTIVE": contracts.Active,
	"SUSPEN": contracts.Suspended, "SUSPENDED": contracts.Suspended,
	"SUREND": contracts.Suspended, // voluntarily, rule 65: it can come back
	"R64B":   contracts.Suspended, // the premises are not ready
	"REVPEN": contracts.Active,    // until it expires: see californiaStatus
	"CANCEL": contracts.Expired, "CANCELED": contracts.Expired, "NREN": contracts.Expired,
	"AUTREV": contracts.Revoked, "DEPREV": contracts.Revoked,
	"PEND": noLicense, "PENDING": noLicense, "NEW": noLicense, "ISSUED": noLicense, "WITHDRAWN": noLicense, "WTHDRN": noLicense,
	"DENIED": noLicense, "VOIDED": noLicense, "PDEV": noLicense,
}

// californiaStatus is what a word means on a day. ACTIVE stays so past its date: fee updates take weeks.
func californiaStatus(word string, expires, today contracts.Date) (contracts.Status, error) {
	status, err := californiaWords.status(word)
	if err == nil && clean(word) == "REVPEN" && expires != "" && expires < today {
		status = contracts.Expired
	}
	return status, err
}

// California reads the Department of Alcoholic Beverage Control: the page of a license and the search by business name, then
// the daily export.
func California(d Deps) Recipe {
	today := func() contracts.Date { return d.today(pacific) }
	page := &californiaPage{fetcher: d.Fetcher, today: today}
	export := mirrored{
		mirror: d.Mirrors.Mirror(mirror.Spec{
			Name: string(contracts.CA),
			Files: []mirror.File{{
				Name: "CA-export", URL: californiaExportURL, MaxBytes: 16 << 20,
				Read: func(body []byte, add func(mirror.Entry) error) (int, error) {
					return readCaliforniaExport(body, today(), add)
				},
			}},
		}),
		status: californiaStatus, today: today,
		proof: 0, // dead licenses are absent
	}
	return Recipe{
		Listing: californiaListing(),
		Lookup: []LookupPath{
			{Name: "page", Method: contracts.StructuredParse, Read: page.lookup},
			export.lookupPath(),
		},
		Search: []SearchPath{
			{Name: "page", Method: contracts.StructuredParse, Read: page.search},
			export.searchPath(),
		},
	}
}

func californiaListing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.CA, Name: "California", Agency: "Department of Alcoholic Beverage Control", SourceURL: californiaHome,
		Captcha: "none", AntiBot: "none", SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		ExtractionMethod: contracts.StructuredParse, FallbackMethods: []contracts.Method{contracts.APIMirror},
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 1500, ProvesAbsence: true,
		Limitations: []string{
			"Search by owner_name or address without dba_name is answered from the daily export (api_mirror).",
			"Suspensions are read by lookup only; search results and the daily export do not show them.",
			"The daily export leaves out licenses that are no longer alive: it cannot prove that a license does not exist.",
			"An ACTIVE license past its expiration date is reported as the department has it: its fee updates take up to six weeks.",
		},
		LicenseTypes: []contracts.LicenseType{
			{Code: "20", Name: "Off-Sale Beer & Wine"}, {Code: "21", Name: "Off-Sale General"},
			{Code: "41", Name: "On-Sale Beer & Wine, Eating Place"}, {Code: "47", Name: "On-Sale General, Eating Place"},
			{Code: "48", Name: "On-Sale General, Public Premises"}, {Code: "58", Name: "Caterer's Permit"},
			{Code: "75", Name: "On-Sale General, Brewpub"},
		},
	}
}

func californiaSearch(dba string) string {
	return californiaSearchURL + strings.ReplaceAll(url.QueryEscape(dba), "+", "%20")
}
