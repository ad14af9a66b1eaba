package main

import (
	"bytes"
	"context"
	"errors"
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
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/sheet"
)

type auditCommand struct {
	File            string `arg:"" help:"File with the lines: .csv, .txt, .xlsx, .json, .ndjson or .jsonl; - for CSV on standard input."`
	URL             string `help:"Address of the API; default: ASSAY_API_URL." placeholder:"URL"`
	TolerancePoints string `help:"By how many percentage points a bill may be off." placeholder:"0"`
	ToleranceAmount string `help:"By how many US dollars a billed amount may be off." placeholder:"0.01"`
	DryRun          bool   `help:"Tell what the audit would cost, and nothing else."`
	IdempotencyKey  string `help:"Key under which the same file is charged once within 24 hours and a kept audit is repeated. The default, the file's hash, repeats it only while all results are the same." placeholder:"KEY"`
	JSON            bool   `help:"Print the results and the totals as one JSON document."`

	Columns     []string `help:"Which column holds what, such as ship_date:\"Ship Dt\" or carrier:#3, or sheet:May; the rest is found by the headings." placeholder:"MEMBER:HEADING" sep:"none"`
	DateForm    string   `help:"mdy or dmy, where the file does not tell whether the month or the day comes first." placeholder:"FORM"`
	PercentForm string   `help:"percent or fraction, where billed_pct looks like fractions." placeholder:"FORM"`
	Contract    *string  `help:"Name of a contract of yours, whose terms stand in place of what the carriers published." placeholder:"NAME"`
	Strict      bool     `help:"Want the members' names as headings, and refuse other columns."`

	packetFlags `embed:""`
}

// Help says what a file holds and what is printed where.
func (auditCommand) Help() string {
	return `It checks the fuel surcharges of invoices against what the carriers published for the ship dates. The file may be as it was
exported: CSV with , ; tab or |, or a workbook (.xlsx); headings, dates and numbers as people have them. Columns, or members of
the objects: carrier, ship_date, and any of id, billed_pct, base_amount, billed_amount, discount_points, cap_pct, min_amount, currency,
service (ltl or truckload), pro_number, bill_received, pickup_date, delivery_date, invoice_date; others are carried through. Which column was taken for what is said on
standard error; --dry-run says it for nothing. At most 10,000 lines and 5 MB, 10 MB of a workbook.

The results go to standard output in the form of the file, the totals to standard error. The API key is ASSAY_API_KEY, or in the
file that ASSAY_API_KEY_FILE names. Each line that is resolved is charged; the same file again within 24 hours is not.

From a file to what goes to each carrier, in one call; a packet says itself how the carrier checks it offline:
  mkdir -p claims && assay audit march.xlsx --packets claims --sender sender.txt >march.csv`
}

// auditMedia are the media types of files by their extensions.
var auditMedia = map[string]string{
	".csv": client.AuditCSV, ".txt": client.AuditCSV, ".tsv": client.AuditCSV, ".xlsx": client.AuditXLSX,
	".json": client.AuditJSON, ".ndjson": client.AuditNDJSON, ".jsonl": client.AuditNDJSON,
}

