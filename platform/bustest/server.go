// Package bustest runs real NATS servers in tests.
package bustest

import (
	"context"
	"encoding/json"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
	"assay.dev/platform/provision"
)

// readyIn is long: three servers that start on a busy machine take a while to elect a leader.
const readyIn = clocktest.Patience

// attemptTime bounds one attempt to provision a server: one that changes its leader may drop a request, and answer the
// next.
const attemptTime = 20 * time.Second

// Server starts a NATS server with JetStream in a temporary directory, on a free port of the loopback, with all streams
// and buckets. It ends with the test. All servers of a process begin with the same files: to make the streams takes the
// processor twice as long as to copy them.
func Server(t testing.TB) *server.Server {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, provisionedFiles(t)); err != nil {
		t.Fatal(err)
	}
	return start(t, options(dir, freePort(t)))
}

// provisionedOnce holds the files of a server that was provisioned and stopped.
var provisionedOnce struct {
	sync.Mutex
	files fstest.MapFS
}

func provisionedFiles(t testing.TB) fs.FS {
	t.Helper()
	provisionedOnce.Lock()
	defer provisionedOnce.Unlock()
	if provisionedOnce.files != nil {
		return provisionedOnce.files
	}
	srv := Empty(t)
	provisioned(t, srv, func(ctx context.Context, js jetstream.JetStream) error {
		return provision.All(ctx, js, provision.Options{Replicas: 1, First: true})
	})
	made, files := os.DirFS(Stop(srv).StoreDir), fstest.MapFS{}
	if err := fs.WalkDir(made, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files[path] = &fstest.MapFile{Mode: 0o600}
			files[path].Data, err = fs.ReadFile(made, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	provisionedOnce.files = files
	return files
}

// Empty is [Server] without streams and buckets.
func Empty(t testing.TB) *server.Server {
	t.Helper()
	return start(t, options(t.TempDir(), freePort(t)))
}

// Buckets is [Empty] with these buckets. It takes the processor a tenth of what [Server] does.
func Buckets(t testing.TB, buckets ...contracts.Bucket) *server.Server {
	t.Helper()
	srv := Empty(t)
	provisionBuckets(t, srv, 1, buckets)
	return srv
}

// Restart shuts srv down and starts another server at the same address on the same files.
func Restart(t testing.TB, srv *server.Server) *server.Server {
	t.Helper()
	return Start(t, Stop(srv))
}

// Stop shuts srv down and returns what [Start] needs to bring it back.
func Stop(srv *server.Server) *server.Options {
	opts := options(filepath.Dir(srv.StoreDir()), srv.Addr().(*net.TCPAddr).Port)
	srv.Shutdown()
	srv.WaitForShutdown()
	return opts
}

// Start runs a server as Stop left it.
func Start(t testing.TB, opts *server.Options) *server.Server {
	t.Helper()
	return start(t, opts)
}

func options(dir string, port int) *server.Options {
	return &server.Options{
		Host: "127.0.0.1", Port: port, StoreDir: dir, JetStream: true, NoSigs: true, NoLog: true,
		JetStreamMaxStore: 64 << 30, JetStreamMaxMemory: 4 << 30, // limits of streams are reserved, not used
	}
}

func start(t testing.TB, opts *server.Options) *server.Server {
	t.Helper()
	srv := launch(t, opts)
	if !srv.ReadyForConnections(readyIn) {
		t.Fatal("the NATS server does not start")
	}
	return srv
}

func launch(t testing.TB, opts *server.Options) *server.Server {
	t.Helper()
	srv, err := server.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	if _, restarted := running.Swap(opts.StoreDir, srv); !restarted {
		t.Cleanup(func() {
			last, _ := running.LoadAndDelete(opts.StoreDir)
			last.(*server.Server).Shutdown()
			last.(*server.Server).WaitForShutdown()
		})
	}
	return srv
}

// running holds the server that runs on a directory. A restarted one ends when the first one would have: what was
// connected to it ends before, and would wait for it else.
var running sync.Map

// Connect connects as the services do. The connection ends with the test.
func Connect(t testing.TB, srv *server.Server) *nats.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), readyIn)
	defer cancel()
	conn, err := bus.Connect(ctx, bus.ConnectOptions{URL: srv.ClientURL(), Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// JetStream is the JetStream of conn. A call without a deadline may take longer than by default, for a busy machine, and ends before
// a test's patience does: a request that is lost with its server is made again.
func JetStream(t testing.TB, conn *nats.Conn) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func provisionBuckets(t testing.TB, srv *server.Server, replicas int, buckets []contracts.Bucket) {
	t.Helper()
	provisioned(t, srv, func(ctx context.Context, js jetstream.JetStream) error {
		for _, b := range buckets {
			if err := kv.Provision(ctx, js, b, jetstream.StreamConfig{Replicas: replicas}); err != nil {
				return err
			}
		}
		return nil
	})
}

func provisioned(t testing.TB, srv *server.Server, by func(context.Context, jetstream.JetStream) error) {
	t.Helper()
	conn := Connect(t, srv)
	defer conn.Close()
	js := JetStream(t, conn)
	var err error
	if !clocktest.Holds(func() bool { // a new cluster may call its peers offline for a moment
		ctx, cancel := context.WithTimeout(context.Background(), attemptTime)
		defer cancel()
		err = by(ctx, js)
		return err == nil
	}) {
		t.Fatalf("streams and buckets: %v", err)
	}
}

// Subjects are those of the endpoints of a running service, by the endpoints' names.
func Subjects(t testing.TB, conn *nats.Conn, service string) map[string]string {
	t.Helper()
	reply, err := conn.Request("$SRV.INFO."+service, nil, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var info micro.Info
	if err := json.Unmarshal(reply.Data, &info); err != nil {
		t.Fatal(err)
	}
	subjects := map[string]string{}
	for _, e := range info.Endpoints {
		subjects[e.Name] = e.Subject
	}
	return subjects
}
