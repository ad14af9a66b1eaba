package trust_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/trust"
)

var showTable = flag.Bool("table", false, "print what both judges say of the sequences")

// editions are read of each sequence, and the change comes with one of them.
const editions, changedAt = 12, 6

// change is a section of testdata/sequences: weekly editions of some sources' pages with one change, and what must come.
//
//	asks    in doubt, or refused
//	clean   clean at once
//	once    clean, at once or from the next edition on when a person has accepted the first
//	right   whatever it is, it is clean with right values only
//	still   in doubt, also at the next edition with accepted words
//	named   cannot be told; the reason stands behind it
type change struct {
	kind, name string
	on         []source
	want       string
	always, do string
}

func changes(t *testing.T) []change {
	t.Helper()
	paths, err := filepath.Glob("testdata/sequences/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no sequences", err)
	}
	var all []change
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			c := change{kind: strings.TrimSuffix(filepath.Base(path), ".txtar"), name: file.Name, on: allSources}
			all = append(all, c.parse(t, string(file.Data))...)
		}
	}
	return all
}

func (c change) parse(t *testing.T, text string) []change {
	var each []change
	for line := range strings.Lines(text) {
		switch key, rest, isField := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); {
		case each != nil:
			one := c
			one.do += " " + strings.TrimSuffix(line, "\n")
			each = append(each, one)
		case strings.TrimSpace(line) == "each:":
			each = []change{}
		case !isField:
			t.Fatalf("%s %s: %q", c.kind, c.name, line)
		case key == "on":
			c.on = nil
			for name := range strings.FieldsSeq(rest) {
				c.on = append(c.on, source(name))
			}
		case key == "want":
			c.want, _, _ = strings.Cut(rest, " ")
		case key == "always":
			c.always = rest
		case key == "do":
			c.do = rest
		}
	}
	if each == nil {
		return []change{c}
	}
	return each
}

// sequence plays the editions of one source under one change.
type sequence struct {
	*sites
	testing.TB
	of      source
	change  change
	wording trust.Wording
	past    trust.Past
	asked   int
}

func newSequence(t testing.TB, s *sites, of source, c change) *sequence {
	return &sequence{sites: s, TB: t, of: of, change: c, past: trust.Past{Table: s.table(t, of), Price: s.price(of)}}
}

// text is the page of an edition, with the change from its edition on.
func (q *sequence) text(n int) string {
	text := q.page(q.TB, q.of, editionAt(n))
	weeks := q.Surcharge(q.of.code(), contracts.Today(editionAt(n).AddDate(0, 0, 14)))
	text = q.apply(text, q.change.always, weeks)
	if n >= changedAt {
		text = q.apply(text, strings.ReplaceAll(q.change.do, "{row}", strconv.Itoa(n-changedAt)), weeks)
	}
	return text
}

// edition reads and judges an edition, and keeps what a clean one showed.
func (q *sequence) edition(n int) (v trust.Verdict, r trust.Reading, isClear bool, err error) {
	r, isClear, err = read(q.of, q.text(n), editionAt(n))
	if err != nil {
		return v, r, false, err
	}
	at := editionAt(n)
	v = trust.Judge(r, q.wording.Known(r.Path, at), q.past)
	if v.IsClean() {
		q.keep(r, v, at)
	}
	return v, r, isClear, nil
}

func (q *sequence) keep(r trust.Reading, v trust.Verdict, at time.Time) {
	q.wording = q.wording.Learn(r, v.Learn, at)
	for _, w := range r.Weeks {
		q.past.Clean = slices.DeleteFunc(slices.Clone(q.past.Clean), func(old contracts.SurchargeWeek) bool { return old.EffectiveDate == w.EffectiveDate })
		q.past.Clean = append(q.past.Clean, w)
	}
	slices.SortFunc(q.past.Clean, func(a, b contracts.SurchargeWeek) int { return cmp.Compare(b.EffectiveDate, a.EffectiveDate) })
}

// accept is what a person does who looked at the page.
func (q *sequence) accept(r trust.Reading, n int) {
	q.asked++
	q.wording.Editions = append(slices.Clip(q.wording.Editions), trust.NewEdition(r, "a person", editionAt(n), "", false))
}

func (q *sequence) acceptFigures(r trust.Reading, n int) {
	q.asked++
	q.wording.Editions = append(slices.Clip(q.wording.Editions), trust.NewEdition(r, "a person", editionAt(n), "", true))
}

