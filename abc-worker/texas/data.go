package texas

import (
	"context"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/opendata"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
)

// openData is the commission's open data set.
type openData struct{ opendata.Dataset }

func newOpenData(d register.Deps) openData {
	client := soda.Client{Fetcher: d.Fetcher, Token: d.SODAToken}
	return openData{opendata.SODA(client, dataURL, opendata.Dataset{
		Number: "license_id", Serial: "legacy_clp", DBA: "trade_name", Owner: "owner",
		Address: []string{"address", "city"}, Record: dataRecord,
		Count: opendata.CountByStatus(client, dataURL, "primary_status", func(word string) bool {
			_, err := statusOf(word)
			return err == nil
		}),
		After: func(number string) string { return "license_id>" + number }, // nine digits
	})}
}

// read finds a license by its id, such as 100001159, or by its number before 2021, such as BG571927; or it searches.
func (t openData) read(ctx context.Context, q register.Question) (register.Reading, error) {
	if q.Number == "" {
		return opendata.Search(ctx, q, t.Dataset)
	}
	where, column := t.Number+"="+q.Number, t.Number
	if strings.Trim(q.Number, "0123456789") != "" {
		where, column = soda.Equal(t.Serial, q.Number), t.Serial
	}
	asked := func(row soda.Row) bool { return normalNumber(row[column]) == q.Number }
	a, err := t.Lookup(ctx, where, asked)
	if err != nil {
		return register.Reading{}, err
	}
	if len(a.Rows) == 0 {
		return t.None(ctx, a), nil
	}
	return t.One(ctx, a, opendata.Newest(a.Rows, "original_issue_date")), nil
}

func dataRecord(row soda.Row) (register.Record, bool) {
	number := normalNumber(row["license_id"])
	if number == "" {
		number = normalNumber(row["legacy_clp"])
	}
	status, err := statusOf(row["primary_status"])
	expires, clean := register.Date(row["expiration_date"], opendata.DateLayouts...)
	return register.Record{
		LicenseRecord: contracts.LicenseRecord{
			LicenseNumber: number, LicenseTypeCode: fold.Blanks(row["license_type"]),
			DBAName: fold.Blanks(row["trade_name"]), OwnerName: fold.Blanks(row["owner"]),
			ExpirationDate: expires, Status: status,
			Address: contracts.Address{
				Street: fold.Blanks(row["address"]), City: fold.Blanks(row["city"]), State: fold.Blanks(row["state"]),
				ZipCode: register.ZipCode(row["zip"]), County: fold.Blanks(row["county"]),
				Raw: register.Joined(row["address"], row["city"], row["state"], row["zip"]),
			},
		},
		Unreadable: register.Unless(clean, register.Expiration),
	}, number != "" && err == nil
}
