package sandbox

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// rewriter changes a site's answer, whichever site it is. Answers in other formats pass unchanged.
type rewriter struct {
	html func(*goquery.Document)
	json func(any) any
	csv  func([][]string)
}

// redesign takes the fields away.
var redesign = rewriter{
	html: func(d *goquery.Document) {
		d.Find("table, dl, form").Each(func(_ int, s *goquery.Selection) {
			s.ReplaceWithHtml(`<section class="card"><p>Our figures have moved to the customer portal. Please sign in.</p></section>`)
		})
		d.Find("script").Remove()
	},
	json: renamed,
	csv: func(rows [][]string) {
		for i := range rows[0] {
			rows[0][i] = fmt.Sprintf("column_%d", i+1)
		}
	},
}

// reword says over the first table of a page what was not said before.
var reword = rewriter{
	html: func(d *goquery.Document) {
		d.Find("table").First().BeforeHtml(`<p>The percentages below are a draft and apply to shipments to Canada.</p>`)
	},
	json: func(v any) any { return v },
	csv:  func([][]string) {},
}

// swap leaves headings where they are and turns the values under them round.
var swap = rewriter{
	html: func(d *goquery.Document) {
		d.Find("tr").NotSelection(d.Find("tr:has(tr)")).Each(func(_ int,
			row *goquery.Selection) {
			turnRound(row.ChildrenFiltered("td"))
		})
		d.Find("dl").Each(func(_ int, list *goquery.Selection) { turnRound(list.ChildrenFiltered("dd")) })
	},
	json: turned,
	csv: func(rows [][]string) {
		for _, row := range rows[1:] {
			slices.Reverse(row)
		}
	},
}

func rewrite(with rewriter) effect {
	return func(_ Fault, w http.ResponseWriter, r *http.Request, site http.Handler) {
		rec := answer(r, site)
		body, err := with.apply(rec.Header().Get("Content-Type"), rec.Body.Bytes())
		if err != nil {
			http.Error(w, "sandbox: "+err.Error(), http.StatusInternalServerError)
			return
		}
		copyHead(w, rec)
		_, _ = w.Write(body)
	}
}

func (re rewriter) apply(contentType string, body []byte) ([]byte, error) {
	kind, _, _ := mime.ParseMediaType(contentType)
	switch {
	case kind == "text/html":
		d, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		re.html(d)
		text, err := d.Html()
		return []byte(text), err
	case strings.HasSuffix(kind, "json"):
		var v any
		if err := json.Unmarshal(body, &v); err != nil {
			return nil, err
		}
		return json.Marshal(re.json(v))
	case strings.HasSuffix(kind, "csv"):
		return re.rows(body)
	}
	return body, nil
}

func (re rewriter) rows(body []byte) ([]byte, error) {
	r := csv.NewReader(bytes.NewReader(body))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 {
		return body, err
	}
	re.csv(rows)
	var out bytes.Buffer
	err = csv.NewWriter(&out).WriteAll(rows)
	return out.Bytes(), err
}

func turnRound(cells *goquery.Selection) {
	values := cells.Map(func(_ int, cell *goquery.Selection) string { text, _ := cell.Html(); return text })
	slices.Reverse(values)
	cells.Each(func(i int, cell *goquery.Selection) { cell.SetHtml(values[i]) })
}

func renamed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for i, key := range slices.Sorted(maps.Keys(v)) {
			out[fmt.Sprintf("f%d", i)] = renamed(v[key])
		}
		return out
	case []any:
		for i := range v {
			v[i] = renamed(v[i])
		}
	}
	return v
}

// turned reverses the values of each object that holds no object or list itself.
func turned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		if !slices.ContainsFunc(keys, func(k string) bool { return nested(v[k]) }) {
			return reversed(v, keys)
		}
		for _, k := range keys {
			v[k] = turned(v[k])
		}
	case []any:
		for i := range v {
			v[i] = turned(v[i])
		}
	}
	return v
}

func nested(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

func reversed(v map[string]any, keys []string) map[string]any {
	out := map[string]any{}
	for i, k := range keys {
		out[k] = v[keys[len(keys)-1-i]]
	}
	return out
}
