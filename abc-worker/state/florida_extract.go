package state

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// floridaColumns are those of the extract, in its order (code). The extract of revoked licenses has no header and is taken to
// have the same ones (guess).
var floridaColumns = []string{
	"Board", "Profession", "Owner Name", "Series", "Modifier", "Mail Address 1", "Mail Address 2", "Mail Address 3", "Mail City",
	"Mail State", "Mail ZIP", "Mail County", "DBA", "Location Address 1", "Location Address 2", "Location Address 3", "Location City",
	"Location State", "Location ZIP", "Location County", "License Number", "Primary Status", "Secondary Status",
	"Original Licensure Date", "Effective Date", "Expiration Date", "Tax Stamp Designation", "Smoking Designation", "Retail Tobacco Indicator",
}

// floridaRequired are the columns that are read.
var floridaRequired = []string{
	"Owner Name", "Series", "Modifier", "DBA", "Location Address 1", "Location Address 2", "Location Address 3", "Location City",
	"Location State", "Location ZIP", "Location County", "License Number", "Primary Status", "Original Licensure Date", "Expiration Date",
}

func readFloridaLicenses(body []byte, add func(mirror.Entry) error) (int, error) {
	return mirror.Table{Required: floridaRequired}.Read(bytes.NewReader(body), func(r mirror.Row) error { return floridaRow(r, add) })
}

// readFloridaRevoked passes over what is not of the kind: the file is the whole board's.
func readFloridaRevoked(body []byte, add func(mirror.Entry) error) (int, error) {
	found := 0
	rows, err := mirror.Table{Headless: floridaColumns}.Read(bytes.NewReader(body), func(r mirror.Row) error {
		if number := r.Text("License Number"); number != "" && !isBeverage(number) {
			return nil
		}
		found++
		return floridaRow(r, add)
	})
	if err == nil && found == 0 {
		err = scrape.Failf(scrape.Changed, "the extract of revoked licenses holds none")
	}
	return rows, err
}

// floridaRow reads one row. While a transfer is under way a number stands in two: the newest licensure is right.
func floridaRow(r mirror.Row, add func(mirror.Entry) error) error {
	number, err := contracts.NormalLicenseNumber(contracts.FL, r.Text("License Number"))
	if err != nil {
		return err
	}
	code := r.Text("Primary Status")
	status, known := floridaCodes[code]
	if known && status == noLicense {
		return nil
	}
	if strings.Trim(code, "0123456789") != "" || code == "" {
		return errors.New("the status is no code")
	}
	licensed, ok := printed(r.Text("Original Licensure Date"), floridaDates...)
	expires, also := printed(r.Text("Expiration Date"), floridaDates...)
	if !ok || !also {
		return errors.New("a date cannot be read")
	}
	record := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: floridaType(r.Text("Series"), r.Text("Modifier")),
		DBAName: r.Text("DBA"), OwnerName: r.Text("Owner Name"), ExpirationDate: expires,
		Address: contracts.Address{
			Street: clean(r.Text("Location Address 1") + " " + r.Text("Location Address 2") + " " + r.Text("Location Address 3")),
			City:   r.Text("Location City"), State: r.Text("Location State"), ZipCode: zipCode(r.Text("Location ZIP")),
			County: floridaCounty(r.Text("Location County")),
		},
	}
	return add(mirror.Entry{Record: record, Word: code, Rank: string(licensed), Tally: requiredFlorida(record, true)})
}

// floridaFetch downloads from a host that wants the cookie of its pages. It may come with the refusal already.
func floridaFetch(f *scrape.Fetcher) func(context.Context, scrape.Request) (*scrape.Page, error) {
	return func(ctx context.Context, r scrape.Request) (*scrape.Page, error) {
		session := f.Session()
		page, err := session.Fetch(ctx, r)
		if scrape.KindOf(err) != scrape.Blocked {
			return page, err
		}
		if _, err := session.Fetch(ctx, scrape.Request{URL: floridaLandingURL}); err != nil {
			scrape.Notef(ctx, "the landing page: %v", err)
		}
		return session.Fetch(ctx, r)
	}
}
