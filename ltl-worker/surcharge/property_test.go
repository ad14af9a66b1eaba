package surcharge_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay.dev/ltl-worker/surcharge"
)

// Whatever the order of columns and rows, the wording, the formats, the markup and the tables around it: a page with
// headings reads the same.
func TestAnyRightPageIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		page := m.html(t)
		r, err := surcharge.Read([]byte(page), surcharge.Rule{}, modelToday)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, strings.Join(r.Notes, "\n"), page)
		}
		if wrong := m.wrong(r); wrong != "" || len(r.Weeks) != len(m.weeks) || r.Tally().Confidence() != 1 {
			t.Fatalf("%s; %d of %d weeks, %v\n%s\n%s",
				wrong, len(r.Weeks), len(m.weeks), r.Tally(), strings.Join(r.Notes, "\n"), page)
		}
	})
}

var mutations = []string{
	"swap cells", "swap headings", "drop headings", "drop heading", "shift headings", "garble heading",
	"drop cells", "drop column", "blank cells",
}

// mutate damages a model in ways that a redesign or a fault would.
func mutate(t *rapid.T, m *model) {
	pick := func(label string) int { return rapid.IntRange(0, len(m.columns)-1).Draw(t, label) }
	switch rapid.SampledFrom(mutations).Draw(t, "mutation") {
	case "swap cells":
		a, b := &m.columns[pick("a")], &m.columns[pick("b")]
		if silent(a.role, b.role) {
			return
		}
		a.cells, b.cells = b.cells, a.cells
	case "swap headings":
		a, b := &m.columns[pick("a")], &m.columns[pick("b")]
		if silent(a.role, b.role) {
			return
		}
		a.heading, b.heading = b.heading, a.heading
	case "drop headings":
		for i := range m.columns {
			m.columns[i].heading = ""
		}
	case "drop heading":
		m.lost = pick("column") + 1
	case "shift headings":
		if i := pick("column"); !silent("ltl", m.columns[i].role) && m.columns[i].role != "money" {
			for ; i < len(m.columns); i++ {
				m.columns[i].heading = ""
				if i+1 < len(m.columns) {
					m.columns[i].heading = m.columns[i+1].heading
				}
			}
		}
	case "garble heading":
		garbage := []string{"", "Xyzzy", "Column 3", "…", "Standard Rate", "Value"}
		m.columns[pick("column")].heading = rapid.SampledFrom(garbage).Draw(t, "garbage")
	case "drop cells":
		c := &m.columns[pick("column")]
		c.cells = c.cells[:rapid.IntRange(0, len(c.cells)).Draw(t, "left")]
	case "drop column":
		i := pick("column")
		m.columns = append(m.columns[:i:i], m.columns[i+1:]...)
	case "blank cells":
		c := &m.columns[pick("column")]
		row := rapid.IntRange(0, len(c.cells)-1).Draw(t, "row")
		c.cells[row] = rapid.SampledFrom([]string{"", "N/A", "-", "see notice"}).Draw(t, "blank")
	}
}

// silent tells whether nothing on a page could show that two columns changed places: percents of two services.
func silent(a, b role) bool {
	service := func(r role) bool { return r == "ltl" || r == "general" || r == "volume" }
	return service(a) && service(b) || a == "money" && b == "price" || a == "price" && b == "money"
}

// A damaged page is refused, or what is read of it is right.
func TestNoMutantIsReadWrong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		mutate(t, &m)
		page := m.html(t)
		r, _ := surcharge.Read([]byte(page), surcharge.Rule{}, modelToday)
		if wrong := m.wrong(r); wrong != "" {
			t.Fatalf("%s\n%s\n%s", wrong, strings.Join(r.Notes, "\n"), page)
		}
	})
}
