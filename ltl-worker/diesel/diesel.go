// Package diesel reads the national weekly price of diesel (U.S. No. 2 on-highway), which the Energy Information
// Administration (EIA) publishes, and keeps every price with the moment at which it was first seen.
//
// FRED, of the Federal Reserve Bank of St. Louis, has the whole series as CSV; the EIA's own feed has the newest
// price alone. Neither needs a key.
package diesel

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Where the prices are.
const (
	SeriesURL = "https://fred.stlouisfed.org/graph/fredgraph.csv?id=GASDESW"
	FeedURL   = "https://www.eia.gov/petroleum/gasdiesel/includes/gas_diesel_rss.xml"
)

// Reading is what a source shows. Its tally counts the rows, and as clean those that were read.
type Reading struct {
	Weeks []Week
	// Rows say where the prices stood, by their Mondays.
	Rows map[string][]scrape.Spot
	contracts.Tally
}

// Week is the price of one Monday, in US dollars a gallon.
type Week struct {
	Monday contracts.Date
	USD    float64
}

// The bounds of a plausible price.
const leastUSD, mostUSD = 0.5, 20.0

// newWeek makes a week of a date and a price. It refuses a price out of bounds and a date that is no Monday.
func newWeek(date contracts.Date, price string) (Week, error) {
	usd, err := strconv.ParseFloat(price, 64)
	switch {
	case err != nil || usd < leastUSD || usd > mostUSD:
		return Week{}, fmt.Errorf("%q is no price of diesel", price)
	case date.Time().Weekday() != time.Monday:
		return Week{}, fmt.Errorf("%s is no Monday", date)
	}
	return Week{date, usd}, nil
}

// ReadSeries reads FRED's CSV, oldest first. A price of "." is one that was not published.
func ReadSeries(doc []byte) (Reading, error) {
	r := csv.NewReader(bytes.NewReader(doc))
	r.FieldsPerRecord = 2
	var rows [][]string
	var ends []int
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Reading{}, fmt.Errorf("the series is no CSV of two columns: %w", err)
		}
		rows, ends = append(rows, row), append(ends, int(r.InputOffset()))
	}
	if len(rows) < 2 || rows[0][0] != "observation_date" || rows[0][1] != "GASDESW" {
		return Reading{}, errors.New("the series has other columns than observation_date and GASDESW, or no rows")
	}
	read := Reading{Rows: map[string][]scrape.Spot{}}
	for i, row := range rows[1:] {
		if row[1] == "." {
			continue
		}
		date, err := contracts.ParseDate(row[0])
		w, priceErr := newWeek(date, row[1])
		isNext := len(read.Weeks) == 0 || read.Weeks[len(read.Weeks)-1].Monday < date
		ok := err == nil && priceErr == nil && isNext
		read.Tally = read.Add(contracts.TallyOf(ok))
		if ok {
			read.Weeks = append(read.Weeks, w)
			read.Rows[row[0]] = []scrape.Spot{{At: ends[i+1], Text: row[0]}, {At: ends[i+1], Text: row[1]}}
		}
	}
	if len(read.Weeks) == 0 {
		return Reading{}, errors.New("the series has no price that can be read")
	}
	return read, nil
}

// What the feed says: its Monday, and below the heading of diesel the national price. Gasoline stands above, with the
// same names of regions.
var (
	feedDate  = regexp.MustCompile(`Data For (\d{2}/\d{2}/\d{2})\b`)
	feedPrice = regexp.MustCompile(`(?m)^\s*(\d{1,2}\.\d{3})\s+\.\.\s+U\.S\.\s*$`)
)

const dieselHeading = "On-Highway Diesel Fuel Retail Price"

// ReadFeed reads the newest price from the EIA's feed.
func ReadFeed(feed string) (Reading, error) {
	text := strings.ReplaceAll(html.UnescapeString(feed), "<br/>", "\n")
	date := feedDate.FindStringSubmatch(text)
	_, below, hasDiesel := strings.Cut(text, dieselHeading)
	prices := feedPrice.FindAllStringSubmatch(below, 2)
	if date == nil || !hasDiesel || len(prices) != 1 {
		return Reading{}, errors.New("the feed does not say the date and one national price of diesel")
	}
	day, err := time.Parse("01/02/06", date[1])
	if err != nil {
		return Reading{}, fmt.Errorf("the feed's date: %w", err)
	}
	w, err := newWeek(contracts.DateOf(day), prices[0][1])
	if err != nil {
		return Reading{}, err
	}
	return Reading{Weeks: []Week{w}, Tally: contracts.TallyOf(true)}, nil
}
