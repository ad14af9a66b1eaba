package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	client "assay.dev/clients/go"
	"assay.dev/platform/verify"
)

type getEvidenceCommand struct {
	Answer string `arg:"" type:"existingfile" help:"File with the answer's JSON, as assay get --json prints it."`
	To     string `help:"Directory for the documents." type:"existingdir" default:"."`
}

// Help says what is written.
func (getEvidenceCommand) Help() string {
	return `Each document that the answer names, also as a delinquent list, is written to a file of its own and checked by its SHA-256; a line a file is printed.
A file that is there already is not overwritten. It costs nothing. Then, without network and key:
  assay evidence verify answer.json FILES`
}

// Run downloads the documents.
func (e getEvidenceCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	answer, err := readBounded(e.Answer)
	if err != nil {
		return err
	}
	named := verify.Named(answer)
	if len(named) == 0 {
		return fmt.Errorf("%s names no documents", e.Answer)
	}
	api, err := newClient(c, client.Options{URL: g.URL})
	if err != nil {
		return err
	}
	defer api.Close()
	for _, one := range named {
		document, err := api.Evidence(ctx, one)
		if err != nil {
			return getError(err)
		}
		name := filepath.Join(e.To, document.Name)
		if err := writeNew(name, document.Bytes); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s\t%s\t%s\n", name, one.Role, visible(one.URL))
	}
	return nil
}

// writeNew writes a file that must not exist, unless it has the same content.
func writeNew(name string, content []byte) error {
	if there, err := os.ReadFile(name); err == nil && string(there) == string(content) {
		return nil
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Close()
}
