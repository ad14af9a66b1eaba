package main

import (
	"fmt"

	"assay.dev/platform/daemon"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(c *console) error {
	_, err := fmt.Fprintln(c.out, versionLine())
	return err
}

func versionLine() string { return "assay " + daemon.Version() }
