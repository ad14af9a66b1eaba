package outline

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay.dev/platform/scrape"
)

// saysNone is a sentence by which a register says that it holds nothing of what was asked, such as "No licenses were
// found" (guess: no such page of a real site was seen). It names what was not found, so that "The page was not found"
// is not one, and it says nothing before that: "If no records are found" is not one either.
var saysNone = regexp.MustCompile(`(?i)^\W*(?:(?:we are |we're )?sorry[,:]? |there (?:were|are|was|is) )?(?:` +
	`no (?:matching |active )?(?:licen[cs]es?|licensees?|records?|results?|matches) (?:(?:was|were|is|are|has been|have been|could be) )?(?:found|match|exist)` +
	`|(?:the )?licen[cs]e (?:number )?[#"']?[A-Z0-9-]+["']? (?:was |is |could |does )?not (?:be )?(?:found|exist|on file))`)

// trouble is what a page says that tells of a failure, or of what to do where nothing is found: it proves nothing.
var trouble = regexp.MustCompile(`(?i)\berrors?\b|\bexception\b|\bunavailable\b|\bnot (?:currently )?available\b|\bmaintenance\b|\btim(?:ed?|ing)[ -]?out\b|` +
	`\btry (?:again )?(?:later|tomorrow|soon|in a)|\bagain (?:later|tomorrow|shortly|in a)|\bsession\b[^.]{0,20}\bexpired\b|\bdatabase\b|\boutages?\b|\bincomplete\b|\bunable to\b|` +
	`\b(?:could|can) ?not be (?:completed|processed|reached|retrieved|loaded|executed)|\btechnical (?:difficult|problem|issue)|\btoo many requests\b|\baccess denied\b|` +
	`\b(?:if|when|should|unless|until)\b[^.]{0,40}\bno (?:\w+ )?(?:records|results|licenses|matches)\b`)

// SaysTrouble tells whether a text speaks of a failure. What such a page does not show may exist.
func SaysTrouble(text string) bool { return trouble.MatchString(text) }

// SaysNone tells whether a page says that there is no license of the kind that was asked for, and speaks of no failure.
// Headings do not count as that.
func SaysNone(pieces []Piece) bool {
	says := false
	for _, p := range pieces {
		if SaysTrouble(p.Text) {
			return false
		}
		for sentence := range strings.SplitSeq(p.Text, ". ") {
			says = says || p.Kind != Heading && saysNone.MatchString(sentence)
		}
	}
	return says
}

// done is what has happened to a license that a notice speaks of.
const done = `\b(?:suspended|revoked|surrendered)\b|\bcease and desist\b|\bstop(?:ped)? (?:all )?(?:sales|selling|serving)\b|` +
	`\b(?:may|must|shall|can) ?not (?:sell|serve|operate)\b|\b(?:summary|emergency|closure) order\b|\bordered\b[^.]{0,40}\bclosed\b|\border(?:s|ed)?\b[^.]{0,40}\bstop(?:ped)?\b|` +
	`\b(?:by|under|subject to) (?:an? )?order of the (?:\w+ )?(?:commission|board|department)\b|\bnot (?:currently )?(?:in force|in effect|valid)\b`

// discipline is what a page says of licenses that are not in force.
var discipline = regexp.MustCompile(`(?i)` + done + `|\bsuspen(?:d|sion)|\brevo(?:k|cation)|\bsurrender|\b(?:forbid|forbidden|prohibit(?:s|ed))\b`)

// happened is a word for what was done, or for when. A thing that is only named may never have happened.
var happened = regexp.MustCompile(`(?i)` + done + `|\b(?:ordered|pending|since|effective|in (?:effect|force|progress)|under suspension)\b|` +
	`\b(?:from|until|through|to) (?:(?:further|` + months + `)\b|` + aMonth + `\d)|` + aDay)

