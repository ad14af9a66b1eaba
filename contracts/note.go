package contracts

import "strings"

// NoteCode is one of the closed set of things that an answer says about itself in words (contract §2.1).
type NoteCode string

// The notes, of which noteMeanings says what each means.
const (
	NoteStatusInferred         NoteCode = "STATUS_INFERRED"
	NoteSuspensionsNotReported NoteCode = "SUSPENSIONS_NOT_REPORTED"
	NoteDieselNotReported      NoteCode = "DIESEL_NOT_REPORTED"
	NotePastExpiration         NoteCode = "PAST_EXPIRATION"
	NoteWeekOverdue            NoteCode = "WEEK_OVERDUE"
	NoteWeekUnreadable         NoteCode = "WEEK_UNREADABLE"
	NoteFieldUnreadable        NoteCode = "FIELD_UNREADABLE"
	NotePercentInDoubt         NoteCode = "PERCENT_IN_DOUBT"
	NoteWordingUnknown         NoteCode = "WORDING_UNKNOWN"
	NoteWordingChanged         NoteCode = "WORDING_CHANGED"
	NoteWeeksContradicted      NoteCode = "WEEKS_CONTRADICTED"
	NoteFromArchive            NoteCode = "FROM_ARCHIVE"
	NoteSourceOld              NoteCode = "SOURCE_OLD"
	NoteIncomplete             NoteCode = "INCOMPLETE"
	NoteAbsenceNotProven       NoteCode = "ABSENCE_NOT_PROVEN"
	NoteAccentsNotSearched     NoteCode = "ACCENTS_NOT_SEARCHED"
	NoteNothingWrittenSo       NoteCode = "NOTHING_WRITTEN_SO"
	NoteFallback               NoteCode = "FALLBACK"
	NoteOtherTypes             NoteCode = "OTHER_TYPES"
	NoteOtherTypeNotGood       NoteCode = "OTHER_TYPE_NOT_GOOD"
	NoteEvidenceByForm         NoteCode = "EVIDENCE_BY_FORM"
	NoteEvidenceNotKept        NoteCode = "EVIDENCE_NOT_KEPT"
	NoteBracketDiffers         NoteCode = "BRACKET_DIFFERS"
)

// noteMeanings is the whole set, in the order of the contract.
var noteMeanings = []struct {
	code    NoteCode
	meaning string
}{
	{NoteStatusInferred, "no source printed the status; the message says what it follows from"},
	{NoteSuspensionsNotReported, "the path cannot show suspensions: an empty list does not mean that there are none"},
	{NoteDieselNotReported, "the carrier prints a diesel price, the path that was read does not"},
	{NotePastExpiration, "the license is ACTIVE in the source although its date has passed"},
	{NoteWeekOverdue, "the week that is due is not shown"},
	{NoteWeekUnreadable, "the newest week is shown, but its percent cannot be read"},
	{NoteFieldUnreadable, "a field is shown in a way that is not understood"},
	{NotePercentInDoubt, "a percent never read cleanly moved against diesel, or by more than three points a week, " +
		"or cannot be compared with diesel now; no percent is clean"},
	{NoteWordingUnknown, "nobody has looked yet at what this page says around its percents; none is clean"},
	{NoteWordingChanged, "the page says something that it did not say when somebody looked; the message quotes " +
		"it; no percent is clean"},
	{NoteWeeksContradicted, "three weeks or more are shown otherwise than they were seen, or than the bracket table " +
		"gives; the message names them; no percent is clean"},
	{NoteFromArchive, "weeks, a table or prices that were not read just now come from our archive, or a table " +
		"from our copy of a tariff; the message says which"},
	{NoteSourceOld, "the source's own date is older than its schedule allows"},
	{NoteIncomplete, "something that was asked for may exist and could not be shown"},
	{NoteAbsenceNotProven, "the path does not list it and cannot prove that it does not exist"},
	{NoteAccentsNotSearched, "names that are spelled with accents may be missing"},
	{NoteNothingWrittenSo, "a search shows that no license is written as it was asked for; the message says what " +
		"was compared"},
	{NoteFallback, "the first path failed, and another one answered"},
	{NoteOtherTypes, "the license number stands for further license types"},
	{NoteOtherTypeNotGood, "one of these further types is suspended or revoked, or its standing is in doubt"},
	{NoteEvidenceByForm, "the evidence page is a form; the message says what to type"},
	{NoteEvidenceNotKept, "the bytes that were read could not be kept"},
	{NoteBracketDiffers, "the printed percent is not the one of the carrier's bracket table; the percent is then " +
		"not clean"},
}

// NoteCodes lists the whole set.
var NoteCodes = func() (all []NoteCode) {
	for _, n := range noteMeanings {
		all = append(all, n.code)
	}
	return all
}()

// Meaning says what a note with the code means; "" for a code of another version.
func (c NoteCode) Meaning() string {
	for _, n := range noteMeanings {
		if n.code == c {
			return n.meaning
		}
	}
	return ""
}

// IsDoubt tells whether a note with the code says that a whole reading is in doubt: its percents are UNVERIFIED, none
// of them is clean, and an operator is to look at the source.
func (c NoteCode) IsDoubt() bool {
	switch c {
	case NotePercentInDoubt, NoteWordingUnknown, NoteWordingChanged, NoteWeeksContradicted:
		return true
	}
	return false
}

// otherType is what notes of a license say of another type of its number that is not good; empty where none does. Those
// of a search begin with the license that they are of, such as "License 777001 is".
func otherType(notes []Note, begin string) string {
	for _, n := range notes {
		if n.Code == NoteOtherTypeNotGood && strings.HasPrefix(n.Message, begin) {
			return n.Message
		}
	}
	return ""
}

// Note is one thing that an answer says about itself. Message is a sentence that a person can act on.
type Note struct {
	Code    NoteCode `json:"code"`
	Message string   `json:"message"`
}