// Validate checks the address and the kind of file.
func (a auditCommand) Validate() error {
	if a.mediaType() == "" {
		return fmt.Errorf("%s: want a file that ends in .csv, .txt, .tsv, .xlsx, .json, .ndjson or .jsonl, or - for CSV",
			contracts.Printable(a.File))
	}
	if a.Contract != nil && *a.Contract == "" { // what carriers published is not meant by it
		return errors.New("--contract: a name is missing")
	}
	if err := a.packetFlags.Validate(); err != nil {
		return err
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
	printMatch(c, answer.Match)
	if a.DryRun {
		_, err := io.Copy(c.out, answer)
		return err
	}
	results, err := a.show(c, answer, bytes.Count(body, []byte("\n")))
	if err != nil || answer.AuditID == "" {
		return err
	}
	if at := answer.KeptAt; !at.IsZero() {
		fmt.Fprintf(c.errs, "this is the audit that was kept at %s\n", at.Format(time.RFC3339))
	}
	fmt.Fprintf(c.errs, "kept for 90 days as %s, or until %d newer ones are\n", contracts.Printable(answer.AuditID),
		kept.MaxAudits)
	if a.Packets == "" {
		return nil
	}
	return a.writePackets(ctx, c, api, answer.AuditID, disputing(results))
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
	most := lines.MaxBytes
	if a.mediaType() == client.AuditXLSX {
		most = sheet.MaxWorkbook
	}
	body, err := io.ReadAll(io.LimitReader(from, int64(most)+1))
	if err == nil && len(body) > most {
		err = fmt.Errorf("%s is larger than %d bytes; split it, the lines of a shipment in one part", a.File, most)
	}
	return body, err
}

// send sends the file to the API.
func (a auditCommand) send(ctx context.Context, api *client.Client, body []byte) (*client.AuditStream, error) {
	o := client.AuditOptions{
		TolerancePoints: a.TolerancePoints, ToleranceAmount: a.ToleranceAmount, IdempotencyKey: a.IdempotencyKey,
		DateForm: a.DateForm, PercentForm: a.PercentForm, Keep: a.Keep || a.Packets != "",
	}
	if a.Contract != nil {
		o.Contract = *a.Contract
	}
	if !a.Strict {
		o.Columns = append([]string{sheet.Auto}, a.Columns...)
	}
	if a.DryRun {
		return api.QuoteAuditFile(ctx, a.mediaType(), body, o)
	}
	return api.AuditFile(ctx, a.mediaType(), body, o)
}

// show prints the results as they come, or all as JSON at the end, and then the totals.
func (a auditCommand) show(c *console, answer io.Reader, lines int) ([]audit.Result, error) {
	out := c.out
	if a.JSON {
		out = io.Discard
	}
	bar := newProgress(c, lines)
	results, causes, err := readResults(a.mediaType(), io.TeeReader(answer, out), bar)
	bar.end()
	if err != nil {
		return nil, fmt.Errorf("the answer broke off after %d results (%w): run the command again, what was "+
			"charged is not charged again", len(results), err)
	}
	totals := audit.NewTotals()
	for _, r := range results {
		totals.Add(r)
	}
	if a.JSON {
		return results, printJSON(c, map[string]any{"results": results, "totals": totals})
	}
	return results, printTotals(c, totals, causes)
}

// printMatch says which column was read as what.
func printMatch(c *console, m client.AuditMatch) {
	w := tabwriter.NewWriter(c.errs, 0, 0, 2, ' ', 0)
	if name := m.Columns[sheet.OfSheet]; name != "" {
		fmt.Fprintf(w, "lines\tare read from the sheet\t%s\n", contracts.Visible(name))
	}
	for _, member := range audit.Schema.Members {
		if heading, ok := m.Columns[member.Name]; ok && heading != member.Name {
			fmt.Fprintf(w, "%s\tis read from\t%s\n", member.Name, contracts.Visible(heading))
		}
	}
	if m.DateForm != "" {
		fmt.Fprintf(w, "dates\tare\t%s\n", m.DateForm)
	}
	_ = w.Flush() // what cannot be said on standard error is not said
}

func printTotals(c *console, t audit.Totals, causes []string) error {
	for _, cause := range causes {
		fmt.Fprintln(c.errs, contracts.Visible(cause))
	}
	w := tabwriter.NewWriter(c.errs, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "lines\t%d\t\n", t.Lines)
	for _, v := range audit.Verdicts {
		if n := t.Verdicts[v]; n > 0 {
			fmt.Fprintf(w, "%s\t%d\t\n", v, n)
		}
	}
	fmt.Fprintf(w, "variance, USD\t%s\t\nrecoverable, USD\t%s\t\n", t.VarianceAmount, t.RecoverableAmount)
	if t.ContestableAmount != t.RecoverableAmount {
		fmt.Fprintf(w, "still contestable, USD\t%s\t\n", t.ContestableAmount)
	}
	return w.Flush()
}
