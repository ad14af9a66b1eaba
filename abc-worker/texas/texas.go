// Package texas reads the liquor licenses of the Texas Alcoholic Beverage Commission (TABC): its public inquiry, a
// form behind an image CAPTCHA, then its open data.
//
// A remark in brackets says how a fact is known: data is the open data set itself, code is other people's code, and
// guess is a guess.
package texas

import (
	"regexp"
	"time"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
)

// The sources.
const (
	inquiryHost, dataHost = "apps.tabc.texas.gov", "data.texas.gov"

	inquiryURL = "https://" + inquiryHost + "/publicinquiry/"       // code, 2021 to 2024
	dataURL    = "https://" + dataHost + "/resource/7hf9-qc9f.json" // data
)

// tabcForm is the inquiry's form. How it looks today is not known: each part of the page that is named here is a
// guess. A page that lacks one of them fails the path; it is never read as "no license".
var tabcForm = inquiryForm{
	form: "form#aspnetForm", image: "img#MainContent_imgCaptcha",
	message: "span#MainContent_lblMessage", count: "span#MainContent_lblCount",
	record: "table.inquiry-record", violations: "table.violations",

	number: "ctl00$MainContent$txtLicense", tradeName: "ctl00$MainContent$txtTradeName",
	owner: "ctl00$MainContent$txtOwner", address: "ctl00$MainContent$txtAddress",
	code: "ctl00$MainContent$txtCaptcha", button: "ctl00$MainContent$btnSearch",

	wrongCode: regexp.MustCompile(
		`(?i)code .*(does not|did not|doesn't) match|(incorrect|wrong|invalid) (code|captcha)`),
	expiredCode: regexp.MustCompile(`(?i)code (has|is) expired`),
	noRecords:   regexp.MustCompile(`(?i)^no (records?|results?|licenses?|matches) (were |was )?found\b[^.]*\.?$`),

	caseSensitive: true,
}

// What the paths may take. A CAPTCHA solve takes 5 to 15 seconds, and longer when many wait for a slot. Three
// solves and the open data after them stay below the 75 seconds that a request may take.
const (
	inquiryTimeout = 62 * time.Second
	dataTimeout    = 10 * time.Second
)

// statusWords are the primary statuses (data), other than those that begin with EXPIRED.
var statusWords = register.StatusWords{
	"ACTIVE":    contracts.Active,
	"SUSPENDED": contracts.Suspended, "TEMPORARILY SURRENDERED": contracts.Suspended,
	"EXPIRED": contracts.Expired, "SURRENDERED": contracts.Expired,
	"CANCELLED": contracts.Revoked,
}

// expiredHow matches "Expired" and the words that say how a license expired, such as "Expired - Not Renewed". It does
// not match two statuses.
var expiredHow = regexp.MustCompile(`(?i)^expired\b[^/]*$`)

// renewalPending ends the word of a license whose renewal is under way, as in "Active - Renewal Pending".
var renewalPending = regexp.MustCompile(`(?i)^(.*) - renewal pending$`)

// statusOf is what a status word means. A renewal under way changes nothing: the license is what the word before it
// says.
func statusOf(word string) (contracts.Status, error) {
	word = fold.Blanks(word)
	if m := renewalPending.FindStringSubmatch(word); m != nil {
		word = m[1]
	}
	if expiredHow.MatchString(word) {
		return contracts.Expired, nil
	}
	return statusWords.Status(word)
}

// zone is where the commission's days begin.
var zone = contracts.TX.Zone()

// notTheRegister is what the open data misses.
const notTheRegister = "The open data set is a copy of the register that may lack licenses."

// Recipe is Texas: the inquiry first, then the open data. The inquiry shows suspensions and proves absence; the
// open data does neither. Searches that the inquiry cannot answer are answered from a copy of the open data.
func Recipe(d register.Deps) register.Recipe {
	data, whole := newOpenData(d), newDataCopy(d)
	page := &inquiry{Deps: d, inquiryForm: tabcForm, data: data, whole: whole}
	byInquiry := register.Path{
		Name: "inquiry", Method: contracts.StructuredParse, Timeout: inquiryTimeout, Noun: "the public inquiry", Form: true,
		Schedule: register.BusinessDays,
	}
	byData := register.Path{
		Name: "soda", Method: contracts.APIMirror, Timeout: dataTimeout, Noun: "the open data set",
		NotReported: contracts.Members{register.Suspensions}, Misses: notTheRegister,
		Schedule: register.Daily, Read: data.read,
	}
	byNumber, byName := byInquiry, byInquiry
	byNumber.Read, byName.Read = page.lookup, page.search
	return register.Recipe{
		Listing: listing(), Zone: zone, Clock: d.Clock, Paid: true, Bulk: whole, Lists: []register.HoldList{newHolds(d)},
		LookupHosts: []string{inquiryHost, dataHost},
		Required: map[register.Operation]contracts.Members{
			register.Lookup: register.Common.With(register.Suspensions), register.Search: register.Common,
		},
		Lookup: []register.Path{byNumber, byData},
		Search: []register.Path{byName, whole.Path(byData), byData},
	}
}

func listing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.TX, Name: "Texas", Agency: "Alcoholic Beverage Commission", SourceURL: inquiryURL,
		Captcha: "image CAPTCHA on every submission, solved by a third-party service", AntiBot: "none",
		SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 12_000,
		Limitations: []string{
			"A read that is not cached takes 5 to 15 seconds for each CAPTCHA, of which there may be three.",
			"Without a CAPTCHA solver key lookups, and searches that the inquiry is asked, answer 503 " +
				"CAPTCHA_SOLVER_NOT_CONFIGURED.",
			"A search that spellings with accents match is answered from a copy of the open data set, because the " +
				"inquiry may tell accents apart.",
			"The inquiry may show only the first of many matches; the answer then says so.",
		},
		LicenseTypes: []contracts.LicenseType{
			{Code: "MB", Name: "Mixed Beverage Permit"}, {Code: "BG", Name: "Wine & Beer Retailer's Permit"},
			{Code: "BQ", Name: "Wine & Beer Retailer's Off-Premise Permit"}, {Code: "BE", Name: "Brewpub License"},
			{Code: "P", Name: "Package Store Permit"}, {Code: "BF", Name: "Beer Retailer's On-Premise License"},
		},
	}
}

// normalNumber is the normal form of a license number, such as "100001159" for "100001159.0". It is empty when s is
// no number.
func normalNumber(s string) string {
	normal, err := contracts.NormalLicenseNumber(contracts.TX, s)
	if err != nil {
		return ""
	}
	return normal
}
