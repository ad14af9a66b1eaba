package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
)

type keysCommand struct {
	Create  createKey   `cmd:"" help:"Issue a key and print it; it is shown only once."`
	List    listKeys    `cmd:"" help:"List all keys by their ids and last characters."`
	Rotate  rotateKey   `cmd:"" help:"Issue a successor and let the old key expire."`
	Revoke  revokeKey   `cmd:"" help:"End a key; every gateway that reaches NATS refuses it within 5 seconds."`
	Confirm confirmKeys `cmd:"" help:"Let restored keys be accepted."`
	Import  importKey   `cmd:"" help:"Accept a key that the marketplace made, or add a product to it."`
}

// Help says which deployment is meant.
func (keysCommand) Help() string { return strings.TrimSpace(targetHelp) }

// withKeys calls f with the keys of the deployment.
func withKeys(ctx context.Context, c *console, f func(*keys.Store) error) error {
	conn, js, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	store, err := keys.OpenStore(ctx, js)
	if err != nil {
		return err
	}
	return f(store)
}

// shownKey is a key as people and scripts see it. Key is set when the key was just issued, and never again.
type shownKey struct {
	Key string `json:"key,omitempty"`
	keys.Listed
	// State is good, expired or revoked.
	State string `json:"state"`
}

func shown(key string, l keys.Listed) shownKey {
	state := "good"
	switch err := l.Usable(); {
	case errors.Is(err, keys.ErrExpired):
		state = "expired"
	case errors.Is(err, keys.ErrRevoked):
		state = "revoked"
	}
	return shownKey{key, l, state}
}

// printIssued prints a key that was just issued: alone on standard output, and what is known of it on standard
// error; or all of it as JSON on standard output. The key is printed whatever fails after it was issued.
func printIssued(ctx context.Context, c *console, s *keys.Store, key string, asJSON bool) error {
	issued, err := issuedKey(ctx, s, key)
	switch {
	case err != nil:
		fmt.Fprintln(c.out, key)
		return fmt.Errorf("the key is issued and good, but what it permits cannot be read: %w", err)
	case asJSON:
		return printJSON(c, issued)
	}
	if _, err := fmt.Fprintln(c.out, key); err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.errs, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "id\t%s\ntenant\t%s\nenvironment\t%s\nproducts\t%s\nlimit\t%d requests in any minute\nexpires\t%s\n",
		issued.ID, issued.Tenant, issued.Environment, join(issued.Products), issued.Limit, expiry(issued.ExpiresAt))
	return w.Flush()
}

// issuedKey reads the record of a key that was just issued.
func issuedKey(ctx context.Context, s *keys.Store, key string) (shownKey, error) {
	hash, err := keys.Parse(key)
	if err != nil {
		return shownKey{}, err
	}
	all, err := s.List(ctx)
	if err != nil {
		return shownKey{}, err
	}
	i := slices.IndexFunc(all, func(l keys.Listed) bool { return l.ID == hash.ID() })
	if i < 0 {
		return shownKey{}, keys.ErrUnknown
	}
	return shown(key, all[i]), nil
}

func expiry(at time.Time) string {
	if at.IsZero() {
		return "never"
	}
	return at.Format(time.RFC3339)
}

func join(products []contracts.Product) string { return strings.Join(contracts.Texts(products), ",") }
