package texas

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/opendata"
	"assay.dev/abc-worker/outline"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
)

// openData is the commission's open data set.
type openData struct{ opendata.Dataset }

// dataColumns are the columns that a copy of the open data set holds.
var dataColumns = []string{
	"license_id", "legacy_clp", "license_type", "primary_status", "expiration_date", "trade_name", "owner",
	"address", "city", "state", "zip", "county",
}

// issuedColumn orders the rows of one number, of which the newest counts (data).
const issuedColumn = "original_issue_date"

// furtherStatuses are columns beside the primary status, which speak against it at most (data).
var furtherStatuses = []string{"license_status", "secondary_status"}

// newDataCopy is a copy of the whole data set, for searches.
func newDataCopy(d register.Deps) register.BulkFiles {
	client := soda.Client{Fetcher: d.Fetcher, Token: d.SODAToken}
	table := opendata.Table{
		Name: "TX-licenses", Resource: dataURL, Columns: dataColumns, Added: append(furtherStatuses, issuedColumn),
		Entry: dataEntry,
	}
	return register.BulkFiles{
		Mirror: d.Mirrors.Mirror(mirror.Spec{
			Name: string(contracts.TX), Fetch: client.Fetch, MaxAge: opendata.RenewedEvery,
			Files: []mirror.File{table.File(client)},
			Watch: mirror.Watch{
				Status:          func(status string) (contracts.Status, bool) { return contracts.Status(status), status != "" },
				MissingEditions: 2,
			},
		}),
		Standing: func(status string, _, _ contracts.Date) register.Standing {
			return register.Standing{Status: contracts.Status(status)}
		},
		Today: func() contracts.Date { return d.Today(zone) }, Clock: d.Clock,
	}
}

// dataEntry keeps what the status word means in place of the word.
func dataEntry(text opendata.Texts) mirror.Entry {
	r, understood := dataRecord(text)
	e := opendata.EntryOf(r, understood, string(r.LicenseRecord.Status), text("license_id"))
	issued, _ := register.Date(text(issuedColumn), opendata.DateLayouts...)
	if e.Rank = string(issued); e.Rank == "" && r.LicenseRecord.Status != contracts.Active {
		e.Rank = "~" // it may be the newest
	}
	if former := normalNumber(text("legacy_clp")); former != r.LicenseNumber && !e.Unnumbered {
		e.Former = former
	}
	return e
}

func newOpenData(d register.Deps) openData {
	client := soda.Client{Fetcher: d.Fetcher, Token: d.SODAToken}
	return openData{opendata.SODA(client, dataURL, opendata.Dataset{
		Number: "license_id", Serial: "legacy_clp", DBA: "trade_name", Owner: "owner",
		Address: []string{"address", "city"}, ZIP: "zip",
		Record: func(row soda.Row) (register.Record, bool) { return dataRecord(row.Text) },
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
	return t.Newest(ctx, a, issuedColumn), nil
}

func dataRecord(text opendata.Texts) (register.Record, bool) {
	number := normalNumber(text("license_id"))
	number = cmp.Or(number, normalNumber(text("legacy_clp")))
	status, err := statusOf(text("primary_status"))
	expires, clean := register.Date(text("expiration_date"), opendata.DateLayouts...)
	return register.Record{
		LicenseRecord: contracts.LicenseRecord{
			LicenseNumber: number, LicenseTypeCode: fold.Blanks(text("license_type")),
			DBAName: fold.Blanks(text("trade_name")), OwnerName: fold.Blanks(text("owner")),
			ExpirationDate: expires, Status: status,
			Address: contracts.Address{
				Street: fold.Blanks(text("address")), City: fold.Blanks(text("city")), State: fold.Blanks(text("state")),
				ZipCode: register.ZipCode(text("zip")), County: fold.Blanks(text("county")),
				Raw: register.Joined(text("address"), text("city"), text("state"), text("zip")),
			},
		},
		Unreadable: register.UnreadableUnless(clean, register.Expiration),
	}, number != "" && err == nil && (status != contracts.Active || !deniesActive(text))
}

// deniesActive tells whether a further status says that the license is not in force. That it expired, its date says.
func deniesActive(text opendata.Texts) bool {
	return slices.ContainsFunc(furtherStatuses, func(column string) bool {
		status, _ := statusOf(text(column))
		return status == contracts.Suspended || status == contracts.Revoked ||
			outline.Contradicts(column, text(column), nil)
	})
}
