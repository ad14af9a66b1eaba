package main

import (
	"context"
	"fmt"
	"strings"

	"assay.dev/assay/system"
	"assay.dev/platform/daemon"
)

type upCommand struct {
	CheckConfig bool     `help:"Print the effective settings, secrets redacted, and exit: 0 when they are valid, else 1."`
	AcceptLoss  []string `help:"Begin with this stream empty, though an earlier run made it and it is gone. May be repeated." placeholder:"STREAM"`
}

// Help lists every setting.
func (upCommand) Help() string {
	var b strings.Builder
	b.WriteString("Everything is set by environment variables.\n")
	daemon.PrintSettings(&b, system.Settings())
	return b.String()
}

// Run serves until it is told to stop.
func (u upCommand) Run(ctx context.Context, c *console) error {
	for _, name := range system.Ignored(c.environ) {
		fmt.Fprintf(c.out, "warning: %s means nothing to assay up, which runs every service itself\n", name)
	}
	if u.CheckConfig {
		lines, err := system.Values(c.environ)
		fmt.Fprintln(c.out, strings.Join(lines, "\n"))
		return err
	}
	cfg, err := system.Load(c.environ)
	if err != nil {
		return err
	}
	cfg.AcceptLoss, cfg.ShowKeys = u.AcceptLoss, isTerminal(c.bare.out)
	if c.environ["GOGC"] == "" {
		go keepLean(ctx)
	}
	return system.Run(ctx, cfg, c.out)
}
