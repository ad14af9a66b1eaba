package surcharge_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// wrongIn returns the first line of got that the document does not say. A diesel price may be missing.
func (s sample) wrongIn(got string) string {
	for line := range strings.Lines(got) {
		fields := strings.Fields(line)
		if fields[0] != "week" && fields[0] != "coming" {
			continue
		}
		withoutPrice := fields[3] == "-" && strings.Contains(s.want, strings.Join(fields[:3], " ")+" ")
		if !strings.Contains(s.want, line) && !withoutPrice {
			return line
		}
	}
	return ""
}

// newest is the first week of a text of weeks.
func newest(text string) string {
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); fields[0] == "week" {
			return strings.Join(fields[:3], " ")
		}
	}
	return ""
}

func rightDocuments(t *testing.T) []sample {
	var all []sample
	for _, d := range samples(t) {
		if d.isRead() && !d.json && d.name != "dates/old-week-twice-with-two-values" { // what refutes a value in it may be lost
			all = append(all, d)
		}
	}
	return all
}

// A document that breaks off anywhere is refused, or it still tells the newest week, and nothing wrong.
func TestTruncatedDocuments(t *testing.T) {
	all := rightDocuments(t)
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(all).Draw(t, "document")
		at := rapid.IntRange(0, len(d.body)).Draw(t, "at")
		d.mustNotMislead(t, d.body[:at])
	})
}

func (s sample) mustNotMislead(t *rapid.T, body []byte) {
	r, err := s.read(body)
	if err != nil {
		return
	}
	got := outcome(r, err)
	if wrong := s.wrongIn(got); wrong != "" {
		t.Fatalf("%s: wrong: %s\n%s", s.name, wrong, strings.Join(r.Notes, "\n"))
	}
	if newest(got) != newest(s.want) {
		t.Fatalf("%s: newest %q instead of %q\n%s", s.name, newest(got), newest(s.want), strings.Join(r.Notes, "\n"))
	}
}

// restyledTags are tags and what may stand in their place without changing what a page says.
var restyledTags = []struct {
	old   string
	forms []string
}{
	{"<table", []string{"<table", "<section><div><table data-x=1 ", "<form><TABLE "}},
	{"<td>", []string{"<td>", `<td class="c" align=right>`, "<td>\n\t<span>", "<td><p>"}},
	{"</tr>", []string{"</tr>", "</tr>\n<!-- row -->", ""}},
	{"<main>", []string{
		"<main>", "<div><div><main>",
		"<main><table><tr><td>Terminal<td>Phone<tr><td>Reno<td>555-0100</table>",
	}},
	{"</main>", []string{"</main>", "<table><tr><th>Date<th>Depot<tr><td>9/9/2026<td>Reno</table></main>"}},
}

// Wrapped, restyled, moved down the page or surrounded by other tables, a document says the same.
func TestRestyledDocuments(t *testing.T) {
	all := rightDocuments(t)
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(all).Draw(t, "document")
		body := string(d.body)
		for _, tag := range restyledTags {
			body = strings.ReplaceAll(body, tag.old, rapid.SampledFrom(tag.forms).Draw(t, tag.old))
		}
		r, err := d.read([]byte(body))
		if got := outcome(r, err); got != d.want && d.name != "cut-inside-a-value" {
			t.Fatalf("%s: %v\n%s\n%s\n%s", d.name, err, strings.Join(r.Notes, "\n"), got, body)
		}
	})
}

// A tag or an end tag that is lost misleads nobody.
func TestLostTags(t *testing.T) {
	all := rightDocuments(t)
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(all).Draw(t, "document")
		tags := bytes.Count(d.body, []byte("<"))
		lost := rapid.IntRange(0, tags-1).Draw(t, "lost")
		at := 0
		for range lost {
			at += bytes.IndexByte(d.body[at:], '<') + 1
		}
		at += bytes.IndexByte(d.body[at:], '<')
		end := bytes.IndexByte(d.body[at:], '>')
		if end < 0 {
			return
		}
		body := append(bytes.Clone(d.body[:at]), d.body[at+end+1:]...)
		r, err := d.read(body)
		if wrong := d.wrongIn(outcome(r, err)); err == nil && wrong != "" {
			t.Fatalf("%s: without %s: wrong: %s\n%s", d.name, d.body[at:at+end+1], wrong, strings.Join(r.Notes, "\n"))
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, d := range samples(f) {
		if !d.json && len(d.body) < 4000 {
			f.Add(d.body)
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte) { check(t, surcharge.Read, doc) })
}

func FuzzReadJSON(f *testing.F) {
	for _, d := range samples(f) {
		if d.json && len(d.body) < 4000 {
			f.Add(d.body)
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte) { check(t, surcharge.ReadJSON, doc) })
}

// check holds what is promised of any document whatever.
func check(t *testing.T, read func([]byte, surcharge.Rule, contracts.Date) (surcharge.Reading, error), doc []byte) {
	r, err := read(doc, surcharge.Rule{}, "2026-09-10")
	if err == nil && len(r.Weeks) == 0 {
		t.Error("neither weeks nor an error")
	}
	for i, w := range r.Weeks {
		switch {
		case w.EffectiveDate > "2026-09-10", i > 0 && w.EffectiveDate >= r.Weeks[i-1].EffectiveDate:
			t.Errorf("week %d out of order: %s", i, w.EffectiveDate)
		case w.Percent <= 0 || w.Percent > 100, w.DieselUSD != nil && (*w.DieselUSD < 1 || *w.DieselUSD > 15):
			t.Errorf("implausible week %+v", w)
		case w.Clean > w.Required || w.Required < 2:
			t.Errorf("tally %+v", w.Tally)
		}
	}
}
