package texas

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/outline"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// inquiryForm names the parts of the inquiry's page.
type inquiryForm struct {
	// CSS selectors: of the form, the CAPTCHA image, the message above the form, the number of records found, a
	// record, and the table of violations that may follow a record.
	form, image, message, count, record, violations string
	// Names of the form's fields and of its button.
	number, tradeName, owner, address, code, button string
	// What the message says in each case.
	wrongCode, expiredCode, noRecords *regexp.Regexp
	// What is known of the code in the image. A length is 0 when it is not known.
	caseSensitive        bool
	minLength, maxLength int
}

// maxCodes is how many images are solved for one read.
const maxCodes = 3

// inquiry is the public inquiry: an ASP.NET form that wants the code of an image with every submission.
type inquiry struct {
	register.Deps
	inquiryForm
	data  openData
	whole register.BulkFiles
	// hasSolver is set once a captcha-worker said that it has a solving service.
	hasSolver atomic.Bool
	// full is the queue's last refusal for want of room; nil when there was none.
	full atomic.Pointer[fullQueue]
}

// fullQueue is what the queue of solves said when it was full, and until when it is taken to be.
type fullQueue struct {
	said  error
	until time.Time
}

// ask submits the form with the texts of filled, by field name, and gives the answer. After a code that the site
// refused it begins again with a fresh page and image, at most maxCodes times.
func (q *inquiry) ask(ctx context.Context, filled map[string]string) (*inquiryAnswer, error) {
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
			noteOutcome(ctx, codes, "unsolvable")
		case q.wrongCode.MatchString(answer.message):
			noteOutcome(ctx, codes, "wrong")
			if q.ReportBad != nil {
				q.ReportBad(solve)
			}
		case q.expiredCode.MatchString(answer.message):
			noteOutcome(ctx, codes, "expired")
		default:
			noteOutcome(ctx, codes, "accepted")
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

// submit gets a fresh page, has its image solved, and submits the form once.
func (q *inquiry) submit(
	ctx context.Context, session *scrape.Session, filled map[string]string,
) (*inquiryAnswer, contracts.SolveRef, error) {
	var none contracts.SolveRef
	page, err := session.Fetch(ctx, scrape.Request{URL: inquiryURL})
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
	answer, err := q.parse(page, doc)
	return answer, code.SolveRef, err
}

// lookup asks by number. The form says "no records" when there is no such license: that is proof.
func (q *inquiry) lookup(ctx context.Context, asked register.Question) (register.Reading, error) {
	answer, err := q.ask(ctx, map[string]string{q.number: asked.Number})
	if err != nil {
		return register.Reading{}, err
	}
	reading := register.Reading{
		EvidenceURL: inquiryURL, ReadAt: answer.readAt, PublishedAt: answer.day,
		Notes: register.ByForm("Open the inquiry and type %s into %q.", asked.Number, numberLabel),
	}
	if len(answer.records) == 0 {
		return reading, nil
	}
	r, ok := answer.numbered(asked.Number)
	switch {
	case !ok:
		return reading, scrape.Failf(scrape.Changed, "the records are not of the license that was asked for")
	case r.unclear, r.Status == contracts.Active && outline.Notice(answer.lines, nil, asked.Number) != "":
		reading.Unclear = 1
	default:
		reading.Records = []register.Record{r.Record}
	}
	return reading, nil
}

// maxAskings bounds the spellings by which one search asks the form: each costs a CAPTCHA.
const maxAskings = 2

// search asks by the longest part of each filter, and by each spelling of an address. It cannot be asked when the open
// data knows a match by accents only, such as "CAFÉ ROMA" for "cafe": whether the form finds that one is not known.
func (q *inquiry) search(ctx context.Context, asked register.Question) (register.Reading, error) {
	match, looked := q.accents(ctx, asked)
	if match {
		return register.Reading{}, register.CannotAsk("spellings with accents match, which the form may tell apart")
	}
	filled, typed := map[string]string{}, []string{}
	for _, f := range []struct{ field, label, text string }{
		{q.tradeName, dbaLabel, asked.Query.DBAName}, {q.owner, ownerLabel, asked.Query.OwnerName},
	} {
		if part := fold.LongestPart(f.text); part != "" {
			filled[f.field], typed = part, append(typed, fmt.Sprintf("%s into %q", part, f.label))
		}
	}
	addresses := q.whole.RarestAddress(ctx, fold.SearchTexts(asked.Query.Address))
	switch {
	case len(addresses) > maxAskings:
		return register.Reading{}, register.CannotAsk("the address has more than %d spellings", maxAskings)
	case len(addresses) > 0:
		typed = append(typed, fmt.Sprintf("%s into %q", strings.Join(addresses, ", and again "), addressLabel))
	case len(filled) == 0:
		return register.Reading{}, register.CannotAsk("the form is not asked by ZIP code")
	default:
		addresses = []string{""} // names are enough
	}
	answer := &inquiryAnswer{}
	for _, address := range addresses {
		filled[q.address] = address
		a, err := q.ask(ctx, filled)
		if err != nil {
			return register.Reading{}, err
		}
		answer.merge(a)
	}
	reading, err := answer.matching(asked.Query)
	reading.EvidenceURL, reading.ReadAt, reading.PublishedAt, reading.AccentsMissed = inquiryURL, answer.readAt,
		answer.day, !looked
	reading.Notes = register.ByForm("Open the inquiry and type %s.", strings.Join(typed, ", "))
	return reading, err
}

// accents tells whether the open data has a license that matches by accents only. looked is false when neither its copy
// nor the service could be asked in time.
func (q *inquiry) accents(ctx context.Context, asked register.Question) (match, looked bool) {
	if !asked.Fresh {
		if match, looked = q.whole.Accents(ctx, asked.Query, asked.Query); looked {
			return match, true
		}
	}
	ctx, cancel := context.WithTimeout(ctx, register.AccentWait)
	defer cancel()
	records, looked := q.data.Accented(ctx, asked.Query)
	byAccents := func(r register.Record) bool { return !register.MatchesLiterally(asked.Query, r.LicenseRecord) }
	return slices.ContainsFunc(records, byAccents), looked
}
