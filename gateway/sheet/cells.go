package sheet

import (
	"encoding/xml"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// look is how a number is shown: as what, in which currency, with how many digits at least, and with how many decimals;
// below zero with those that it has.
type look struct {
	as       appearance
	digits   int
	decimals int
	currency string
}

type appearance int

const (
	asNumber appearance = iota
	asDay
	asPercent
)

// maxDecimals is how many decimals a spreadsheet shows at most. Whole digits are bounded by it too.
const maxDecimals = 30

// plainLook is that of a cell without a format.
var plainLook = look{as: asNumber, decimals: -1}

// The numbers of the formats for days that every spreadsheet knows (ECMA-376 §18.8.30), first and last ones.
var dayFormats = [][2]int{{14, 22}, {27, 36}, {50, 58}}

// knownFormats are the others of these that numbers have.
var knownFormats = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "$#,##0", 6: "$#,##0", 7: "$#,##0.00", 8: "$#,##0.00", 9: "0%",
	10: "0.00%", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 41: "#,##0", 42: "$#,##0", 43: "#,##0.00",
	44: "$#,##0.00",
}

// inFormat are the parts of a format that are shown as they are, or say a colour, a currency or a condition.
var inFormat = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]`)

// lookOf is the look of a format.
func lookOf(number int, code string) look {
	for _, days := range dayFormats {
		if number >= days[0] && number <= days[1] {
			return look{as: asDay, decimals: -1}
		}
	}
	if known, ok := knownFormats[number]; ok {
		code = known
	}
	first, _, _ := strings.Cut(strings.ToLower(inFormat.ReplaceAllString(code, "")), ";")
	l := plainLook
	if strings.ContainsAny(first, "0#?") && !strings.Contains(first, "e") && !strings.Contains(first, "/") {
		_, decimals, _ := strings.Cut(first, ".")
		l.decimals = min(len(decimals)-len(strings.TrimLeft(decimals, "0#?")), maxDecimals)
	}
	if strings.Trim(first, "0") == "" {
		l.digits = min(len(first), maxDecimals)
	}
	switch {
	case strings.ContainsAny(first, "yd"), strings.Contains(first, "mmm"):
		return look{as: asDay, decimals: -1}
	case strings.Contains(first, "%"):
		l.as = asPercent
	default:
		l.currency = currencyOf(code)
	}
	return l
}

// currencyOf is the currency that a format shows, such as $ or CAD; empty for none. [$-409] names a language alone, and
// [$$-1009] dollars that are those of Canada.
func currencyOf(code string) string {
	if said := saidCurrency.FindStringSubmatch(code); said != nil {
		if land := strings.ToLower(said[2]); said[1] == "$" && land != "" && land != "-409" && land != "-en-us" {
			return said[0]
		}
		return said[1]
	}
	first, _, _ := strings.Cut(code, ";")
	return currencySign.FindString(noCurrency.ReplaceAllString(first, ""))
}

var (
	saidCurrency = regexp.MustCompile(`\[\$([^\]-]+)([^\]]*)\]`)
	noCurrency   = regexp.MustCompile(`\[[^\]]*\]|_.|\*.|["\\]`)
	currencySign = regexp.MustCompile(`[A-Za-z]*\p{Sc}|\b[A-Z]{3}\b`)
)

// maxLooks bounds the looks and formats that are kept: spreadsheets have half as many at most.
const maxLooks = 1 << 17

// readLooks reads the looks that cells refer to.
func (w *workbook) readLooks(name string) error {
	own := map[string]look{}
	return w.walk(name, func(t xml.Token, inside string) error {
		e, ok := t.(xml.StartElement)
		switch {
		case !ok:
		case e.Name.Local == "numFmt":
			number, _ := strconv.Atoi(attribute(e, "numFmtId"))
			own[attribute(e, "numFmtId")] = lookOf(number, attribute(e, "formatCode"))
		case strings.HasSuffix(inside, "/cellXfs/xf"):
			l, isOwn := own[attribute(e, "numFmtId")]
			if !isOwn {
				number, _ := strconv.Atoi(attribute(e, "numFmtId")) // 0: as it is
				l = lookOf(number, "")
			}
			w.looks = append(w.looks, l)
		}
		if len(own)+len(w.looks) > maxLooks {
			return Unreadable("the workbook has more than 131,072 formats")
		}
		return nil
	})
}

// sheetReader reads the rows of a sheet.
type sheetReader struct {
	*workbook
	rows []Row
	row  Row
	// column, kind and style are those of the cell that is read, and value is its text. isComputed: it has a formula.
	column      int
	kind, style string
	isComputed  bool
	value       strings.Builder
}

