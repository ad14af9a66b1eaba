package contracts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// observed is a week whose date and percent were read cleanly.
func observed(date Date) ObservedWeek {
	diesel := 5.599
	return ObservedWeek{SurchargeWeek: SurchargeWeek{EffectiveDate: date, EndDate: date.AddDays(6), Percent: 46.32, DieselUSD: &diesel}, Tally: TallyOf(true, true)}
}

func TestSurchargeBody(t *testing.T) {
	weeks := []ObservedWeek{observed("2026-09-09"), observed("2026-09-02"), observed("2026-08-26"), observed("2026-08-19")}
	unclean := observed("2026-09-02")
	unclean.Tally = TallyOf(true, false)
	archived := observed("2026-08-19")
	archived.Archived = &Sighting{At: time.Date(2026, 8, 30, 0, 0, 0, 0, time.UTC), EvidenceURL: "https://carrier.test/fuel"}
	long := observed("2026-09-01")
	long.EndDate = "2026-09-08"
	without := observed("2026-09-02")
	without.DieselUSD = nil
	announced := observed("2026-09-16")
	announced.Announced = true
	for name, tt := range map[string]struct {
		answer     SurchargeAnswer
		weeks      int
		confidence float64
		current    bool
		complete   bool
		notes      string
		missing    Members
	}{
		"the week that is due": {SurchargeAnswer{Weeks: weeks, Due: "2026-09-09", DueClean: true}, 4, 1, true, true, "", nil},
		"a later week is due, since today": {SurchargeAnswer{Weeks: weeks, Due: "2026-09-16", DueClean: true}, 4, 1, false, true,
			"WEEK_OVERDUE", nil},
		"a later week is due, since long": {SurchargeAnswer{Weeks: weeks, Due: "2026-09-16"}, 4, 0.66, false, true, "WEEK_OVERDUE", nil},
		"the newest cannot be read": {SurchargeAnswer{Weeks: weeks, Due: "2026-09-16", DueClean: true, Unreadable: "2026-09-16"}, 4, 0.66, false, true,
			"WEEK_UNREADABLE", nil},
		"the newest cannot be read and is overdue": {SurchargeAnswer{Weeks: weeks, Due: "2026-09-23", Unreadable: "2026-09-16"}, 1, 0.33, false, true,
			"WEEK_UNREADABLE WEEK_OVERDUE", nil},
		"an unclean week that was not asked for": {SurchargeAnswer{Weeks: []ObservedWeek{weeks[0], unclean}, Due: "2026-09-09"}, 1, 1, true, true, "", nil},
		"an unclean week":                        {SurchargeAnswer{Weeks: []ObservedWeek{weeks[0], unclean}, Due: "2026-09-09"}, 2, 0.8, true, true, "FIELD_UNREADABLE", nil},
		"an unclean week, and why": {SurchargeAnswer{Provenance: Provenance{Notes: []Note{{Code: NotePercentInDoubt}}},
			Weeks: []ObservedWeek{weeks[0], unclean}, Due: "2026-09-09"}, 2, 0.8, true, true, "PERCENT_IN_DOUBT", nil},
		"a week beside its bracket that was not asked for": {SurchargeAnswer{Provenance: Provenance{Notes: []Note{{Code: NoteBracketDiffers}}},
			Weeks: []ObservedWeek{weeks[0], unclean}, Due: "2026-09-09"}, 1, 1, true, true, "", nil},
		"a week beside its bracket": {SurchargeAnswer{Provenance: Provenance{Notes: []Note{{Code: NoteBracketDiffers}}},
			Weeks: []ObservedWeek{weeks[0], unclean}, Due: "2026-09-09"}, 2, 0.8, true, true, "BRACKET_DIFFERS", nil},
		"fewer weeks than asked": {SurchargeAnswer{Weeks: weeks, Due: "2026-09-09"}, 26, 1, true, false, "INCOMPLETE", nil},
		"an archived week":       {SurchargeAnswer{Weeks: append(weeks[:3:3], archived), Due: "2026-09-09"}, 4, 1, true, true, "FROM_ARCHIVE", nil},
		"no diesel on this page": {SurchargeAnswer{Weeks: []ObservedWeek{weeks[0], without}, Due: "2026-09-09", PrintsDiesel: true}, 2, 1, true, true,
			"DIESEL_NOT_REPORTED", Members{"doe_diesel_price_usd"}},
		"a carrier that prints no diesel": {SurchargeAnswer{Weeks: []ObservedWeek{without}, Due: "2026-09-02"}, 1, 1, true, true, "",
			Members{"doe_diesel_price_usd"}},
		"a hole between the weeks":        {SurchargeAnswer{Weeks: slices.Delete(slices.Clone(weeks), 2, 3), Due: "2026-09-09"}, 3, 1, true, false, "INCOMPLETE", nil},
		"a hole that was not asked for":   {SurchargeAnswer{Weeks: slices.Delete(slices.Clone(weeks), 2, 3), Due: "2026-09-09"}, 2, 1, true, true, "", nil},
		"a week that a holiday made long": {SurchargeAnswer{Weeks: []ObservedWeek{weeks[0], long}, Due: "2026-09-09"}, 2, 1, true, true, "", nil},
		"the next week is announced, and the one that is due is missing": {SurchargeAnswer{Weeks: []ObservedWeek{announced, weeks[1]}, Due: "2026-09-09", DueClean: true}, 2, 1, false, false,
			"WEEK_OVERDUE INCOMPLETE", nil},
		"no week": {SurchargeAnswer{}, 4, 0, false, false, "INCOMPLETE", nil},
	} {
		t.Run(name, func(t *testing.T) {
			tt.answer.Carrier, tt.answer.Complete, tt.answer.Schema = ODFL, true, AnswerSchema
			v := tt.answer.Body(tt.weeks).Verifiability
			var notes []string
			for _, n := range v.Notes {
				notes = append(notes, string(n.Code))
			}
			got := fmt.Sprint(v.ExtractionConfidence, *v.Current, v.Complete, strings.Join(notes, " "), v.NotReported)
			if want := fmt.Sprint(tt.confidence, tt.current, tt.complete, tt.notes, tt.missing); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestNoMemberIsAbsent(t *testing.T) {
	text, err := json.Marshal(SurchargeAnswer{Provenance: Provenance{Schema: AnswerSchema}}.Body(4))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"weeks":[]`, `"source_published_at":null`, `"not_reported":[]`, `"inferred":[]`, `"notes":[`, `"current":false`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s does not hold %s", text, want)
		}
	}
	text, _ = json.Marshal(LicenseRecord{})
	if !strings.Contains(string(text), `"not_reported":[],"inferred":[]`) {
		t.Errorf("%s", text)
	}
}

func TestTallies(t *testing.T) {
	if (Tally{}).Confidence() != 0 || (Tally{8, 9}).Confidence() != 0.88 || (Tally{2, 3}).Confidence() != 0.66 {
		t.Error("a confidence is not rounded down to 2 decimals, or nothing required gave some")
	}
	if got := (Tally{25, 27}).Lowest(Tally{2, 3}).Lowest(Tally{}); got != (Tally{2, 3}) {
		t.Errorf("the lowest is %+v", got)
	}
}

func TestAnswerKeysNameTheSchema(t *testing.T) {
	form := fmt.Sprintf(".v%d.", AnswerSchema)
	for _, key := range []CacheKey{
		SurchargeKey(Live, ODFL), LicenseKey(Test, LicenseRequest{State: CA, Number: "1"}), SearchKey(Test, SearchRequest{State: CA}),
	} {
		if !strings.Contains(string(key), form) {
			t.Errorf("%s does not hold %s", key, form)
		}
	}
	if !slices.IsSorted(Members{"status"}.With("address.county", "status")) {
		t.Error("members are not sorted")
	}
}
