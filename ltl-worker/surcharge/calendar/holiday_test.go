package calendar_test

import (
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge/calendar"
)

func TestIsHoliday(t *testing.T) {
	for date, want := range map[contracts.Date]bool{
		"2026-01-01": true, "2026-01-19": true, "2026-02-16": true, "2026-05-25": true, "2026-06-19": true, "2026-07-03": true, "2026-07-04": true,
		"2026-09-07": true, "2026-10-12": true, "2026-11-11": true, "2026-11-26": true, "2026-12-25": true,
		"2027-07-05": true, "2027-12-24": true, "2027-12-31": true, // observed
		"2026-01-12": false, "2026-05-18": false, "2026-09-14": false, "2026-11-19": false, "2026-11-27": false, "2026-08-03": false,
	} {
		if got := calendar.IsHoliday(calendar.Of(date)); got != want {
			t.Errorf("%s: %v", date, got)
		}
	}
}

func TestMayBegin(t *testing.T) {
	wednesday := time.Wednesday
	c := calendar.Carrier{Weekday: &wednesday}
	for date, want := range map[contracts.Date]bool{
		"2026-11-18": true,
		"2026-11-19": false, // nothing moved it
		"2026-11-12": true,  // behind Veterans Day
		"2026-09-10": true,  // Labor Day's price came on Tuesday
		"2026-09-11": false, // two days
		"2026-09-17": false,
	} {
		if got := c.MayBegin(calendar.Of(date)); got != want {
			t.Errorf("%s: %v", date, got)
		}
	}
	if any := (calendar.Carrier{}); !any.MayBegin(calendar.Of("2026-11-19")) {
		t.Error("a carrier whose weekday is not known")
	}
}
