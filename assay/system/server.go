package system

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/url"
	"strings"

	"github.com/nats-io/nats-server/v2/server"

	"assay.dev/platform/kv"
)

// maxStore and maxMemory are what JetStream may promise to streams. All streams together reserve half of it. The
// disk may be smaller, because a stream takes space only as it fills.
const (
	maxStore  = 64 << 30
	maxMemory = 1 << 30
)

// natsServer is the NATS server of this process. Operators reach it on a free port of the loopback, with a password
// that is made anew at each start.
type natsServer struct {
	*server.Server
	url string // holds the password
}

// startNATS starts it once its files were checked. Where it syncs always, what is acknowledged is on the disk; streams
// that can be made anew are excepted: see provision.Options.
func (d *data) startNATS(ctx context.Context, log *slog.Logger, syncAlways bool) (*natsServer, error) {
	if err := d.checkStores(ctx, log); err != nil {
		return nil, err
	}
	dir, password := d.path("nats"), rand.Text()
	s, err := server.NewServer(&server.Options{
		ServerName: "assay", Host: "127.0.0.1", Port: server.RANDOM_PORT, Username: operator, Password: password,
		JetStream: true, StoreDir: dir, JetStreamMaxStore: maxStore, JetStreamMaxMemory: maxMemory, NoSigs: true,
		SyncAlways: syncAlways,
	})
	if err != nil {
		return nil, fmt.Errorf("NATS: %w", err)
	}
	if err := watchRecovery(ctx, dir, s.Start); err != nil {
		return nil, err // no Shutdown: it would wait for the recovery
	}
	if !s.ReadyForConnections(startTime) {
		s.Shutdown()
		return nil, fmt.Errorf("NATS did not start within %s", startTime)
	}
	s.SetLoggerV2(natsLog{log.With("service", "nats")}, false, false, false)
	u := url.URL{Scheme: "nats", User: url.UserPassword(operator, password), Host: s.Addr().String()}
	return &natsServer{s, u.String()}, nil
}

// noSpace is how the server says that a disk is full.
const noSpace = "no space left"

// diskFull returns a *[kv.DiskFull] when streams could not be written for want of space. They cannot be written until
// the server starts anew, even when there is space again.
func (s *natsServer) diskFull() error {
	var streams []string
	for _, e := range s.Healthz(&server.HealthzOptions{Details: true}).Errors {
		if strings.Contains(e.Error, noSpace) {
			streams = append(streams, e.Stream)
		}
	}
	if streams == nil {
		return nil
	}
	return &kv.DiskFull{Streams: streams}
}

// operator is the only user of the NATS server.
const operator = "operator"

func (s *natsServer) stop() {
	s.Shutdown()
	s.WaitForShutdown()
}

// natsLog writes the warnings and errors of the NATS server to our log, and drops the rest.
type natsLog struct{ log *slog.Logger }

func (natsLog) Noticef(string, ...any)          {}
func (natsLog) Debugf(string, ...any)           {}
func (natsLog) Tracef(string, ...any)           {}
func (l natsLog) Warnf(format string, a ...any) { l.log.Warn(fmt.Sprintf(format, a...)) }
func (l natsLog) Errorf(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	if strings.Contains(text, noSpace) {
		text = "DISK_FULL: " + text
	}
	l.log.Error(text)
}
func (l natsLog) Fatalf(format string, a ...any) { l.log.Error(fmt.Sprintf(format, a...)) }
