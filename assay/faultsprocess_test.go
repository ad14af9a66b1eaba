package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// processFaults are those of our own processes.
var processFaults = []fault{
	{
		name: "rolling restart of everything", brief: true, run: rollingRestart,
		must: "0 requests fail (`make rolling`: of 100,000)",
	},
	{
		name: "a worker is killed (SIGKILL) every 5 s", run: killWorkers,
		must: "≤ 0.05 % of first tries fail, 0 requests fail",
	},
	{
		name: "captcha-worker is killed mid-solve", run: killSolvers,
		must: "the job is done by another; 0 double charges",
	},
	{
		name: "no workers", run: noWorkers,
		must: "503 within 50 ms, from 11 s after the last of them on",
	},
	{
		name: "1,000 idle connections to a gateway that may open 256 files", run: idleCrowd,
		must: "others are answered within 100 ms, hits and misses; /readyz says it",
	},
	{
		name: "workers have no descriptors left for 10 s", run: noDescriptors,
		must: "hits 100 %; misses 503 and never a wrong answer; no worker ends; normal ≤ 10 s after",
	},
	{
		name: "the collector of traces is dead", run: deadCollector,
		must: "0 errors; resident memory ≤ +50 MB (here in 60 s, not 10 min)",
	},
	{
		name: "old and new version side by side; step back", run: versionsSideBySide,
		must: "0 requests fail, nothing is read twice, nothing lost",
	},
}

func rollingRestart(r *row) {
	d := r.system()
	before, restarts := d.repeated(), 0
	enough := d.turn.Load() + *loadRequests
	sent := d.observe(*loadRequests, func() {
		for turns := 0; turns == 0 || d.turn.Load() < enough; turns++ {
			for name := range d.workers {
				for i := range d.workers[name] {
					old, err := d.replaceWorker(name, i)
					r.need(err)
					old.terminate(r.T)
					restarts++
				}
			}
			for i := range *d.gateways.Load() {
				d.replaceGateway(d.whole, i).terminate(r.T)
				restarts++
			}
		}
	})
	r.saw("%d restarts", restarts)
	r.shareFailed(sent, 0)
	r.hitsHold(sent, 0)
	r.saw("cold: %s; solves: %s", &sent.cold, &sent.slow)
	r.saw("%d first tries repeated", d.repeated()-before)
}

func killWorkers(r *row) {
	d := r.system()
	before, kills := d.repeated(), 0
	names := []string{contracts.LTL.Worker(), contracts.ABC.Worker(), contracts.CaptchaWorker}
	sent := d.observe(0, func() {
		for range 10 {
			name, i := names[r.IntN(len(names))], r.IntN(2)
			d.workers[name][i].kill()
			kills++
			r.need(clock.Sleep(r.Context(), 5*time.Second))
			_, err := d.replaceWorker(name, i)
			r.need(err)
		}
	})
	r.saw("%d kills", kills)
	r.shareFailed(sent, 0)
	r.repeats(d.repeated()-before, sent, 0.0005)
	r.hitsHold(sent, 0)
	r.saw("cold: %s; solves: %s", &sent.cold, &sent.slow)
}

// solverCounts is what the sandbox's solving service was asked for.
type solverCounts struct{ Created, Duplicates int }

func (d *deployed) solverCounts() (c solverCounts, err error) {
	text, err := d.control(http.MethodGet, "/solvers/2captcha/", "")
	if err != nil {
		return c, err
	}
	var shown struct{ Counts solverCounts }
	err = json.Unmarshal([]byte(text), &shown)
	return shown.Counts, err
}

// askAll asks for all paths at once, each at the gateway whose turn it is.
func (d *deployed) askAll(paths []string, key string) *replies {
	var all replies
	var asking sync.WaitGroup
	for i, path := range paths {
		asking.Go(func() {
			began := time.Now()
			err := askEither(*d.gateways.Load(), int64(i), path, key)
			all.add(reply{int64(i), began, time.Since(began), err})
		})
	}
	asking.Wait()
	return &all
}

