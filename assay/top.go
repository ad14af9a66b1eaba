package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

type topCommand struct {
	Every period `help:"Pause between looks; 0 looks once, as it does where its output is no terminal." default:"2s"`
	JSON  bool   `help:"Look once and print JSON."`
}

// Help says where it looks.
func (topCommand) Help() string {
	return `Shows the workers and what they have in hand, each source's health and freshness, the queues of jobs, and the month's
credits, as the workers tell it by NATS.` + targetHelp
}

const (
	clearScreen = "\x1b[H\x1b[2J"
	// lookTime bounds one look at everything.
	lookTime = 5 * time.Second
)

// Run looks again and again until it is told to stop, or once.
func (t topCommand) Run(ctx context.Context, c *console) error {
	conn, js, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	ledgers, err := openLedgers(ctx, c, js)
	if err != nil {
		return err
	}
	for {
		seen, err := look(ctx, conn, js, ledgers)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		case t.JSON:
			return printJSON(c, seen)
		case t.Every == 0, !isTerminal(c.bare.out):
			return seen.write(c.out)
		}
		var screen strings.Builder
		if err := seen.write(&screen); err != nil {
			return err
		}
		fmt.Fprint(c.bare.out, clearScreen)
		fmt.Fprint(c.out, screen.String())
		if clock.Sleep(ctx, time.Duration(t.Every)) != nil {
			return nil
		}
	}
}

// overview is what one look saw.
type overview struct {
	Workers []workerLoad  `json:"workers"`
	Sources []sourceState `json:"sources"`
	Queues  []queueState  `json:"queues"`
	Credits []account     `json:"credits"`
}

// look asks everybody once.
func look(ctx context.Context, conn *nats.Conn, js jetstream.JetStream, l ledgers) (overview, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	var seen overview
	var errs [4]error
	seen.Workers, errs[0] = askWorkers(conn)
	seen.Sources, errs[1] = readSources(ctx, js)
	seen.Queues, errs[2] = readQueues(ctx, js)
	seen.Credits = []account{}
	for _, env := range contracts.Environments {
		accounts, err := l.accounts(ctx, env, time.Now())
		errs[3] = errors.Join(errs[3], err)
		seen.Credits = append(seen.Credits, accounts...)
	}
	return seen, errors.Join(errs[:]...)
}

// write prints a table for each part.
func (o overview) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WORKER\tENVIRONMENT\tIN HAND\tREQUESTS\tERRORS\tMEAN\tUP")
	for _, l := range o.Workers {
		l.write(w)
	}
	fmt.Fprintln(w, "\nSOURCE\tENVIRONMENT\tBREAKER\tLAST READ\tAGO")
	for _, s := range o.Sources {
		s.write(w)
	}
	fmt.Fprintln(w, "\nQUEUE\tENVIRONMENT\tWAITING\tIN HAND\tGIVEN AGAIN")
	for _, q := range o.Queues {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\n", q.Kind, q.Environment, q.Waiting, q.InHand, q.GivenAgain)
	}
	fmt.Fprintln(w, "\nCREDITS\tENVIRONMENT\tSPENT\tRESERVED\tLEFT\tUNIT")
	for _, a := range o.Credits {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n",
			a.Kind, a.Environment, a.amount(a.Spent), a.amount(a.Reserved), a.amount(a.Left), a.Unit)
	}
	return w.Flush()
}
