package state

import (
	"context"
	"regexp"
	"strings"
	"time"

	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// The sources.
const (
	texasInquiryURL = "https://apps.tabc.texas.gov/publicinquiry/"     // code, 2021 to 2024
	texasDataURL    = "https://data.texas.gov/resource/7hf9-qc9f.json" // data
)

// texasForm is the inquiry's form. Nothing is known of how it looks today: each line that names a part of the page is a guess,
// and a page that lacks the part fails the path.
var texasForm = inquiryForm{
	form: "form#aspnetForm", image: "img#MainContent_imgCaptcha", message: "span#MainContent_lblMessage", count: "span#MainContent_lblCount",
	record: "table.inquiry-record", violations: "table.violations",

	number: "ctl00$MainContent$txtLicense", tradeName: "ctl00$MainContent$txtTradeName", owner: "ctl00$MainContent$txtOwner",
	address: "ctl00$MainContent$txtAddress", code: "ctl00$MainContent$txtCaptcha", button: "ctl00$MainContent$btnSearch",

	wrongCode:   regexp.MustCompile(`(?i)code .*(does not|did not|doesn't) match|(incorrect|wrong|invalid) (code|captcha)`),
	expiredCode: regexp.MustCompile(`(?i)code (has|is) expired`),
	noRecords:   regexp.MustCompile(`(?i)^no (records?|results?|licenses?|matches) (were |was )?found`),

	caseSensitive: true,
}

// Times of the slow path: a solve takes 5 to 15 seconds, and longer when many wait for a slot. Three of them and the fallback
// stay below the 75 seconds that a request may take.
const (
	texasTimeout       = 62 * time.Second
	texasMirrorTimeout = 10 * time.Second
)

// texasWords are the primary statuses (data). Words that begin with EXPIRED say how.
var texasWords = words{
	"ACTIVE":    contracts.Active,
	"SUSPENDED": contracts.Suspended, "TEMPORARILY SURRENDERED": contracts.Suspended,
	"EXPIRED": contracts.Expired, "SURRENDERED": contracts.Expired,
	"CANCELLED": contracts.Revoked,
}

var texasExpired = regexp.MustCompile(`(?i)^expired\b`)

// texasStatus is the status of a word: a renewal under way changes nothing.
func texasStatus(word string) (contracts.Status, error) {
	word = clean(word)
	if before, suffix, ok := cutLast(word, " - "); ok && strings.EqualFold(suffix, "Renewal Pending") {
		word = before
	}
	if texasExpired.MatchString(word) {
		return contracts.Expired, nil
	}
	return texasWords.status(word)
}

// Texas reads the Alcoholic Beverage Commission: its public inquiry behind an image CAPTCHA, then the open data.
func Texas(d Deps) Recipe {
	data := texas{sodaTable(soda.Client{Fetcher: d.Fetcher, Token: d.SODAToken}, texasDataURL, dataset{
		number: "license_id", serial: "legacy_clp", dba: "trade_name", owner: "owner", address: []string{"address", "city"}, record: texasRecord,
	})}
	page := &texasInquiry{Deps: d, inquiryForm: texasForm, data: data}
	return Recipe{
		Listing: texasListing(),
		Lookup: []LookupPath{
			{Name: "inquiry", Method: contracts.StructuredParse, Timeout: texasTimeout, Read: page.lookup},
			{Name: "soda", Method: contracts.APIMirror, Timeout: texasMirrorTimeout, Read: data.lookup},
		},
		Search: []SearchPath{
			{Name: "inquiry", Method: contracts.StructuredParse, Timeout: texasTimeout, Read: page.search},
			{Name: "soda", Method: contracts.APIMirror, Timeout: texasMirrorTimeout, Read: data.search},
		},
	}
}

func texasListing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.TX, Name: "Texas", Agency: "Alcoholic Beverage Commission", SourceURL: texasInquiryURL,
		Captcha: "image CAPTCHA on every submission, solved by a third-party service", AntiBot: "none",
		SearchFields: []string{"dba_name", "owner_name", "city"}, Lookup: true,
		ExtractionMethod: contracts.StructuredParse, FallbackMethods: []contracts.Method{contracts.APIMirror},
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 12_000, ProvesAbsence: true,
		Limitations: []string{
			"A read that is not cached takes 5 to 15 seconds for each CAPTCHA, of which there may be three.",
			"Without a CAPTCHA solver key the state answers 503 CAPTCHA_SOLVER_NOT_CONFIGURED.",
			"When the inquiry cannot be read, the open data set answers (api_mirror): it has no suspensions, and cannot prove that a license does not exist.",
			"The address parameter matches street or city.",
		},
		LicenseTypes: []contracts.LicenseType{
			{Code: "MB", Name: "Mixed Beverage Permit"}, {Code: "BG", Name: "Wine & Beer Retailer's Permit"},
			{Code: "BQ", Name: "Wine & Beer Retailer's Off-Premise Permit"}, {Code: "BE", Name: "Brewpub License"},
			{Code: "P", Name: "Package Store Permit"}, {Code: "BF", Name: "Beer Retailer's On-Premise License"},
		},
	}
}

// texas is the open data set.
type texas struct{ dataset }

// lookup finds a license by its id, or by its number before 2021.
func (t texas) lookup(ctx context.Context, number string) (LookupReading, error) {
	where, column := t.number+"="+number, t.number
	if strings.Trim(number, "0123456789") != "" {
		where, column = soda.Equal(t.serial, number), t.serial
	}
	a, err := t.dataset.lookup(ctx, where, func(row soda.Row) bool { return texasNumber(row[column]) == number })
	if err == nil && len(a.Rows) == 0 {
		err = scrape.Failf(scrape.Unavailable, "the license is not in the open data, which proves nothing")
	}
	if err != nil {
		return LookupReading{}, err
	}
	r, err := t.record(newest(a.Rows, "original_issue_date"))
	return LookupReading{Value: &r.LicenseRecord, Tally: r.Tally, EvidenceURL: a.URL, ReadAt: a.ReadAt}, err
}

func (t texas) search(ctx context.Context, q contracts.Query) (SearchReading, error) {
	return searchTables(ctx, q, t.dataset)
}

// texasNumber is the normal form of a number; empty when it has none.
func texasNumber(s string) string {
	normal, err := contracts.NormalLicenseNumber(contracts.TX, s)
	if err != nil {
		return ""
	}
	return normal
}

func texasRecord(row soda.Row) (counted, error) {
	number := texasNumber(row["license_id"])
	if number == "" {
		number = texasNumber(row["legacy_clp"])
	}
	if number == "" {
		return counted{}, errNoNumber
	}
	status, err := texasStatus(row["primary_status"])
	if err != nil {
		return counted{}, err
	}
	expires, known := printed(row["expiration_date"], sodaDates...)
	r := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: clean(row["license_type"]), DBAName: clean(row["trade_name"]), OwnerName: clean(row["owner"]),
		ExpirationDate: expires, Status: status, Suspensions: served(),
		Address: contracts.Address{
			Street: clean(row["address"]), City: clean(row["city"]), State: clean(row["state"]), ZipCode: zipCode(row["zip"]), County: clean(row["county"]),
		},
	}
	return counted{r, requiredTexas(r, known)}, nil
}

// requiredTexas counts the fields that every path to Texas must give; the status is one of them.
func requiredTexas(r contracts.LicenseRecord, dateClean bool) contracts.Tally {
	a := r.Address
	return tally(true, r.LicenseNumber != "", r.LicenseTypeCode != "", r.OwnerName != "", dateClean && r.ExpirationDate != "", a.Street != "", a.City != "")
}
