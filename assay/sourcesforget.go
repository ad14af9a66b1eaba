package main

import (
	"context"
	"fmt"
	"time"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/ltl-worker/archive"
	"assay.dev/platform/clock"
)

type forgetSource struct {
	sourcePlace
	Source  string        `arg:"" help:"A carrier's code, such as SAIA."`
	Path    string        `help:"Only this path: api, page, rendered or scraper." enum:",api,page,rendered,scraper" default:""`
	Since   time.Duration `help:"Only what was accepted, or learned, in that time, such as 2h; what was accepted before stays."`
	Learned bool          `help:"Forget what was learned beside proven figures, and keep what was accepted."`
	Yes     bool          `help:"Do not ask."`
}

// Run forgets.
func (f forgetSource) Run(ctx context.Context, c *console) error {
	code, err := contracts.ParseCarrier(f.Source)
	if err != nil {
		return err
	}
	desk, release, err := f.open(ctx, c)
	if err != nil {
		return err
	}
	defer release()
	what, pieces := "accepted", "editions"
	if f.Learned {
		what, pieces = "learned", "lines"
	}
	if !f.Yes {
		if err := confirmed(c,
			fmt.Sprintf("Forget what was %s of %s in %s? Type yes: ", what, code, f.Environment)); err != nil {
			return err
		}
	}
	m := ltlworker.ToForget{Path: f.Path, Learned: f.Learned}
	if f.Since > 0 {
		m.From = time.Now().Add(-f.Since)
	}
	back, err := desk.Forget(ctx, code, m, func(ctx context.Context) error {
		fmt.Fprintf(c.out, "waiting: %s, for workers that are writing what they judged before\n", archive.WriteTime)
		return clock.Sleep(ctx, archive.WriteTime)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "forgotten: what was %s of %s, %d %s\n", what, code, back.Count, pieces)
	if back.Answer != nil {
		fmt.Fprintf(c.out, "ended: the stored answer that was read at %s; gateways serve copies of it "+
			"for half a minute at most\n",
			back.Answer.UTC().Format(time.RFC3339))
	}
	if n := len(back.Weeks); n > 0 {
		fmt.Fprintf(c.out, "in doubt: weeks that were clean by that alone: %d, %s to %s\n", n, back.Weeks[0], back.Weeks[n-1])
	}
	return nil
}

// Help says what ends with it.
func (forgetSource) Help() string {
	return `What was read by it ends too: the stored answer, and the weeks that were clean by it alone, which are in doubt in the archive
until they are read anew by words that a person accepted.` + "\n" + targetHelp
}
