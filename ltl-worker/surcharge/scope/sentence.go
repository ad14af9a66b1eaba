package scope

import (
	"fmt"
	"slices"
	"strings"

	"assay.dev/platform/scrape/table"
)

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
