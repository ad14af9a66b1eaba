package archive

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

// Row is a line of a file that is imported.
type Row struct {
	Line    int
	Carrier contracts.Carrier
	contracts.SurchargeWeek
}

// The bounds of a file that is imported.
const (
	maxRows     = 20_000
	maxFileSize = 5 << 20
)

// Columns of a file that is imported; the first three are needed.
var columns = []string{"carrier", "effective_date", "fuel_surcharge_pct", "end_date",
	"doe_diesel_price_usd", "truckload_pct"}

const neededColumns = 3

// ReadCSV reads weeks from a CSV file whose first line names the columns: carrier, effective_date, fuel_surcharge_pct,
// and any of end_date, doe_diesel_price_usd and truckload_pct. The error names every bad line by its number. today is
// the last day on which a week may begin.
func ReadCSV(from io.Reader, today contracts.Date) ([]Row, error) {
	r := csv.NewReader(io.LimitReader(from, maxFileSize))
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("the first line cannot be read: %w", err)
	}
	at, err := readHead(head)
	if err != nil {
		return nil, err
	}
	var rows []Row
	var bad []error
	first := map[string]int{}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, errors.Join(bad...)
		}
		if err != nil {
			return nil, err
		}
		if len(rows) == maxRows {
			return nil, fmt.Errorf("the file has more than %d weeks", maxRows)
		}
		line, _ := r.FieldPos(0)
		row, err := readRow(fields, at, today)
		row.Line = line
		week := string(row.Carrier) + " " + string(row.EffectiveDate)
		if other, ok := first[week]; ok && err == nil {
			err = fmt.Errorf("the week stands in line %d too", other)
		}
		if err != nil {
			bad = append(bad, fmt.Errorf("line %d: %w", line, err))
			continue
		}
		first[week] = line
		rows = append(rows, row)
	}
}

// readHead says in which field each column stands.
func readHead(head []string) (map[string]int, error) {
	at := map[string]int{}
	for i, name := range head {
		name = strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))
		if !slices.Contains(columns, name) {
			return nil, fmt.Errorf("the column %q is not known; there are %s", contracts.Printable(name),
				strings.Join(columns, ", "))
		}
		if _, twice := at[name]; twice {
			return nil, fmt.Errorf("the column %s stands there twice", name)
		}
		at[name] = i
	}
	for _, name := range columns[:neededColumns] {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("the column %s is missing", name)
		}
	}
	return at, nil
}

func readRow(fields []string, at map[string]int, today contracts.Date) (row Row, err error) {
	text := func(name string) string {
		if i, ok := at[name]; ok {
			return strings.TrimSpace(fields[i])
		}
		return ""
	}
	if row.Carrier, err = contracts.ParseCarrier(text("carrier")); err != nil {
		return row, errors.New(contracts.AsError(err).Message)
	}
	if row.EffectiveDate, err = contracts.ParseDate(text("effective_date")); err != nil {
		return row, err
	}
	if row.EffectiveDate > today {
		return row, fmt.Errorf("the week begins %s, which is to come", row.EffectiveDate)
	}
	if end := text("end_date"); end != "" {
		if row.EndDate, err = contracts.ParseDate(end); err != nil {
			return row, err
		}
		if days := row.EndDate.DaysSince(row.EffectiveDate); days < 0 || days > 7 {
			return row, fmt.Errorf("end_date %s does not end the week that begins %s", row.EndDate, row.EffectiveDate)
		}
	}
	percent, err := readDecimal(text("fuel_surcharge_pct"), 100)
	switch {
	case err != nil:
		return row, err
	case percent == nil:
		return row, errors.New("fuel_surcharge_pct is missing")
	}
	row.Percent = *percent
	if row.DieselUSD, err = readDecimal(text("doe_diesel_price_usd"), 20); err != nil {
		return row, err
	}
	row.TruckloadPercent, err = readDecimal(text("truckload_pct"), 200)
	return row, err
}

var decimal = regexp.MustCompile(`^\d{1,3}(\.\d{1,3})?$`)

// readDecimal reads a number above 0 and up to most, such as 46.32; nil for no text.
func readDecimal(text string, most float64) (*float64, error) {
	if text == "" {
		return nil, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if !decimal.MatchString(text) || err != nil || n <= 0 || n > most {
		return nil, fmt.Errorf("%q is not a number above 0, at most %v, with at most three decimals",
			contracts.Printable(text), most)
	}
	return &n, nil
}
