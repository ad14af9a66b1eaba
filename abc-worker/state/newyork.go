package state

import (
	"context"
	"strings"

	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// The data sets (data, code). The second spells its columns with underscores.
const (
	newYorkActiveURL   = "https://data.ny.gov/resource/9s3h-dpkz.json"
	newYorkInactiveURL = "https://data.ny.gov/resource/6dg3-2z7i.json"
	newYorkHome        = "https://data.ny.gov/d/9s3h-dpkz"
)

// NewYork reads the State Liquor Authority: the data sets of active and inactive licenses, then the map of active ones.
func NewYork(d Deps) Recipe {
	client := soda.Client{Fetcher: d.Fetcher, Token: d.SODAToken}
	sets := newYork{
		active: newYorkSet(sodaTable(client, newYorkActiveURL, dataset{
			number: "licensepermitid", serial: "legacyserialnumber", dba: "dba", owner: "legalname",
			address: []string{"actualaddressofpremises", "city"},
		}), contracts.Active),
		inactive: newYorkSet(sodaTable(client, newYorkInactiveURL, dataset{
			number: "license_permit_id", serial: "legacy_serial_number", dba: "dba", owner: "legalname",
			address: []string{"actual_address_of_premises", "city"},
		}), contracts.Expired),
	}
	layer := newYorkMap(d.Fetcher)
	return Recipe{
		Listing: newYorkListing(),
		Lookup: []LookupPath{
			{Name: "soda", Method: contracts.APIMirror, Read: sets.lookup},
			{Name: "map", Method: contracts.APIMirror, Read: layer.lookup},
		},
		Search: []SearchPath{
			{Name: "soda", Method: contracts.APIMirror, Read: sets.search},
			{Name: "map", Method: contracts.APIMirror, Read: layer.search},
		},
	}
}

func newYorkListing() contracts.StateListing {
	return contracts.StateListing{
		State: contracts.NY, Name: "New York", Agency: "State Liquor Authority", SourceURL: newYorkHome,
		Captcha: "none", AntiBot: "none", SearchFields: []string{"dba_name", "owner_name", "address"}, Lookup: true,
		ExtractionMethod: contracts.APIMirror, FallbackMethods: []contracts.Method{contracts.APIMirror},
		CacheTTLSeconds: int(contracts.LicenseTTL.Seconds()), TypicalLatencyMS: 1500, ProvesAbsence: true,
		Limitations: []string{
			"A license in the data set of active licenses is ACTIVE, also past its date; one in the inactive set is EXPIRED: revoked and surrendered licenses cannot be told from expired ones.",
			"No source gives suspensions: an empty list says nothing about them.",
			"When the data sets cannot be read, the authority's map answers: active licenses only, without expiration dates, at a lower confidence. It cannot prove that a license does not exist.",
			"An address filter matches street or city.",
			"License type codes are the authority's classes in four digits.",
		},
		LicenseTypes: []contracts.LicenseType{},
	}
}

// newYork is the two data sets. Being in one of them is the status: neither has a column for it.
type newYork struct{ active, inactive dataset }

// newYorkSet reads the rows of both spellings of the columns as one.
func newYorkSet(t dataset, status contracts.Status) dataset {
	ask := t.ask
	t.ask = func(ctx context.Context, where string, limit int) (answer, error) {
		a, err := ask(ctx, where, limit)
		for i, row := range a.Rows {
			a.Rows[i] = withoutUnderscores(row)
		}
		return a, err
	}
	t.record = func(row soda.Row) (counted, error) { return newYorkRecord(row, status) }
	return t
}

func withoutUnderscores(row soda.Row) soda.Row {
	renamed := make(soda.Row, len(row))
	for name, text := range row {
		renamed[strings.ReplaceAll(name, "_", "")] = text
	}
	return renamed
}

// lookup finds a permit by its number, or by its serial before 2022: that may match several, of which the newest is in force.
func (n newYork) lookup(ctx context.Context, number string) (LookupReading, error) {
	var reading LookupReading
	for _, set := range []dataset{n.active, n.inactive} {
		where, column := set.number+"="+soda.Quote(number), "licensepermitid"
		if isSerial(number) {
			where, column = set.serial+"="+soda.Quote(number), "legacyserialnumber"
		}
		a, err := set.lookup(ctx, where, func(row soda.Row) bool { return newYorkNumber(row[column]) == number })
		if err != nil {
			return reading, err
		}
		if reading.EvidenceURL == "" || len(a.Rows) > 0 {
			reading.EvidenceURL, reading.ReadAt = a.URL, a.ReadAt
		}
		if len(a.Rows) > 0 {
			r, err := set.record(newest(a.Rows, "effectivedate"))
			reading.Value, reading.Tally = &r.LicenseRecord, r.Tally
			return reading, err
		}
	}
	reading.Tally = noneFound
	return reading, n.complete(ctx)
}

// complete fails when the data set of active licenses is being replaced: being absent from it proves nothing then.
func (n newYork) complete(ctx context.Context) error {
	a, err := n.active.ask(ctx, "", 1)
	if err == nil && len(a.Rows) == 0 {
		err = scrape.Failf(scrape.Changed, "the data set of active licenses is empty")
	}
	return err
}

func (n newYork) search(ctx context.Context, q contracts.Query) (SearchReading, error) {
	return searchTables(ctx, q, n.active, n.inactive)
}

// isSerial tells the numbers before 2022 from today's, which have hyphens.
func isSerial(number string) bool { return !strings.Contains(number, "-") }

// newYorkNumber is the normal form of a number, or the text as it is when it has none.
func newYorkNumber(s string) string {
	if normal, err := contracts.NormalLicenseNumber(contracts.NY, s); err == nil {
		return normal
	}
	return clean(s)
}

// newYorkClass pads a class to four digits: the inactive set and the map leave its zero out.
func newYorkClass(s string) string {
	s = clean(s)
	if len(s) < 4 && s != "" && strings.Trim(s, "0123456789") == "" {
		return strings.Repeat("0", 4-len(s)) + s
	}
	return s
}

func newYorkRecord(row soda.Row, status contracts.Status) (counted, error) {
	number := newYorkNumber(row["licensepermitid"])
	if number == "" {
		return counted{}, errNoNumber
	}
	expires, known := printed(row["expirationdate"], sodaDates...)
	r := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: newYorkClass(row["class"]), DBAName: clean(row["dba"]), OwnerName: clean(row["legalname"]),
		ExpirationDate: expires, Status: status, Suspensions: served(),
		Address: contracts.Address{
			Street: clean(row["actualaddressofpremises"]), City: clean(row["city"]), State: clean(row["statename"]),
			ZipCode: zipCode(row["zipcode"]), County: clean(row["premisescounty"]),
		},
	}
	return counted{r, requiredNewYork(r, known)}, nil
}

// requiredNewYork counts the fields that every path to New York must give.
func requiredNewYork(r contracts.LicenseRecord, dateClean bool) contracts.Tally {
	_, err := contracts.NormalLicenseNumber(contracts.NY, r.LicenseNumber)
	return tally(err == nil, r.LicenseTypeCode != "", r.OwnerName != "", dateClean && r.ExpirationDate != "",
		r.Address.Street != "", r.Address.City != "", r.Address.ZipCode != "")
}
