package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
)

type importKey struct {
	Tenant  string            `help:"Who is billed." required:""`
	Product contracts.Product `help:"The listing it was bought at: ${product}." required:"" enum:"${products}"`
	KeyFile string            `help:"File that holds the key; - for standard input." default:"-" placeholder:"FILE"`
}

// Help says why the key is no argument.
func (importKey) Help() string {
	return `The key is read from standard input, or from --key-file. It is no argument, because every process of the machine
sees those.` + "\n" + targetHelp
}

// Run accepts the key.
func (k importKey) Run(ctx context.Context, c *console) error {
	key, err := k.readKey(c)
	if err != nil {
		return err
	}
	return withKeys(ctx, c, func(s *keys.Store) error {
		if err := s.Import(ctx, key, k.Tenant, k.Product); err != nil {
			return err
		}
		_, err := fmt.Fprintln(c.out, "imported for", k.Product)
		return err
	})
}

// maxKeyText is more than the longest key with white space around it.
const maxKeyText = 4096

// readKey reads the first line of the file or of standard input. It asks a person who types there for the key.
func (k importKey) readKey(c *console) (string, error) {
	var from io.Reader = c.in
	if k.KeyFile != "-" {
		f, err := os.Open(k.KeyFile)
		if err != nil {
			return "", err
		}
		defer f.Close()
		from = f
	} else if isTerminal(c.in) {
		fmt.Fprintln(c.errs, "Type the key as the marketplace shows it, then Enter.")
	}
	text, err := bufio.NewReader(io.LimitReader(from, maxKeyText)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the key: %w", err)
	}
	key := strings.TrimSpace(text)
	if key == "" {
		return "", errors.New("no key came: pass it on standard input, or name a file that holds it with --key-file")
	}
	return key, nil
}

// isTerminal tells whether a person types what is read, or sees what is written.
func isTerminal(r any) bool {
	f, ok := r.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
