package scope

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
	"assay.dev/ltl-worker/surcharge/token"
	"assay.dev/platform/scrape/table"
)

// Judge tells which of the texts around figures let a person doubt that they are the carrier's standard LTL fuel
// surcharge. Its world is closed: a title must be made of words that are known to be neutral or ours.
type Judge struct {
	vocabulary *meaning.Vocabulary
	names      [][]string // of the carrier and of the page's owner, word by word, the longest first
	known      map[question]string
}

// question is a text that was judged.
type question struct {
	text string
	how  rigour
}

// NewJudge makes a judge that takes the names for neutral.
func NewJudge(v *meaning.Vocabulary, names ...string) *Judge {
	j := &Judge{vocabulary: v, known: map[question]string{}}
	for _, name := range names {
		if words := wordsOf(name); len(words) > 0 {
			j.names = append(j.names, words)
		}
	}
	slices.SortStableFunc(j.names, func(a, b []string) int { return len(b) - len(a) })
	return j
}

// companyWords end or belong to the names of carriers.
var companyWords = indexPlain(`freight lines line express carriers carrier transport transportation trucking motor motors systems
	system inc llc ltd corp corporation company co brothers bros freightways cartage haulers trucklines`)

// titleSigns part the name of a company from the rest of a title.
var titleSigns = strings.NewReplacer(" - ", "|", " – ", "|", " — ", "|", ": ", "|")

// NamesIn are the parts of a document's title that are the name of a company: "Ridgeway Motor Lines" of "Fuel Surcharge |
// Ridgeway Motor Lines".
func NamesIn(title string) []string {
	var names []string
	parts := strings.FieldsFunc(titleSigns.Replace(title), func(r rune) bool {
		return r == '|' || r == '·' || r == '»'
	})
	for _, part := range parts {
		words := wordsOf(part)
		isCompany := len(words) > 1 && len(words) <= 6 && slices.ContainsFunc(words, func(w string) bool { return companyWords[w] })
		isTopic := slices.ContainsFunc(words, func(w string) bool {
			return w == "fuel" || strings.HasPrefix(w, "surcharge") || w == "ltl" || w == "truckload"
		})
		if isCompany && !isTopic {
			names = append(names, strings.TrimSpace(part))
		}
	}
	return names
}

// OwnerNames are the names of the page's owner, as the page gives them, without those that say something else: a site
// called "Saia Canada" is no name of the carrier.
func OwnerNames(s sheet.Sheet) []string {
	names := slices.Clip(s.Names)
	for _, r := range s.Remarks {
		if r.Place == table.Title {
			names = append(names, NamesIn(r.Text)...)
		}
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(wordsOf(name), func(w string) bool { return foreignWords[w] != "" })
	})
}

// SaysSurcharge tells whether a heading or a title says that the figures are surcharges or percents.
func (j *Judge) SaysSurcharge(s sheet.Sheet, percent int) bool {
	texts := append(slices.Clone(s.Context), s.Columns[percent].Levels...)
	for _, r := range s.Remarks {
		texts = append(texts, r.Text)
	}
	for _, f := range s.Facts {
		texts = append(texts, f.Name, f.Value)
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		return strings.Contains(text, "%") || j.vocabulary.Of(text).Has(meaning.Percent) ||
			slices.ContainsFunc(wordsOf(text), func(w string) bool { return surchargeWords[w] })
	})
}

var surchargeWords = indexPlain(`surcharge surcharges fsc percent percents percentage percentages pct rate rates`)

func wordsOf(text string) []string {
	var words []string
	var buf [48]token.Token
	for len(text) > 0 {
		part := text[:min(len(text), maxPart)]
		if len(part) < len(text) {
			if i := strings.LastIndexByte(part, ' '); i > 0 {
				part = part[:i]
			}
		}
		for _, t := range token.Split(buf[:0], token.Spaced(part)) {
			if t.Kind == token.Word || t.Kind == token.Digits {
				words = append(words, t.Text)
			}
		}
		text = text[len(part):]
	}
	return withAbbreviation(words)
}

