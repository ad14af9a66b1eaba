package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/platform/access"
	"assay.dev/platform/kv"
	"assay.dev/platform/provision"
)

type checkCommand struct{}

// Help says what is compared.
func (checkCommand) Help() string {
	return `Each stream that nothing can replace is compared with its own numbers and with what was seen of it before. Exit code 1: one is
gone, damaged or shorter than it was. Restored ones that nobody confirmed are said.
` + targetHelp
}

// Run prints a line for each stream.
func (checkCommand) Run(ctx context.Context, c *console) error {
	conn, _, err := connectAs(ctx, c, access.Backup)
	if err != nil {
		return err
	}
	defer conn.Close()
	return checkStreams(ctx, c, conn, provision.Lasting())
}

// checkStreams prints the state of each stream and fails when one is damaged.
func checkStreams(ctx context.Context, c *console, conn *nats.Conn, names []string) error {
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "STREAM\tMESSAGES\tFIRST\tLAST\tSTATE")
	var errs []error
	for _, name := range names {
		state, messages, err := checkOne(ctx, js, name)
		errs = append(errs, err)
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\n", name, messages.Msgs, messages.FirstSeq, messages.LastSeq, state)
	}
	return errors.Join(append(errs, w.Flush())...)
}

func checkOne(ctx context.Context, js jetstream.JetStream, name string) (string, jetstream.StreamState, error) {
	witness, info, err := kv.Trust(ctx, js, name)
	if err == nil {
		err = kv.CheckStream(ctx, js, name)
	}
	var state jetstream.StreamState
	if info != nil {
		state = info.State
	}
	switch {
	case err != nil:
		return "DAMAGED", state, err
	case !witness.Restored.IsZero():
		return "whole, restored, not confirmed", state, nil
	}
	return "whole", state, nil
}
