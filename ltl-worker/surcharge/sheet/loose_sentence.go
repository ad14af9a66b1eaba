package sheet

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/platform/scrape/table"
)

// A paragraph may state several weeks, each in a sentence of its own: "Effective November 18, 2026, the surcharge is 49.32%. The
// surcharge for the week of November 11, 2026 was 49.82%."

// splitParagraphs puts an element with a line for each week in the place of such paragraphs.
func (w *looseWalk) splitParagraphs(b *table.Block) {
	for i, child := range b.Children {
		if w.paragraphs[child] != nil || child.Text == "" || child.Level > 0 || child.Place != table.Near || len(child.Text) > maxParagraph {
			continue
		}
		sentences := weekSentences(child.Text)
		if len(sentences) == 0 {
			continue
		}
		paragraph := &table.Block{}
		for _, text := range sentences {
			line := &table.Block{Text: text}
			w.paragraphs[line] = child
			paragraph.Children = append(paragraph.Children, line)
		}
		b.Children[i] = paragraph
	}
}

// maxParagraph is the longest paragraph, in bytes, that is split.
const maxParagraph = 1000

// weekSentences divides a text into parts with one date and one percent each. Sentences without them stay with the part before. It
// is nil where a sentence has more of them.
func weekSentences(text string) []string {
	if strings.Count(text, "%")+strings.Count(text, "ercent") < 2 {
		return nil
	}
	var parts []string
	for _, sentence := range splitSentences(text) {
		var c counts
		values, _ := cell.Scan(sentence)
		for i := range values {
			c.add(values[i].Value)
		}
		if clauses := weekClauses(sentence); c.dates > 1 && c.dates == len(clauses) {
			parts = append(parts, clauses...)
			continue
		}
		switch {
		case c.dates == 1 && c.percents == 1:
			parts = append(parts, sentence)
		case c.dates == 0 && c.percents == 0 && len(parts) > 0:
			parts[len(parts)-1] += " " + sentence
		case c.dates == 0 && c.percents == 1 && len(parts) > 0 && isPast(sentence):
		default:
			return nil
		}
	}
	return parts
}

// weekClauses are the clauses of a sentence when each states a week: "50.1% effective November 18, 2026; 50.6% effective November 11,
// 2026", "50.1% (11/18/2026), 50.6% (11/11/2026) and 51.1% (11/4/2026)". It is nil for other sentences.
func weekClauses(sentence string) []string {
	var clauses []string
	clause := ""
	for _, part := range clauseParts(sentence) {
		clause += part
		if dates, percents := countWeek(clause); dates > 1 || percents > 1 {
			return nil
		} else if dates == 1 && percents == 1 {
			clauses, clause = append(clauses, strings.TrimSpace(clause)), ""
		}
	}
	if strings.Trim(clause, " .") != "" {
		return nil
	}
	return clauses
}

// clauseEnds part the clauses of a list of weeks. The comma before a year parts nothing.
var clauseEnds = regexp.MustCompile(`;|,? (?:and|(?:down|up) from|compared (?:with|to)) |,`)

// clauseParts divides a sentence before what may begin a clause.
func clauseParts(sentence string) []string {
	var parts []string
	begin := 0
	for _, at := range clauseEnds.FindAllStringIndex(sentence, -1) {
		if !yearAhead.MatchString(sentence[at[1]:]) {
			parts = append(parts, sentence[begin:at[0]]+" ")
			begin = at[1]
		}
	}
	return append(parts, sentence[begin:])
}

var yearAhead = regexp.MustCompile(`^ ?20\d\d\b`)

func countWeek(text string) (dates, percents int) {
	var c counts
	values, _ := cell.Scan(text)
	for i := range values {
		c.add(values[i].Value)
	}
	return c.dates, c.percents
}

// isPast tells whether a short sentence says what was before: "It was 50.12 percent."
func isPast(sentence string) bool {
	words := strings.Fields(strings.ToLower(sentence))
	return len(words) <= maxPast && slices.Contains(words, "was")
}

// maxPast is the most words of such a sentence.
const maxPast = 8

// splitSentences divides a text behind the full stops that end a sentence.
func splitSentences(text string) []string {
	var all []string
	begin := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '.' && endsSentence(text[begin:i], text[i+1:]) {
			all = append(all, strings.TrimSpace(text[begin:i+1]))
			begin = i + 1
		}
	}
	if rest := strings.TrimSpace(text[begin:]); rest != "" {
		all = append(all, rest)
	}
	return all
}

// endsSentence tells whether a full stop between two texts is no part of an abbreviation: "Nov. 18", "U.S. average".
func endsSentence(before, after string) bool {
	if !strings.HasPrefix(after, " ") {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
	word := before[strings.LastIndexByte(before, ' ')+1:]
	return unicode.IsUpper(next) && (len(word) > 3 && strings.Trim(word, "()\"") != "Sept" && !strings.Contains(word, ".") ||
		strings.ContainsAny(word, digits))
}
