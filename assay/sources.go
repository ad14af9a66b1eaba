package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"assay.dev/assay/system"
	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/ltl-worker/trust"
	"assay.dev/platform/daemon"
	"assay.dev/platform/worker"
	"assay.dev/sandbox"
)

type sourcesCommand struct {
	List   listSources  `cmd:"" default:"1" help:"List every path of every carrier: who accepted it, and since when it is in doubt."`
	Show   showSource   `cmd:"" help:"Show what is in doubt of a carrier: its weeks, its words, what proves the figures."`
	Accept acceptSource `cmd:"" help:"Accept what a carrier's page says, so that its percents are believed."`
	Forget forgetSource `cmd:"" help:"Take back what was accepted of a carrier, or what was learned."`
	Try    trySource    `cmd:"" help:"Read any page as that of a carrier, and print what it would answer."`
}

// Help says what it is about.
func (sourcesCommand) Help() string {
	return `A carrier's page is believed like an SSH host: the words around its percents are known. When they change, or when nobody
has looked yet, its answers are in doubt until a person has looked at the page and accepted it.` + "\n" + targetHelp
}

// sourcePlace is which environment is meant.
type sourcePlace struct {
	Environment contracts.Environment `help:"live or test." default:"live"`
}

// open opens the desk. release closes all.
func (p sourcePlace) open(ctx context.Context, c *console) (desk *ltlworker.Sources, release func(), err error) {
	cfg, stop, err := p.config(c)
	if err != nil {
		return nil, nil, err
	}
	conn, js, err := connect(ctx, c)
	if err != nil {
		stop()
		return nil, nil, err
	}
	release = func() { conn.Close(); stop() }
	desk, err = ltlworker.OpenSources(ctx, cfg, js, slog.New(slog.DiscardHandler))
	if err != nil {
		release()
	}
	return desk, release, err
}

// config is how pages are read: those of test come from a sandbox that is started for this.
func (p sourcePlace) config(c *console) (cfg ltlworker.Config, stop func(), err error) {
	set, err := daemon.Load[probeConfig](c.environ)
	if err != nil {
		return cfg, nil, err
	}
	stop = func() {}
	if p.Environment == contracts.Test {
		s, err := sandbox.Start(sandbox.Options{})
		if err != nil {
			return cfg, nil, err
		}
		stop = func() { _ = s.Close() }
		set.ScrapeConfig = system.Sandboxed(set.ScrapeConfig, s)
	}
	return ltlworker.Config{
		Config:        worker.Config{Environment: p.Environment, ScrapeConfig: set.ScrapeConfig},
		BrowserConfig: set.BrowserConfig, CarrierConfig: set.CarrierConfig,
	}, stop, nil
}

type listSources struct {
	sourcePlace
	JSON bool `help:"Print JSON instead of a table."`
}

