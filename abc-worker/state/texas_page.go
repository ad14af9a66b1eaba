package state

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// The labels of a record and the headings of its violations (guess; the facts are those of the commission's export of 2020).
const (
	texasNumberLabel  = "License #"
	texasLegacyLabel  = "Legacy #"
	texasTypeLabel    = "License Type"
	texasStatusLabel  = "Status"
	texasDBALabel     = "Trade Name"
	texasOwnerLabel   = "Owner"
	texasAddressLabel = "Location Address"
	texasCountyLabel  = "County"
	texasIssuedLabel  = "Orig. Issue Date"
	texasExpiresLabel = "Expiration Date"

	texasReasonHeading      = "Description"
	texasDispositionHeading = "Disposition"
	texasBeginHeading       = "Discipline Begin Date"
	texasEndHeading         = "Discipline End Date"
)

// texasDates are MM/DD/YYYY (guess).
var texasDates = []string{"1/2/2006", time.DateOnly}

// inquiryAnswer is the page that follows a submission.
type inquiryAnswer struct {
	message string
	// records are those shown of total.
	records []inquiryRecord
	total   int
	readAt  time.Time
}

type inquiryRecord struct {
	counted
	legacy string
	issued contracts.Date
}

// parse reads the page. One that has neither a message nor a record is a failure.
func (q *texasInquiry) parse(page *scrape.Page) (*inquiryAnswer, error) {
	doc, err := webforms.Document(page)
	if err != nil {
		return nil, err
	}
	a := &inquiryAnswer{message: clean(doc.Find(q.message).Text()), readAt: page.ReadAt}
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

var aCount = regexp.MustCompile(`^\s*(\d{1,7})\b`)

// statedCount is the number that the page begins its count with, or what is shown when it has none.
func statedCount(text string, shown int) (int, error) {
	m := aCount.FindStringSubmatch(strings.ReplaceAll(text, ",", ""))
	if m == nil {
		return shown, nil
	}
	n, _ := strconv.Atoi(m[1]) // the pattern has seven digits
	if n < shown {
		return 0, scrape.Failf(scrape.Changed, "the page shows %d records and counts %d", shown, n)
	}
	return n, nil
}

func (q *texasInquiry) recordOf(table *goquery.Selection) (inquiryRecord, error) {
	value := pairsOf(table)
	number := texasNumber(value[texasNumberLabel])
	if number == "" {
		return inquiryRecord{}, scrape.Failf(scrape.Changed, "a record has no license number")
	}
	status, err := texasStatus(value[texasStatusLabel])
	if err != nil {
		return inquiryRecord{}, err
	}
	suspensions, err := texasSuspensions(table.NextAll().First().Filter(q.violations))
	if err != nil {
		return inquiryRecord{}, err
	}
	expires, known := printed(value[texasExpiresLabel], texasDates...)
	issued, _ := printed(value[texasIssuedLabel], texasDates...)
	r := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: value[texasTypeLabel], DBAName: value[texasDBALabel], OwnerName: value[texasOwnerLabel],
		ExpirationDate: expires, Status: status, Suspensions: suspensions,
		Address: texasAddress(value[texasAddressLabel], value[texasCountyLabel]),
	}
	return inquiryRecord{counted{r, requiredTexas(r, known)}, texasNumber(value[texasLegacyLabel]), issued}, nil
}

// pairsOf reads rows of a label and a value.
func pairsOf(table *goquery.Selection) map[string]string {
	values := map[string]string{}
	table.Find("tr").Each(func(_ int, row *goquery.Selection) {
		cells := row.Children()
		if cells.Length() < 2 {
			return
		}
		label := strings.TrimRight(clean(cells.Eq(0).Text()), ": ")
		if _, twice := values[label]; !twice {
			values[label] = clean(cells.Eq(1).Text())
		}
	})
	return values
}

// texasSuspensions are the violations that led to a suspension. Other discipline, such as a penalty, has no end.
func texasSuspensions(table *goquery.Selection) ([]contracts.Suspension, error) {
	all := served()
	if table.Length() == 0 {
		return all, nil
	}
	rows := table.Find("tr")
	at := map[string]int{}
	rows.First().Children().Each(func(i int, cell *goquery.Selection) { at[clean(cell.Text())] = i })
	for _, heading := range []string{texasReasonHeading, texasDispositionHeading, texasBeginHeading, texasEndHeading} {
		if _, ok := at[heading]; !ok {
			return nil, scrape.Failf(scrape.Changed, "the violations have no column %q", heading)
		}
	}
	var err error
	rows.Slice(1, rows.Length()).EachWithBreak(func(_ int, row *goquery.Selection) bool {
		cell := func(heading string) string { return clean(row.Children().Eq(at[heading]).Text()) }
		begin, ok := printed(cell(texasBeginHeading), texasDates...)
		end, also := printed(cell(texasEndHeading), texasDates...)
		if !ok || !also || row.Children().Length() != len(at) {
			err = scrape.Failf(scrape.Changed, "a violation has dates that cannot be read")
			return false
		}
		if strings.Contains(strings.ToUpper(cell(texasDispositionHeading)), "SUSPEN") {
			all = append(all, contracts.Suspension{StartDate: begin, EndDate: end, Reason: cell(texasReasonHeading)})
		}
		return true
	})
	return all, err
}

// texasTail ends an address: city, state and ZIP code.
var texasTail = regexp.MustCompile(`^(.*?),\s*([^,]+),\s*([A-Za-z]{2})\s+(\d{5}(?:-?\d{4})?)$`)

// texasAddress splits "STREET, CITY, TX 787511412". What cannot be split is kept whole.
func texasAddress(raw, county string) contracts.Address {
	a := contracts.Address{Raw: raw, County: county}
	if m := texasTail.FindStringSubmatch(raw); m != nil {
		a.Street, a.City, a.State, a.ZipCode = clean(m[1]), clean(m[2]), strings.ToUpper(m[3]), zipCode(m[4])
	}
	return a
}

// numbered is the record of a number, by today's or the former one; the newest when there are several.
func (a *inquiryAnswer) numbered(number string) (counted, bool) {
	of := slices.DeleteFunc(slices.Clone(a.records), func(r inquiryRecord) bool { return r.LicenseNumber != number && r.legacy != number })
	if len(of) == 0 {
		return counted{}, false
	}
	return slices.MaxFunc(of, func(a, b inquiryRecord) int { return strings.Compare(string(a.issued), string(b.issued)) }).counted, true
}

// matching is what a search found. The form bounds what it shows: then its count is the total.
func (a *inquiryAnswer) matching(q contracts.Query) (Found, contracts.Tally, error) {
	var all []counted
	for _, r := range a.records {
		if matches(q, r.LicenseRecord) {
			all = append(all, r.counted)
		}
	}
	if len(all) == 0 && len(a.records) > 0 {
		return Found{}, contracts.Tally{}, scrape.Failf(scrape.Changed, "the records do not hold what was asked for")
	}
	all = distinct(all)
	total := len(all)
	if a.total > len(a.records) {
		total = a.total
	}
	records, sum := firstByNumber(all)
	return Found{Total: total, Records: records}, sum, nil
}
