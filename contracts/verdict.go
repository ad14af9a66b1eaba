package contracts

import (
	"fmt"
	"reflect"
	"slices"
	"time"
)

// LicenseVerdict says in a word whether a license is in good standing (contract §2.8).
type LicenseVerdict string

// The verdicts.
const (
	Pass        LicenseVerdict = "PASS"
	Conditional LicenseVerdict = "CONDITIONAL"
	Fail        LicenseVerdict = "FAIL"
	Unverified  LicenseVerdict = "UNVERIFIED"
)

// LicenseVerdicts lists the whole set.
var LicenseVerdicts = []LicenseVerdict{Pass, Conditional, Fail, Unverified}

// VerdictCode is one of the closed set of things that a verdict rests on.
type VerdictCode string

// What verdicts rest on, in the order in which it is looked for.
const (
	VerdictStatusNotActive   VerdictCode = "STATUS_NOT_ACTIVE"
	VerdictInactiveSet       VerdictCode = "INACTIVE_SET"
	VerdictConfidenceLow     VerdictCode = "CONFIDENCE_LOW"
	VerdictStatusInferred    VerdictCode = "STATUS_INFERRED"
	VerdictExpirationUnknown VerdictCode = "EXPIRATION_UNKNOWN"
	VerdictExpired           VerdictCode = "EXPIRED"
	VerdictSuspensionOpen    VerdictCode = "SUSPENSION_OPEN"
	VerdictSuspensionsHidden VerdictCode = "SUSPENSIONS_NOT_REPORTED"
	VerdictOtherTypeNotGood  VerdictCode = "OTHER_TYPE_NOT_GOOD"
)

// What verdicts on licenses without a record rest on: see [MemberAbsent].
const (
	VerdictAbsent    VerdictCode = "LICENSE_ABSENT"
	VerdictNotListed VerdictCode = "NOT_LISTED"
	VerdictNoCopy    VerdictCode = "NO_COPY"
)

// VerdictReason is one thing that a verdict rests on. Message is a sentence for people.
type VerdictReason struct {
	Code    VerdictCode `json:"code"`
	Message string      `json:"message"`
}

// Judgement is the verdict on a license on the day of the answer in the state's own zone, and what it rests on.
type Judgement struct {
	Verdict LicenseVerdict  `json:"verdict" jsonschema:"Whether the license is in good standing today, in the state's own zone: PASS, CONDITIONAL (a suspension is open), FAIL or UNVERIFIED (nothing is proven)."`
	Reasons []VerdictReason `json:"reasons" jsonschema:"What the verdict rests on; empty for a PASS without reserve."`
}

// OtherType says which other type of the license's number is not good; empty where none is.
func (j Judgement) OtherType() string {
	for _, r := range j.Reasons {
		if r.Code == VerdictOtherTypeNotGood {
			return r.Message
		}
	}
	return ""
}

// InWords is the judgement in a line, such as "FAIL: The register says REVOKED."
func (j Judgement) InWords() string {
	text := string(j.Verdict)
	for i, r := range j.Reasons {
		text += map[bool]string{true: ": ", false: " "}[i == 0] + r.Message
	}
	return text
}

// VerdictRule is a line of the table of verdicts. The first rule that holds decides; those of the same verdict that
// stand directly below it and hold too are further reasons.
type VerdictRule struct {
	Verdict LicenseVerdict
	// Code is empty for what needs no reason.
	Code VerdictCode
	// When says in words when the rule holds, for people and agents.
	When  string
	holds func(verdictInput) bool
	says  func(verdictInput) string
}

// verdictInput is what a verdict is made of.
type verdictInput struct {
	LicenseRecord
	of         State
	confidence float64
	complete   bool
	// hasNotes: they stand beside the verdict.
	hasNotes bool
	// otherType says which other type of the license's number is not good; empty where none is.
	otherType string
	today     Date
}

