package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/usage"
	"assay.dev/platform/clock"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// diskFaults are those of the disks under the NATS servers.
var diskFaults = []fault{
	{
		name: "the disk of one NATS server is full, the leader of usage", run: oneFullDisk,
		must: "0 requests fail; every billable answer is counted once; whole again once that server was restarted",
	},
	{
		name: "the disks of all NATS servers are full", run: fullDisks,
		must: "hits 100 %; misses say EVIDENCE_NOT_KEPT or are 503; /readyz says it; no key is made; every billable answer is counted once, later",
	},
	{
		name: "a slow disk under the NATS servers", run: slowDisks,
		must: "as latency: 0 requests fail; 0 acknowledged writes lost; every billable answer is counted once",
	},
}

// disk is a file system of its own, in memory, that can be filled.
type disk struct{ dir string }

// diskSize is what the streams of a row need, and little more.
const diskSize = "128m"

func newDisk(t *testing.T) (disk, error) { return diskOf(t, diskSize) }

// diskOf mounts a file system of that size in memory. Nobody needs the rights of root for it.
func diskOf(t *testing.T, size string) (disk, error) {
	t.Helper()
	dir, err := mountApart(t, `mount -t tmpfs -o size=`+size+` tmpfs "$0"`, []string{"--user", "--map-root-user"})
	return disk{dir}, err
}

// mountApart lets a command of the shell mount a file system on $0, where only a process of its own has it. Others reach it in dir,
// through that process. The mount ends with it, and it ends with this process, however that ends. The command has the files as
// descriptors from 3 on. The error says why there is none here.
func mountApart(t *testing.T, command string, namespaces []string, files ...*os.File) (dir string, err error) {
	t.Helper()
	at := t.TempDir()
	holder := exec.Command("unshare", append(namespaces, "--mount", "sh", "-c", command+" && echo mounted && exec cat", at)...)
	holder.ExtraFiles = files
	var said buffer
	holder.Stderr = &said
	in, err := holder.StdinPipe()
	if err != nil {
		return "", err
	}
	out, err := holder.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := holder.Start(); err != nil {
		return "", err
	}
	t.Cleanup(func() { _, _ = in.Close(), holder.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		return "", fmt.Errorf("no file system of its own: %w: %s %s", err, line, said.String())
	}
	return filepath.Join("/proc", fmt.Sprint(holder.Process.Pid), "root", at), nil
}

func (d disk) ballast() string { return filepath.Join(d.dir, "ballast") }

// fill takes all the space that is left.
func (d disk) fill() error {
	f, err := os.Create(d.ballast())
	if err != nil {
		return err
	}
	defer f.Close()
	for piece := 1 << 20; piece > 0; piece /= 16 {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, piece))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			return err
		}
	}
	return nil
}

func (d disk) empty() error { return os.Remove(d.ballast()) }

// three makes the disks of three servers. There are none where they cannot be had: then the row is not tried.
func three[D any](r *row, one func(*testing.T) (D, error)) (disks []D) {
	r.Helper()
	for range 3 {
		d, err := one(r.T)
		if err != nil {
			r.saw("not tried: %v", err)
			r.untried = true
			return nil
		}
		disks = append(disks, d)
	}
	return disks
}

// payingSystem is a system with a client whose answers are billed.
type payingSystem struct {
	*deployed
	billed string // a live key
	paying replies
}

// ownPayingSystem has its NATS servers on those disks.
func (r *row) ownPayingSystem(disks ...string) *payingSystem {
	r.Helper()
	var dirs []string
	for _, one := range disks {
		dirs = append(dirs, filepath.Join(one, "nats"))
	}
	d := &payingSystem{deployed: deployOn(r.T, startNATSClusterOn(r.T, dirs...))}
	_, err := d.launch(r.T, contracts.LTL.Worker(), daemon.Environ{"ASSAY_ENVIRONMENT": string(contracts.Live), "ASSAY_REFRESH": "false"})
	r.need(err)
	d.billed = must(r.T, d.environ, "keys", "create", "--tenant", "billed", "--environment", "live", "--limit", "1000000")
	clocktest.Await(r.T, "a live key gets an answer", func() bool { return d.pay() == nil })
	r.need(d.awaitHealth())
	return d
}

// onDisks is such a system on disks that can be filled. It is nil where none can be had.
type onDisks struct {
	*payingSystem
	disks []disk
}

func (r *row) ownSystemOnDisks() *onDisks {
	r.Helper()
	disks := three(r, newDisk)
	if disks == nil {
		return nil
	}
	return &onDisks{r.ownPayingSystem(disks[0].dir, disks[1].dir, disks[2].dir), disks}
}

// pay asks for something that is billed when it is answered.
func (d *payingSystem) pay() error {
	asked, turn := time.Now(), int64(d.paying.count())
	err := askEither(*d.gateways.Load(), turn, cachedPath, d.billed)
	d.paying.add(reply{turn, asked, time.Since(asked), err})
	return err
}

// observePaying is observe with the client that pays.
func (d *payingSystem) observePaying(r *row, f func()) *tally {
	ctx, stop := context.WithCancel(r.Context())
	var calling sync.WaitGroup
	calling.Go(func() {
		for clock.Sleep(ctx, 20*time.Millisecond) == nil {
			_ = d.pay() // it is in paying
		}
	})
	defer calling.Wait()
	defer stop()
	return d.observe(0, f)
}

