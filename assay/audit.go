package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

type auditCommand struct {
	File            string `arg:"" help:"File with the lines: .csv, .json, .ndjson or .jsonl; - for CSV on standard input."`
	URL             string `help:"Address of the API; default: ASSAY_API_URL." placeholder:"URL"`
	TolerancePoints string `help:"By how many percentage points a bill may be off." placeholder:"0"`
	ToleranceAmount string `help:"By how many US dollars a billed amount may be off." placeholder:"0.01"`
	DryRun          bool   `help:"Tell what the audit would cost, and nothing else."`
	IdempotencyKey  string `help:"Key under which the same file is charged once within 24 hours; by default the file's hash." placeholder:"KEY"`
	JSON            bool   `help:"Print the results and the totals as one JSON document."`
}

// Help says what a file holds and what is printed where.
func (auditCommand) Help() string {
	return `It checks the fuel surcharges of invoices against what the carriers published for the ship dates. Columns, or members of
the objects: id, carrier, ship_date, and any of billed_pct, base_amount, billed_amount, discount_points, cap_pct, min_amount,
service (ltl or truckload), pro_number, bill_received. At most 10,000 lines and 5 MB.

The results go to standard output in the form of the file, the totals to standard error. The API key is ASSAY_API_KEY, or in the
file that ASSAY_API_KEY_FILE names. Each line that is resolved is charged; the same file again within 24 hours is not.`
}

// auditMedia are the media types of files by their extensions.
var auditMedia = map[string]string{
	".csv": client.AuditCSV, ".json": client.AuditJSON, ".ndjson": client.AuditNDJSON, ".jsonl": client.AuditNDJSON,
}

// Validate checks the address and the kind of file.
func (a auditCommand) Validate() error {
	if a.mediaType() == "" {
		return fmt.Errorf("%s: want a file that ends in .csv, .json, .ndjson or .jsonl, or - for CSV", contracts.Printable(a.File))
	}
	return checkAddress(a.URL)
}

func (a auditCommand) mediaType() string {
	if a.File == "-" {
		return auditMedia[".csv"]
	}
	return auditMedia[strings.ToLower(filepath.Ext(a.File))]
}

// auditTime bounds the whole of an audit: the file's way there, and the answer's back.
const auditTime = 3 * time.Minute

// Run audits the file.
func (a auditCommand) Run(ctx context.Context, c *console) error {
	api, err := newClient(c, client.Options{URL: a.URL, Timeout: auditTime})
	if err != nil {
		return err
	}
	defer api.Close()
	body, err := a.readInvoices(c)
	if err != nil {
		return err
	}
	answer, err := a.send(ctx, api, body)
	if err != nil {
		return err
	}
	defer answer.Close()
	if a.DryRun {
		_, err := io.Copy(c.out, answer)
		return err
	}
	return a.show(c, answer, bytes.Count(body, []byte("\n")))
}

// readInvoices reads the file. A file that is larger than the API takes is not sent.
func (a auditCommand) readInvoices(c *console) ([]byte, error) {
	from := io.Reader(c.in)
	if a.File != "-" {
		f, err := os.Open(a.File)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		from = f
	}
	body, err := io.ReadAll(io.LimitReader(from, audit.MaxBytes+1))
	if err == nil && len(body) > audit.MaxBytes {
		err = fmt.Errorf("%s is larger than %d bytes; split it", a.File, audit.MaxBytes)
	}
	return body, err
}

// send sends the file to the API.
func (a auditCommand) send(ctx context.Context, api *client.Client, body []byte) (io.ReadCloser, error) {
	o := client.AuditOptions{TolerancePoints: a.TolerancePoints, ToleranceAmount: a.ToleranceAmount, IdempotencyKey: a.IdempotencyKey}
	if a.DryRun {
		return api.QuoteAuditFile(ctx, a.mediaType(), body, o)
	}
	return api.AuditFile(ctx, a.mediaType(), body, o)
}

// show prints the results as they come, or all as JSON at the end, and then the totals.
func (a auditCommand) show(c *console, answer io.Reader, lines int) error {
	out := c.out
	if a.JSON {
		out = io.Discard
	}
	bar := newProgress(c, lines)
	results, err := readResults(a.mediaType(), io.TeeReader(answer, out), bar)
	bar.end()
	if err != nil {
		return fmt.Errorf("the answer broke off after %d results (%w): run the command again, what was charged is not charged again", len(results), err)
	}
	totals := audit.NewTotals()
	for _, r := range results {
		totals.Add(r)
	}
	if a.JSON {
		return printJSON(c, map[string]any{"results": results, "totals": totals})
	}
	return printTotals(c, totals)
}

func printTotals(c *console, t audit.Totals) error {
	w := tabwriter.NewWriter(c.errs, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "lines\t%d\t\n", t.Lines)
	for _, v := range audit.Verdicts {
		if n := t.Verdicts[v]; n > 0 {
			fmt.Fprintf(w, "%s\t%d\t\n", v, n)
		}
	}
	fmt.Fprintf(w, "variance, USD\t%s\t\nrecoverable, USD\t%s\t\n", t.VarianceAmount, t.RecoverableAmount)
	return w.Flush()
}
