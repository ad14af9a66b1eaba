package state

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// inquiryForm is where the parts of the page are.
type inquiryForm struct {
	// CSS selectors of the form, the CAPTCHA image, the message above the form, the number of records found, a record, and the
	// violations that follow it.
	form, image, message, count, record, violations string
	// Names of the fields and of the button.
	number, tradeName, owner, address, code, button string
	// What the message says.
	wrongCode, expiredCode, noRecords *regexp.Regexp
	// What is known of the code: the bounds of its length are 0 when they are not.
	caseSensitive        bool
	minLength, maxLength int
}

const (
	// maxCodes is how many images are solved for one read.
	maxCodes = 3
	// solveTime bounds the wait for one solve, with that for a free slot.
	solveTime = 45 * time.Second
	// askTime bounds the question whether there is a solver.
	askTime = 2 * time.Second
	// accentTime bounds the look for spellings with accents.
	accentTime = 5 * time.Second
	// maxImage is the largest picture that solvers take.
	maxImage = 100 << 10
	// maxCode is far above any CAPTCHA: what is longer is not a code and must not reach the form.
	maxCode = 32
)

// texasInquiry is the public inquiry: an ASP.NET form that wants the code in an image with every submission.
type texasInquiry struct {
	Deps
	inquiryForm
	data texas
	// solved is set once there was a solver.
	solved atomic.Bool
}

