package state

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

const (
	// maxExport bounds the export when it is decompressed; it has about 25 MB.
	maxExport = 256 << 20
	// maxUnknown is how many rows of a hundred may have a status that is not known. Each of those licenses fails by itself; a
	// file with more of them has changed, and the last good one is better.
	maxUnknown = 5
)

// californiaColumns are those of the export that are read (code, nine times). Line 1 is a banner.
var californiaColumns = mirror.Table{Required: []string{
	"License Type", "File Number", "Lic or App", "Type Status", "Type Orig Iss Date", "Expir Date", "Master Ind", "Primary Name",
	"Prem Addr 1", "Prem Addr 2", "Prem City", "Prem State", "Prem Zip", "DBA Name", "Prem County",
}}

// readCaliforniaExport reads the archive of the daily export: one row per license type and number, applications among them.
func readCaliforniaExport(body []byte, today contracts.Date, add func(mirror.Entry)) (rows int, err error) {
	file, err := unzip(body)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	bounded, unknown := &io.LimitedReader{R: file, N: maxExport}, 0
	rows, err = californiaColumns.Read(bounded, func(r mirror.Row) error {
		if _, err := californiaWords.status(r.Text("Type Status")); err != nil {
			unknown++
		}
		return californiaRow(r, today, add)
	})
	switch {
	case bounded.N == 0:
		return rows, scrape.Failf(scrape.Changed, "the export is larger than %d bytes", maxExport)
	case err == nil && unknown*100 > rows*maxUnknown:
		return rows, scrape.Failf(scrape.Changed, "%d of %d rows have a status that is not known", unknown, rows)
	}
	return rows, err
}

// unzip opens the only CSV file of an archive.
func unzip(body []byte) (io.ReadCloser, error) {
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, scrape.Failf(scrape.Changed, "the export is not a ZIP archive: %w", err)
	}
	for _, f := range archive.File {
		if strings.HasSuffix(strings.ToLower(f.Name), ".csv") {
			file, err := f.Open()
			if err != nil {
				return nil, scrape.Failf(scrape.Changed, "the export cannot be opened: %w", err)
			}
			return file, nil
		}
	}
	return nil, scrape.Failf(scrape.Changed, "the archive holds no CSV file")
}

func californiaRow(r mirror.Row, today contracts.Date, add func(mirror.Entry)) error {
	number, err := contracts.NormalLicenseNumber(contracts.CA, r.Text("File Number"))
	if err != nil {
		return err
	}
	b := californiaBlock{
		kind: californiaType(r.Text("License Type")), word: r.Text("Type Status"), master: strings.EqualFold(r.Text("Master Ind"), "Y"),
	}
	if status, err := californiaWords.status(b.word); err == nil && status == noLicense || strings.EqualFold(r.Text("Lic or App"), "APP") {
		return nil
	}
	b.issued, _ = printed(r.Text("Type Orig Iss Date"), californiaDate)
	b.expires, _ = printed(r.Text("Expir Date"), californiaDate)
	record := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: b.kind, DBAName: r.Text("DBA Name"), OwnerName: r.Text("Primary Name"), ExpirationDate: b.expires,
		Address: contracts.Address{
			Street: clean(r.Text("Prem Addr 1") + " " + r.Text("Prem Addr 2")), City: r.Text("Prem City"), State: r.Text("Prem State"),
			ZipCode: zipCode(r.Text("Prem Zip")), County: r.Text("Prem County"),
		},
	}
	add(mirror.Entry{Record: record, Word: b.word, Rank: b.rank(today), Tally: requiredCalifornia(record)})
	return nil
}
