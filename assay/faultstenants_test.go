package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
)

// tenantFaults are those of keys and of the operators who issue them.
var tenantFaults = []fault{
	{
		name: "a key is revoked", brief: true, run: func(r *row) { r.revocation(time.Second, nil) },
		must: "401 everywhere ≤ 1 s after the command",
	},
	{
		name: "a key is revoked while the leader of the keys is dead", run: func(r *row) {
			r.revocation(5*time.Second, func(d *deployed) { d.servers.leaderOf(r.T, contracts.KeysBucket.Stream()).kill() })
		},
		must: "401 everywhere ≤ 5 s after the command, which may wait for a leader",
	},
	{
		name: "eight operators create and revoke keys while others check the stores and the leader of the keys is killed", run: manyOperators,
		must: "every command that reports success has its effect; nobody is told of a damaged store; no key is lost",
	},
}

func (r *row) revocation(most time.Duration, harm func(*deployed)) {
	d := r.system()
	key := must(r.T, d.environ, "keys", "create", "--tenant", "leaver")
	gateways := *d.gateways.Load()
	for _, g := range gateways {
		clocktest.Await(r.T, "the key is good", func() bool { return status(g.api+"/v1/ltl/carriers", key) == http.StatusOK })
	}
	if harm != nil {
		harm(d)
	}
	began := time.Now()
	must(r.T, d.environ, "keys", "revoke", key)
	done := time.Now()
	var last time.Duration
	for _, g := range gateways {
		clocktest.Await(r.T, "the key is refused", func() bool { return status(g.api+"/v1/ltl/carriers", key) == http.StatusUnauthorized })
		last = max(last, time.Since(done))
	}
	r.holds(last <= r.bound(most), "the command took %.2f s; 401 at all three gateways %s after it", done.Sub(began).Seconds(), milliseconds(last))
}

func manyOperators(r *row) {
	const operators, each = 8, 6
	d := r.system()
	var mu sync.Mutex
	var failures, damages []string
	good := map[string]bool{} // by key that was created: whether it was not revoked
	command := func(args ...string) (string, bool) {
		code, out, errs := run(r.T, d.environ, args...)
		if code == 0 {
			return strings.TrimSpace(out), true
		}
		mu.Lock()
		defer mu.Unlock()
		said := fmt.Sprintf("assay %s: %.200s", args[0], strings.TrimSpace(errs))
		failures = append(failures, said)
		if strings.Contains(errs, "damaged") || strings.Contains(errs, "holds") {
			damages = append(damages, said)
		}
		return "", false
	}
	var working, looking sync.WaitGroup
	for i := range operators {
		working.Go(func() {
			for n := range each {
				key, ok := command("keys", "create", "--tenant", fmt.Sprint("operator-", i))
				if !ok {
					continue
				}
				revoked := false
				if n%2 == 0 {
					if _, revoked = command("keys", "revoke", key); !revoked {
						continue // it may be revoked or not
					}
				}
				mu.Lock()
				good[key] = !revoked
				mu.Unlock()
			}
		})
	}
	stop := make(chan struct{})
	for range 2 {
		looking.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					command("check")
					command("keys", "list")
				}
			}
		})
	}
	d.servers.leaderOf(r.T, contracts.KeysBucket.Stream()).kill()
	working.Wait()
	close(stop)
	looking.Wait()
	r.need(d.heal())
	wrong := r.wrongKeys(d, good)
	revoked := 0
	for _, isGood := range good {
		if !isGood {
			revoked++
		}
	}
	r.holds(len(wrong) == 0, "%d keys created, %d of them revoked; %d are not received so %v", len(good), revoked, len(wrong), wrong)
	r.holds(len(damages) == 0, "%d commands were told of damage %v", len(damages), firstOf(damages))
	r.saw("%d commands failed %v", len(failures), firstOf(failures))
}

func firstOf(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return "(such as " + all[0] + ")"
}

// wrongKeys asks a gateway with each key. A key that is good is 200, one that was revoked 401.
func (r *row) wrongKeys(d *deployed, good map[string]bool) (wrong []string) {
	g := (*d.gateways.Load())[0]
	for key, isGood := range good {
		want := map[bool]int{true: http.StatusOK, false: http.StatusUnauthorized}[isGood]
		if !clocktest.Holds(func() bool { return status(g.api+"/v1/ltl/carriers", key) == want }) {
			wrong = append(wrong, key[len(key)-4:])
		}
	}
	return wrong
}