// VerdictRules is the table of verdicts on a license that was answered. One that is proven not to exist is FAIL, and a
// question that was not answered is UNVERIFIED: those have no record to judge.
var VerdictRules = []VerdictRule{
	{
		Fail, VerdictStatusNotActive, "a status other than ACTIVE is reported (`inferred` does not name " +
			"it), whatever the confidence",
		func(s verdictInput) bool { return s.Status != Active && s.isReported("status") },
		verdictInput.statusText,
	}, {
		Fail, VerdictInactiveSet, "the license is in the inactive set of NY, whatever the confidence",
		func(s verdictInput) bool { return s.of == NY && s.Status == Expired && !s.isReported("status") },
		func(verdictInput) string {
			return "It is in the state's set of inactive licenses: expired, surrendered or revoked."
		},
	}, {
		Unverified, VerdictConfidenceLow, "the confidence is below 0.90",
		func(s verdictInput) bool { return s.confidence < MinConfidence || !s.complete },
		func(s verdictInput) string {
			why := "a lookup of the license says why"
			if s.hasNotes {
				why = "the notes say why"
			}
			return fmt.Sprintf("The confidence is %.2f, below %.2f; %s.", s.confidence, MinConfidence, why)
		},
	}, {
		Unverified, VerdictStatusInferred, "the status is inferred",
		func(s verdictInput) bool { return !s.isReported("status") },
		func(s verdictInput) string {
			return fmt.Sprintf("No source printed the status: %s is inferred, and the license may be suspended or revoked.",
				s.Status)
		},
	}, {
		Unverified, VerdictExpirationUnknown, "no expiration date is known",
		func(s verdictInput) bool { return s.ExpirationDate == "" },
		func(verdictInput) string { return "The source does not tell when it expires." },
	}, {
		Fail, VerdictExpired, "its expiration date has passed, also where the register still calls it ACTIVE",
		func(s verdictInput) bool { return s.ExpirationDate < s.today },
		func(s verdictInput) string {
			verb := "expired"
			if s.ExpirationDate >= s.of.Today(time.Now()) { // the day that was asked for lies ahead
				verb = "expires"
			}
			return fmt.Sprintf("It %s on %s, although the register still calls it ACTIVE; a renewal may not be booked yet.",
				verb, s.ExpirationDate)
		},
	}, {
		Conditional, VerdictSuspensionOpen, "a suspension is open",
		func(s verdictInput) bool { return slices.ContainsFunc(s.Suspensions, s.isOpen) },
		verdictInput.suspensionText,
	}, {
		Pass, VerdictSuspensionsHidden, "none of these, and `not_reported` names suspensions",
		func(s verdictInput) bool { return !s.isReported("suspensions") },
		func(verdictInput) string {
			return "Suspensions were not looked for: this source does not show them."
		},
	}, {
		Pass, VerdictOtherTypeNotGood, "none of these, and another license type of the same number is suspended or " +
			"revoked, or its standing is in doubt",
		func(s verdictInput) bool { return s.otherType != "" },
		func(s verdictInput) string { return s.otherType },
	}, {
		Pass, "", "none of these", func(verdictInput) bool { return true }, nil,
	},
}

// judged is the verdict on the license.
func (s verdictInput) judged() Judgement {
	i := slices.IndexFunc(VerdictRules, func(r VerdictRule) bool { return r.holds(s) })
	j := Judgement{Verdict: VerdictRules[i].Verdict, Reasons: []VerdictReason{}}
	for _, r := range VerdictRules[i:] {
		if r.Verdict != j.Verdict {
			break
		}
		if r.Code != "" && r.holds(s) {
			j.Reasons = append(j.Reasons, VerdictReason{r.Code, r.says(s)})
		}
	}
	return j
}

// isReported tells whether a source printed the member.
func (s verdictInput) isReported(member string) bool {
	return !slices.Contains(s.Inferred, member) && !slices.Contains(s.NotReported, member)
}

func (s verdictInput) isOpen(of Suspension) bool {
	return of.StartDate <= s.today && (of.EndDate == "" || of.EndDate >= s.today)
}

// suspended says what SUSPENDED means in a state that uses it of more than discipline.
var suspended = map[State]string{
	CA: "in CA that is also a license that was surrendered by rule 65 or 64(b)",
	TX: "in TX that is also a license that was surrendered for a time",
	FL: "in FL that is also a license in escrow",
}

func (s verdictInput) statusText() string {
	text := fmt.Sprintf("The register says %s", s.Status)
	if what := suspended[s.of]; s.Status == Suspended && len(s.Suspensions) == 0 {
		text += " and shows no suspension with dates"
		if what != "" {
			text += "; " + what
		}
	}
	return text + "."
}

func (s verdictInput) suspensionText() string {
	open := s.Suspensions[slices.IndexFunc(s.Suspensions, s.isOpen)]
	text := "A suspension is open"
	if open.StartDate != "" {
		text += fmt.Sprintf(" since %s", open.StartDate)
	}
	if open.EndDate != "" {
		text += fmt.Sprintf(" until %s", open.EndDate)
	}
	if open.Reason != "" {
		text += ": " + open.Reason
	}
	return text + "."
}

// changes is the first moment between now and end at which the judgement may change: a date that it rests on passes in
// the state's zone, or an ACTIVE license expires. It is end when there is none.
func (s verdictInput) changes(now, end time.Time) time.Time {
	s.today = s.of.Today(now)
	days := []Date{s.ExpirationDate}
	for _, one := range s.Suspensions {
		days = append(days, one.StartDate.before(), one.EndDate)
	}
	was := s.judged()
	for _, last := range days {
		if last == "" {
			continue
		}
		then := s
		then.today = last.AddDays(1)
		changes := last == s.ExpirationDate && s.Status == Active || !reflect.DeepEqual(then.judged(), was)
		if at := s.of.midnight(then.today); at.After(now) && at.Before(end) && changes {
			end = at
		}
	}
	return end
}

// before is the day before d; empty for the empty Date.
func (d Date) before() Date {
	if d == "" {
		return ""
	}
	return d.AddDays(-1)
}
