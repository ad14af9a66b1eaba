package main

import (
	"context"
	"encoding/json"
	"fmt"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
)

type shareCommand struct {
	Make   shareMakeCommand   `cmd:"" default:"withargs" help:"Give the proof of an answer an address that anybody opens."`
	List   shareListCommand   `cmd:"" help:"List the proofs that you share."`
	Revoke shareRevokeCommand `cmd:"" help:"End a proof."`

	URL string `help:"Address of the API; default: ASSAY_API_URL." placeholder:"URL"`
}

// Validate checks the address.
func (s shareCommand) Validate() error { return checkAddress(s.URL) }

type shareMakeCommand struct {
	Answer string          `arg:"" optional:"" type:"existingfile" help:"File with the answer's JSON, as assay get --json prints it."`
	Week   contracts.Date  `help:"First day of the week of a fuel surcharge; without it the answer's first one." placeholder:"DATE"`
	State  contracts.State `help:"State of a lookup that found no such license; ANSWER is what it printed, of the last day."`
	Number string          `help:"License number of that lookup."`
	Audit  string          `help:"Id of a kept audit, for one of its lines." placeholder:"ID"`
	Line   int             `help:"Number of the line in the audit's file; in a CSV the headings are line 1."`
	Days   int             `help:"For how long, 1 to 400." default:"90"`
}

// Help says what is shown.
func (shareMakeCommand) Help() string {
	return `Examples:
  assay get license CA 400000 --json >answer.json && assay share answer.json
  assay share --audit 5f3a0c4e9b1d48f7a2c6e0d3b5f79182 --line 2
  assay share answer.json --state TX --number 199999999

The address is printed, this once. Whoever has it sees the claim, the row in the kept document, and how to check it without
us, until it ends or is revoked. The documents are read again first; what they do not say is refused. It costs nothing.`
}

// Validate wants one thing to prove.
func (s shareMakeCommand) Validate() error {
	if (s.Answer == "") == (s.Audit == "") || (s.Audit == "") != (s.Line == 0) || (s.State == "") != (s.Number == "") {
		return fmt.Errorf("want a file with an answer, with --state and --number for a license that there is " +
			"not; or --audit and --line")
	}
	return nil
}

// Run makes the proof.
func (s shareMakeCommand) Run(ctx context.Context, c *console, of *shareCommand) error {
	asked, err := s.request()
	if err != nil {
		return err
	}
	return withAPI(c, of.URL, func(api *client.Client) error {
		made, err := api.Share(ctx, asked)
		if err != nil {
			return getError(err)
		}
		fmt.Fprintln(c.out, made.Body.URL)
		fmt.Fprintf(c.errs, "%s\nUntil %s; assay share revoke %s ends it.\n", visible(made.Body.Claim),
			moment(made.Body.ExpiresAt), made.Body.ID)
		return nil
	})
}

func (s shareMakeCommand) request() (client.ShareRequest, error) {
	asked := client.ShareRequest{AuditID: s.Audit, Line: s.Line, Days: s.Days, Week: s.Week, State: s.State,
		LicenseNumber: s.Number}
	if s.Answer == "" {
		return asked, nil
	}
	text, err := readBounded(s.Answer)
	if err != nil || s.State == "" {
		asked.Answer = text
		return asked, err
	}
	var absent struct {
		Verifiability contracts.Verifiability `json:"_verifiability"`
	}
	if err := json.Unmarshal(text, &absent); err != nil || absent.Verifiability.EvidenceSHA256 == nil {
		return asked, fmt.Errorf("%s is no proof of absence of a license", s.Answer)
	}
	asked.EvidenceSHA256 = *absent.Verifiability.EvidenceSHA256
	return asked, nil
}

// withAPI calls the API of an address.
func withAPI(c *console, url string, call func(*client.Client) error) error {
	api, err := newClient(c, client.Options{URL: url})
	if err != nil {
		return err
	}
	defer api.Close()
	return call(api)
}

type shareListCommand struct{}

// Run prints a line a proof.
func (shareListCommand) Run(ctx context.Context, c *console, of *shareCommand) error {
	return withAPI(c, of.URL, func(api *client.Client) error {
		all, err := api.Shares(ctx)
		if err != nil {
			return getError(err)
		}
		for _, e := range all.Body.Shares {
			fmt.Fprintf(c.out, "%s\tuntil %s\t%s\n", e.ID, moment(e.ExpiresAt), visible(e.Claim))
		}
		return nil
	})
}

type shareRevokeCommand struct {
	Share string `arg:"" help:"The id of the proof, or the token at the end of its address."`
}

// Run ends the proof.
func (s shareRevokeCommand) Run(ctx context.Context, c *console, of *shareCommand) error {
	return withAPI(c, of.URL, func(api *client.Client) error {
		return getError(api.RevokeShare(ctx, s.Share))
	})
}