// ofLicenses is what a page says of more licenses than one: what can happen to any, or what did to many. In "a suspended
// retailer" the word says which ones are spoken of.
var ofLicenses = regexp.MustCompile(`(?i)\b(?:may be|can be|could|might|if|whether|unless|such as|an? (?:\w+ ){0,3}(?:licen[cs]ee?|permit)|` +
	`licen[cs]es|licensees|permits|an? (?:suspended|revoked|surrendered)|(?:suspended|revoked|surrendered)\W? ` +
	`(?:(?:and|or) \w+ )?(?:means|retailers|businesses|establishments|locations|accounts|holders|records))\b`)

// ofThis is what a page calls the license that it shows.
var ofThis = regexp.MustCompile(`(?i)\bth(?:is|ese) (?:licen[cs]e|licensee|permit|location|premises|establishment|business|number)\b`)

// namedNumber is a number that a notice names.
var namedNumber = regexp.MustCompile(`(?i)(?:\b(?:licen[cs]es?|permits?|number|no\.|and)\s*(?:no\.?|number|#)?\s*:?\s*|#\s*)([A-Z]{0,3}\d[0-9A-Z-]{3,})\b|\b(\d{1,2}[A-Z]?-\d{5,8})\b`)

// minNotice is the least words of a notice in a heading, or where a reader chooses something. What is shorter there
// names what can be read or chosen: "Suspensions and Revocations".
const minNotice = 6

// Notice is a line of a page that says of the license with the number, or of the one that the page shows, that it was
// suspended, revoked or the like: its fields may say nothing of an order of the last days. So does a value whose label
// is none of those that are known: "Disciplinary status: Suspended". It is empty where there is none.
func Notice(pieces []Piece, labels Labels, number string) string {
	label := ""
	for _, p := range pieces {
		text := p.Text
		switch p.Kind {
		case Label:
			if label = p.Text; labels.Find(label) != "" {
				label = ""
			}
			continue
		case Value:
			if text = label + " " + text; label != "" && !saysNo.MatchString(p.Text) && discipline.MatchString(text) {
				return text
			}
			continue
		case Heading:
			label = ""
		}
		if len(strings.Fields(text)) < minNotice && p.names() {
			continue
		}
		for sentence := range strings.SplitSeq(text, ". ") {
			if isNotice(sentence, number) {
				return sentence
			}
		}
	}
	return ""
}

// Contradicts tells whether a value whose label is none of those that are known says that the license is not in force.
func Contradicts(label, text string, labels Labels) bool {
	return Notice([]Piece{{Kind: Label, Text: label}, {Kind: Value, Text: text}}, labels, "") != ""
}

// saysNo is the value of a label that says that there is nothing of the kind.
var saysNo = regexp.MustCompile(`(?i)^\W*(?:$|no\b|none\b|not\b|n/?a\b|0\b|false\b|nil\b)`)

func isNotice(sentence, number string) bool {
	if !discipline.MatchString(sentence) {
		return false
	}
	named := namedNumber.FindAllStringSubmatch(sentence, -1)
	if len(named) > 0 {
		return slices.ContainsFunc(named,
			func(m []string) bool { return strings.HasSuffix(plainNumber(m[1]+m[2]), plainNumber(number)) })
	}
	return ofThis.MatchString(sentence) || happened.MatchString(sentence) && !ofLicenses.MatchString(sentence)
}

// plainNumber is a number without hyphens and the zeros before it.
func plainNumber(s string) string {
	return strings.TrimLeft(strings.ReplaceAll(strings.ToUpper(s), "-", ""), "0")
}

// unreal is what a page of a test system says of itself.
var unreal = regexp.MustCompile(`(?i)\b(?:test|testing|training|demo|demonstration|staging|acceptance) (?:system|environment|site|server|database|data|mode|version)\b|` +
	`\b(?:sample|fictitious|dummy|mock|made[- ]up) (?:data|records?|licen[cs]es?)\b|\bnot (?:real|actual|live|production) (?:data|licen[cs]es?|records?)\b`)

// maxPiece bounds a piece. What is searched for in each one here costs a second of processor a megabyte; no page of a
// register says as much in one line.
const maxPiece = 64 << 10

