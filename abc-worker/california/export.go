package california

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

const (
	// maxDirectory bounds what is read of an archive to find its files. The export holds one file, which takes 100
	// bytes; a thousand would fit.
	maxDirectory = 128 << 10
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
func readExport(body []byte, today contracts.Date, add func(mirror.Entry) error) (rows int, err error) {
	file, err := unzip(body)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	unknown := 0
	rows, err = exportColumns.Read(file, func(r mirror.Row) error {
		if _, known := statusWords.Find(r.Text("Type Status")); !known {
			unknown++
		}
		return readExportRow(r, today, add)
	})
	if err == nil && unknown*100 > rows*maxUnknownPercent {
		err = scrape.Failf(scrape.Changed, "%d of %d rows have a status that is not known", unknown, rows)
	}
	return rows, err
}

// unzip opens the first CSV file of an archive. What is read of it is bounded by [mirror.Table.Read] and by its checksum;
// nothing that the archive says of sizes and counts is believed.
func unzip(body []byte) (io.ReadCloser, error) {
	source := &boundedReaderAt{source: bytes.NewReader(body), left: maxDirectory}
	archive, err := zip.NewReader(source, int64(len(body)))
	if err != nil {
		return nil, scrape.Failf(scrape.Changed, "the export is not a ZIP archive: %w", err)
	}
	source.left = math.MaxInt64
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

// boundedReaderAt reads no more bytes than are left, however often it is asked.
type boundedReaderAt struct {
	source io.ReaderAt
	left   int64
}

func (b *boundedReaderAt) ReadAt(p []byte, offset int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errManyEntries
	}
	return b.source.ReadAt(p, offset)
}

var errManyEntries = fmt.Errorf("its directory takes more than %d bytes", maxDirectory)

func readExportRow(r mirror.Row, today contracts.Date, add func(mirror.Entry) error) error {
	number, err := contracts.NormalLicenseNumber(contracts.CA, r.Text("File Number"))
	if err != nil {
		return err
	}
	b := typeBlock{
		kind: typeCode(r.Text("License Type")), word: r.Text("Type Status"),
		master: strings.EqualFold(r.Text("Master Ind"), "Y"),
	}
	status, known := statusWords.Find(b.word)
	if known && status == register.NoLicense || strings.EqualFold(r.Text("Lic or App"), "APP") {
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
	return add(mirror.Entry{Record: record, Word: b.word, Rank: b.rank(today), Tally: required(record)})
}
