package scope

import (
	"fmt"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
	"assay.dev/platform/scrape/table"
)

// Judge tells which of the texts around figures let a person doubt that they are the carrier's standard LTL fuel
// surcharge. Its world is closed: a title must be made of words that are known to be neutral or ours.
type Judge struct {
	// OfCarrier is set when the carrier is known by name. Then other companies' names are foreign.
	OfCarrier bool

	headedLTL  bool // the percents of the sheet that is judged stand under a heading that names LTL
	headedFuel bool // and under one that names the fuel surcharge
	// otherColumns are the words of the headings beside that of the percents. What names one of them is about that column.
	otherColumns []string
	// otherHeadings are the headings of the columns beside that of the percents, word by word.
	otherHeadings [][]string
	others        string // both and place, for the key of known
	// place is where the column of the percents stands; its width is 0 where the sheet is not laid out as the page shows it.
	place columnPlace
	// bilingual is set while a text is judged that has words of the trade in English.
	bilingual  bool
	vocabulary *meaning.Vocabulary
	names      [][]string // of the carrier and of the page's owner, word by word, the longest first
	known      map[question]string
}

// question is a text that was judged.
type question struct {
	text       string
	how        rigour
	headedLTL  bool
	headedFuel bool
	others     string
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

// Doubts says in words why the figures of the sheet may be others than ours; it is empty when nothing speaks against
// them.
func (j *Judge) Doubts(s sheet.Sheet, percent int) []string {
	j.headedLTL = s.Columns[percent].Is(meaning.LTL) || j.statesLTL(s)
	j.headedFuel = isAboutFuel(wordsOf(s.Columns[percent].String()))
	j.otherColumns, j.otherHeadings = otherColumns(s, percent), otherHeadings(s, percent)
	j.place = placeOf(s, percent)
	j.others = fmt.Sprint(j.otherColumns, j.otherHeadings, j.place)
	var doubts []string
	add := func(where, text string, how rigour) {
		if why := j.doubt(text, how); why != "" {
			doubts = append(doubts, fmt.Sprintf("%s %q: %s", where, shortened(text), why))
		}
	}
	before, introduced := "", false // the line before, and whether one introduces this as what the figures are for
	for i, r := range s.Remarks {
		how := rigourAt(r.Place)
		switch r.Place {
		case table.Hint:
			isOfRow := slices.ContainsFunc(s.Rows, func(row sheet.Row) bool { return !row.Broken && row.Cells[percent].Text == r.Of })
			if !isOfRow && !slices.Contains(s.Columns[percent].Levels, r.Of) {
				continue
			}
		case table.Title:
			r.Text = j.withoutSlogans(r.Text)
		case table.Choice:
			r.Text = withoutPrompt(r.Text)
		case table.Crumb:
			r.Text = crumbs.Replace(r.Text)
		case table.Kicker, table.Over:
			if r.Text = withoutCrumbs(r.Text); j.isMenu(r.Text) {
				r.Text = ""
			}
			if isInMenu(s.Remarks, i) {
				how = lenient
			}
		case table.Image:
			r.Text = j.logo(r.Text)
		case table.Above, table.Below:
			if r.Text = withoutCrumbs(r.Text); j.isLetterhead(r.Text, before) || j.isMenu(r.Text) {
				r.Text = ""
			}
		case table.Near:
			if repeatsFigure(r.Text, s, percent) {
				how = statement
			}
			if isSiteAbroad(r.Text) {
				how = strict
			}
			label, _, labelled := strings.Cut(r.Text, ":")
			isItem := strings.HasSuffix(before, "s") && isInMenu(s.Remarks, i) // "Services" names no value
			introduced = strings.HasSuffix(before, ":") && pointsAtFigures(before) || introduced && len(strings.Fields(r.Text)) <= maxMenuItem
			if namesQualifier(before) && !isItem || labelled && namesQualifier(label) || introduced {
				how = strict
			}
		}
		if j.headedLTL && statesTruckload(r.Text) {
			r.Text = ""
		}
		isAnswer := asksForWhom.MatchString(before)
		for _, sentence := range sentences(r.Text) {
			if !isAnswer && !isViewing(sentence) {
				continue
			}
			how = strict
			if word := forWhom(sentence); word != "" {
				doubts = append(doubts, fmt.Sprintf("%s %q: only for %q", placeNames[r.Place], shortened(r.Text), word))
			}
		}
		before = r.Text
		add(placeNames[r.Place], r.Text, how)
		if endsWeeks(r.Text, s) {
			doubts = append(doubts, fmt.Sprintf("%s %q: the dates are the ends of weeks", placeNames[r.Place], shortened(r.Text)))
		}
	}
	for _, text := range s.Statements {
		add("line", text, statement)
	}
	for _, text := range s.Titles {
		if s.IsJSON && isProgramName(text) {
			continue
		}
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
	if isOfUnknownCountry(s) {
		doubts = append(doubts, "the page is in two languages and names no country")
	}
	if total := totalBeside(s, percent); total != "" {
		doubts = append(doubts, fmt.Sprintf("column %q: it has the sum of ours and others", total))
	}
	if heading := priceAbroad(s); heading != "" {
		doubts = append(doubts, fmt.Sprintf("column %q: prices of another country", heading))
	}
	return doubts
}

// statesLTL tells whether all sentences that state the weeks say that their percents are those of LTL.
func (j *Judge) statesLTL(s sheet.Sheet) bool {
	states := func(text string) bool { return strings.Contains(text, "%") || strings.Contains(text, "ercent") }
	return s.Loose && slices.ContainsFunc(s.Statements, states) && !slices.ContainsFunc(s.Statements, func(text string) bool {
		said := j.vocabulary.Of(text)
		return states(text) && (!said.Has(meaning.LTL) || said.Has(meaning.Truckload))
	})
}

// repeatsFigure tells whether a text far from the figures names one of them: what it says of it, it says of our percents. It does not
// where it works out an amount.
func repeatsFigure(text string, s sheet.Sheet, percent int) bool {
	if !saysOne(text, "%", "ercent") || strings.Contains(text, "$") {
		return false
	}
	parts, _ := cell.Scan(text)
	return slices.ContainsFunc(parts, func(p cell.Part) bool {
		return p.Quantity.Unit == cell.Percent && slices.ContainsFunc(s.Rows, func(r sheet.Row) bool {
			return !r.Broken && r.Cells[percent].Quantity.Value == p.Quantity.Value
		})
	})
}

// otherColumns are the words of headings that tell their figures from the percents: "Volume %" beside "LTL %".
func otherColumns(s sheet.Sheet, percent int) []string {
	own := wordsOf(s.Columns[percent].String())
	var others []string
	for i, h := range s.Columns {
		for _, w := range wordsOf(h.String()) {
			if i != percent && (foreignWords[w] != "" || w == "truckload" || w == "tl") && !slices.Contains(own, w) {
				others = append(others, w)
			}
		}
	}
	return others
}

func otherHeadings(s sheet.Sheet, percent int) (all [][]string) {
	own := wordsOf(s.Columns[percent].String())
	for i, h := range s.Columns {
		if words := wordsOf(h.String()); i != percent && len(words) > 0 && !slices.Contains(own, words[0]) {
			all = append(all, words)
		}
	}
	return all
}

// isAboutOtherColumn tells whether a sentence begins with the heading of another column: "Rate per mile applies to truckload only".
func (j *Judge) isAboutOtherColumn(words []string) bool {
	return j.place.isElsewhere(words) || j.namesOtherColumns(words) || slices.ContainsFunc(j.otherHeadings, func(heading []string) bool {
		return len(words) > len(heading) && slices.Equal(words[:len(heading)], heading) && !slices.Contains(words, "these") && !j.restrictsOurs(words)
	})
}

// priceAbroad is the heading of prices in another country's units; "" when there is none, or when a heading names this country
// too.
func priceAbroad(s sheet.Sheet) string {
	abroad := ""
	for _, h := range s.Columns {
		if h.Is(meaning.US) {
			return ""
		}
		if h.Is(meaning.Price|meaning.Fuel) && slices.ContainsFunc(wordsOf(h.String()), func(w string) bool { return unitsAbroad[w] }) {
			abroad = h.String()
		}
	}
	return abroad
}

var unitsAbroad = indexPlain(`litre litres liter liters l ltr cad cdn canadian mxn peso pesos eur euro euros gbp`)

// logo is the text of an image, or of the head of a side column, that names a company or a service; "" where it shows something else.
func (j *Judge) logo(text string) string {
	words := wordsOf(text)
	if slices.Contains(words, "logo") || strings.ContainsAny(text, "®™") || len(j.withoutNames(words)) < len(words) {
		return text
	}
	return ""
}

// namesQualifier tells whether a text is the name of what stands in the next line, and that qualifies figures: "Contract
// type", "Service:". What names several things is rather an item of a menu: "Charges and services".
func namesQualifier(text string) bool {
	words := wordsOf(text)
	if len(words) == 0 || len(words) > 3 {
		return false
	}
	last := words[len(words)-1]
	isPage := len(words) == 3 && strings.HasSuffix(last, "s") && (words[1] == "and" || strings.Contains(text, "&"))
	return qualifyingNames[last] && !(isPage && !strings.Contains(text, ":"))
}

// withoutPrompt is what is chosen; nothing where the list still asks: "Select a state".
func withoutPrompt(choice string) string {
	first, _, _ := strings.Cut(strings.ToLower(strings.Trim(choice, "-–— ")), " ")
	if first == "select" || first == "choose" || first == "please" {
		return ""
	}
	return choice
}

// crumbs parts the steps on the way to the page, and leaves out the first one.
var crumbs = strings.NewReplacer("Home /", "", "Home >", "", "Home ›", "", "Home »", "", " / ", " | ", " > ", " | ", " › ", " | ")

// withoutCrumbs parts the steps of a line that is the way to the page: "Resources › Fuel Surcharge".
func withoutCrumbs(line string) string {
	if strings.Contains(line, " › ") || strings.Contains(line, " » ") || strings.Contains(line, " > ") {
		return crumbs.Replace(line)
	}
	return line
}

// withoutSlogans leaves out the parts of a document's title that list what the company does: "Air, Ocean and Ground".
func (j *Judge) withoutSlogans(title string) string {
	parts := sentences(title)
	kept := slices.DeleteFunc(parts, func(part string) bool {
		words, services := j.withoutNames(wordsOf(part)), 0
		if len(words) >= 4 && companyKinds[words[len(words)-1]] && !isAboutFuel(words) && !slices.ContainsFunc(words, func(w string) bool { return ofOthers[w] }) {
			return true
		}
		for _, w := range words {
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

// companyKinds end what a title says of the company: "Regional and National LTL Carrier".
var companyKinds = indexPlain(`carrier carriers company provider`)

// ofOthers are words by which a title is about other companies: "Lowest of five carriers".
var ofOthers = indexPlain(`of by from another other our connecting fictional`)

func isAboutFuel(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return w == "fuel" || strings.HasPrefix(w, "surcharge") })
}

var placeNames = map[table.Place]string{
	table.Near: "near it", table.Above: "above it", table.Below: "below it", table.Over: "heading", table.Label: "label",
	table.Choice: "chosen", table.Image: "image", table.Kicker: "line over a heading", table.Active: "current item", table.Crumb: "way to the page", table.Title: "title of the page",
	table.Notice: "notice of the site", table.Hint: "tooltip",
}

func shortened(text string) string {
	if len(text) > 80 {
		return strings.ToValidUTF8(text[:80], "") + "…"
	}
	return text
}
