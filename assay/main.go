// Command assay runs the whole system in one process, and holds the operator's commands.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/alecthomas/kong"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
)

// commands is the command line: one field for each command, one file for each field.
type commands struct {
	Up        upCommand        `cmd:"" help:"Run the whole system in this process."`
	Provision provisionCommand `cmd:"" help:"Create the streams and buckets of a deployment, or bring them up to date."`
	Keys      keysCommand      `cmd:"" help:"Create, list, rotate, revoke and import API keys."`
	Usage     usageCommand     `cmd:"" help:"Sum the billable answers per tenant, product and month."`
	Credits   creditsCommand   `cmd:"" help:"Show and set what CAPTCHA solves and renders may cost."`
	Archive   archiveCommand   `cmd:"" help:"Import weeks that a carrier no longer shows."`
	Changes   changesCommand   `cmd:"" help:"Confirm that licenses are gone from a register."`
	Webhooks  webhooksCommand  `cmd:"" help:"List tenants' webhooks, or disable one."`
	Get       getCommand       `cmd:"" help:"Ask the API for a surcharge, a license, a search or a document."`
	Listen    listenCommand    `cmd:"" help:"Print what changes as it comes, and send it on as webhooks do."`
	Audit     auditCommand     `cmd:"" help:"Check the fuel surcharges of an invoice file against what was published."`
	Share     shareCommand     `cmd:"" help:"Share the proof of an answer with somebody who has no key."`
	MCP       mcpCommand       `cmd:"" name:"mcp" help:"Serve the agent tools of a product over standard input and output."`
	Agents    agentsCommand    `cmd:"" help:"Describe and pack the tool servers for agents' registries and desktops."`
	Top       topCommand       `cmd:"" help:"Show workers, sources, queues and credits."`
	Monitor   monitorCommand   `cmd:"" help:"Serve metrics of JetStream, as the NATS servers tell them."`
	Evidence  evidenceCommand  `cmd:"" help:"Work with the documents that answers were read from."`
	Check     checkCommand     `cmd:"" help:"Check that every stream holds at least what was seen of it before."`
	Backup    backupCommand    `cmd:"" help:"Back up what nothing can replace, while the system runs."`
	Restore   restoreCommand   `cmd:"" help:"Restore missing streams from a backup."`
	Probe     probeCommand     `cmd:"" help:"Read one source now and show field by field what was read."`
	Sources   sourcesCommand   `cmd:"" help:"Show what is in doubt of carriers' pages, and accept it."`
	Secrets   secretsCommand   `cmd:"" help:"Make the keys and certificates of a new deployment."`
	Accounts  accountsCommand  `cmd:"" help:"Print the accounts part of the NATS servers' configuration."`
	Settings  settingsCommand  `cmd:"" help:"List the settings of every binary, or check those of Kubernetes manifests."`
	Smoke     smokeCommand     `cmd:"" help:"Ask a running test environment for an answer of each kind."`
	Version   versionCommand   `cmd:"" help:"Print the version."`
	Help      helpCommand      `cmd:"" help:"Show the help of a command."`

	ShowVersion kong.VersionFlag `name:"version" short:"v" help:"Print the version."`
}

const description = `Freight fuel surcharges and liquor licenses, each with its proof.

Exit codes: 0 after success, 1 after a failure or for a wrong setting, 2 for a wrong command line; assay get --help names
more.`

// console is what a command reads and writes.
type console struct {
	environ daemon.Environ
	in      io.ReadCloser
	out     io.Writer // results, which a script may take
	errs    io.Writer // errors, progress and remarks, for people
	bare    *console  // the same without the guard of inertWriter, for control sequences of our own
}

// inert is the console on which nothing that is printed does something to the terminal.
func (c *console) inert() *console {
	return &console{environ: c.environ, in: c.in, out: &inertWriter{to: c.out}, errs: &inertWriter{to: c.errs}, bare: c}
}

func main() {
	ctx, stop := daemon.Signals(context.Background())
	defer stop()
	environ := daemon.OSEnviron()
	daemon.RelaxGC(environ)
	os.Exit(execute(ctx, os.Args[1:], &console{environ: environ, in: os.Stdin, out: os.Stdout, errs: os.Stderr}))
}

// The exit codes.
const (
	exitFailure = 1
	exitUsage   = 2
)

// execute runs one command line and returns its exit code: 0, exitFailure, exitUsage, or that of an [exitError].
func execute(ctx context.Context, args []string, c *console) (code int) {
	c = c.inert()
	exited := errors.New("exited") // stands for kong's own exits, such as the one after --help
	defer func() {
		if p := recover(); p != nil && p != exited { //nolint:errorlint // the very value is meant
			panic(p)
		}
	}()
	out, exit := c.out, 0
	if len(args) == 0 { // a bare assay shows the help, and is a wrong command line all the same
		args, out, exit = []string{"--help"}, c.errs, exitUsage
	}
	parser, err := kong.New(&commands{}, kong.Name("assay"), kong.Description(description),
		vocabulary(), kong.Vars{"version": versionLine(), "system": runtime.GOOS}, kong.Writers(out, c.errs),
		kong.Exit(func(int) { code = exit; panic(exited) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(c))
	if err != nil {
		return explain(c, err)
	}
	command, err := parser.Parse(args)
	if err == nil {
		err = checkUnknown(c.environ)
	}
	if err == nil {
		err = command.Run()
	}
	return explain(c, err)
}

// explain prints an error and returns the exit code for it. After a wrong command line it names the help to read.
func explain(c *console, err error) int {
	if err == nil {
		return 0
	}
	var wrong *kong.ParseError
	var own *exitError
	text := err.Error()
	if errors.As(err, &wrong) {
		text = inPlainWords(text)
	}
	fmt.Fprintln(c.errs, "assay:", text)
	if errors.As(err, &own) {
		return own.code
	}
	if !errors.As(err, &wrong) {
		return exitFailure
	}
	help := "assay"
	if command := wrong.Context.Command(); command != "" {
		help = commandName(wrong.Context)
	}
	fmt.Fprintf(c.errs, "`%s --help` shows what can be said\n", help)
	return exitUsage
}

// commandName is the part of a command line that was understood, without its arguments, such as "assay keys create".
func commandName(k *kong.Context) string {
	name := k.Model.Name
	for _, step := range k.Path {
		if step.Command != nil {
			name += " " + step.Command.Name
		}
	}
	return name
}

// printJSON prints v as one JSON document, indented for people.
func printJSON(c *console, v any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := c.out.Write(contracts.EscapeJSON(text.Bytes()))
	return err
}

// vocabulary is what tags of commands name: ${products} is ltl,abc, ${product} is "ltl or abc", and ${state} so.
func vocabulary() kong.Vars {
	return kong.Vars{
		"products": strings.Join(contracts.Texts(contracts.Products), ","),
		"product":  contracts.Listed(contracts.Products, "or"), "state": contracts.Listed(contracts.States, "or"),
	}
}
