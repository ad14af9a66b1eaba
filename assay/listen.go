package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
	"assay.dev/courier"
	"assay.dev/platform/clock"
)

type listenCommand struct {
	Sources   []string               `name:"source" help:"States and carriers, such as CA,TX; none for all." placeholder:"CODES"`
	Types     []contracts.ChangeType `name:"type" help:"Types, such as license.status_changed; none for all." placeholder:"TYPES"`
	Portfolio string                 `help:"A portfolio of yours: the changes of its licenses, and source.* of their states." placeholder:"NAME"`
	Since     string                 `help:"The cursor to begin at; without it, the newest one." placeholder:"CURSOR"`
	Forward   string                 `help:"Send each change there too, signed as a webhook is, such as http://127.0.0.1:3000/hook." placeholder:"URL"`
	Secret    string                 `help:"Secret to sign with, whsec_…; without it, one is made and printed." placeholder:"SECRET"`
	JSON      bool                   `help:"Print each change as a line of JSON."`
	URL       string                 `help:"Address of the API; default: ASSAY_API_URL." placeholder:"URL"`
}

// Help says what it is good for.
func (listenCommand) Help() string {
	return `Prints the changes that the key sees as they come, until Ctrl-C. With --forward a receiver of webhooks can be written on this machine
before anything is reachable from outside: requests are signed by Standard Webhooks, and sent once each.`
}

// Validate checks the addresses and the secret.
func (l listenCommand) Validate() error {
	if l.Forward != "" && client.CheckURL(l.Forward) != nil {
		return fmt.Errorf("--forward %q: want an address such as http://127.0.0.1:3000/hook", contracts.Printable(l.Forward))
	}
	if _, err := standardwebhooks.NewWebhook(l.Secret); err != nil {
		return errors.New("--secret: want whsec_ and base64")
	}
	return checkAddress(l.URL)
}

const (
	// listenWait is how many seconds a request waits for a change, and listenPause how long after a failure the next one
	// follows.
	listenWait  = 60
	listenPause = 5 * time.Second
	forwardTime = 15 * time.Second
)

// Run prints what comes until ctx ends.
func (l listenCommand) Run(ctx context.Context, c *console) error {
	api, err := newClient(c, client.Options{URL: l.URL})
	if err != nil {
		return err
	}
	defer api.Close()
	if l.Forward != "" && l.Secret == "" {
		l.Secret = "whsec_" + base64.StdEncoding.EncodeToString([]byte(rand.Text()))
		fmt.Fprintln(c.errs, "requests are signed with", l.Secret)
	}
	q := client.ChangesQuery{Since: l.Since, Sources: l.Sources, Types: l.Types, Portfolio: l.Portfolio}
	for ctx.Err() == nil {
		answer, err := api.Changes(ctx, q)
		var failed *client.Error
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &failed) && failed.Status < http.StatusInternalServerError &&
			failed.Code != contracts.RateLimited:
			return getError(err)
		case err != nil:
			fmt.Fprintln(c.errs, "asked again in a moment:", err)
			_ = clock.Sleep(ctx, listenPause) // the loop ends with ctx
			continue
		}
		if q.Since == "" {
			fmt.Fprintln(c.errs, "listening; begin here again with --since", answer.Body.Cursor)
		}
		for _, change := range answer.Body.Changes {
			if err := l.takeChange(ctx, c, change); err != nil {
				return err
			}
		}
		q.Since, q.Wait = answer.Body.Cursor, listenWait
	}
	return nil
}

// takeChange prints a change, and sends it on.
func (l listenCommand) takeChange(ctx context.Context, c *console, change contracts.Change) error {
	doc, err := json.Marshal(change)
	if err != nil {
		return err
	}
	d := change.Data
	if l.JSON {
		fmt.Fprintf(c.out, "%s\n", contracts.EscapeJSON(doc))
	} else {
		fmt.Fprintf(c.out, "%s  %s  %s  %s  %s → %s\n", moment(change.OccurredAt),
			change.Source, change.Type,
			cmp.Or(d.LicenseNumber, "-"), cmp.Or(valuesText(d.Before), "none"), cmp.Or(valuesText(d.After), "none"))
	}
	if l.Forward == "" {
		return nil
	}
	said, err := l.forward(ctx, change.ID, doc)
	if err != nil {
		said = err.Error()
	}
	fmt.Fprintf(c.errs, "  %s: %s\n", l.Forward, said)
	return nil
}

// forward sends a change once, and tells the status.
func (l listenCommand) forward(ctx context.Context, id string, doc []byte) (status string, err error) {
	signer, err := standardwebhooks.NewWebhook(l.Secret)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, forwardTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.Forward, bytes.NewReader(doc))
	if err != nil {
		return "", err
	}
	if err := courier.Sign(req.Header, id, time.Now(), doc, signer); err != nil {
		return "", err
	}
	sender := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := sender.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<10)) // only the status is told
	return resp.Status, nil
}
