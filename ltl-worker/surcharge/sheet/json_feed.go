package sheet

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/token"
)

// Feeds of spreadsheets and of editors of pages wrap tables in their own way.

// addHTML lays out the tables of a page that stands in a JSON text, as editors of pages answer.
func (w *jsonWalk) addHTML(page string, at place) {
	sheets, err := FromHTML([]byte(page), w.vocabulary)
	if err != nil {
		return
	}
	for _, s := range sheets {
		s.Facts = at.facts
		for _, name := range at.names {
			if strings.EqualFold(name, "markup") {
				continue // is no charge here
			}
			s.Facts = append(slices.Clip(s.Facts), Fact{"", token.Spaced(name)})
		}
		w.sheets = append(w.sheets, s)
	}
}

// spreadsheet reads {"cols": [{"label": "LTL %"}], "rows": [{"c": [{"v": 55.6, "f": "55.6%"}]}]}, with the texts that are shown.
func (w *jsonWalk) spreadsheet(v map[string]any) (rows []any, headings []string) {
	headings = w.textsIn(v["cols"])
	list, _ := v["rows"].([]any)
	if headings == nil {
		return nil, nil
	}
	for _, item := range list {
		row, _ := item.(map[string]any)
		cells, _ := row["c"].([]any)
		var texts []any
		for _, c := range cells {
			value, _ := c.(map[string]any)
			if shown, ok := value["f"].(string); ok {
				texts = append(texts, shown)
				continue
			}
			texts = append(texts, value["v"])
		}
		rows = append(rows, texts)
	}
	return rows, headings
}
