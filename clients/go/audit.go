package client

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"time"

	"assay.dev/contracts"
)

// The forms of a file of invoice lines.
const (
	AuditCSV    = "text/csv"
	AuditJSON   = "application/json"
	AuditNDJSON = "application/x-ndjson"
	// AuditXLSX files are read as they are only ([AuditOptions.Columns]), and answered in CSV.
	AuditXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// AuditOptions are those of an audit. Amounts and points are decimal texts, such as "0.05"; empty ones are the API's
// defaults.
type AuditOptions struct {
	TolerancePoints string
	ToleranceAmount string
	// IdempotencyKey is the key under which the same body is charged once within 24 hours; empty takes the body's hash.
	// Your own key repeats a kept audit as it was; the hash does so only while all results are the same.
	IdempotencyKey string
	// Columns reads a file as it was exported: "auto", or which column holds what, such as "ship_date:Ship Dt". None wants
	// the members' names as headings.
	Columns []string
	// Contract is the name of a contract of yours, whose terms stand in place of what the carriers published.
	Contract string
	// Keep keeps the result for 90 days under [Audit.AuditID]; what is kept is charged as a whole.
	Keep bool
	// DateForm ("mdy" or "dmy") and PercentForm ("percent" or "fraction") decide what a file leaves open.
	DateForm, PercentForm string
}

// AuditLine is a line of an invoice. Percents and amounts are decimal texts, such as "46.32"; empty members are not
// given.
type AuditLine struct {
	ID             string            `json:"id"`
	Carrier        contracts.Carrier `json:"carrier"`
	ShipDate       contracts.Date    `json:"ship_date"`
	BilledPct      string            `json:"billed_pct,omitempty"`
	BaseAmount     string            `json:"base_amount,omitempty"`
	BilledAmount   string            `json:"billed_amount,omitempty"`
	DiscountPoints string            `json:"discount_points,omitempty"`
	CapPct         string            `json:"cap_pct,omitempty"`
	MinAmount      string            `json:"min_amount,omitempty"`
	Currency       string            `json:"currency,omitempty"`
	Service        string            `json:"service,omitempty"`
	PRONumber      string            `json:"pro_number,omitempty"`
	BillReceived   contracts.Date    `json:"bill_received,omitempty"`
	PickupDate     contracts.Date    `json:"pickup_date,omitempty"`
	DeliveryDate   contracts.Date    `json:"delivery_date,omitempty"`
	InvoiceDate    contracts.Date    `json:"invoice_date,omitempty"`
}

// Audit is what the API says of invoice lines (contract §4.11), in their order.
type Audit struct {
	Results []AuditResult `json:"results"`
	Totals  AuditTotals   `json:"totals"`
	// AuditID is the id under which it is kept; empty for one that is not.
	AuditID string `json:"audit_id,omitempty"`
	AuditMatch
}

// AuditMatch says which columns of a file as it is were read as what, and the forms of their values. It is empty
// without [AuditOptions.Columns].
type AuditMatch struct {
	Columns     map[string]string `json:"columns,omitempty"`
	DateForm    string            `json:"date_form,omitempty"`
	PercentForm string            `json:"percent_form,omitempty"`
}

// AuditProblem is why some lines have no verdict. Lines are their numbers, such as "2-61, 70".
type AuditProblem struct {
	Verdict string `json:"verdict"`
	Message string `json:"message"`
	Count   int    `json:"count"`
	Lines   string `json:"lines"`
}

// AuditResult is the verdict on a line. Percents and amounts are decimal texts; nil is not known.
type AuditResult struct {
	ID                string         `json:"id"`
	Carrier           string         `json:"carrier"`
	ShipDate          contracts.Date `json:"ship_date"`
	Verdict           string         `json:"verdict"`
	PRONumber         *string        `json:"pro_number"`
	PublishedPct      *string        `json:"published_pct"`
	EffectiveDate     contracts.Date `json:"effective_date"`
	EndDate           contracts.Date `json:"end_date"`
	BilledPct         *string        `json:"billed_pct"`
	ExpectedPct       *string        `json:"expected_pct"`
	VariancePoints    *string        `json:"variance_points"`
	BaseAmount        *string        `json:"base_amount"`
	BilledAmount      *string        `json:"billed_amount"`
	ExpectedAmount    *string        `json:"expected_amount"`
	VarianceAmount    *string        `json:"variance_amount"`
	RecoverableAmount *string        `json:"recoverable_amount"`
	ContestableAmount *string        `json:"contestable_amount"`
	ExpiredAmount     *string        `json:"expired_amount"`
	ContestBy         contracts.Date `json:"contest_by"`
	Formula           *string        `json:"formula"`
	Reason            *string        `json:"reason"`
	EvidenceURL       *string        `json:"evidence_url"`
	Errors            []string       `json:"errors"`
	// Numbers are the same percents as numbers; nil from a deployment older than they are.
	Numbers *AuditPercents `json:"numbers,omitempty"`
	// Other are the cells of columns that hold no member, by their headings, of a file that was read as it is.
	Other map[string]string `json:"other,omitempty"`
}

// AuditPercents are the percents of a line; nil is not known.
type AuditPercents struct {
	PublishedPct   *float64 `json:"published_pct"`
	BilledPct      *float64 `json:"billed_pct"`
	ExpectedPct    *float64 `json:"expected_pct"`
	VariancePoints *float64 `json:"variance_points"`
}

// AuditTotals sum the results.
type AuditTotals struct {
	AuditSums
	Problems []AuditProblem `json:"problems"`
}

// AuditSums are the counts and sums of totals, in US dollars.
type AuditSums struct {
	Lines             int            `json:"lines"`
	Verdicts          map[string]int `json:"verdicts"`
	VarianceAmount    string         `json:"variance_amount"`
	RecoverableAmount string         `json:"recoverable_amount"`
	ContestableAmount string         `json:"contestable_amount"`
	ExpiredAmount     string         `json:"expired_amount"`
}

// AuditQuote is what an audit would cost, in US dollars.
type AuditQuote struct {
	DryRun    bool            `json:"dry_run"`
	Lines     int             `json:"lines"`
	Resolved  int             `json:"resolved"`
	LinePrice contracts.Price `json:"line_price_usd"`
	Price     contracts.Price `json:"price_usd"`
	// LivePrice is what a live key would pay.
	LivePrice contracts.Price `json:"live_price_usd"`
	Problems  []AuditProblem  `json:"problems,omitempty"`
	AuditMatch
}

// Audit holds invoice lines against what carriers published for their ship dates.
func (c *Client) Audit(ctx context.Context, lines []AuditLine, o AuditOptions) (*Answer[Audit], error) {
	body, err := json.Marshal(lines)
	if err != nil {
		return nil, err
	}
	a, err := ask[Audit](ctx, c, auditRequest(AuditJSON, body, o, false))
	if err == nil && (len(a.Body.Results) != len(lines) || a.Body.Totals.Lines != len(lines)) {
		return nil, &ForeignError{URL: c.base, Status: http.StatusOK}
	}
	return a, err
}

// QuoteAudit tells what the audit would cost. It is free.
func (c *Client) QuoteAudit(ctx context.Context, lines []AuditLine, o AuditOptions) (*Answer[AuditQuote], error) {
	body, err := json.Marshal(lines)
	if err != nil {
		return nil, err
	}
	return ask[AuditQuote](ctx, c, auditRequest(AuditJSON, body, o, true))
}

// AuditStream is an answer as it comes, and how the columns of a file were read that was sent as it is. AuditID is the
// id under which it is kept; empty for one that is not. KeptAt is when it was kept before; zero for a new audit.
type AuditStream struct {
	io.ReadCloser
	Match   AuditMatch
	AuditID string
	KeptAt  time.Time
}

// AuditFile sends a file in one of the forms and gives the API's answer, which has the same form, as it comes; that of
// a workbook is CSV. The caller closes it. An answer that is whole ends with its totals.
func (c *Client) AuditFile(ctx context.Context, form string, file []byte, o AuditOptions) (*AuditStream, error) {
	return c.auditFile(ctx, auditRequest(form, file, o, false))
}

// QuoteAuditFile tells in the file's form what the audit would cost. It is free. The caller closes the answer.
func (c *Client) QuoteAuditFile(ctx context.Context, form string, file []byte, o AuditOptions) (*AuditStream, error) {
	return c.auditFile(ctx, auditRequest(form, file, o, true))
}

func (c *Client) auditFile(ctx context.Context, q request) (*AuditStream, error) {
	response, err := c.exchange(ctx, q)
	if err != nil {
		return nil, err
	}
	keptAt, _ := http.ParseTime(response.Header.Get("Last-Modified")) // which a new audit does not have
	return &AuditStream{response.Body, matchIn(response.Header.Get("Assay-Columns")),
		response.Header.Get("Assay-Audit-Id"), keptAt}, nil
}

// matchIn reads the header that says how columns were read: a query string.
func matchIn(header string) (m AuditMatch) {
	values, err := url.ParseQuery(header)
	if header == "" || err != nil {
		return m
	}
	m.DateForm, m.PercentForm, m.Columns = values.Get("date_form"), values.Get("percent_form"), map[string]string{}
	for name := range values {
		if name != "date_form" && name != "percent_form" {
			m.Columns[name] = values.Get(name)
		}
	}
	return m
}

func auditRequest(form string, body []byte, o AuditOptions, dryRun bool) request {
	query := values("tolerance_points", o.TolerancePoints, "tolerance_amount", o.ToleranceAmount, "date_form", o.DateForm,
		"percent_form", o.PercentForm, "contract", o.Contract)
	for _, columns := range o.Columns {
		query.Add("columns", columns)
	}
	if dryRun {
		query.Set("dry_run", "1")
	}
	if o.Keep {
		query.Set("keep", "1")
	}
	return linesRequest("/v1/ltl/audit", form, body, query, o.IdempotencyKey)
}

// linesRequest sends a file of lines. Without a key it is called by the body's hash.
func linesRequest(path, form string, body []byte, query url.Values, key string) request {
	if key == "" {
		sum := sha256.Sum256(body)
		key = hex.EncodeToString(sum[:])
	}
	return request{
		method: http.MethodPost, path: path, query: query, body: bytes.Clone(body),
		header: http.Header{"Content-Type": {form}, "Idempotency-Key": {key}},
	}
}
