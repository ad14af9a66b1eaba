package lines

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
	"assay.dev/platform/csvrow"
)

// readJSON reads a list of objects, or one object, which may have the options besides.
func (s *Schema[L, P]) readJSON(file *File[L], body []byte) error {
	body = bytes.TrimPrefix(body, []byte(csvrow.ByteOrderMark))
	decoder := json.NewDecoder(bytes.NewReader(body))
	err := s.readValues(decoder, body, file)
	if err == nil {
		err = expectEnd(decoder)
	}
	if contracts.CodeOf(err) == contracts.Internal { // of package json
		err = sheet.Unreadable("the body is not JSON: %s", jsonProblem(err))
	}
	return err
}

func (s *Schema[L, P]) readValues(decoder *json.Decoder, body []byte, file *File[L]) error {
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		return s.readValue(decoder, file, file.Options)
	}
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for decoder.More() {
		if err := s.readValue(decoder, file, nil); err != nil {
			return err
		}
	}
	_, err := decoder.Token()
	return err
}

// readValue reads the next value as a line.
func (s *Schema[L, P]) readValue(decoder *json.Decoder, file *File[L], options map[string]string) error {
	var value json.RawMessage
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	return file.addLine(s.readObject(len(file.Lines)+1, value, options))
}

func expectEnd(decoder *json.Decoder) error {
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more follows after its end; the media type of NDJSON is application/x-ndjson")
	}
	return nil
}

// jsonProblem is what package json says, without the prefix that some of its texts have. Of the body it holds one
// quoted character at most.
func jsonProblem(err error) string {
	cause := contracts.AsError(err).Unwrap()
	text := strings.TrimPrefix(cause.Error(), "json: ")
	if syntax := (*json.SyntaxError)(nil); errors.As(cause, &syntax) {
		text += fmt.Sprintf(" at byte %d", syntax.Offset)
	}
	return text
}

// readNDJSON reads an object a line. Blank lines are skipped.
func (s *Schema[L, P]) readNDJSON(file *File[L], body []byte) error {
	number := 0
	for text := range bytes.Lines(bytes.TrimPrefix(body, []byte(csvrow.ByteOrderMark))) {
		number++
		text = bytes.TrimSpace(text)
		if len(text) == 0 {
			continue
		}
		if err := file.addLine(s.readObject(number, text, nil)); err != nil {
			return err
		}
	}
	return nil
}

// readObject reads a JSON object as a line. Members that are options go to options, where there are any.
func (s *Schema[L, P]) readObject(number int, text []byte, options map[string]string) *L {
	var l P = new(L)
	h := l.head()
	h.Number = number
	switch {
	case !utf8.Valid(text):
		h.Fail("", "this is not valid UTF-8")
	case !json.Valid(text):
		h.Fail("", "this is not JSON")
	case text[0] != '{':
		h.Fail("", "want a JSON object with the members %s", s.known())
	default:
		s.readMembers(l, json.NewDecoder(bytes.NewReader(text)), options)
	}
	return l
}

// maxErrors is how many members of an object may be wrong before it is not read on: a line of CSV has no more of them.
const maxErrors = 12

// readMembers reads the members of a well-formed object.
func (s *Schema[L, P]) readMembers(l P, object *json.Decoder, options map[string]string) {
	_, _ = object.Token() // the opening brace: the object is well-formed
	seen := make([]string, 0, len(s.Members))
	for object.More() {
		if len(l.head().Errors) == maxErrors {
			l.head().Fail("", "the members behind these are not read")
			return
		}
		token, _ := object.Token()
		name := token.(string)
		var value json.RawMessage
		_ = object.Decode(&value) // as above
		if slices.Contains(seen, name) {
			l.head().Fail(contracts.Printable(name), "this is given twice")
			continue
		}
		seen = append(seen, name)
		s.readMember(l, name, value, options)
	}
}

func (s *Schema[L, P]) readMember(l P, name string, value json.RawMessage, options map[string]string) {
	i := s.memberIndex(name)
	isOption := options != nil && slices.Contains(s.Options, name)
	text, problem := textOf(value)
	switch {
	case i < 0 && !isOption:
		l.head().Fail(contracts.Printable(name), "there is no such member; known members: %s", s.known())
	case problem != "":
		l.head().Fail(name, "%s", problem)
	case isOption:
		if value[0] != 'n' {
			options[name] = text
		}
	default:
		s.set(l, i, text)
	}
}

// textOf is the text of a string, a number as it was written, and empty for null. true and false, which dry_run may be,
// are 1 and 0.
func textOf(value json.RawMessage) (text, problem string) {
	switch value[0] {
	case '"':
		_ = json.Unmarshal(value, &text) // it is well-formed
		if strings.ContainsRune(text, utf8.RuneError) && !bytes.ContainsRune(value, utf8.RuneError) &&
			!bytes.Contains(bytes.ToLower(value), []byte(`\ufffd`)) {
			return "", "half a character, such as \\ud800, is not allowed"
		}
		return text, ""
	case 'n':
		return "", ""
	case 't':
		return "1", ""
	case 'f':
		return "0", ""
	case '{', '[':
		return "", "want a text or a number"
	}
	return string(value), ""
}
