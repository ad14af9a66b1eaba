package newyork

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/opendata"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// dataSets are the two data sets. Neither has a column for the status: a license in the active one is ACTIVE, one
// in the inactive one EXPIRED.
type dataSets struct {
	active, inactive opendata.Dataset
	// whole is the copy of both.
	whole register.BulkFiles
}

// inactiveMeans is what the status of a license in the inactive set follows from.
const inactiveMeans = "The license stands in the data set of inactive ones, which does not tell expired licenses from " +
	"surrendered and revoked ones: it may have been revoked."

// dataSet is t with a reader of its rows, which removes the underscores from the columns' names: both sets are read
// alike.
func dataSet(t opendata.Dataset, standing register.Standing) opendata.Dataset {
	ask := t.Ask
	t.Ask = func(ctx context.Context, where string, limit int) (opendata.Answer, error) {
		a, err := ask(ctx, where, limit)
		for i, row := range a.Rows {
			a.Rows[i] = withoutUnderscores(row)
		}
		return a, err
	}
	t.After = func(number string) string { return t.Number + ">" + soda.Quote(number) }
	t.Record = func(row soda.Row) (register.Record, bool) {
		r, understood := setRecord(row.Text, standing)
		return r, understood && (r.Status != contracts.Active || !contradicts(row))
	}
	return t
}

// contradicts tells whether a row of active licenses has a status that is another one. No such column is known: where
// one appears, the set alone does not say what the license is.
func contradicts(row soda.Row) bool {
	for column, text := range row {
		if strings.Contains(strings.ToLower(column), "status") && text != "" &&
			!strings.EqualFold(fold.Blanks(text), string(contracts.Active)) {
			return true
		}
	}
	return false
}

// setColumns are the columns of a data set that are read, without underscores. Of the inactive set it is not known
// whether it has those in setOptional.
var (
	setColumns = []string{
		"licensepermitid", "premisescounty", "class", "legalname", "dba", "actualaddressofpremises", "city", "zipcode",
		"expirationdate",
	}
	setOptional = []string{"statename", "additionaladdressinformation", "description"}
	// setSerials is not in editions that were kept before it was asked for.
	setSerials = []string{"legacyserialnumber"}
)

// The words by which the copy of the two sets tells where a license stands.
const (
	inActiveSet   = "active"
	inInactiveSet = "inactive"
)

var standings = map[string]register.Standing{
	inActiveSet:   {Status: contracts.Active},
	inInactiveSet: {Status: contracts.Expired, Because: inactiveMeans},
}

// copyOf is a data set as a file for the mirror.
func copyOf(name, resource, set string) opendata.Table {
	t := opendata.Table{
		Name: name, Resource: resource, Columns: slices.Concat(setColumns, setOptional),
		Entry: func(text opendata.Texts) mirror.Entry {
			r, understood := setRecord(text, register.Standing{})
			e := opendata.EntryOf(r, understood, set, text("licensepermitid"))
			e.Rank = string(r.ExpirationDate)
			if serial := validNumber(text("legacyserialnumber")); !e.Unnumbered && serial != r.LicenseNumber {
				e.Former = serial
			}
			return e
		},
		Added: setSerials,
	}
	if set == inInactiveSet {
		t.Columns, t.Optional = setColumns, setOptional
	}
	return t
}

// withoutUnderscores is row with the name of each column without underscores, too.
func withoutUnderscores(row soda.Row) soda.Row {
	renamed := maps.Clone(row)
	for name, text := range row {
		renamed[strings.ReplaceAll(name, "_", "")] = text
	}
	return renamed
}

// lookup finds a license by its number, or by its serial number from before 2022. Where the sets leave out the zeros
// before their numbers, it is asked for so.
func (n dataSets) lookup(ctx context.Context, q register.Question) (register.Reading, error) {
	reading, err := n.find(ctx, q.Number, q.Number)
	if err != nil || len(reading.Records)+reading.Unclear > 0 {
		return reading, err
	}
	isNormal, err := n.areThere(ctx)
	if printed := strings.TrimLeft(q.Number, "0"); err == nil && !isNormal && printed != q.Number {
		return n.find(ctx, q.Number, printed)
	}
	return reading, err
}

