package contracts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const judgedOn = Date("2026-11-22")

// at is a time of day in a state on the day of these tests.
func at(s State, hour int) time.Time {
	return s.midnight(judgedOn).Add(time.Duration(hour) * time.Hour)
}

// judge is the body of a license that is ACTIVE until the middle of 2027, but for what edit changes, at noon.
func judge(t *testing.T, s State, tally Tally, edit func(*LicenseAnswer)) License {
	t.Helper()
	a := licenseAnswer(s, tally, edit)
	body, err := a.Body(at(s, 12))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func licenseAnswer(s State, tally Tally, edit func(*LicenseAnswer)) LicenseAnswer {
	a := LicenseAnswer{
		Provenance: Provenance{Schema: AnswerSchema, ReadAt: at(s, 12), ExpiresAt: at(s, 36), Complete: true}, Tally: tally, State: s,
		Record: &LicenseRecord{LicenseNumber: "1", Status: Active, ExpirationDate: "2027-06-30"},
	}
	if edit != nil {
		edit(&a)
	}
	return a
}

func nine(clean int) Tally { return Tally{Clean: clean, Required: 9} }

func status(s Status) func(*LicenseAnswer) {
	return func(a *LicenseAnswer) { a.Record.Status = s }
}

func inferred(s Status) func(*LicenseAnswer) {
	return func(a *LicenseAnswer) { a.Record.Status, a.Record.Inferred = s, Members{"status"} }
}

func expires(d Date) func(*LicenseAnswer) {
	return func(a *LicenseAnswer) { a.Record.ExpirationDate = d }
}

func suspension(of Suspension) func(*LicenseAnswer) {
	return func(a *LicenseAnswer) { a.Record.Suspensions = []Suspension{of} }
}

func hides(member string) func(*LicenseAnswer) {
	return func(a *LicenseAnswer) { a.Record.NotReported = Members{member} }
}

func otherTypeIs(text string) func(*LicenseAnswer) {
	return func(a *LicenseAnswer) { a.Notes = []Note{{NoteOtherTypeNotGood, text}} }
}

func ofVersionBefore(s Status) func(*LicenseAnswer) {
	return func(a *LicenseAnswer) { a.Schema, a.Complete, a.Record.Status = 0, false, s }
}

// The table of verdicts, and what stands beside each.
func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		state State
		tally Tally
		edit  func(*LicenseAnswer)
		want  LicenseVerdict
		codes []VerdictCode
	}{
		"active":                          {CA, nine(9), nil, Pass, nil},
		"active, FL shows no suspensions": {FL, nine(9), hides("suspensions"), Pass, []VerdictCode{VerdictSuspensionsHidden}},
		"another type is suspended":       {CA, nine(9), otherTypeIs("Type 48 (SUSPEN) is not active."), Pass, []VerdictCode{VerdictOtherTypeNotGood}},
		"expires today":                   {CA, nine(9), expires(judgedOn), Pass, nil},
		"past its date":                   {FL, nine(9), expires("2026-11-21"), Fail, []VerdictCode{VerdictExpired}},
		"no date":                         {FL, nine(9), expires(""), Unverified, []VerdictCode{VerdictExpirationUnknown}},
		"suspension open":                 {CA, nine(9), suspension(Suspension{StartDate: "2026-11-01"}), Conditional, []VerdictCode{VerdictSuspensionOpen}},
		"suspension ends today":           {CA, nine(9), suspension(Suspension{EndDate: judgedOn}), Conditional, []VerdictCode{VerdictSuspensionOpen}},
		"suspension begins today":         {CA, nine(9), suspension(Suspension{StartDate: judgedOn}), Conditional, []VerdictCode{VerdictSuspensionOpen}},
		"suspension without dates":        {CA, nine(9), suspension(Suspension{Reason: "20 days"}), Conditional, []VerdictCode{VerdictSuspensionOpen}},
		"suspension served":               {CA, nine(9), suspension(Suspension{EndDate: "2026-01-31"}), Pass, nil},
		"suspension ahead":                {CA, nine(9), suspension(Suspension{StartDate: "2027-01-31"}), Pass, nil},
		"IL's export, active":             {IL, nine(8), inferred(Active), Unverified, []VerdictCode{VerdictConfidenceLow, VerdictStatusInferred}},
		"IL's export, expired":            {IL, nine(8), inferred(Expired), Unverified, []VerdictCode{VerdictConfidenceLow, VerdictStatusInferred}},
		"inferred, at confidence 1":       {CA, nine(9), inferred(Active), Unverified, []VerdictCode{VerdictStatusInferred}},
		"IL, revoked":                     {IL, nine(9), status(Revoked), Fail, []VerdictCode{VerdictStatusNotActive}},
		"CA's export":                     {CA, nine(8), hides("suspensions"), Unverified, []VerdictCode{VerdictConfidenceLow}},
		"TX's open data, revoked":         {TX, nine(8), status(Revoked), Fail, []VerdictCode{VerdictStatusNotActive}},
		"suspended, in doubt":             {TX, nine(5), status(Suspended), Fail, []VerdictCode{VerdictStatusNotActive}},
		"an old file":                     {NY, nine(8), nil, Unverified, []VerdictCode{VerdictConfidenceLow}},
		"NY's inactive set":               {NY, nine(8), inferred(Expired), Fail, []VerdictCode{VerdictInactiveSet}},
		"canceled":                        {CA, nine(9), status(Expired), Fail, []VerdictCode{VerdictStatusNotActive}},
		"not complete":                    {CA, nine(9), func(a *LicenseAnswer) { a.Complete = false }, Unverified, []VerdictCode{VerdictConfidenceLow}},
		"version before, active":          {IL, nine(9), ofVersionBefore(Active), Unverified, []VerdictCode{VerdictConfidenceLow, VerdictStatusInferred}},
		"version before, revoked":         {IL, nine(9), ofVersionBefore(Revoked), Unverified, []VerdictCode{VerdictConfidenceLow, VerdictStatusInferred}},
	} {
		t.Run(name, func(t *testing.T) {
			body := judge(t, c.state, c.tally, c.edit)
			var codes []VerdictCode
			for _, r := range body.Reasons {
				codes = append(codes, r.Code)
			}
			if body.Verdict != c.want || !slices.Equal(codes, c.codes) || body.Reasons == nil {
				t.Errorf("%s, want %s for %v", body.InWords(), c.want, c.codes)
			}
		})
	}
}

