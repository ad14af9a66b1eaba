package system

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"

	"github.com/nats-io/nats.go"

	"assay.dev/platform/bus"
)

// StartNATS starts only the NATS server on a data directory on which no assay up runs, so that streams can be put back,
// and connects to it. The caller calls stop, after which all that was written is on the disk. Until then nothing is
// synced: with a sync of each message, a part of a thousand messages may take over five seconds, and the server gives
// up. The log is told of stores that are put aside, and of a check that takes long. The error is [ErrRunning] where an
// assay up or another restore runs.
func StartNATS(ctx context.Context, dir string, log *slog.Logger) (conn *nats.Conn, stop func() error, err error) {
	d, err := openData(dir)
	if err != nil {
		return nil, nil, err
	}
	s, err := d.startNATS(ctx, log, false)
	if err != nil {
		return nil, nil, errors.Join(err, d.close())
	}
	end := func() error {
		s.stop()
		return errors.Join(syncAll(d.path("nats")), d.close())
	}
	conn, err = bus.Connect(ctx, bus.ConnectOptions{URL: s.url, Name: "restore", InProcess: s, Log: log})
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return conn, func() error { conn.Close(); return end() }, nil
}

// syncAll has a directory and all that is in it written to the disk.
func syncAll(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return fs.WalkDir(root.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		f, err := root.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}
