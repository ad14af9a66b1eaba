// Package daemontest runs services in tests.
package daemontest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// Start runs a service that has host in its settings, and returns when it is ready. stop ends both and gives what the
// service ended with; the end of the test does so too, and fails it when that was an error. env is "" for a service of
// none.
func Start(
	t testing.TB, host *daemon.Host, name string, env contracts.Environment, run func(context.Context) error,
) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var failure error
	ended := make(chan struct{})
	go func() { defer close(ended); failure = run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		<-ended
		return errors.Join(failure, host.Close(context.Background()))
	})
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("%s ended with %v", name, err)
		}
	})
	clocktest.Await(t, name+" is ready", func() bool {
		select {
		case <-ended:
			t.Fatalf("%s did not start: %v", name, failure)
		default:
		}
		return host.Ready(name, string(env)) == nil
	})
	return stop
}
