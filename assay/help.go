package main

import (
	"slices"

	"github.com/alecthomas/kong"
)

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command, such as keys create."`
}

// Run shows what --help shows after the command.
func (h helpCommand) Run(k *kong.Context) error {
	_, err := k.Kong.Parse(append(slices.Clone(h.Command), "--help"))
	return err
}
