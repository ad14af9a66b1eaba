// Command assay is the whole system in one process, and the operator's tools.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"assay.dev/platform/daemon"
)

// commands is the command line: one field a command, one file each.
type commands struct {
	Up        upCommand        `cmd:"" help:"Run the whole system in this process."`
	Provision provisionCommand `cmd:"" help:"Create the streams and buckets of a deployment, or bring them up to date."`
	Keys      keysCommand      `cmd:"" help:"Create, list, rotate, revoke and import API keys."`
	Usage     usageCommand     `cmd:"" help:"Sum the billable answers per tenant, product and month."`
	Credits   creditsCommand   `cmd:"" help:"Show and set what CAPTCHA solves and renders may cost."`
	MCP       mcpCommand       `cmd:"" name:"mcp" help:"Serve the agent tools of a product over standard input and output."`
	Top       topCommand       `cmd:"" help:"Show workers, sources, queues and credits."`
	Probe     probeCommand     `cmd:"" help:"Read one source now and show field by field what was read."`
	Secrets   secretsCommand   `cmd:"" help:"Make the keys and certificates of a new deployment."`
	Accounts  accountsCommand  `cmd:"" help:"Print the accounts part of the NATS servers' configuration."`
	Settings  settingsCommand  `cmd:"" help:"List the settings of every binary, or check those of Kubernetes manifests."`
	Smoke     smokeCommand     `cmd:"" help:"Ask a running test environment for an answer of each kind."`
	Version   versionCommand   `cmd:"" help:"Print the version."`
}

// console is what a command reads and writes.
type console struct {
	environ daemon.Environ
	in      io.ReadCloser
	out     io.Writer
}

func main() {
	ctx, stop := daemon.Signals(context.Background())
	defer stop()
	environ := daemon.OSEnviron()
	daemon.RelaxGC(environ)
	os.Exit(execute(ctx, os.Args[1:], &console{environ: environ, in: os.Stdin, out: os.Stdout}, os.Stderr))
}

// execute runs one command line and returns its exit code: 0, 1 after a failure, 2 for a wrong command line.
func execute(ctx context.Context, args []string, c *console, errs io.Writer) (code int) {
	exited := errors.New("exited") // kong's own exits, such as after --help
	defer func() {
		if p := recover(); p != nil && p != exited { //nolint:errorlint // the very value is meant
			panic(p)
		}
	}()
	parser, err := kong.New(&commands{}, kong.Name("assay"),
		kong.Description("Freight fuel surcharges and liquor licenses, each with its proof."),
		kong.UsageOnError(), kong.Writers(c.out, errs), kong.Exit(func(status int) { code = status; panic(exited) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(c))
	if err != nil {
		fmt.Fprintln(errs, "assay:", err)
		return 2
	}
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintln(errs, "assay:", err)
		return 2
	}
	err = checkUnknown(c.environ)
	if err == nil {
		err = command.Run()
	}
	if err != nil {
		fmt.Fprintln(errs, "assay:", err)
		return 1
	}
	return 0
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(c *console) error {
	_, err := fmt.Fprintln(c.out, "assay", daemon.Version())
	return err
}
