package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

// natsCluster is three NATS servers as processes, which can die as processes do.
type natsCluster []*natsProcess

type natsProcess struct {
	*exec.Cmd
	name            string // such as nats-0
	client, monitor string // addresses
	// link is what clients connect to in the place of client.
	link *link
}

// kill is SIGKILL. A server that is stopped by a signal dies of it too.
func (s *natsProcess) kill() {
	_ = s.Process.Kill()
	_ = s.Wait()
}

// hang is SIGSTOP: the server keeps its connections and does nothing.
func (s *natsProcess) hang() { _ = s.Process.Signal(syscall.SIGSTOP) }

func (s *natsProcess) resume() { _ = s.Process.Signal(syscall.SIGCONT) }

func (s *natsProcess) dead() bool { return s.ProcessState != nil }

// restart starts a killed server on what it had stored, and returns when it has caught up.
func (s *natsProcess) restart(t *testing.T) {
	t.Helper()
	s.startAgain(t)
	s.await(t)
}

func (s *natsProcess) startAgain(t *testing.T) {
	t.Helper()
	s.Cmd = exec.Command(s.Path, s.Args[1:]...)
	if err := s.Start(); err != nil {
		t.Error(err)
	}
}

// builtNATS is the NATS server as a program. It is built once for all tests of the package.
var builtNATS = sync.OnceValues(func() (string, error) {
	file := filepath.Join(binaryDir, "nats-server")
	out, err := exec.Command("go", "build", "-o", file, "github.com/nats-io/nats-server/v2").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return file, err
})

func startNATSCluster(t *testing.T) natsCluster {
	t.Helper()
	return startNATSClusterOn(t, t.TempDir(), t.TempDir(), t.TempDir())
}

// startNATSClusterOn starts the servers each on a directory of its own.
func startNATSClusterOn(t *testing.T, dirs ...string) natsCluster {
	t.Helper()
	bin, err := builtNATS()
	if err != nil {
		t.Fatal(err)
	}
	var routes []string
	for range 3 {
		routes = append(routes, "nats://"+bustest.FreeAddress(t))
	}
	var c natsCluster
	for i := range routes {
		config := filepath.Join(t.TempDir(), "nats.conf")
		text := fmt.Sprintf("jetstream { store_dir: %q, max_file_store: 64GB }\n", dirs[i]) // reserved, not used
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := &natsProcess{name: fmt.Sprintf("nats-%d", i), client: bustest.FreeAddress(t), monitor: bustest.FreeAddress(t)}
		s.link = startLink(t, s.name, s.client)
		_, port, _ := net.SplitHostPort(s.client)
		_, monitor, _ := net.SplitHostPort(s.monitor)
		s.Cmd = exec.Command(bin, "--addr", "127.0.0.1", "--port", port, "--http_port", monitor, "--config", config,
			"--name", s.name, "--client_advertise", s.link.Listen, "--cluster_name", "assay", "--cluster", routes[i], "--routes", strings.Join(routes, ","))
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.kill() }) // the process of then, not of now
		c = append(c, s)
	}
	for _, s := range c {
		s.await(t)
	}
	return c
}

// await returns when the server has a cluster.
func (s *natsProcess) await(t *testing.T) {
	t.Helper()
	clocktest.Await(t, "the NATS cluster forms", func() bool { return status("http://"+s.monitor+"/healthz", "") == http.StatusOK })
}

// replicated is the part of /jsz about a stream or a consumer.
type replicated struct {
	Cluster struct{ Leader string }
}

// leaders returns the names of the servers that lead something, as s knows it; "" stands for nobody.
func (s *natsProcess) leaders(t *testing.T) map[string]bool {
	t.Helper()
	var seen struct {
		Meta     struct{ Leader string } `json:"meta_cluster"`
		Accounts []struct {
			Streams []struct {
				replicated
				Consumers []replicated `json:"consumer_detail"`
			} `json:"stream_detail"`
		} `json:"account_details"`
	}
	s.monitored(t, "/jsz?consumers=true", &seen)
	leaders := map[string]bool{seen.Meta.Leader: true}
	for _, account := range seen.Accounts {
		for _, stream := range account.Streams {
			leaders[stream.Cluster.Leader] = true
			for _, consumer := range stream.Consumers {
				leaders[consumer.Cluster.Leader] = true
			}
		}
	}
	return leaders
}

// awaitLeadersOtherThan returns when everything that dead led has another leader. That may take six seconds.
func (c natsCluster) awaitLeadersOtherThan(t *testing.T, dead *natsProcess) {
	t.Helper()
	clocktest.Await(t, "the others lead all", func() bool {
		for _, s := range c {
			if s == dead {
				continue
			}
			if leaders := s.leaders(t); leaders[dead.name] || leaders[""] {
				return false
			}
		}
		return true
	})
}

// monitored decodes a page of the server's monitoring.
func (s *natsProcess) monitored(t *testing.T, path string, into any) {
	t.Helper()
	resp, err := http.Get("http://" + s.monitor + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func (c natsCluster) urls() string {
	var urls []string
	for _, s := range c {
		urls = append(urls, "nats://"+s.link.Listen)
	}
	return strings.Join(urls, ",")
}

// of is the server that a client of that name is connected to.
func (c natsCluster) of(t *testing.T, name string) *natsProcess {
	t.Helper()
	for _, s := range c {
		var seen struct{ Connections []struct{ Name string } }
		s.monitored(t, "/connz", &seen)
		for _, one := range seen.Connections {
			if one.Name == name {
				return s
			}
		}
	}
	t.Fatalf("%s is connected to no server", name)
	return nil
}
