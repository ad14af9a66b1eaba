package exhibit

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// Rows of a bulk file that are shown, and the first of them without a text to find.
const (
	maxRows   = 200
	firstRows = 20
)

// textOf is the text of a document and a remark on what it shows.
func textOf(d *evidence.Document, find string) (text, remark string) {
	body := d.Body
	if bytes.HasPrefix(body, []byte("PK\x03\x04")) {
		body = firstInZip(body)
	}
	if !strings.HasPrefix(http.DetectContentType(body), "text/") {
		return "", "This is no text, such as the picture of a CAPTCHA, so nothing of it is shown. The bytes themselves are whole."
	}
	page := scrape.Page{Body: body, Header: http.Header{"Content-Type": {d.Header["Content-Type"]}}}
	text = strings.ToValidUTF8(page.Text(), "\uFFFD")
	isFile, _, _ := d.Place.Parse()
	switch {
	case isFile:
		text, remark = rowsOf(text, find)
	case looksLikeHTML(text):
		text, remark = visibleText(text), "The text of the page. What was read from it is marked."
	case json.Valid(body) && len(body) <= maxText:
		text, remark = indented(body), "The JSON as it was read, indented. What was read from it is marked."
	default:
		remark = "The text as it was read. What was read from it is marked."
	}
	if len(text) > maxText {
		text, remark = strings.ToValidUTF8(text[:maxText], ""), remark+" It is cut here; the bytes themselves are whole."
	}
	return text, remark
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

func indented(body []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	return b.String()
}

// rowsOf are the rows of a bulk file that hold a text, below the row of headings.
func rowsOf(text, find string) (rows, remark string) {
	wanted, shown, matches := letters(find), []string{}, 0
	for line := range strings.Lines(text) {
		switch {
		case len(shown) == 0, wanted == "" && len(shown) <= firstRows:
			shown = append(shown, line)
		case wanted == "" || !strings.Contains(letters(line), wanted):
		default:
			if matches++; matches <= maxRows {
				shown = append(shown, line)
			}
		}
	}
	rows = strings.Join(shown, "")
	if wanted == "" {
		return rows, "The first rows of the file. Add &find= and a license number to this page's address to see its rows."
	}
	return rows, fmt.Sprintf("The first row of the file, and %d of %d rows that hold %q, whatever stands between its letters and digits.",
		min(matches, maxRows), matches, find)
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

// hidden lists the elements whose text a reader does not see. Each of blocks begins a new line, and cells are kept
// apart.
var (
	hidden = map[string]bool{"script": true, "style": true, "template": true, "noscript": true, "iframe": true, "object": true}
	blocks = map[string]bool{
		"address": true, "article": true, "br": true, "dd": true, "div": true, "dl": true, "dt": true, "footer": true, "form": true, "h1": true,
		"h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "header": true, "hr": true, "li": true, "main": true, "nav": true,
		"ol": true, "option": true, "p": true, "pre": true, "section": true, "table": true, "title": true, "tr": true, "ul": true,
	}
	cells = map[string]bool{"td": true, "th": true}
)

// visibleText is the text of a page: a line for each block and row, cells parted by bars.
func visibleText(page string) string {
	var b strings.Builder
	inside := ""
	for tokens := html.NewTokenizer(strings.NewReader(page)); b.Len() <= maxText; {
		switch tokens.Next() {
		case html.ErrorToken:
			return tidy(b.String())
		case html.StartTagToken, html.SelfClosingTagToken:
			raw, _ := tokens.TagName()
			name := string(raw)
			switch {
			case inside == "" && hidden[name]:
				inside = name
			case blocks[name]:
				b.WriteByte('\n')
			case cells[name]:
				b.WriteString(" | ")
			}
		case html.EndTagToken:
			raw, _ := tokens.TagName()
			if name := string(raw); name == inside {
				inside = ""
			} else if blocks[name] {
				b.WriteByte('\n')
			}
		case html.TextToken:
			if inside == "" {
				b.WriteString(strings.Map(spaceOf, string(tokens.Text())))
			}
		}
	}
	return tidy(b.String())
}

// spaceOf is a blank for white space: a line that ends in a page's source does not end on the page.
func spaceOf(r rune) rune {
	if unicode.IsSpace(r) {
		return ' '
	}
	return r
}

// tidy is the text without empty lines and blanks at both ends of lines.
func tidy(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimPrefix(strings.Join(strings.Fields(line), " "), "| "); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
