package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

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
func FromJSON(doc []byte) (*Document, error) {
	d := decoder{json: json.NewDecoder(bytes.NewReader(doc))}
	d.json.UseNumber()
	var top *Node
	var err error
	d.at.Always = true
	d.within(func() { top, err = d.value("", 0) })
	if err == nil {
		if _, more := d.json.Token(); more != io.EOF {
			err = errors.New("more than one value")
		}
	}
	if err != nil {
		return nil, err
	}
	return &Document{&Node{Children: []*Node{top}, dates: top.dates, figures: top.figures}, d.texts}, nil
}

// decoder reads JSON token by token, which keeps the order of members.
type decoder struct {
	reader
	json *json.Decoder
	path string // of the members around
	// isInner is set for JSON that stands in a text of JSON.
	isInner bool
}

func (d *decoder) value(name string, depth int) (*Node, error) {
	t, err := d.json.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth || d.leaves > maxValues {
		return nil, errTooLarge
	}
	if d.stands = 0; !d.isInner {
		d.stands = int(d.json.InputOffset())
	}
	switch t := t.(type) {
	case json.Delim:
		return d.group(name, t == '{', depth)
	case string:
		if text := strings.TrimSpace(t); (strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{")) &&
			json.Valid([]byte(text)) {
			inner := decoder{reader: d.reader, json: json.NewDecoder(strings.NewReader(text)), path: d.path, isInner: true}
			inner.json.UseNumber()
			n, err := inner.value(name, depth+1)
			d.reader = inner.reader
			return n, err
		}
		return d.named(name, t), nil
	case json.Number:
		d.tell(d.path+": "+dateOr(t), 0)
		return d.scalar(name, string(t)), nil
	case bool:
		d.tell(fmt.Sprint(d.path, ": ", t), 0)
		return d.scalar(name, fmt.Sprint(t)), nil
	}
	return d.scalar(name, ""), nil
}

// group reads an object or a list. A member that is named by a date has that date before its value.
func (d *decoder) group(name string, isObject bool, depth int) (n *Node, err error) {
	n = &Node{Name: name, Tag: "[]"}
	if isObject {
		n.Tag = "{}"
	}
	path, names := d.path, []string{}
	d.within(func() {
		for err == nil && d.json.More() {
			member := ""
			if isObject {
				t, failed := d.json.Token()
				if err = failed; err != nil {
					return
				}
				member = fmt.Sprint(t)
				names = append(names, member)
				d.path = strings.TrimPrefix(path+"."+member, ".")
			}
			var v *Node
			if v, err = d.value(member, depth+1); err == nil {
				n.addChild(d.withDate(member, v))
			}
		}
		if d.path = path; isObject {
			slices.Sort(names)
			d.tell("members of "+path+": "+strings.Join(names, " | "), 0)
		}
	})
	if err == nil {
		_, err = d.json.Token()
	}
	return n, err
}

// withDate puts the date by which a member is named before its value.
func (d *decoder) withDate(member string, v *Node) *Node {
	if date := d.values.Read(member); date.Kind == cell.Dates {
		pair := &Node{Tag: "{}"}
		pair.addChild(d.leaf(member))
		v.Name = ""
		pair.addChild(v)
		v = pair
	}
	return v
}

// named is a leaf, or the part of a page that a text with markup is.
func (d *decoder) named(name, text string) *Node {
	if !strings.Contains(text, "</") {
		d.tell(d.path+": "+text, 0)
		return d.scalar(name, text)
	}
	d.stands = 0
	p := newPage(d.reader)
	p.before = d.path + ": "
	n := &Node{}
	if root, err := scrape.ParseHTML([]byte(text)); err == nil {
		n = p.readNodes(root)
	}
	n.Name, n.Tag = name, "text"
	if d.reader = p.reader; len(n.Children) > 1 || len(n.Children) == 1 && n.Children[0].IsTable {
		return n
	}
	return d.scalar(name, n.text())
}

func (d *decoder) scalar(name, text string) *Node {
	l := d.leaf(strings.TrimSpace(moment(text)))
	l.Name, l.Tag = name, scalar
	return l
}

// dateOr is a number as it is written, or the date of a moment in seconds or milliseconds.
func dateOr(n json.Number) string {
	const firstSecond = 1e9 // 2001
	at, err := n.Int64()
	switch {
	case err != nil || at < firstSecond:
	case at >= 1000*firstSecond:
		return time.UnixMilli(at).UTC().Format(time.DateOnly)
	case at < 10*firstSecond:
		return time.Unix(at, 0).UTC().Format(time.DateOnly)
	}
	return n.String()
}

// scalar is the tag of a text, a number or a word of JSON.
const scalar = "\"\""

// moment turns seconds or milliseconds since 1970, bare or as /Date(…)/, into a date when they lie at midnight in UTC
// or in the United States, or at noon in UTC: services write a day so. Any other text stays as it is.
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
