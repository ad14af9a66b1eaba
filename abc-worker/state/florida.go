package state

import (
	"strings"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
)

// The sources.
const (
	floridaPortalURL  = "https://www.myfloridalicense.com/wl11.asp"                                         // code, measured
	floridaExtractURL = "https://www2.myfloridalicense.com/sto/file_download/extracts/bd4006lic.csv"        // code
	floridaRevokedURL = "https://www2.myfloridalicense.com/sto/file_download/extracts/bd400revok.csv"       // code
	floridaLandingURL = "https://www2.myfloridalicense.com/alcoholic-beverages-and-tobacco/public-records/" // guess; any page of the host sets the cookie
)

// floridaWords are the status words of the portal: the first two are code, the others are guesses by the meaning of the
// extract's codes.
var floridaWords = words{
	"CURRENT, ACTIVE": contracts.Active, "DELINQUENT, ACTIVE": contracts.Expired, // delinquent may not operate
	"SUSPENDED": contracts.Suspended, "ESCROW": contracts.Suspended,
	"NULL AND VOID": contracts.Expired, "REVOKED": contracts.Revoked,
}

// floridaCodes are the status codes of the extracts (code).
var floridaCodes = words{
	"20": contracts.Active, "21": contracts.Active, "22": contracts.Active, "30": contracts.Active, "31": contracts.Active, "32": contracts.Active,
	"42": contracts.Suspended,
	"41": contracts.Suspended, // in escrow: may not operate
	"45": contracts.Expired, "46": contracts.Expired, "60": contracts.Expired, "80": contracts.Expired,
	"47": contracts.Revoked, "61": contracts.Revoked, "62": contracts.Revoked, "63": contracts.Revoked, "64": contracts.Revoked,
	"10": noLicense, "11": noLicense, "12": noLicense, "13": noLicense, "14": noLicense, "15": noLicense, "16": noLicense,
	"17": noLicense, "18": noLicense, "19": noLicense, "98": noLicense, "99": noLicense,
}

// floridaStatus is what a code means on a day: a license in force ends with its date.
func floridaStatus(code string, expires, today contracts.Date) (contracts.Status, error) {
	status, err := floridaCodes.status(code)
	if status == contracts.Active && expires != "" && expires < today {
		status = contracts.Expired
	}
	return status, err
}

// Florida reads the Division of Alcoholic Beverages & Tobacco: the portal of its department, then the extracts.
func Florida(d Deps) Recipe {
	extracts := mirrored{
		mirror: d.Mirrors.Mirror(mirror.Spec{
			Name: string(contracts.FL),
			Files: []mirror.File{
				{Name: "FL-licenses", URL: floridaExtractURL, Read: readFloridaLicenses},
				{Name: "FL-revoked", URL: floridaRevokedURL, Read: readFloridaRevoked},
			},
			Fetch: floridaFetch(d.Fetcher),
		}),
		status: floridaStatus, today: func() contracts.Date { return d.today(eastern) },
		proof: 0, // that the extracts hold every license is not known
	}
	portal := &floridaPortal{fetcher: d.Fetcher, extracts: extracts.mirror}
	return Recipe{
		Listing: floridaListing(),
		Lookup: []LookupPath{
			{Name: "portal", Method: contracts.StructuredParse, Read: portal.lookup},
			extracts.lookupPath(),
		},
		Search: []SearchPath{
			{Name: "portal", Method: contracts.StructuredParse, Timeout: floridaSearchTimeout, Read: portal.search},
			extracts.searchPath(),
		},
	}
}

