package exhibit

import (
	"html/template"
	"strings"

	"assay.dev/platform/evidence"
)

// An excerpt has so many lines around the row that it is of, so many of a document without one, and so many lines and
// bytes at most.
const (
	linesAround = 3
	firstLines  = 24
	mostLines   = 36
	mostBytes   = 2400
)

// Excerpt is the part of a document's view around the row that find asks for; of a row that is too long, the lines
// around its values. Without such a row it is around the first place where find stands, else the beginning.
func Excerpt(d *evidence.Document, find string) View {
	s := shownOf(d, find)
	rows := s.rowsIn()
	key := asked(rows, find)
	parts, remark := s.excerptOf(rows[key], find)
	var texts []string
	for _, part := range parts {
		texts = append(texts, writeMarked(s.text[part.from:part.to], within(rows, part), key))
	}
	v := View{Facts: factsOf(d), Remark: remark}
	v.Text = template.HTML(strings.Join(texts, "…\n")) //nolint:gosec // writeMarked escapes all that the document holds
	return v
}

// excerptOf are the parts of the text that an excerpt has of a row, in their order; the zero row is none.
func (s shown) excerptOf(r row, find string) (parts []span, remark string) {
	if s.text == "" {
		return nil, s.remark
	}
	switch at := strings.Index(s.text, find); {
	case len(r.values) == 0 && find != "" && at >= 0:
		found := linesOf(s.text, span{at, at + len(find)})
		return []span{s.cut(s.wider(found, linesAround, linesAround))}, "The lines where the document says it."
	case len(r.values) == 0:
		return []span{s.cut(s.wider(span{}, 0, firstLines))}, "The beginning of the document."
	}
	if whole := s.wider(r.whole, linesAround, linesAround); r.whole != (span{}) && s.cut(whole) == whole {
		return []span{whole}, "The row that was read is outlined; around it are the lines beside it."
	}
	for _, v := range r.values {
		near := s.cut(s.wider(linesOf(s.text, v), 1, 1))
		if last := len(parts) - 1; last >= 0 && near.from <= parts[last].to {
			near = span{min(parts[last].from, near.from), max(parts[last].to, near.to)}
			parts = parts[:last]
		}
		parts = append(parts, near)
	}
	return parts, "The values that were read are outlined; around them are the lines beside them."
}

// wider is a part of the text with further lines before and after it.
func (s shown) wider(part span, before, after int) span {
	for range before {
		part.from = strings.LastIndexByte(s.text[:max(part.from-1, 0)], '\n') + 1
	}
	for range after {
		if part.to < len(s.text) {
			part.to = linesOf(s.text, span{part.to, part.to}).to
		}
	}
	return part
}

// cut is a part of the text, as far as an excerpt has room for it.
func (s shown) cut(part span) span {
	end, lines := part.from, 0
	for line := range strings.Lines(s.text[part.from:part.to]) {
		if lines++; lines > mostLines || end+len(line) > part.from+mostBytes {
			break
		}
		end += len(line)
	}
	if end == part.from { // one line, longer than all that there is room for
		end = min(part.to, part.from+mostBytes)
		for end > part.from && end < len(s.text) && s.text[end]&0xC0 == 0x80 { // within a character
			end--
		}
	}
	return span{part.from, end}
}

// within are the rows as far as they are in a part of the text.
func within(rows map[string]row, part span) map[string]row {
	inside := map[string]row{}
	for key, r := range rows {
		var kept row
		for _, v := range r.values {
			if part.holds(v) {
				kept.values = append(kept.values, span{v.from - part.from, v.to - part.from})
			}
		}
		if part.holds(r.whole) && r.whole != (span{}) {
			kept.whole = span{r.whole.from - part.from, r.whole.to - part.from}
		}
		inside[key] = kept
	}
	return inside
}
