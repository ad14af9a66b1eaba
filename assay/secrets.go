package main

import (
	"fmt"

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

// Run writes the files that are missing.
func (s secretsCommand) Run(c *console) error {
	if err := install.Write(s.Dir, s.Namespace); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.out, "written to", s.Dir)
	return err
}

type accountsCommand struct{}

// Run prints what the servers' configuration includes as accounts.conf.
func (accountsCommand) Run(c *console) error {
	_, err := fmt.Fprint(c.out, access.Config())
	return err
}
