package bench

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
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/bustest"
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
func measureKeys(t *testing.T) []figure {
	url := bustest.Server(t).ClientURL()
	conn, js, err := connect(url)
	must(t, err)
	t.Cleanup(conn.Close)
	var costs [2]keyCost
	var revoked [2]float64
	for i, number := range []int{manyKeys / 10, manyKeys} {
		fillKeys(t, js, number)
		var seconds, cpu, live, resident []float64
		for range *rounds {
			c := copyKeys(t, url)
			seconds, cpu, live, resident = append(seconds, c.Seconds), append(cpu, c.CPU), append(live, c.LiveMB),
				append(resident, c.RSSMB)
		}
		costs[i] = keyCost{median(seconds), median(cpu), median(live), median(resident)}
		took := timeRevocation(t, js)
		revoked[i] = milliseconds(took)
		fmt.Printf("growth    %d keys: %.2f s, %.2f s of processors, %.1f MB live, %.1f MB resident; revoked by id in %s\n",
			number, seconds, cpu, live, resident, took)
	}
	tenth, all := costs[0], costs[1]
	return []figure{
		{name: "100,000 keys, a gateway's copy", value: all.Seconds, unit: "s", target: 0.3,
			detail: fmt.Sprintf("until it is complete, with %.2f s of processors; %s", all.CPU,
				grown(tenth.Seconds, all.Seconds, "s"))},
		{name: "100,000 keys, memory of a gateway", value: all.RSSMB, unit: "MB", target: 60,
			detail: fmt.Sprintf("resident, more than without; %.1f MB live; %s", all.LiveMB,
				grown(tenth.RSSMB, all.RSSMB, "MB"))},
		{name: "100,000 keys, revoked by id", value: revoked[1], unit: "ms",
			detail: grown(revoked[0], revoked[1], "ms")},
	}
}

// grown says what a tenth of something costs, and how many times as much all of it, such as "a tenth: 0.19 s, × 10.5".
func grown(tenth, all float64, unit string) string {
	return fmt.Sprintf("a tenth: %.2f %s, × %.1f", tenth, unit, all/tenth)
}

func connect(url string) (*nats.Conn, jetstream.JetStream, error) {
	conn, err := nats.Connect(url)
	if err != nil {
		return nil, nil, err
	}
	js, err := jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(4096))
	return conn, js, err
}

// fillKeys puts keys into the bucket up to a number, as [keys.Store] writes them.
func fillKeys(t *testing.T, js jetstream.JetStream, number int) {
	for i := range number {
		name := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, "bench key ", i)))
		record, err := json.Marshal(keys.Record{
			Tenant: fmt.Sprintf("rapidapi:tenant-%d", i/10), Environment: contracts.Live, Products: contracts.Products,
			Limit: keys.DefaultLimit,
			Last4: name[:4], CreatedAt: time.Now().UTC().Truncate(time.Second),
		})
		must(t, err)
		_, err = js.PublishAsync(contracts.KeysBucket.Subject(name), record, jetstream.WithStallWait(time.Minute))
		must(t, err)
	}
	select {
	case <-js.PublishAsyncComplete():
	case <-t.Context().Done():
		t.Fatal(t.Context().Err())
	}
}

// timeRevocation revokes a key that it makes by its id.
func timeRevocation(t *testing.T, js jetstream.JetStream) time.Duration {
	store, err := keys.OpenStore(t.Context(), js)
	must(t, err)
	key, err := store.Create(t.Context(),
		keys.Record{Tenant: "bench", Environment: contracts.Test, Products: contracts.Products})
	must(t, err)
	hash, err := keys.Parse(key)
	must(t, err)
	began := time.Now()
	must(t, store.Revoke(t.Context(), hash.ID()))
	return time.Since(began)
}

// copyArgument makes this program run [serveCopy].
const copyArgument = "copy"

// copyKeys runs a process of its own that makes the copy of the keys that a gateway makes.
func copyKeys(t *testing.T, url string) (c keyCost) {
	self, err := os.Executable()
	must(t, err)
	process := exec.CommandContext(t.Context(), self, copyArgument, url)
	process.Stderr = os.Stderr
	out, err := process.Output()
	must(t, err)
	must(t, json.Unmarshal(out, &c))
	return c
}

// serveCopy copies the keys of a NATS server and prints what that costs.
func serveCopy(url string) error {
	conn, js, err := connect(url)
	if err != nil {
		return err
	}
	defer conn.Close()
	debug.SetGCPercent(300) // as in a gateway
	debug.FreeOSMemory()
	before, err := residentMB(os.Getpid())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	began, cpuBefore := time.Now(), processorTime()
	directory, err := keys.OpenDirectory(ctx, js, 0)
	if err != nil {
		return err
	}
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

// liveMB is the heap that is in use, in MB of 10⁶ bytes.
func liveMB() float64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return float64(memory.HeapAlloc) / 1e6
}

// processorTime is what this process has used of its processors.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // the address is valid
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
