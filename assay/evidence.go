package main

import (
	"context"
	"fmt"
	"os"

	abcworker "assay.dev/abc-worker"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/evidence"
	"assay.dev/platform/verify"
)

type evidenceCommand struct {
	Verify verifyCommand `cmd:"" help:"Read an answer's documents again and compare them with the answer."`
}

type verifyCommand struct {
	Answer    string   `arg:"" type:"existingfile" help:"File with the answer's JSON, as it came from the API."`
	Documents []string `arg:"" type:"existingfile" help:"Files with the documents that the answer names in evidence, as /v1/evidence gave them, in any order."`
}

// Help says what is compared.
func (verifyCommand) Help() string {
	return `It needs no network and no key. A document counts only if its SHA-256 is one that the answer names. The parsers of this
program read the documents again. Compared are: of a fuel surcharge the site of its address, the first day, the percent and the diesel price of each
week, in the document in which the week was seen, and that no later week had begun there before the end it has; of a license the whole record,
that the verdict follows, and that the confidence is no higher; of a search the same of each record, that none is missing between the first and
the last of the page, whether others follow, and the number of matches; of a delivery the record, what each list that was read says of the
license, and that the verdict follows.
It has the files alone, and nothing is signed: whoever made them may have changed answer, hashes and documents together.
Where and when a document was read only the service that keeps it knows; the page of a shared proof shows it.
A list that you put there yourself has no document: an answer that rests on one is refused. What is not compared,
because no document says it: when it was read, published, first seen or revised, a list's own date, the reasons, the notes and the messages of
errors, and of a fuel surcharge the method, the confidence, whether it is current or announced, and that a week does not end later.
Bracket tables and prices of diesel are not verified at all.
Of a fuel surcharge it names the edition of the page's words that an operator accepted; it does not judge the words anew.

Exit code 0: all of it stands in the documents. Exit code 1: refused.`
}

// Run verifies one answer.
func (v verifyCommand) Run(ctx context.Context, c *console) error {
	answer, err := readBounded(v.Answer)
	if err != nil {
		return err
	}
	documents := verify.Documents{}
	for _, name := range v.Documents {
		body, err := readBounded(name)
		if err != nil {
			return err
		}
		documents.Add(body)
	}
	found, err := verifyAnswer(ctx, answer, documents)
	for _, line := range found {
		fmt.Fprintln(c.out, line)
	}
	if err == nil {
		fmt.Fprintln(c.out, "verified")
	}
	return err
}

// verifyAnswer verifies an answer by the verifier of its product. It is a [verify.Func].
func verifyAnswer(ctx context.Context, answer []byte, documents verify.Documents) ([]string, error) {
	members, err := verify.Members(answer)
	if err != nil {
		return nil, err
	}
	for name, of := range map[string]verify.Func{
		"carrier": ltlworker.Verify, "errors": ltlworker.Verify, "record": abcworker.Verify, "query": abcworker.Verify,
		"detail": abcworker.Verify,
	} {
		if _, ok := members[name]; ok {
			return of(ctx, answer, documents)
		}
	}
	return nil, verify.Refuse("this is no answer of GET /v1/ltl/fuel-surcharge, /v1/abc/license, /v1/abc/search or " +
		"/v1/abc/delivery: prices of diesel, a list of verdicts, a portfolio or its stops are not verified; " +
		"look a license up")
}

// readBounded reads a file that is no larger than a document may be.
func readBounded(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && info.Size() > evidence.MaxSize {
		err = fmt.Errorf("%s is larger than any document", name)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}
