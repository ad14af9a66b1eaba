package openapi

import (
	"errors"
	"fmt"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
	"assay.dev/gateway/spreadsheet"
)

// examplesOf are the example bodies of an endpoint's 200 by their names, which say what was asked. They are made as
// answers are, of invented data.
func examplesOf(e *api.Endpoint) map[string]any {
	switch e.ID {
	case "getHealth":
		return map[string]any{"healthy": object{"status": "ok"}}
	case "getOpenAPI":
		return map[string]any{"the head": object{"openapi": "3.1.0"}}
	case "listCarriers":
		return map[string]any{"one of ten": contracts.CarrierListings{Carriers: []contracts.CarrierListing{exampleCarrier}}}
	case "getFuelSurcharge":
		one := exampleSurcharge(nil).Body(2)
		overdue := exampleSurcharge(func(a *contracts.SurchargeAnswer) { a.Due, a.DueClean = "2026-09-16", false }).Body(1)
		day, err := exampleDay.Body()
		if err != nil {
			panic(err) // the week is there
		}
		return map[string]any{
			"the week in force on a day": day, "one carrier": one, "the week that is due is not shown yet": overdue,
			"several carriers": contracts.Surcharges{Results: []contracts.Surcharge{one}, Errors: []contracts.CarrierFailure{exampleCarrierFailure}},
		}
	case "auditFuelSurcharges":
		return exampleAudits()
	case "getFuelTable":
		return map[string]any{"the table of a tariff": exampleTable.Body()}
	case "getDieselPrices":
		return map[string]any{"two weeks": exampleDiesel.Body()}
	case "listStates":
		return map[string]any{"one of five": contracts.StateListings{States: []contracts.StateListing{exampleState}}}
	case "searchLicenses":
		page, _ := exampleSearch.Body(10, contracts.Position{})
		return map[string]any{"one match": page}
	case "getLicense":
		return map[string]any{"active": exampleLicense(nil), "revoked": exampleLicense(revoke), "the status is inferred": exampleLicense(inferStatus)}
	}
	return nil
}

// csvExamples are JSON examples as CSV.
func csvExamples(t *spreadsheet.Table, examples map[string]any) map[string]any {
	all := map[string]any{}
	for name, value := range examples {
		body, err1 := answers.Marshal(value)
		text, err2 := t.CSV(body)
		if err := errors.Join(err1, err2); err != nil {
			panic(fmt.Sprintf("openapi: %v", err)) // the examples are ours: a test sees it
		}
		all[name] = string(text)
	}
	return all
}

const exampleHash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

func exampleProvenance(m contracts.Method, evidence string) contracts.Provenance {
	return contracts.Provenance{
		Schema: contracts.AnswerSchema, ReadAt: time.Date(2026, 9, 18, 14, 2, 11, 0, time.UTC), Method: m, EvidenceURL: evidence, Complete: true,
		Evidence: []contracts.Evidence{{SHA256: exampleHash, URL: evidence, Role: contracts.RoleValues, At: "1041"}},
	}
}

func exampleSurcharge(edit func(*contracts.SurchargeAnswer)) contracts.SurchargeAnswer {
	a := contracts.SurchargeAnswer{
		Provenance: exampleProvenance(contracts.APIMirror, "https://www.odfl.com/us/en/resources/fuel-surcharge.html"),
		Carrier:    contracts.ODFL, Due: "2026-09-09", DueClean: true, PrintsDiesel: true,
	}
	for date, percent := contracts.Date("2026-09-09"), 46.32; len(a.Weeks) < 2; date, percent = date.AddDays(-7), 46.18 {
		diesel := 5.599
		a.Weeks = append(a.Weeks, contracts.ObservedWeek{
			SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: date, Percent: percent, DieselUSD: &diesel}, Tally: contracts.TallyOf(true, true),
		})
	}
	if edit != nil {
		edit(&a)
	}
	return a
}

// exampleDay answers as_of=2026-09-11.
var exampleDay = func() contracts.HistoryAnswer {
	a := contracts.HistoryAnswer{SurchargeAnswer: exampleSurcharge(nil), From: "2026-09-11", To: "2026-09-11"}
	seen := time.Date(2026, 9, 8, 14, 5, 31, 0, time.UTC)
	a.Weeks = a.Weeks[:1]
	w := &a.Weeks[0]
	w.EndDate, w.Until, w.FirstSeen = "2026-09-15", "2026-09-15", &seen
	a.Notes = []contracts.Note{{Code: contracts.NoteFromArchive,
		Message: "This comes from our archive. The week that begins 2026-09-09 was last seen on 2026-11-17 at " + a.EvidenceURL + "."}}
	return a
}()