// texas are n licenses of Texas that nobody asked for.
func (d *deployed) texas(n int) (paths []string) {
	for range n {
		turn := d.turn.Add(slowEvery)
		paths = append(paths, d.load.license(contracts.TX, turn/slowEvery))
	}
	return paths
}

func killSolvers(r *row) {
	const jobs, kills = 30, 4
	d := r.system()
	_, err := d.control(http.MethodPatch, "/solvers/2captcha/", `{"delay_seconds":2}`)
	r.need(err)
	var all *replies
	var asking sync.WaitGroup
	asking.Go(func() { all = d.askAll(d.texas(jobs), d.key) })
	for kill := range kills {
		r.need(clock.Sleep(r.Context(), time.Second))
		d.workers[contracts.CaptchaWorker][kill%2].kill()
		_, err := d.replaceWorker(contracts.CaptchaWorker, kill%2)
		r.need(err)
	}
	asking.Wait()
	counts, err := d.solverCounts()
	r.need(err)
	statuses := all.statuses()
	r.holds(counts.Duplicates == 0 && counts.Created <= jobs, "%d kills while %d licenses of TX were solved; the provider was asked for %d solves, %d of them twice",
		kills, jobs, counts.Created, counts.Duplicates)
	r.holds(statuses[http.StatusOK]+statuses[http.StatusServiceUnavailable] == jobs && statuses[http.StatusOK] >= jobs/2, "%s", all)
}

func noWorkers(r *row) {
	d := r.system()
	for _, p := range d.workers[contracts.ABC.Worker()] {
		p.terminate(r.T)
	}
	var paths []string
	for range 30 {
		paths = append(paths, d.nextCold())
	}
	began := time.Now()
	var lately, later replies
	for i := 0; time.Since(began) < 15*time.Second; i++ {
		asked := time.Now()
		err := askEither(*d.gateways.Load(), int64(i), paths[i%len(paths)], d.key)
		to := &lately
		if asked.Sub(began) > 11*time.Second { // workers that answered within 10 s are given time to come back
			to = &later
		}
		to.add(reply{int64(i), asked, time.Since(asked), err})
		r.need(clock.Sleep(r.Context(), 100*time.Millisecond))
	}
	counts := later.statuses()
	r.holds(counts[http.StatusServiceUnavailable] == later.count() && later.slowest(http.StatusServiceUnavailable) <= r.bound(50*time.Millisecond), "%s", &later)
	r.saw("in the 11 s before, while workers that answered lately may come back: %s", &lately)
}

func deadCollector(r *row) {
	const tries = 60
	d := r.system()
	blind := *d.fleet
	blind.environ = d.environ.With("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9") // nobody listens at the port of discard
	g := blind.gateway(r.T)
	all := *d.gateways.Load()
	d.gateways.Store(&[]*process{g})
	defer d.gateways.Store(&all)
	var before, most int
	sent := d.observe(0, func() {
		r.need(clock.Sleep(r.Context(), 5*time.Second))
		before = residentMB(g.Process.Pid)
		for range tries {
			r.need(clock.Sleep(r.Context(), time.Second))
			most = max(most, residentMB(g.Process.Pid))
		}
	})
	r.shareFailed(sent, 0)
	r.hitsHold(sent, 0)
	r.holds(most-before <= 50, "a gateway that sends every span there held %d MB after 5 s and %d MB at most in the %d s after", before, most, tries)
}

// allowFiles bounds how many files and connections a process may have open from now on.
func (p *process) allowFiles(most int) error {
	return exec.Command("prlimit", fmt.Sprintf("--pid=%d", p.Process.Pid), fmt.Sprintf("--nofile=%d:", most)).Run()
}

