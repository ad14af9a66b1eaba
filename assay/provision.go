package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay.dev/platform/kv"

	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/access"
	"assay.dev/platform/clock"
	"assay.dev/platform/daemon"
	"assay.dev/platform/provision"
)

type provisionCommand struct {
	Replicas   int      `help:"Copies of each stream, 1 to 5; as many NATS servers are needed. Without it streams keep the copies that they have, and new ones have one."`
	Wait       period   `help:"How long to wait for servers that are still starting, such as 5m." default:"0"`
	First      bool     `help:"Begin on servers that hold nothing: this deployment is new."`
	AcceptLoss []string `help:"Make this stream anew, empty, though it was made before and is gone. May be repeated." placeholder:"STREAM"`
}

// provisionSettings are what `assay provision` reads of the environment.
type provisionSettings struct {
	provision.Retention
	FirstUntil time.Time `env:"ASSAY_FIRST_UNTIL" help:"until when provision may begin on servers that hold nothing, such as 2026-11-22T12:00:00Z; empty: never without --first"`
}

// Help says which deployment is meant, and what is not made.
func (provisionCommand) Help() string {
	return `It may be run again at any time. What was made once and is gone is not made anew: the command fails, names it and changes
nothing. Bring it back with ` + "`assay restore`" + `, or say --accept-loss with its name. ASSAY_FIRST_UNTIL is --first until that
moment, such as 2026-11-22T12:00:00Z, for a Job that runs again by itself.
` + targetHelp
}

// maxReplicas is the most copies that JetStream keeps of a stream.
const maxReplicas = 5

// tryTime bounds one try: a reply of a cluster that has just begun may be lost, and the next try goes on from there.
const tryTime = time.Minute

// Validate checks the number of copies.
func (p provisionCommand) Validate() error {
	if p.Replicas < 0 || p.Replicas > maxReplicas {
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
		if time.Now().After(end) || waitingIsVain(err) {
			return err
		}
		fmt.Fprintln(c.errs, "not yet:", err)
		if clock.Sleep(ctx, time.Second) != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(c.out, "streams and buckets are in place")
	return err
}

func (p provisionCommand) provision(ctx context.Context, c *console) error {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	conn, js, err := connectAs(ctx, c, access.Provision)
	if err != nil {
		return err
	}
	defer conn.Close()
	settings, err := daemon.Load[provisionSettings](c.environ)
	if err != nil {
		return err
	}
	if err := provision.All(ctx, js, provision.Options{
		Retention: settings.Retention, Replicas: p.Replicas, AcceptLoss: p.AcceptLoss,
		First: p.First || time.Now().Before(settings.FirstUntil),
	}); err != nil {
		return err
	}
	if err := kv.CheckLasting(ctx, js); err != nil {
		fmt.Fprintln(c.errs, "warning:", err)
	}
	return wording.AcceptSandbox(ctx, js)
}

// waitingIsVain tells failures that only an operator can cure.
func waitingIsVain(err error) bool {
	var missing *provision.Missing
	return errors.Is(err, provision.ErrFirst) || errors.As(err, &missing)
}
