package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"assay.dev/ltl-worker/document/cell"
	"assay.dev/platform/scrape"
)

// Bounds of a JSON document.
const (
	maxDepth  = 50
	maxValues = 500_000
)

var errTooLarge = errors.New("the document is too large")

// FromJSON reads a JSON text of any shape.
func FromJSON(doc []byte) (*Node, error) {
	d := decoder{json: json.NewDecoder(bytes.NewReader(doc))}
	d.json.UseNumber()
	top, err := d.value("", 0)
	if err == nil {
		if _, more := d.json.Token(); more != io.EOF {
			err = errors.New("more than one value")
		}
	}
	if err != nil {
		return nil, err
	}
	return &Node{Children: []*Node{top}, dates: top.dates, figures: top.figures}, nil
}

// decoder reads JSON token by token, which keeps the order of members.
type decoder struct {
	reader
	json *json.Decoder
}

func (d *decoder) value(name string, depth int) (*Node, error) {
	t, err := d.json.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth || d.leaves > maxValues {
		return nil, errTooLarge
	}
	switch t := t.(type) {
	case json.Delim:
		return d.group(name, t == '{', depth)
	case string:
		if text := strings.TrimSpace(t); (strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{")) && json.Valid([]byte(text)) {
			inner := decoder{reader: d.reader, json: json.NewDecoder(strings.NewReader(text))}
			inner.json.UseNumber()
			n, err := inner.value(name, depth+1)
			d.reader = inner.reader
			return n, err
		}
		return d.named(name, t), nil
	case json.Number:
		return d.named(name, plain(t)), nil
	case bool:
		return d.named(name, fmt.Sprint(t)), nil
	}
	return d.named(name, ""), nil
}

// group reads an object or a list. A member that is named by a date has that date before its value.
func (d *decoder) group(name string, isObject bool, depth int) (*Node, error) {
	n := &Node{Name: name, Tag: "[]"}
	if isObject {
		n.Tag = "{}"
	}
	for d.json.More() {
		member := ""
		if isObject {
			t, err := d.json.Token()
			if err != nil {
				return nil, err
			}
			member = fmt.Sprint(t)
		}
		v, err := d.value(member, depth+1)
		if err != nil {
			return nil, err
		}
		if date := d.cells.Read(member); date.Kind == cell.Dates {
			dated := &Node{Tag: "{}"}
			dated.add(d.leaf(member))
			v.Name = ""
			dated.add(v)
			v = dated
		}
		v.IsItem = !isObject
		n.add(v)
	}
	_, err := d.json.Token()
	return n, err
}

// named is a leaf, or the part of a page that a text with markup or several lines is.
func (d *decoder) named(name, text string) *Node {
	if strings.Contains(text, "</") || strings.Contains(text, "\n") {
		p := page{reader: d.reader, holding: map[*html.Node]bool{}}
		n := &Node{Name: name, Tag: "text"}
		if !strings.Contains(text, "</") {
			p.preformatted(text, n)
		} else if root, err := scrape.ParseHTML([]byte(text)); err == nil {
			p.markHolders(root)
			p.fill(root, n)
		}
		if d.reader = p.reader; len(n.Children) > 1 || len(n.Children) == 1 && n.Children[0].IsTable {
			return n
		}
		text = n.text()
	}
	l := d.leaf(strings.TrimSpace(moment(text)))
	l.Name, l.Tag = name, scalar
	return l
}

// scalar is the tag of a text, a number or a word of JSON.
const scalar = "\"\""

// moment turns seconds or milliseconds since 1970, bare or as /Date(…)/, into a date when they lie at midnight in UTC or in the
// United States, or at noon in UTC: services write a day so. Any other text stays as it is.
func moment(s string) string {
	figure := strings.TrimSuffix(strings.TrimPrefix(s, "/Date("), ")/")
	if len(figure) != 10 && len(figure) != 12 && len(figure) != 13 {
		return s
	}
	ms, err := strconv.ParseInt(figure, 10, 64)
	if err != nil {
		return s
	}
	if len(figure) == 10 {
		ms *= 1000 // seconds
	}
	at := time.UnixMilli(ms).UTC()
	if at.Minute() != 0 || at.Second() != 0 || at.Hour() > 12 {
		return s
	}
	return at.Format(time.DateOnly)
}

// plain is a number without an exponent.
func plain(n json.Number) string {
	if strings.ContainsAny(string(n), "eE") {
		if f, err := n.Float64(); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	return string(n)
}
