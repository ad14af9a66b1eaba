package state

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

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
	// accentTime bounds the look for spellings with accents.
	accentTime = 5 * time.Second
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
