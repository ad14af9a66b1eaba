package newyork

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

// dataSets are the two data sets. Neither has a column for the status: a license in the active one is ACTIVE, one
// in the inactive one EXPIRED.
type dataSets struct{ active, inactive opendata.Dataset }

// dataSet is t with a reader of its rows, which removes the underscores from the columns' names: both sets are read
// alike.
func dataSet(t opendata.Dataset, status contracts.Status) opendata.Dataset {
	ask := t.Ask
	t.Ask = func(ctx context.Context, where string, limit int) (opendata.Answer, error) {
		a, err := ask(ctx, where, limit)
		for i, row := range a.Rows {
			a.Rows[i] = withoutUnderscores(row)
		}
		return a, err
	}
	t.Record = func(row soda.Row) (register.Tallied, error) { return setRecord(row, status) }
	return t
}

func withoutUnderscores(row soda.Row) soda.Row {
	renamed := make(soda.Row, len(row))
	for name, text := range row {
		renamed[strings.ReplaceAll(name, "_", "")] = text
	}
	return renamed
}

// lookup finds a license by its number, or by its serial number from before 2022. Several licenses may have one
// serial: the newest is in force.
func (n dataSets) lookup(ctx context.Context, number string) (register.LookupReading, error) {
	var reading register.LookupReading
	for _, set := range []opendata.Dataset{n.active, n.inactive} {
		where, column := set.Number+"="+soda.Quote(number), "licensepermitid"
		if isSerial(number) {
			where, column = set.Serial+"="+soda.Quote(number), "legacyserialnumber"
		}
		asked := func(row soda.Row) bool { return normalNumber(row[column]) == number }
		a, err := set.Lookup(ctx, where, asked)
		if err != nil {
			return reading, err
		}
		if reading.EvidenceURL == "" || len(a.Rows) > 0 {
			reading.EvidenceURL, reading.ReadAt = a.URL, a.ReadAt
		}
		if len(a.Rows) > 0 {
			r, err := set.Record(opendata.Newest(a.Rows, "effectivedate"))
			reading.Value, reading.Tally = &r.LicenseRecord, r.Tally
			return reading, err
		}
	}
	reading.Tally = register.NoneFound
	return reading, n.activeSetIsThere(ctx)
}

// activeSetIsThere fails when the data set of active licenses has no rows, as while it is replaced: that a license
// is not in it proves nothing then.
func (n dataSets) activeSetIsThere(ctx context.Context) error {
	a, err := n.active.Ask(ctx, "", 1)
	if err == nil && len(a.Rows) == 0 {
		err = scrape.Failf(scrape.Changed, "the data set of active licenses is empty")
	}
	return err
}

func (n dataSets) search(ctx context.Context, q contracts.Query) (register.SearchReading, error) {
	return opendata.Search(ctx, q, n.active, n.inactive)
}

func setRecord(row soda.Row, status contracts.Status) (register.Tallied, error) {
	number := normalNumber(row["licensepermitid"])
	if number == "" {
		return register.Tallied{}, opendata.ErrNoNumber
	}
	expires, known := register.Date(row["expirationdate"], opendata.DateLayouts...)
	r := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: classCode(row["class"]),
		DBAName: fold.Blanks(row["dba"]), OwnerName: fold.Blanks(row["legalname"]),
		ExpirationDate: expires, Status: status, Suspensions: register.NoSuspensions(),
		Address: contracts.Address{
			Street: fold.Blanks(row["actualaddressofpremises"]), City: fold.Blanks(row["city"]),
			State:   fold.Blanks(row["statename"]),
			ZipCode: register.ZipCode(row["zipcode"]), County: fold.Blanks(row["premisescounty"]),
		},
	}
	return register.Tallied{LicenseRecord: r, Tally: required(r, known)}, nil
}
