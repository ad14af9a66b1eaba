package site

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/lines"
)

// carrierFigures are the weeks of one carrier, newest first, with what the answer says of itself.
type carrierFigures struct {
	contracts.Surcharge
	// Line is the number of the carrier's line in the chart, from 1 on.
	Line  int
	Weeks []weekFigures
	// InDoubt says since when what is read of the carrier is in doubt; empty while it is not.
	InDoubt string
}

// IsDoubtful tells that the confidence is too low to act on.
func (f carrierFigures) IsDoubtful() bool { return isDoubtful(f.Verifiability.Verifiability) }

// IsOverdue tells that a newer week than the newest one is due. It is false where the current week was not asked for.
func (f carrierFigures) IsOverdue() bool {
	current := f.Verifiability.Current
	return current != nil && !*current
}

// Doubts says in words what keeps the figures from being acted on; empty for nothing.
func (f carrierFigures) Doubts() string {
	var all []string
	for _, doubt := range []struct {
		holds bool
		words string
	}{
		{f.IsDoubtful(), "UNVERIFIED: too low to act on"}, {f.InDoubt != "", f.InDoubt},
		{f.IsOverdue(), "not current"}, {!f.Verifiability.Complete, "not complete"},
	} {
		if doubt.holds {
			all = append(all, doubt.words)
		}
	}
	return strings.Join(all, ", ")
}

// weekFigures is one week in words.
type weekFigures struct {
	contracts.SurchargeWeek
	Percent, Truckload, Diesel, FirstSeen, Revised string
	// Proof is where the week's proof is shown.
	Proof string
}

// dieselFigures are the national prices, newest first.
type dieselFigures struct {
	Problem string
	// LeftOut says how many prices were not known at the moment that was asked for; empty for none.
	LeftOut       string
	Line          int
	Weeks         []dieselWeek
	Verifiability contracts.Verifiability
}

type dieselWeek struct {
	contracts.DieselWeek
	Price, FirstSeen, Proof string
}

// ask asks for carriers and, where it is wanted, diesel at once.
func (f surchargesForm) ask(r *Request) []apiAnswer {
	answers := make([]apiAnswer, 1, 2)
	if f.Diesel && f.dieselTarget != "" {
		answers = answers[:2]
	}
	var asking sync.WaitGroup
	for i, target := range []string{f.target, f.dieselTarget}[:len(answers)] {
		asking.Go(func() { answers[i] = get(r, target) })
	}
	asking.Wait()
	return answers
}

// takeAnswers takes the answers, and returns the status of the page: that of the carriers. Diesel alone does not fail
// the page.
func (c *surchargesContent) takeAnswers(answers []apiAnswer) (status int) {
	carriers := answers[0]
	if carriers.problem != "" {
		c.Problem = carriers.problem
		var none contracts.Surcharges
		if carriers.decode(&none) == nil {
			c.Failures = none.Errors
		}
		return carriers.status
	}
	if err := c.takeCarriers(carriers); err != nil {
		c.Problem = err.Error()
		return http.StatusInternalServerError
	}
	if len(answers) > 1 {
		c.Diesel = newDieselFigures(answers[1], c.Form.KnownAt)
	}
	return http.StatusOK
}

// takeCarriers takes the answer of one carrier or of several.
func (c *surchargesContent) takeCarriers(a apiAnswer) error {
	var answer struct {
		contracts.Surcharges
		contracts.Surcharge
	}
	if err := a.decode(&answer); err != nil {
		return err
	}
	if answer.Carrier != "" {
		answer.Results = append(answer.Results, answer.Surcharge)
	}
	c.Failures = answer.Errors
	for _, of := range answer.Results {
		c.Carriers = append(c.Carriers, newCarrierFigures(of))
	}
	return nil
}

func newCarrierFigures(a contracts.Surcharge) carrierFigures {
	f := carrierFigures{Surcharge: a}
	for i, carrier := range contracts.Carriers {
		if carrier == a.Carrier {
			f.Line = i + 1
		}
	}
	for _, w := range a.Weeks {
		week := weekFigures{
			SurchargeWeek: w, Percent: decimal(w.Percent), Truckload: optional(w.TruckloadPercent),
			Diesel:    optional(w.DieselUSD),
			FirstSeen: moment(w.FirstSeen), Revised: moment(w.Revised),
		}
		question := url.Values{"carrier": {string(a.Carrier)}, "as_of": {string(w.EffectiveDate)}}
		week.Proof = proofLink(question, a.Verifiability.Evidence, w.EvidenceSHA256, string(w.EffectiveDate))
		f.Weeks = append(f.Weeks, week)
	}
	return f
}

// newDieselFigures are the prices of an answer, as they were known at a moment; empty for now.
func newDieselFigures(a apiAnswer, knownAt string) *dieselFigures {
	f := &dieselFigures{Problem: a.problem, Line: len(contracts.Carriers) + 1}
	if a.problem != "" {
		return f
	}
	var answer contracts.Diesel
	if err := a.decode(&answer); err != nil {
		f.Problem = err.Error()
		return f
	}
	f.Verifiability = answer.Verifiability
	known := knownBy(answer.Weeks, knownAt)
	if n := len(answer.Weeks) - len(known); n > 0 {
		f.LeftOut = fmt.Sprintf("Left out, since they were first seen, or changed, after %s: %s of diesel.",
			knownAt, lines.Plural(n, "price"))
	}
	for _, w := range known {
		week := dieselWeek{DieselWeek: w, Price: decimal(w.USD), FirstSeen: moment(w.FirstSeen)}
		week.Proof = proofLink(url.Values{}, f.Verifiability.Evidence, f.Verifiability.EvidenceSHA256, string(w.Date))
		f.Weeks = append(f.Weeks, week)
	}
	return f
}

// knownBy are the prices that were first seen by the end of a day in New York, or by a time as RFC 3339 has it. The API
// has them as they are now.
func knownBy(weeks []contracts.DieselWeek, moment string) []contracts.DieselWeek {
	if moment == "" {
		return weeks
	}
	end, err := time.Parse(time.RFC3339, moment)
	if day, dayErr := contracts.ParseDate(moment); dayErr == nil {
		end, err = day.End(), nil
	}
	return slices.DeleteFunc(slices.Clone(weeks), func(w contracts.DieselWeek) bool {
		return err != nil || w.FirstSeen == nil || w.FirstSeen.After(end)
	})
}

// proofLink is where the proof of a row is shown: by the question that it answers, if any, and by the hash and
// the place of the document, as the answer's evidence has them. The document of a week that comes from the archive is
// not among those.
func proofLink(question url.Values, evidence []contracts.Evidence, hash *string, row string) string {
	for _, e := range evidence {
		if hash != nil && e.SHA256 == *hash {
			question.Set("id", e.SHA256)
			question.Set("at", string(e.At))
			question.Set("find", row)
			break
		}
	}
	if len(question) == 0 {
		return ""
	}
	return proofPath + "?" + question.Encode()
}

// decimal is a number as the API writes it.
func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func optional(n *float64) string {
	if n == nil {
		return ""
	}
	return decimal(*n)
}

// moment is a time to the minute, in UTC.
func moment(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04")
}
