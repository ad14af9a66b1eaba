package florida

import (
	"regexp"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/outline"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// What the portal's pages say (code). The error page misspells its title.
var (
	errorPage   = regexp.MustCompile(`(?i)error has occur?red`)
	resultsPage = regexp.MustCompile(`(?i)search results`)
	noRecords   = regexp.MustCompile(`(?i)no records found(?: for \w+ search)?\s*(?:\.|$)`)
	detailLink  = regexp.MustCompile(`(?i)LicenseDetail\.asp\?.*\bid=([0-9A-F]{32})\b`)
)

// ofExpiration is in the heading of the column with the status and, below it, the expiration date (guess: its exact
// words were not noted).
const ofExpiration = "expir"

const detailURL = "https://www.myfloridalicense.com/LicenseDetail.asp?SID=&id="

// resultLine is one line of a page of results: a license under one of its names, the owner's or the business's (DBA).
type resultLine struct {
	// id is the portal's key of the license; rank is its type, such as 4COP-SFS.
	id, number, name, rank string
	// dba is true when the name is that of the business.
	dba       bool
	expires   contracts.Date
	dateClean bool
	location  string
	status    contracts.Status
	// unclear tells that the status is not understood.
	unclear bool
	spots   []scrape.Spot
}

// foundLicense is a license that results show.
type foundLicense struct {
	register.Record
	// unclear tells that its status is not understood.
	unclear bool
	// url is that of the license's own page.
	url string
	// licensed is the day of its licensure; empty until its own page was read.
	licensed contracts.Date
}

// readResults reads a page of results, and tells how many lines it has in all. A page without any must say that there
// are none. Applications, and licenses that are not for liquor, are left out of the lines.
func readResults(doc *goquery.Document) (lines []resultLine, all int, err error) {
	doc = webforms.Shown(doc)
	rows := 0     // of liquor licenses and applications
	dated := true // whether the last column is headed as that of the expiration, where it has a heading
	doc.Find("tr").EachWithBreak(func(_ int, row *goquery.Selection) bool {
		cells := row.ChildrenFiltered("td")
		link, ok := cells.Find("a").Attr("href")
		if columns := row.Children(); columns.Length() == 5 && !ok {
			dated = strings.Contains(strings.ToLower(columns.Eq(4).Text()), ofExpiration)
		}
		if cells.Length() != 5 || !ok || !detailLink.MatchString(link) {
			return true
		}
		all++
		var l resultLine
		l, err = readLine(cells, link)
		if l.number != "" {
			rows++
		}
		if !dated {
			l.expires, l.dateClean = "", false
		}
		if err == nil && l.number != "" && (l.unclear || l.status != register.NoLicense) {
			addresses := row.NextAllFiltered("tr").First()
			l.location = locationText(addresses)
			l.unclear = l.unclear || l.status == contracts.Active && contradicts(addresses)
			lines = append(lines, l)
		}
		return err == nil
	})
	switch text := fold.Blanks(doc.Find("body").Text()); {
	case err != nil:
		return nil, all, err
	case rows > 0 && resultsPage.MatchString(text):
		return lines, all, nil
	case rows == 0 && noRecords.MatchString(text) && !outline.SaysTrouble(text) &&
		doc.Find("a[href*='LicenseDetail']").Length() == 0:
		return nil, all, nil
	}
	return nil, all, scrape.Failf(scrape.Changed, "the page is neither results nor says that there are none")
}

// readLine reads the cells of a line: type | name | Primary or DBA | number, rank | status, expiration. The line's
// number is empty when the license is not one for liquor. A number or a status that is not known makes the line
// unclear, and so does a word beside the status.
func readLine(cells *goquery.Selection, link string) (resultLine, error) {
	l := resultLine{id: detailLink.FindStringSubmatch(link)[1], name: fold.Blanks(cells.Eq(1).Text())}
	numberAndRank, wordAndDate := cellLines(cells.Eq(3)), cellLines(cells.Eq(4))
	if len(numberAndRank) == 0 || len(wordAndDate) == 0 {
		return l, scrape.Failf(scrape.Changed, "a line of the results has no number or no status")
	}
	if !isBeverage(numberAndRank[0]) {
		return l, nil
	}
	var err error
	if l.number, err = contracts.NormalLicenseNumber(contracts.FL, numberAndRank[0]); err != nil {
		l.number, l.unclear = numberAndRank[0], true
	}
	switch kind := strings.ToUpper(fold.Blanks(cells.Eq(2).Text())); kind {
	case "PRIMARY":
	case "DBA":
		l.dba = true
	default:
		return l, scrape.Failf(scrape.Changed, "a name is neither primary nor DBA but %q", contracts.Printable(kind))
	}
	if len(numberAndRank) > 1 {
		l.rank = strings.Join(strings.Fields(strings.ToUpper(numberAndRank[1])), "-")
	}
	status, known := statusOf(wordAndDate[0])
	l.status, l.unclear = status, l.unclear || !known
	l.spots = []scrape.Spot{webforms.SpotOf(cells.Eq(3), numberAndRank[0]), webforms.SpotOf(cells.Eq(4), wordAndDate[0])}
	date := ""
	if len(wordAndDate) > 1 {
		date = wordAndDate[1]
	}
	l.expires, l.dateClean = register.Date(date, dateLayouts...)
	l.unclear = l.unclear || len(wordAndDate) > 2 || !l.dateClean && !strings.ContainsAny(date, "0123456789")
	return l, nil
}

func statusOf(word string) (contracts.Status, bool) {
	return portalWords.Find(strings.ReplaceAll(word, ",", ", "))
}

// cellLines are the lines of a cell that are not empty.
func cellLines(cell *goquery.Selection) []string {
	var lines []string
	for _, n := range cell.Nodes {
		lines = append(lines, outline.Lines(n)...)
	}
	return lines
}

// locationText is the license's location from the row of addresses below a line. The main address in that row is
// the owner's.
func locationText(addresses *goquery.Selection) string {
	place := ""
	addresses.Find("tr").EachWithBreak(func(_ int, row *goquery.Selection) bool {
		cells := row.ChildrenFiltered("td")
		if cells.Length() >= 2 && strings.HasPrefix(strings.ToUpper(fold.Blanks(cells.Eq(0).Text())), "LICENSE LOCATION") {
			place = cells.Eq(1).Text()
		}
		return place == ""
	})
	return place
}

// labels are those of the row of addresses, and of a license's own page but for its status (code).
var labels = outline.Labels{
	"Main Address", "License Location Address", "Mailing Address",
	"Name", "License Mailing", "License Location", "License Type", "Rank", "License Number", "Licensure Date", "Expires",
}

// contradicts tells whether rows in it say under another label that the license is not in force.
func contradicts(rows *goquery.Selection) bool {
	return rows.Find("tr:not(:has(tr))").FilterFunction(func(_ int, row *goquery.Selection) bool {
		cells := row.ChildrenFiltered("td")
		label := strings.TrimRight(fold.Blanks(cells.Eq(0).Text()), ": *")
		values := cells.Slice(min(1, cells.Length()), cells.Length())
		return outline.Contradicts(label, fold.Blanks(values.Text()), labels)
	}).Length() > 0
}

// linesByLicense groups the lines of each license, in the order of the page. Lines with the same key and the same
// number are of one license.
func linesByLicense(lines []resultLine) [][]resultLine {
	var groups [][]resultLine
	for _, l := range lines {
		i := slices.IndexFunc(groups, func(g []resultLine) bool { return g[0].id == l.id && g[0].number == l.number })
		if i < 0 {
			groups = append(groups, []resultLine{l})
			continue
		}
		groups[i] = append(groups[i], l)
	}
	return groups
}

// mergeLines makes a license of its lines: the owner from one, the business name from another. It is unclear when they
// differ in the status.
func mergeLines(lines []resultLine) foundLicense {
	first := lines[0]
	r := contracts.LicenseRecord{
		LicenseNumber: first.number, LicenseTypeCode: first.rank,
		ExpirationDate: first.expires, Status: first.status,
		Address: splitAddress(first.location, first.number),
	}
	unclear := false
	for _, l := range lines {
		unclear = unclear || l.unclear || l.status != first.status
		switch {
		case l.dba && r.DBAName == "":
			r.DBAName = l.name
		case !l.dba && r.OwnerName == "":
			r.OwnerName = l.name
		}
	}
	record := register.Record{LicenseRecord: r, Spots: first.spots,
		Unreadable: register.UnreadableUnless(first.dateClean, register.Expiration)}
	return foundLicense{Record: record, unclear: unclear, url: detailURL + first.id}
}

// addressTail takes state and ZIP code from the end of an address.
var addressTail = regexp.MustCompile(`^(.*),\s*([A-Za-z]{2})\s+(\d{5}(?:-?\d{4})?)$`)

// splitAddress splits "16727 SW 135 AVE  ARCHER, FL 32618": two blanks stand before the city. The county is told by
// the license number, whose first two digits are its code. A text in another form stays in Raw alone.
func splitAddress(place, number string) contracts.Address {
	place = strings.TrimSpace(strings.NewReplacer("\u00a0", " ", "\r", " ", "\n", " ", "\t", " ").Replace(place))
	code, _ := strings.CutPrefix(number, "BEV")
	a := contracts.Address{Raw: place, County: countyOf(code[:min(2, len(code))])}
	tail := addressTail.FindStringSubmatch(place)
	if tail == nil {
		return a
	}
	a.State, a.ZipCode = strings.ToUpper(tail[2]), register.ZipCode(tail[3])
	if street, city, ok := register.SplitAtTwoBlanks(strings.TrimSpace(tail[1])); ok {
		a.Street, a.City = street, city
	}
	return a
}

// readDetail completes a license from its own page, whose rows hold a label and a value. The license is unclear when its
// page says something else of its status.
func readDetail(doc *goquery.Document, l foundLicense) (foundLicense, error) {
	doc = webforms.Shown(doc)
	values := map[string][]string{}
	doc.Find("tr").Each(func(_ int, row *goquery.Selection) {
		cells := row.ChildrenFiltered("td")
		if cells.Length() < 2 {
			return
		}
		label := strings.TrimRight(fold.Blanks(cells.Eq(0).Text()), ": *")
		if _, twice := values[label]; !twice {
			values[label] = cellLines(cells.Eq(1))
		}
	})
	number, err := contracts.NormalLicenseNumber(contracts.FL, strings.Join(values["License Number"], ""))
	if err != nil || number != l.LicenseNumber {
		return l, scrape.Failf(scrape.Changed, "the page of a license is that of another")
	}
	licensed, ok := register.Date(strings.Join(values["Licensure Date"], ""), dateLayouts...)
	if !ok || licensed == "" {
		return l, scrape.Failf(scrape.Changed, "the page of a license has no licensure date")
	}
	l.licensed = licensed
	if word := strings.Join(values["Status"], " "); word != "" {
		status, known := statusOf(word)
		l.unclear = l.unclear || !known || status != l.Status
	}
	l.unclear = l.unclear || l.Status == contracts.Active &&
		(contradicts(doc.Selection) || outline.Notice(outline.Of(doc.Nodes[0], nil), nil, number) != "")
	for _, name := range values["Name"] {
		if owner, ok := strings.CutSuffix(name, "(Primary Name)"); ok {
			l.OwnerName = fold.Blanks(owner)
		}
		if dba, ok := strings.CutSuffix(name, "(DBA Name)"); ok {
			l.DBAName = fold.Blanks(dba)
		}
	}
	if l.OwnerName == "" {
		return l, scrape.Failf(scrape.Changed, "the page of a license names no owner")
	}
	return l, nil
}
