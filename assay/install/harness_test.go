package install_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/assay/install"
	"assay.dev/platform/access"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/provision"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const configDir = "../../deploy/k8s/base/nats"

// deployment is a NATS server that runs on the very configuration that is deployed, with keys and certificates of an
// installation, alone and on a free port.
type deployment struct {
	dir    string // of the secrets
	url    string
	server *server.Server
}

func startNATS(t *testing.T) deployment {
	t.Helper()
	dir := t.TempDir()
	if err := install.Write(dir, "assay"); err != nil {
		t.Fatal(err)
	}
	environ(t, filepath.Join(dir, "nats", "users.env"))
	for variable, value := range map[string]string{
		"POD_NAME": "nats-0", "NATS_ADVERTISE": "127.0.0.1:4222", "NATS_STORE": t.TempDir(),
		"NATS_CERT_FILE": filepath.Join(dir, "nats", "tls.crt"), "NATS_KEY_FILE": filepath.Join(dir, "nats", "tls.key"),
		"NATS_CA_FILE": filepath.Join(dir, "nats", "ca.crt"),
	} {
		t.Setenv(variable, value)
	}
	opts, err := server.ProcessConfigFile(filepath.Join(configDir, "nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	opts.Host, opts.Port, opts.HTTPPort = "127.0.0.1", server.RANDOM_PORT, 0
	opts.ClientAdvertise, opts.Cluster, opts.Routes = "", server.ClusterOpts{}, nil
	opts.NoSigs, opts.NoLog = true, true
	opts.SyncAlways = false // for the speed of tests; says nothing about permissions
	s, err := server.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(clocktest.Patience) {
		t.Fatal("the server does not start")
	}
	return deployment{dir: dir, url: "nats://" + s.Addr().String(), server: s}
}

// provision does what the Job of that name does.
func (d deployment) provision(t *testing.T) {
	t.Helper()
	if err := provision.All(t.Context(), d.jetStream(t, access.Provision), provision.Options{Replicas: 1, First: true}); err != nil {
		t.Fatalf("provisioning: %v", err)
	}
}

// environ sets the variables of a file of NAME=VALUE lines, as a pod's envFrom does.
func environ(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), "="); ok {
			t.Setenv(name, value)
		}
	}
}

// seed is the secret key of a user.
func (d deployment) seed(t *testing.T, user string) string {
	t.Helper()
	return read(t, install.SeedFile(d.dir, user))
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (d deployment) caFile() string { return filepath.Join(d.dir, "nats", "ca.crt") }

func (d deployment) connect(t *testing.T, user string) *nats.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	conn, err := bus.Connect(ctx, bus.ConnectOptions{URL: d.url, Name: user, NKeySeed: d.seed(t, user), CAFile: d.caFile()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func (d deployment) jetStream(t *testing.T, user string) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(d.connect(t, user))
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func TestCertificatesNameTheServers(t *testing.T) {
	dir := t.TempDir()
	if err := install.Write(dir, "prod"); err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "nats", "tls.crt"), filepath.Join(dir, "nats", "tls.key"))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(read(t, filepath.Join(dir, "nats", "ca.crt"))))
	for _, name := range []string{"nats", "nats.prod.svc.cluster.local", "nats-2.nats-peers", "nats-0.nats-peers.prod.svc", "127.0.0.1"} {
		if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: name, Roots: roots}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWriteKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	var first map[string]string
	for range 2 {
		if err := install.Write(dir, "assay"); err != nil {
			t.Fatal(err)
		}
		files := contents(t, dir)
		if first == nil {
			first = files
		}
		for name, text := range files {
			if first[name] != text {
				t.Errorf("%s changed", name)
			}
		}
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if info, err := entry.Info(); err == nil && info.Mode().Perm()&0o077 != 0 && !strings.HasSuffix(path, ".pem") {
			t.Errorf("%s may be read by others: %s", path, info.Mode())
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
