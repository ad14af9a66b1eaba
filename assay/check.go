package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/assay/backup"
	"assay.dev/platform/access"
	"assay.dev/platform/kv"
	"assay.dev/platform/provision"
)

type checkCommand struct {
	Backup string `help:"Compare the files of this backup with its manifest instead, such as a copy of it." type:"existingdir" placeholder:"FOLDER"`
}

// Help says what is compared.
func (checkCommand) Help() string {
	return `Each stream that nothing can replace is compared with its own numbers and with what was seen of it before. Exit code 1:
one is gone, damaged or shorter than it was (DAMAGED), could not be written to its end, as on a full disk (TORN), or does not
answer, which says nothing of what it holds (SILENT).
Restored ones that nobody confirmed are said.
` + targetHelp
}

// Run prints a line for each stream.
func (k checkCommand) Run(ctx context.Context, c *console) error {
	if k.Backup != "" {
		m, err := backup.Read(k.Backup)
		if err == nil {
			_, err = fmt.Fprintf(c.out, "the backup of %s is whole: %d streams\n", m.Began.Format(time.RFC3339), len(m.Stores))
		}
		return err
	}
	conn, _, err := connectAs(ctx, c, access.Backup)
	if err != nil {
		return err
	}
	defer conn.Close()
	return checkStreams(ctx, c, conn, provision.Lasting())
}

// checkStreams prints the state of each stream and fails unless all are whole. It asks for all at the same time,
// because one that does not answer takes seconds.
func checkStreams(ctx context.Context, c *console, conn *nats.Conn, names []string) error {
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	all := make([]checkedStream, len(names))
	var checks sync.WaitGroup
	for i, name := range names {
		checks.Go(func() { all[i] = checkOne(ctx, js, name) })
	}
	checks.Wait()
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "STREAM\tMESSAGES\tFIRST\tLAST\tSTATE")
	var errs []error
	for i, s := range all {
		errs = append(errs, s.err)
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\n", names[i], s.held.Msgs, s.held.FirstSeq, s.held.LastSeq, s.state)
	}
	return errors.Join(append(errs, w.Flush())...)
}

// checkedStream is what was found of one stream. What it holds is zero when it does not answer.
type checkedStream struct {
	state string
	held  jetstream.StreamState
	err   error
}

func checkOne(ctx context.Context, js jetstream.JetStream, name string) (checked checkedStream) {
	var witness kv.Witness
	var info *jetstream.StreamInfo
	err := kv.Retry(ctx, func(ctx context.Context) (err error) {
		witness, info, err = kv.Trust(ctx, js, name)
		return err
	})
	if err == nil {
		err = kv.CheckStream(ctx, js, name)
	}
	checked.err, checked.state = err, "whole"
	if info != nil {
		checked.held = info.State
	}
	var damage *kv.Damaged
	switch {
	case errors.As(err, &damage) && damage.Torn:
		checked.state = "TORN"
	case damage != nil:
		checked.state = "DAMAGED"
	case err != nil:
		checked.state = "SILENT"
	case !witness.Restored.IsZero():
		checked.state = "whole, restored, not confirmed"
	}
	return checked
}