// withAbbreviation puts "ltl" in place of "less than truckload", which may also be written "less than a truck load".
func withAbbreviation(words []string) []string {
	for i := 0; i+2 < len(words); i++ {
		if words[i] != "less" || words[i+1] != "than" {
			continue
		}
		end := i + 2
		for end < len(words)-1 && (words[end] == "a" || words[end] == "full") {
			end++
		}
		switch {
		case words[end] == "truckload" || words[end] == "truckloads" || words[end] == "carload":
			end++
		case words[end] == "truck" && end+1 < len(words) && strings.HasPrefix(words[end+1], "load"):
			end += 2
		default:
			continue
		}
		words = slices.Replace(words, i, end, "ltl")
	}
	return words
}

// maxPart is how many bytes of a text are cut into words at a time.
const maxPart = 200

// Doubts says in words why the figures of the sheet may be others than ours; it is empty when nothing speaks against
// them.
func (j *Judge) Doubts(s sheet.Sheet, percent int) []string {
	var doubts []string
	add := func(where, text string, how rigour) {
		if why := j.doubt(text, how); why != "" {
			doubts = append(doubts, fmt.Sprintf("%s %q: %s", where, shortened(text), why))
		}
	}
	for _, r := range s.Remarks {
		if r.Place == table.Title {
			r.Text = withoutSlogans(r.Text)
		}
		add(placeNames[r.Place], r.Text, rigourAt(r.Place))
	}
	for _, text := range s.Titles {
		add("title", text, strict)
	}
	for _, f := range s.Facts {
		if why := j.doubtFact(f); why != "" {
			doubts = append(doubts, fmt.Sprintf("%s %q: %s", f.Name, shortened(f.Value), why))
		}
	}
	for _, level := range s.Columns[percent].Levels {
		add("column", level, exact)
	}
	return doubts
}

// withoutSlogans leaves out the parts of a document's title that list what the company does: "Air, Ocean and Ground".
func withoutSlogans(title string) string {
	parts := sentences(title)
	kept := slices.DeleteFunc(parts, func(part string) bool {
		services := 0
		for _, w := range wordsOf(part) {
			if w == "fuel" || strings.HasPrefix(w, "surcharge") {
				return false
			}
			if foreignWords[w] == service || w == "truckload" {
				services++
			}
		}
		return services >= 3
	})
	return strings.Join(kept, " | ")
}

// doubtFact judges what a JSON document says beside a list. A flag that is false says nothing.
func (j *Judge) doubtFact(f sheet.Fact) string {
	switch {
	case f.Value == "" || f.Value == "false" || IsTechnical(f.Name):
		return ""
	case isFigure(f.Value) || f.Value == "true":
		return j.doubt(f.Name, lenient)
	}
	how := lenient
	if qualifies(f.Name) {
		how = strict
	}
	if why := j.doubt(f.Value, how); why != "" || j.vocabulary.Of(token.Spaced(f.Name)).Has(meaning.Price) {
		return why
	}
	return j.doubt(f.Name, lenient)
}

// qualifies tells whether a member of this name says for what the figures hold.
func qualifies(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w string) bool { return qualifyingNames[w] })
}

var qualifyingNames = indexPlain(`service services mode type product region territory zone area country lane scope customer account
	program plan carrier company division market basis unit units kind category title name label applies applicability`)

// IsTechnical tells whether the values of a member of this name mean nothing to people.
func IsTechnical(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w string) bool { return technicalNames[w] })
}

var technicalNames = indexPlain(`id ids uri url href link links guid uuid slug cursor typename etag metadata hash token context self key
	created modified author editor status version revision nextlink path template image icon color lang locale format mime
	published date updated timestamp generated odata typename schema count total size page`)

