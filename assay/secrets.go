package main

import (
	"fmt"
	"io/fs"
	"os"
	"slices"

	"assay.dev/assay/install"
	"assay.dev/platform/access"
)

type secretsCommand struct {
	Dir       string `arg:"" help:"Directory to fill; what is in it stays." default:"deploy/k8s/components/secrets/generated"`
	Namespace string `help:"Namespace that the NATS servers will run in." default:"assay"`
}

// Help says what to do with the files.
func (secretsCommand) Help() string {
	return "The overlays of deploy/k8s take the files from deploy/k8s/components/secrets/generated. Keep " +
		"them out of version control."
}

// Run writes the files that are missing, and names them.
func (s secretsCommand) Run(c *console) error {
	files := func() ([]string, error) { return fs.Glob(os.DirFS(s.Dir), "*/*") }
	before, err := files()
	if err == nil {
		err = install.Write(s.Dir, s.Namespace)
	}
	if err != nil {
		return err
	}
	after, err := files()
	for _, name := range after {
		if !slices.Contains(before, name) {
			fmt.Fprintln(c.out, "made", name)
		}
	}
	switch {
	case len(before) == 0:
		fmt.Fprintf(c.errs, "All secrets in %s are new; an installation that stands has others: put those there before "+
			"you apply anything to it.\n", s.Dir)
	case len(before) == len(after):
		fmt.Fprintln(c.out, "nothing was missing in", s.Dir)
	}
	return err
}

type accountsCommand struct{}

// Run prints what the servers' configuration includes as accounts.conf.
func (accountsCommand) Run(c *console) error {
	_, err := fmt.Fprint(c.out, access.Config())
	return err
}