func floridaListing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.FL, Name: "Florida", Agency: "Department of Business and Professional Regulation, Division of Alcoholic Beverages & Tobacco",
		SourceURL: floridaPortalURL, Captcha: "none", AntiBot: "none for the portal; a cookie check for the extracts",
		SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		ExtractionMethod: contracts.StructuredParse, FallbackMethods: []contracts.Method{contracts.APIMirror},
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 3500, ProvesAbsence: true,
		Limitations: []string{
			"No source gives the dates of suspensions: a SUSPENDED license has an empty list of them.",
			"The portal searches by name, and may tell accents apart: a search by address alone, one that spellings with accents match, or one with more than 400 lines of results is answered from the daily extracts (api_mirror).",
			"The extracts cannot prove that a license does not exist.",
			"A license in escrow may not operate and is reported SUSPENDED.",
		},
		LicenseTypes: []contracts.LicenseType{
			{Code: "1APS", Name: "Beer, Package Store"}, {Code: "2APS", Name: "Beer & Wine, Package Store"},
			{Code: "2COP", Name: "Beer & Wine, Consumption On Premises"}, {Code: "3PS", Name: "Beer, Wine & Liquor, Package Store"},
			{Code: "4COP", Name: "Beer, Wine & Liquor, Consumption On Premises"}, {Code: "11C", Name: "Caterer's Permit"},
		},
	}
}

// floridaDates are MM/DD/YYYY in the portal (code), and taken to be so in the extracts (guess).
var floridaDates = []string{"1/2/2006", time.DateOnly, "20060102"}

// isBeverage tells the numbers of this kind of license from those of other boards.
func isBeverage(number string) bool { return strings.HasPrefix(strings.ToUpper(clean(number)), "BEV") }

// requiredFlorida counts the fields that every path to Florida must give, the status not included.
func requiredFlorida(r contracts.LicenseRecord, dateClean bool) contracts.Tally {
	a := r.Address
	return tally(r.LicenseNumber != "", r.LicenseTypeCode != "", r.OwnerName != "", dateClean && r.ExpirationDate != "", a.Street != "", a.City != "", a.ZipCode != "")
}

// floridaCounties are in the order of their codes, from 11: the counties by the alphabet when Miami-Dade was Dade.
var floridaCounties = []string{
	"Alachua", "Baker", "Bay", "Bradford", "Brevard", "Broward", "Calhoun", "Charlotte", "Citrus", "Clay", "Collier", "Columbia", "Miami-Dade",
	"DeSoto", "Dixie", "Duval", "Escambia", "Flagler", "Franklin", "Gadsden", "Gilchrist", "Glades", "Gulf", "Hamilton", "Hardee", "Hendry",
	"Hernando", "Highlands", "Hillsborough", "Holmes", "Indian River", "Jackson", "Jefferson", "Lafayette", "Lake", "Lee", "Leon", "Levy",
	"Liberty", "Madison", "Manatee", "Marion", "Martin", "Monroe", "Nassau", "Okaloosa", "Okeechobee", "Orange", "Osceola", "Palm Beach",
	"Pasco", "Pinellas", "Polk", "Putnam", "St. Johns", "St. Lucie", "Santa Rosa", "Sarasota", "Seminole", "Sumter", "Suwannee", "Taylor",
	"Union", "Volusia", "Wakulla", "Walton", "Washington",
}

const floridaFirstCounty = 11

// floridaCounty is the county of a code; a name stays, and codes for unknown places, other states and abroad are none.
func floridaCounty(s string) string {
	s = clean(s)
	n, digits := 0, s != ""
	for _, c := range s {
		if c < '0' || c > '9' || n > 999 {
			digits = false
			break
		}
		n = 10*n + int(c-'0')
	}
	switch {
	case !digits:
		return floridaCountyName(s)
	case n < floridaFirstCounty || n >= floridaFirstCounty+len(floridaCounties):
		return ""
	}
	return floridaCounties[n-floridaFirstCounty]
}

func floridaCountyName(s string) string {
	if strings.EqualFold(s, "Dade") {
		return "Miami-Dade"
	}
	for _, name := range floridaCounties {
		if strings.EqualFold(s, name) {
			return name
		}
	}
	return s
}

// floridaType is a series with its modifier: 4COP-SFS.
func floridaType(series, modifier string) string {
	return strings.Trim(strings.ToUpper(clean(series)+"-"+clean(modifier)), "-")
}
