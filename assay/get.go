package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
)

// getCommand is the terminal's client of the API: one field for each thing that can be asked for.
type getCommand struct {
	Surcharge getSurchargeCommand `cmd:"" help:"Fuel surcharges of carriers."`
	License   getLicenseCommand   `cmd:"" help:"One liquor license."`
	Delivery  getDeliveryCommand  `cmd:"" help:"Whether to deliver to the holder of a license."`
	Search    getSearchCommand    `cmd:"" help:"Liquor licenses by name or address."`
	Evidence  getEvidenceCommand  `cmd:"" help:"Download the documents that an answer was read from."`
	Packet    getPacketCommand    `cmd:"" help:"What goes to a carrier, of an audit that is kept: a ZIP. It is free."`
	Table     getTableCommand     `cmd:"" help:"The bracket table behind a carrier's percents."`
	Diesel    getDieselCommand    `cmd:"" help:"National diesel prices by week."`
	Changes   getChangesCommand   `cmd:"" help:"What changed since a cursor."`
	Carriers  getCarriersCommand  `cmd:"" help:"The carriers and how each is read."`
	States    getStatesCommand    `cmd:"" help:"The states and what each register can prove."`

	URL     string `help:"Address of the API; default: ASSAY_API_URL." placeholder:"URL"`
	JSON    bool   `help:"Print the answer as it came: keep it for assay evidence verify."`
	Require string `help:"Members that must be printed by the source, such as status,suspensions; fail when one is not." placeholder:"MEMBERS"`
}

// confident are the flags of questions whose answer must have a confidence.
type confident struct {
	RequireConfidence float64 `help:"Exit with 4 when the answer is less sure, such as 0.90." placeholder:"LEAST"`
}

// Help says where the key comes from and what the exit codes are.
func (getCommand) Help() string {
	return `Examples:
  assay get surcharge ODFL --as-of 2026-09-11
  assay get license TX 100001140 --require suspensions
  assay get search CA --dba-name "blue cafe" --json
  assay get license CA 400000 --json >answer.json && assay get evidence answer.json

The API key is ASSAY_API_KEY, or in the file that ASSAY_API_KEY_FILE names. Each answer is a charge to a live key, as over
HTTP. A call that is answered with 429 or 503 is made again when Retry-After says so, three times in two minutes at most.

Exit codes: 0: answered. 1: not answered, such as SOURCE_UNAVAILABLE, which proves nothing. 2: a wrong command line.
3: proven not to exist, or not known of that day (LICENSE_ABSENT, TYPE_ABSENT, WEEK_NOT_ARCHIVED). 4: answered and
printed, and the answer does not have what was required of it. 5: asked wrongly, such as of a state or carrier that is
not served, which proves nothing. assay get license has three more, for verdicts.`
}

// Validate checks the address.
func (g getCommand) Validate() error { return checkAddress(g.URL) }

// The further exit codes of assay get.
const (
	exitAbsent   = 3
	exitDoubtful = 4
	exitMisasked = 5
)

// exitError is an error with an exit code of its own.
type exitError struct {
	error
	code int
}

// Unwrap returns the error.
func (e *exitError) Unwrap() error { return e.error }

// getError gives an error its exit code, and says what to do about it.
func getError(err error) error {
	var failed *client.Error
	var unsure *client.ConfidenceError
	var member *client.MemberError
	switch {
	case errors.As(err, &failed) && (failed.IsProofOfAbsence() || failed.Code == contracts.WeekNotArchived):
		return &exitError{advised(failed), exitAbsent}
	case errors.As(err, &failed) && (failed.Code == contracts.NotFound || failed.Code == contracts.InvalidRequest):
		return &exitError{advised(failed), exitMisasked}
	case errors.As(err, &failed):
		return advised(failed)
	case errors.As(err, &unsure), errors.As(err, &member):
		return &exitError{err, exitDoubtful}
	}
	return err
}

// advised is the error with what to do about it.
func advised(e *client.Error) error { return fmt.Errorf("%w\n%s", e, e.Advice) }

// getAnswer makes one call, prints the answer and checks what was required: that its confidence is not below least, and
// its members.
func getAnswer[Body any](
	ctx context.Context, c *console, g *getCommand, least float64,
	ask func(context.Context, *client.Client) (*client.Answer[Body], error), show func(*report, Body),
) error {
	api, err := newClient(c, client.Options{URL: g.URL})
	if err != nil {
		return err
	}
	defer api.Close()
	answer, err := ask(ctx, api)
	if err != nil {
		if failed := (*client.Error)(nil); g.JSON && errors.As(err, &failed) && failed.IsProofOfAbsence() {
			fmt.Fprintf(c.out, "%s\n", contracts.EscapeJSON(failed.Raw))
		}
		return getError(err)
	}
	if g.JSON {
		fmt.Fprintf(c.out, "%s\n", contracts.EscapeJSON(answer.Raw))
	} else if err := printAnswer(c, answer, show); err != nil {
		return err
	}
	if err := answer.RequireConfidence(least); err != nil {
		return getError(err)
	}
	return getError(answer.Require(g.required()...))
}

// required are the members of --require.
func (g *getCommand) required() []string {
	return strings.FieldsFunc(g.Require, func(r rune) bool { return r == ',' || r == ' ' })
}

func printAnswer[Body any](c *console, answer *client.Answer[Body], show func(*report, Body)) error {
	r := newReport(c.out)
	show(r, answer.Body)
	if answer.Environment == contracts.Test {
		r.line("invented data of the sandbox: the key is a test key")
	}
	return r.flush()
}
