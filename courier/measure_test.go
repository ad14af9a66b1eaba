package courier

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/webhook"
)

var measure = flag.Bool("courier.measure", false, "measure a thousand endpoints, with and without bad ones")

// TestAThousandEndpoints prints how long deliveries take to 1,000 endpoints of 50 tenants, of which some are bad.
func TestAThousandEndpoints(t *testing.T) {
	if !*measure {
		t.Skip("measures: -courier.measure")
	}
	for _, bad := range []bool{false, true} {
		t.Run(fmt.Sprintf("bad=%t", bad), func(t *testing.T) { measureEndpoints(t, bad) })
	}
}

func measureEndpoints(t *testing.T, bad bool) {
	const endpoints, events = 1000, 20
	s := newStand(t)
	var mu sync.Mutex
	published, took, got := map[string]time.Time{}, []time.Duration{}, map[string]int{}
	good := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id := r.Header.Get("Webhook-Id")
		if got[id+r.URL.Path]++; got[id+r.URL.Path] == 1 {
			took = append(took, time.Since(published[id]))
		}
	}))
	defer good.Close()
	ended := make(chan struct{})
	hang := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	}
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hangs":
			hang(w, r)
		case "/drips":
			_, _ = w.Write([]byte("x"))
			_ = http.NewResponseController(w).Flush()
			hang(w, r)
		case "/redirects":
			http.Redirect(w, r, good.URL, http.StatusFound)
		case "/5mb":
			_, _ = w.Write([]byte(strings.Repeat("x", 5<<20)))
		case "/gone":
			w.WriteHeader(http.StatusGone)
		}
	}))
	defer evil.Close()
	defer close(ended)
	urls := []string{
		evil.URL + "/hangs", evil.URL + "/drips", evil.URL + "/redirects", evil.URL + "/5mb", evil.URL + "/gone", "https://10.0.0.1/", "https://localtest.me/",
	}
	n := 0
	for i := range endpoints {
		url := fmt.Sprintf("%s/%d", good.URL, i)
		if bad && i < len(urls) {
			url = urls[i]
		} else {
			n++
		}
		s.keepAs(fmt.Sprintf("test.owner%d.e%d", i%50, i), url)
	}
	s.courier(func(c *Config) { c.Schedule = nil })
	for i := range events {
		mu.Lock()
		published[fmt.Sprint("CA.e.", i)] = time.Now()
		mu.Unlock()
		s.change(contracts.Test, fmt.Sprint(i))
		tick := time.NewTimer(2 * time.Second)
		<-tick.C
	}
	s.await("all are delivered", func() bool { mu.Lock(); defer mu.Unlock(); return len(took) == n*events })
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(took)
	twice := 0
	for _, times := range got {
		twice += times - 1
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d deliveries, %d twice: median %s, p99 %s, longest %s; heap %d MB, %d goroutines (receivers and NATS included)", len(took), twice,
		took[len(took)/2], took[len(took)*99/100], took[len(took)-1], m.HeapInuse>>20, runtime.NumGoroutine())
}

// keepAs makes an endpoint under a key.
func (s *stand) keepAs(key, url string) {
	s.Helper()
	_, sealed := s.sealer.New(key)
	s.create(key, webhook.Endpoint{ID: key, URL: url, Products: contracts.Products, Secrets: []webhook.Sealed{sealed}, Cursor: s.place()})
}
