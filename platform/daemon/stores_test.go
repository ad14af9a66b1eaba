package daemon

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/provision"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// A gateway works with the keys, which decide, and with usage, which does not.
func TestDamagedStoresAreTold(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil  func(context.Context, jetstream.JetStream) error
		stream string
		says   string
	}{
		"whole": {func(context.Context, jetstream.JetStream) error { return nil }, contracts.UsageStream.Name,
			"gateway: stores: ok"},
		"usage damaged": {loseAnEvent, contracts.UsageStream.Name,
			"ASSAY_USAGE is damaged: 2 messages are there of 3"},
		"keys damaged": {keepTwoOfOneKey, contracts.KeysBucket.Stream(),
			"KV_assay_keys is damaged: 2 entries for 1 keys"},
	} {
		t.Run(name, func(t *testing.T) {
			server := startNATS(t)
			conn, err := nats.Connect(server.ClientURL())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			js, err := jetstream.New(conn)
			if err != nil {
				t.Fatal(err)
			}
			if err := provision.All(t.Context(), js, provision.Options{Replicas: 1, First: true}); err != nil {
				t.Fatal(err)
			}
			if err := tt.spoil(t.Context(), js); err != nil {
				t.Fatal(err)
			}
			host, err := NewHost(t.Context(), Config{AdminListen: "127.0.0.1:0"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = host.Close(context.Background()) }()
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				done <- Run(ctx, contracts.Gateway, Config{NATSURL: server.ClientURL(), Host: host}, nil,
					func(context.Context, *Daemon) error { return nil })
			}()
			metric := `store_damaged{environment="",service="gateway",stream="` + tt.stream + `"}`
			for page, want := range map[string]string{"/metrics": metric, "/readyz": tt.says} {
				clocktest.Await(t, page+" says "+want, func() bool {
					_, text := body(t, host.AdminURL()+page)
					return strings.Contains(text, want)
				})
			}
			if status, text := body(t, host.AdminURL()+"/readyz"); status != http.StatusOK {
				t.Errorf("%d:\n%s", status, text)
			}
			want := metric + " 1"
			if name == "whole" {
				want = metric + " 0"
			}
			if _, text := body(t, host.AdminURL()+"/metrics"); !strings.Contains(text, want) {
				t.Errorf("no %s", want)
			}
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// loseAnEvent makes a gap as damage would: nobody may delete in a deployment.
func loseAnEvent(ctx context.Context, js jetstream.JetStream) error {
	for range 3 {
		if _, err := js.Publish(ctx, contracts.UsageSubject(contracts.LTL).Name, []byte("{}")); err != nil {
			return err
		}
	}
	stream, err := js.Stream(ctx, contracts.UsageStream.Name)
	if err != nil {
		return err
	}
	return stream.DeleteMsg(ctx, 2)
}

// keepTwoOfOneKey makes numbers that the bucket cannot have: it keeps one entry a key.
func keepTwoOfOneKey(ctx context.Context, js jetstream.JetStream) error { return keep(ctx, js, 2) }

// keep has the bucket of keys keep so many entries of a key, and makes these.
func keep(ctx context.Context, js jetstream.JetStream, most int64) error {
	stream, err := js.Stream(ctx, contracts.KeysBucket.Stream())
	if err != nil {
		return err
	}
	cfg := stream.CachedInfo().Config
	cfg.MaxMsgsPerSubject = most
	if _, err := js.UpdateStream(ctx, cfg); err != nil {
		return err
	}
	for range 2 {
		if _, err := js.Publish(ctx, contracts.KeysBucket.Subject("one"), []byte("{}")); err != nil {
			return err
		}
	}
	return nil
}

// JetStream turns itself off on a full disk, while the server goes on.
func TestSilentStoresAreTold(t *testing.T) {
	t.Parallel()
	server := startNATS(t)
	conn, err := nats.Connect(server.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	if err := provision.All(t.Context(), js, provision.Options{Replicas: 1, First: true}); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	d := &Daemon{JetStream: js, Log: newLog(&log, Config{}), Metrics: prometheus.NewRegistry(), host: &Host{}}
	s, err := d.openStores([]string{contracts.UsageStream.Name, contracts.KeysBucket.Stream()})
	if err != nil {
		t.Fatal(err)
	}
	if s.checkStreams(t.Context()); s.check() != nil {
		t.Fatalf("before: %v", s.check())
	}
	for range 2 { // it is told when it begins and when it ends
		if err := keep(t.Context(), js, 2); err != nil {
			t.Fatal(err)
		}
		s.checkStreams(t.Context())
		if s.checkStreams(t.Context()); s.check() == nil {
			t.Fatal("the keys are damaged, and it is not told")
		}
		if err := keep(t.Context(), js, 1); err != nil {
			t.Fatal(err)
		}
		if s.checkStreams(t.Context()); s.check() != nil {
			t.Fatalf("after: %v", s.check())
		}
	}
	for _, line := range []string{"a store is damaged", "a store is whole again"} {
		if n := strings.Count(log.String(), line); n != 2 {
			t.Errorf("the log says %d times that %s", n, line)
		}
	}
	if err := server.ShutdownJetStream(); err != nil {
		t.Fatal(err)
	}
	s.checkStreams(t.Context())
	const says = "2 of 2 streams do not answer, such as ASSAY_USAGE since "
	if err := s.check(); !errors.As(err, new(Degraded)) || !strings.HasPrefix(err.Error(), says) {
		t.Errorf("with JetStream off: %v, want %s…", err, says)
	}
	d.host.DiskFull = func() error { return &kv.DiskFull{Streams: s.names} }
	if err := s.check(); !errors.As(err, new(Degraded)) || !strings.Contains(err.Error(), "DISK_FULL") {
		t.Errorf("on a full disk: %v", err)
	}
}

// A full disk explains a store that is silent or torn, and no other damage.
func TestTheCauseOfAFailure(t *testing.T) {
	full, gone := &kv.DiskFull{Streams: []string{"S"}}, &kv.Damaged{Stream: "S", What: "it is gone"}
	host := &Host{DiskFull: func() error { return full }}
	for name, tt := range map[string]struct{ err, want error }{
		"whole":  {nil, nil},
		"silent": {context.DeadlineExceeded, full},
		"torn":   {&kv.Damaged{Stream: "S", Torn: true}, full},
		"gone":   {gone, gone},
	} {
		if got := host.cause(tt.err); !errors.Is(got, tt.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