// isRight tells whether each week is the one that a right reading gives.
func (q *sequence) isRight(r trust.Reading, n int) bool {
	right := q.rightWeeks(q.of, editionAt(n))
	for _, w := range r.Weeks {
		if percent, ok := right[w.EffectiveDate]; !ok || percent != w.Percent {
			return false
		}
	}
	return true
}

// beforeChange are sequences as they stand before the edition with the change, by their source and what all of their editions have.
var beforeChange = map[string]sequence{}

// play plays a sequence until the edition with the change. It says what came of the change and what the judge of before says of it.
func (q *sequence) play() (outcome, before, why string) {
	key := string(q.of) + q.change.always
	if known, ok := beforeChange[key]; ok {
		q.wording, q.past = known.wording, known.past
	} else if outcome, why = q.playBefore(); outcome != "" {
		return outcome, "", why
	}
	beforeChange[key] = *q
	return q.playChange()
}

func (q *sequence) playBefore() (outcome, why string) {
	for n := range changedAt {
		v, r, _, err := q.edition(n)
		switch {
		case err != nil:
			return "broken", err.Error()
		case v.IsClean():
		case n == 0:
			q.accept(r, n)
			if _, _, _, err := q.edition(n); err != nil {
				return "broken", err.Error()
			}
		case q.change.do == "nothing":
			return "asks", v.Notes[0].Message
		default:
			return "broken", fmt.Sprintf("edition %d: %s", n, v.Notes[0].Message)
		}
	}
	return "", ""
}

func (q *sequence) playChange() (outcome, before, why string) {
	v, r, isClear, err := q.edition(changedAt)
	before = "asks"
	if isClear {
		before = "clean"
	}
	switch {
	case err != nil:
		return "refused", "refused", err.Error()
	case !v.IsClean():
		why = v.Notes[0].Message
		q.accept(r, changedAt)
		if after, _, _, err := q.edition(changedAt + 1); err == nil && after.IsClean() {
			return "once", before, why
		}
		return "asks", before, why
	case !q.isRight(r, changedAt):
		return "clean with other values", before, ""
	}
	return "clean", before, ""
}

// isWanted tells whether an outcome is the one that must come.
func (c change) isWanted(outcome string) bool {
	switch c.want {
	case "asks":
		return outcome == "asks" || outcome == "once" || outcome == "refused"
	case "still":
		return outcome == "asks"
	case "once":
		return outcome == "clean" || outcome == "once"
	case "right":
		return outcome != "clean with other values"
	case "named":
		return true
	}
	return outcome == c.want
}

func TestSequences(t *testing.T) {
	s := newSites(t)
	table := map[string]map[string]int{}
	count := func(kind, what string) {
		if table[kind] == nil {
			table[kind] = map[string]int{}
		}
		table[kind][what]++
	}
	for _, c := range changes(t) {
		for _, of := range c.on {
			outcome, before, why := newSequence(t, s, of, c).play()
			key := c.kind + ", " + c.name
			count(key, "all")
			count(key, "before: "+before)
			count(key, "trust: "+outcome)
			if !c.isWanted(outcome) {
				t.Errorf("%s, %s, %s %q: %s, want %s\n%s", of, c.kind, c.name, c.do, outcome, c.want, why)
			}
		}
	}
	if !*showTable {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		t.Logf("%s: %v", key, table[key])
	}
}

// A person is asked at first contact, and then only when the page changes, or the percent moves against diesel or by more than three points.
func TestAYearOfEditions(t *testing.T) {
	s := newSites(t)
	for _, of := range allSources {
		q := newSequence(t, s, of, change{do: "nothing"})
		for n := range 52 {
			v, r, _, err := q.edition(n)
			if err != nil {
				t.Fatal(err)
			}
			if v.IsClean() {
				continue
			}
			if n > 0 {
				t.Logf("%s, %s: %s", of, r.Weeks[0].EffectiveDate, v.Notes[0].Message)
			}
			q.acceptFigures(r, n)
			if v, _, _, _ := q.edition(n); !v.IsClean() {
				t.Errorf("%s, %s: in doubt after it was accepted: %v", of, r.Weeks[0].EffectiveDate, v.Notes)
			}
		}
		t.Logf("%s: asked %d times in a year", of, q.asked)
		if q.asked > 8 {
			t.Errorf("%s: a person is asked %d times in a year", of, q.asked)
		}
	}
}

