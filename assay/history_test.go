package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/clock"
)

// history is what concurrent clients did to a store and were told, for a model that says what one client after the other would
// be told.
type history struct {
	mu    sync.Mutex
	began time.Time
	all   []porcupine.Operation
}

func newHistory() *history { return &history{began: time.Now()} }

func (h *history) now() int64 { return int64(time.Since(h.began)) }

// unknown is the output of an operation of which nobody knows whether it took place, such as after a lost acknowledgement. It
// may take place at any later time, or never.
type unknown struct{}

// do makes an operation and notes it.
func (h *history) do(client int, input any, operation func() (output any)) {
	call := h.now()
	h.note(client, input, call, operation())
}

func (h *history) note(client int, input any, call int64, output any) {
	o := porcupine.Operation{ClientId: client, Input: input, Call: call, Output: output, Return: h.now()}
	if output == (unknown{}) {
		o.Return = math.MaxInt64
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, o)
}

// searchTime bounds the search for an order.
const searchTime = time.Minute

// check fails the row when no order of the operations fits the model, and keeps the history then.
func (h *history) check(r *row, m porcupine.Model) {
	r.Helper()
	m.DescribeOperation = func(input, output any) string { return fmt.Sprintf("%+v → %+v", input, output) }
	result, info := porcupine.CheckOperationsVerbose(m, h.all, searchTime)
	lost := 0
	for _, o := range h.all {
		if o.Output == (unknown{}) {
			lost++
		}
	}
	said := fmt.Sprintf("%d operations, of which %d were not acknowledged: %s", len(h.all), lost, result)
	if result != porcupine.Ok {
		said += "; kept in " + h.keep(r, m, info)
	}
	r.holds(result == porcupine.Ok && len(h.all) > lost, "%s", said)
}

// keep writes the history as a page to look at, which outlives the test.
func (h *history) keep(r *row, m porcupine.Model, info porcupine.LinearizationInfo) string {
	dir, err := os.MkdirTemp("", "assay-history-")
	r.need(err)
	file := filepath.Join(dir, "history.html")
	r.need(porcupine.VisualizePath(m, info, file))
	return file
}

// partition makes a history of each key that a function gives to an input.
func partition(key func(input any) any) func([]porcupine.Operation) [][]porcupine.Operation {
	return func(all []porcupine.Operation) (parts [][]porcupine.Operation) {
		at := map[any]int{}
		for _, o := range all {
			i, known := at[key(o.Input)]
			if !known {
				i = len(parts)
				at[key(o.Input)] = i
				parts = append(parts, nil)
			}
			parts[i] = append(parts[i], o)
		}
		return parts
	}
}

// clients are connections of their own to the system's NATS servers, through the proxies before these.
func (r *row) clients(d *deployed, n int) (all []jetstream.JetStream) {
	for range n {
		all = append(all, d.jetStream(r.T))
	}
	return all
}

// whileLeadersDie runs clients, and kills and restarts the leader of a stream meanwhile, twice.
func (r *row) whileLeadersDie(d *deployed, stream string, clients ...func()) {
	var working sync.WaitGroup
	for _, c := range clients {
		working.Go(c)
	}
	for range 2 {
		r.need(clock.Sleep(r.Context(), time.Second))
		dead := d.servers.leaderOf(r.T, stream)
		dead.kill()
		d.servers.awaitLeadersOtherThan(r.T, dead)
		dead.restart(r.T)
		for _, s := range d.servers {
			s.await(r.T)
		}
	}
	working.Wait()
}