var placeNames = map[table.Place]string{
	table.Near: "near it", table.Above: "above it", table.Below: "below it", table.Over: "heading", table.Label: "label",
	table.Choice: "chosen", table.Crumb: "way to the page", table.Title: "title of the page",
}

func shortened(text string) string {
	if len(text) > 80 {
		return strings.ToValidUTF8(text[:80], "") + "…"
	}
	return text
}

// rigour is how much of a text must be known.
type rigour uint8

const (
	lenient rigour = iota // only words that are known to be foreign count
	topical               // unknown words count in a title that speaks of the figures
	strict                // unknown words count in every title, and in a sentence that says for what the figures hold
	exact                 // only words of headings are known: for the headings of columns and the names of rows
)

// maxLabel is the most words that a heading or the name of a row has which is no sentence.
const maxLabel = 8

// rigourAt is strict for the places of titles.
func rigourAt(p table.Place) rigour {
	if p == table.Near {
		return topical
	}
	return strict
}

// doubt says what in a text speaks against the figures; "" when nothing does.
func (j *Judge) doubt(text string, how rigour) string {
	q := question{text, how}
	if _, known := j.known[q]; !known {
		j.known[q] = j.judge(text, how)
	}
	return j.known[q]
}

func (j *Judge) judge(text string, how rigour) string {
	for _, sentence := range sentences(text) {
		words := j.withoutNames(wordsOf(sentence))
		if len(words) == 0 {
			continue
		}
		prose := isProse(sentence, words)
		if isSlogan(words) {
			continue
		}
		if prose && !isAboutFigures(words) {
			continue
		}
		if why := foreignIn(words, sentence, prose); why != "" {
			return why
		}
		if how == exact && len(words) > maxLabel {
			how = strict
		}
		if how == exact {
			if word := j.unknownLabelIn(words); word != "" {
				return fmt.Sprintf("%q is not known in a heading", word)
			}
		}
		if how == strict && (!prose || limits(words)) || how == topical && !prose && isAboutFigures(words) {
			if word := j.unknownIn(words); word != "" {
				return fmt.Sprintf("%q is not known", word)
			}
		}
	}
	return ""
}

// abbreviations end in a full stop that ends no sentence.
var abbreviations = strings.NewReplacer("U.S.", "US", "u.s.", "us", "lbs.", "lbs", "No. ", "No ", "Inc.", "Inc", "Avg.", "Avg",
	"a.m.", "am", "p.m.", "pm")

// sentences divides a text at full stops. The parts of a title are divided by bars and dashes.
func sentences(text string) []string {
	if !strings.ContainsAny(text, ".|\n·»") {
		return []string{text}
	}
	text = abbreviations.Replace(text)
	return strings.FieldsFunc(strings.ReplaceAll(text, ". ", ".\n"), func(r rune) bool {
		return r == '|' || r == '\n' || r == '·' || r == '»'
	})
}

// isProse tells a sentence from a title.
func isProse(text string, words []string) bool {
	text = strings.TrimSpace(text)
	ends := strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!")
	if ends && len(words) > 3 || len(words) > 12 {
		return true
	}
	return len(words) > 5 && slices.ContainsFunc(words, func(w string) bool { return verbs[w] })
}

// isSlogan tells whether a text praises the company and says nothing of figures.
func isSlogan(words []string) bool {
	return len(words) >= 4 && slices.ContainsFunc(words, func(w string) bool { return sloganWords[w] }) &&
		!slices.ContainsFunc(words, func(w string) bool {
			return topics[w] && w != "freight" && w != "moving" || foreignWords[w] == territory
		})
}

var sloganWords = indexPlain(`we you your our every forward better together promise trust trusted always people more
	great proud count deliver delivering welcome ready`)

var verbs = indexPlain(`is are was were will has have had applies apply applied changes change reviews uses use pays
	publish publishes add adds adjusts see call contact subscribe click reserve looking move keep closed`)

