package texas

import (
	"context"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/opendata"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// openData is the commission's open data set.
type openData struct{ opendata.Dataset }

func newOpenData(d register.Deps) openData {
	client := soda.Client{Fetcher: d.Fetcher, Token: d.SODAToken}
	return openData{opendata.SODA(client, dataURL, opendata.Dataset{
		Number: "license_id", Serial: "legacy_clp", DBA: "trade_name", Owner: "owner",
		Address: []string{"address", "city"}, Record: dataRecord,
	})}
}

// lookup finds a license by its id, such as 100001159, or by its number before 2021, such as BG571927.
func (t openData) lookup(ctx context.Context, number string) (register.LookupReading, error) {
	where, column := t.Number+"="+number, t.Number
	if strings.Trim(number, "0123456789") != "" {
		where, column = soda.Equal(t.Serial, number), t.Serial
	}
	asked := func(row soda.Row) bool { return normalNumber(row[column]) == number }
	a, err := t.Lookup(ctx, where, asked)
	if err == nil && len(a.Rows) == 0 {
		err = scrape.Failf(scrape.Unavailable, "the license is not in the open data, which proves nothing")
	}
	if err != nil {
		return register.LookupReading{}, err
	}
	r, err := t.Record(opendata.Newest(a.Rows, "original_issue_date"))
	return register.LookupReading{Value: &r.LicenseRecord, Tally: r.Tally, EvidenceURL: a.URL, ReadAt: a.ReadAt}, err
}

func (t openData) search(ctx context.Context, q contracts.Query) (register.SearchReading, error) {
	return opendata.Search(ctx, q, t.Dataset)
}

func dataRecord(row soda.Row) (register.Tallied, error) {
	number := normalNumber(row["license_id"])
	if number == "" {
		number = normalNumber(row["legacy_clp"])
	}
	if number == "" {
		return register.Tallied{}, opendata.ErrNoNumber
	}
	status, err := statusOf(row["primary_status"])
	if err != nil {
		return register.Tallied{}, err
	}
	expires, known := register.Date(row["expiration_date"], opendata.DateLayouts...)
	r := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: fold.Blanks(row["license_type"]),
		DBAName: fold.Blanks(row["trade_name"]), OwnerName: fold.Blanks(row["owner"]),
		ExpirationDate: expires, Status: status, Suspensions: register.NoSuspensions(),
		Address: contracts.Address{
			Street: fold.Blanks(row["address"]), City: fold.Blanks(row["city"]), State: fold.Blanks(row["state"]),
			ZipCode: register.ZipCode(row["zip"]), County: fold.Blanks(row["county"]),
		},
	}
	return register.Tallied{LicenseRecord: r, Tally: required(r, known)}, nil
}
