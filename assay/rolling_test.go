package main

import (
	"testing"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
)

// TestNothingIsLostOverThreeServers replaces every process of every service, one after the other, and then kills the
// NATS server that a gateway hangs on, while clients ask for cached, new and slow answers. `make rolling` runs it
// for long.
func TestNothingIsLostOverThreeServers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the services as processes")
	}
	servers := startNATSCluster(t)
	f := startFleetOn(t, daemon.Environ{"ASSAY_NATS_URL": servers.urls()}, len(servers))
	quiet := daemon.Environ{"ASSAY_REFRESH": "false"}
	workers := map[string]daemon.Environ{contracts.LTLWorker: quiet, contracts.ABCWorker: nil, contracts.CaptchaWorker: paid}
	running := map[string][]*process{}
	for name, more := range workers {
		running[name] = []*process{f.start(t, name, more), f.start(t, name, more)}
	}
	l := newLoad(t, f, f.gateway(t), f.gateway(t))

	whole := t // what starts in one part lives in the next
	enough := func() bool { return l.turn.Load() >= *loadRequests }
	t.Run("every process is replaced", func(t *testing.T) {
		l.during(t, func() {
			for turns := 0; turns == 0 || !enough(); turns++ {
				for name, more := range workers {
					for i, old := range running[name] {
						running[name][i] = f.start(whole, name, more)
						old.terminate(t)
					}
				}
				for i := range *l.gateways.Load() {
					l.replaceGateway(whole, i)
				}
			}
		})
	})
	t.Run("the gateway's NATS server dies", func(t *testing.T) {
		l.during(t, func() {
			for until := l.turn.Load() + *loadRequests; ; {
				dead := servers.of(t, contracts.Gateway)
				dead.kill()
				servers.awaitLeadersOtherThan(t, dead)
				if l.turn.Load() >= until {
					return
				}
				dead.restart(t)
				for _, s := range servers { // one fault at a time
					s.await(t)
				}
			}
		})
	})
}

// replaceGateway starts a gateway in the place of the ith, and ends that one.
func (l *load) replaceGateway(t *testing.T, i int) {
	t.Helper()
	gateways := append([]*process{}, *l.gateways.Load()...)
	old := gateways[i]
	gateways[i] = l.fleet.gateway(t)
	l.gateways.Store(&gateways)
	old.terminate(t)
}
