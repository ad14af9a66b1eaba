package api

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/exhibit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/share"
	"assay.dev/platform/telemetry"
)

// Shared is the body of a proof that was made.
type Shared struct {
	share.ProofEntry
	Token string `json:"token" jsonschema:"What the address ends with. It is told this once."`
	URL   string `json:"url" jsonschema:"Where anybody sees the proof, without a key."`
}

// Shares is the body of the list of proofs.
type Shares struct {
	Shares []share.ProofEntry `json:"shares" jsonschema:"The newest first."`
}

// shareEndpoints share proofs with strangers (contract §4.22). They cost nothing.
var shareEndpoints = []*Endpoint{
	{
		Path: "/v1/shares", ID: "listShares",
		Summary: "The proofs that you share", Description: "Those that have not ended. It costs nothing.",
		Bodies: bodyType[Shares](), Answer: listShares,
	}, {
		Path: "/v1/shares", ID: "shareProof", Method: "POST", Creates: true,
		Summary: "Share a proof with somebody who has no key",
		Description: "The documents are read again first: 422 for what they do not say. Whoever has the address sees the " +
			"claim and the row in the document, until it ends or is revoked. At most 1,000 at once. It costs nothing.",
		Failures: []*Failure{NoAudit, ProductNotEnabled, MalformedBody, NotAcceptable, UnsupportedMediaType},
		Upload:   jsonUpload[share.ProofRequest](contracts.MaxVerified, "What is to be proven."),
		Bodies:   bodyType[Shared](), Answer: makeShare,
	},
	deletion("/v1/shares/{share}", "revokeShare", "Revoke a proof", shareName.Parameter, NoShare,
		func(ctx context.Context, a *API, r *Request) (string, error) {
			id, err := a.Shares.Revoke(ctx, r.owner(), shareName.of(r))
			if err == nil {
				a.ShareEvents.Revoked.Inc()
			}
			return id, err
		}),
}

// NoShare is what a token or an id is answered with under which the tenant shares no proof.
var NoShare = coded("NoShare", "reason NAME: you share no such proof.",
	contracts.Missing(contracts.NameUnknown, "no such proof is shared; GET /v1/shares lists yours"))

// shareName is the token or the id of a proof.
var shareName = patternParam(Parameter{
	Name: "share", InPath: true, Segment: true, Required: true, Description: "The token of its address, or its id.",
	Example: "ec8e24269b119da1e0e038af6b3175ec",
}, regexp.MustCompile("^([A-Z2-7]{26}|[0-9a-f]{32})$"), "want the token of a proof's address, or its id")

// ShareEvents count what becomes of shared proofs.
type ShareEvents struct{ Made, Refused, Revoked, Shown, Missed prometheus.Counter }

// NewShareEvents registers the metric.
func NewShareEvents(r prometheus.Registerer) (ShareEvents, error) {
	m := telemetry.NewMetrics(r)
	events := m.Counters("gateway_shares_total",
		"Shared proofs: made, refused (the documents do not say it), revoked; and addresses that were opened: shown, or "+
			"missed (none, ended, revoked).", "event")
	if err := m.Err(); err != nil {
		return ShareEvents{}, err
	}
	of := func(event string) prometheus.Counter { return events.WithLabelValues(event) }
	return ShareEvents{of("made"), of("refused"), of("revoked"), of("shown"), of("missed")}, nil
}

func listShares(ctx context.Context, a *API, r *Request) (Reply, error) {
	all, err := a.Shares.List(ctx, r.owner(), time.Now())
	return keptReply(Shares{all}, err)
}

func makeShare(ctx context.Context, a *API, r *Request) (Reply, error) {
	var asked share.ProofRequest
	if err := readObject(r.Body, "answer", "no request for a proof", &asked); err != nil {
		return Reply{}, err
	}
	ctx, span := telemetry.StartSpan(ctx, "assay.dev/gateway/api", "share.make")
	defer span.End()
	made, err := a.share(ctx, r, asked)
	if err != nil {
		if contracts.CodeOf(err) == contracts.InvalidRequest {
			a.ShareEvents.Refused.Inc()
		}
		return Reply{}, err
	}
	a.ShareEvents.Made.Inc()
	return madeReply(made, true, "/v1/shares/"+made.ID, nil)
}

// share has a claim read again, and keeps it under a new token.
func (a *API) share(ctx context.Context, r *Request, asked share.ProofRequest) (Shared, error) {
	if err := asked.Validate(); err != nil {
		return Shared{}, err
	}
	c, err := a.claim(ctx, r, asked)
	if err != nil {
		return Shared{}, err
	}
	now, token := time.Now().UTC().Truncate(time.Second), share.NewToken()
	p := share.Share{
		ProofEntry: share.ProofEntry{
			ID: share.IDOf(token), Kind: c.Kind, AuditID: asked.AuditID, CreatedAt: now,
			ExpiresAt: now.AddDate(0, 0, asked.Days),
		},
		Environment: r.Environment, Product: c.Product, Line: c.Line, Facts: c.Facts,
	}
	if err := a.addDocuments(ctx, r, &c, &p); err != nil {
		return Shared{}, err
	}
	if err := a.addAnswer(ctx, r, &c, &p); err != nil {
		return Shared{}, err
	}
	name := c.Source
	if c.Product == contracts.LTL {
		if name, err = a.carrierName(ctx, r.Environment, contracts.Carrier(c.Source)); err != nil {
			return Shared{}, err
		}
	}
	p.Claim = c.Sentence(cmp.Or(name, c.Source))
	return Shared{p.ProofEntry, token, a.BaseURL(r) + share.Path(token)}, a.putShare(ctx, r.owner(), p)
}

