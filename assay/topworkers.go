package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"assay.dev/platform/bus"
)

// workerLoad is what a worker says of itself.
type workerLoad struct {
	Name        string    `json:"name"`
	ID          string    `json:"id"`
	Environment string    `json:"environment"`
	InHand      int64     `json:"in_hand"`
	Capacity    int64     `json:"capacity"`
	Requests    int       `json:"requests"`
	Errors      int       `json:"errors"`
	MeanMillis  int64     `json:"mean_ms"`
	Started     time.Time `json:"started_at"`
}

// statsWait is how long workers may take to answer: nobody knows how many there are.
const statsWait = 300 * time.Millisecond

// askWorkers asks everybody who serves requests, and returns who answered, ordered by name.
func askWorkers(conn *nats.Conn) ([]workerLoad, error) {
	replies, err := conn.SubscribeSync(conn.NewRespInbox())
	if err != nil {
		return nil, err
	}
	defer func() { _ = replies.Unsubscribe() }()
	if err := conn.PublishRequest("$SRV.STATS", replies.Subject, nil); err != nil {
		return nil, err
	}
	loads := []workerLoad{}
	for end := time.Now().Add(statsWait); ; {
		msg, err := replies.NextMsg(time.Until(end))
		if err != nil {
			break // nobody else answers, or nobody at all
		}
		var s micro.Stats
		if json.Unmarshal(msg.Data, &s) == nil && len(s.Endpoints) > 0 {
			loads = append(loads, loadOf(s))
		}
	}
	slices.SortFunc(loads, func(a, b workerLoad) int { return strings.Compare(a.Name+a.ID, b.Name+b.ID) })
	return loads, nil
}

// loadOf sums the endpoints of a worker.
func loadOf(s micro.Stats) workerLoad {
	l := workerLoad{Name: s.Name, ID: s.ID, Environment: environmentOf(s), Started: s.Started}
	var spent time.Duration
	for _, e := range s.Endpoints {
		var stats bus.Stats
		if json.Unmarshal(e.Data, &stats) != nil {
			continue
		}
		l.InHand, l.Capacity = int64(stats.Inflight), int64(stats.Capacity) // of the whole worker
		l.Requests += int(stats.Requests)
		l.Errors += int(stats.Errors)
		spent += stats.AverageProcessingTime * time.Duration(stats.Requests)
	}
	if l.Requests > 0 {
		l.MeanMillis = (spent / time.Duration(l.Requests)).Round(time.Millisecond).Milliseconds()
	}
	return l
}

// environmentOf reads the environment from a worker's first subject, which has it as its third part.
func environmentOf(s micro.Stats) string {
	tokens := strings.Split(s.Endpoints[0].Subject, ".")
	if len(tokens) < 3 {
		return ""
	}
	return tokens[2]
}

func (l workerLoad) write(w io.Writer) {
	fmt.Fprintf(w, "%s %s\t%s\t%d of %d\t%d\t%d\t%d ms\t%s\n", l.Name, l.ID[:min(6, len(l.ID))], l.Environment,
		l.InHand, l.Capacity, l.Requests, l.Errors, l.MeanMillis, time.Since(l.Started).Round(time.Second))
}
