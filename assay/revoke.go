package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay.dev/gateway/keys"
	"assay.dev/platform/clock"
	"assay.dev/platform/daemon"
)

type revokeKey struct {
	Key  string `arg:"" help:"The key's id as keys list shows it, or the key."`
	Wait period `help:"How long to insist while NATS does not answer." default:"1m"`
}

// Help says what a failure means.
func (revokeKey) Help() string {
	return `It insists until NATS has stored the revocation. When it cannot, it says that the key is still good, and exits with
1: run it again. A gateway that is cut off from NATS accepts the keys that it knows for 30 minutes; its /readyz and the
alert KeyFeedStale tell of it.` + "\n" + targetHelp
}

// revokePause is the pause between two attempts.
const revokePause = time.Second

// Run ends the key. It tries again until NATS has stored the revocation or the wait is over.
func (k revokeKey) Run(ctx context.Context, c *console) error {
	insisting, cancel := context.WithTimeout(ctx, time.Duration(k.Wait))
	defer cancel()
	for {
		err := withKeys(insisting, c, func(s *keys.Store) error { return s.Revoke(insisting, k.Key) })
		if err == nil {
			_, err = fmt.Fprintln(c.out, "revoked: every gateway that reaches NATS refuses the key within 5 seconds")
			return err
		}
		if errors.Is(err, keys.ErrUnknown) {
			return err
		}
		fmt.Fprintln(c.errs, "not yet:", err)
		if clock.Sleep(insisting, revokePause) != nil {
			return stillGood(c, err)
		}
	}
}

// stillGood is the error for a key whose revocation nobody confirmed: it must be taken for good.
func stillGood(c *console, cause error) error {
	where := "the deployment"
	if t, err := daemon.Load[target](c.environ); err == nil {
		where = t.String()
	}
	return fmt.Errorf("NOT revoked, as far as is known: the key is still good at every gateway of %s; run this again: %w",
		where, cause)
}

// String names the deployment. It leaves out the password that a URL may hold.
func (t target) String() string {
	if t.NATSURL == "" {
		return "the assay up on " + t.Data
	}
	var urls []string
	for address := range strings.SplitSeq(t.NATSURL, ",") {
		if _, host, ok := strings.Cut(address, "@"); ok {
			address = host
		}
		urls = append(urls, address)
	}
	return strings.Join(urls, ",")
}
