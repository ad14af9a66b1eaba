package main

import (
	"context"
	"fmt"

	"assay.dev/captcha-worker/credits"
	"assay.dev/gateway/keys"
)

type confirmKeys struct{}

// Help says what to look at before.
func (confirmKeys) Help() string {
	return `After a restore every key is answered 503, because a key that was revoked since the backup is good again. Revoke those first:
` + "`assay keys list`, `assay keys revoke`" + `. Then confirm. Shared proofs open again by it too.
` + targetHelp
}

// Run lets the gateways accept the restored keys.
func (confirmKeys) Run(ctx context.Context, c *console) error {
	return withKeys(ctx, c, func(s *keys.Store) error {
		if err := s.Confirm(ctx); err != nil {
			return err
		}
		_, err := fmt.Fprintln(c.out, "the keys are accepted")
		return err
	})
}

type confirmCredits struct{}

// Help says what to look at before.
func (confirmCredits) Help() string {
	return `After a restore nothing is paid for from a ledger that the provider does not count itself (CAPTCHA solves), because what was spent
since the backup is not in it. Set the month's budget lower by that first, if it matters: ` + "`assay credits set`" + `. Then confirm.
` + targetHelp
}

// Run lets the captcha-workers reserve credits again.
func (confirmCredits) Run(ctx context.Context, c *console) error {
	conn, js, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := credits.Confirm(ctx, js); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.out, "the ledgers are used")
	return err
}