// restartWhere empties the disks of the servers that f names, and starts these again. Those that go on have the quorum, or all are restarted: one alone is not healthy.
func (d *onDisks) restartWhere(r *row, f func(*natsProcess) bool) {
	began := time.Now()
	for i, s := range d.servers {
		if f(s) {
			r.need(d.disks[i].empty())
			s.kill()
			s.startAgain(r.T)
		}
	}
	r.need(d.awaitHealth())
	r.saw("with space again and restarted: well after %.1f s", time.Since(began).Seconds())
}

// allIsCounted compares what was answered with what is summed, and the stores with what they held.
func (d *payingSystem) allIsCounted(r *row) {
	answered, counted := d.paying.statuses()[http.StatusOK], 0
	clocktest.Holds(func() bool { counted = d.counted(r); return counted == answered })
	r.holds(counted == answered, "%d billable answers, %d counted", answered, counted)
	code, out, errs := run(r.T, d.environ, "check")
	r.holds(code == 0, "`assay check` exits with %d", code)
	if code != 0 {
		r.Log(out, errs)
	}
}

func (d *payingSystem) counted(r *row) (counted int) {
	var sums []usage.Sum
	_, out, _ := run(r.T, d.environ, "usage", "--json")
	_ = json.Unmarshal([]byte(out), &sums) // none while it cannot be summed
	for _, s := range sums {
		counted += s.Count
	}
	return counted
}

func oneFullDisk(r *row) {
	d := r.ownSystemOnDisks()
	if d == nil {
		return
	}
	leader := d.servers.leaderOf(r.T, contracts.UsageStream.Name)
	isFull := func(s *natsProcess) bool { return s == leader }
	sent := d.observePaying(r, func() {
		r.need(clock.Sleep(r.Context(), 2*time.Second))
		r.need(d.disks[slices.IndexFunc(d.servers, isFull)].fill())
		off := clocktest.Holds(func() bool { return status("http://"+leader.monitor+"/healthz", "") == http.StatusServiceUnavailable })
		r.saw("its /healthz is 503: %t", off)
		r.need(clock.Sleep(r.Context(), 15*time.Second))
		d.restartWhere(r, isFull)
	})
	r.shareFailed(sent, 0)
	r.hitsHold(sent, 0)
	r.saw("cold: %s; solves: %s", &sent.cold, &sent.slow)
	d.allIsCounted(r)
}

func fullDisks(r *row) {
	d := r.ownSystemOnDisks()
	if d == nil {
		return
	}
	var full, free time.Time
	sent := d.observePaying(r, func() {
		r.need(clock.Sleep(r.Context(), 2*time.Second))
		full = time.Now()
		for _, one := range d.disks {
			r.need(one.fill())
		}
		d.saysThatDisksAreFull(r)
		free = time.Now()
		d.restartWhere(r, func(*natsProcess) bool { return true })
	})
	r.hitsHold(sent, 0)
	meanwhile := sent.cold.since(full, free)
	counts := meanwhile.statuses()
	r.holds(counts[http.StatusOK]+counts[http.StatusServiceUnavailable] == meanwhile.count(), "cold meanwhile: %s; solves: %s", meanwhile, sent.slow.since(full, free))
	r.holds(len(d.paying.failed()) == 0, "billed meanwhile: %s", d.paying.since(full, free))
	d.allIsCounted(r)
	keys := must(r.T, d.environ, "keys", "list")
	r.holds(!strings.Contains(keys, "too-late"), "no key of a command that failed is there")
}

// saysThatDisksAreFull looks at what operators and clients are told.
func (d *onDisks) saysThatDisksAreFull(r *row) {
	began := time.Now()
	g := (*d.gateways.Load())[0]
	var said string
	told := clocktest.Holds(func() bool {
		said = readiness(g)
		return strings.Contains(said, "streams do not answer") && strings.Contains(said, "usage events wait") && strings.Contains(said, "last proven")
	})
	r.holds(told && status(g.admin+"/readyz", "") == http.StatusOK, "/readyz of a gateway says so after %.1f s, and stays 200", time.Since(began).Seconds())
	r.Log(said)
	for _, args := range [][]string{{"keys", "create", "--tenant", "too-late"}, {"usage"}, {"check"}} {
		began := time.Now()
		code, out, errs := run(r.T, d.environ, args...)
		r.holds(code == 1 && !strings.Contains(out, "DAMAGED"), "`assay %s` exits with %d after %.1f s", strings.Join(args[:min(2, len(args))], " "), code, time.Since(began).Seconds())
		r.Log(args, out, errs)
	}
	const asked = 6
	unkept := 0
	for range asked {
		if body, err := d.body(d.nextCold()); err != nil || strings.Contains(body, "EVIDENCE_NOT_KEPT") {
			unkept++
		}
	}
	r.holds(unkept == asked, "%d of %d cold answers say EVIDENCE_NOT_KEPT, or are 503", unkept, asked)
}

// readiness is what a service's /readyz says.
func readiness(p *process) string {
	resp, err := http.Get(p.admin + "/readyz")
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return string(text)
}