// isAboutFigures tells whether a sentence speaks of the figures or of what they are charged for.
func isAboutFigures(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return topics[w] })
}

var topics = indexPlain(`surcharge surcharges fsc fuel percent percents percentage percentages table tables rates rate schedule
	schedules figures figure these following shown listed below above apply applies applied applicable valid ltl shipment shipments freight
	truckload column columns row rows values list amounts numbers surchage charge charges linehaul lorem index dates date points
	moving only`)

// limits tells whether a sentence says for what the figures hold.
func limits(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return limiters[w] })
}

var limiters = indexPlain(`only applies apply applicable valid limited following these restricted exclusively
	replace replaces consigned`)

func (j *Judge) withoutNames(words []string) []string {
	for _, name := range j.names {
		for i := 0; i+len(name) <= len(words); {
			if slices.Equal(words[i:i+len(name)], name) {
				words = slices.Delete(slices.Clone(words), i, i+len(name))
				continue
			}
			i++
		}
	}
	return words
}

// foreignIn names the word that makes a text one about other figures; "" when there is none.
func foreignIn(words []string, text string, prose bool) string {
	k, word := foreignKind(words)
	switch {
	case k == "":
		return ""
	case prose && (pointsElsewhere(words) || strings.HasPrefix(word, "minimum ")):
		return ""
	case k == service && isListWithOurs(words, text), k == territory && isWholeCountry(words):
		return ""
	}
	return fmt.Sprintf("%q is %s", word, k)
}

func foreignKind(words []string) (kind, string) {
	for i, w := range words {
		for _, p := range phrasesFrom[w] {
			if w == "up" && isWeightAt(words, i+2) {
				continue // "up to 19,999 lbs"
			}
			if len(words)-i >= len(p.words) && slices.Equal(words[i:i+len(p.words)], p.words) {
				return p.kind, strings.Join(p.words, " ")
			}
		}
	}
	for i, w := range words {
		switch k := foreignWords[w]; {
		case k == "", k == charge && i > 0 && asides[words[i-1]], k == charge && isListOfCharges(words):
		default:
			return k, w
		}
	}
	for i, w := range words[:len(words)-1] {
		if (w == "class" || w == "classes") && isFigure(words[i+1]) {
			return goods, w + " " + words[i+1]
		}
	}
	if w := weightOver(words); w != "" {
		return goods, w
	}
	ltl := slices.Contains(words, "ltl")
	for _, w := range words {
		if !ltl && (w == "truckload" || w == "tl" || w == "ftl") {
			return service, w
		}
	}
	return "", ""
}

// isWeightAt tells whether a weight stands at i.
func isWeightAt(words []string, i int) bool {
	for ; i < len(words); i++ {
		if !isFigure(words[i]) {
			return strings.HasPrefix(words[i], "lb") || strings.HasPrefix(words[i], "pound")
		}
	}
	return false
}

// asides stand before a charge from which the surcharge is told apart: "after discount", "before accessorials".
var asides = indexPlain(`before after excluding plus`)

// isListOfCharges tells whether a title names a part of the site: "Accessorials & Surcharges".
func isListOfCharges(words []string) bool {
	return len(words) <= 4 && slices.Contains(words, "surcharges") && strings.HasPrefix(words[0], "accessorial")
}

// weightOver is the lower limit of a weight, such as "over 10 000 pounds"; "" when there is none.
func weightOver(words []string) string {
	for i, w := range words {
		if w != "over" && w != "above" && w != "exceeding" && w != "heavier" {
			continue
		}
		end := i + 1
		for end < len(words) && (isFigure(words[end]) || words[end] == "than") {
			end++
		}
		if end > i+1 && end < len(words) && (strings.HasPrefix(words[end], "lb") || strings.HasPrefix(words[end], "pound")) {
			return strings.Join(words[i:end+1], " ")
		}
	}
	return ""
}

