package daemon

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// Option adjusts [Main].
type Option func(*program)

// Default replaces the default of a setting, in this program only.
func Default(variable, value string) Option {
	return func(p *program) { p.defaults = append(p.defaults, [2]string{variable, value}) }
}

type program struct {
	name, summary string
	defaults      [][2]string
	environ       Environ
	args          []string
	stdout        io.Writer
	stderr        io.Writer
}

// Main is the main function of a service: it reads C from the environment and calls run until SIGINT or SIGTERM; a
// second signal kills. --help prints every setting, --check-config the effective ones, --version the version. A
// variable ASSAY_* that C does not read is a wrong setting. It exits with 0 after an orderly stop, 1 after a failure or
// wrong settings, 2 after a wrong command line.
func Main[C any](name, summary string, run func(context.Context, C) error, opts ...Option) {
	p := &program{name: name, summary: summary, environ: OSEnviron(), args: os.Args[1:], stdout: os.Stdout,
		stderr: os.Stderr}
	for _, o := range opts {
		o(p)
	}
	RelaxGC(p.environ)
	ctx, stop := Signals(context.Background())
	defer stop()
	os.Exit(start(ctx, p, run))
}

// Signals returns a context that ends at the first SIGINT or SIGTERM. The second kills the process.
func Signals(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// start does the work of [Main] and returns the exit code.
func start[C any](ctx context.Context, p *program, run func(context.Context, C) error) int {
	flags := flag.NewFlagSet(p.name, flag.ContinueOnError)
	flags.SetOutput(p.stderr)
	check := flags.Bool("check-config", false,
		"print the effective settings, secrets redacted, and exit: 0 when they are valid, else 1")
	version := flags.Bool("version", false, "print the version and exit")
	settings := p.withDefaults(Settings[C]())
	flags.Usage = func() { p.usage(flags, settings) }
	if err := flags.Parse(p.args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if *version {
		fmt.Fprintln(p.stdout, p.name, Version())
		return 0
	}
	unknown := CheckUnknown(p.name, p.environ, settings)
	for _, d := range p.defaults {
		p.environ = p.environ.WithDefault(d[0], d[1])
	}
	cfg, err := Load[C](p.environ)
	err = errors.Join(unknown, err)
	if *check {
		fmt.Fprintln(p.stdout, strings.Join(Values(cfg), "\n"))
	}
	if err == nil && !*check {
		err = run(ctx, cfg)
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "%s: %v\n", p.name, err)
		return 1
	}
	return 0
}

func (p *program) withDefaults(settings []Setting) []Setting {
	for _, d := range p.defaults {
		for i := range settings {
			if settings[i].Variable == d[0] {
				settings[i].Default = d[1]
			}
		}
	}
	return settings
}

func (p *program) usage(flags *flag.FlagSet, settings []Setting) {
	flags.SetOutput(p.stdout)
	fmt.Fprintf(p.stdout, "%s: %s\n\nUsage: %s [flags]\n\nFlags:\n", p.name, p.summary, p.name)
	flags.PrintDefaults()
	fmt.Fprintln(p.stdout, "\nEverything else is set by environment variables.")
	PrintSettings(p.stdout, settings)
}