// Believe fails when a page says that its licenses are not real, when it dates them in a way that is not understood, or
// when a piece of it is longer than maxPiece. Its error is a *[scrape.Failure] of kind changed. It comes before what
// else this file looks for. The day is the oldest of which the page says that it shows the licenses, as it begins in
// the zone; zero where it says none.
func Believe(pieces []Piece, zone *time.Location) (oldest time.Time, err error) {
	for _, p := range pieces {
		if len(p.Text) > maxPiece {
			return oldest, scrape.Failf(scrape.Changed, "%d bytes stand in one line", len(p.Text))
		}
		if p.Kind == Value {
			continue
		}
		if unreal.MatchString(p.Text) {
			return oldest, scrape.Failf(scrape.Changed, "the page says that its licenses are not real")
		}
		m := ofDay.FindStringSubmatch(p.Text)
		if m == nil || ofPage.MatchString(p.Text) {
			continue
		}
		day := readDay(m[1], zone)
		if day.IsZero() {
			return oldest, scrape.Failf(scrape.Changed, "the page says that its licenses are of %q", m[1])
		}
		if oldest.IsZero() || day.Before(oldest) {
			oldest = day
		}
	}
	return oldest, nil
}

const (
	months  = `\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`
	aMonth  = months + `[a-z]*\b\W{1,2}`
	ordinal = `(?:st|nd|rd|th)?`
	aDay    = `\b\d{1,4}\s*[-/.]\s*\d{1,2}\s*[-/.]\s*\d{1,4}|\b20\d{6}|\b\d{1,2}` + ordinal + `\W(?:of )?` + aMonth + `(?:\d\d){1,2}|` +
		aMonth + `\d{1,2}` + ordinal + `\W{1,2}\d{4}`
)

// ofDay is what a page says of the day of what it shows, such as "Information as of 20-NOV-2026": the day, else a year
// or three numbers that are none, in the same sentence and at most 40 characters on. Words such as "Wed." end no
// sentence. When the page itself was last changed says nothing.
var ofDay = regexp.MustCompile(`(?i)(?:^\W*|\b(?:data|information|records?|register|status(?:es)?|results?|report|licen[cs]es?|licensees|listing)\b[^.;]{0,60}?\b)` +
	`(?:as of|updated|current (?:as of|through|to)|refreshed|extracted|loaded)\b(?:[^.;|©]|\.m\.|(?-i:[A-Z][a-z]{2,3})\.){0,40}?` +
	`(` + aDay + `|\b20\d\d)(?:\D|$)`)

var ofPage = regexp.MustCompile(`(?i)\b(?:web ?)?(?:page|site)\b`)

// inDay are the parts of a day: its numbers, and how the name of its month begins.
var inDay = regexp.MustCompile(`(?i)\d+|` + months)

// dayLayouts are the orders of the parts.
var dayLayouts = []string{"1 2 2006", "1 2 06", "2006 1 2", "20060102", "2 Jan 2006", "2 Jan 06", "Jan 2 2006"}

// readDay reads a day; zero for none.
func readDay(text string, zone *time.Location) time.Time {
	text = strings.Join(inDay.FindAllString(text, -1), " ")
	for _, layout := range dayLayouts {
		if day, err := time.ParseInLocation(layout, text, zone); err == nil {
			return day
		}
	}
	return time.Time{}
}

// stated is how many hits a page says that there are: "Showing 1 to 25 of 54 entries", "54 licenses found".
var stated = regexp.MustCompile(`(?i)\b\d{1,6}\s*(?:-|–|to|through)\s*\d{1,6}\s+of\s+(?:about )?([\d,]{1,9})\b|` +
	`\b([\d,]{1,9})\s+(?:matching )?(?:records?|results?|licen[cs]es?|licensees|matches|entries|hits|rows)(?:\(s\))?\s*(?:(?:were|was|are|is) )?(?:found|match|returned)\b`)

// Stated is the greatest number of hits that a page says there are; 0 when it says none.
func Stated(pieces []Piece) (most int) {
	for _, p := range pieces {
		if p.Kind == Value {
			continue
		}
		for _, m := range stated.FindAllStringSubmatch(p.Text, -1) {
			if n, err := strconv.Atoi(strings.ReplaceAll(m[1]+m[2], ",", "")); err == nil {
				most = max(most, n)
			}
		}
	}
	return most
}
