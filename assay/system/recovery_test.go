package system

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestARecoveryWithoutAnEndIsGivenUpOn(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	finished := make(chan struct{})
	close(finished)
	for name, tt := range map[string]struct {
		ctx  context.Context
		done chan struct{}
		end  time.Time
		heap uint64
		want string
	}{
		"finished":        {t.Context(), finished, time.Now().Add(time.Minute), maxRecoveryHeap, ""},
		"too long":        {t.Context(), make(chan struct{}), time.Now(), maxRecoveryHeap, "in time; put data back from a backup"},
		"too much memory": {t.Context(), make(chan struct{}), time.Now().Add(time.Minute), 32 << 20, "MB of memory; put data back from a backup"},
		"stopped":         {stopped, make(chan struct{}), time.Now().Add(time.Minute), maxRecoveryHeap, context.Canceled.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			held := make([]byte, 64<<20) // what a recovery would hold
			err := watch(tt.ctx, "data", tt.done, tt.end, tt.heap)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v", err)
			}
			runtime.KeepAlive(held)
		})
	}
}
