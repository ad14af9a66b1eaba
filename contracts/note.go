package contracts

// NoteCode is one of the closed set of things that an answer says about itself in words (contract §2.1).
type NoteCode string

// The notes.
const (
	// NoteStatusInferred: no source printed the status; it follows from something else, such as the expiration date.
	NoteStatusInferred NoteCode = "STATUS_INFERRED"
	// NoteSuspensionsNotReported: the path cannot show suspensions, so an empty list does not mean that there are none.
	NoteSuspensionsNotReported NoteCode = "SUSPENSIONS_NOT_REPORTED"
	// NoteDieselNotReported: the carrier prints a diesel price, the path that was read does not.
	NoteDieselNotReported NoteCode = "DIESEL_NOT_REPORTED"
	// NotePastExpiration: the license is ACTIVE in the source although its expiration date has passed.
	NotePastExpiration NoteCode = "PAST_EXPIRATION"
	// NoteWeekOverdue: the week that is due is not shown.
	NoteWeekOverdue NoteCode = "WEEK_OVERDUE"
	// NoteWeekUnreadable: the newest week is shown, but its percent cannot be read.
	NoteWeekUnreadable NoteCode = "WEEK_UNREADABLE"
	// NoteFieldUnreadable: a field is shown in a way that is not understood.
	NoteFieldUnreadable NoteCode = "FIELD_UNREADABLE"
	// NotePercentInDoubt: the newest percent does not fit those before it, or cannot be held against them now.
	NotePercentInDoubt NoteCode = "PERCENT_IN_DOUBT"
	// NoteWordingUnknown: nobody has looked yet at what the source says around its percents.
	NoteWordingUnknown NoteCode = "WORDING_UNKNOWN"
	// NoteWordingChanged: the source says something around its percents that it did not say when somebody looked.
	NoteWordingChanged NoteCode = "WORDING_CHANGED"
	// NoteWeeksContradicted: several weeks are shown otherwise than they were seen before.
	NoteWeeksContradicted NoteCode = "WEEKS_CONTRADICTED"
	// NoteFromArchive: weeks come from our archive because the source no longer shows them.
	NoteFromArchive NoteCode = "FROM_ARCHIVE"
	// NoteSourceOld: the source's own date is older than its schedule allows.
	NoteSourceOld NoteCode = "SOURCE_OLD"
	// NoteIncomplete: something that was asked for may exist and could not be shown.
	NoteIncomplete NoteCode = "INCOMPLETE"
	// NoteAbsenceNotProven: the path does not list what was asked for, and cannot prove that it does not exist.
	NoteAbsenceNotProven NoteCode = "ABSENCE_NOT_PROVEN"
	// NoteAccentsNotSearched: names that are spelled with accents may be missing.
	NoteAccentsNotSearched NoteCode = "ACCENTS_NOT_SEARCHED"
	// NoteNothingWrittenSo: a search shows that no license is written as it was asked for; the note says what was compared.
	NoteNothingWrittenSo NoteCode = "NOTHING_WRITTEN_SO"
	// NoteFallback: the first path of this operation failed, and another one answered.
	NoteFallback NoteCode = "FALLBACK"
	// NoteOtherTypes: the license number stands for further license types than the one that is shown.
	NoteOtherTypes NoteCode = "OTHER_TYPES"
	// NoteEvidenceByForm: the evidence page is a form; the note says what to type.
	NoteEvidenceByForm NoteCode = "EVIDENCE_BY_FORM"
	// NoteEvidenceNotKept: the bytes that were read could not be kept.
	NoteEvidenceNotKept NoteCode = "EVIDENCE_NOT_KEPT"
	// NoteBracketDiffers: the printed percent is not the one that the carrier's bracket table gives for its diesel
	// price.
	NoteBracketDiffers NoteCode = "BRACKET_DIFFERS"
)

// NoteCodes lists the whole set.
var NoteCodes = []NoteCode{
	NoteStatusInferred, NoteSuspensionsNotReported, NoteDieselNotReported, NotePastExpiration, NoteWeekOverdue, NoteWeekUnreadable,
	NoteFieldUnreadable, NotePercentInDoubt, NoteWordingUnknown, NoteWordingChanged, NoteWeeksContradicted, NoteFromArchive, NoteSourceOld,
	NoteIncomplete, NoteAbsenceNotProven, NoteAccentsNotSearched, NoteNothingWrittenSo, NoteFallback,
	NoteOtherTypes, NoteEvidenceByForm, NoteEvidenceNotKept, NoteBracketDiffers,
}

// IsDoubt tells whether a note with the code says that a whole reading is in doubt: none of its percents is clean, and an operator is to look at
// the source.
func (c NoteCode) IsDoubt() bool {
	switch c {
	case NotePercentInDoubt, NoteWordingUnknown, NoteWordingChanged, NoteWeeksContradicted:
		return true
	}
	return false
}

// Note is one thing that an answer says about itself. Message is a sentence that a person can act on.
type Note struct {
	Code    NoteCode `json:"code"`
	Message string   `json:"message"`
}
