package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/evidence"
	"assay.dev/platform/verify"
)

const (
	// maxDocuments and maxDocumentBytes bound the documents of one answer that is verified: anybody may send an answer
	// that names every bulk file. The one that exceeds the bytes is read still.
	maxDocuments     = 200
	maxDocumentBytes = 64 << 20
	// verifyRetry is when to come back while another answer is verified.
	verifyRetry = 2 * time.Second
)

// verifier reads the documents of answers again.
type verifier struct {
	environment contracts.Environment
	product     contracts.Product
	verify      verify.Func
	store       *evidence.Store
	log         *slog.Logger
	// turn holds a value while an answer is verified: documents may be large, and answering comes first.
	turn chan struct{}
}

// verification answers [contracts.VerifyRequest].
func (w *Worker) verification() bus.Endpoint {
	v := &verifier{
		environment: w.cfg.Environment, product: w.service.Product, verify: w.service.Verify,
		store: evidence.NewStore(w.JetStream), log: w.Log, turn: make(chan struct{}, 1),
	}
	return bus.Handle("verify", contracts.VerifySubject(v.environment, v.product), v.answer)
}

func (v *verifier) answer(ctx context.Context, r contracts.VerifyRequest) (contracts.Verification, error) {
	select {
	case v.turn <- struct{}{}:
		defer func() { <-v.turn }()
	case <-ctx.Done():
		return contracts.Verification{}, contracts.Wrap(ctx.Err(), contracts.Busy,
			"other answers are being verified; retry later").After(verifyRetry)
	}
	began := time.Now()
	verification, err := v.examine(ctx, r.Answer)
	if err == nil {
		v.log.InfoContext(ctx, "verified an answer", "verified", verification.Verified, "checks",
			len(verification.Checks),
			"dur_ms", time.Since(began).Milliseconds())
	}
	return verification, err
}

// examine reads the documents and compares. A refusal is a check that does not hold.
func (v *verifier) examine(ctx context.Context, answer []byte) (contracts.Verification, error) {
	documents := verify.Documents{}
	checks, err := v.readDocuments(ctx, answer, documents)
	if err != nil {
		return contracts.Verification{}, err
	}
	found, err := v.verify(ctx, answer, documents)
	for _, text := range found {
		checks = append(checks, contracts.Check{Holds: true, Text: text})
	}
	if refused := (*verify.Refused)(nil); errors.As(err, &refused) {
		return contracts.Verification{Checks: append(checks, contracts.Check{Text: err.Error()})}, nil
	}
	return contracts.Verification{Verified: err == nil, Checks: checks}, err
}

// readDocuments reads the documents that the answer names from the store. One that is not kept is a check that does
// not hold.
func (v *verifier) readDocuments(
	ctx context.Context, answer []byte, into verify.Documents,
) (checks []contracts.Check, err error) {
	size := 0
	for _, e := range verify.Named(answer) {
		if len(checks) == maxDocuments || size > maxDocumentBytes {
			return append(checks,
				contracts.Check{Text: "the answer names more documents than are verified at once"}), nil
		}
		d, err := v.store.Get(ctx, v.environment, e.SHA256, e.At, v.isOurs)
		switch contracts.CodeOf(err) {
		case "":
			into.AddKept(d)
			size += len(d.Body)
			checks = append(checks, contracts.Check{Holds: true,
				Text: fmt.Sprintf("the kept bytes of %s, read %s, have the SHA-256 %.12s",
					d.Source, d.ReadAt.UTC().Format(time.DateTime+"Z"), e.SHA256)})
		case contracts.NotFound, contracts.Gone, contracts.InvalidRequest:
			checks = append(checks, contracts.Check{Text: fmt.Sprintf("%.12s: %s", e.SHA256,
				contracts.AsError(err).Message)})
		default:
			return nil, err
		}
	}
	return checks, nil
}

// isOurs hides the documents of other products: the gateway knows of the caller's permission for ours only.
func (v *verifier) isOurs(p contracts.Product) error {
	if p == v.product {
		return nil
	}
	return contracts.Missing(contracts.DocumentUnknown, "no document of this product is kept at this place")
}
