package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// upstreamFaults are those of the sites that are read. What a reader makes of their pages stands in the tests of the workers.
var upstreamFaults = []fault{
	{name: "a site hangs for 60 s", must: openBreaker, run: func(r *row) { r.failingSite("slow") }},
	{name: "a site drips one byte a second", must: openBreaker, run: func(r *row) { r.failingSite("drip") }},
	{name: "a site resets the connection after half of its answer", must: openBreaker, run: func(r *row) { r.failingSite("reset") }},
	{
		name: "a page of 1 GiB, a gzip bomb, 2 MB of headers", run: hugePages,
		must: "≤ 8 MiB read; resident memory ≤ +64 MB",
	},
}

const openBreaker = "the breaker opens after ≤ 6 tries; then 503 in ≤ 5 ms (median); other sources unaffected; descriptors back to baseline"

// failingSite makes the one site of a carrier fail. The worker has a fetch timeout of 2 s here, so that the row takes no minutes.
func (r *row) failingSite(kind string) {
	const host, source = "www.sefl.com", "SEFL"
	d := r.system()
	w := d.onlyWorker(r, contracts.LTL.Worker(), daemon.Environ{"ASSAY_REFRESH": "false", "ASSAY_FETCH_TIMEOUT": "2s", "ASSAY_STALL_TIMEOUT": "1s"})
	descriptors := w.descriptors()
	_, err := d.control(http.MethodPost, "/faults", fmt.Sprintf(`{"host":%q,"fault":%q}`, host, kind))
	r.need(err)
	key := must(r.T, d.environ, "keys", "create", "--tenant", "hung", "--limit", "1000000")
	tries := 0
	path := "/v1/ltl/fuel-surcharge?carriers=" + source
	gateway := []*process{(*d.gateways.Load())[0]}
	clocktest.Await(r.T, "the key is known", func() bool { return status(gateway[0].api+cachedPath, key) == http.StatusOK })
	clocktest.Await(r.T, "the breaker opens", func() bool {
		err := askEither(gateway, 0, path, key)
		if statusOf(err) != http.StatusServiceUnavailable {
			r.holds(false, "%v", err)
			r.FailNow()
		}
		tries = w.metric("upstream_request_duration_seconds_count{", `source="`+source+`"`)
		return w.metric("breaker_state{", `source="`+source+`"`, `environment="test"`) == 2
	})
	r.holds(tries <= 6, "the breaker opened after %d tries", tries)
	var open replies
	for i := range 100 {
		began := time.Now()
		err := askEither(gateway, int64(i), path, key)
		open.add(reply{int64(i), began, time.Since(began), err})
	}
	counts := open.statuses()
	r.holds(counts[http.StatusServiceUnavailable] == 100 && open.quantile(0.5) <= r.bound(5*time.Millisecond), "then: %s", &open)
	var others replies
	for i, c := range []string{"ODFL", "XPO", "TFORCE"} {
		began := time.Now()
		err := askEither(gateway, 0, "/v1/ltl/fuel-surcharge?carriers="+c, key)
		others.add(reply{int64(i), began, time.Since(began), err})
	}
	r.holds(len(others.failed()) == 0, "three other carriers: %s", &others)
	_, err = d.control(http.MethodDelete, "/faults", "")
	r.need(err)
	var left int
	back := clocktest.Holds(func() bool { left = w.descriptors(); return left <= descriptors+4 })
	r.holds(back, "%d open descriptors before, %d after", descriptors, left)
}

// onlyWorker replaces all workers of a kind by one with other settings. The rest of the table has the usual ones again.
func (d *deployed) onlyWorker(r *row, name string, more daemon.Environ) *process {
	r.Helper()
	w, err := d.launch(r.T, name, more)
	r.need(err)
	for _, p := range d.workers[name] {
		p.terminate(r.T) // heal starts them again
	}
	return w
}

func (p *process) descriptors() int {
	open, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.Process.Pid))
	return len(open)
}

// metric adds up the lines of /metrics that begin so and hold all labels.
func (p *process) metric(begins string, labels ...string) (sum int) {
	resp, err := http.Get(p.admin + "/metrics")
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
lines:
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, begins) {
			continue
		}
		for _, label := range labels {
			if !strings.Contains(line, label) {
				continue lines
			}
		}
		var value float64
		if at := strings.LastIndexByte(strings.TrimSpace(line), ' '); at > 0 {
			_, _ = fmt.Sscan(line[at:], &value)
		}
		sum += int(value)
	}
	return sum
}

func hugePages(r *row) {
	d := r.system()
	w := d.onlyWorker(r, contracts.LTL.Worker(), daemon.Environ{"ASSAY_REFRESH": "false"})
	for i, kind := range []string{"huge", "bomb", "headers"} {
		_, err := d.control(http.MethodPost, "/faults", fmt.Sprintf(`{"host":"www.sefl.com","fault":%q}`, kind))
		r.need(err)
		before, most := residentMB(w.Process.Pid), 0
		done := make(chan error, 1)
		go func() { done <- askEither(*d.gateways.Load(), int64(i), "/v1/ltl/fuel-surcharge?carriers=SEFL", d.key) }()
		for asking := true; asking; {
			select {
			case err = <-done:
				asking = false
			default:
				most = max(most, residentMB(w.Process.Pid))
				r.need(clock.Sleep(r.Context(), 2*time.Millisecond))
			}
		}
		got := statusOf(err)
		r.holds(most-before <= 64 && (got == http.StatusServiceUnavailable || kind == "headers"), "%s: %d, worker %d MB before and %d at most", kind, got, before, most)
		r.need(clock.Sleep(r.Context(), 2500*time.Millisecond)) // a failure is told to all for a while
	}
}
