package main

import (
	"testing"
	"time"
)

func TestPeriods(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "90s": 90 * time.Second, "1h30m": 90 * time.Minute, "720h": 30 * day,
		"1d": day, "2w": 14 * day, "1w2d": 9 * day, "1d12h": 36 * time.Hour,
		"": -1, "d": -1, "1": -1, "-1h": -1, "1d-1h": -1, "1h1d": -1, "1.5d": -1, "99999w": -1, "1d x": -1, "soon": -1,
	} {
		t.Run(text, func(t *testing.T) {
			var got period
			err := got.UnmarshalText([]byte(text))
			if (err == nil) != (want >= 0) || err == nil && time.Duration(got) != want {
				t.Errorf("%s, %v", time.Duration(got), err)
			}
		})
	}
}
