package surcharge_test

import (
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// Texts of testdata/wording beside a table: neutral ones change nothing, foreign ones bring the confidence below the gate, wherever
// they stand. A line that begins with "?" is not judged right in all places yet; one that is must lose the mark.
func TestWordingOfFiles(t *testing.T) {
	judgeFiles(t, "", beside, surcharge.Read)
}

// notInNotes are lines that are judged otherwise as notes of a JSON document than beside a table: most have what a title alone says.
var notInNotes = indexLines(`
White paper: density and classification in 2026
Resources › Fuel Surcharge
Surcharge as a percent of the 2015 level
Pending
Index, base 100
At $4.00 diesel
Calculated with a price of $4
Surcharge = linehaul x percentage
Maximum: 45%
Effective January 1, 2027
Rates effective from 1/1/2027
Starting January 1, 2027
Valid January 1 – June 30, 2026
Schedule in effect 01/01/2025 - 12/31/2025
Fuel surcharge 2027
Fuel surcharges for 2024
Schedule 2024
2024 only
2021 schedule`)

func indexLines(list string) map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(list) {
		all[strings.TrimSpace(line)] = true
	}
	return all
}

// The same texts as notes beside the weeks of a JSON document.
func TestNotesOfFiles(t *testing.T) {
	judgeFiles(t, "", func(text string) map[string]string {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		const weeks = `"weeks":[{"effectiveDate":"2026-09-09","ltlPercent":50.1,"dieselPrice":5.9},{"effectiveDate":"2026-09-02","ltlPercent":48.1,"dieselPrice":5.5}]`
		return map[string]string{
			"note":      `{"title":"LTL Fuel Surcharge","note":` + string(quoted) + "," + weeks + "}",
			"html":      `{"page":{"title":"LTL Fuel Surcharge","intro":{"html":` + string(quoted) + `},"table":{` + weeks + "}}}",
			"footnotes": `{"data":{"ltlFuelSurcharges":{` + weeks + `},"footnotes":[` + string(quoted) + "]}}",
		}
	}, surcharge.ReadJSON)
}

// notInParagraphs are sentences that are judged otherwise between others than alone.
var notInParagraphs = indexLines(`
On time. Every time.
People. Process. Performance.
A division of Holdings Group, Inc.
Saia LTL Freight, Cookeville, Tennessee.
Saia, Inc., Memphis, Tenn.
Outside the continental U.S.
Guaranteed by 10:30 a.m.`)

// The same sentences amid a paragraph: what is said before and after changes nothing.
func TestSentencesAmidOthers(t *testing.T) {
	judgeFiles(t, "", func(text string) map[string]string {
		if !strings.HasSuffix(text, ".") {
			return nil
		}
		return beside("We post the percentage each Tuesday. " + text + " Thank you for shipping with us.")
	}, surcharge.Read)
}

// titlePlaces are where else a title of a table may stand.
var titlePlaces = []string{
	`<h1>Fuel Surcharge</h1><table><caption>@</caption>ROWS`, `<h1>@</h1><table>ROWS`, `<h1>Fuel Surcharge</h1><table aria-label="@">ROWS`,
	`<nav aria-label="breadcrumb"><ol><li><a href="/">Home</a></li><li><a href="/x">Resources</a></li><li aria-current="page">@</li></ol></nav><h1>Fuel Surcharge</h1><table>ROWS`,
	`<h1>Fuel Surcharge</h1><ul role="tablist"><li role="tab" aria-selected="true" aria-controls="p1" id="t1">@</li></ul>` +
		`<div role="tabpanel" id="p1" aria-labelledby="t1"><table>ROWS</div>`,
	`<h1>Fuel Surcharge</h1><details open><summary>@</summary><table>ROWS</details>`, `<h1>Fuel Surcharge</h1><figure><table>ROWS<figcaption>@</figcaption></figure>`,
	`<h1>Fuel Surcharge</h1><form><label>Show <select><option selected>@</option></select></label></form><table>ROWS`,
	`<h1>Fuel Surcharge</h1><fieldset><legend>@</legend><table>ROWS</fieldset>`, `<h1>Fuel Surcharge</h1><div><strong>@</strong></div><table>ROWS`,
}

// The same short titles in other places, each in one of them.
func TestTitlesInOtherPlaces(t *testing.T) {
	const rows = `<thead><tr><th>Effective<th>DOE<th>LTL</thead><tr><td>9/9/2026<td>5.9<td>50.1%<tr><td>9/2/2026<td>5.5<td>48.1%</table>`
	next := 0
	judgeFiles(t, "", func(text string) map[string]string {
		if strings.HasSuffix(text, ".") || len(strings.Fields(text)) > 5 || strings.Contains(text, "›") {
			return nil
		}
		place := titlePlaces[next%len(titlePlaces)]
		next++
		page := strings.NewReplacer("@", html.EscapeString(text), "ROWS", rows).Replace(place)
		return map[string]string{place: "<html><head><title>Fuel Surcharge | Saia</title></head><body><main>" + page + "</main></body></html>"}
	}, surcharge.Read)
}

// The same of headings over the percents.
func TestColumnsOfFiles(t *testing.T) {
	judgeFiles(t, "columns-", func(heading string) map[string]string {
		const weeks = `<tr><td>9/9/2026<td>5.9<td>50.1%<tr><td>9/2/2026<td>5.5<td>48.1%<tr><td>8/26/2026<td>5.4<td>47.1%</table></main>`
		return map[string]string{
			"LTL in the title":    "<title>Fuel Surcharge | Saia</title><main><h1>LTL Fuel Surcharge</h1><table><tr><th>Effective<th>DOE<th>" + heading + weeks,
			"no LTL in the title": "<title>Saia</title><main><h1>Fuel Surcharge</h1><table><tr><th>Effective Date<th>Diesel price<th>" + heading + weeks,
		}
	}, surcharge.Read)
}

// judgeFiles reads the pages that are made of each line of two files.
func judgeFiles(
	t *testing.T, kind string, pages func(text string) map[string]string,
	read func([]byte, surcharge.Rule, contracts.Date) (surcharge.Reading, error),
) {
	day := time.Wednesday
	rule := surcharge.Rule{Weekday: &day, Names: []string{"Saia"}}
	for _, list := range []struct {
		name  string
		clean bool
	}{{"neutral", true}, {"foreign", false}} {
		lines, err := os.ReadFile(filepath.Join("testdata", "wording", kind+list.name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(lines)) {
			text, notYet := strings.CutPrefix(strings.TrimSpace(line), "? ")
			isOther := strings.HasPrefix(t.Name(), "TestNotes") && notInNotes[text] || t.Name() == "TestSentencesAmidOthers" && notInParagraphs[text]
			notYet = notYet != isOther
			var wrong []string
			all := pages(text)
			if all == nil {
				continue
			}
			for place, page := range all {
				r, err := read([]byte(page), rule, "2026-09-10")
				if clean := err == nil && r.Tally().Confidence() == 1; clean != list.clean {
					wrong = append(wrong, place+" "+strings.Join(r.Notes, " / "))
				}
			}
			if notYet && strings.HasPrefix(t.Name(), "TestTitles") {
				continue // right in some places
			}
			if notYet != (len(wrong) > 0) {
				t.Errorf("%s %q, marked %t: %s", list.name, text, notYet, strings.Join(wrong, "; "))
			}
		}
	}
}
