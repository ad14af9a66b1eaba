package state

import (
	"context"
	"encoding/json"
	"strconv"

	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// newYorkMapURL is the layer of the authority's map (code): active licenses only, without their dates.
const newYorkMapURL = "https://services8.arcgis.com/kHNnQD79LvY0XnKy/arcgis/rest/services/ActiveLicensesV3/FeatureServer/0/query"

const newYorkMapFields = "PremiseName,PremiseDBA,Description,PremiseAddress1,PremiseCity,PremiseZIP,CountyName,LicenseCla,LicensePermitID"

// newYorkLayer is the map, asked through ArcGIS's query operation (https://developers.arcgis.com/rest/services-reference/).
// Its conditions are those of SODA, but for the escape of '%' and '_', which it takes literally: texts with them are not found.
type newYorkLayer struct {
	dataset
	fetcher *scrape.Fetcher
}

func newYorkMap(f *scrape.Fetcher) newYorkLayer {
	l := newYorkLayer{fetcher: f, dataset: dataset{
		number: "LicensePermitID", dba: "PremiseDBA", owner: "PremiseName", address: []string{"PremiseAddress1", "PremiseCity"},
		record: newYorkMapRecord,
	}}
	l.ask = func(ctx context.Context, where string, limit int) (answer, error) {
		return l.query(ctx, where, "outFields", newYorkMapFields, "orderByFields", l.number, "returnGeometry", "false",
			"resultRecordCount", strconv.Itoa(limit))
	}
	l.count = func(ctx context.Context, where string) (int, error) {
		a, err := l.query(ctx, where, "returnCountOnly", "true")
		if err != nil {
			return 0, err
		}
		if len(a.Rows) != 1 || a.Rows[0]["count"] == "" {
			return 0, scrape.Failf(scrape.Changed, "the answer to a count is no count")
		}
		return strconv.Atoi(a.Rows[0]["count"])
	}
	return l
}

func (l newYorkLayer) query(ctx context.Context, where string, parameters ...string) (answer, error) {
	address := soda.URL(newYorkMapURL, append([]string{"f", "json", "where", where}, parameters...)...)
	page, err := l.fetcher.Fetch(ctx, scrape.Request{URL: address})
	if err != nil {
		return answer{}, err
	}
	rows, more, err := decodeLayer(page.Body)
	return answer{soda.Answer{Rows: rows, URL: address, ReadAt: page.ReadAt}, more}, err
}

// decodeLayer reads an answer of a layer. Errors come with status 200. A count is one row.
func decodeLayer(body []byte) (rows []soda.Row, more bool, err error) {
	var a struct {
		Error    *struct{ Message string } `json:"error"`
		Features *[]struct {
			Attributes soda.Row `json:"attributes"`
		} `json:"features"`
		Exceeded bool         `json:"exceededTransferLimit"`
		Count    *json.Number `json:"count"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, false, scrape.Failf(scrape.Changed, "the answer is not that of a layer")
	}
	switch {
	case a.Error != nil:
		return nil, false, scrape.Failf(scrape.Changed, "the map refuses the query: %q", contracts.Printable(a.Error.Message))
	case a.Features != nil:
		for _, f := range *a.Features {
			rows = append(rows, f.Attributes)
		}
		return rows, a.Exceeded, nil
	case a.Count != nil:
		return []soda.Row{{"count": a.Count.String()}}, false, nil
	}
	return nil, false, scrape.Failf(scrape.Changed, "the answer is not that of a layer")
}

func (l newYorkLayer) lookup(ctx context.Context, number string) (LookupReading, error) {
	if isSerial(number) {
		return LookupReading{}, scrape.Failf(scrape.Unavailable, "the map does not have the serials before 2022")
	}
	a, err := l.dataset.lookup(ctx, l.number+"="+soda.Quote(number), func(row soda.Row) bool { return newYorkNumber(row[l.number]) == number })
	if err == nil && len(a.Rows) == 0 {
		err = scrape.Failf(scrape.Unavailable, "the license is not on the map of active ones, which proves nothing")
	}
	if err != nil {
		return LookupReading{}, err
	}
	r, err := l.record(a.Rows[0])
	return LookupReading{Value: &r.LicenseRecord, Tally: r.Tally, EvidenceURL: a.URL, ReadAt: a.ReadAt}, err
}

func (l newYorkLayer) search(ctx context.Context, q contracts.Query) (SearchReading, error) {
	reading, err := searchTables(ctx, q, l.dataset)
	if err == nil && reading.Value.Total == 0 {
		err = scrape.Failf(scrape.Unavailable, "no license on the map of active ones matches, which proves nothing")
	}
	return reading, err
}

func newYorkMapRecord(row soda.Row) (counted, error) {
	number := newYorkNumber(row["LicensePermitID"])
	if number == "" {
		return counted{}, errNoNumber
	}
	r := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: newYorkClass(row["LicenseCla"]), DBAName: clean(row["PremiseDBA"]),
		OwnerName: clean(row["PremiseName"]), Status: contracts.Active, Suspensions: served(),
		Address: contracts.Address{
			Street: clean(row["PremiseAddress1"]), City: clean(row["PremiseCity"]), State: string(contracts.NY),
			ZipCode: zipCode(row["PremiseZIP"]), County: clean(row["CountyName"]),
		},
	}
	return counted{r, requiredNewYork(r, false)}, nil
}
