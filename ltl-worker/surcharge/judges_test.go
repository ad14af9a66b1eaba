package surcharge_test

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay.dev/ltl-worker/trust"
	"assay.dev/platform/scrape"
)

var showJudges = flag.Bool("judges", false, "print what both judges say of all documents; it takes minutes")

// judged is a document with what trust knows of it.
type judged struct {
	caseDocument
	reading trust.Reading
	isClear bool // for the judge of before
	isRight bool // all weeks that were read are wanted ones
	isWhole bool // and all that are wanted were read
}

func (d caseDocument) judged() (judged, bool) {
	j := judged{caseDocument: d}
	r, err := d.read()
	if err != nil || len(r.Weeks) == 0 {
		return j, false
	}
	j.isClear = d.answer(r).Body(1).Verifiability.ExtractionConfidence >= 0.90
	j.isRight, j.isWhole = true, len(r.Weeks) == len(d.said.Want)
	for _, w := range r.Weeks {
		j.isRight = j.isRight && d.differs(w.SurchargeWeek) == ""
	}
	for _, w := range slices.Backward(r.Coming) {
		j.reading.Weeks = append(j.reading.Weeks, w.SurchargeWeek)
	}
	for _, w := range r.Weeks {
		j.reading.Weeks = append(j.reading.Weeks, w.SurchargeWeek)
	}
	if d.json {
		j.reading.Path = "api"
		j.reading.Lines, err = trust.LinesOfJSON(d.body, j.reading.Weeks)
		return j, err == nil
	}
	root, err := scrape.ParseHTML(d.body)
	if err != nil {
		return j, false
	}
	j.reading.Path, j.reading.Lines = "page", trust.LinesOfHTML(root, j.reading.Weeks)
	return j, true
}

// after judges a document of a carrier as if another one of it had been accepted.
func (j judged) after(accepted judged) trust.Verdict {
	wording := trust.Wording{Editions: []trust.Edition{trust.NewEdition(accepted.reading, "a person", accepted.now(), "", false)}}
	return trust.Judge(j.reading, wording.Known(j.reading.Path, accepted.now()), trust.Past{Clean: accepted.reading.Weeks})
}

// TestBothJudges measures: go test . -run TestBothJudges -v -args -judges
func TestBothJudges(t *testing.T) {
	if !*showJudges {
		t.Skip("no -judges")
	}
	var all, plain, values, traps, clear, wrong, unknown, pairs, passed int
	for _, set := range caseSets {
		var plains, trapped []judged
		for _, d := range caseDocuments(t, filepath.Join("testdata", set)) {
			all++
			j, ok := d.judged()
			if ok && trust.Judge(j.reading, trust.Known{}, trust.Past{}).IsClean() {
				unknown++
			}
			if !d.isTrap() {
				plain++
				if ok && j.isRight && j.isWhole {
					values++
					plains = append(plains, j)
				}
				if ok && j.isClear {
					clear++
				}
				continue
			}
			traps++
			if ok && j.isClear && !j.isRight {
				wrong++
			}
			if ok && !j.isRight {
				trapped = append(trapped, j)
			}
		}
		for _, trap := range trapped {
			for _, p := range plains {
				if p.said.Carrier != trap.said.Carrier || p.json != trap.json {
					continue
				}
				pairs++
				if trap.after(p).IsClean() {
					passed++
					t.Logf("%s/%s after %s: %s", set, trap.name, p.name, strings.TrimSpace(trap.said.Why))
				}
			}
		}
	}
	t.Logf("%d documents: %d plain, %d with right values, %d clear before; %d traps, %d wrong and clear before", all, plain, values, clear, traps, wrong)
	t.Logf("with no wording known %d clean; of %d traps shown after an accepted plain one of the same carrier and author %d clean", unknown, pairs, passed)
}
