package wire

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strconv"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/usage"
	"assay.dev/platform/telemetry"
)

// chargeRetry is when a client should come back while it cannot be told what was charged.
const chargeRetry = 5 * time.Second

// writePieces writes a reply as it is made. A piece is charged when it is written. The error is for a request whose
// charge cannot be told; nothing is written then.
func (s *Server) writePieces(x *exchange, r api.Reply) error {
	ctx, span := telemetry.StartSpan(x.ctx, "assay.dev/gateway/wire", "lines.write")
	defer span.End()
	if r.Write != nil {
		x.beginPieces(r)
		return r.Write(x.c.Writer)
	}
	charge := s.newCharge(x, r)
	if charge.receipt != nil {
		r.Pieces = fromCharged(r.Pieces)
	}
	next, stop := iter.Pull(r.Pieces)
	defer stop()
	piece, more := next()
	switch err := charge.claim(ctx, piece); {
	case contracts.CodeOf(err) == contracts.InvalidRequest:
		return err
	case err != nil:
		return contracts.Wrap(err, contracts.SourceUnavailable,
			"it cannot be told whether this request was charged before; retry later, or send it without an Idempotency-Key").After(chargeRetry)
	}
	if r.Keep != nil {
		if err := r.Keep(context.WithoutCancel(ctx)); err != nil {
			if errors.Is(err, kept.ErrTwice) { // the other one's lines may be charged by this claim
				charge.report(piece)
				return err
			}
			charge.release(ctx, piece)
			return err
		}
	}
	if charge.isRepeated && charge.due == 0 {
		r.Headers = append(r.Headers, api.Header{Name: api.HeaderReplayed, Value: "true"})
	}
	x.beginPieces(r)
	for isClaimed := true; more; piece, more = next() {
		if !isClaimed {
			charge.claimOrForgo(ctx, piece)
		}
		isClaimed = false
		if !x.writePiece(piece) && !r.IsWhole {
			charge.release(ctx, piece)
			return nil // a caller that hung up is not our failure
		}
		charge.report(piece)
	}
	return nil
}

// fromCharged joins the pieces before the first charged line to the piece with that line.
func fromCharged(pieces iter.Seq[lines.Piece]) iter.Seq[lines.Piece] {
	return func(yield func(lines.Piece) bool) {
		var first lines.Piece
		for p := range pieces {
			if first.Resolved == 0 {
				first.Text, first.Through = append(first.Text, p.Text...), max(first.Through, p.Through)
				if first.Resolved = p.Resolved; p.Resolved == 0 {
					continue
				}
				p = first
			}
			if !yield(p) {
				return
			}
		}
		if first.Resolved == 0 {
			yield(first)
		}
	}
}

// writePiecesSafely is writePieces; a panic in it is an INTERNAL error. A failure is written where nothing was written
// before.
func (s *Server) writePiecesSafely(x *exchange, r api.Reply) error {
	err := s.safely(x, func() error { return s.writePieces(x, r) })
	switch {
	case err != nil && x.status == 0:
		s.writeFailure(x, err)
	case err != nil:
		x.status, x.isCutShort = http.StatusInternalServerError, true
	}
	return err
}

// beginPieces sends the headers. The body has no length that is known beforehand.
func (x *exchange) beginPieces(r api.Reply) {
	h := x.newHeaders()
	h.set("Content-Type", r.MediaType)
	h.set("Cache-Control", "no-store")
	h.setOrigin(x.origin)
	for _, header := range r.Headers {
		h.set(header.Name, header.Value)
	}
	if r.LinePrice > 0 && x.isLive() {
		h.set(api.HeaderLinePrice, r.LinePrice.String())
	}
	h.writeTo(x.c.Writer.Header())
	x.status = http.StatusOK
	x.c.Writer.WriteHeader(x.status)
}

// writePiece tells whether the client still reads.
func (x *exchange) writePiece(p lines.Piece) bool {
	if x.ctx.Err() != nil {
		return false
	}
	if _, err := x.c.Writer.Write(p.Text); err != nil {
		return false
	}
	return http.NewResponseController(x.c.Writer).Flush() == nil
}

// charge is what a reply in pieces costs its caller.
type charge struct {
	s       *Server
	x       *exchange
	price   contracts.Price
	receipt *usage.Receipt // nil without an Idempotency-Key
	// resolved are the lines of the pieces that were claimed, due those of the last one that are to be charged.
	// isRepeated: it was claimed before.
	resolved, due int
	isRepeated    bool
}

// newCharge is the charge of an exchange. Test keys are never charged.
func (s *Server) newCharge(x *exchange, r api.Reply) *charge {
	c := &charge{s: s, x: x, price: r.LinePrice}
	if x.request.IdempotencyKey != "" {
		endpoint := x.route.Path
		if r.Sheet > 0 { // as of a corrected file, lines of other columns of a sheet are the same ones, and paid
			endpoint += " " + strconv.Itoa(r.Sheet)
		}
		c.receipt = s.Receipts.Of(x.caller.Environment, x.caller.Tenant, endpoint,
			x.request.IdempotencyKey, x.request.Body)
	}
	return c
}

// claim finds out what of a piece is to be charged. A request that resolves no line leaves no receipt: receipts of what
// costs nothing could fill the bucket of all.
func (c *charge) claim(ctx context.Context, p lines.Piece) (err error) {
	c.resolved += p.Resolved
	c.due = p.Resolved
	if c.receipt != nil && p.Through > 0 && c.resolved > 0 {
		c.due, c.isRepeated, err = c.receipt.Claim(ctx, p.Through, c.resolved)
	}
	return err
}

// claimOrForgo is claim for a reply that has begun: what cannot be told is charged with a later piece, or with none.
func (c *charge) claimOrForgo(ctx context.Context, p lines.Piece) {
	if err := c.claim(ctx, p); err != nil {
		c.s.Log.WarnContext(ctx, "lines are charged with a later piece, if one can be claimed", "request_id", c.x.requestID,
			"trace_id", c.x.own.TraceID().String(), "lines", p.Resolved, "error", err)
	}
}

// release takes back the claim of a piece that was not written, so that it is charged when the request comes again.
func (c *charge) release(ctx context.Context, p lines.Piece) {
	if c.receipt == nil {
		return
	}
	if err := c.receipt.Release(ctx); err != nil {
		c.s.Log.WarnContext(ctx, "lines that were not written stay claimed, and are not charged", "request_id", c.x.requestID,
			"trace_id", c.x.own.TraceID().String(), "lines", p.Resolved, "error", err)
	}
}

// report reports the lines of a piece that was written.
func (c *charge) report(p lines.Piece) {
	x := c.x
	x.lines += p.Resolved
	if c.due == 0 || !x.isLive() {
		return
	}
	x.charged += c.due
	c.s.Usage.Report(usage.Event{
		ID: x.id + "." + strconv.Itoa(p.Through), Tenant: x.caller.Tenant, Product: x.route.Product, Route: x.route.Path,
		RequestID: x.requestID, At: x.began.UTC(), Lines: c.due, LinePrice: c.price,
	})
}