var exampleTable = contracts.FuelTableAnswer{
	Provenance: exampleProvenance(contracts.APIMirror, "https://www.odfl.com/us/en/resources/fuel-surcharge.html"),
	Tally:      contracts.TallyOf(true), Carrier: contracts.ODFL,
	Edition: contracts.Edition{Tariff: new("ODFL 128-CC"), EffectiveDate: "2025-04-09"},
	Rows:    []contracts.Bracket{{AtLeastUSD: 5, LessThanUSD: 5.05, Percent: 40.82}, {AtLeastUSD: 5.05, LessThanUSD: 5.1, Percent: 41.32}},
	Extension: &contracts.Extension{
		Text: "From 5.10 dollars on, half a percent point more for each five cents begun.", Above: &contracts.Step{FromUSD: 5.1, StepUSD: 0.05, StepPercent: 0.5},
	},
}

var exampleDiesel = contracts.DieselAnswer{
	Provenance: exampleProvenance(contracts.APIMirror, "https://fred.stlouisfed.org/graph/fredgraph.csv?id=GASDESW"),
	Tally:      contracts.TallyOf(true),
	Weeks: []contracts.DieselWeek{
		{Date: "2026-09-14", USD: 6.285, FirstSeen: new(time.Date(2026, 9, 15, 14, 5, 0, 0, time.UTC))},
		{Date: "2026-09-07", USD: 5.967, FirstSeen: new(time.Date(2026, 9, 8, 14, 4, 0, 0, time.UTC))},
	},
}

var exampleCarrierFailure = contracts.CarrierFailure{
	Carrier: contracts.RLC, Error: contracts.SourceUnavailable, Message: "RLC could not be read just now; retry later",
}

var exampleCarrier = contracts.CarrierListing{
	Code: contracts.ODFL, SCAC: "ODFL", Name: "Old Dominion Freight Line", Headquarters: "Thomasville, NC", Coverage: "United States",
	PublicationDay: "Tuesday", PublishesDieselPrice: true, HistoryWeeks: 26, ExtractionMethod: contracts.APIMirror,
	FallbackMethods: []contracts.Method{contracts.StructuredParse}, SourceURL: "https://www.odfl.com/us/en/resources/fuel-surcharge.html",
	CacheTTLSeconds: int(contracts.SurchargeTTL.Seconds()), FuelRule: contracts.FuelRule{
		WeekStart: new("Wednesday"), TariffItem: new("ODFL 128-CC"), SourceURL: new("https://www.odfl.com/us/en/resources/fuel-surcharge.html"),
	},
}

var exampleState = contracts.StateListing{
	State: contracts.IL, Name: "Illinois", Agency: "Illinois Liquor Control Commission", SourceURL: "https://ilcc.illinois.gov/",
	Captcha: "none", AntiBot: "a browser is needed", SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
	ExtractionMethod: contracts.ScraperAPI, FallbackMethods: []contracts.Method{contracts.APIMirror},
	CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 20_000, ProvesAbsence: true,
	Paths: []contracts.PathListing{{
		Operation: "lookup", Path: "mirror", Method: contracts.APIMirror, NotReported: contracts.Members{"suspensions"},
		Inferred: contracts.Members{"status"}, ProvesAbsence: true,
	}},
	Limitations: []string{"No suspensions are published."}, LicenseTypes: []contracts.LicenseType{{Code: "1A", Name: "Retailer"}},
}

var exampleRecord = contracts.LicenseRecord{
	LicenseNumber: "1A-1143621", LicenseTypeCode: "1A", DBAName: "THE EXAMPLE TAP", OwnerName: "EXAMPLE OWNER LLC",
	ExpirationDate: "2027-06-30", Status: contracts.Active,
	Address:     contracts.Address{Street: "1 MAIN ST", City: "CHICAGO", State: "IL", ZipCode: "60601", Raw: "1 MAIN ST CHICAGO IL 60601"},
	Suspensions: []contracts.Suspension{}, NotReported: contracts.Members{"suspensions"},
}

var exampleNotes = []contracts.Note{{Code: contracts.NoteSuspensionsNotReported, Message: "IL publishes no suspensions: an empty list does not mean that there are none."}}

func exampleLicense(edit func(*contracts.LicenseAnswer)) contracts.License {
	record := exampleRecord
	a := contracts.LicenseAnswer{
		Provenance: exampleProvenance(contracts.ScraperAPI, "https://ilcc.illinois.gov/"), Tally: contracts.Tally{Clean: 8, Required: 8},
		State: contracts.IL, Number: record.LicenseNumber, Record: &record,
	}
	a.Notes = exampleNotes
	if edit != nil {
		edit(&a)
	}
	body, err := a.Body()
	if err != nil {
		panic(err) // the record is there
	}
	return body
}

