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
	// maxSilent bounds those of which no request came whole yet. One whose headers drip in costs 40 KB and does nothing
	// else.
	maxSilent = 2000
	// enoughDescriptors allow maxConnections, where the process has no limit that is known.
	enoughDescriptors = maxConnections * 4 / 3
	// crowdedFor is how long /readyz tells that connections were closed.
	crowdedFor = 30 * time.Second
)

// connections bounds the open connections of the API. When there are too many, the one that has waited longest for a
// request gives way to a new one, so that idle clients cannot keep others out. Where all are in use, the new one is
// closed.
type connections struct {
	most, mostSilent int
	given            *prometheus.CounterVec

	mu      sync.Mutex
	open    map[net.Conn]*client
	changes uint64
	silent  list.List // of *client before their first request, the longest first
	idle    list.List // of *client after one, the longest first
	crowded time.Time // when a connection was last closed for another one
}

// client is an open connection. It is in no list while a request of it is being served.
type client struct {
	conn  net.Conn
	list  *list.List
	at    *list.Element
	since uint64 // the number of the change that put it there
}

// newConnections leaves a quarter of the process's descriptors, and 64 at least, to everything else, such as NATS and
// its files in `assay up`.
func newConnections(descriptors uint64, r prometheus.Registerer) (*connections, error) {
	c := &connections{
		most:       int(min(descriptors-min(max(descriptors/4, 64), descriptors-1), maxConnections)),
		mostSilent: maxSilent, open: map[net.Conn]*client{},
	}
	m := telemetry.NewMetrics(r)
	c.given = m.Counters("gateway_connections_closed_total", "Connections that were closed because too many were open: "+
		"idle ones for new ones, new ones when none was idle, or silent ones before their first request.", "which")
	m.GaugeFunc("gateway_connections", "Open connections of clients.", func() float64 { return float64(c.count()) })
	return c, m.Err()
}

// noteState follows a connection. It is [http.Server.ConnState], which is called for a new connection before the next
// one is accepted, and tells that one is active when a request's headers came whole.
func (c *connections) noteState(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.open[conn]
	switch {
	case state == http.StateNew:
		if len(c.open) >= c.most {
			c.makeRoom(conn)
		}
		if c.silent.Len() >= c.mostSilent {
			c.close("silent", c.silent.Front().Value.(*client).conn)
		}
		c.open[conn] = &client{conn: conn}
		c.wait(c.open[conn], &c.silent)
	case known == nil: // it gave way
	case state == http.StateClosed || state == http.StateHijacked:
		c.drop(known)
	case state == http.StateIdle:
		c.leave(known)
		c.wait(known, &c.idle)
	default:
		c.leave(known)
	}
}

func (c *connections) wait(k *client, among *list.List) {
	c.changes++
	k.list, k.at, k.since = among, among.PushBack(k), c.changes
}

func (c *connections) leave(k *client) {
	if k.list != nil {
		k.list.Remove(k.at)
		k.list, k.at = nil, nil
	}
}

func (c *connections) drop(k *client) {
	c.leave(k)
	delete(c.open, k.conn)
}

// makeRoom closes the connection that has waited longest, or arrived where none waits.
func (c *connections) makeRoom(arrived net.Conn) {
	var longest *client
	for _, l := range []*list.List{&c.silent, &c.idle} {
		if at := l.Front(); at != nil && (longest == nil || at.Value.(*client).since < longest.since) {
			longest = at.Value.(*client)
		}
	}
	if longest == nil {
		c.close("new", arrived)
		return
	}
	c.close("idle", longest.conn)
}

// close closes a connection. The server learns of it by itself.
func (c *connections) close(which string, conn net.Conn) {
	if known := c.open[conn]; known != nil {
		c.drop(known)
	}
	c.crowded = time.Now()
	c.given.WithLabelValues(which).Inc()
	_ = conn.Close()
}

// closeSilent closes those on which no request came.
func (c *connections) closeSilent() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.silent.Len() > 0 {
		silent := c.silent.Front().Value.(*client)
		c.drop(silent)
		_ = silent.conn.Close()
	}
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

var errTooManyConnections = errors.New("clients open more connections than the process's descriptors (ulimit -n) " +
	"allow, or send no requests on them: those that wait longest are closed")
