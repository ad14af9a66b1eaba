package texas

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// The labels of a record and the headings of its violations (guess: named after the columns of the commission's
// export of 2020).
const (
	numberLabel  = "License #"
	legacyLabel  = "Legacy #"
	typeLabel    = "License Type"
	statusLabel  = "Status"
	dbaLabel     = "Trade Name"
	ownerLabel   = "Owner"
	addressLabel = "Location Address"
	countyLabel  = "County"
	issuedLabel  = "Orig. Issue Date"
	expiresLabel = "Expiration Date"

	reasonHeading      = "Description"
	dispositionHeading = "Disposition"
	beginHeading       = "Discipline Begin Date"
	endHeading         = "Discipline End Date"
)

// dateLayouts are the forms of the page's dates: 01/25/2028 (guess), or 2028-01-25.
var dateLayouts = []string{"1/2/2006", time.DateOnly}

// inquiryAnswer is what the page after a submission says.
type inquiryAnswer struct {
	message string
	// records are those shown; total is how many there are.
	records []inquiryRecord
	total   int
	readAt  time.Time
}

type inquiryRecord struct {
	register.Record
	// unclear tells that the record is not understood.
	unclear bool
	// legacy is the number before 2021.
	legacy string
	issued contracts.Date
}

// parse reads the page. A page without records must say that there are none, or that the code was refused.
func (q *inquiry) parse(page *scrape.Page) (*inquiryAnswer, error) {
	doc, err := webforms.Document(page)
	if err != nil {
		return nil, err
	}
	a := &inquiryAnswer{message: fold.Blanks(doc.Find(q.message).Text()), readAt: page.ReadAt}
	if q.wrongCode.MatchString(a.message) || q.expiredCode.MatchString(a.message) {
		return a, nil
	}
	doc.Find(q.record).EachWithBreak(func(_ int, table *goquery.Selection) bool {
		var r inquiryRecord
		if r, err = q.recordOf(table); err == nil {
			a.records = append(a.records, r)
		}
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	if len(a.records) == 0 {
		if !q.noRecords.MatchString(a.message) {
			return nil, scrape.Failf(scrape.Changed, "the page has no record and says %q", contracts.Printable(a.message))
		}
		return a, nil
	}
	a.total, err = statedCount(doc.Find(q.count).Text(), len(a.records))
	return a, err
}

// leadingCount is the number that "12 record(s) found." begins with.
var leadingCount = regexp.MustCompile(`^\s*(\d{1,7})\b`)

// statedCount is the number of records that the page states, or the number it shows when it states none.
func statedCount(text string, shown int) (int, error) {
	m := leadingCount.FindStringSubmatch(strings.ReplaceAll(text, ",", ""))
	if m == nil {
		return shown, nil
	}
	n, _ := strconv.Atoi(m[1]) // the pattern has seven digits
	if n < shown {
		return 0, scrape.Failf(scrape.Changed, "the page shows %d records and counts %d", shown, n)
	}
	return n, nil
}

func (q *inquiry) recordOf(table *goquery.Selection) (inquiryRecord, error) {
	value := labelledValues(table)
	number := normalNumber(value[numberLabel])
	if number == "" {
		return inquiryRecord{}, scrape.Failf(scrape.Changed, "a record has no license number")
	}
	status, unknown := statusOf(value[statusLabel])
	suspensions, err := suspensionsIn(table.NextAll().First().Filter(q.violations))
	if err != nil {
		return inquiryRecord{}, err
	}
	expires, clean := register.Date(value[expiresLabel], dateLayouts...)
	issued, _ := register.Date(value[issuedLabel], dateLayouts...)
	r := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: value[typeLabel],
		DBAName: value[dbaLabel], OwnerName: value[ownerLabel],
		ExpirationDate: expires, Status: status, Suspensions: suspensions,
		Address: splitAddress(value[addressLabel], value[countyLabel]),
	}
	return inquiryRecord{
		Record:  register.Record{LicenseRecord: r, Unreadable: register.Unless(clean, register.Expiration)},
		unclear: unknown != nil, legacy: normalNumber(value[legacyLabel]), issued: issued,
	}, nil
}

// labelledValues reads the rows of a table: a label and its value. Of two rows with one label, the first counts.
func labelledValues(table *goquery.Selection) map[string]string {
	values := map[string]string{}
	table.Find("tr").Each(func(_ int, row *goquery.Selection) {
		cells := row.Children()
		if cells.Length() < 2 {
			return
		}
		label := strings.TrimRight(fold.Blanks(cells.Eq(0).Text()), ": ")
		if _, twice := values[label]; !twice {
			values[label] = fold.Blanks(cells.Eq(1).Text())
		}
	})
	return values
}

// suspensionsIn reads the violations that led to a suspension. Other discipline, such as a penalty, is passed over.
func suspensionsIn(table *goquery.Selection) ([]contracts.Suspension, error) {
	all := register.NoSuspensions()
	if table.Length() == 0 {
		return all, nil
	}
	rows := table.Find("tr")
	at := map[string]int{}
	rows.First().Children().Each(func(i int, cell *goquery.Selection) { at[fold.Blanks(cell.Text())] = i })
	for _, heading := range []string{reasonHeading, dispositionHeading, beginHeading, endHeading} {
		if _, ok := at[heading]; !ok {
			return nil, scrape.Failf(scrape.Changed, "the violations have no column %q", heading)
		}
	}
	var err error
	rows.Slice(1, rows.Length()).EachWithBreak(func(_ int, row *goquery.Selection) bool {
		cell := func(heading string) string { return fold.Blanks(row.Children().Eq(at[heading]).Text()) }
		begin, ok := register.Date(cell(beginHeading), dateLayouts...)
		end, also := register.Date(cell(endHeading), dateLayouts...)
		if !ok || !also || row.Children().Length() != len(at) {
			err = scrape.Failf(scrape.Changed, "a violation has dates that cannot be read")
			return false
		}
		if strings.Contains(strings.ToUpper(cell(dispositionHeading)), "SUSPEN") {
			all = append(all, contracts.Suspension{StartDate: begin, EndDate: end, Reason: cell(reasonHeading)})
		}
		return true
	})
	return all, err
}

// addressTail takes city, state and ZIP code from the end of an address.
var addressTail = regexp.MustCompile(`^(.*?),\s*([^,]+),\s*([A-Za-z]{2})\s+(\d{5}(?:-?\d{4})?)$`)

// splitAddress splits "4512 DUVAL ST, AUSTIN, TX 787511412". A text in another form stays in Raw alone.
func splitAddress(raw, county string) contracts.Address {
	a := contracts.Address{Raw: raw, County: county}
	if m := addressTail.FindStringSubmatch(raw); m != nil {
		a.Street, a.City = fold.Blanks(m[1]), fold.Blanks(m[2])
		a.State, a.ZipCode = strings.ToUpper(m[3]), register.ZipCode(m[4])
	}
	return a
}

// numbered is the record with that number, be it today's or the former one. Of several, it is the one issued last.
func (a *inquiryAnswer) numbered(number string) (inquiryRecord, bool) {
	other := func(r inquiryRecord) bool { return r.LicenseNumber != number && r.legacy != number }
	records := slices.DeleteFunc(slices.Clone(a.records), other)
	if len(records) == 0 {
		return inquiryRecord{}, false
	}
	byIssue := func(a, b inquiryRecord) int { return strings.Compare(string(a.issued), string(b.issued)) }
	return slices.MaxFunc(records, byIssue), true
}

// matching gives the records that match the query. The form shows only the first records of many: then the count that
// it states is the total, if the form was asked by the whole query.
func (a *inquiryAnswer) matching(q contracts.Query) (register.Reading, error) {
	var reading register.Reading
	for _, r := range a.records {
		switch {
		case !register.Matches(q, r.LicenseRecord):
		case r.unclear:
			reading.Unclear++
		default:
			reading.Records = append(reading.Records, r.Record)
		}
	}
	cut, byParts := a.total > len(a.records), severalParts(q)
	switch {
	case cut && byParts:
		return reading, register.CannotAsk("the form shows %d of %d records", len(a.records), a.total)
	case !byParts && len(a.records) > 0 && len(reading.Records)+reading.Unclear == 0:
		return reading, scrape.Failf(scrape.Changed, "the records do not hold what was asked for")
	case cut:
		reading.Total = a.total
		reading.Cut = fmt.Sprintf("The inquiry shows %d of %d licenses.", len(a.records), a.total)
	}
	reading.Records = register.Distinct(reading.Records)
	return reading, nil
}

// severalParts tells whether the form was asked by less than the query.
func severalParts(q contracts.Query) bool {
	return max(len(fold.Parts(q.DBAName)), len(fold.Parts(q.OwnerName)), len(fold.Parts(q.Address))) > 1
}
