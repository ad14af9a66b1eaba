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
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/system"
	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/clock"
)

// manyKeys is how many keys a deployment is to bear. Each measurement of growth is also made with a tenth.
const manyKeys = 100_000

// measureGrowth shows what size costs: keys.
func measureGrowth(ctx context.Context, o options) ([]figure, error) {
	s, err := startSubject(ctx, o.binary, "ASSAY_LOG_LEVEL=error")
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.stop() }()
	js, leave, err := s.jetStream()
	if err != nil {
		return nil, err
	}
	defer leave()
	return measureKeys(ctx, o, s, js)
}

// jetStream connects to the servers of the subject.
func (s *subject) jetStream() (js jetstream.JetStream, leave func(), err error) {
	at, err := system.NATSURL(s.data)
	if err != nil {
		return nil, nil, err
	}
	conn, err := nats.Connect(at)
	if err != nil {
		return nil, nil, err
	}
	js, err = jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(4096))
	return js, conn.Close, err
}

// keyCost is what the keys cost a gateway.
type keyCost struct {
	Seconds float64 `json:"seconds"` // until its copy is complete
	LiveMB  float64 `json:"live_mb"` // of the heap, after a collection
	RSSMB   float64 `json:"rss_mb"`  // of the process, more than before the copy
}

// measureKeys compares the start of a gateway's copy with all keys to that with a tenth.
func measureKeys(ctx context.Context, o options, s *subject, js jetstream.JetStream) ([]figure, error) {
	var costs [2]keyCost
	var revoked [2]time.Duration
	for i, number := range []int{manyKeys / 10, manyKeys} {
		if err := fillKeys(ctx, js, number); err != nil {
			return nil, err
		}
		var seconds, live, resident []float64
		for range o.rounds {
			c, err := copyKeys(ctx, s)
			if err != nil {
				return nil, err
			}
			seconds, live, resident = append(seconds, c.Seconds), append(live, c.LiveMB), append(resident, c.RSSMB)
		}
		costs[i] = keyCost{median(seconds), median(live), median(resident)}
		var err error
		if revoked[i], err = timeRevocation(ctx, js); err != nil {
			return nil, err
		}
		fmt.Printf("growth    %d keys: %v s, %.1f MB live, %.1f MB resident; revoked by id in %s\n", number, seconds, live, resident, revoked[i])
	}
	tenth, all := costs[0], costs[1]
	return []figure{
		{name: "100,000 keys, a gateway's copy", value: all.Seconds, unit: "s", target: 0.3,
			detail: fmt.Sprintf("until it is complete; %.2f s for a tenth", tenth.Seconds)},
		{name: "100,000 keys, memory of a gateway", value: all.RSSMB, unit: "MB", target: 60,
			detail: fmt.Sprintf("resident, more than without; %.1f MB live; a tenth: %.1f MB, %.1f MB live", all.LiveMB, tenth.RSSMB, tenth.LiveMB)},
		{name: "100,000 keys, revoked by id", value: millis(revoked[1]), unit: "ms",
			detail: fmt.Sprintf("%.1f ms of a tenth", millis(revoked[0]))},
	}, nil
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// fillKeys puts keys into the bucket up to a number, as [keys.Store] writes them.
func fillKeys(ctx context.Context, js jetstream.JetStream, number int) error {
	for i := range number {
		name := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, "bench key ", i)))
		record, err := json.Marshal(keys.Record{
			Tenant: fmt.Sprintf("rapidapi:tenant-%d", i/10), Environment: contracts.Live, Products: contracts.Products, Limit: keys.DefaultLimit,
			Last4: name[:4], CreatedAt: time.Now().UTC().Truncate(time.Second),
		})
		if err != nil {
			return err
		}
		if _, err := js.PublishAsync(contracts.KeysBucket.Subject(name), record, jetstream.WithStallWait(time.Minute)); err != nil {
			return err
		}
	}
	return awaitPublished(ctx, js)
}

func awaitPublished(ctx context.Context, js jetstream.JetStream) error {
	select {
	case <-js.PublishAsyncComplete():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
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

// copyKeys has a process of its own make the copy of the keys that a gateway makes.
func copyKeys(ctx context.Context, s *subject) (c keyCost, err error) {
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	process := exec.CommandContext(ctx, self, copyArgument, s.data)
	process.Stderr = os.Stderr
	out, err := process.Output()
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(out, &c)
}

// serveCopy copies the keys of the `assay up` on a data directory and prints what that costs.
func serveCopy(ctx context.Context, data string) error {
	js, leave, err := (&subject{data: data}).jetStream()
	if err != nil {
		return err
	}
	defer leave()
	runtime.GC()
	before, err := residentMB(os.Getpid())
	if err != nil {
		return err
	}
	began := time.Now()
	directory, err := keys.OpenDirectory(ctx, js)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- directory.Follow(ctx) }()
	for !directory.Loaded() {
		if err := clock.Sleep(ctx, time.Millisecond); err != nil {
			return err
		}
	}
	took := time.Since(began)
	if err := directory.Damage(); err != nil {
		return err
	}
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	resident, err := residentMB(os.Getpid())
	if err != nil {
		return err
	}
	runtime.KeepAlive(directory)
	cancel()
	return errors.Join(<-ended, json.NewEncoder(os.Stdout).Encode(keyCost{
		Seconds: took.Seconds(), LiveMB: float64(memory.HeapAlloc) / 1e6, RSSMB: resident - before,
	}))
}
