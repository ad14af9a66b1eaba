package texas

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

const (
	// solveTime bounds the wait for one solve, including the wait for a free slot.
	solveTime = 45 * time.Second
	// leastSolve is what a solve takes at least. With less time left, none is paid for.
	leastSolve = 5 * time.Second
	// askTime bounds the question whether there is a solving service.
	askTime = 2 * time.Second
	// fullTime is how long the full queue is not asked again.
	fullTime = 250 * time.Millisecond
	// maxImage is the size of the largest image that solving services take.
	maxImage = 100 << 10
	// maxCode bounds a code. What is longer is no code and must not reach the form.
	maxCode = 32
)

// needSolver fails when this deployment has no solving service. It is called before the site is asked for anything: the
// caller should learn what its operator has to set, whatever the site does. When no captcha-worker answers at all, the
// failure is of kind unavailable, and the next path is tried at once. While the queue of solves is full it says so.
func (q *inquiry) needSolver(ctx context.Context) error {
	switch full := q.full.Load(); {
	case full != nil && q.Clock().Before(full.until):
		return full.said
	case q.hasSolver.Load():
		return nil
	case q.Solve == nil:
		return scrape.Failf(scrape.Unavailable, "nobody solves CAPTCHAs here")
	case q.Solver == nil:
		return nil // a probe solves by itself, and the solve says what is missing
	}
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	_, err := q.Solver(asking)
	switch {
	case err == nil:
		q.hasSolver.Store(true)
		return nil
	case ctx.Err() != nil || contracts.CodeOf(err) == contracts.CaptchaSolverNotConfigured:
		return err
	}
	return scrape.Failf(scrape.Unavailable, "no captcha-worker answers: %w", err)
}

// picture gets the CAPTCHA image, which is part of the page itself or behind a link.
func (q *inquiry) picture(
	ctx context.Context, session *scrape.Session, page *scrape.Page, doc *goquery.Document,
) ([]byte, error) {
	source, ok := doc.Find(q.image).First().Attr("src")
	if !ok {
		return nil, scrape.Failf(scrape.Changed, "the form has no CAPTCHA image %s", q.image)
	}
	image, inline, err := inlineImage(source)
	if err == nil && !inline {
		image, err = linkedImage(ctx, session, page, source)
	}
	if err != nil {
		return nil, err
	}
	if len(image) > maxImage || !strings.HasPrefix(http.DetectContentType(image), "image/") {
		return nil, scrape.Failf(scrape.Changed, "the CAPTCHA is not an image of at most %d bytes", maxImage)
	}
	return image, nil
}

func linkedImage(ctx context.Context, session *scrape.Session, page *scrape.Page, source string) ([]byte, error) {
	link, err := webforms.Resolve(page, source)
	if err != nil {
		return nil, err
	}
	picture, err := session.Fetch(ctx, scrape.Request{
		URL: link, MaxBody: maxImage, Subresource: true, Header: http.Header{"Accept": {"image/*"}},
	})
	if err != nil {
		return nil, err
	}
	return picture.Body, nil
}

// inlineImage decodes a data: URL (RFC 2397). inline is false when source is another URL.
func inlineImage(source string) (image []byte, inline bool, err error) {
	rest, inline := strings.CutPrefix(strings.TrimSpace(source), "data:")
	if !inline {
		return nil, false, nil
	}
	kind, data, ok := strings.Cut(rest, ",")
	if !ok || !strings.HasSuffix(kind, ";base64") || len(data) > 2*maxImage {
		return nil, true, scrape.Failf(scrape.Changed, "the CAPTCHA is not a base64 image of at most %d bytes", maxImage)
	}
	image, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(data), ""))
	if err != nil {
		return nil, true, scrape.Failf(scrape.Changed, "the CAPTCHA cannot be decoded: %w", err)
	}
	return image, true, nil
}

// errUnsolvable means that the solving service could not read the image and was not paid. A fresh page has another
// image.
var errUnsolvable = errors.New("the image cannot be read")

// solve has the code in the image read.
func (q *inquiry) solve(ctx context.Context, image []byte) (contracts.SolveResult, error) {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < leastSolve {
		return contracts.SolveResult{}, scrape.Failf(scrape.Refused, "the time that is left is too short for a solve")
	}
	result, err := q.runSolveJob(ctx, contracts.SolveJob{
		Image: image, CaseSensitive: q.caseSensitive, MinLength: q.minLength, MaxLength: q.maxLength,
	})
	if err != nil {
		return result, err
	}
	if result.Unsolvable {
		return result, errUnsolvable
	}
	text := strings.TrimSpace(result.Text)
	if text == "" || len(text) > maxCode || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return result, scrape.Failf(scrape.Unreachable, "the solver's text of %d bytes is no code", len(result.Text))
	}
	result.Text = text
	return result, nil
}

// runSolveJob has captcha-worker do a job. Some of its errors are the caller's answer, such as that there is no
// solving service; the others fail this path only, and the next one is tried.
func (q *inquiry) runSolveJob(ctx context.Context, job contracts.SolveJob) (contracts.SolveResult, error) {
	ctx, cancel := context.WithTimeout(ctx, solveTime)
	defer cancel()
	result, err := q.Solve(ctx, rand.Text(), job)
	switch contracts.CodeOf(err) {
	case "":
		return result, nil
	case contracts.Busy:
		q.full.Store(&fullQueue{said: err, until: q.Clock().Add(fullTime)})
		return result, err
	case contracts.CaptchaSolverNotConfigured, contracts.NoWorker, contracts.Canceled:
		return result, err
	default:
		return result, scrape.Failf(scrape.Unreachable, "the CAPTCHA was not solved: %w", err)
	}
}

// noteOutcome records in the trace and in the transcript what became of a code.
func noteOutcome(ctx context.Context, attempt int, outcome string) {
	scrape.Notef(ctx, "code %d: %s", attempt, outcome)
	trace.SpanFromContext(ctx).AddEvent("captcha", trace.WithAttributes(
		attribute.Int("captcha.attempt", attempt), attribute.String("captcha.outcome", outcome)))
}
