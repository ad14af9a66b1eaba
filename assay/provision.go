package main

import (
	"context"
	"fmt"

	"assay.dev/platform/bus"
	"assay.dev/platform/bus/access"
)

type provisionCommand struct {
	Replicas int `help:"Copies of each stream, 1 to 5; as many NATS servers are needed." default:"1"`
}

// Help says which deployment is meant.
func (provisionCommand) Help() string { return "It may be run again at any time." + targetHelp }

// Run makes what is missing.
func (p provisionCommand) Run(ctx context.Context, c *console) error {
	conn, js, err := connectAs(ctx, c, access.Provision)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := bus.Provision(ctx, js, p.Replicas); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "streams and buckets are in place, %d replicas each\n", p.Replicas)
	return err
}
