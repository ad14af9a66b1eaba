package calendar_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge/calendar"
)

func daysOf(dates ...contracts.Date) []calendar.Day {
	var days []calendar.Day
	for _, d := range dates {
		if d == "" {
			days = append(days, 0)
			continue
		}
		days = append(days, calendar.Of(d))
	}
	return days
}

func TestWeekly(t *testing.T) {
	for _, tt := range []struct {
		name  string
		dates []contracts.Date
		want  bool
	}{
		{"nothing", nil, true},
		{"one day", []contracts.Date{"2026-09-09"}, true},
		{"Wednesdays across New Year", []contracts.Date{"2027-01-06", "2026-12-30", "2026-12-23"}, true},
		{"a holiday moved one by a day", []contracts.Date{"2026-09-09", "2026-09-03", "2026-08-26"}, true},
		{"unread and repeated days", []contracts.Date{"2026-09-09", "", "2026-09-02", "2026-09-02"}, true},
		{"months", []contracts.Date{"2026-09-01", "2026-08-01", "2026-07-01"}, false},
		{"days", []contracts.Date{"2026-09-03", "2026-09-02", "2026-09-01"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := calendar.Weekly(daysOf(tt.dates...)); got != tt.want {
				t.Errorf("%t", got)
			}
		})
	}
}

func TestDropMistyped(t *testing.T) {
	wednesdays := []contracts.Date{"2026-09-09", "2026-09-02", "2026-08-26", "2026-08-19", "2026-08-12"}
	for _, tt := range []struct {
		name    string
		further contracts.Date
		kept    bool
	}{
		{"the next Wednesday", "2026-09-16", true},
		{"moved by a holiday", "2026-09-17", true},
		{"between two weeks", "2026-09-07", false},
		{"a Friday of another year", "2025-09-12", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			days := daysOf(append(slices.Clone(wednesdays), tt.further)...)
			calendar.DropMistyped(days)
			if kept := days[5] != 0; kept != tt.kept || calendar.Known(days[:5]) != 5 {
				t.Errorf("kept %t: %v", kept, days)
			}
		})
	}
}

// A date becomes a day and the same date again, and both have the same weekday.
func TestDayIsItsDate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Date(1990, 1, 1+rapid.IntRange(0, 40_000).Draw(t, "days"), 0, 0, 0, 0, time.UTC)
		day := calendar.Of(contracts.DateOf(at))
		if day.Date() != contracts.DateOf(at) || day.Weekday() != at.Weekday() {
			t.Fatalf("%s: %s, %s", at, day.Date(), day.Weekday())
		}
		if day != calendar.On(at.Year(), int(at.Month()), at.Day()) {
			t.Fatalf("%s: not the day of its parts", at)
		}
	})
}

func TestNoSuchDay(t *testing.T) {
	if calendar.On(2026, 2, 29) != 0 || calendar.On(2026, 13, 1) != 0 || calendar.On(1026, 9, 2) != 0 {
		t.Error("a day that does not exist")
	}
	if calendar.On(2028, 2, 29) == 0 {
		t.Error("no leap day")
	}
}
