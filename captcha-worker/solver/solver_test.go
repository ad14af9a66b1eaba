package solver

import (
	"testing"
	"time"
)

// A provider is asked as often as it allows, unless the operator says otherwise.
func TestPauses(t *testing.T) {
	for name, tt := range map[string]struct {
		cfg          Config
		first, every time.Duration
	}{
		"asks for 5 s":            {Config{Provider: "2captcha"}, 5 * time.Second, 5 * time.Second},
		"allows 2 s and 1 s":      {Config{Provider: "anti-captcha"}, 2 * time.Second, time.Second},
		"one pause for both":      {Config{Provider: "anti-captcha", Poll: 4 * time.Second}, 4 * time.Second, 4 * time.Second},
		"another first one":       {Config{Provider: "2captcha", FirstPoll: time.Second}, time.Second, 5 * time.Second},
		"both set":                {Config{Provider: "2captcha", FirstPoll: 2 * time.Second, Poll: time.Second}, 2 * time.Second, time.Second},
		"an answer comes at once": {Config{Provider: "capsolver"}, 2 * time.Second, 3 * time.Second},
	} {
		if first, every := tt.cfg.pauses(); first != tt.first || every != tt.every {
			t.Errorf("%s: %s and %s, want %s and %s", name, first, every, tt.first, tt.every)
		}
	}
	if err := (Config{Provider: "2captcha", Poll: -time.Second}).Validate(); err == nil {
		t.Error("a pause of less than nothing is taken")
	}
}
