package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/changes"
	"assay.dev/platform/clock"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
	"assay.dev/platform/feed"
	"assay.dev/platform/webhook"
)

// courierFaults are those of webhooks.
var courierFaults = []fault{{
	name: "the courier and NATS servers are killed under 200 changes/s to 20 endpoints", brief: true, run: killCouriers,
	must: "every change at every live endpoint; what comes again is the same; those of a source in order but for retries",
}}

// hooks is endpoints, what is published to them, and what came.
type hooks struct {
	*row
	*deployed
	js       jetstream.JetStream
	environ  daemon.Environ
	couriers []*process
	steady   []string // endpoints that accept all
	moody    []string // endpoints that refuse one change in refusedEvery when it first comes

	mu      sync.Mutex
	sent    []sentChange
	arrived []arrival
	came    map[string]int // by endpoint: how many changes
	had     map[[2]string]bool
}

const (
	changesASecond = 200
	refusedEvery   = 50
	hookKey        = "a key that has thirty-two characters"
)

// hookSources publish in turn, each in an order of its own.
var hookSources = []contracts.State{contracts.CA, contracts.FL, contracts.NY, contracts.TX}

func killCouriers(r *row) {
	rounds, each := 4, 100
	if *faultsWhole {
		rounds, each = 16, 200
	}
	h := openHooks(r)
	var alone, withOne, withAll, takeover time.Duration
	for n := range rounds {
		half, done := make(chan struct{}), make(chan struct{})
		go func() { defer close(done); h.publish(each, half) }()
		<-half
		dead, pause := h.servers[n%3:n%3+1], &withOne
		switch n % 4 {
		case 0:
			dead, pause = nil, &alone
		case 3:
			dead, pause = h.servers, &withAll
		}
		began := time.Now()
		took := h.killBusy(dead)
		if len(dead) == 0 {
			takeover = max(takeover, took)
		}
		<-done
		h.awaitSteady()
		*pause = max(*pause, longestPause(h.steadily(), began))
	}
	h.judge()
	r.saw("%d kills of the courier that works; longest pause of deliveries %.1f s with no server, %.1f s with one, %.1f s with all three; another worked after %.1f s",
		rounds, alone.Seconds(), withOne.Seconds(), withAll.Seconds(), takeover.Seconds())
}

func openHooks(r *row) *hooks {
	h := &hooks{row: r, deployed: r.system(), came: map[string]int{}, had: map[[2]string]bool{}}
	h.js, h.environ = h.jetStream(r.T), daemon.Environ{"ASSAY_WEBHOOK_KEY": hookKey, "ASSAY_WEBHOOK_LOOPBACK": "true"}
	receiver := httptest.NewServer(http.HandlerFunc(h.take))
	r.Cleanup(receiver.Close)
	for n := range 22 {
		name := fmt.Sprint("e", n)
		switch url := receiver.URL + "/" + name; {
		case n < 18:
			h.steady = append(h.steady, name)
			h.keep(n, url)
		case n < 20:
			h.moody = append(h.moody, name)
			h.keep(n, url)
		case n == 20:
			h.keep(n, "http://127.0.0.1:1/nobody")
		default:
			h.keep(n, receiver.URL+"/gone")
		}
	}
	for range 2 {
		h.startCourier()
	}
	return h
}

func (h *hooks) startCourier() {
	p, err := h.launch(h.row.T, contracts.Courier, h.environ)
	h.need(err)
	h.couriers = append(h.couriers, p)
}

// keep makes the endpoint n, of one of five tenants.
func (h *hooks) keep(n int, url string) {
	bucket, err := h.js.KeyValue(h.Context(), contracts.EndpointsBucket.Name)
	h.need(err)
	stream, err := h.js.Stream(h.Context(), contracts.ChangesStream.Name)
	h.need(err)
	sealer, err := webhook.NewSealer(hookKey)
	h.need(err)
	key := fmt.Sprintf("live.owner%d-%d.e%d", h.seed, n%5, n)
	_, secret := sealer.New(key)
	info := stream.CachedInfo()
	doc, err := json.Marshal(webhook.Endpoint{
		ID: fmt.Sprint("e", n), URL: url, Products: contracts.Products, Secrets: []webhook.Sealed{secret},
		Cursor: feed.Cursor{Epoch: info.Config.Metadata[contracts.EpochKey], Sequence: info.State.LastSeq},
	})
	h.need(err)
	_, err = bucket.Put(h.Context(), key, doc)
	h.need(err)
}

