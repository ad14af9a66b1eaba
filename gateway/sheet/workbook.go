package sheet

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"
)

// WorkbookType is the media type of a workbook (.xlsx).
const WorkbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// IsWorkbook tells of a file by its first bytes whether it is a workbook, of whatever spreadsheet.
func IsWorkbook(body []byte) bool {
	return bytes.HasPrefix(body, []byte("PK\x03\x04")) || bytes.HasPrefix(body, oldWorkbook)
}

// oldWorkbook begins a workbook of before 2007, and one with a password.
var oldWorkbook = []byte{0xd0, 0xcf, 0x11, 0xe0}

// workbook is a workbook as far as it is read. Nothing that it refers to outside itself is.
type workbook struct {
	parts map[string]*zip.File
	// left is how many bytes may still be unpacked.
	left int64
	// is1904: days are counted from 1904 on.
	is1904 bool
	shared []string
	// leftShared is how many bytes of shared texts cells may still hold: a text counts in each of them.
	leftShared int
	looks      []look
	// sheets are those that a person sees, in their order.
	sheets []namedSheet
}

// namedSheet is a sheet. id is that of its relation or, once that was followed, the name of its part.
type namedSheet struct{ name, id string }

// maxSheets and maxShared bound the sheets and the shared texts that are kept: a small file unpacks to millions.
const maxSheets, maxShared = 100, 1 << 20

// openWorkbook finds the sheets of a workbook that are not hidden.
func openWorkbook(body []byte) (w *workbook, err error) {
	switch {
	case len(body) > MaxWorkbook:
		return nil, Unreadable("the workbook is larger than %d bytes", MaxWorkbook)
	case bytes.HasPrefix(body, oldWorkbook):
		return nil, Unreadable("this workbook has a password, or is of before 2007 (.xls): save it as .xlsx " +
			"without a password, or as CSV")
	}
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, Unreadable("this is no workbook (.xlsx): it cannot be unpacked")
	}
	w = &workbook{parts: map[string]*zip.File{}, left: MaxUnpacked, leftShared: MaxUnpacked}
	for _, f := range archive.File {
		w.parts[strings.TrimPrefix(f.Name, "/")] = f
	}
	top, err := w.relations("")
	if err != nil {
		return nil, err
	}
	main := top.ofKind("/officeDocument")
	all, err := w.allSheets(main)
	if err != nil {
		return nil, err
	}
	of, err := w.relations(main)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if r := of[s.id]; strings.HasSuffix(r.kind, "/worksheet") {
			w.sheets = append(w.sheets, namedSheet{s.name, r.target})
		}
	}
	if len(w.sheets) == 0 {
		return nil, Unreadable("the workbook has no sheet")
	}
	return w, w.readCommon(of)
}

// readCommon reads what the cells of all sheets refer to.
func (w *workbook) readCommon(of relations) error {
	if styles := of.ofKind("/styles"); w.parts[styles] != nil {
		if err := w.readLooks(styles); err != nil {
			return err
		}
	}
	if texts := of.ofKind("/sharedStrings"); w.parts[texts] != nil {
		return w.readShared(texts)
	}
	return nil
}

// sheet reads the rows of a sheet: the values that its cells show, dates as YYYY-MM-DD, percents with their sign,
// amounts in a currency with $ where they are shown so.
func (w *workbook) sheet(name string) ([]Row, error) {
	s := sheetReader{workbook: w}
	err := w.walk(name, s.takeToken)
	return s.rows, err
}

// relation leads from one part of a workbook to another one.
type relation struct{ kind, target string }

// relations are those of a part, by their ids.
type relations map[string]relation

// ofKind is the target of the relation whose kind ends so; empty for none.
func (r relations) ofKind(end string) (target string) {
	for _, one := range r {
		if strings.HasSuffix(one.kind, end) {
			target = max(target, one.target)
		}
	}
	return target
}

// relations reads those of a part; the empty name is that of the workbook as a whole.
func (w *workbook) relations(of string) (relations, error) {
	folder, name := path.Split(of)
	all := relations{}
	err := w.walk(folder+"_rels/"+name+".rels", func(t xml.Token, _ string) error {
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" || attribute(e, "TargetMode") == "External" {
			return nil
		}
		target := attribute(e, "Target")
		if !strings.HasPrefix(target, "/") {
			target = path.Join("/", folder, target)
		}
		all[attribute(e, "Id")] = relation{attribute(e, "Type"), strings.TrimPrefix(path.Clean(target), "/")}
		return nil
	})
	return all, err
}

