package california

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
	_ "time/tzdata" // the export is made at a Pacific hour, also where no zones are installed

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

// header is the second line of the export. Two of its names begin with a blank.
const header = "License Type,File Number,Lic or App,Type Status,Type Orig Iss Date,Expir Date,Fee " +
	"Codes,Dup Counts,Master Ind,Term in # of Months,Geo Code,District,Primary Name,Prem Addr 1, Prem Addr " +
	"2,Prem City, Prem State,Prem Zip,DBA Name,Mail Addr 1,Mail Addr 2,Mail City,Mail State,Mail Zip,Prem " +
	"County,Prem Census Tract #\n"

// export serves the archive of the day with ETag and Last-Modified, and answers 304 to a client that has it already.
type export struct {
	register *license.Register
	now      func() time.Time

	mu      sync.Mutex
	made    time.Time
	edition int
	archive []byte
}

func (e *export) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	archive, made := e.today()
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("ETag", fmt.Sprintf(`"%.8x"`, sha256.Sum256(archive)))
	http.ServeContent(w, r, "", made, bytes.NewReader(archive))
}

// today returns the archive of the last business day, made at seven o'clock in the morning, Pacific time.
func (e *export) today() ([]byte, time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	made := lastExport(e.now())
	if edition := e.register.Edition(contracts.CA).Number; !made.Equal(e.made) || edition != e.edition {
		e.made, e.edition, e.archive = made, edition, archive(e.register.California(), made)
	}
	return e.archive, e.made
}

func lastExport(now time.Time) time.Time {
	pacific, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		pacific = time.UTC
	}
	now = now.In(pacific)
	made := time.Date(now.Year(), now.Month(), now.Day(), 7, 0, 0, 0, pacific)
	for made.After(now) || made.Weekday() == time.Saturday || made.Weekday() == time.Sunday {
		made = made.AddDate(0, 0, -1)
	}
	return made
}

func archive(all []license.California, made time.Time) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	file, err := z.CreateHeader(&zip.FileHeader{Name: "ABC-DailyDataExport.csv", Method: zip.Deflate, Modified: made})
	if err == nil {
		err = writeExport(file, all, made)
	}
	if err := errors.Join(err, z.Close()); err != nil {
		panic(err) // a write to a buffer cannot fail
	}
	return out.Bytes()
}

// writeExport writes the byte order mark, the banner, the header and a row for each block that is alive.
func writeExport(w io.Writer, all []license.California, made time.Time) error {
	banner := fmt.Sprintf("Updated %s %d%s of %s\n", made.Weekday(), made.Day(), ordinal(made.Day()),
		made.Format("January 2006 03:04:05 PM"))
	if _, err := io.WriteString(w, "\ufeff"+banner+header); err != nil {
		return err
	}
	rows := csv.NewWriter(w)
	for i := range all {
		for _, b := range all[i].Blocks {
			if b.Exported {
				_ = rows.Write(exportRow(&all[i], b)) // Error below returns its failure
			}
		}
	}
	rows.Flush()
	return rows.Error()
}

func exportRow(l *license.California, b license.Block) []string {
	kind, master, p, m := "LIC", "N", l.Premises, l.Mailing
	if b.Application {
		kind = "APP"
	}
	if b.Master {
		master = "Y"
	}
	number, _ := strconv.Atoi(l.Number)
	return []string{
		b.Type, fmt.Sprintf("%08d", number), kind, b.Status, printedDate(b.Issued), printedDate(b.Expiry), b.FeeCode,
		strconv.Itoa(b.Duplicates), master, strconv.Itoa(b.Term), geoCode(l), "23", l.Owner, p.Street, p.Suite, p.City,
		p.State, p.Zip, l.DBA,
		m.Street, m.Suite, m.City, m.State, m.Zip, p.County, l.Tract,
	}
}

// geoCode returns the four digits that stand for a town.
func geoCode(l *license.California) string {
	sum := 0
	for _, c := range l.Premises.City {
		sum += int(c)
	}
	return fmt.Sprintf("%04d", sum)
}

func ordinal(day int) string {
	if day/10 != 1 {
		switch day % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}
