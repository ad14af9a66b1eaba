package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/provision"
)

// store is a NATS server in this process with all streams and buckets, on a directory of its own. It does not sync each
// write to the disk: what is measured is not the filling.
type store struct {
	server *server.Server
	dir    string
	conn   *nats.Conn
	js     jetstream.JetStream
}

func startStore(ctx context.Context) (*store, error) {
	dir, err := os.MkdirTemp("", "assay-bench-")
	if err != nil {
		return nil, err
	}
	s := &store{dir: dir}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func (s *store) start(ctx context.Context) (err error) {
	s.server, err = server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: s.dir, JetStreamMaxStore: 40 << 30,
		NoLog: true, NoSigs: true,
	})
	if err != nil {
		return err
	}
	s.server.Start()
	if !s.server.ReadyForConnections(10 * time.Second) {
		return errors.New("the NATS server does not start")
	}
	if s.conn, s.js, err = connect(s.server.ClientURL()); err != nil {
		return err
	}
	return provision.All(ctx, s.js, provision.Options{Replicas: 1, First: true})
}

func (s *store) stop() error {
	if s.conn != nil {
		s.conn.Close()
	}
	if s.server != nil {
		s.server.Shutdown()
		s.server.WaitForShutdown()
	}
	return os.RemoveAll(s.dir)
}

func connect(url string) (*nats.Conn, jetstream.JetStream, error) {
	conn, err := nats.Connect(url)
	if err != nil {
		return nil, nil, err
	}
	js, err := jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(4096))
	return conn, js, err
}

// publishPatience is how long a publication waits for those before it.
const publishPatience = time.Minute

func awaitPublished(ctx context.Context, js jetstream.JetStream) error {
	select {
	case <-js.PublishAsyncComplete():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// liveMB is the heap that is in use, in MB of 10⁶ bytes.
func liveMB() float64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return float64(memory.HeapAlloc) / 1e6
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// grown says what a tenth of something costs, and how many times as much all of it, such as "a tenth: 0.19 s, × 10.5".
func grown(tenth, all float64, unit string) string {
	return fmt.Sprintf("a tenth: %.2f %s, × %.1f", tenth, unit, all/tenth)
}
