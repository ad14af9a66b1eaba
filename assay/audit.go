package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/platform/daemon"
)

type auditCommand struct {
	File            string `arg:"" help:"File with the lines: .csv, .json, .ndjson or .jsonl; - for CSV on standard input."`
	URL             string `help:"Address of the API." default:"http://127.0.0.1:8080"`
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
	".csv": "text/csv", ".json": "application/json", ".ndjson": "application/x-ndjson", ".jsonl": "application/x-ndjson",
}

// Validate checks the address and the kind of file.
func (a auditCommand) Validate() error {
	if a.mediaType() == "" {
		return fmt.Errorf("%s: want a file that ends in .csv, .json, .ndjson or .jsonl, or - for CSV", contracts.Printable(a.File))
	}
	base, err := url.Parse(a.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return fmt.Errorf("--url %q: want an address such as http://127.0.0.1:8080", contracts.Printable(a.URL))
	}
	return nil
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
	cfg, err := daemon.Load[agentConfig](c.environ)
	if err != nil {
		return err
	}
	if cfg.Key == "" {
		return errors.New("ASSAY_API_KEY is not set: `assay keys create` issues a key")
	}
	body, err := a.read(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, auditTime)
	defer cancel()
	connections := &http.Transport{Proxy: http.ProxyFromEnvironment}
	defer connections.CloseIdleConnections()
	response, err := a.send(ctx, remoteAPI{strings.TrimRight(a.URL, "/"), cfg.Key, connections}, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return auditRefusal(response)
	}
	if a.DryRun {
		_, err := io.Copy(c.out, response.Body)
		return err
	}
	return a.show(c, response, bytes.Count(body, []byte("\n")))
}

// read reads the file. A larger one than the API takes is not sent.
func (a auditCommand) read(c *console) ([]byte, error) {
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
func (a auditCommand) send(ctx context.Context, api remoteAPI, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "/v1/ltl/audit"+a.query(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	key := hex.EncodeToString(sum[:])
	if a.IdempotencyKey != "" {
		key = a.IdempotencyKey
	}
	request.Header = http.Header{"Content-Type": {a.mediaType()}, "Idempotency-Key": {key}}
	response, err := api.send(request)
	if err != nil {
		return nil, errors.New(api.unreachableText(err))
	}
	return response, nil
}

func (a auditCommand) query() string {
	values := url.Values{}
	for name, value := range map[string]string{"tolerance_points": a.TolerancePoints, "tolerance_amount": a.ToleranceAmount} {
		if value != "" {
			values.Set(name, value)
		}
	}
	if a.DryRun {
		values.Set("dry_run", "1")
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// auditRefusal is the API's error, in its own words.
func auditRefusal(r *http.Response) error {
	var coded struct {
		Detail struct{ Error, Message string }
	}
	var invalid struct {
		Detail []contracts.Violation
	}
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxListing)) // what is there of it has to do
	switch {
	case json.Unmarshal(body, &coded) == nil && coded.Detail.Error != "":
		return fmt.Errorf("%q: %q", coded.Detail.Error, coded.Detail.Message)
	case json.Unmarshal(body, &invalid) == nil && len(invalid.Detail) > 0:
		v := invalid.Detail[0]
		return fmt.Errorf("%s: %q", contracts.Printable(strings.Join(v.Loc, " ")), v.Msg)
	}
	return fmt.Errorf("there is no Assay API at this address: its answer, status %d, is none of the API's", r.StatusCode)
}

// show prints the results as they come, or all as JSON at the end, and then the totals.
func (a auditCommand) show(c *console, response *http.Response, lines int) error {
	out := c.out
	if a.JSON {
		out = io.Discard
	}
	bar := newProgress(c, lines)
	results, err := readResults(a.mediaType(), io.TeeReader(response.Body, out), bar)
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
