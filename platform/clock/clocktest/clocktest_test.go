package clocktest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"assay.dev/platform/clock/clocktest"
)

func TestHolds(t *testing.T) {
	for name, c := range map[string]struct {
		after time.Duration
		holds bool
	}{
		"at once":    {0, true},
		"in a while": {4 * time.Minute, true},
		"too late":   {6 * time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				if holds := clocktest.Holds(func() bool { return time.Since(begun) >= c.after }); holds != c.holds {
					t.Errorf("%t, want %t", holds, c.holds)
				}
				if took := time.Since(begun); took > c.after+time.Second {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}

func TestStays(t *testing.T) {
	for name, c := range map[string]struct {
		until time.Duration
		stays bool
	}{
		"never":                 {0, false},
		"not long":              {100 * time.Millisecond, false},
		"as long as it is seen": {time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				if stays := clocktest.Stays(func() bool { return time.Since(begun) < c.until }); stays != c.stays {
					t.Errorf("%t, want %t", stays, c.stays)
				}
			})
		})
	}
}
