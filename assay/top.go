package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"

	"assay.dev/platform/bus"
	"assay.dev/platform/clock"
)

type topCommand struct {
	Every time.Duration `help:"Pause between looks; 0 looks once." default:"2s"`
}

// Help says where it looks.
func (topCommand) Help() string {
	return `Shows the workers and what they have in hand, each source's health and freshness, the queues of jobs, and the month's
credits, as the workers tell it by NATS.` + targetHelp
}

const (
	// statsWait is how long workers may take to answer: how many there are nobody knows.
	statsWait   = 300 * time.Millisecond
	clearScreen = "\x1b[H\x1b[2J"
	topTimeout  = 5 * time.Second
)

// Run looks until it is told to stop.
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
		var view strings.Builder
		if err := look(ctx, &view, conn, js, ledgers); err != nil && ctx.Err() == nil {
			return err
		}
		if t.Every == 0 {
			_, err := io.WriteString(c.out, view.String())
			return err
		}
		fmt.Fprint(c.out, clearScreen, view.String())
		if clock.Sleep(ctx, t.Every) != nil {
			return nil
		}
	}
}

// look writes one view of everything.
func look(ctx context.Context, out io.Writer, conn *nats.Conn, js jetstream.JetStream, l ledgers) error {
	ctx, cancel := context.WithTimeout(ctx, topTimeout)
	defer cancel()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	return errors.Join(
		showWorkers(w, conn), showSources(ctx, w, js), showQueues(ctx, w, js), showLedgers(ctx, w, l), w.Flush(),
	)
}

// showWorkers asks everybody who serves requests.
func showWorkers(w io.Writer, conn *nats.Conn) error {
	replies, err := conn.SubscribeSync(conn.NewRespInbox())
	if err != nil {
		return err
	}
	defer func() { _ = replies.Unsubscribe() }()
	if err := conn.PublishRequest("$SRV.STATS", replies.Subject, nil); err != nil {
		return err
	}
	var lines []string
	for end := time.Now().Add(statsWait); ; {
		msg, err := replies.NextMsg(time.Until(end))
		if err != nil {
			break // nobody else answers, or nobody at all
		}
		var s micro.Stats
		if json.Unmarshal(msg.Data, &s) == nil && len(s.Endpoints) > 0 {
			lines = append(lines, workerLine(s))
		}
	}
	slices.Sort(lines)
	fmt.Fprintf(w, "WORKER\tENVIRONMENT\tIN HAND\tREQUESTS\tERRORS\tMEAN\tUP\n%s\n", strings.Join(append(lines, ""), "\n"))
	return nil
}

func workerLine(s micro.Stats) string {
	var sum bus.Stats
	var spent time.Duration
	for _, e := range s.Endpoints {
		var one bus.Stats
		if json.Unmarshal(e.Data, &one) != nil {
			continue
		}
		sum.Inflight, sum.Capacity = one.Inflight, one.Capacity
		sum.Requests += one.Requests
		sum.Errors += one.Errors
		spent += one.AverageProcessingTime * time.Duration(one.Requests)
	}
	mean := time.Duration(0)
	if sum.Requests > 0 {
		mean = (spent / time.Duration(sum.Requests)).Round(time.Millisecond)
	}
	return fmt.Sprintf("%s %s\t%s\t%d of %d\t%d\t%d\t%s\t%s", s.Name, s.ID[:min(6, len(s.ID))], environmentOf(s), sum.Inflight, sum.Capacity,
		sum.Requests, sum.Errors, mean, time.Since(s.Started).Round(time.Second))
}

// environmentOf is a token of every subject.
func environmentOf(s micro.Stats) string {
	tokens := strings.Split(s.Endpoints[0].Subject, ".")
	if len(tokens) < 3 {
		return ""
	}
	return tokens[2]
}
