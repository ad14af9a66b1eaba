package system

import (
	"context"
	"errors"
	"log/slog"

	"github.com/nats-io/nats.go"

	"assay.dev/platform/bus"
)

// StartNATS starts only the NATS server on a data directory on which no assay up runs, so that streams can be put back,
// and connects to it. The caller calls stop.
func StartNATS(ctx context.Context, dir string) (conn *nats.Conn, stop func(), err error) {
	d, err := openData(dir)
	if err != nil {
		return nil, nil, err
	}
	log := slog.New(slog.DiscardHandler)
	s, err := startNATS(ctx, d.path("nats"), log)
	if err != nil {
		return nil, nil, errors.Join(err, d.close())
	}
	end := func() { s.stop(); _ = d.close() }
	conn, err = bus.Connect(ctx, bus.ConnectOptions{URL: s.url, Name: "restore", InProcess: s, Log: log})
	if err != nil {
		end()
		return nil, nil, err
	}
	return conn, func() { conn.Close(); end() }, nil
}
