package api

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/spreadsheet"
)

// HeaderAuditID is the header of an audit's reply that names the audit that is kept.
const HeaderAuditID = "Assay-Audit-Id"

// Audits is the body of the list of audits.
type Audits struct {
	Audits []kept.AuditEntry `json:"audits" jsonschema:"The newest first."`
}

// auditEndpoints are those of kept audits (contract §4.16). They cost nothing.
var auditEndpoints = []*Endpoint{
	{
		Path: "/v1/ltl/audits", ID: "listAudits",
		Summary: "Your kept audits", Description: "The audits that keep=1 kept, the newest first, with their " +
			"totals. It costs nothing.",
		Bodies: bodyType[Audits](), Answer: listAudits,
	}, {
		Path: "/v1/ltl/audits/{id}", ID: "getAudit",
		Summary: "A kept audit", Description: "The results and totals of an audit as they were when it " +
			"was made. It costs nothing.",
		Parameters: []*Parameter{auditID.Parameter, auditFormat.Parameter, byteOrderMark.Parameter, withTotals.Parameter},
		Failures:   []*Failure{NoAudit}, IsLarge: true,
		Bodies: bodyType[Audit](), Answer: getAudit,
		Forms: []Form{
			{Reply: "application/x-ndjson", Text: "With format=ndjson: as the audit of such a file."},
			{Reply: spreadsheet.MediaType, Text: "With format=csv: as the audit of such a file."},
		},
	},
	deletion("/v1/ltl/audits/{id}", "deleteAudit", "Delete a kept audit", auditID.Parameter, NoAudit,
		func(ctx context.Context, a *API, r *Request) (string, error) {
			id := auditID.of(r)
			return id, a.DeleteAudit(ctx, r.owner(), id)
		}),
	makingPacket,
}

// NoAudit is what an id is answered with under which the tenant keeps no audit.
var NoAudit = coded("NoAudit", "reason NAME: you keep no audit with that id.",
	contracts.Missing(contracts.NameUnknown, "no audit with this id is kept; GET /v1/ltl/audits lists yours"))

var (
	auditID = patternParam(Parameter{
		Name: "id", InPath: true, Segment: true, Required: true, Description: "The audit's id, from the header " +
			"Assay-Audit-Id or the list.",
		Example: "5f3a0c4e9b1d48f7a2c6e0d3b5f79182",
	}, kept.AuditIDs, "an id has 32 digits from 0 to 9 and a to f")
	auditFormat = choiceParam(Parameter{
		Name: "format", Description: "The form of the answer: json, the default, ndjson or csv.",
	}, []string{formatJSON, "ndjson", formatCSV})
	keepAudit = booleanParam(Parameter{
		Name: "keep", Argument: Argument{Omitted: true},
		Description: "true keeps the result for 90 days under the id in the header Assay-Audit-Id, in JSON " +
			"audit_id. It is charged as a whole, also when the client hangs up. 200 audits or 64 MB are kept; the oldest go.",
	}, false)
)

// keptAudit is the reply with an audit that is kept. A repetition of the same request within a day gets what was kept,
// and makes no verdict. A key that is the body's hash comes from our clients. It prevents a second charge, but terms
// and weeks may have changed. So the lines are judged first, and their results belong to the request.
func (a *API) keptAudit(ctx context.Context, r *Request, o lines.Output,
	judge func() (kept.Audit, error)) (Reply, error) {
	judge = sync.OnceValues(judge)
	asked := []string{r.IdempotencyKey, r.Form.MediaType, r.Query, string(r.Body)}
	if r.IdempotencyKey == hashOf(string(r.Body)) {
		made, err := judge()
		results, failed := json.Marshal(made.Results)
		if err := cmp.Or(err, failed); err != nil {
			return Reply{}, err
		}
		asked = append(asked, string(results))
	}
	request := ""
	if r.IdempotencyKey != "" {
		request = hashOf(asked...)
		made, ok, err := a.Audits.Repeated(ctx, r.owner(), request, time.Now())
		if err != nil {
			return Reply{}, err
		}
		if ok {
			reply := a.auditReply(made, o, r.Form.Reply, nil)
			reply.Headers = append(reply.Headers, Header{"Last-Modified", made.KeptAt.UTC().Format(http.TimeFormat)})
			return reply, nil
		}
	}
	made, err := judge()
	if err != nil {
		return Reply{}, err
	}
	return a.auditReply(made, o, r.Form.Reply, func(ctx context.Context) error {
		return a.Audits.Put(ctx, r.owner(), made, request)
	}), nil
}

// hashOf is the SHA-256 of texts.
func hashOf(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}

func (a *API) auditReply(made kept.Audit, o lines.Output, mediaType string, keep func(context.Context) error) Reply {
	resolved := 0
	for _, r := range made.Results {
		if r.Verdict.IsResolved() {
			resolved++
		}
	}
	return Reply{
		MediaType: mediaType, Pieces: auditPieces(made, o, len(made.Results), resolved), LinePrice: a.Auditing.Price,
		Keep: keep, IsWhole: true, Headers: append(columnsHeader(made.Found), Header{HeaderAuditID, made.ID}),
		Sheet: sheetOf(made.Found),
	}
}

// auditPieces write an audit that is kept, and charge lines of it as a whole.
func auditPieces(made kept.Audit, o lines.Output, through, resolved int) iter.Seq[lines.Piece] {
	o.KeptID = made.ID
	return lines.ChargedAtOnce(audit.Pieces(o, made.Found, slices.Values(made.Results)), through, resolved)
}

func listAudits(ctx context.Context, a *API, r *Request) (Reply, error) {
	all, err := a.Audits.List(ctx, r.owner(), time.Now())
	return keptReply(Audits{all}, err)
}

func getAudit(ctx context.Context, a *API, r *Request) (Reply, error) {
	made, err := a.Audits.Get(ctx, r.owner(), auditID.of(r), time.Now())
	if err != nil {
		return Reply{}, err
	}
	o, mediaType := lines.Output{Format: lines.JSON, NoTotals: !withTotals.of(r)}, "application/json"
	switch auditFormat.of(r) {
	case "ndjson":
		o.Format, mediaType = lines.NDJSON, "application/x-ndjson"
	case formatCSV:
		o.Format, mediaType = lines.CSV, spreadsheet.MediaType
	}
	return Reply{MediaType: mediaType, Pieces: auditPieces(made, o, 0, 0), Headers: columnsHeader(made.Found)}, nil
}

// DeleteAudit deletes a tenant's audit, and revokes the proofs of its lines: first, and those that were made meanwhile.
func (a *API) DeleteAudit(ctx context.Context, o kept.Owner, id string) error {
	if err := a.Shares.RevokeOf(ctx, o, id); err != nil {
		return err
	}
	if err := a.Audits.Delete(ctx, o, id); err != nil {
		return err
	}
	return a.Shares.RevokeOf(ctx, o, id)
}
