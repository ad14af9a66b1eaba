package contracts

// Reason says what a NOT_FOUND did not find. It belongs to a closed set (contract §7). Only the first two prove
// anything of a license.
type Reason string

// The reasons.
const (
	// LicenseAbsent: the register was read, and it has no license of that number.
	LicenseAbsent Reason = "LICENSE_ABSENT"
	// TypeAbsent: the register was read, and the number does not stand for a license of the type that was asked for,
	// such as 58-400051 in CA. It may stand for others.
	TypeAbsent Reason = "TYPE_ABSENT"
	// StateNotServed: no register of that state is read here.
	StateNotServed Reason = "STATE_NOT_SERVED"
	// CarrierNotServed: that carrier is not read here.
	CarrierNotServed Reason = "CARRIER_NOT_SERVED"
	// CarrierMisnamed: the text is no carrier's code here, and the message names the code that is likely meant.
	CarrierMisnamed Reason = "CARRIER_MISNAMED"
	// TableUnknown: the carrier is not known to publish a bracket table.
	TableUnknown Reason = "TABLE_UNKNOWN"
	// DocumentUnknown: no such document is kept at that place.
	DocumentUnknown Reason = "DOCUMENT"
	// NameUnknown: nothing is kept under that name or id.
	NameUnknown Reason = "NAME"
	// PathUnknown: there is nothing at that path.
	PathUnknown Reason = "PATH"
)

// Reasons lists the whole set.
var Reasons = []Reason{
	LicenseAbsent, TypeAbsent, StateNotServed, CarrierNotServed, CarrierMisnamed, TableUnknown, DocumentUnknown,
	NameUnknown, PathUnknown,
}

// ProvesAbsence tells whether the reason is proof that a license does not exist.
func (r Reason) ProvesAbsence() bool { return r == LicenseAbsent || r == TypeAbsent }

// Advice says what a client does after a NOT_FOUND of this reason, in one sentence for people. The clients in clients/
// have these words from here.
func (r Reason) Advice() string { return reasonAdvice[r] }

var reasonAdvice = map[Reason]string{
	LicenseAbsent: "The license is proven not to exist.",
	TypeAbsent: "The number is proven not to stand for a license of that type; leave the type out to see " +
		"whether it stands for another.",
	StateNotServed: "That state is not served, so nothing is known of the license; ask the state's own register.",
	CarrierNotServed: "That carrier is not served, so nothing is known of its rates; the listing " +
		"of carriers has the codes.",
	CarrierMisnamed: "Ask again by the code that the message names, where that carrier is meant.",
	TableUnknown:    "No bracket table of that carrier is known; what it charges is among its fuel surcharges.",
	DocumentUnknown: "Take sha256 and at from one entry of an answer's evidence, with a key of the same environment.",
	NameUnknown:     "Nothing is kept under that name or id; check how it is written.",
	PathUnknown:     "The path is wrong, so nothing was asked; check the address of the API.",
}
