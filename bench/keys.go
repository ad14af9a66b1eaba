package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/clock"
)

// manyKeys is how many keys a deployment is to bear.
const manyKeys = 100_000

// keyCost is what the keys cost a gateway.
type keyCost struct {
	Seconds float64 `json:"seconds"` // until its copy is complete
	CPU     float64 `json:"cpu"`     // seconds of its processors until then
	LiveMB  float64 `json:"live_mb"` // of the heap, after a collection
	RSSMB   float64 `json:"rss_mb"`  // of the process, more than before the copy; garbage is returned
}

// measureKeys compares the start of a gateway's copy with all keys to that with a tenth, so that a cost which grows
// faster than the keys shows.
func measureKeys(ctx context.Context, o options) (figures []figure, err error) {
	s, err := startStore(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	var costs [2]keyCost
	var revoked [2]time.Duration
	for i, number := range []int{manyKeys / 10, manyKeys} {
		if err := fillKeys(ctx, s.js, number); err != nil {
			return nil, err
		}
		var seconds, cpu, live, resident []float64
		for range o.rounds {
			c, err := copyKeys(ctx, s)
			if err != nil {
				return nil, err
			}
			seconds, cpu, live, resident = append(seconds, c.Seconds), append(cpu, c.CPU), append(live, c.LiveMB),
				append(resident, c.RSSMB)
		}
		costs[i] = keyCost{median(seconds), median(cpu), median(live), median(resident)}
		if revoked[i], err = timeRevocation(ctx, s.js); err != nil {
			return nil, err
		}
		fmt.Printf("growth    %d keys: %.2f s, %.2f s of processors, %.1f MB live, %.1f MB resident; revoked by id in %s\n",
			number, seconds, cpu, live, resident, revoked[i])
	}
	tenth, all := costs[0], costs[1]
	return []figure{
		{name: "100,000 keys, a gateway's copy", value: all.Seconds, unit: "s", target: 0.3,
			detail: fmt.Sprintf("until it is complete, with %.2f s of processors; %s", all.CPU,
				grown(tenth.Seconds, all.Seconds, "s"))},
		{name: "100,000 keys, memory of a gateway", value: all.RSSMB, unit: "MB", target: 60,
			detail: fmt.Sprintf("resident, more than without; %.1f MB live; %s", all.LiveMB,
				grown(tenth.RSSMB, all.RSSMB, "MB"))},
		{name: "100,000 keys, revoked by id", value: millis(revoked[1]), unit: "ms",
			detail: grown(millis(revoked[0]), millis(revoked[1]), "ms")},
	}, nil
}

// fillKeys puts keys into the bucket up to a number, as [keys.Store] writes them.
func fillKeys(ctx context.Context, js jetstream.JetStream, number int) error {
	for i := range number {
		name := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, "bench key ", i)))
		record, err := json.Marshal(keys.Record{
			Tenant: fmt.Sprintf("rapidapi:tenant-%d", i/10), Environment: contracts.Live, Products: contracts.Products,
			Limit: keys.DefaultLimit,
			Last4: name[:4], CreatedAt: time.Now().UTC().Truncate(time.Second),
		})
		if err != nil {
			return err
		}
		if _, err := js.PublishAsync(contracts.KeysBucket.Subject(name), record,
			jetstream.WithStallWait(publishPatience)); err != nil {
			return err
		}
	}
	return awaitPublished(ctx, js)
}

// timeRevocation revokes a key that it makes by its id.
func timeRevocation(ctx context.Context, js jetstream.JetStream) (time.Duration, error) {
	store, err := keys.OpenStore(ctx, js)
	if err != nil {
		return 0, err
	}
	key, err := store.Create(ctx, keys.Record{Tenant: "bench", Environment: contracts.Test, Products: contracts.Products})
	if err != nil {
		return 0, err
	}
	hash, err := keys.Parse(key)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	err = store.Revoke(ctx, hash.ID())
	return time.Since(began), err
}

// copyArgument makes this program run [serveCopy].
const copyArgument = "copy"

// copyKeys runs a process of its own that makes the copy of the keys that a gateway makes.
func copyKeys(ctx context.Context, s *store) (c keyCost, err error) {
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	process := exec.CommandContext(ctx, self, copyArgument, s.server.ClientURL())
	process.Stderr = os.Stderr
	out, err := process.Output()
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(out, &c)
}

// serveCopy copies the keys of a NATS server and prints what that costs.
func serveCopy(ctx context.Context, url string) error {
	conn, js, err := connect(url)
	if err != nil {
		return err
	}
	defer conn.Close()
	debug.FreeOSMemory()
	before, err := residentMB(os.Getpid())
	if err != nil {
		return err
	}
	began, cpuBefore := time.Now(), processorTime()
	directory, err := keys.OpenDirectory(ctx, js)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- directory.Follow(ctx) }()
	for !directory.Loaded() {
		if err := clock.Sleep(ctx, time.Millisecond); err != nil {
			return err
		}
	}
	took, cpu := time.Since(began), processorTime()-cpuBefore
	if err := directory.Damage(); err != nil {
		return err
	}
	live := liveMB()
	debug.FreeOSMemory() // the runtime does so by itself, within minutes
	resident, err := residentMB(os.Getpid())
	if err != nil {
		return err
	}
	runtime.KeepAlive(directory)
	cancel()
	return errors.Join(<-ended, json.NewEncoder(os.Stdout).Encode(keyCost{
		Seconds: took.Seconds(), CPU: cpu.Seconds(), LiveMB: live, RSSMB: resident - before,
	}))
}

// processorTime is what this process has used of its processors.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // the address is valid
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
