package scope

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/sheet"
	"assay.dev/platform/scrape/table"
)

// companyWords end or belong to the names of carriers.
var companyWords = indexPlain(`freight lines line express carriers carrier transport transportation trucking motor motors systems
	system logistics services inc llc ltd corp corporation company co brothers bros freightways cartage haulers trucklines`)

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
		isCompany := len(words) > 1 && len(words) <= 6 && companyWords[words[len(words)-1]]
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
// called "Saia Canada" is no name of the carrier. Where the carrier is known by names, the owner's name must hold one of them.
// Where it is not, its name may be that of a place or a trade, such as "Pitt Ohio" and "Midwest Motor Express"; the page must
// then say it outside of its title too.
func OwnerNames(s sheet.Sheet, known []string) []string {
	isOther := func(name string) bool {
		return !isClear(name) && (len(known) > 0 || !isOfPlace(name)) || len(known) > 0 && !holdsOne(name, known)
	}
	names := slices.DeleteFunc(slices.Clone(s.Names), isOther)
	for _, r := range s.Remarks {
		if r.Place == table.Title {
			names = append(names, slices.DeleteFunc(NamesIn(r.Text), func(name string) bool { return !isClear(name) || isOther(name) })...)
		}
	}
	return names
}

// holdsOne tells whether a name is one of the others with nothing but words of companies around it: "Saia Motor Freight Line,
// LLC".
func holdsOne(name string, others []string) bool {
	judge := NewJudge(nil, others...)
	words := wordsOf(name)
	rest := judge.withoutNames(words)
	return len(rest) < len(words) &&
		!slices.ContainsFunc(rest, func(w string) bool { return !companyWords[w] && !isPlain(w) })
}

// isClear tells whether a name holds no word that could qualify figures.
func isClear(name string) bool {
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	k, _ := foreignKind(words)
	return k == ""
}

// isOfPlace tells whether the words of a name that could qualify figures are those of places at home or of the trade.
func isOfPlace(name string) bool {
	return !slices.ContainsFunc(wordsOf(name), func(w string) bool {
		return foreignWords[w] != "" && (foreignWords[w] != territory || abroad[w]) && w != "logistics"
	})
}

// abroad are the territories in which no carrier's general table holds.
var abroad = indexPlain(`canada canadian canadien canadienne cdn transborder crossborder québec quebec ontario alberta manitoba mexico
	mexican mexique méxico guam rico caribbean bahamas bermuda islands island overseas offshore alaska alaskan hawaii hawaiian
	intrastate regional region regions zone zones lane lanes europe european asia asian export exports import imports`)

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

// WithoutNames is the sheet with headings that do not name the carrier or the page's owner: the "Old" of "Old Dominion LTL fuel
// surcharge" is no former percent.
func (j *Judge) WithoutNames(s sheet.Sheet) sheet.Sheet {
	columns := slices.Clone(s.Columns)
	for i, h := range columns {
		levels, changed := slices.Clone(h.Levels), false
		for l, level := range levels {
			words := wordsOf(level)
			if rest := j.withoutNames(words); len(rest) > 0 && len(rest) < len(words) {
				levels[l], changed = strings.Join(rest, " "), true
				if strings.Contains(level, "%") {
					levels[l] += " %"
				}
			}
		}
		if changed {
			columns[i] = j.vocabulary.Heading(levels)
		}
	}
	s.Columns = columns
	return s
}

// isNamePart tells whether a word is a part of one of the names: "Ridgeway" of "Ridgeway Motor Lines".
func (j *Judge) isNamePart(word string) bool {
	return len(word) > 2 && slices.ContainsFunc(j.names, func(name []string) bool { return slices.Contains(name, word) })
}
