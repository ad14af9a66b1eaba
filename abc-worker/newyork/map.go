package newyork

import (
	"context"
	"encoding/json"
	"strconv"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/opendata"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// mapURL is the layer of the authority's map (code). It holds active licenses only, without expiration dates.
const mapURL = "https://services8.arcgis.com/kHNnQD79LvY0XnKy/arcgis/rest/services/" +
	"ActiveLicensesV3/FeatureServer/0/query"

const mapFields = "PremiseName,PremiseDBA,Description,PremiseAddress1,PremiseCity,PremiseZIP,CountyName," +
	"LicenseCla,LicensePermitID"

// mapLayer is the map, asked by ArcGIS's query operation (https://developers.arcgis.com/rest/services-reference/).
// It takes the conditions of SODA. Only the escapes of '%' and '_' mean nothing to it: texts with these signs are
// not found.
type mapLayer struct {
	opendata.Dataset
	fetcher *scrape.Fetcher
}

func newMapLayer(f *scrape.Fetcher) mapLayer {
	l := mapLayer{fetcher: f, Dataset: opendata.Dataset{
		Number: "LicensePermitID", DBA: "PremiseDBA", Owner: "PremiseName",
		Address: []string{"PremiseAddress1", "PremiseCity"}, ZIP: "PremiseZIP", Record: mapRecord,
	}}
	l.After = func(number string) string { return l.Number + ">" + soda.Quote(number) }
	l.Ask = func(ctx context.Context, where string, limit int) (opendata.Answer, error) {
		return l.query(ctx, where, "outFields", mapFields, "orderByFields", l.Number, "returnGeometry", "false",
			"resultRecordCount", strconv.Itoa(limit))
	}
	l.Count = func(ctx context.Context, where string) (n opendata.Count, err error) {
		a, err := l.query(ctx, where, "returnCountOnly", "true")
		if err != nil {
			return n, err
		}
		if len(a.Rows) != 1 || a.Rows[0]["count"] == "" {
			return n, scrape.Failf(scrape.Changed, "the answer to a count is no count")
		}
		n.Clear, err = strconv.Atoi(a.Rows[0]["count"])
		return n, err
	}
	return l
}

// query sends a query with further parameters, given as names and values.
func (l mapLayer) query(ctx context.Context, where string, parameters ...string) (opendata.Answer, error) {
	address := soda.URL(mapURL, append([]string{"f", "json", "where", where}, parameters...)...)
	page, err := l.fetcher.Fetch(ctx, scrape.Request{URL: address})
	if err != nil {
		return opendata.Answer{}, err
	}
	rows, more, err := decodeLayer(page.Body)
	return opendata.Answer{Answer: soda.Answer{Rows: rows, URL: address, ReadAt: page.ReadAt}, Full: more}, err
}

// decodeLayer reads an answer. A count becomes one row with the column "count". An error of the layer, which comes
// with status 200, is a failure.
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

func (l mapLayer) read(ctx context.Context, q register.Question) (register.Reading, error) {
	if q.Number == "" {
		return opendata.Search(ctx, q, l.Dataset)
	}
	asked := func(row soda.Row) bool { return normalNumber(row[l.Number]) == q.Number }
	a, err := l.Lookup(ctx, l.Number+"="+soda.Quote(q.Number), asked)
	if err != nil {
		return register.Reading{}, err
	}
	if len(a.Rows) == 0 {
		return l.None(ctx, a), nil
	}
	return l.Newest(ctx, a, ""), nil
}

func mapRecord(row soda.Row) (register.Record, bool) {
	number := validNumber(row["LicensePermitID"])
	return register.Record{LicenseRecord: contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: classCode(row["LicenseCla"]),
		LicenseTypeName: fold.Blanks(row["Description"]),
		DBAName:         fold.Blanks(row["PremiseDBA"]), OwnerName: fold.Blanks(row["PremiseName"]),
		Status: contracts.Active,
		Address: contracts.Address{
			Street: fold.Blanks(row["PremiseAddress1"]), City: fold.Blanks(row["PremiseCity"]),
			State:   string(contracts.NY),
			ZipCode: register.ZipCode(row["PremiseZIP"]), County: fold.Blanks(row["CountyName"]),
			Raw: register.Joined(row["PremiseAddress1"], row["PremiseCity"], row["PremiseZIP"]),
		},
	}}, number != "" && !contradicts(row)
}
