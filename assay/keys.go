package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
)

type keysCommand struct {
	Create createKey `cmd:"" help:"Issue a key and print it; it is shown only once."`
	List   listKeys  `cmd:"" help:"List all keys by their ids and last characters."`
	Rotate rotateKey `cmd:"" help:"Issue a successor and let the old key expire."`
	Revoke revokeKey `cmd:"" help:"End a key; every gateway that reaches NATS refuses it within 5 seconds."`
	Import importKey `cmd:"" help:"Accept a key that the marketplace made, or add a product to it."`
}

// Help says which deployment is meant.
func (keysCommand) Help() string { return strings.TrimSpace(targetHelp) }

type createKey struct {
	Tenant      string                `help:"Who is billed: 1 to 100 letters, digits and . _ : @ -" required:""`
	Environment contracts.Environment `help:"live or test." default:"test"`
	Products    []contracts.Product   `help:"Products subscribed to: ltl, abc." default:"ltl,abc" enum:"ltl,abc"`
	Limit       int                   `help:"Requests in any minute, over all keys of the tenant." default:"60"`
	Expires     time.Duration         `help:"How long the key is good, such as 720h; 0 for ever." default:"0"`
}

// Run issues the key.
func (k createKey) Run(ctx context.Context, c *console) error {
	return withKeys(ctx, c, func(s *keys.Store) error {
		r := keys.Record{Tenant: k.Tenant, Environment: k.Environment, Products: k.Products, Limit: k.Limit}
		if k.Expires > 0 {
			r.ExpiresAt = time.Now().UTC().Add(k.Expires).Truncate(time.Second)
		}
		return printKey(c)(s.Create(ctx, r))
	})
}

type listKeys struct{}

// Run prints a table.
func (listKeys) Run(ctx context.Context, c *console) error {
	return withKeys(ctx, c, func(s *keys.Store) error {
		all, err := s.List(ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tENDS IN\tTENANT\tENVIRONMENT\tPRODUCTS\tLIMIT\tCREATED\tSTATE")
		for _, k := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", k.ID, k.Last4, k.Tenant, k.Environment, join(k.Products),
				k.Limit, k.CreatedAt.Format(time.DateOnly), state(k.Record))
		}
		return w.Flush()
	})
}

func join(products []contracts.Product) string {
	var names []string
	for _, p := range products {
		names = append(names, string(p))
	}
	return strings.Join(names, ",")
}

func state(r keys.Record) string {
	err := r.Usable()
	switch {
	case err != nil:
		return err.Error()
	case r.ExpiresAt.IsZero():
		return "good"
	}
	return "good until " + r.ExpiresAt.Format(time.RFC3339)
}

type rotateKey struct {
	Key     string        `arg:"" help:"The key, or its id as keys list shows it."`
	Overlap time.Duration `help:"How long the old key stays good." default:"24h"`
}

// Run issues the successor.
func (k rotateKey) Run(ctx context.Context, c *console) error {
	return withKeys(ctx, c, func(s *keys.Store) error { return printKey(c)(s.Rotate(ctx, k.Key, k.Overlap)) })
}

type importKey struct {
	Key     string            `arg:"" help:"The key as the marketplace shows it."`
	Tenant  string            `help:"Who is billed." required:""`
	Product contracts.Product `help:"The listing it was bought at: ltl or abc." required:"" enum:"ltl,abc"`
}

// Run accepts the key.
func (k importKey) Run(ctx context.Context, c *console) error {
	return withKeys(ctx, c, func(s *keys.Store) error {
		if err := s.Import(ctx, k.Key, k.Tenant, k.Product); err != nil {
			return err
		}
		_, err := fmt.Fprintln(c.out, "imported for", k.Product)
		return err
	})
}

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

func printKey(c *console) func(string, error) error {
	return func(key string, err error) error {
		if err == nil {
			_, err = fmt.Fprintln(c.out, key)
		}
		return err
	}
}
