// Package florida reads the liquor licenses of Florida's Division of Alcoholic Beverages & Tobacco: the portal of
// its department (Business and Professional Regulation), then the department's daily extracts.
//
// A remark in brackets says how a fact is known: measured means by us in September 2026, code is other people's
// code, and guess is a guess.
package florida

import (
	"strings"
	"time"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
)

// The sources.
const (
	// the portal (code, measured)
	portalURL = "https://www.myfloridalicense.com/wl11.asp"
	// the extract of licenses, and that of revoked ones (code)
	licensesURL = "https://www2.myfloridalicense.com/sto/file_download/extracts/bd4006lic.csv"
	revokedURL  = "https://www2.myfloridalicense.com/sto/file_download/extracts/bd400revok.csv"
	// a page of the extracts' host, which sets the cookie that the extracts want (guess: any page of it does)
	landingURL = "https://www2.myfloridalicense.com/alcoholic-beverages-and-tobacco/public-records/"
)

// portalWords are the status words of the portal. The first two are known (code); the others are guessed from the
// meaning of the extracts' codes.
var portalWords = register.StatusWords{
	"CURRENT, ACTIVE": contracts.Active, "DELINQUENT, ACTIVE": contracts.Expired, // may not operate
	"SUSPENDED": contracts.Suspended, "ESCROW": contracts.Suspended,
	"NULL AND VOID": contracts.Expired, "REVOKED": contracts.Revoked,
	// applications
	"APPLICATION IN PROGRESS": register.NoLicense, "APPLICATION WITHDRAWN": register.NoLicense,
	"APPLICATION DENIED": register.NoLicense,
}

// extractCodes are the status codes of the extracts (code).
var extractCodes = register.StatusWords{
	"20": contracts.Active, "21": contracts.Active, "22": contracts.Active,
	"30": contracts.Active, "31": contracts.Active, "32": contracts.Active,
	"42": contracts.Suspended,
	"41": contracts.Suspended, // in escrow: may not operate
	"45": contracts.Expired, "46": contracts.Expired, "60": contracts.Expired, "80": contracts.Expired,
	"47": contracts.Revoked, "61": contracts.Revoked, "62": contracts.Revoked, "63": contracts.Revoked,
	"64": contracts.Revoked,
	// applications
	"10": register.NoLicense, "11": register.NoLicense, "12": register.NoLicense, "13": register.NoLicense,
	"14": register.NoLicense, "15": register.NoLicense, "16": register.NoLicense, "17": register.NoLicense,
	"18": register.NoLicense, "19": register.NoLicense, "98": register.NoLicense, "99": register.NoLicense,
}

// zone is where the department's days begin.
var zone = contracts.FL.Zone()

// notTheRegister is what the extracts miss.
const notTheRegister = "The extracts are not known to hold every license."

// Recipe is Florida: the portal first, then the extracts. The portal proves absence. The extracts do not: that they
// hold every license is not known.
func Recipe(d register.Deps) register.Recipe {
	extracts := register.BulkFiles{
		Mirror: d.Mirrors.Mirror(mirror.Spec{
			Name: string(contracts.FL),
			Files: []mirror.File{
				{Name: "FL-licenses", URL: licensesURL, Read: readLicenses},
				{Name: "FL-revoked", URL: revokedURL, Read: readRevoked},
			},
			Fetch: fetchWithCookie(d.Fetcher),
			Watch: mirror.Watch{
				Status: register.Reported(func(code string) register.Standing {
					return register.Standing{Status: extractCodes[code]}
				}),
				MissingEditions: 2,
			},
		}),
		Standing: func(code string, _, _ contracts.Date) register.Standing {
			return register.Standing{Status: extractCodes[code]}
		},
		Today: func() contracts.Date { return d.Today(zone) },
	}
	pages := &portal{fetcher: d.Fetcher, extracts: extracts}
	byPortal := register.Path{
		Name: "portal", Method: contracts.StructuredParse, Noun: "the portal", Form: true,
		NotReported: contracts.Members{register.Suspensions}, Inferred: contracts.Members{register.County},
		Schedule: register.BusinessDays,
	}
	byNumber, byName := byPortal, byPortal
	byNumber.Read, byName.Read, byName.Timeout = pages.lookup, pages.search, searchTimeout
	byName.Asks = func(q register.Question) bool { return q.Query.DBAName != "" || q.Query.OwnerName != "" }
	byExtracts := extracts.Path(register.Path{
		Noun: "the daily extract", NotReported: contracts.Members{register.Suspensions}, Misses: notTheRegister,
		Schedule: register.Daily,
	})
	return register.Recipe{
		Listing: listing(), Zone: zone, Clock: d.Clock, Bulk: extracts,
		Required: map[register.Operation]contracts.Members{register.Lookup: register.Common,
			register.Search: register.Common},
		Lookup: []register.Path{byNumber, byExtracts},
		Search: []register.Path{byName, byExtracts},
	}
}

func listing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.FL, Name: "Florida",
		Agency:    "Department of Business and Professional Regulation, Division of Alcoholic Beverages & Tobacco",
		SourceURL: portalURL, Captcha: "none", AntiBot: "none for the portal; a cookie check for the extracts",
		SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 3500,
		Limitations: []string{
			"The portal searches by name, and may tell accents apart: a search by address alone, " +
				"one that spellings with accents match, or one with more than 400 lines of results " +
				"is answered from the daily extracts.",
			"A license in escrow may not operate and is reported SUSPENDED.",
		},
		LicenseTypes: []contracts.LicenseType{
			{Code: "1APS", Name: "Beer, Package Store"}, {Code: "2APS", Name: "Beer & Wine, Package Store"},
			{Code: "2COP", Name: "Beer & Wine, Consumption On Premises"},
			{Code: "3PS", Name: "Beer, Wine & Liquor, Package Store"},
			{Code: "4COP", Name: "Beer, Wine & Liquor, Consumption On Premises"}, {Code: "11C", Name: "Caterer's Permit"},
		},
	}
}

// dateLayouts are the forms of dates: 03/31/2027 in the portal (code) and in the extracts (guess), or ISO 8601.
var dateLayouts = []string{"1/2/2006", time.DateOnly, "20060102"}

// isBeverage tells the numbers of liquor licenses, such as BEV1100123, from those of the department's other boards.
func isBeverage(number string) bool {
	return strings.HasPrefix(strings.ToUpper(fold.Blanks(number)), "BEV")
}

// typeCode is a license series with its modifier: 4COP-SFS.
func typeCode(series, modifier string) string {
	return strings.Trim(strings.ToUpper(fold.Blanks(series)+"-"+fold.Blanks(modifier)), "-")
}