// Run prints the table.
func (l listSources) Run(ctx context.Context, c *console) error {
	desk, release, err := l.open(ctx, c)
	if err != nil {
		return err
	}
	defer release()
	all, err := desk.List(ctx)
	if err != nil {
		return err
	}
	if l.JSON {
		return printJSON(c, all)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SOURCE\tPATH\tACCEPTED\tBY\tLEARNED\tIN DOUBT SINCE\tWHY")
	for _, p := range all {
		accepted, since, why := "never", "-", ""
		if p.Accepted != nil {
			accepted = moment(*p.Accepted)
		}
		if p.Doubt != nil {
			since, why = moment(p.Doubt.Since), codesOf(p.Doubt.Notes)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", p.Source, p.Path, accepted, p.By, p.Learned, since, why)
	}
	return w.Flush()
}

func codesOf(notes []contracts.Note) string {
	var codes []string
	for _, n := range notes {
		codes = append(codes, string(n.Code))
	}
	return strings.Join(codes, " ")
}

type showSource struct {
	sourceLook
	Screenshot string `help:"Write a picture (PNG) of the page as a browser shows it now to this file."`
}

// Run prints what is in doubt.
func (s showSource) Run(ctx context.Context, c *console) error {
	desk, release, err := s.open(ctx, c)
	if err != nil {
		return err
	}
	defer release()
	code, looks, err := s.look(ctx, c, desk)
	if err != nil {
		return err
	}
	printLooks(c.out, looks, lookBody)
	if s.Screenshot == "" {
		return nil
	}
	png, err := desk.Picture(ctx, code)
	if err == nil {
		err = os.WriteFile(s.Screenshot, png, 0o600)
	}
	if err == nil {
		fmt.Fprintln(c.out, "picture:", s.Screenshot)
	}
	return err
}

type acceptSource struct {
	sourceLook
	Figures bool   `help:"Accept the figures as they are shown too: weeks that differ from those seen before, a percent that moved otherwise than diesel, a new bracket table."`
	Yes     bool   `help:"Do not ask."`
	By      string `help:"Who looked at the page." env:"USER" default:"operator"`
	Into    string `help:"Write it to this file, such as ltl-worker/carrier/saia.wording, instead of accepting it in the deployment: a release carries it then."`
}

// Help says what happens then.
func (acceptSource) Help() string {
	return `It shows what ` + "`assay sources show`" +
		` does, and asks. What is accepted is known to all workers within seconds: they read the carrier
anew, and judge again the documents that were in doubt.` + "\n" + targetHelp
}

// Run accepts.
func (a acceptSource) Run(ctx context.Context, c *console) error {
	desk, release, err := a.open(ctx, c)
	if err != nil {
		return err
	}
	defer release()
	code, looks, err := a.look(ctx, c, desk)
	if err != nil {
		return err
	}
	now := time.Now()
	var editions []trust.Edition
	for _, l := range looks {
		editions = append(editions, l.Edition(a.By, now, a.Figures))
	}
	printLooks(c.out, looks, func(l ltlworker.Look) string {
		text := lookBody(l)
		for _, n := range l.After(l.Edition(a.By, now, a.Figures), now).Notes {
			text += fmt.Sprintf("  it would stay in doubt even when accepted: %s: %s\n", n.Code, n.Message)
		}
		return text
	})
	if !a.Yes {
		if err := confirmed(c, fmt.Sprintf("Are these the standard LTL percents of %s? Type yes: ", code)); err != nil {
			return err
		}
	}
	if a.Into != "" {
		return writeWording(c, a.Into, editions)
	}
	if err := desk.Accept(ctx, code, editions...); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "accepted: %s, %d paths, by %s\n", code, len(editions), a.By)
	return err
}

var errNotConfirmed = errors.New("nothing was changed")

// confirmed asks a person, who must type yes.
func confirmed(c *console, question string) error {
	fmt.Fprint(c.errs, question)
	answer, _ := bufio.NewReader(c.in).ReadString('\n')
	if strings.TrimSpace(answer) != "yes" {
		return errNotConfirmed
	}
	return nil
}

// writeWording adds editions to a file of shipped wording.
func writeWording(c *console, name string, added []trust.Edition) error {
	var all []trust.Edition
	text, err := os.ReadFile(name)
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &all)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: %w", name, err)
	}
	text, err = json.MarshalIndent(slices.Concat(all, added), "", " ")
	if err == nil {
		err = os.WriteFile(name, append(text, '\n'), 0o600)
	}
	if err == nil {
		_, err = fmt.Fprintf(c.out, "written to %s; the next release carries it\n", name)
	}
	return err
}

type trySource struct {
	sourcePlace
	URL  string `arg:"" help:"Address of the page, or of the JSON behind one."`
	Path string `help:"How it is read: page, rendered or api." enum:"page,rendered,api" default:"page"`
}

// Run reads the page.
func (t trySource) Run(ctx context.Context, c *console) error {
	cfg, stop, err := t.config(c)
	if err != nil {
		return err
	}
	defer stop()
	look, err := ltlworker.Try(ctx, cfg, t.Path, t.URL, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	printLooks(c.out, []ltlworker.Look{look}, lookBody)
	return nil
}
