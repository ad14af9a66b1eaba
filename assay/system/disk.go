package system

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"assay.dev/assay/storecheck"
	"assay.dev/platform/bus"
)

// leastRoom is what a start needs: a new directory takes a third of it.
const leastRoom = 4 << 20

// checkRoom ends a start on a full disk before anything is written. It warns of a disk on which the stores cannot grow
// to their bounds.
func (s *system) checkRoom() error {
	free, known := freeBytes(s.data.dir)
	if !known {
		return nil
	}
	if free < leastRoom {
		return fmt.Errorf("DISK_FULL: the disk of ASSAY_DATA=%s has %d MB free, and a start needs %d MB. Nothing was "+
			"changed; make room and start anew, see DiskFull in the runbook, docs/runbook.md", s.data.dir,
			free>>20, leastRoom>>20)
	}
	streams, err := storecheck.Streams(s.data.path("nats"))
	if err != nil {
		return fmt.Errorf("reading the stores: %w", err)
	}
	room := free
	for _, stream := range streams {
		room += stream.Bytes
	}
	if bounds := s.cfg.Bounds(); room < bounds {
		fmt.Fprintf(s.out,
			"warning: the disk of ASSAY_DATA=%s has room for %d MB of stores, whose bounds are %d MB; see "+
				"DiskFull in the runbook, docs/runbook.md\n", s.data.dir, room>>20, bounds>>20)
	}
	return nil
}

// diskSubject is where an assay up tells the operator's commands of a full disk. An empty reply says that there is
// none.
const diskSubject = "assay.up.disk"

// tellOfDisk answers the commands. The connection ends with the server.
func (s *system) tellOfDisk(ctx context.Context) error {
	conn, err := bus.Connect(ctx, bus.ConnectOptions{URL: s.nats.url, Name: "assay", InProcess: s.nats,
		Log: s.host.Log})
	if err != nil {
		return err
	}
	s.onStop(func() error { conn.Close(); return nil })
	_, err = conn.Subscribe(diskSubject, func(m *nats.Msg) {
		said := ""
		if full := s.nats.diskFull(); full != nil {
			said = full.Error()
		}
		_ = m.Respond([]byte(said)) // who asks waits for a second at most
	})
	return err
}

// DiskFull asks the assay up at the other end of a connection whether its disk is full. It returns what that one says,
// and "" when it has space, or none answers.
func DiskFull(conn *nats.Conn) string {
	reply, err := conn.Request(diskSubject, nil, time.Second)
	if err != nil {
		return ""
	}
	return string(reply.Data)
}