// take is an endpoint.
func (h *hooks) take(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // half of one is not what was sent
	a := arrival{endpoint: strings.TrimPrefix(r.URL.Path, "/"), id: r.Header.Get("Webhook-Id"), body: string(body), at: time.Now()}
	if a.endpoint == "gone" {
		w.WriteHeader(http.StatusGone)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	key := [2]string{a.endpoint, a.id}
	isNew := !h.had[key]
	if isNew {
		h.had[key] = true
		h.came[a.endpoint]++
	}
	a.accepted = !isNew || !slices.Contains(h.moody, a.endpoint) || h.came[a.endpoint]%refusedEvery != 0
	if !a.accepted {
		w.WriteHeader(http.StatusInternalServerError)
	}
	h.arrived = append(h.arrived, a)
}

// publish publishes n changes as workers do, at a steady rate as long as that is possible. It tells when half of them are out.
func (h *hooks) publish(n int, half chan struct{}) {
	counter, err := changes.NewCounter(prometheus.NewRegistry())
	h.failing(err)
	began := time.Now()
	var out sync.WaitGroup
	var told sync.Once
	for i, source := range hookSources {
		log := &changes.Log{JetStream: h.js, Environment: contracts.Live, Product: contracts.ABC, Source: string(source), Group: "license", Published: counter}
		out.Go(func() {
			last, err := log.Last(h.Context())
			h.failing(err)
			for k := i; k < n && h.Context().Err() == nil; k += len(hookSources) {
				_ = clock.Sleep(h.Context(), time.Until(began.Add(time.Duration(k)*time.Second/changesASecond))) // the loop looks
				h.append(log, &last)
				if k >= n/2 {
					told.Do(func() { close(half) })
				}
			}
		})
	}
	out.Wait()
}

func (h *hooks) append(log *changes.Log, last *changes.Last) {
	h.mu.Lock()
	n := len(h.sent)
	h.mu.Unlock()
	c := contracts.Change{
		ID: fmt.Sprintf("%s.killed%d.%d-%d", log.Source, h.seed, n, time.Now().UnixNano()), Type: contracts.StatusChanged, Product: contracts.ABC, Source: log.Source,
		Data: contracts.ChangeData{
			LicenseNumber: fmt.Sprint(n), Before: &contracts.ChangeValues{Status: contracts.Active}, After: &contracts.ChangeValues{Status: contracts.Suspended},
		},
	}
	var err error
	if !clocktest.Holds(func() bool { err = log.Append(h.Context(), last, c); return err == nil || h.Context().Err() != nil }) {
		h.failing(err)
	}
	doc, _ := json.Marshal(c)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sent = append(h.sent, sentChange{log.Source, c.ID, string(doc)})
}

func (h *hooks) failing(err error) {
	if err != nil {
		h.Error(err)
	}
}

// killBusy kills the courier that works together with NATS servers, and starts all again. It returns after how long another courier worked.
func (h *hooks) killBusy(dead []*natsProcess) (took time.Duration) {
	var i int
	busy := func() bool { i = slices.IndexFunc(h.couriers, works); return i >= 0 }
	clocktest.Await(h, "a courier works", busy)
	for _, s := range dead {
		s.kill()
	}
	h.couriers[i].kill()
	h.couriers = slices.Delete(h.couriers, i, i+1)
	began := time.Now()
	if len(dead) < len(h.servers) {
		clocktest.Await(h, "another courier works", busy)
		took = time.Since(began)
	}
	for _, s := range dead {
		s.startAgain(h.row.T)
	}
	for _, s := range dead {
		s.await(h.row.T)
	}
	h.startCourier()
	return took
}

var isBusy = regexp.MustCompile(`(?m)^courier_holds\S* 1$`)

// works tells whether a courier has the right to.
func works(p *process) bool {
	resp, err := http.Get(p.admin + "/metrics")
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return isBusy.Match(text)
}

// awaitSteady returns when all that was sent came to the endpoints that accept all.
func (h *hooks) awaitSteady() {
	clocktest.Await(h, "all changes come", func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return !slices.ContainsFunc(h.steady, func(name string) bool { return h.came[name] < len(h.sent) })
	})
}

func (h *hooks) steadily() []arrival {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(h.arrived), func(a arrival) bool { return !slices.Contains(h.steady, a.endpoint) })
}

// judge waits for the last retries, and judges all.
func (h *hooks) judge() {
	live := slices.Concat(h.steady, h.moody)
	var v webhookVerdict
	check := func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		v = judgeWebhooks(h.sent, live, h.arrived)
		return v.lost == 0
	}
	clocktest.Holds(check)
	h.holds(v.holds(), "%d changes to %d live endpoints: %d came, %d again, %d after a refusal; %d lost, %d out of order, %d that nobody sent", len(h.sent), len(live),
		v.first, v.again, v.retried, v.lost, v.disordered, v.foreign)
}