// revoke makes the answer one about a license that is not good, with a number that the sandbox has too.
func revoke(a *contracts.LicenseAnswer) {
	a.Number, a.Record.LicenseNumber, a.Record.LicenseTypeCode = "2-1100003", "2-1100003", "2"
	a.Record.Status = contracts.Revoked
}

// inferStatus makes the answer one of IL's daily export.
func inferStatus(a *contracts.LicenseAnswer) {
	a.Method, a.Clean, a.Record.Inferred = contracts.APIMirror, 7, contracts.Members{"status"}
	a.Notes = append([]contracts.Note{{
		Code: contracts.NoteStatusInferred, Message: "The export has no status; ACTIVE follows from the expiration date. The license may be suspended or revoked.",
	}}, exampleNotes...)
}

var exampleSearch = contracts.SearchAnswer{
	Provenance: exampleProvenance(contracts.ScraperAPI, "https://ilcc.illinois.gov/"), Tally: contracts.Tally{Clean: 9, Required: 9},
	State: contracts.IL, Query: contracts.Query{DBAName: "example tap"}, Total: 1, Whole: true,
	Results: []contracts.LicenseRecord{exampleRecord}, NotReported: contracts.Members{"suspensions"},
}

// exampleFailures are what each failure of [api.Failure] says, by its name.
var exampleFailures = map[string]*contracts.Error{
	api.NotFound.Name: contracts.Errorf(contracts.NotFound, "CA has no license %q", "999999"),
	api.NoWeek.Name: contracts.Errorf(contracts.WeekNotArchived,
		"no week of ODFL is archived for 2025-03-17; the nearest weeks begin 2025-02-12 and 2025-03-26"),
	api.NotAcceptable.Name: contracts.Errorf(contracts.NotAcceptable,
		"the answer has the form of the body, text/csv, which Accept does not allow"),
	api.UnsupportedMediaType.Name: contracts.Errorf(contracts.UnsupportedMediaType,
		"say in Content-Type what the body is: application/json, application/x-ndjson, text/csv, in UTF-8"),
	api.ComingSoon.Name:        contracts.Errorf(contracts.ComingSoon, "accessorial fee schedules are not available yet"),
	api.Unauthorized.Name:      contracts.Errorf(contracts.Unauthorized, "send a valid API key in the X-API-Key header"),
	api.ProductNotEnabled.Name: contracts.Errorf(contracts.ProductNotEnabled, "this key is not subscribed to the abc product"),
	api.Invalid.Name:           contracts.Invalid("query", "weeks", "less_than_equal", "at most 26 weeks"),
	api.RateLimited.Name:       contracts.Errorf(contracts.RateLimited, "the limit of 60 requests a minute is used up; retry in 7 seconds"),
	api.Unavailable.Name: contracts.Errorf(contracts.SourceUnavailable,
		"the export of 20 Nov 2026 does not list it; the register itself could not be read; retry later"),
	api.NoCarrierAvailable.Name: contracts.Errorf(contracts.SourceUnavailable, "none of the 2 carriers could be read; retry later"),
	api.InternalFailure.Name:    contracts.Errorf(contracts.Internal, "unexpected"),
	api.EvidenceNotFound.Name:   contracts.Errorf(contracts.NotFound, "no document with this sha256 is kept at this place; take both from one entry of evidence"),
	api.NoLongerKept.Name:       contracts.Errorf(contracts.Gone, "this document is no longer kept: documents are kept for a limited time"),
	api.BodyTooLarge.Name:       contracts.Errorf(contracts.RequestTooLarge, "the body is too large"),
	api.URLTooLong.Name:         contracts.Errorf(contracts.RequestTooLarge, "the URL is too long"),
	api.HeadersTooLarge.Name:    contracts.Errorf(contracts.RequestTooLarge, "the headers are too large"),
}

// exampleDocuments are the bodies of endpoints that answer with a document, by their operations.
var exampleDocuments = map[string]string{
	"getEvidence":  `{"data":[{"date":"09/09/2026","ltl":46.32}]}`,
	"viewEvidence": "<!doctype html>\n<title>Evidence</title>\n<pre>09/09/2026 <mark>46.32</mark></pre>\n",
}

// exampleOf is the example body of a failure; nil when there is none.
func exampleOf(f *api.Failure) any {
	err, ok := exampleFailures[f.Name]
	if !ok {
		return nil
	}
	return api.ErrorBody(err, api.PublicError(err))
}

// Example is the body that the document shows for a 200 of an operation under a name, such as "one carrier" of
// "getFuelSurcharge"; nil for one that it does not have.
func Example(operation, name string) any {
	for _, e := range api.Endpoints {
		if e.ID == operation {
			return examplesOf(e)[name]
		}
	}
	return nil
}
