package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/provision"
)

// allStreams are the streams of a deployment and the group that places them.
var allStreams = len(provision.Streams()) + 1

// monitored is the address of a running `assay monitor`.
type monitored string

func startMonitor(t *testing.T, servers natsCluster) monitored {
	t.Helper()
	var list []string
	for _, s := range servers {
		list = append(list, s.name+"=http://"+s.monitor)
	}
	address := bustest.FreeAddress(t)
	e := daemon.Environ{"ASSAY_NATS_MONITOR": strings.Join(list, ","), "ASSAY_ADMIN_LISTEN": address}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		ended <- execute(ctx, []string{"monitor"}, &console{environ: e, out: io.Discard, errs: io.Discard})
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("assay monitor: exit %d", code)
		}
	})
	return monitored("http://" + address + "/metrics")
}

// await returns when that many servers are up, streams have a leader, and copies are current.
func (m monitored) await(t *testing.T, what string, servers, led, current int) {
	t.Helper()
	clocktest.Await(t, what, func() bool {
		_, metrics, err := fetch(t.Context(), string(m), "")
		return err == nil && ones(metrics, "jetstream_server_up{") == servers &&
			ones(metrics, "jetstream_stream_leader{") == led && ones(metrics, "jetstream_replica_current{") == current &&
			ones(metrics, "jetstream_stream_missing{") == 0
	})
}

// ones counts the metrics of that name that are 1.
func ones(metrics, name string) int {
	n := 0
	for line := range strings.Lines(metrics) {
		if strings.HasPrefix(line, name) && strings.HasSuffix(line, "} 1\n") {
			n++
		}
	}
	return n
}
