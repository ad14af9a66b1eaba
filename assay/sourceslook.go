package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
)

// sourceLook is a carrier that is looked at.
type sourceLook struct {
	sourcePlace
	Source string `arg:"" help:"A carrier's code, such as SAIA."`
	Path   string `help:"Only this path: api, page, rendered or scraper." enum:",api,page,rendered,scraper" default:""`
	Read   bool   `help:"Read the site now, instead of the document that the workers doubted."`
}

// look gives what the paths show.
func (s sourceLook) look(ctx context.Context, c *console, desk *ltlworker.Sources) (contracts.Carrier,
	[]ltlworker.Look, error) {
	code, err := contracts.ParseCarrier(s.Source)
	if err != nil {
		return "", nil, err
	}
	if s.Read {
		looks, err := desk.Read(ctx, code, s.Path)
		if err != nil && len(looks) > 0 {
			fmt.Fprintln(c.errs, "not read:", err)
			err = nil
		}
		return code, looks, err
	}
	looks, err := desk.InDoubt(ctx, code, s.Path)
	if err == nil && len(looks) == 0 {
		err = fmt.Errorf("nothing of %s is in doubt, or no worker has read it yet: --read reads it now", code)
	}
	return code, looks, err
}

// printLooks prints what paths show, once for neighbours that show the same.
func printLooks(w io.Writer, looks []ltlworker.Look, body func(ltlworker.Look) string) {
	for i, l := range looks {
		fmt.Fprintf(w, "%s by %s, read %s\n  %s\n", l.Source, l.Reading.Path, moment(l.ReadAt), l.URL)
		if l.SHA256 != "" {
			fmt.Fprintln(w, "  document", l.SHA256)
		}
		if text := body(l); i == len(looks)-1 || text != body(looks[i+1]) {
			fmt.Fprint(w, text)
		}
	}
}

// lookBody is the weeks, the words and what proves the figures.
func lookBody(l ltlworker.Look) string {
	out := &strings.Builder{}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  WEEK OF\tLAST DAY\tPERCENT\tDIESEL\tTRUCKLOAD")
	shown := l.Reading.Weeks[:min(len(l.Reading.Weeks), contracts.MaxWeeks)]
	for _, week := range shown {
		fmt.Fprintf(w, "  %s\t%s\t%.2f\t%s\t%s\n", week.EffectiveDate, cmp.Or(week.EndDate, "-"), week.Percent,
			figureOr(week.DieselUSD, 3), figureOr(week.TruckloadPercent, 2))
	}
	_ = w.Flush()
	if more := len(l.Reading.Weeks) - len(shown); more > 0 {
		fmt.Fprintf(out, "  and %d older weeks\n", more)
	}
	fmt.Fprintln(out, "  words (+ nobody has accepted):")
	for _, line := range l.Reading.Lines {
		mark := " "
		if slices.Contains(l.Verdict.Unknown, line) {
			mark = "+"
		}
		fmt.Fprintf(out, "  %s %s\n", mark, line.Text)
	}
	by := ""
	if l.Verdict.By != "" {
		by = " by " + l.Verdict.By
	}
	fmt.Fprintf(out, "  figures: %s%s\n", l.Verdict.State, by)
	for _, n := range l.Verdict.Notes {
		fmt.Fprintf(out, "  %s: %s\n", n.Code, n.Message)
	}
	if len(l.Verdict.Notes) == 0 {
		fmt.Fprintln(out, "  it is believed now")
	}
	return out.String()
}

func figureOr(v *float64, digits int) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.*f", digits, *v)
}