// pointsElsewhere tells whether a sentence says what the figures are not for, or where others are found.
func pointsElsewhere(words []string) bool {
	negated := slices.ContainsFunc(words, func(w string) bool { return negations[w] })
	if negated {
		return !slices.Contains(words, "longer") && !slices.Contains(words, "only")
	}
	return len(words) > 0 && slices.ContainsFunc(words, func(w string) bool { return pointers[w] })
}

var (
	negations = indexPlain(`not except excluding excludes excluded exclude neither nor without`)
	pointers  = indexPlain(`contact call email visit click questions chat subscribe including regardless separate separately ask see refer consult inquire`)
)

// isListWithOurs tells whether a text names LTL beside other services.
func isListWithOurs(words []string, text string) bool {
	return slices.Contains(words, "ltl") && listsLTL.MatchString(text)
}

// listsLTL finds LTL as an item of a list: "LTL, Volume and Expedited", "Truckload / LTL".
var listsLTL = regexp.MustCompile(`(?i)(\bltl\b|\btruckload\b)\)?( \w+)?\s*(,|&|/|\||\+|\band\b|\bor\b)|(,|&|/|\||\+|\band\b|\bor\b)\s*(\bltl\b|less[ -]than)`)

// isWholeCountry tells whether a text names the whole country, and not the traffic between it and another one.
func isWholeCountry(words []string) bool {
	whole := slices.ContainsFunc(words, func(w string) bool { return countryWords[w] }) ||
		strings.Contains(strings.Join(words, " "), "united states") || strings.Contains(strings.Join(words, " "), "48 states")
	between := slices.ContainsFunc(words, func(w string) bool { return w == "between" || w == "from" || w == "cross" || w == "border" })
	return whole && !between
}

var countryWords = indexPlain(`us usa conus domestic contiguous continental nationwide national`)

// unknownIn is the first word that is not known to be neutral or ours.
func (j *Judge) unknownIn(words []string) string {
	for i, w := range words {
		if isPlain(w) || isFigure(w) || isDateWord(w) || foreignWords[w] != "" {
			continue
		}
		said := j.vocabulary.Of(w)
		if !said.Has(meaning.Unknown) || i > 0 && compound(words[i-1], w) || j.isNamePart(w) {
			continue
		}
		return w
	}
	return ""
}

// isPlain tells whether a word, or its singular, is known to change nothing.
func isPlain(word string) bool {
	return plainWords[word] || len(word) > 3 && plainWords[strings.TrimSuffix(word, "s")]
}

// unknownLabelIn is the first word that headings of our percents do not have.
func (j *Judge) unknownLabelIn(words []string) string {
	for i, w := range words {
		if isFigure(w) || labelWords[w] || j.isNamePart(w) {
			continue
		}
		said := j.vocabulary.Of(w)
		isWeight := weightWords[w] && isWeightAt(words, i+1)
		if said.Has(meaning.Unknown) || said.Has(meaning.Other) && !isWeight || w == "est" { // estimated
			return w
		}
	}
	return ""
}

var (
	labelWords = indexPlain(`other all remaining following s std published posted surch fs tariff ltl's common carriage points
		everything else any regular sur charge mode up
		entry post page item record`)
	weightWords = indexPlain(`max maximum min minimum`) // of "LTL, max 19,999 lbs"
)

func compound(before, word string) bool { return before == "e" && word == "mail" }

// isNamePart tells whether a word is a part of one of the names: "Ridgeway" of "Ridgeway Motor Lines".
func (j *Judge) isNamePart(word string) bool {
	return len(word) > 2 && slices.ContainsFunc(j.names, func(name []string) bool { return slices.Contains(name, word) })
}

func isFigure(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

func isDateWord(word string) bool {
	_, weekday := calendar.Weekday(word)
	switch word {
	case "st", "nd", "rd", "th", "am", "pm", "est", "edt", "cst", "cdt", "pst", "ct":
		return true
	}
	return weekday || calendar.Month(word) > 0
}