// find finds a license by what the sets print of a number. Several licenses may have one serial: the newest is in
// force.
func (n dataSets) find(ctx context.Context, number, printed string) (register.Reading, error) {
	var first opendata.Answer
	for i, set := range []opendata.Dataset{n.active, n.inactive} {
		where, column := set.Number+"="+soda.Quote(printed), "licensepermitid"
		if contracts.IsFormerNumber(contracts.NY, number) {
			where, column = set.Serial+"="+soda.Quote(printed), "legacyserialnumber"
		}
		a, err := set.Lookup(ctx, where, has(column, number))
		if r, ok := errors.AsType[*soda.Refusal](err); ok && column == "legacyserialnumber" && r.Code == soda.NoSuchColumn {
			return register.Reading{}, register.CannotAsk("the data set has no former numbers")
		}
		if err != nil {
			return register.Reading{}, err
		}
		if len(a.Rows) > 0 {
			reading := set.Newest(ctx, a, "effectivedate")
			if i == 0 {
				err = n.weigh(ctx, &reading)
			}
			return reading, err
		}
		if i == 0 {
			first = a
		}
	}
	reading := n.active.None(ctx, first)
	reading.PublishedAt = opendata.Older(reading.PublishedAt, n.inactive.None(ctx, first).PublishedAt)
	return reading, nil
}

// has tells which rows have a number in a column.
func has(column, number string) func(soda.Row) bool {
	return func(row soda.Row) bool { return normalNumber(row[column]) == number }
}

// weigh makes what the active set says of a license unclear where the inactive one contradicts it: a license that was
// revoked may still stand in the active set. One set may print its zeros and the other leave them out.
func (n dataSets) weigh(ctx context.Context, reading *register.Reading) error {
	for _, r := range reading.Records {
		number, column := r.LicenseNumber, n.inactive.Number+"="
		where := soda.Or(column+soda.Quote(number), column+soda.Quote(strings.TrimLeft(number, "0")))
		a, err := n.inactive.Lookup(ctx, where, has("licensepermitid", number))
		if err != nil {
			return err
		}
		for _, row := range a.Rows {
			// A replay of an answer from before the inactive set was asked gives a row of the active set here.
			isInactive := row[n.inactive.Number] != ""
			if other, _ := n.inactive.Record(row); isInactive && opendata.Contradicts(r.ExpirationDate, other.ExpirationDate) {
				reading.Records, reading.Unclear = nil, 1
			}
		}
	}
	return nil
}

// areThere fails when a data set has no rows with a license number, or many fewer than before, as while it is replaced:
// that a license is in neither proves nothing then. isNormal tells whether they print numbers in their normal form.
func (n dataSets) areThere(ctx context.Context) (isNormal bool, err error) {
	isNumbered := func(row soda.Row) bool { return validNumber(row["licensepermitid"]) != "" }
	isOther := func(row soda.Row) bool {
		return isNumbered(row) && validNumber(row["licensepermitid"]) != row["licensepermitid"]
	}
	isNormal = true
	for _, set := range []opendata.Dataset{n.active, n.inactive} {
		a, err := set.Ask(ctx, "", fewRows)
		if err == nil && !slices.ContainsFunc(a.Rows, isNumbered) {
			err = scrape.Failf(scrape.Changed, "a data set has no license numbers")
		}
		if err != nil {
			return false, err
		}
		isNormal = isNormal && !slices.ContainsFunc(a.Rows, isOther)
	}
	if n.whole.IsShort(ctx) {
		return isNormal, scrape.Failf(scrape.Unavailable, "many licenses are gone from a data set at once")
	}
	return isNormal, nil
}

// fewRows are as many as show whether a data set has license numbers: the first of all may be odd ones.
const fewRows = 20

func (n dataSets) search(ctx context.Context, q register.Question) (register.Reading, error) {
	reading, err := opendata.Search(ctx, q, n.active, n.inactive)
	if err == nil && len(reading.Records) == 0 && reading.Total == 0 {
		_, err = n.areThere(ctx)
	}
	return reading, err
}

func setRecord(text opendata.Texts, standing register.Standing) (register.Record, bool) {
	number := validNumber(text("licensepermitid"))
	expires, clean := register.Date(text("expirationdate"), opendata.DateLayouts...)
	return register.Record{
		LicenseRecord: contracts.LicenseRecord{
			LicenseNumber: number, LicenseTypeCode: classCode(text("class")), LicenseTypeName: fold.Blanks(text("description")),
			DBAName: fold.Blanks(text("dba")), OwnerName: fold.Blanks(text("legalname")),
			ExpirationDate: expires, Status: standing.Status,
			Address: contracts.Address{
				Street: fold.Blanks(text("actualaddressofpremises")), City: fold.Blanks(text("city")),
				State:   fold.Blanks(text("statename")),
				ZipCode: register.ZipCode(text("zipcode")), County: fold.Blanks(text("premisescounty")),
				Raw: register.Joined(text("actualaddressofpremises"), text("additionaladdressinformation"), text("city"),
					text("statename"), text("zipcode")),
			},
		},
		Because: standing.Because, Unreadable: register.UnreadableUnless(clean, register.Expiration),
	}, number != ""
}
