package texas

import (
	"cmp"
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

// violationHeadings are the columns of a violation in the commission's export (source: its record layout of 2020). A
// record may show them as labels of its own.
var violationHeadings = outline.Labels{
	"Complaint #", "Status", "Date", "Code", reasonHeading, "Docket #", dispositionHeading, "Penalty Fine", "Penalty Paid",
	"Penalty Paid Date", beginHeading, endHeading,
}

// ofViolations finds what a page says of discipline.
var ofViolations = regexp.MustCompile(`(?i)suspen|disciplin|violation|disposition|penalt|complaint|docket`)

// suspendedWord is the status of a license that was suspended, and not surrendered for a time.
const suspendedWord = "Suspended"

// violation is what a page says of one violation, by the headings.
type violation map[string]string

// unlabelled is where the values stand that have no label, such as a notice that spans the columns.
const unlabelled = " "

// labelledValues reads the rows of a table: labels, each with the value behind it, by their names in small letters. Two
// with one label are both told. The labels of violations are told from those of the record by where they begin:
// a label that a violation has already begins the next one.
func labelledValues(table *goquery.Selection) (values map[string]string, spots map[string]scrape.Spot,
	violations []violation) {
	values, spots = map[string]string{}, map[string]scrape.Spot{}
	table.Find("tr").Each(func(_ int, row *goquery.Selection) {
		cells := row.Children()
		if last := cells.Last(); cells.Length()%2 == 1 && !last.Is("th") {
			values[unlabelled] += fold.Blanks(last.Text()) + ". "
		}
		for i := 0; i+1 < cells.Length(); i += 2 {
			label := strings.TrimRight(fold.Blanks(cells.Eq(i).Text()), ": ")
			text := fold.Blanks(cells.Eq(i + 1).Text())
			name := strings.ToLower(label)
			_, isKnown := values[name]
			heading := violationHeadings.Find(strings.TrimPrefix(name, "violation "))
			switch isOfViolation := ofViolations.MatchString(label); {
			case !isOfViolation && (heading == "" || len(violations) == 0):
				if values[name] = outline.Both(values[name], text); !isKnown {
					spots[name] = webforms.SpotOf(cells.Eq(i+1), text)
				}
				continue
			case heading == "": // kept, so that the violation is not understood
				heading = label
			}
			if n := len(violations); n == 0 || violations[n-1].has(heading) {
				violations = append(violations, violation{})
			}
			violations[len(violations)-1][heading] = text
		}
	})
	return values, spots, violations
}

func (v violation) has(heading string) bool { _, ok := v[heading]; return ok }

// violationsIn reads a table of violations. The failure is changed: it lacks a column that is needed.
func violationsIn(table *goquery.Selection) (violations []violation, err error) {
	if table.Length() == 0 {
		return nil, nil
	}
	rows := table.Find("tr")
	var headings []string
	rows.First().Children().Each(func(_ int, cell *goquery.Selection) {
		text := fold.Blanks(cell.Text())
		headings = append(headings,
			cmp.Or(violationHeadings.Find(strings.TrimPrefix(strings.ToLower(text), "violation ")), text))
	})
	for _, heading := range neededHeadings {
		if !slices.Contains(headings, heading) {
			return nil, scrape.Failf(scrape.Changed, "the violations have no column %q", heading)
		}
	}
	rows.Slice(1, rows.Length()).EachWithBreak(func(_ int, row *goquery.Selection) bool {
		cells := row.Children()
		if cells.Length() != len(headings) {
			err = scrape.Failf(scrape.Changed, "a violation has other columns than its table")
			return false
		}
		v := violation{}
		for i, heading := range headings {
			v[heading] = fold.Blanks(cells.Eq(i).Text())
		}
		violations = append(violations, v)
		return true
	})
	return violations, err
}

// neededHeadings are those without which nothing is known of a violation.
var neededHeadings = []string{reasonHeading, dispositionHeading, beginHeading, endHeading}

// suspensionsIn are the violations that led to a suspension. Other discipline, such as a penalty, is passed over. The
// failure is changed: a violation lacks what is needed, or has a date that cannot be read.
func suspensionsIn(violations []violation) ([]contracts.Suspension, error) {
	all := register.NoSuspensions()
	for _, v := range violations {
		begin, ok := register.Date(v[beginHeading], dateLayouts...)
		end, also := register.Date(v[endHeading], dateLayouts...)
		if !ok || !also || slices.ContainsFunc(neededHeadings, func(h string) bool { return !v.has(h) }) {
			return nil, scrape.Failf(scrape.Changed, "a violation cannot be read")
		}
		if strings.Contains(strings.ToUpper(v[dispositionHeading]), "SUSPEN") {
			all = append(all, contracts.Suspension{StartDate: begin, EndDate: end, Reason: v[reasonHeading]})
		}
	}
	return all, nil
}
