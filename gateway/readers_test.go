package gateway_test

import (
	"flag"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/clock/clocktest"
)

var readers = flag.Int("readers", 40, "readers that wait for a change")

// Many readers wait at one gateway over HTTP, four a tenant; one change reaches all of them. -readers 2000 measures it.
func TestManyReadersWait(t *testing.T) {
	readers := *readers
	s := newSystem(t)
	g := s.gateway()
	var all []string
	for i := range readers / 4 {
		all = append(all, s.key(tenant("t"+strconv.Itoa(i)), func(r *keys.Record) { r.Limit = 1000 }))
	}
	query := "/v1/changes?wait=60&since=" + url.QueryEscape(g.cursor(all[0]))
	for _, key := range all { // a key that was just made is looked up once
		if r := g.get(key, "/v1/changes"); r.StatusCode != http.StatusOK {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
	}
	before := memory()
	told := make(chan time.Time, readers)
	var running sync.WaitGroup
	ask := func(key string) {
		r, err := g.try(http.MethodGet, key, query)
		if told <- time.Now(); err != nil || r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), "CA.e.400000") {
			t.Errorf("a reader is told %v %v", r, err)
		}
	}
	for i := range readers {
		running.Go(func() { ask(all[i/4]) })
	}
	// Each looks once a second whether its key still may: some are between two waits at any moment.
	clocktest.Await(t, "that nearly all wait", func() bool {
		waiting, err := g.metric(`feed_readers{doing="waiting",environment="",service="gateway"}`)
		return err == nil && int(waiting) >= readers-readers/10
	})
	after := memory()
	at := time.Now()
	s.change(contracts.Test, "400000")
	running.Wait()
	close(told)
	var last time.Duration
	for when := range told {
		last = max(last, when.Sub(at))
	}
	t.Logf("%d readers of %d tenants: %d KB each with their clients, the last is told after %s", readers, len(all), (after-before)/uint64(readers)>>10, last.Round(time.Millisecond))
}

// memory is what the process has in use.
func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}