// putShare keeps a proof, unless its audit was deleted meanwhile.
func (a *API) putShare(ctx context.Context, o kept.Owner, p share.Share) error {
	err := a.Shares.Put(ctx, o, p)
	if err != nil || p.AuditID == "" {
		return err
	}
	all, err := a.Shares.List(ctx, o, p.CreatedAt)
	isIt := func(e share.ProofEntry) bool { return e.ID == p.ID }
	_, gone := a.Audits.Get(ctx, o, p.AuditID, p.CreatedAt)
	if err == nil && gone == nil && slices.ContainsFunc(all, isIt) {
		return nil
	}
	_ = a.Shares.Delete(context.WithoutCancel(ctx), o, p.ID) // also of a document that is not listed
	return cmp.Or[error](err, gone, contracts.Errorf(contracts.SourceUnavailable, "it was revoked while it was made"))
}

// claim is what is to be proven, as it was answered, audited or looked up.
func (a *API) claim(ctx context.Context, r *Request, asked share.ProofRequest) (share.Claim, error) {
	if asked.Answer["detail"] != nil {
		asked = asked.OfAbsence()
	}
	switch {
	case asked.Answer != nil:
		return share.OfAnswer(asked.Answer, asked.Week)
	case asked.AuditID != "":
		made, err := a.Audits.Get(ctx, r.owner(), asked.AuditID, time.Now())
		if err != nil {
			return share.Claim{}, err
		}
		return share.OfLine(made.Results, made.GroundOf(asked.Line), asked.Line, made.Contract)
	}
	if !slices.Contains(r.Products, contracts.ABC) {
		return share.Claim{}, contracts.Errorf(contracts.ProductNotEnabled,
			"lookups are of the abc product, which this key is not subscribed to")
	}
	state, err := contracts.ParseState(string(asked.State))
	if err != nil {
		return share.Claim{}, err
	}
	number, err := contracts.NormalLicenseNumber(state, asked.Number)
	if err != nil {
		return share.Claim{}, contracts.Invalid(inBody, "license_number", "value_error", "%s", contracts.AsError(err).Message)
	}
	// That it was this license that was looked up is told by the kept answer alone: a form's answer does not name it.
	found, err := answers.Kept[contracts.LicenseAnswer](ctx, a.Answers,
		contracts.LicenseKey(r.Environment, contracts.LicenseRequest{State: state, Number: number}))
	if err != nil {
		return share.Claim{}, err
	}
	return share.OfAbsence(found, asked.SHA256)
}

// addDocuments reads the documents of a claim: what a proof says of them is what was kept with them. It ends before the
// first one goes.
func (a *API) addDocuments(ctx context.Context, r *Request, c *share.Claim, p *share.Share) error {
	for i, e := range c.Evidence {
		d, err := a.KeptDocument(ctx, r.Environment, r.Products, e.SHA256, e.At)
		if code := contracts.CodeOf(err); code == contracts.NotFound || code == contracts.Gone ||
			code == contracts.InvalidRequest {
			return contracts.Invalid(inBody, "answer", "not_kept", "the document %.12s: %s", e.SHA256,
				contracts.AsError(err).Message)
		}
		if err != nil {
			return err
		}
		e.URL = d.URL
		of := share.Document{Evidence: e, Source: d.Source, ReadAt: d.ReadAt, Bytes: d.Size, Path: d.Path,
			Extension: exhibit.Extension(d.Header["Content-Type"])}
		if err := c.Take(i, of); err != nil {
			return err
		}
		if c.IsShown(i) {
			view := exhibit.Excerpt(d, c.Row)
			p.Text, p.Remark = p.Text+view.Text+"\n", strings.TrimSpace(p.Remark+" "+view.Remark)
		}
		p.Documents = append(p.Documents, of)
		if d.KeptUntil.Before(p.ExpiresAt) {
			p.ExpiresAt = d.KeptUntil.Truncate(time.Second)
		}
	}
	if !p.CreatedAt.Before(p.ExpiresAt) {
		return contracts.Invalid(inBody, "answer", "not_kept", "a document of it goes now")
	}
	return nil
}

// addAnswer has a worker find the claim in the documents. What they do not say is refused.
func (a *API) addAnswer(ctx context.Context, r *Request, c *share.Claim, p *share.Share) (err error) {
	if p.Answer, err = c.Answer(p.Documents[0].ReadAt, p.CreatedAt); err != nil {
		return err
	}
	said, err := a.Verify(ctx, r.Environment, r.Products, p.Answer)
	if err != nil {
		return err
	}
	var refused []string
	for _, check := range said.Checks {
		if !check.Holds {
			refused = append(refused, check.Text)
		}
		p.Checks = append(p.Checks, check.Text)
	}
	if !said.Verified || len(refused) > 0 {
		return contracts.Invalid(inBody, "answer", "not_in_documents", "the documents do not say so: %s",
			contracts.Visible(strings.Join(refused[:min(len(refused), maxViolations)], "; ")))
	}
	return nil
}
