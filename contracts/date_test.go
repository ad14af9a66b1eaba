package contracts

import (
	"encoding/json"
	"testing"
	"time"
)

func TestDatesInJSON(t *testing.T) {
	for text, want := range map[string]Date{
		`"2026-09-09"`: "2026-09-09", `null`: "", `""`: "", `"\u0032026-09-09"`: "2026-09-09",
	} {
		d := Date("x")
		if err := json.Unmarshal([]byte(text), &d); err != nil || d != want {
			t.Errorf("%s: %q, %v", text, d, err)
		}
	}
	for _, text := range []string{`"2026-02-30"`, `"2026-9-9"`, `20260909`, `"2026-09-09x"`, `"2026/09/09"`, `true`} {
		var d Date
		if err := json.Unmarshal([]byte(text), &d); err == nil {
			t.Errorf("%s is taken for %q", text, d)
		}
	}
	for d, want := range map[Date]string{"": "null", "2026-09-09": `"2026-09-09"`, `a"b`: `"a\"b"`} {
		if text, err := json.Marshal(d); err != nil || string(text) != want {
			t.Errorf("%q: %s, %v", d, text, err)
		}
	}
}

// A date is written as its layout writes it.
func TestDatesAreWritten(t *testing.T) {
	for day := time.Date(-2, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 10_002; day = day.AddDate(0, 0, 19) {
		if got, want := DateOf(day), day.Format(time.DateOnly); string(got) != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
}
