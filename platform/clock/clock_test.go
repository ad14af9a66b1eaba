package clock_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"assay.dev/platform/clock"
)

func TestSleep(t *testing.T) {
	for name, c := range map[string]struct {
		patience, sleep, took time.Duration
		err                   error
	}{
		"the time passes":        {time.Hour, time.Minute, time.Minute, nil},
		"the context ends first": {time.Second, time.Minute, time.Second, context.DeadlineExceeded},
		"the context has ended":  {0, time.Minute, 0, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), c.patience)
				defer cancel()
				begun := time.Now()
				if err := clock.Sleep(ctx, c.sleep); !errors.Is(err, c.err) || time.Since(begun) != c.took {
					t.Errorf("%v after %s, want %v after %s", err, time.Since(begun), c.err, c.took)
				}
			})
		})
	}
}
