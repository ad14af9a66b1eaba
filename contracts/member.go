package contracts

import (
	"slices"
	"time"
)

// MaxMembers bounds the numbers of a [MembersRequest].
const MaxMembers = 1000

// MembersRequest asks an abc-worker what is known of licenses of one state without asking the source.
type MembersRequest struct {
	State State `json:"state"`
	// Numbers are in the normal form of [NormalLicenseNumber].
	Numbers []string `json:"numbers"`
	// On is the day of the verdicts; today in the state's zone when it is empty.
	On Date `json:"on,omitempty"`
	// ListsOnly asks what the state's public delinquent lists say, and nothing else.
	ListsOnly bool `json:"lists_only,omitempty"`
}

// Validate refuses a request of too many licenses.
func (r MembersRequest) Validate() error {
	if n := len(r.Numbers); n == 0 || n > MaxMembers {
		return Errorf(InvalidRequest, "%d licenses: want 1 to %d", n, MaxMembers)
	}
	return nil
}

// MembersAnswer is what an abc-worker answers to a [MembersRequest].
type MembersAnswer struct {
	Edition RegisterEdition `json:"edition"`
	// Members are those of the numbers, in their order.
	Members []Member `json:"members"`
	// Lists are the state's public delinquent lists that can be read now.
	Lists []PublicList `json:"lists,omitempty"`
}

// PublicList is a delinquent list that a state publishes, in its newest edition, and what it says of the licenses that
// were asked for.
type PublicList struct {
	List     string     `json:"list"`
	Date     Date       `json:"date"`
	Evidence []Evidence `json:"evidence"`
	// Named are the licenses that are on it, and Unsure those of which it cannot be told.
	Named  map[string]ListEntry `json:"named,omitempty"`
	Unsure []string             `json:"unsure,omitempty"`
}

// Of is what the list says of a license; false where that cannot be told.
func (l PublicList) Of(number string) (ReadList, bool) {
	r := ReadList{List: l.List, Date: l.Date, Evidence: l.Evidence}
	r.ListEntry, r.IsNamed = l.Named[number]
	return r, !slices.Contains(l.Unsure, number)
}

// Member is what the copy of a register tells of a license, or a lookup that is stored and not a day old where the copy
// proves nothing.
type Member struct {
	LicenseNumber   string  `json:"license_number"`
	LicenseTypeCode string  `json:"license_type_code"`
	DBAName         string  `json:"dba_name"`
	OwnerName       string  `json:"owner_name"`
	City            string  `json:"city"`
	ExpirationDate  Date    `json:"expiration_date" jsonschema:"null when it is not known."`
	Status          *Status `json:"status" jsonschema:"null for a license that the copy does not list."`
	NotReported     Members `json:"not_reported" jsonschema:"Members that the copy cannot show, such as 'suspensions'."`
	Inferred        Members `json:"inferred" jsonschema:"Members that follow from something else that the copy prints."`
	Judgement
	LookedUpAt *time.Time `json:"looked_up_at" jsonschema:"When the license was looked up at its source, UTC, where this is of a stored lookup; null for what the copy tells."`
}

// MemberOf is what an answer tells of a license on a day. The answer has a record.
func MemberOf(a LicenseAnswer, on Date) Member {
	r := *a.Record
	s := verdictInput{LicenseRecord: r, of: a.State, confidence: a.Tally.Confidence(), complete: a.Complete,
		otherType: otherType(a.Notes, ""), today: on}
	return Member{
		LicenseNumber: r.LicenseNumber, LicenseTypeCode: r.LicenseTypeCode, DBAName: clipped(r.DBAName),
		OwnerName: clipped(r.OwnerName),
		City:      clipped(r.Address.City), ExpirationDate: r.ExpirationDate, Status: &r.Status, NotReported: r.NotReported,
		Inferred:  r.Inferred,
		Judgement: s.judged(),
	}
}

// MemberAbsent is a license of which it is proven that it does not exist; MemberUnlisted one that is not found where
// absence proves nothing.
func MemberAbsent(number, why string) Member { return unlisted(number, Fail, VerdictAbsent, why) }

// MemberUnlisted is described at [MemberAbsent].
func MemberUnlisted(number, why string) Member {
	return unlisted(number, Unverified, VerdictNotListed, why)
}

// MemberUnknown is a license of a state that has no copy just now.
func MemberUnknown(number string, s State) Member {
	return unlisted(number, Unverified, VerdictNoCopy, "There is no copy of the register of "+string(s)+" just now.")
}

func unlisted(number string, v LicenseVerdict, code VerdictCode, why string) Member {
	return Member{LicenseNumber: number, Judgement: Judgement{v, []VerdictReason{{code, why}}}}
}

// PrintsNoStatus tells whether the copy of the state's register has no status, so that only a lookup tells more than
// what was inferred.
func (s State) PrintsNoStatus() bool { return s == IL }

// clipped bounds a name, so that a thousand members have room in a message.
func clipped(name string) string {
	const most = 120
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}