// ask submits the form with what is filled in and gives the page of its answer. A wrong code gets a fresh page and image.
func (q *texasInquiry) ask(ctx context.Context, filled map[string]string) (*inquiryAnswer, error) {
	if err := q.needSolver(ctx); err != nil {
		return nil, err
	}
	session := q.Fetcher.Session()
	for codes := 1; ; codes++ {
		begun := time.Now()
		answer, solve, err := q.submit(ctx, session, filled)
		if err != nil && !errors.Is(err, errUnsolvable) {
			return nil, err
		}
		switch {
		case err != nil:
			note(ctx, codes, "unsolvable")
		case q.wrongCode.MatchString(answer.message):
			note(ctx, codes, "wrong")
			if q.ReportBad != nil {
				q.ReportBad(solve)
			}
		case q.expiredCode.MatchString(answer.message):
			note(ctx, codes, "expired")
		default:
			note(ctx, codes, "accepted")
			return answer, nil
		}
		if codes == maxCodes {
			return nil, scrape.Failf(scrape.Blocked, "%d codes in a row were refused", codes)
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < time.Since(begun) {
			return nil, scrape.Failf(scrape.Blocked, "%d codes were refused, and there is no time for another", codes)
		}
	}
}

// note records what became of a code in the trace and in the transcript.
func note(ctx context.Context, attempt int, outcome string) {
	scrape.Notef(ctx, "code %d: %s", attempt, outcome)
	trace.SpanFromContext(ctx).AddEvent("captcha", trace.WithAttributes(
		attribute.Int("captcha.attempt", attempt), attribute.String("captcha.outcome", outcome)))
}

// submit fills in one fresh page.
func (q *texasInquiry) submit(ctx context.Context, session *scrape.Session, filled map[string]string) (*inquiryAnswer, contracts.SolveRef, error) {
	var none contracts.SolveRef
	page, err := session.Fetch(ctx, scrape.Request{URL: texasInquiryURL})
	if err != nil {
		return nil, none, err
	}
	doc, err := webforms.Document(page)
	if err != nil {
		return nil, none, err
	}
	form, err := webforms.Find(page, doc, q.form)
	if err != nil {
		return nil, none, err
	}
	image, err := q.picture(ctx, session, page, doc)
	if err != nil {
		return nil, none, err
	}
	code, err := q.solve(ctx, image)
	if err != nil {
		return nil, none, err
	}
	for name, text := range filled {
		if err := form.Fill(name, text); err != nil {
			return nil, none, err
		}
	}
	if err := form.Fill(q.code, code.Text); err != nil {
		return nil, none, err
	}
	if err := form.Press(q.button); err != nil {
		return nil, none, err
	}
	if page, err = form.Submit(ctx, session); err != nil {
		return nil, none, err
	}
	answer, err := q.parse(page)
	return answer, code.SolveRef, err
}

// picture is the CAPTCHA, which stands in the page itself or behind a link.
func (q *texasInquiry) picture(ctx context.Context, session *scrape.Session, page *scrape.Page, doc *goquery.Document) ([]byte, error) {
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
	picture, err := session.Fetch(ctx, scrape.Request{URL: link, MaxBody: maxImage, Subresource: true, Header: http.Header{"Accept": {"image/*"}}})
	if err != nil {
		return nil, err
	}
	return picture.Body, nil
}

// inlineImage decodes a data: URL (RFC 2397); inline is false when source is another.
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

// needSolver asks for the solver before the site is asked for anything: that a deployment has none is its operator's
// matter, whatever the site does. Where nobody even answers that, the read goes on by its next path at once.
func (q *texasInquiry) needSolver(ctx context.Context) error {
	if q.solved.Load() {
		return nil
	}
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	_, err := q.order(asking, contracts.SolveJob{})
	switch {
	case err == nil:
		q.solved.Store(true)
		return nil
	case ctx.Err() != nil || contracts.CodeOf(err) == contracts.CaptchaSolverNotConfigured:
		return err
	}
	return scrape.Failf(scrape.Unavailable, "no captcha-worker answers: %w", err)
}

// errUnsolvable: the solver could not read the image, and was not paid; the form has another.
var errUnsolvable = errors.New("the image cannot be read")

// solve has the image read.
func (q *texasInquiry) solve(ctx context.Context, image []byte) (contracts.SolveResult, error) {
	result, err := q.order(ctx, contracts.SolveJob{
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

func (q *texasInquiry) lookup(ctx context.Context, number string) (LookupReading, error) {
	answer, err := q.ask(ctx, map[string]string{q.number: number})
	if err != nil {
		return LookupReading{}, err
	}
	reading := LookupReading{EvidenceURL: texasInquiryURL, ReadAt: answer.readAt, Tally: noneFound}
	if len(answer.records) == 0 {
		return reading, nil
	}
	r, ok := answer.numbered(number)
	if !ok {
		return reading, scrape.Failf(scrape.Changed, "the records are not of the license that was asked for")
	}
	reading.Value, reading.Tally = &r.LicenseRecord, r.Tally
	return reading, nil
}

// search leaves queries that spellings with accents match to the open data: whether the form tells them apart is not known, and
// an answer without them would not be whole.
func (q *texasInquiry) search(ctx context.Context, query contracts.Query) (SearchReading, error) {
	others, looked := q.accents(ctx, query)
	if len(others) > 0 {
		return SearchReading{}, scrape.Failf(scrape.Unavailable, "spellings with accents match, which the form may tell apart")
	}
	filled := map[string]string{}
	for name, text := range map[string]string{q.tradeName: query.DBAName, q.owner: query.OwnerName, q.address: query.Address} {
		if text != "" {
			filled[name] = withoutAccents(text)
		}
	}
	answer, err := q.ask(ctx, filled)
	if err != nil {
		return SearchReading{}, err
	}
	reading := SearchReading{EvidenceURL: texasInquiryURL, ReadAt: answer.readAt}
	reading.Value, reading.Tally, err = answer.matching(query)
	if !looked {
		reading.Tally = reading.Add(tally(false))
	}
	return reading, err
}

// accents is what the open data knows of spellings with accents. The form does not wait long for it.
func (q *texasInquiry) accents(ctx context.Context, query contracts.Query) ([]counted, bool) {
	ctx, cancel := context.WithTimeout(ctx, accentTime)
	defer cancel()
	_, accented := q.data.conditions(query)
	return q.data.accented(ctx, accented, query)
}

// withoutAccents keeps the commas, which folding takes away.
func withoutAccents(s string) string {
	parts := strings.Split(s, ",")
	for i := range parts {
		parts[i] = fold.String(parts[i])
	}
	return strings.Join(parts, ", ")
}

// order has a job done. That there is no solver here ends the read; any other failure is one of this path.
func (q *texasInquiry) order(ctx context.Context, job contracts.SolveJob) (contracts.SolveResult, error) {
	if q.Solve == nil {
		return contracts.SolveResult{}, scrape.Failf(scrape.Unavailable, "nobody solves CAPTCHAs here")
	}
	ctx, cancel := context.WithTimeout(ctx, solveTime)
	defer cancel()
	result, err := q.Solve(ctx, rand.Text(), job)
	switch contracts.CodeOf(err) {
	case "":
		return result, nil
	case contracts.CaptchaSolverNotConfigured, contracts.Busy, contracts.NoWorker, contracts.Canceled:
		return result, err
	default:
		return result, scrape.Failf(scrape.Unreachable, "the CAPTCHA was not solved: %w", err)
	}
}
