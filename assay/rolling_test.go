package main

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
)

// TestNothingIsLostOverThreeServers replaces every worker, one process after the other, ends a gateway, and kills the NATS
// server that the other gateway hangs on, while clients ask for cached and for new answers.
func TestNothingIsLostOverThreeServers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the services as processes")
	}
	servers := startNATSCluster(t)
	f := startFleetOn(t, daemon.Environ{"ASSAY_NATS_URL": servers.urls()}, len(servers))
	quiet := daemon.Environ{"ASSAY_REFRESH": "false"}
	ltl := []*process{f.start(t, "ltl-worker", quiet), f.start(t, "ltl-worker", quiet)}
	abc := []*process{f.start(t, "abc-worker", nil), f.start(t, "abc-worker", nil)}
	captcha := f.start(t, "captcha-worker", paid)
	gateways := []*process{f.gateway(t), f.gateway(t)}
	numbers := f.licenses(t, "CA", 2000)

	whole := t // what starts in one part lives in the next
	var turn atomic.Int64
	ask := func() error {
		n := turn.Add(1)
		path := "/v1/ltl/fuel-surcharge?carriers=ODFL"
		if n%20 == 0 { // one in twenty is new
			path = fmt.Sprintf("/v1/abc/license/%s?state=CA", numbers[int(n/20)%len(numbers)])
		}
		return askEither(gateways, n, path, f.key)
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	t.Run("workers are replaced and a gateway ends", func(t *testing.T) {
		asked := under(t, ask, func() {
			for i := range 2 {
				ltl = append(ltl, f.start(whole, "ltl-worker", quiet))
				ltl[i].terminate(t)
				abc = append(abc, f.start(whole, "abc-worker", nil))
				abc[i].terminate(t)
			}
			f.start(whole, "captcha-worker", paid)
			captcha.terminate(t)
			gateways[0].terminate(t)
		})
		t.Logf("%d requests", asked)
	})
	t.Run("the gateway's NATS server dies", func(t *testing.T) {
		asked := under(t, ask, func() {
			_ = servers.of(t, contracts.Gateway).Process.Kill() // SIGKILL
			time.Sleep(8 * time.Second)                         // a new leader of a stream may take six
		})
		t.Logf("%d requests", asked)
	})
}
