package bus

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"assay.dev/platform/clock"
	"assay.dev/platform/telemetry"
)

// ConnectOptions says which server to connect to and as whom.
type ConnectOptions struct {
	// URL lists NATS servers, separated by commas.
	URL string
	// Name is that of the NATS user, see package access. It also begins the connection's inbox, so that permissions can
	// keep users from reading one another's replies.
	Name string
	// NKeySeed authenticates the service; empty for servers that ask for nothing.
	NKeySeed string
	// CAFile holds the certificates that the server's is checked against; empty for the system's.
	CAFile string
	// InProcess connects to a server in the same process; URL, NKeySeed and CAFile are not used then.
	InProcess nats.InProcessConnProvider
	// Log gets a line for each loss and return of the connection.
	Log *slog.Logger
}

// Connect connects, and tries again until ctx ends: a service may start before its server. The connection comes back by
// itself for ever; while it is away nothing is buffered and every use fails at once.
func Connect(ctx context.Context, o ConnectOptions) (*nats.Conn, error) {
	log := Deps{Log: o.Log}.Logger()
	opts, err := o.natsOptions(log)
	if err != nil {
		return nil, err
	}
	var told telemetry.Seldom
	for {
		conn, err := nats.Connect(o.URL, opts...)
		if err == nil {
			return conn, nil
		}
		if told.Due("") {
			log.WarnContext(ctx, "NATS is not reachable yet", "error", err)
		}
		if err := clock.Sleep(ctx, time.Second); err != nil {
			return nil, fmt.Errorf("connecting to NATS: %w", err)
		}
	}
}

func (o ConnectOptions) natsOptions(log *slog.Logger) ([]nats.Option, error) {
	opts := []nats.Option{
		nats.Name(o.Name), nats.CustomInboxPrefix(InboxPrefix(o.Name)),
		// A key that is new may reach a service before the servers: who is refused goes on trying, else it had to be
		// restarted.
		nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(), nats.ReconnectBufSize(-1),
		nats.ReconnectWait(100 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		// A server that hangs is left within three seconds, or as soon as it takes no more bytes.
		nats.Timeout(2 * time.Second), nats.PingInterval(2 * PingPatience), nats.MaxPingsOutstanding(2),
		nats.FlusherTimeout(PingPatience),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // nil: we closed it
				log.Warn("NATS connection lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) {
			log.Info("NATS connection is back", "server", c.ConnectedServerName())
		}),
		nats.ErrorHandler(func(_ *nats.Conn, s *nats.Subscription, err error) {
			log.Error("NATS", "subject", subjectOf(s), "error", err)
		}),
	}
	if o.InProcess != nil { // there is no other server to go to, and one that takes no bytes is as busy as this process
		return append(opts, nats.InProcessServer(o.InProcess), nats.FlusherTimeout(20*PingPatience),
			nats.PingInterval(20*PingPatience)), nil
	}
	if o.CAFile != "" {
		opts = append(opts, nats.RootCAs(o.CAFile))
	}
	if o.NKeySeed != "" {
		pair, err := nkeys.FromSeed([]byte(o.NKeySeed))
		if err != nil {
			return nil, fmt.Errorf("the nkey seed is not one") // the cause may quote the seed
		}
		public, err := pair.PublicKey()
		if err != nil {
			return nil, fmt.Errorf("the nkey seed is not one")
		}
		opts = append(opts, nats.Nkey(public, pair.Sign))
	}
	return opts, nil
}

// InboxPrefix is where a user's replies come in: a name of its own, for permissions.
func InboxPrefix(user string) string { return "_INBOX_" + user }

// Close drains the connection: what was published goes out, and it is closed when Close returns, at the latest when ctx
// ends. Stop servers and workers first.
func Close(ctx context.Context, conn *nats.Conn) error {
	closed := conn.StatusChanged(nats.CLOSED)
	defer conn.RemoveStatusListener(closed)
	if err := conn.Drain(); err != nil { // closed or reconnecting: nothing to drain
		conn.Close()
		return nil
	}
	for !conn.IsClosed() {
		select {
		case <-closed:
		case <-ctx.Done():
			conn.Close()
			return fmt.Errorf("draining the NATS connection: %w", ctx.Err())
		}
	}
	return nil
}

func subjectOf(s *nats.Subscription) string {
	if s == nil {
		return ""
	}
	return s.Subject
}