// A result of a search has the verdict of its own confidence; one of an entry without tallies has that of the answer's.
func TestVerdictsOfResults(t *testing.T) {
	sure, unsure := *licenseAnswer(CA, nine(9), nil).Record, *licenseAnswer(CA, nine(9), nil).Record
	unsure.LicenseNumber = "2"
	a := SearchAnswer{
		Provenance: licenseAnswer(CA, nine(8), nil).Provenance, Tally: nine(8), State: CA, Whole: true, Total: 2,
		Results: []LicenseRecord{sure, unsure}, Tallies: []Tally{nine(9), nine(8)},
	}
	before := a
	before.Tallies = nil
	elsewhere := a
	elsewhere.Schema = AnswerSchema - 1
	for name, c := range map[string]struct {
		answer SearchAnswer
		after  Position
		want   []LicenseVerdict
	}{
		"each its own":      {a, Position{}, []LicenseVerdict{Pass, Unverified}},
		"a page":            {a, sure.Position(), []LicenseVerdict{Unverified}},
		"without tallies":   {before, Position{}, []LicenseVerdict{Unverified, Unverified}},
		"another version's": {elsewhere, Position{}, []LicenseVerdict{Unverified, Unverified}},
	} {
		page, _ := c.answer.Body(10, c.after, at(CA, 12))
		var got []LicenseVerdict
		for _, r := range page.Results {
			got = append(got, r.Verdict)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A stored answer ends at the midnight at which a date passes that its verdict rests on, and else lives its day. After that midnight the
// verdict is another one, or the status or a note that follows from the date.
func TestAnswersEndWithTheirVerdict(t *testing.T) {
	both := func(a, b func(*LicenseAnswer)) func(*LicenseAnswer) {
		return func(answer *LicenseAnswer) { a(answer); b(answer) }
	}
	for name, c := range map[string]struct {
		edit      func(*LicenseAnswer)
		ends      bool
		was, then LicenseVerdict
	}{
		"nothing passes":                     {nil, false, Pass, Pass},
		"expires today":                      {expires(judgedOn), true, Pass, Fail},
		"expires tomorrow":                   {expires(judgedOn.AddDays(1)), false, Pass, Pass},
		"expired yesterday":                  {expires(judgedOn.AddDays(-1)), false, Fail, Fail},
		"a suspension ends today":            {suspension(Suspension{EndDate: judgedOn}), true, Conditional, Pass},
		"a suspension begins tomorrow":       {suspension(Suspension{StartDate: judgedOn.AddDays(1)}), true, Pass, Conditional},
		"a suspension began today":           {suspension(Suspension{StartDate: judgedOn}), false, Conditional, Conditional},
		"revoked, expires today":             {both(status(Revoked), expires(judgedOn)), false, Fail, Fail},
		"inferred, expires today":            {both(inferred(Active), expires(judgedOn)), true, Unverified, Unverified},
		"expired by its date":                {both(inferred(Expired), expires(judgedOn.AddDays(-1))), false, Unverified, Unverified},
		"unsure, expires today":              {both(func(a *LicenseAnswer) { a.Tally = nine(5) }, expires(judgedOn)), true, Unverified, Unverified},
		"expired, a suspension ends today":   {both(expires("2026-01-01"), suspension(Suspension{EndDate: judgedOn})), false, Fail, Fail},
		"expires today, a suspension begins": {both(expires(judgedOn), suspension(Suspension{StartDate: judgedOn.AddDays(1)})), true, Pass, Fail},
	} {
		for _, s := range States {
			t.Run(fmt.Sprintf("%s in %s", name, s), func(t *testing.T) {
				a := licenseAnswer(s, nine(9), c.edit)
				if s == NY && a.Record.Status == Expired {
					return
				}
				whole, now := a.ExpiresAt, at(s, 12)
				search := SearchAnswer{Provenance: a.Provenance, Tally: a.Tally, State: s, Results: []LicenseRecord{*licenseAnswer(s, nine(9), nil).Record, *a.Record}}
				a.EndWithVerdict(now)
				search.EndWithVerdict(now)
				want := whole
				if c.ends {
					want = s.midnight(judgedOn.AddDays(1))
				}
				if !a.ExpiresAt.Equal(want) || !search.ExpiresAt.Equal(want) {
					t.Errorf("the answer ends %v, the search %v, want %v", a.ExpiresAt, search.ExpiresAt, want)
				}
				if body, err := a.Body(s.midnight(judgedOn.AddDays(1))); err != nil || body.Verdict != c.then {
					t.Errorf("after midnight: %s (%v), want %s", body.InWords(), err, c.then)
				}
				if before, _ := a.Body(s.midnight(judgedOn.AddDays(1)).Add(-time.Second)); before.Verdict != c.was {
					t.Errorf("before midnight: %s, want %s", before.InWords(), c.was)
				}
			})
		}
	}
}

// A day that is asked for may lie behind an expiry that itself lies ahead.
func TestAnExpiryThatLiesAhead(t *testing.T) {
	for days, want := range map[int]string{10: "It expires on ", -10: "It expired on "} {
		a := licenseAnswer(CA, nine(9), expires(Today(time.Now()).AddDays(days)))
		body, err := a.Body(time.Now().AddDate(0, 0, 20))
		if err != nil || len(body.Reasons) == 0 || !strings.HasPrefix(body.Reasons[0].Message, want) {
			t.Errorf("%d days: %+v, %v", days, body.Reasons, err)
		}
	}
}