// allSheets are the sheets that are not hidden, in their order.
func (w *workbook) allSheets(name string) (all []namedSheet, err error) {
	err = w.walk(name, func(t xml.Token, _ string) error {
		e, ok := t.(xml.StartElement)
		switch {
		case len(all) > maxSheets:
			return Unreadable("the workbook has more than %d sheets", maxSheets)
		case !ok:
		case e.Name.Local == "workbookPr":
			w.is1904 = isTrue(attribute(e, "date1904"))
		case e.Name.Local == "sheet" && cmp.Or(attribute(e, "state"), "visible") == "visible":
			for _, a := range e.Attr {
				if a.Name.Local == "id" && a.Name.Space != "" {
					all = append(all, namedSheet{strings.TrimSpace(attribute(e, "name")), a.Value})
				}
			}
		}
		return nil
	})
	return all, err
}

func isTrue(text string) bool { return text == "1" || text == "true" }

// readShared reads the texts that cells share. What is read aloud of a text is no part of it.
func (w *workbook) readShared(name string) error {
	var text strings.Builder
	return w.walk(name, func(t xml.Token, inside string) error {
		switch e := t.(type) {
		case xml.CharData:
			if strings.HasSuffix(inside, "/t") && !strings.Contains(inside, "/rPh/") {
				text.Write(e)
			}
		case xml.EndElement:
			if e.Name.Local == "si" {
				if len(w.shared) == maxShared {
					return Unreadable("the workbook has more than 1,048,576 texts")
				}
				w.shared = append(w.shared, text.String())
				text.Reset()
			}
		}
		return nil
	})
}

// attribute is the value of an attribute without a prefix.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

const (
	// maxDepth is how deep the elements of a part may lie within each other; those of spreadsheets do not lie deeper than
	// ten.
	maxDepth = 32
	// maxElement bounds an element's tag with the text after it, in bytes: a cell holds 32,767 characters.
	maxElement = 256 << 10
	// maxName bounds an element's name, in bytes: the names that a token stands in are put together for each token.
	maxName = 100
)

var (
	errDeep    = errors.New("its elements lie too deep within each other")
	errElement = errors.New("an element has more than 256 KB, or a name of more than 100 bytes")
	errLarge   = errors.New("unpacked it has more than 20 MB")
)

// walk gives a function each token of a part, and the names of the elements that it stands in, such as
// /worksheet/sheetData/row. A part that is not whole is an error: what is missing in it would be missing in silence.
func (w *workbook) walk(name string, do func(t xml.Token, inside string) error) error {
	f := w.parts[name]
	if f == nil {
		return Unreadable("this is no workbook (.xlsx): a part of it is missing")
	}
	packed, err := f.Open()
	if err != nil {
		return Unreadable("a part of the workbook cannot be unpacked")
	}
	defer packed.Close()
	d := xml.NewDecoder(&boundedPart{r: packed, left: &w.left})
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errors.New("its parts are not in UTF-8") }
	var ends []int // of the names in inside
	inside := ""
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) && len(ends) == 0 {
			return nil
		}
		if err != nil {
			return Unreadable("the workbook cannot be read: %s", partProblem(err))
		}
		if e, ok := t.(xml.StartElement); ok {
			switch {
			case len(ends) == maxDepth:
				return Unreadable("the workbook cannot be read: %v", errDeep)
			case len(e.Name.Local) > maxName:
				return Unreadable("the workbook cannot be read: %v", errElement)
			}
			ends = append(ends, len(inside))
			inside += "/" + e.Name.Local
		}
		if err := do(t, inside); err != nil {
			return err
		}
		if e, ok := t.(xml.EndElement); ok {
			if len(ends) == 0 || !strings.HasSuffix(inside, "/"+e.Name.Local) {
				return Unreadable("the workbook cannot be read: its elements do not end well")
			}
			inside = inside[:ends[len(ends)-1]]
			ends = ends[:len(ends)-1]
		}
	}
}

// partProblem is what can be told of an error without anything of the file.
func partProblem(err error) string {
	for _, known := range []error{errDeep, errElement, errLarge} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "it is damaged"
}

// boundedPart is a part of a workbook while it is unpacked.
type boundedPart struct {
	r       io.Reader
	left    *int64
	element int // bytes since the last <
}

func (b *boundedPart) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if *b.left -= int64(n); *b.left < 0 {
		return 0, errLarge
	}
	for rest := p[:n]; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			b.element += len(rest)
			break
		}
		if b.element+i > maxElement {
			return 0, errElement
		}
		b.element, rest = 0, rest[i+1:]
	}
	if b.element > maxElement {
		return 0, errElement
	}
	return n, err
}
