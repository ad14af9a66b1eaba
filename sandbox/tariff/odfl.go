package tariff

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"assay.dev/sandbox/diesel"
)

//go:embed odfl.csv
var odflCSV string

// oldDominion is the carrier's real table. Above it, half a point for each five cents begun: the first step starts at
// its upper end.
func oldDominion() (func(diesel.Price) Band, error) {
	bands, err := readBands(odflCSV)
	if err != nil {
		return nil, fmt.Errorf("bands of ODFL: %w", err)
	}
	top := bands[len(bands)-1]
	above := linear{from: top.To, width: 50, ltl: top.LTL + 50, step: 50}
	return func(p diesel.Price) Band {
		for _, b := range bands {
			if p < b.To {
				return b
			}
		}
		return above.band(p)
	}, nil
}

func readBands(text string) ([]Band, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	bands := make([]Band, 0, len(rows))
	for _, row := range rows[1:] {
		from, fromErr := diesel.ParsePrice(row[0])
		to, toErr := diesel.ParsePrice(row[1])
		pct, pctErr := strconv.ParseFloat(row[2], 64)
		if fromErr != nil || toErr != nil || pctErr != nil {
			return nil, fmt.Errorf("row %v", row)
		}
		ltl := Percent(pct*100 + 0.5)
		bands = append(bands, Band{from, to, ltl, 2 * ltl})
	}
	return bands, nil
}
