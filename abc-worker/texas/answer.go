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
	"assay.dev/abc-worker/outline"
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
	// violations is how many tables of violations were read.
	violations int
	readAt     time.Time
	// lines are the headings and the texts of the page. day is the one that it says it is of; zero where it says none.
	lines []outline.Piece
	day   time.Time
}

type inquiryRecord struct {
	register.Record
	// unclear tells that the record is not understood.
	unclear bool
	// legacy is the number before 2021.
	legacy string
	issued contracts.Date
	// violations is how many tables of violations were read with it.
	violations int
}

// parse reads the page behind the empty form. A page without records must say that there are none, or that the code was
// refused.
func (q *inquiry) parse(page *scrape.Page, form *goquery.Document) (*inquiryAnswer, error) {
	doc, err := webforms.Document(page)
	if err != nil {
		return nil, err
	}
	lines := linesOf(doc)
	day, err := outline.Believe(lines, zone)
	if err != nil {
		return nil, err
	}
	doc = webforms.Shown(doc)
	a := &inquiryAnswer{lines: lines, day: day, message: fold.Blanks(doc.Find(q.message).Text()), readAt: page.ReadAt}
	if q.wrongCode.MatchString(a.message) || q.expiredCode.MatchString(a.message) {
		return a, nil
	}
	doc.Find(q.record).EachWithBreak(func(_ int, table *goquery.Selection) bool {
		var r inquiryRecord
		if r, err = q.recordOf(table); err == nil {
			a.records = append(a.records, r)
			a.violations += r.violations
		}
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	if listed := doc.Find(q.violations).Length(); listed != a.violations {
		for i := range a.records {
			a.records[i].Unreadable = a.records[i].Unreadable.With(register.Suspensions)
		}
	}
	count := doc.Find(q.count).Text()
	if len(a.records) == 0 {
		if !q.saysNone(a, linesOf(form), count) {
			return nil, scrape.Failf(scrape.Changed, "the page has no record and says %q", contracts.Printable(a.message))
		}
		return a, nil
	}
	a.total, err = statedCount(count, lines, len(a.records))
	return a, err
}

// linesOf are the headings and the texts of a page.
func linesOf(doc *goquery.Document) []outline.Piece {
	inTables := func(p outline.Piece) bool { return p.Kind == outline.Label || p.Kind == outline.Value }
	return slices.DeleteFunc(outline.Of(doc.Nodes[0], nil), inTables)
}

// advice begins a sentence of what to do in a case. Where it stands on the empty form too, the case need not be there;
// but one that tells what an empty result does not prove is always meant.
var (
	advice = regexp.MustCompile(`(?i)^\W*(?:if|when|should)\b`)
	caveat = regexp.MustCompile(`(?i)\b(?:no (?:\w+ )?(?:records|results|licenses|matches)|database|incomplete|maintenance|outages?|unavailable)\b`)
)

// saysNone tells whether a page says that there are no records, and of no failure.
func (q *inquiry) saysNone(a *inquiryAnswer, form []outline.Piece, count string) bool {
	none := q.noRecords.MatchString(a.message)
	if m := leadingCount.FindStringSubmatch(count); m != nil && a.message == "" {
		none = strings.Trim(m[1], "0") == ""
	}
	fails := func(p outline.Piece) bool {
		text := p.Text
		if slices.ContainsFunc(form, func(on outline.Piece) bool { return on.Text == text }) {
			isAdvice := func(s string) bool { return advice.MatchString(s) && !caveat.MatchString(s) }
			text = strings.Join(slices.DeleteFunc(strings.Split(text, ". "), isAdvice), ". ")
		}
		return outline.SaysTrouble(text) || q.wrongCode.MatchString(text) || q.expiredCode.MatchString(text)
	}
	return none && !slices.ContainsFunc(append(a.lines, outline.Piece{Text: a.message}, outline.Piece{Text: count}), fails)
}

// leadingCount is the number that "12 record(s) found." begins with.
var leadingCount = regexp.MustCompile(`^\s*(\d{1,7})\b`)

// aCount is a number of records, as in "Records 1-25 of 54".
var aCount = regexp.MustCompile(`\b\d{1,7}\b`)

// statedCount is the number of records that the page states, at the place for it or in a sentence. A page that does not
// state as many as it shows has changed.
func statedCount(text string, lines []outline.Piece, shown int) (int, error) {
	most := outline.Stated(lines)
	for _, count := range aCount.FindAllString(strings.ReplaceAll(text, ",", ""), -1) {
		n, _ := strconv.Atoi(count) // the pattern has seven digits
		most = max(most, n)
	}
	if most < shown {
		return 0, scrape.Failf(scrape.Changed, "the page shows %d records and counts %d", shown, most)
	}
	return most, nil
}

func (q *inquiry) recordOf(table *goquery.Selection) (inquiryRecord, error) {
	value, spots, violations := labelledValues(table)
	number := normalNumber(value[strings.ToLower(numberLabel)])
	if number == "" {
		return inquiryRecord{}, scrape.Failf(scrape.Changed, "a record has no license number")
	}
	status, unknown := statusOf(value[strings.ToLower(statusLabel)])
	behind := table.NextUntil(q.record)
	list := behind.First().Filter(q.violations)
	listed, err := violationsIn(list)
	if err != nil {
		return inquiryRecord{}, err
	}
	suspensions, err := suspensionsIn(append(violations, listed...))
	if err != nil {
		return inquiryRecord{}, err
	}
	// What is said of discipline elsewhere is not read, and a license is not suspended without a suspension.
	readable := !ofViolations.MatchString(behind.Not(q.violations).Text()) &&
		(len(suspensions) > 0 || !strings.EqualFold(value[strings.ToLower(statusLabel)], suspendedWord))
	expires, clean := register.Date(value[strings.ToLower(expiresLabel)], dateLayouts...)
	issued, _ := register.Date(value[strings.ToLower(issuedLabel)], dateLayouts...)
	r := contracts.LicenseRecord{
		LicenseNumber: number, LicenseTypeCode: value[strings.ToLower(typeLabel)],
		DBAName: value[strings.ToLower(dbaLabel)], OwnerName: value[strings.ToLower(ownerLabel)],
		ExpirationDate: expires, Status: status, Suspensions: suspensions,
		Address: splitAddress(value[strings.ToLower(addressLabel)], value[strings.ToLower(countyLabel)]),
	}
	unreadable := register.UnreadableUnless(clean, register.Expiration).
		With(register.UnreadableUnless(readable, register.Suspensions)...)
	return inquiryRecord{
		Record: register.Record{
			LicenseRecord: r, Unreadable: unreadable, Spots: []scrape.Spot{spots[strings.ToLower(numberLabel)],
				spots[strings.ToLower(statusLabel)]},
		},
		unclear: unknown != nil || status == contracts.Active && contradicts(value),
		legacy:  normalNumber(value[strings.ToLower(legacyLabel)]), issued: issued,
		violations: list.Length(),
	}, nil
}

// recordLabels are those of a record whose values say nothing of its standing but for the status.
var recordLabels = outline.Labels{
	numberLabel, legacyLabel, typeLabel, statusLabel, dbaLabel, ownerLabel, addressLabel, countyLabel,
	issuedLabel, expiresLabel,
	"Location Phone", "Mailing Address", "Mailing Phone", "Wine Percent", "Subordinates",
}

// contradicts tells whether a value whose label is not known says that the license is not in force, such as "Secondary
// Status: Suspended".
func contradicts(values map[string]string) bool {
	for label, texts := range values {
		for text := range strings.SplitSeq(texts, outline.And) {
			if outline.Contradicts(label, text, recordLabels) {
				return true
			}
		}
	}
	return false
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

// numbered is the record with that number, be it today's or the former one. Of several, it is the one issued last; it
// is unclear when another one of that day, or of none, has another status.
func (a *inquiryAnswer) numbered(number string) (inquiryRecord, bool) {
	var records []inquiryRecord
	for i := range a.records {
		if r := &a.records[i]; r.LicenseNumber == number || r.legacy == number {
			records = append(records, *r)
		}
	}
	if len(records) == 0 {
		return inquiryRecord{}, false
	}
	byIssue := func(a, b inquiryRecord) int { return strings.Compare(string(a.issued), string(b.issued)) }
	newest := slices.MaxFunc(records, byIssue)
	differs := func(r inquiryRecord) bool {
		return (r.issued == newest.issued || r.issued == "") && r.Status != newest.Status
	}
	newest.unclear = newest.unclear || slices.ContainsFunc(records, differs)
	return newest, true
}

// merge adds what another submission of the form gave.
func (a *inquiryAnswer) merge(b *inquiryAnswer) {
	a.records, a.total = append(a.records, b.records...), a.total+b.total
	if a.readAt.IsZero() {
		a.readAt, a.day = b.readAt, b.day
	}
}

// matching gives the records that match the query. The form shows only the first records of many: then the count that
// it states is the total, if the form was asked by the whole query.
func (a *inquiryAnswer) matching(q contracts.Query) (register.Reading, error) {
	var reading register.Reading
	for _, shown := range a.records {
		r, _ := a.numbered(shown.LicenseNumber)
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
	address, texts := fold.Parts(q.Address), fold.SearchTexts(q.Address)
	return max(len(fold.Parts(q.DBAName)), len(fold.Parts(q.OwnerName)), len(address)) > 1 ||
		len(address) == 1 && (len(texts) == 0 || !slices.Equal(address, texts[0]))
}
