package exhibit

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// Rows of a bulk file that are shown, and the first of them without a text to find.
const (
	maxRows   = 200
	firstRows = 20
)

// shown is the text of a document as people are shown it, a remark on what it shows, and the rows that were read.
type shown struct {
	text, remark string
	rows         map[string][]scrape.Spot
	// place is where a spot is in the text, and the unit, such as an object of JSON, that stands for its row.
	place func(scrape.Spot) (within, unit span)
}

func shownOf(d *evidence.Document, find string) shown {
	body := d.Body
	if bytes.HasPrefix(body, []byte("PK\x03\x04")) {
		body = firstInZip(body)
	}
	if !strings.HasPrefix(http.DetectContentType(body), "text/") {
		return shown{remark: "This is no text, such as the picture of a CAPTCHA, so nothing of it is shown. The " +
			"bytes themselves are whole."}
	}
	page := scrape.Page{Body: body, Header: http.Header{"Content-Type": {d.Header["Content-Type"]}}}
	text := page.Text()
	s := shown{text: strings.ToValidUTF8(text, "\uFFFD"), remark: "The text as it was read.", rows: d.Rows}
	s.place = func(spot scrape.Spot) (within, unit span) {
		line := linesOf(s.text, before(spot.At, len(s.text)))
		return line, line
	}
	isFile, _, _ := d.Place.Parse()
	switch {
	case isFile:
		return rowsOf(s.text, find)
	case looksLikeHTML(text):
		s.showPage(text)
	case json.Valid(body) && len(body) <= maxText && !isDeep(body):
		s.showJSON(body)
	}
	if len(d.Rows) == 0 {
		s.remark += " Where in it the values stood was not noted when it was read, so nothing is marked."
	} else {
		s.remark += " What was read from it is marked."
	}
	if len(s.text) > maxText {
		s.text, s.remark = strings.ToValidUTF8(s.text[:maxText], ""),
			s.remark+" It is cut here; the bytes themselves are whole."
	}
	return s
}

// before is the byte before the end of a value.
func before(end, size int) span {
	at := min(max(end-1, 0), size)
	return span{at, at}
}

// firstInZip is the first file of an archive, as far as it can be shown; nil when there is none.
func firstInZip(body []byte) []byte {
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil || len(archive.File) == 0 {
		return nil
	}
	file, err := archive.File[0].Open()
	if err != nil {
		return nil
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, evidence.MaxSize)) // what cannot be read is not shown
	return text
}

func looksLikeHTML(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(text, "\ufeff \t\r\n"), "<")
}

// showJSON shows JSON, indented. The row of a value is the innermost object that holds it.
func (s *shown) showJSON(body []byte) {
	s.remark = "The JSON as it was read, indented."
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return
	}
	s.text = b.String()
	wanted := map[int]bool{}
	for _, spots := range s.rows {
		for _, spot := range spots {
			wanted[spot.At-1] = true
		}
	}
	places := placesInJSON(string(body), s.text, wanted)
	s.place = func(spot scrape.Spot) (within, unit span) {
		p, ok := places[spot.At-1]
		if !ok {
			return span{}, span{}
		}
		if s.text[p.at] == '}' {
			return p.object, p.object
		}
		return linesOf(s.text, span{p.at, p.at}), p.object
	}
}

// maxDepth is how deep JSON may lie that is indented: each line has two blanks for each level.
const maxDepth = 50

// isDeep tells whether values of JSON lie deeper than maxDepth.
func isDeep(body []byte) bool {
	depth, inText := 0, false
	for i := 0; i < len(body) && depth <= maxDepth; i++ {
		switch c := body[i]; {
		case c == '"':
			inText = !inText
		case inText && c == '\\': // what it escapes is text too
			i++
		case !inText && (c == '{' || c == '['):
			depth++
		case !inText && (c == '}' || c == ']'):
			depth--
		}
	}
	return depth > maxDepth
}

// placeInJSON is where a byte of JSON is once that is indented, and the innermost object that it is in or ends.
type placeInJSON struct {
	at     int
	object span
}

// placesInJSON goes once over JSON and the same indented: only white space between values differs.
func placesInJSON(body, indented string, wanted map[int]bool) map[int]placeInJSON {
	places := map[int]placeInJSON{}
	type object struct {
		from   int
		wanted []int
	}
	open := []object{{}} // what is in none
	inText := false
	for from, to := 0, 0; from < len(body) && to < len(indented); {
		c := body[from]
		if c != indented[to] {
			if strings.IndexByte(" \t\r\n", c) >= 0 {
				from++
			} else {
				to++
			}
			continue
		}
		if wanted[from] {
			places[from] = placeInJSON{to, linesOf(indented, span{to, to})}
			open[len(open)-1].wanted = append(open[len(open)-1].wanted, from)
		}
		switch {
		case c == '"':
			inText = !inText
		case !inText && c == '{':
			open = append(open, object{from: to})
		case !inText && c == '}':
			last := open[len(open)-1]
			for _, from := range last.wanted {
				places[from] = placeInJSON{places[from].at, span{last.from, to + 1}}
			}
			open = open[:len(open)-1]
		case inText && c == '\\': // what it escapes is text too
			from, to = from+1, to+1
		}
		from, to = from+1, to+1
	}
	return places
}

// rowsOf are the rows of a bulk file that hold a text, below the row of headings. The one row with a cell that says
// just that is the one that was read.
func rowsOf(text, find string) shown {
	wanted, matches, exact := letters(find), 0, 0
	var b strings.Builder
	var whole span
	for line := range strings.Lines(text) {
		isHead := b.Len() == 0
		isMatch := !isHead && wanted != "" && strings.Contains(letters(line), wanted)
		if isMatch {
			matches++
		}
		isExact := isMatch && hasCell(line, wanted)
		if isExact {
			exact++
			whole = span{b.Len(), b.Len() + len(line)}
		}
		if isHead || wanted == "" && matches < firstRows || isMatch && matches <= maxRows || isExact && exact == 1 {
			b.WriteString(line)
		}
		if wanted == "" && !isHead {
			matches++
		}
	}
	s := shown{text: b.String(), remark: "The first rows of the file. Add &find= and a license number to this " +
		"page's address to see its rows."}
	if wanted == "" {
		return s
	}
	s.remark = fmt.Sprintf("The first row of the file, and %d of %d rows that hold %q, whatever stands "+
		"between its letters and digits.",
		min(matches, maxRows), matches, find)
	if exact == 1 {
		line := s.text[whole.from:whole.to]
		s.rows = map[string][]scrape.Spot{find: {{At: 1, Text: strings.TrimSpace(line)}}}
		s.place = func(scrape.Spot) (within, unit span) { return whole, whole }
	}
	return s
}

// hasCell tells whether a cell of a line of a file has those letters and digits, and no more.
func hasCell(line, wanted string) bool {
	r := csv.NewReader(strings.NewReader(line))
	r.LazyQuotes = true
	cells, _ := r.Read() // what cannot be read has no cells
	return slices.ContainsFunc(cells, func(c string) bool { return letters(c) == wanted })
}

// letters is s without anything but its letters and digits, in upper case: "1A-1143621" is found as "1a 1143621".
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, s)
}
