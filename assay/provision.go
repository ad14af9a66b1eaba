package main

import (
	"context"
	"fmt"
	"time"

	"assay.dev/platform/kv"

	"assay.dev/platform/access"
	"assay.dev/platform/clock"
	"assay.dev/platform/daemon"
	"assay.dev/platform/provision"
)

type provisionCommand struct {
	Replicas int    `help:"Copies of each stream, 1 to 5; as many NATS servers are needed." default:"1"`
	Wait     period `help:"How long to wait for servers that are still starting, such as 5m." default:"0"`
}

// Help says which deployment is meant.
func (provisionCommand) Help() string { return "It may be run again at any time." + targetHelp }

// maxReplicas is the most copies that JetStream keeps of a stream.
const maxReplicas = 5

// Validate checks the number of copies.
func (p provisionCommand) Validate() error {
	if p.Replicas < 1 || p.Replicas > maxReplicas {
		return fmt.Errorf("--replicas %d: want 1 to %d", p.Replicas, maxReplicas)
	}
	return nil
}

// Run makes what is missing, and tries again until the wait is over.
func (p provisionCommand) Run(ctx context.Context, c *console) error {
	for end := time.Now().Add(time.Duration(p.Wait)); ; {
		err := p.provision(ctx, c)
		if err == nil {
			break
		}
		if time.Now().After(end) {
			return err
		}
		fmt.Fprintln(c.errs, "not yet:", err)
		if clock.Sleep(ctx, time.Second) != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(c.out, "streams and buckets are in place, %d replicas each\n", p.Replicas)
	return err
}

func (p provisionCommand) provision(ctx context.Context, c *console) error {
	conn, js, err := connectAs(ctx, c, access.Provision)
	if err != nil {
		return err
	}
	defer conn.Close()
	keep, err := daemon.Load[provision.Retention](c.environ)
	if err != nil {
		return err
	}
	if err := provision.All(ctx, js, p.Replicas, keep); err != nil {
		return err
	}
	if err := kv.CheckLasting(ctx, js); err != nil {
		fmt.Fprintln(c.errs, "warning:", err)
	}
	return nil
}
