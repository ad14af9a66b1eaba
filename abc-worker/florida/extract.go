package florida

import (
	"bytes"
	"cmp"
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
	table := mirror.Table{Required: columnsRead, Optional: []string{"Secondary Status", "Effective Date"}}
	return table.Read(bytes.NewReader(body), readRow, add)
}

// readRevoked reads the extract of revoked licenses. It passes over licenses that are not for liquor: the file is
// the whole board's.
func readRevoked(body []byte, add func(mirror.Entry) error) (int, error) {
	found := 0
	rows, err := mirror.Table{Headless: extractColumns}.Read(bytes.NewReader(body), func(r mirror.Row, add func(mirror.Entry) error) error {
		if number := r.Text("License Number"); number != "" && !isBeverage(number) {
			return nil
		}
		found++
		return readRow(r, add)
	}, add)
	if err == nil && found == 0 {
		err = scrape.Failf(scrape.Changed, "the extract of revoked licenses holds none")
	}
	return rows, err
}

// readRow reads one row. While a license is transferred, its number stands in two rows, the old owner's and the new
// one's: the row with the newest licensure wins. Of one licensure the row wins that took effect last, since a license
// that was revoked may still stand in the other file, and of one day that which is not active. Without a day, the row
// wins that is not known to be active. A license whose two statuses contradict each other is unclear.
func readRow(r mirror.Row, add func(mirror.Entry) error) error {
	text := func(column string) string { return unlessNull(r.Text(column)) }
	code := text("Primary Status")
	status, known := extractCodes[code]
	if known && status == register.NoLicense {
		return nil
	}
	if strings.Trim(code, "0123456789") != "" || code == "" {
		return errors.New("the status is no code")
	}
	number, err := contracts.NormalLicenseNumber(contracts.FL, text("License Number"))
	if err != nil {
		number = text("License Number")
	}
	licensed, dated := register.Date(text("Original Licensure Date"), dateLayouts...)
	effective, _ := register.Date(text("Effective Date"), dateLayouts...)
	expires, also := register.Date(text("Expiration Date"), dateLayouts...)
	street := []string{text("Location Address 1"), text("Location Address 2"), text("Location Address 3")}
	record := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: typeCode(text("Series"), text("Modifier")),
		DBAName: text("DBA"), OwnerName: text("Owner Name"), ExpirationDate: expires,
		Address: contracts.Address{
			Street: fold.Blanks(strings.Join(street, " ")),
			City:   text("Location City"), State: text("Location State"), ZipCode: register.ZipCode(text("Location ZIP")),
			County: countyOf(text("Location County")),
			Raw:    register.Joined(append(street, text("Location City"), text("Location State"), text("Location ZIP"))...),
		},
	}
	unclear := !known || !dated || !also || err != nil || status == contracts.Active && denies(text("Secondary Status"))
	return add(mirror.Entry{
		Record: record, Word: code, Rank: rankOf(licensed, effective, !unclear && status == contracts.Active),
		Unnumbered: err != nil, Unclear: unclear,
	})
}

func rankOf(licensed, effective contracts.Date, active bool) string {
	if active {
		return string(licensed) + " " + string(effective)
	}
	const last = "~" // behind every day
	return cmp.Or(string(licensed), last) + " " + cmp.Or(string(effective), last) + " not active"
}

// denies tells whether a secondary status is the code of a license that is not active, or no code. Most rows have none,
// or one for what is paid and due.
func denies(code string) bool {
	status, known := extractCodes[code]
	return strings.Trim(code, "0123456789") != "" || known && status != contracts.Active && status != register.NoLicense
}

// unlessNull is empty for the word NULL, which the extracts print where a column has no value.
func unlessNull(s string) string {
	if s == "NULL" {
		return ""
	}
	return s
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