func idleCrowd(r *row) {
	const files, idle = 256, 1000
	d := r.ownSystem()
	few := *d.fleet
	few.files = files
	g := few.gateway(r.T)
	for range idle {
		conn, err := net.Dial("tcp", strings.TrimPrefix(g.api, "http://"))
		r.need(err)
		defer conn.Close()
	}
	var hits, cold replies
	for i := range int64(50) {
		for path, to := range map[string]*replies{cachedPath: &hits, d.nextCold(): &cold} {
			asked := time.Now()
			err := askEither([]*process{g}, 0, path, d.key)
			to.add(reply{i, asked, time.Since(asked), err})
		}
	}
	r.holds(len(hits.failed()) == 0 && hits.quantile(1) <= r.bound(100*time.Millisecond), "hits: %s", &hits)
	r.holds(len(cold.failed()) == 0, "cold: %s", &cold)
	said := strings.Contains(readiness(g), "connections")
	r.holds(said && status(g.admin+"/readyz", "") == http.StatusOK, "/readyz says it: %t; %d idle connections were closed", said, g.metric("gateway_connections_closed_total", `"idle"`))
}

func noDescriptors(r *row) {
	d := r.ownSystem()
	var began, ended time.Time
	workers := append(slices.Clone(d.workers[contracts.ABC.Worker()]), d.workers[contracts.LTL.Worker()]...)
	sent := d.observe(0, func() {
		r.need(clock.Sleep(r.Context(), 2*time.Second))
		began = time.Now()
		for _, w := range workers {
			r.need(w.allowFiles(4)) // fewer than are open
		}
		r.need(clock.Sleep(r.Context(), 10*time.Second))
		ended = time.Now()
		for _, w := range workers {
			r.need(w.allowFiles(4096))
		}
		r.need(d.awaitAnswers())
		r.saw("cold answers again after %.1f s", time.Since(ended).Seconds())
		r.need(clock.Sleep(r.Context(), 12*time.Second))
	})
	r.hitsHold(sent, 0)
	meanwhile := sent.cold.since(began, ended)
	counts := meanwhile.statuses()
	r.holds(counts[http.StatusOK]+counts[http.StatusServiceUnavailable] == meanwhile.count(), "cold meanwhile: %s %s", meanwhile, first(meanwhile.failed()))
	late := sent.cold.since(ended.Add(10*time.Second), time.Time{})
	r.holds(len(late.failed()) == 0, "%d of %d cold ones failed later than 10 s after %s", len(late.failed()), late.count(), first(late.failed()))
	for _, w := range workers {
		r.holds(status(w.admin+"/livez", "") == http.StatusOK, "worker %d is alive", w.Process.Pid)
	}
}

func versionsSideBySide(r *row) {
	if *faultsBefore == "" {
		r.saw("not tried: needs -faults.before, a git revision")
		r.untried = true
		return
	}
	bin := r.TempDir()
	r.need(buildRevision(r.Context(), *faultsBefore, bin))
	d := r.ownSystem()
	now, before := d.bin, bin
	step := func(bin string) {
		d.bin = bin
		for i := range *d.gateways.Load() {
			d.replaceGateway(d.whole, i).terminate(r.T)
			for name := range d.workers {
				if i >= len(d.workers[name]) {
					continue
				}
				old, err := d.replaceWorker(name, i)
				r.need(err)
				old.terminate(r.T)
			}
			r.need(clock.Sleep(r.Context(), 3*time.Second)) // side by side
		}
	}
	sent := d.observe(0, func() {
		step(before)
		step(now)
		step(before)
		step(now)
	})
	r.saw("%s and now, forth and back twice, process by process", *faultsBefore)
	r.shareFailed(sent, 0)
	r.hitsHold(sent, 0)
	r.saw("cold: %s; solves: %s", &sent.cold, &sent.slow)
	counts, err := d.solverCounts()
	r.need(err)
	r.holds(counts.Duplicates == 0, "%d solves, %d of them twice", counts.Created, counts.Duplicates)
}

// buildRevision builds the services as they were at a git revision.
func buildRevision(ctx context.Context, revision, bin string) error {
	src, err := os.MkdirTemp(bin, "src")
	if err != nil {
		return err
	}
	script := fmt.Sprintf("cd .. && git archive %s | tar -x -C %s && cd %s && go build -o %s/ %s", revision, src, src, bin,
		"assay.dev/gateway/cmd/gateway assay.dev/ltl-worker/cmd/ltl-worker assay.dev/abc-worker/cmd/abc-worker assay.dev/captcha-worker/cmd/captcha-worker")
	out, err := exec.CommandContext(ctx, "bash", "-o", "pipefail", "-c", script).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
