package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// natsCluster is three NATS servers as processes, which can die as processes do.
type natsCluster []*natsProcess

type natsProcess struct {
	*exec.Cmd
	client, monitor string // addresses
}

// kill is SIGKILL.
func (s *natsProcess) kill() {
	_ = s.Process.Kill()
	_ = s.Wait()
}

// restart starts a killed server on what it had stored, and returns when it has caught up.
func (s *natsProcess) restart(t *testing.T) {
	t.Helper()
	s.Cmd = exec.Command(s.Path, s.Args[1:]...)
	if err := s.Start(); err != nil {
		t.Error(err)
		return
	}
	s.await(t)
}

func startNATSCluster(t *testing.T) natsCluster {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "nats-server")
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/nats-io/nats-server/v2").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var routes []string
	for range 3 {
		routes = append(routes, "nats://"+freeAddress(t))
	}
	var c natsCluster
	for i := range routes {
		s := &natsProcess{client: freeAddress(t), monitor: freeAddress(t)}
		_, port, _ := net.SplitHostPort(s.client)
		_, monitor, _ := net.SplitHostPort(s.monitor)
		s.Cmd = exec.Command(bin, "--addr", "127.0.0.1", "--port", port, "--http_port", monitor, "--jetstream", "--store_dir", t.TempDir(),
			"--name", fmt.Sprintf("nats-%d", i), "--cluster_name", "assay", "--cluster", routes[i], "--routes", strings.Join(routes, ","))
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.kill)
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
	for deadline := time.Now().Add(30 * time.Second); status("http://"+s.monitor+"/healthz", "") != http.StatusOK; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the NATS cluster does not form")
		}
	}
}

func (c natsCluster) urls() string {
	var urls []string
	for _, s := range c {
		urls = append(urls, "nats://"+s.client)
	}
	return strings.Join(urls, ",")
}

// of is the server that a client of that name is connected to.
func (c natsCluster) of(t *testing.T, name string) *natsProcess {
	t.Helper()
	for _, s := range c {
		resp, err := http.Get("http://" + s.monitor + "/connz")
		if err != nil {
			t.Fatal(err)
		}
		var seen struct{ Connections []struct{ Name string } }
		err = json.NewDecoder(resp.Body).Decode(&seen)
		_ = resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range seen.Connections {
			if one.Name == name {
				return s
			}
		}
	}
	t.Fatalf("%s is connected to no server", name)
	return nil
}
