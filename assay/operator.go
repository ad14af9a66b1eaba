package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/system"
	"assay.dev/platform/access"
	"assay.dev/platform/bus"
	"assay.dev/platform/daemon"
)

const connectTimeout = 5 * time.Second

// target names the deployment on which an operator's command works.
type target struct {
	NATSURL    string        `env:"ASSAY_NATS_URL" help:"NATS servers, separated by commas; empty: those of the assay up that runs on ASSAY_DATA"`
	NATSNKey   daemon.Secret `env:"ASSAY_NATS_NKEY" help:"nkey seed of the operator's NATS user; empty connects without one"`
	NATSCAFile string        `env:"ASSAY_NATS_CA_FILE" help:"PEM file of the authorities that may sign the NATS servers' certificates; empty takes the system's"`
	Data       string        `env:"ASSAY_DATA" envDefault:".assay" help:"directory of the assay up that is meant"`
}

const targetHelp = `
It works on the deployment of ASSAY_NATS_URL (with ASSAY_NATS_NKEY and ASSAY_NATS_CA_FILE where the servers ask for
them), and without it on the assay up that runs on ASSAY_DATA, default .assay.`

// connect connects to the deployment as the operator's NATS user. The caller closes the connection.
func connect(ctx context.Context, c *console) (*nats.Conn, jetstream.JetStream, error) {
	return connectAs(ctx, c, access.Operator)
}

// connectAs connects as one of the users of package access.
func connectAs(ctx context.Context, c *console, user string) (*nats.Conn, jetstream.JetStream, error) {
	t, err := daemon.Load[target](c.environ)
	if err != nil {
		return nil, nil, err
	}
	local := t.NATSURL == ""
	if local {
		if t.NATSURL, err = system.NATSURL(t.Data); err != nil {
			return nil, nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := bus.Connect(ctx, bus.ConnectOptions{
		URL: t.NATSURL, Name: user, NKeySeed: t.NATSNKey.Reveal(), CAFile: t.NATSCAFile,
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("no NATS server answers: %w", err)
	}
	if err := ownReplies(ctx, conn); err != nil {
		conn.Close()
		return nil, nil, fmt.Errorf("this command wants the nkey of the NATS user %q: %w", user, err)
	}
	if local {
		if full := system.DiskFull(conn); full != "" {
			fmt.Fprintln(c.errs, "assay:", full)
		}
	}
	js, err := jetstream.New(conn)
	return conn, js, err
}

// ownReplies fails where the key is another user's, who may not read replies to this one: each request would time out, as
// if NATS were away.
func ownReplies(ctx context.Context, conn *nats.Conn) error {
	sub, err := conn.SubscribeSync(conn.NewInbox())
	if err != nil {
		return err
	}
	if err := conn.FlushWithContext(ctx); err != nil {
		return err
	}
	if err := conn.LastError(); errors.Is(err, nats.ErrPermissionViolation) {
		return err
	}
	return sub.Unsubscribe()
}

// connectForRestore connects as the user that may put streams back. Where no deployment is named and no assay up runs,
// it starts the NATS server of ASSAY_DATA: assay up itself does not start while a stream is missing. The caller calls
// stop.
func connectForRestore(ctx context.Context, c *console) (conn *nats.Conn, stop func() error, err error) {
	t, err := daemon.Load[target](c.environ)
	if err != nil {
		return nil, nil, err
	}
	if t.NATSURL == "" {
		log := slog.New(slog.NewTextHandler(c.errs, &slog.HandlerOptions{Level: slog.LevelWarn}))
		if conn, stop, err = system.StartNATS(ctx, t.Data, log); !errors.Is(err, system.ErrRunning) {
			return conn, stop, err
		}
	}
	conn, _, failed := connectAs(ctx, c, access.Restore)
	if failed != nil {
		return nil, nil, errors.Join(err, failed) // without an assay up, another restore runs
	}
	return conn, func() error { conn.Close(); return nil }, nil
}