// takeToken takes the next token of a sheet.
func (s *sheetReader) takeToken(t xml.Token, inside string) (err error) {
	switch e := t.(type) {
	case xml.StartElement:
		switch {
		case strings.HasSuffix(inside, "/sheetData/row"):
			s.beginRow(e)
		case strings.HasSuffix(inside, "/row/c"):
			err = s.beginCell(e)
		case strings.HasSuffix(inside, "/row/c/f"):
			s.isComputed = true
		}
	case xml.CharData:
		if strings.HasSuffix(inside, "/c/v") || strings.Contains(inside, "/c/is") && strings.HasSuffix(inside, "/t") &&
			!strings.Contains(inside, "/rPh/") {
			s.value.Write(e)
		}
	case xml.EndElement:
		switch {
		case strings.HasSuffix(inside, "/row/c"):
			err = s.endCell()
		case strings.HasSuffix(inside, "/sheetData/row"):
			s.rows, err = add(s.rows, s.row)
		}
	}
	return err
}

func (s *sheetReader) beginRow(e xml.StartElement) {
	line, err := strconv.Atoi(attribute(e, "r"))
	if err != nil || line <= s.row.Line {
		line = s.row.Line + 1
	}
	s.row, s.column = Row{Line: line}, -1
}

// beginCell takes a cell's place, which is the one after the cell before where it says none.
func (s *sheetReader) beginCell(e xml.StartElement) error {
	s.column++
	if at := attribute(e, "r"); at != "" {
		column := 0
		for _, c := range strings.TrimRight(at, "0123456789") {
			if c < 'A' || c > 'Z' || column > 1<<20 {
				return Unreadable("the workbook cannot be read: a cell of row %d has no place", s.row.Line)
			}
			column = 26*column + int(c-'A') + 1
		}
		if column-1 < s.column {
			return Unreadable("the workbook cannot be read: the cells of row %d are not in order", s.row.Line)
		}
		s.column = column - 1
	}
	s.kind, s.style = attribute(e, "t"), attribute(e, "s")
	s.isComputed = false
	s.value.Reset()
	return nil
}

func (s *sheetReader) endCell() error {
	text, err := s.shown(s.value.String())
	if err != nil || strings.TrimSpace(text) == "" {
		return err
	}
	if s.column >= MaxColumns {
		return Unreadable("row %d has more than %d columns", s.row.Line, MaxColumns)
	}
	for len(s.row.Cells) <= s.column {
		s.row.Cells = append(s.row.Cells, "")
	}
	s.row.Cells[s.column] = text
	return nil
}

// notComputed stands for the value of a formula that no program has computed yet.
const notComputed = "#NOT COMPUTED"

// shown is the text that stands for a cell's value.
func (s *sheetReader) shown(value string) (string, error) {
	if s.isComputed && value == "" && s.kind != "str" { // a formula's empty text is a text
		return notComputed, nil
	}
	switch s.kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || i < 0 || i >= len(s.shared) {
			return "", Unreadable("the workbook cannot be read: a text of row %d is missing", s.row.Line)
		}
		if s.leftShared -= len(s.shared[i]); s.leftShared < 0 {
			return "", Unreadable("the workbook cannot be read: %v", errLarge)
		}
		return s.shared[i], nil
	case "b":
		return strings.ToUpper(strconv.FormatBool(isTrue(value))), nil
	case "", "n":
		return s.number(value), nil
	}
	return value, nil
}

// number writes a number by its look.
func (s *sheetReader) number(value string) string {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return value
	}
	shown := plainLook
	if i, err := strconv.Atoi(s.style); err == nil && i >= 0 && i < len(s.looks) {
		shown = s.looks[i]
	}
	switch shown.as {
	case asDay:
		if day, ok := dayOf(n, s.is1904); ok {
			return day
		}
	case asPercent:
		return shown.text(n*100) + "%"
	}
	return shown.currency + shown.text(n)
}

// leastDecimals are those of cents and of published percents. A cell that shows fewer still bills them.
const leastDecimals = 2

// text writes a number without an exponent. Spreadsheets keep 17 digits and show 15 at most, of which they round the
// decimals: 46.82 shown as 47 is 46.82, and 468.2000001 shown as 468.20 is that.
func (l look) text(n float64) string {
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(n, 'g', 15, 64)) // it was written just now
	if l.decimals >= 0 {
		text := exact.FloatString(max(l.decimals, leastDecimals))
		for range leastDecimals - l.decimals {
			text = strings.TrimSuffix(text, "0")
		}
		if text = strings.TrimSuffix(text, "."); isDigits(text) { // zeros before it belong to the number of a shipment
			text = strings.Repeat("0", max(0, l.digits-len(text))) + text
		}
		return text
	}
	shown, _ := exact.Float64()
	return strconv.FormatFloat(shown, 'f', -1, 64)
}

// The days that a spreadsheet counts, from 1899-12-30 or from 1904-01-01 on, up to 2199.
const (
	maxDayNumber = 109_574
	days1904     = 1462
)

// dayOf is the day of a spreadsheet's number of days, without its time.
func dayOf(n float64, is1904 bool) (string, bool) {
	if is1904 {
		n += days1904
	}
	if !(n >= 61 && n <= maxDayNumber) { // before that the count is not that of the calendar
		return "", false
	}
	return time.Date(1899, 12, 30+int(n), 0, 0, 0, 0, time.UTC).Format(time.DateOnly), true
}
