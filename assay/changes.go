package main

import (
	"context"
	"fmt"
	"strings"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
)

type changesCommand struct {
	Confirm confirmGone `cmd:"" help:"Confirm that the licenses missing from the held edition are really gone, so that its changes are published."`
}

// Help says what changes are.
func (changesCommand) Help() string {
	return "Workers publish what differs between two editions of a register's copy." + targetHelp
}

type confirmGone struct {
	State       string                `arg:"" help:"${state}."`
	Environment contracts.Environment `help:"live or test." default:"live"`
}

// Help says what to look at before.
func (confirmGone) Help() string {
	return `The changes of an edition are held when more than 1 % of a state's licenses, and at least 50, are gone from it: it may have been
cut off. They are published when the next edition lacks the same licenses, or when you confirm that they are gone, within half
a minute. Look at what the publisher has before.
` + targetHelp
}

// Run confirms it.
func (g confirmGone) Run(ctx context.Context, c *console) error {
	state, err := contracts.ParseState(strings.ToUpper(g.State))
	if err != nil {
		return err
	}
	conn, js, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	gone, of, err := mirror.Confirm(ctx, js, g.Environment, state)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%d of %d licenses of %s are gone\n", gone, of, state)
	return err
}
