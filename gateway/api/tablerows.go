package api

import (
	"encoding/json"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
)

// FuelTableRows is a bracket table as the tool answers with it: rows without names, since agents cut long results off.
type FuelTableRows struct {
	Carrier contracts.Carrier `json:"carrier"`
	Edition contracts.Edition `json:"edition"`
	// Columns names the numbers of each row: at_least_usd, less_than_usd, ltl_pct and truckload_pct.
	Columns       []string                `json:"columns"`
	Rows          [][]*float64            `json:"rows"`
	Extension     *contracts.Extension    `json:"extension"`
	Verifiability contracts.Verifiability `json:"_verifiability"`
}

var bracketColumns = []string{"at_least_usd", "less_than_usd", "ltl_pct", "truckload_pct"}

// shortenTable makes the tool's answer of a bracket table.
func shortenTable(body []byte) ([]byte, error) {
	var t contracts.FuelTable
	if err := json.Unmarshal(body, &t); err != nil {
		return nil, err
	}
	short := FuelTableRows{
		Carrier: t.Carrier, Edition: t.Edition, Columns: bracketColumns, Rows: make([][]*float64, len(t.Rows)),
		Extension: t.Extension, Verifiability: t.Verifiability,
	}
	for i := range t.Rows {
		b := &t.Rows[i]
		short.Rows[i] = []*float64{&b.AtLeastUSD, &b.LessThanUSD, &b.Percent, b.TruckloadPercent}
	}
	return answers.Marshal(short)
}
