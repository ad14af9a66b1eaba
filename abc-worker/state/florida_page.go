package state

import (
	"regexp"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// What the portal's pages say of themselves (code). The misspelling is theirs.
var (
	floridaError   = regexp.MustCompile(`(?i)error has occur?red`)
	floridaResults = regexp.MustCompile(`(?i)search results`)
	floridaNone    = regexp.MustCompile(`(?i)no records found`)
	floridaLink    = regexp.MustCompile(`(?i)LicenseDetail\.asp\?.*\bid=([0-9A-F]{32})\b`)
)

const floridaDetailURL = "https://www.myfloridalicense.com/LicenseDetail.asp?SID=&id="

// floridaLine is one line of the results: a license under one of its names.
type floridaLine struct {
	id, number, name, rank string
	// dba is set when the name is the trade name.
	dba       bool
	expires   contracts.Date
	dateClean bool
	location  string
	status    contracts.Status
}

// floridaLicense is a license and its own page. licensed is known when that was read.
type floridaLicense struct {
	counted
	url      string
	licensed contracts.Date
}

// floridaLines reads a page of results. A page that neither has them nor says that there are none is a failure.
func floridaLines(doc *goquery.Document) ([]floridaLine, error) {
	var lines []floridaLine
	var err error
	doc.Find("tr").EachWithBreak(func(_ int, row *goquery.Selection) bool {
		cells := row.ChildrenFiltered("td")
		link, ok := cells.Find("a").Attr("href")
		if cells.Length() != 5 || !ok || !floridaLink.MatchString(link) {
			return true
		}
		var l floridaLine
		l, err = floridaLineOf(cells, link)
		if err == nil && l.number != "" {
			l.location = floridaPlace(row.NextAllFiltered("tr").First())
			lines = append(lines, l)
		}
		return err == nil
	})
	switch text := clean(doc.Find("body").Text()); {
	case err != nil:
		return nil, err
	case len(lines) > 0 && floridaResults.MatchString(text):
		return lines, nil
	case len(lines) == 0 && floridaNone.MatchString(text) && doc.Find("a[href*='LicenseDetail']").Length() == 0:
		return nil, nil
	}
	return nil, scrape.Failf(scrape.Changed, "the page is neither results nor says that there are none")
}

// floridaLineOf reads type | name | Primary or DBA | number, rank | status, expiration. The number is empty when it is not one of
// a beverage license.
func floridaLineOf(cells *goquery.Selection, link string) (floridaLine, error) {
	l := floridaLine{id: floridaLink.FindStringSubmatch(link)[1], name: clean(cells.Eq(1).Text())}
	numberAndRank, wordAndDate := linesOf(cells.Eq(3)), linesOf(cells.Eq(4))
	if len(numberAndRank) == 0 || len(wordAndDate) == 0 {
		return l, scrape.Failf(scrape.Changed, "a line of the results has no number or no status")
	}
	if !isBeverage(numberAndRank[0]) {
		return l, nil
	}
	var err error
	if l.number, err = contracts.NormalLicenseNumber(contracts.FL, numberAndRank[0]); err != nil {
		return l, scrape.Failf(scrape.Changed, "%q is no license number", contracts.Printable(numberAndRank[0]))
	}
	switch kind := strings.ToUpper(clean(cells.Eq(2).Text())); kind {
	case "PRIMARY":
	case "DBA":
		l.dba = true
	default:
		return l, scrape.Failf(scrape.Changed, "a name is neither primary nor DBA but %q", contracts.Printable(kind))
	}
	if len(numberAndRank) > 1 {
		l.rank = strings.Join(strings.Fields(strings.ToUpper(numberAndRank[1])), "-")
	}
	if l.status, err = floridaWords.status(strings.ReplaceAll(wordAndDate[0], ",", ", ")); err != nil {
		return l, err
	}
	date := ""
	if len(wordAndDate) > 1 {
		date = wordAndDate[1]
	}
	l.expires, l.dateClean = printed(date, floridaDates...)
	return l, nil
}

// linesOf are the lines of a cell that are not empty.
func linesOf(cell *goquery.Selection) []string {
	var lines []string
	for _, n := range cell.Nodes {
		for _, line := range strings.Split(textOf(n), "\n") {
			if line = clean(line); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// floridaPlace is the text of the location in the row of addresses; the main address is the owner's.
func floridaPlace(addresses *goquery.Selection) string {
	place := ""
	addresses.Find("tr").EachWithBreak(func(_ int, row *goquery.Selection) bool {
		cells := row.ChildrenFiltered("td")
		if cells.Length() >= 2 && strings.HasPrefix(strings.ToUpper(clean(cells.Eq(0).Text())), "LICENSE LOCATION") {
			place = cells.Eq(1).Text()
		}
		return place == ""
	})
	return place
}

// byLicense groups the lines by the license's key, in the order of the page. A license that has no key of its own is one by its
// number.
func byLicense(lines []floridaLine) [][]floridaLine {
	var groups [][]floridaLine
	for _, l := range lines {
		i := slices.IndexFunc(groups, func(g []floridaLine) bool { return g[0].id == l.id && g[0].number == l.number })
		if i < 0 {
			groups = append(groups, []floridaLine{l})
			continue
		}
		groups[i] = append(groups[i], l)
	}
	return groups
}

func licenseOf(lines []floridaLine) floridaLicense {
	first := lines[0]
	r := contracts.LicenseRecord{
		LicenseNumber: first.number, LicenseTypeCode: first.rank, ExpirationDate: first.expires, Status: first.status,
		Address: floridaAddress(first.location, first.number), Suspensions: served(),
	}
	for _, l := range lines {
		switch {
		case l.dba && r.DBAName == "":
			r.DBAName = l.name
		case !l.dba && r.OwnerName == "":
			r.OwnerName = l.name
		}
	}
	return floridaLicense{counted: counted{r, requiredFlorida(r, first.dateClean).Add(tally(true))}, url: floridaDetailURL + first.id}
}

// floridaTail ends an address: city, state and ZIP code.
var floridaTail = regexp.MustCompile(`^(.*),\s*([A-Za-z]{2})\s+(\d{5}(?:-?\d{4})?)$`)

// floridaAddress splits "16727 SW 135 AVE  ARCHER, FL 32618": two blanks stand before the city. The county is in the number.
func floridaAddress(place, number string) contracts.Address {
	place = strings.TrimSpace(strings.NewReplacer("\u00a0", " ", "\r", " ", "\n", " ", "\t", " ").Replace(place))
	a := contracts.Address{Raw: place, County: floridaCounty(strings.TrimPrefix(number, "BEV")[:2])}
	tail := floridaTail.FindStringSubmatch(place)
	if tail == nil {
		return a
	}
	a.State, a.ZipCode = strings.ToUpper(tail[2]), zipCode(tail[3])
	if street, city, ok := cutLast(strings.TrimSpace(tail[1]), "  "); ok {
		a.Street, a.City = clean(street), clean(city)
	}
	return a
}

// floridaDetail completes a license from its own page: labels stand in a font element, values in bold in the next cell.
func floridaDetail(doc *goquery.Document, l floridaLicense) (floridaLicense, error) {
	values := map[string][]string{}
	doc.Find("tr").Each(func(_ int, row *goquery.Selection) {
		cells := row.ChildrenFiltered("td")
		if cells.Length() < 2 {
			return
		}
		label := strings.TrimRight(clean(cells.Eq(0).Text()), ": *")
		if _, twice := values[label]; !twice {
			values[label] = linesOf(cells.Eq(1))
		}
	})
	number, err := contracts.NormalLicenseNumber(contracts.FL, strings.Join(values["License Number"], ""))
	if err != nil || number != l.LicenseNumber {
		return l, scrape.Failf(scrape.Changed, "the page of a license is that of another")
	}
	licensed, ok := printed(strings.Join(values["Licensure Date"], ""), floridaDates...)
	if !ok || licensed == "" {
		return l, scrape.Failf(scrape.Changed, "the page of a license has no licensure date")
	}
	l.licensed = licensed
	for _, name := range values["Name"] {
		if owner, ok := strings.CutSuffix(name, "(Primary Name)"); ok {
			l.OwnerName = clean(owner)
		}
		if dba, ok := strings.CutSuffix(name, "(DBA Name)"); ok {
			l.DBAName = clean(dba)
		}
	}
	if l.OwnerName == "" {
		return l, scrape.Failf(scrape.Changed, "the page of a license names no owner")
	}
	l.Tally = requiredFlorida(l.LicenseRecord, true).Add(tally(true))
	return l, nil
}
