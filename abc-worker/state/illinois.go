package state

import (
	"regexp"
	"strings"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
)

// How the register is asked.
const (
	// page: the address of the lookup; behind it a portal that only browsers pass
	illinoisLookupURL = "https://ilcc.illinois.gov/resources/liquor-license-lookup.html"
	// guess: that the lookup takes a number in its address
	illinoisLicenseParameter = "licenseNumber"
	// code (2019): a result card; waited for, because scripts fill the page
	illinoisCard = "div.ms-srch-item-body"
	// code, measured
	illinoisExportURL = "https://ilcc.illinois.gov/content/dam/soi/en/web/ilcc/datasources/ilcc-licenses-daily-export.csv"
)

// illinoisProof is how old a copy of the export may be that proves absence: it is cumulative (47.8 % of it have expired),
// so a number that is not in it was not issued when it was made.
const illinoisProof = 3 * 24 * time.Hour

// illinoisWords are the license statuses of the lookup (guess: the label was seen in code, its values were not).
var illinoisWords = words{
	"ACTIVE": contracts.Active, "EXPIRED": contracts.Expired, "SUSPENDED": contracts.Suspended, "REVOKED": contracts.Revoked,
	"PENDING": noLicense,
}

// Illinois reads the Liquor Control Commission: the lookup through the rendering service, then the daily export.
func Illinois(d Deps) Recipe {
	today := func() contracts.Date { return d.today(central) }
	lookup := &illinoisLookup{Deps: d, today: today}
	export := mirrored{
		mirror: d.Mirrors.Mirror(mirror.Spec{
			Name:  string(contracts.IL),
			Files: []mirror.File{{Name: "IL-export", URL: illinoisExportURL, Read: readIllinoisExport}},
		}),
		// The export has no status: suspended and revoked licenses cannot be told from the others.
		status: func(_ string, expires, today contracts.Date) (contracts.Status, error) {
			if expires < today {
				return contracts.Expired, nil
			}
			return contracts.Active, nil
		},
		today: today, proof: illinoisProof,
	}
	return Recipe{
		Listing: illinoisListing(),
		Lookup: []LookupPath{
			{Name: "render", Method: contracts.ScraperAPI, Timeout: renderTimeout, Read: lookup.lookup},
			export.lookupPath(),
		},
		Search: []SearchPath{
			{Name: "render", Method: contracts.ScraperAPI, Timeout: renderTimeout, Read: lookup.search},
			export.searchPath(),
		},
	}
}

func illinoisListing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.IL, Name: "Illinois", Agency: "Liquor Control Commission", SourceURL: illinoisLookupURL,
		Captcha: "none", AntiBot: "browser check; read through a rendering service, about 5 credits a page",
		SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		ExtractionMethod: contracts.ScraperAPI, FallbackMethods: []contracts.Method{contracts.APIMirror},
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 15_000, ProvesAbsence: true,
		Limitations: []string{
			"The lookup ignores filters and shows 20 licenses: search filters those, and is answered from the daily export (api_mirror) when none of them match.",
			"The daily export has no status: a license is EXPIRED once its date has passed and ACTIVE before; suspended and revoked licenses cannot be told there.",
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

// illinoisDates are M/D/YYYY, and ISO dates with or without a time.
var illinoisDates = []string{"1/2/2006", time.DateOnly, "2006-01-02T15:04:05", "2006-01-02T15:04:05.000"}

// requiredIllinois counts the fields that every path to Illinois must give, the status not included.
func requiredIllinois(r contracts.LicenseRecord) contracts.Tally {
	a := r.Address
	return tally(r.LicenseNumber != "", r.LicenseTypeCode != "", r.OwnerName != "", r.ExpirationDate != "", a.Street != "", a.City != "", a.ZipCode != "")
}

// illinoisType is a class up to its name: "1A - Retailer On Premises Consumption" is 1A.
func illinoisType(class string) string {
	code, _, _ := strings.Cut(clean(class), " - ")
	return code
}

// illinoisTail ends an address: state and ZIP code, with or without a comma and hyphen.
var illinoisTail = regexp.MustCompile(`^(.*?)[\s,]+([A-Za-z]{2})[\s,]+(\d{5}(?:-?\d{4})?)$`)

// illinoisAddress splits "STREET  CITY ST, 601235555". The city is cut off by its name when that is known, else at the two
// blanks before it.
func illinoisAddress(raw, city, county string) contracts.Address {
	a := contracts.Address{Raw: raw, City: city, County: county}
	tail := illinoisTail.FindStringSubmatch(raw)
	if tail == nil {
		a.Street = clean(raw)
		return a
	}
	before := strings.TrimRight(tail[1], ", ")
	a.State, a.ZipCode = strings.ToUpper(tail[2]), zipCode(tail[3])
	if n := len(before) - len(city); city != "" && n >= 0 && strings.EqualFold(before[n:], city) {
		a.Street = clean(strings.TrimRight(before[:n], ", "))
		return a
	}
	if street, town, ok := cutLast(before, "  "); ok {
		a.Street = clean(street)
		if city == "" {
			a.City = clean(town)
		}
		return a
	}
	a.Street = clean(before)
	return a
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
