package carrier_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
)

var tuesdays = carrier.Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}

func newYork(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", text, contracts.NewYork)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestExpires(t *testing.T) {
	cases := []struct {
		name  string
		read  string
		weeks []contracts.Date
		want  string
	}{
		{"until the next publication", "2026-09-10 09:00", []contracts.Date{"2026-09-09", "2026-09-02"}, "2026-09-15 12:00"},
		{"just before it", "2026-09-15 11:59", []contracts.Date{"2026-09-09"}, "2026-09-15 12:00"},
		{"until a posted week begins", "2026-09-08 13:00", []contracts.Date{"2026-09-09", "2026-09-02"}, "2026-09-09 00:00"},
		{"not posted yet: look again soon", "2026-09-08 12:01", []contracts.Date{"2026-09-02"}, "2026-09-08 12:16"},
		{"four hours late: in two hours", "2026-09-08 16:00", []contracts.Date{"2026-09-02"}, "2026-09-08 18:00"},
		{"two days late: in six hours", "2026-09-10 12:00", []contracts.Date{"2026-09-02"}, "2026-09-10 18:00"},
		{"a holiday moved it a day back", "2026-11-11 09:00", []contracts.Date{"2026-11-10"}, "2026-11-17 12:00"},
		{"never past the next publication", "2026-09-15 09:00", []contracts.Date{"2026-09-02"}, "2026-09-15 12:00"},
		{"across the end of summer time", "2026-10-28 09:00", []contracts.Date{"2026-10-28"}, "2026-11-03 12:00"},
		{"across the turn of the year", "2026-12-31 09:00", []contracts.Date{"2026-12-30"}, "2027-01-05 12:00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := tuesdays.Expires(newYork(t, c.read), observed(c.weeks...))
			if want := newYork(t, c.want); !got.Equal(want) {
				t.Errorf("expires %s, want %s", got.In(contracts.NewYork), want)
			}
		})
	}
}

func TestPosted(t *testing.T) {
	cases := []struct {
		name string
		p    carrier.Publication
		at   string
		want contracts.Date
	}{
		{"before noon on Tuesday it is last week's", tuesdays, "2026-09-08 11:00", "2026-09-02"},
		{"from noon on it is tomorrow's", tuesdays, "2026-09-08 12:00", "2026-09-09"},
		{"Monday after the posting", carrier.Publication{Day: time.Tuesday, Hour: 12, Effective: time.Monday}, "2026-09-01 12:00", "2026-09-07"},
		{"posted on its first day", carrier.Publication{Day: time.Wednesday, Hour: 1, Effective: time.Wednesday}, "2026-09-09 01:00", "2026-09-09"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.p.Posted(newYork(t, c.at)); got != c.want {
				t.Errorf("due %s, want %s", got, c.want)
			}
		})
	}
}

func TestDue(t *testing.T) {
	cases := []struct {
		name string
		p    carrier.Publication
		at   string
		want contracts.Date
	}{
		{"posted ahead is not due yet", tuesdays, "2026-09-08 13:00", "2026-09-02"},
		{"due from its first minute", tuesdays, "2026-09-09 00:00", "2026-09-09"},
		{"until the next one begins", tuesdays, "2026-09-15 23:59", "2026-09-09"},
		{"Monday after the posting", carrier.Publication{Day: time.Tuesday, Hour: 12, Effective: time.Monday}, "2026-09-09 12:00", "2026-09-07"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.p.Due(newYork(t, c.at)); got != c.want {
				t.Errorf("due %s, want %s", got, c.want)
			}
		})
	}
}

func TestCleanUntil(t *testing.T) {
	sameDay := carrier.Publication{Day: time.Wednesday, Hour: 9, Effective: time.Wednesday}
	cases := []struct {
		name   string
		p      carrier.Publication
		newest contracts.Date
		want   string
	}{
		{"a day after the first day", tuesdays, "2026-09-02", "2026-09-10 00:00"},
		{"a day after the posting hour when that is later", sameDay, "2026-09-02", "2026-09-10 09:00"},
		{"a holiday moved the newest week", tuesdays, "2026-09-03", "2026-09-10 00:00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, want := c.p.CleanUntil(c.newest), newYork(t, c.want); !got.Equal(want) {
				t.Errorf("%s, want %s", got.In(contracts.NewYork), want)
			}
		})
	}
}

func TestAbandoned(t *testing.T) {
	for newest, want := range map[contracts.Date]bool{"2026-09-09": false, "2026-09-02": false, "2026-08-26": false, "2026-08-19": true} {
		if got := tuesdays.Abandoned(newest, "2026-09-10"); got != want {
			t.Errorf("newest %s: %t", newest, got)
		}
	}
}

// Whatever is read and whenever, the answer ends after it was read, within its TTL, and not after the next
// publication.
func TestExpiresWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := carrier.Publication{
			Day: time.Weekday(rapid.IntRange(0, 6).Draw(t, "day")), Hour: rapid.IntRange(0, 23).Draw(t, "hour"),
			Effective: time.Weekday(rapid.IntRange(0, 6).Draw(t, "effective")),
		}
		read := time.Unix(rapid.Int64Range(1640995200, 1924992000).Draw(t, "read"), 0)
		week := contracts.Today(read).AddDays(rapid.IntRange(-200, 14).Draw(t, "week"))
		end := p.Expires(read, observed(week))
		if !end.After(read) || end.Sub(read) > contracts.SurchargeTTL || end.After(p.Next(read)) {
			t.Fatalf("read %s, expires %s, next publication %s", read, end, p.Next(read))
		}
		if last := p.Last(read); last.After(read) || !p.Next(read).After(read) || last.In(contracts.NewYork).Weekday() != p.Day {
			t.Fatalf("at %s: last %s, next %s", read, last, p.Next(read))
		}
	})
}

func observed(dates ...contracts.Date) []contracts.ObservedWeek {
	var weeks []contracts.ObservedWeek
	for _, d := range dates {
		weeks = append(weeks, contracts.ObservedWeek{SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: d}})
	}
	return weeks
}
