package california

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

const (
	// maxExport bounds the decompressed export, which has about 25 MB.
	maxExport = 256 << 20
	// maxUnknownPercent is how many rows of a hundred may have a status word that is not known. A license with such a word
	// fails when it is asked for. A file with more of them has changed, and is not taken: the last good one serves on.
	maxUnknownPercent = 5
)

// exportColumns are the columns of the export that are read (code, in nine programs). Its first line is a banner.
var exportColumns = mirror.Table{Required: []string{
	"License Type", "File Number", "Lic or App", "Type Status", "Type Orig Iss Date", "Expir Date", "Master Ind",
	"Primary Name", "Prem Addr 1", "Prem Addr 2", "Prem City", "Prem State", "Prem Zip", "DBA Name", "Prem County",
}}

// readExport reads the archive of the daily export. It has a row for each license number and type, and for
// applications, which are left out.
func readExport(body []byte, today contracts.Date, add func(mirror.Entry)) (rows int, err error) {
	file, err := unzip(body)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	bounded, unknown := &io.LimitedReader{R: file, N: maxExport}, 0
	rows, err = exportColumns.Read(bounded, func(r mirror.Row) error {
		if _, err := statusWords.Status(r.Text("Type Status")); err != nil {
			unknown++
		}
		return readExportRow(r, today, add)
	})
	switch {
	case bounded.N == 0:
		return rows, scrape.Failf(scrape.Changed, "the export is larger than %d bytes", maxExport)
	case err == nil && unknown*100 > rows*maxUnknownPercent:
		return rows, scrape.Failf(scrape.Changed, "%d of %d rows have a status that is not known", unknown, rows)
	}
	return rows, err
}

// unzip opens the first CSV file of an archive.
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

func readExportRow(r mirror.Row, today contracts.Date, add func(mirror.Entry)) error {
	number, err := contracts.NormalLicenseNumber(contracts.CA, r.Text("File Number"))
	if err != nil {
		return err
	}
	b := typeBlock{
		kind: typeCode(r.Text("License Type")), word: r.Text("Type Status"),
		master: strings.EqualFold(r.Text("Master Ind"), "Y"),
	}
	status, err := statusWords.Status(b.word)
	if err == nil && status == register.NoLicense || strings.EqualFold(r.Text("Lic or App"), "APP") {
		return nil
	}
	b.issued, _ = register.Date(r.Text("Type Orig Iss Date"), dateLayout)
	b.expires, _ = register.Date(r.Text("Expir Date"), dateLayout)
	record := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: b.kind,
		DBAName: r.Text("DBA Name"), OwnerName: r.Text("Primary Name"), ExpirationDate: b.expires,
		Address: contracts.Address{
			Street: fold.Blanks(r.Text("Prem Addr 1") + " " + r.Text("Prem Addr 2")),
			City:   r.Text("Prem City"), State: r.Text("Prem State"),
			ZipCode: register.ZipCode(r.Text("Prem Zip")), County: r.Text("Prem County"),
		},
	}
	add(mirror.Entry{Record: record, Word: b.word, Rank: b.rank(today), Tally: required(record)})
	return nil
}
