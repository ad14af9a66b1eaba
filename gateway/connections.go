package gateway

import (
	"container/list"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/platform/daemon"
	"assay.dev/platform/telemetry"
)

const (
	// maxConnections bounds the connections of a process with many descriptors: an idle one takes some 10 KB.
	maxConnections = 20_000
	// enoughDescriptors allow maxConnections, where the process has no limit that is known.
	enoughDescriptors = maxConnections * 4 / 3
	// crowdedFor is how long /readyz tells that connections were closed.
	crowdedFor = 30 * time.Second
)

// connections bounds the open connections of the API. When there are too many, the one that has waited longest for a request
// gives way to a new one, so that idle clients cannot keep others out. Where all are in use, the new one is closed.
type connections struct {
	most  int
	given *prometheus.CounterVec

	mu      sync.Mutex
	open    map[net.Conn]*list.Element
	order   *list.List // of *client, the one whose state changed longest ago first
	crowded time.Time  // when a connection was last closed for another one
}

// client is an open connection. It waits while no request of it is being served.
type client struct {
	conn  net.Conn
	waits bool
}

// newConnections leaves a quarter of the process's descriptors, and 64 at least, to everything else, such as NATS and its files in
// `assay up`.
func newConnections(descriptors uint64, r prometheus.Registerer) (*connections, error) {
	c := &connections{
		most: int(min(descriptors-min(max(descriptors/4, 64), descriptors-1), maxConnections)), open: map[net.Conn]*list.Element{}, order: list.New(),
	}
	var err error
	c.given, err = telemetry.Register(r, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "gateway_connections_closed_total",
		Help: "Connections that were closed because too many were open: idle ones for new ones, or new ones when none was idle.",
	}, []string{"which"}))
	if err != nil {
		return nil, err
	}
	_, err = telemetry.Register(r, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "gateway_connections", Help: "Open connections of clients.",
	}, func() float64 { return float64(c.count()) }))
	return c, err
}

// note follows a connection. It is [http.Server.ConnState], which is called for a new connection before the next one is accepted.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.open[conn]
	switch {
	case state == http.StateNew:
		if len(c.open) >= c.most {
			c.makeRoom(conn)
		}
		c.open[conn] = c.order.PushBack(&client{conn, true})
	case at == nil: // it gave way
	case state == http.StateClosed || state == http.StateHijacked:
		c.drop(at)
	default:
		at.Value.(*client).waits = state == http.StateIdle // the list has no other elements
		c.order.MoveToBack(at)
	}
}

func (c *connections) drop(at *list.Element) {
	delete(c.open, c.order.Remove(at).(*client).conn)
}

// makeRoom closes the connection that has waited longest, or arrived where none waits. The server learns of it by itself.
func (c *connections) makeRoom(arrived net.Conn) {
	which, closed := "new", arrived
	for at := c.order.Front(); at != nil; at = at.Next() {
		if longest := at.Value.(*client); longest.waits {
			which, closed = "idle", longest.conn
			c.drop(at)
			break
		}
	}
	c.crowded = time.Now()
	c.given.WithLabelValues(which).Inc()
	_ = closed.Close()
}

func (c *connections) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// check tells whether connections were closed lately.
func (c *connections) check() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.crowded.IsZero() || time.Since(c.crowded) > crowdedFor {
		return nil
	}
	return daemon.Degrade(errTooManyConnections)
}

var errTooManyConnections = errors.New("clients open more connections than the process's descriptors (ulimit -n) allow: idle ones are closed")
