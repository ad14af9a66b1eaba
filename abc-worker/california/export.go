package california

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"time"

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
)

// exportColumns are the columns of the export that are read (code, in nine programs). Its first line is a banner.
var exportColumns = mirror.Table{Required: []string{
	"License Type", "File Number", "Lic or App", "Type Status", "Type Orig Iss Date", "Expir Date", "Master Ind",
	"Primary Name", "Prem Addr 1", "Prem Addr 2", "Prem City", "Prem State", "Prem Zip", "DBA Name", "Prem County",
}}

// readExport reads the archive of the daily export. It has a row for each license number and type, and for
// applications, which are left out.
func readExport(body []byte, add func(mirror.Entry) error) (rows int, err error) {
	file, err := unzip(body)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return exportColumns.Read(file, readExportRow, add)
}

// banner is the first line of the export (code): Updated Tuesday 29th of September 2026 03:50:28 AM.
var banner = regexp.MustCompile(`Updated\s+[A-Za-z]+\s+(\d{1,2})[a-z]{2}\s+of\s+([A-Za-z]+\s+\d{4})(?:\s+(\d{1,2}:\d{2}(?::\d{2})?\s*[AP]M))?`)

// exportDate is what the banner says, in the department's zone. A banner without a time stands for the start of its
// day.
func exportDate(body []byte) time.Time {
	file, err := unzip(body)
	if err != nil {
		return time.Time{}
	}
	defer file.Close()
	start, err := io.ReadAll(io.LimitReader(file, 512))
	if err != nil {
		return time.Time{}
	}
	m := banner.FindSubmatch(start)
	if m == nil {
		return time.Time{}
	}
	text := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s", m[1], m[2], m[3])), " ")
	for _, layout := range []string{"2 January 2006 03:04:05 PM", "2 January 2006 3:04 PM", "2 January 2006"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at
		}
	}
	return time.Time{}
}

// unzip opens the first CSV file of an archive. What is read of it is bounded by [mirror.Table.Read] and by its
// checksum; nothing that the archive says of sizes and counts is believed.
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

func readExportRow(r mirror.Row, add func(mirror.Entry) error) error {
	b := typeBlock{
		kind: typeCode(r.Text("License Type")), word: r.Text("Type Status"),
		master: strings.EqualFold(r.Text("Master Ind"), "Y"),
	}
	status, known := statusWords.Find(b.word)
	if known && status == register.NoLicense || strings.EqualFold(r.Text("Lic or App"), "APP") {
		return nil
	}
	var issued, dated bool
	b.issued, issued = register.Date(r.Text("Type Orig Iss Date"), dateLayouts...)
	b.expires, dated = register.Date(r.Text("Expir Date"), dateLayouts...)
	b.garbled = !issued
	number, err := contracts.NormalLicenseNumber(contracts.CA, r.Text("File Number"))
	if _, number = contracts.SplitLicenseType(contracts.CA, number); err != nil {
		number = r.Text("File Number")
	}
	record := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: b.kind,
		DBAName: r.Text("DBA Name"), OwnerName: r.Text("Primary Name"), ExpirationDate: b.expires,
		Address: contracts.Address{
			Street: fold.Blanks(r.Text("Prem Addr 1") + " " + r.Text("Prem Addr 2")),
			City:   r.Text("Prem City"), State: r.Text("Prem State"),
			ZipCode: register.ZipCode(r.Text("Prem Zip")), County: r.Text("Prem County"),
			Raw: register.Joined(r.Text("Prem Addr 1"), r.Text("Prem Addr 2"), r.Text("Prem City"), r.Text("Prem State"),
				r.Text("Prem Zip")),
		},
	}
	return add(mirror.Entry{
		Record: record, Word: b.word, Rank: b.rank(),
		Unclear: !known || err != nil || !issued || !dated, Unnumbered: err != nil, Unissued: issued && b.issued == "",
	})
}

// entryTypes is the note that names the other types of a number's rows.
func entryTypes(all []mirror.Entry) []contracts.Note {
	var blocks []typeBlock
	for _, e := range all {
		b := typeBlock{kind: e.Record.LicenseTypeCode, word: e.Word}
		if !e.Unissued {
			b.issued = "issued"
		}
		blocks = append(blocks, b)
	}
	return otherTypes(all[0].Record.LicenseNumber, blocks)
}
