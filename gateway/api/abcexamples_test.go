package api

import (
	"assay.dev/contracts"
)

func stateExamples() map[string]any {
	return map[string]any{"one of five": contracts.StateListings{States: []contracts.StateListing{exampleState}}}
}

func searchExamples() map[string]any {
	page, _ := exampleSearch.Body(10, contracts.Position{}, exampleSearch.ReadAt)
	return map[string]any{"one match": page}
}

func licenseExamples() map[string]any {
	return map[string]any{"active": exampleLicense(nil), "revoked": exampleLicense(revoke), "the status is inferred": exampleLicense(inferStatus)}
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
	LicenseNumber: "1A-1143621", LicenseTypeCode: "1A", LicenseTypeName: "Retailer", DBAName: "THE EXAMPLE TAP",
	OwnerName: "EXAMPLE OWNER LLC", ExpirationDate: "2027-06-30", Status: contracts.Active,
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
	body, err := a.Body(a.ReadAt)
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
