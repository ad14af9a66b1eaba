package main

import (
	"context"
	"fmt"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
)

type createKey struct {
	Tenant      string                `help:"Who is billed: 1 to 100 letters, digits and . _ : @ -" required:""`
	Environment contracts.Environment `help:"live or test." default:"test"`
	Products    []contracts.Product   `help:"Products subscribed to, of ${product}." default:"ltl,abc" enum:"${products}"`
	Limit       int                   `help:"Requests in any minute, over all keys of the tenant." default:"60"`
	Expires     period                `help:"How long the key is good, such as 12h, 30d or 2w; 0 for ever." default:"0"`
	JSON        bool                  `help:"Print the key and what it permits as JSON."`
}

// Help says what is printed where.
func (createKey) Help() string {
	return `The key stands alone on standard output, such as for KEY=$(assay keys create --tenant acme). Its id, environment,
products, limit and expiry go to standard error.` + "\n" + targetHelp
}

// Validate refuses what a key cannot have.
func (k createKey) Validate() error {
	if !keys.ValidTenant(k.Tenant) {
		return fmt.Errorf("--tenant %q: want 1 to 100 letters, digits and . _ : @ -", contracts.Printable(k.Tenant))
	}
	if k.Limit < 1 {
		return fmt.Errorf("--limit %d: want at least 1 request in any minute; to end a key, revoke it", k.Limit)
	}
	return nil
}

// Run issues the key.
func (k createKey) Run(ctx context.Context, c *console) error {
	return withKeys(ctx, c, func(s *keys.Store) error {
		r := keys.Record{Tenant: k.Tenant, Environment: k.Environment, Products: k.Products, Limit: k.Limit}
		if k.Expires > 0 {
			r.ExpiresAt = time.Now().UTC().Add(time.Duration(k.Expires)).Truncate(time.Second)
		}
		key, err := s.Create(ctx, r)
		if err != nil {
			return err
		}
		return printIssued(ctx, c, s, key, k.JSON)
	})
}
