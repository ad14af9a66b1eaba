package main

import (
	"context"
	"time"

	"assay.dev/gateway/keys"
)

type rotateKey struct {
	Key     string `arg:"" help:"The key's id as keys list shows it, or the key."`
	Overlap period `help:"How long the old key stays good, such as 12h or 2d." default:"24h"`
	JSON    bool   `help:"Print the new key and what it permits as JSON."`
}

// Run issues the successor.
func (k rotateKey) Run(ctx context.Context, c *console) error {
	return withKeys(ctx, c, func(s *keys.Store) error {
		key, err := s.Rotate(ctx, k.Key, time.Duration(k.Overlap))
		if err != nil {
			return err
		}
		return printIssued(ctx, c, s, key, k.JSON)
	})
}
