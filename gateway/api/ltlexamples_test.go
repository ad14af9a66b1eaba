package api

import (
	"time"

	"assay.dev/contracts"
)

// surchargeExamples are those of getFuelSurcharge.
func surchargeExamples() map[string]any {
	current := exampleSurcharge(nil).Body(2)
	overdue := exampleSurcharge(func(a *contracts.SurchargeAnswer) { a.Due, a.DueClean = "2026-09-16", false }).Body(1)
	day, err := exampleDay.Body()
	if err != nil {
		panic(err) // the week is there
	}
	return map[string]any{
		"the week in force on a day": day, "one carrier": current, "the week that is due is not shown yet": overdue,
		"several carriers": contracts.Surcharges{Results: []contracts.Surcharge{current}, Errors: []contracts.CarrierFailure{exampleCarrierFailure}},
	}
}

func carrierExamples() map[string]any {
	return map[string]any{"one of ten": contracts.CarrierListings{Carriers: []contracts.CarrierListing{exampleCarrier}}}
}

func tableExamples() map[string]any {
	return map[string]any{"the table of a tariff": exampleTable.Body()}
}

func dieselExamples() map[string]any { return map[string]any{"two weeks": exampleDiesel.Body()} }

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
	a.Weeks[1].EndDate = "2026-09-08"
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