var newestForm = regexp.MustCompile(`\{(percent|date)\}`)

// apply changes a page as a directive says.
func (q *sequence) apply(text, do string, weeks []contracts.SurchargeWeek) string {
	verb, rest, _ := strings.Cut(do, " ")
	newest := weeks[0]
	rest = newestForm.ReplaceAllStringFunc(rest, func(form string) string {
		if form == "{date}" {
			return newest.EffectiveDate.Time().Format("January 2, 2006")
		}
		return strconv.FormatFloat(newest.Percent, 'f', 2, 64)
	})
	switch verb {
	case "", "nothing":
		return text
	case "over":
		rows := rowsOf(text, weeks[:1])
		at := strings.LastIndex(strings.ToLower(text[:rows[0][0]]), "<table")
		return text[:at] + rest + "\n" + text[at:]
	case "end":
		return insert(text, "</table>", rest, true)
	case "footer":
		return insert(text, "<footer>", rest, true)
	case "start":
		return insert(text, "<body>", rest, true)
	case "replace":
		old, with, _ := strings.Cut(rest, " => ")
		return strings.ReplaceAll(text, old, with)
	case "member":
		return strings.Replace(text, `"status"`, rest+`,"status"`, 1)
	case "record":
		return strings.Replace(text, `"effectiveDate"`, rest+`,"effectiveDate"`, 1)
	case "retitle":
		return strings.NewReplacer("<h1>", "<h1>Rates: ", "<title>", "<title>New ", "<h2>", "<h2>Our ", "<H2>", "<H2>Our ",
			`"fuelHistory"`, `"fuelSurchargeHistory"`).Replace(text)
	case "restyle":
		return strings.NewReplacer("<table", `<table data-v="2"`, "<main>", `<div><main class="new">`, "</main>", "</main></div>", ":", ": ").Replace(text)
	case "cut":
		return text[:2*len(text)/3]
	case "of":
		return q.page(q.TB, source(rest), q.now)
	}
	return changeRows(text, verb, rest, weeks)
}

func insert(text, mark, what string, behind bool) string {
	at := strings.LastIndex(text, mark)
	if behind {
		at += len(mark)
	}
	return text[:at] + what + text[at:]
}

// changeRows changes the rows of weeks: of the newest one, all, the third to the fifth, or that with an index.
func changeRows(text, verb, rest string, weeks []contracts.SurchargeWeek) string {
	which, by, _ := strings.Cut(rest, " ")
	if verb == "scale" && strings.HasPrefix(text, "{") {
		return scaleJSON(text, which, by)
	}
	rows := rowsOf(text, weeks)
	for i, r := range slices.Backward(rows) {
		changed := text[r[0]:r[1]]
		end := len(strings.TrimRight(changed, " \n"))
		for _, tag := range []string{"</tbody>", "</tr>", "</td>"} {
			end = len(strings.TrimSuffix(changed[:end], tag))
		}
		switch {
		case verb == "swap":
			changed = swapped(changed)
		case verb == "scale" && (which == "all" || which == "newest" && i == 0 || which == strconv.Itoa(i) || which == "past" && i >= 2 && i < 5):
			factor, _ := strconv.ParseFloat(by, 64)
			changed = scaledPercents(changed, factor)
		case i > 0:
		case verb == "row":
			changed = changed[:end] + rest + changed[end:]
		case verb == "strike":
			del := [2]string{"<del>", "</del>"}
			if rest == "style" {
				del = [2]string{`<b style="text-decoration: line-through red">`, "</b>"}
			}
			changed = strings.NewReplacer("<td>", "<td>"+del[0], "</td>", del[1]+"</td>").Replace(changed)
		case verb == "tbd":
			changed = strings.ReplaceAll(changed, strconv.FormatFloat(weeks[0].Percent, 'f', 2, 64), "TBD")
		}
		text = text[:r[0]] + changed + text[r[1]:]
	}
	if verb == "swap" && rest == "heads" {
		head := regexp.MustCompile(`(?s)(<th>LTL[^<]*</th>)(<th>(?:TL|Truckload)[^<]*</th>)`)
		text = head.ReplaceAllString(text, "$2$1")
	}
	return text
}
