package florida

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// extractColumns are the columns of the extract of licenses, in its order (code). The extract of revoked licenses
// has no line of headings and is taken to have the same columns (guess).
var extractColumns = []string{
	"Board", "Profession", "Owner Name", "Series", "Modifier",
	"Mail Address 1", "Mail Address 2", "Mail Address 3", "Mail City", "Mail State", "Mail ZIP", "Mail County", "DBA",
	"Location Address 1", "Location Address 2", "Location Address 3",
	"Location City", "Location State", "Location ZIP", "Location County",
	"License Number", "Primary Status", "Secondary Status", "Original Licensure Date", "Effective Date",
	"Expiration Date", "Tax Stamp Designation", "Smoking Designation", "Retail Tobacco Indicator",
}

// columnsRead are the columns that are read.
var columnsRead = []string{
	"Owner Name", "Series", "Modifier", "DBA", "Location Address 1", "Location Address 2", "Location Address 3",
	"Location City", "Location State", "Location ZIP", "Location County",
	"License Number", "Primary Status", "Original Licensure Date", "Expiration Date",
}

// readLicenses reads the extract of licenses.
func readLicenses(body []byte, add func(mirror.Entry) error) (int, error) {
	table := mirror.Table{Required: columnsRead}
	return table.Read(bytes.NewReader(body), func(r mirror.Row) error { return readRow(r, add) })
}

// readRevoked reads the extract of revoked licenses. It passes over licenses that are not for liquor: the file is
// the whole board's.
func readRevoked(body []byte, add func(mirror.Entry) error) (int, error) {
	found := 0
	rows, err := mirror.Table{Headless: extractColumns}.Read(bytes.NewReader(body), func(r mirror.Row) error {
		if number := r.Text("License Number"); number != "" && !isBeverage(number) {
			return nil
		}
		found++
		return readRow(r, add)
	})
	if err == nil && found == 0 {
		err = scrape.Failf(scrape.Changed, "the extract of revoked licenses holds none")
	}
	return rows, err
}

// readRow reads one row. While a license is transferred, its number stands in two rows, the old owner's and the new
// one's: the row with the newest licensure wins.
func readRow(r mirror.Row, add func(mirror.Entry) error) error {
	number, err := contracts.NormalLicenseNumber(contracts.FL, r.Text("License Number"))
	if err != nil {
		return err
	}
	code := r.Text("Primary Status")
	status, known := extractCodes[code]
	if known && status == register.NoLicense {
		return nil
	}
	if strings.Trim(code, "0123456789") != "" || code == "" {
		return errors.New("the status is no code")
	}
	licensed, ok := register.Date(r.Text("Original Licensure Date"), dateLayouts...)
	expires, also := register.Date(r.Text("Expiration Date"), dateLayouts...)
	if !ok || !also {
		return errors.New("a date cannot be read")
	}
	record := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: typeCode(r.Text("Series"), r.Text("Modifier")),
		DBAName: r.Text("DBA"), OwnerName: r.Text("Owner Name"), ExpirationDate: expires,
		Address: contracts.Address{
			Street: fold.Blanks(r.Text("Location Address 1") + " " + r.Text("Location Address 2") + " " +
				r.Text("Location Address 3")),
			City: r.Text("Location City"), State: r.Text("Location State"), ZipCode: register.ZipCode(r.Text("Location ZIP")),
			County: countyOf(r.Text("Location County")),
		},
	}
	return add(mirror.Entry{Record: record, Word: code, Rank: string(licensed), Tally: required(record, true)})
}

// fetchWithCookie downloads from a host that wants a cookie. The cookie may come with the refusal of the first
// request, or else with another page of the host; then the download is tried once more.
func fetchWithCookie(f *scrape.Fetcher) func(context.Context, scrape.Request) (*scrape.Page, error) {
	return func(ctx context.Context, r scrape.Request) (*scrape.Page, error) {
		session := f.Session()
		page, err := session.Fetch(ctx, r)
		if scrape.KindOf(err) != scrape.Blocked {
			return page, err
		}
		if _, err := session.Fetch(ctx, scrape.Request{URL: landingURL}); err != nil {
			scrape.Notef(ctx, "the landing page: %v", err)
		}
		return session.Fetch(ctx, r)
	}
}
