package sheet

import (
	"regexp"
	"slices"
	"strings"

	"assay.dev/platform/scrape/table"
)

// correcting finds words by which a page corrects what it published: "Correction", "should read", "49.75%, not 50.25%".
var correcting = regexp.MustCompile(`(?i)\b(?:correct(?:s|ed|ion|ions|ing|ly)?|errat\w+|corrigend\w+|errors?|erroneous\w*|incorrect\w*|` +
	`mistak\w+|mis(?:print|stat|report|quot|typ|post)\w*|typos?|typographical|wrong\w*|inaccura\w+|amend\w*|revis\w+|restate\w*|retract\w*|` +
	`replac\w+|supersed\w+|overrid\w+|adjusted|instead|rather than|apologi[sz]e\w*|disregard|should (?:be|read|have)|credited|rebilled|not \$?\d)`)

// ofBills are corrections of bills and of what stands on them: "fewer corrections of your bills", "our corrections team".
var ofBills = regexp.MustCompile(`(?i)\b(?:(?:bill|billing|invoice|weight|class|address) correct(?:ions?|ed)|corrections? (?:of|to|on|for|in) (?:your |an? |the |their |freight )*` +
	`(?:bills?|invoices?|bills? of lading|address(?:es)?|weights?|class(?:es)?)|corrections? (?:team|form|department|desk|request)s?)\b`)

// stating finds a sentence that says what a surcharge is: "The fuel surcharge of May 20 is now 49.75%".
var stating = regexp.MustCompile(`(?i)\b(?:surcharges?|fsc)\b.*\b(?:is|was|are|were|be|been)\b.*\d ?(?:%|per ?cent|pct)`)

// IsCorrection tells whether a notice says that something is corrected.
func IsCorrection(notice string) bool {
	return correcting.MatchString(notice) && (!ofBills.MatchString(notice) || correcting.MatchString(ofBills.ReplaceAllString(notice, "")))
}

// noticesOf are the lines of a page that correct figures, or say what they are in a sentence. A short line, such as the title "Correction", goes with the two
// lines behind it.
func noticesOf(b *table.Block) []string {
	var lines []*table.Block
	lines = appendLines(lines, b)
	var all []string
	for i, line := range lines {
		if !mayCorrect(line.Text) || !IsCorrection(line.Text) && !stating.MatchString(line.Text) {
			continue
		}
		text := line.Text
		isStated := !IsCorrection(line.Text) // it is of what stands before the next title
		for next := i + 1; next < min(i+3, len(lines)) && len(line.Text) <= maxNoticeTitle && len(lines[next].Text) <= maxNotice; next++ {
			if isStated && lines[next].Level > 0 {
				break
			}
			text = strings.TrimRight(text, ".: ") + ": " + lines[next].Text
		}
		if strings.ContainsAny(text, digits) && len(all) < maxNotices {
			all = append(all, text)
		}
	}
	return all
}

// mayCorrect tells quickly whether a line holds a figure or may be the title of a correction. Most lines do not.
func mayCorrect(line string) bool {
	if len(line) > maxNoticeTitle || strings.ContainsAny(line, digits) {
		return len(line) <= maxNotice && strings.ContainsAny(line, digits)
	}
	line = strings.ToLower(line)
	return slices.ContainsFunc(titleStems, func(stem string) bool { return strings.Contains(line, stem) })
}

var titleStems = []string{"corr", "err", "mis", "typo", "wrong", "inaccura", "amend", "revis", "restate", "retract", "disregard"}

// The longest text and title of a notice in bytes, and the most notices of a page.
const maxNotice, maxNoticeTitle, maxNotices = 1000, 40, 50

// noticesIn are the members of a JSON document that correct figures.
func noticesIn(facts []Fact) []string {
	var all []string
	for _, f := range facts {
		text := f.Name + ": " + f.Value
		if len(text) <= maxNotice && strings.ContainsAny(f.Value, digits) && (IsCorrection(text) || stating.MatchString(text)) {
			all = append(all, text)
		}
	}
	return all
}
