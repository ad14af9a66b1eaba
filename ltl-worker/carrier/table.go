package carrier

import (
	_ "embed"
	"encoding/json"

	"assay.dev/contracts"
)

// Table describes a carrier's bracket table: where it is printed, or the rows that we copied from a tariff.
type Table struct {
	// Transcribed are the rows of a table that was copied from a tariff. Without them the table stands on the
	// carrier's first page.
	Transcribed []contracts.Bracket
	// Tariff and Effective name the edition of a transcribed table.
	Tariff    string
	Effective contracts.Date
	// Extension is the carrier's rule beyond the table; nil where none is known.
	Extension *contracts.Extension
}

// odflRows are facts of tariff ODFL 128-CC, 2025-04-09.
//
//go:embed odfl.json
var odflRows []byte

// odflTable is the bracket table of that tariff (code). It reproduces percents that ODFL published from 4.796 to 6.285
// dollars.
var odflTable = Table{
	Transcribed: mustRead(odflRows), Tariff: "ODFL 128-CC", Effective: "2025-04-09",
	Extension: &contracts.Extension{
		Text: "From 5.10 dollars on, half a percent point more for each five cents begun; the first " +
			"step is that of 5.10 itself.",
		Above: &contracts.Step{FromUSD: 5.10, StepUSD: 0.05, StepPercent: 0.5},
	},
}

// abfTable is reissued when the price leaves it (page); no rule extends it.
var abfTable = Table{Extension: &contracts.Extension{Text: "ABF reissues its table when the price " +
	"leaves it. No rule extends it."}}

func mustRead(text []byte) (rows []contracts.Bracket) {
	if err := json.Unmarshal(text, &rows); err != nil {
		panic(err) // the file is part of the program: a test sees it
	}
	return rows
}
