package evidence_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// table is a page of about 30 kB that no other one is equal to.
func table(n int) string {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	var b strings.Builder
	fmt.Fprintf(&b, "<title>page %d</title><table>", n)
	for i := range 430 {
		fmt.Fprintf(&b, "<tr class=row><td>9/%d/2026</td><td>%.3f</td><td>%.2f %%</td></tr>\n", i%30, 3+random.Float64()*2, random.Float64()*60)
	}
	return b.String() + "</table>"
}

// BenchmarkKeep is what a reading of one new page of 30 kB adds to a miss, and what one adds whose bytes were kept before.
func BenchmarkKeep(b *testing.B) {
	for _, name := range []string{"new", "repeated"} {
		b.Run(name, func(b *testing.B) {
			x := newBench(b)
			pages := make([]scrape.Document, b.N)
			for i := range pages {
				pages[i] = page(fmt.Sprint("https://a.example/", i), table(i))
				if name == "repeated" {
					pages[i] = pages[0]
				}
			}
			took := make([]float64, 0, b.N)
			b.ResetTimer()
			for _, p := range pages {
				p.Prepared = x.keeper.Prepare(p.Page) // while the page is parsed, which takes longer
				if ready, ok := p.Prepared.(interface{ Wait() }); ok {
					ready.Wait()
				}
				begun := time.Now()
				if _, all := x.keep(p); !all {
					b.Error("not kept")
				}
				took = append(took, float64(time.Since(begun).Microseconds()))
			}
			b.StopTimer()
			b.ReportMetric(median(took), "µs/median")
			info := x.info(contracts.EvidenceStream(contracts.Test))
			b.ReportMetric(float64(info.State.Bytes)/float64(info.State.Msgs), "stored-B/doc")
		})
	}
}

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// BenchmarkAMillionDocuments is the memory of a NATS server that holds a million documents of the 15 sources, right after they
// were written and after a restart. It runs once, for minutes: go test -bench AMillion -benchtime 1x ./platform/evidence
func BenchmarkAMillionDocuments(b *testing.B) {
	dir := b.TempDir()
	srv := startOn(b, dir)
	js := bustest.JetStream(b, bustest.Connect(b, srv))
	s := contracts.EvidenceStream(contracts.Live)
	_, err := js.CreateStream(b.Context(), jetstream.StreamConfig{
		Name: s.Name, Subjects: s.Subjects, MaxAge: s.MaxAge, MaxBytes: 40 << 30, Duplicates: s.DedupWindow, AllowDirect: true, AllowAtomicPublish: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	before := heap()
	var sources []string
	for _, c := range contracts.Carriers {
		sources = append(sources, contracts.EvidenceSubject(contracts.Live, contracts.LTL, string(c)).Name)
	}
	for _, c := range contracts.States {
		sources = append(sources, contracts.EvidenceSubject(contracts.Live, contracts.ABC, string(c)).Name)
	}
	const documents = 1_000_000
	body := []byte(noise(1000))
	for i := range documents {
		if _, err := js.PublishAsync(sources[i%len(sources)], body); err != nil {
			b.Fatal(err)
		}
		if i%1000 == 0 {
			<-js.PublishAsyncComplete()
		}
	}
	<-js.PublishAsyncComplete()
	written := heap()
	js.Conn().Close()
	srv.Shutdown()
	srv.WaitForShutdown()
	srv = startOn(b, dir)
	js = bustest.JetStream(b, bustest.Connect(b, srv))
	stream, err := js.Stream(b.Context(), s.Name)
	if err != nil || stream.CachedInfo().State.Msgs != documents {
		b.Fatalf("%v, %v", stream, err)
	}
	restarted := heap()
	b.ReportMetric(float64(written-before)/(1<<20), "MB-after-writing")
	b.ReportMetric(float64(restarted-before)/(1<<20), "MB-after-restart")
	b.ReportMetric(float64(stream.CachedInfo().State.NumSubjects), "subjects")
	store := evidence.NewStore(js)
	begun := time.Now()
	_, _ = store.Get(b.Context(), contracts.Live, strings.Repeat("a", 64), "500000", anybody)
	b.ReportMetric(float64(time.Since(begun).Microseconds()), "µs/get-in-the-middle")
	b.ReportMetric(diskOf(b, filepath.Join(dir, "jetstream"))/(1<<20), "MB-on-disk")
}

func startOn(b *testing.B, dir string) *server.Server {
	b.Helper()
	return bustest.Start(b, &server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, StoreDir: dir, JetStream: true, NoSigs: true, NoLog: true, JetStreamMaxStore: 64 << 30,
	})
}

// heap is what is in use after two collections.
func heap() uint64 {
	debug.FreeOSMemory()
	_ = clock.Sleep(context.Background(), time.Second) // what the server caches of blocks that nobody reads goes
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

func diskOf(b *testing.B, dir string) (size float64) {
	b.Helper()
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				size += float64(info.Size())
			}
		}
		return nil
	})
	return size
}
