package ltlworker

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/scrape"
	"assay.dev/platform/verify"
)

// Verify verifies the body of a fuel surcharge, of one carrier or of several. It is a [verify.Func].
func Verify(_ context.Context, answer []byte, documents verify.Documents) ([]string, error) {
	members, err := verify.Members(answer)
	if err != nil {
		return nil, err
	}
	if _, isTable := members["edition"]; isTable {
		return nil, verify.Refuse("a bracket table is not verified; of ltl, only answers of GET /v1/ltl/fuel-surcharge are")
	}
	if _, isOfSeveral := members["errors"]; isOfSeveral {
		return verify.Decoded(answer,
			func(a contracts.Surcharges) ([]string, error) { return verifySurcharges(a, documents) })
	}
	return verify.Decoded(answer, func(a contracts.Surcharge) ([]string, error) { return verifySurcharge(a, documents) })
}

// verifySurcharges verifies each answer of several carriers.
func verifySurcharges(a contracts.Surcharges, documents verify.Documents) ([]string, error) {
	var found []string
	var errs []error
	for _, one := range a.Results {
		lines, err := verifySurcharge(one, documents)
		found, errs = append(found, lines...), append(errs, err)
	}
	if len(a.Results) == 0 {
		return nil, verify.Refuse("the answer holds no carrier")
	}
	return found, errors.Join(errs...)
}

// verifySurcharge verifies the weeks of one carrier, each in the document that it was seen in. A price of diesel or a
// truckload percent that this document does not show may stand in another one, beside the same percent.
func verifySurcharge(a contracts.Surcharge, documents verify.Documents) ([]string, error) {
	if _, err := contracts.ParseCarrier(string(a.Carrier)); err != nil || len(a.Weeks) == 0 {
		return nil, verify.Refuse("%q is no carrier, or no week is there", a.Carrier)
	}
	v := a.Verifiability.Verifiability
	if _, err := documents.Pages(string(a.Carrier), v); err != nil {
		return nil, err
	}
	if err := documents.ReadAt(v.SourceTimestamp, v.Evidence[0]); err != nil { // the others may be of earlier weeks
		return nil, err
	}
	if err := verifySite(a.Carrier, v); err != nil {
		return nil, err
	}
	if hash := a.Weeks[0].EvidenceSHA256; hash == nil || *hash != *v.EvidenceSHA256 {
		return nil, verify.Refuse("the newest week of %s was not seen in the document of evidence_sha256", a.Carrier)
	}
	found, accepted := vouchers(v, documents)
	r := rereading{a, documents, accepted, map[string][][]contracts.ObservedWeek{}}
	publication := carrier.Config{}.Recipe(a.Carrier).Publication
	var next contracts.Date // the first day of the week after the one that is looked at; "" where none is known
	var errs []error
	for _, w := range a.Weeks {
		if err := hasDocument(a.Carrier, w, v); err != nil { // the others are looked at all the same
			errs, next = append(errs, err), w.EffectiveDate
			continue
		}
		hash := *w.EvidenceSHA256
		as, ok := r.week(w)
		if !ok {
			return found, verify.Refuse("the document %.12s of %s does not show %v %% for the week of %s as the answer has it",
				hash, a.Carrier, w.Percent, w.EffectiveDate)
		}
		if hash == *v.EvidenceSHA256 {
			next = as.next(w.EffectiveDate, contracts.Today(v.SourceTimestamp), next)
		}
		if !mayEnd(publication, w, as.week.EndDate, next) {
			return found, verify.Refuse("the week of %s of %s cannot end on %q", w.EffectiveDate, a.Carrier, w.EndDate)
		}
		next = w.EffectiveDate
		found = append(found, fmt.Sprintf("%s %s: %v %% stands in %.12s", a.Carrier, w.EffectiveDate, w.Percent, hash))
	}
	return found, errors.Join(errs...)
}

// rereading reads the documents of an answer again, each once.
type rereading struct {
	answer    contracts.Surcharge
	documents verify.Documents
	// accepted are the documents of words that were accepted: they prove no value.
	accepted map[string]bool
	read     map[string][][]contracts.ObservedWeek
}

// week is a week as its document shows it. What that does not print of it stands in another one.
func (r *rereading) week(w contracts.SurchargeWeek) (as sighting, ok bool) {
	as, ok = r.find(*w.EvidenceSHA256, w, func(read contracts.ObservedWeek) bool { return isSame(read, w) })
	for _, of := range []func(contracts.SurchargeWeek) *float64{dieselOf, truckloadOf} {
		isIt := func(read contracts.ObservedWeek) bool {
			return isSame(read, w) && equal(of(read.SurchargeWeek), of(w))
		}
		ok = ok && (isIt(as.week) || slices.ContainsFunc(r.answer.Verifiability.Evidence, func(e contracts.Evidence) bool {
			_, is := r.find(e.SHA256, w, isIt)
			return is
		}))
	}
	return as, ok
}

// find is what a document shows of the week w, where that is as is wants it.
func (r *rereading) find(
	hash string, w contracts.SurchargeWeek, is func(contracts.ObservedWeek) bool,
) (as sighting, ok bool) {
	if r.accepted[hash] {
		return as, false
	}
	if r.read[hash] == nil {
		at := readAt(w, r.answer.Verifiability.Verifiability)
		r.read[hash] = reader.Reread(r.answer.Carrier, r.documents[hash].Body, at)
	}
	for _, weeks := range r.read[hash] {
		if at := slices.IndexFunc(weeks, is); at >= 0 {
			return sighting{weeks[at], weeks}, true
		}
	}
	return as, false
}

// verifySite verifies that the address for people is of the site of the carrier or of a document.
func verifySite(c contracts.Carrier, v contracts.Verifiability) error {
	sites := []string{carrier.Config{}.Recipe(c).Pages[0]}
	for _, e := range v.Evidence {
		sites = append(sites, e.URL)
	}
	isIts := func(address string) bool {
		return scrape.SameSite(hostOf(address), hostOf(string(v.RawDataEvidenceURL)))
	}
	if !slices.ContainsFunc(sites, isIts) {
		return verify.Refuse("raw_data_evidence_url is of another site than %s and the documents", c)
	}
	return nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// hasDocument fails for a week whose document the answer does not name.
func hasDocument(c contracts.Carrier, w contracts.SurchargeWeek, v contracts.Verifiability) error {
	isItsOwn := func(e contracts.Evidence) bool { return w.EvidenceSHA256 != nil && e.SHA256 == *w.EvidenceSHA256 }
	if slices.ContainsFunc(v.Evidence, isItsOwn) {
		return nil
	}
	return verify.Refuse("the week of %s of %s comes from the archive, and the answer names no document of it: it cannot "+
		"be verified; ask for the other weeks alone", w.EffectiveDate, c)
}

// sighting is a week as a document shows it.
type sighting struct {
	week contracts.ObservedWeek
	// beside are the weeks of the document.
	beside []contracts.ObservedWeek
}

// next is the first day of the week that follows the one of a day: the earliest of the answer's and of those that the
// document shows and that have begun by today. An answer of last week's percent is not one of today's.
func (s sighting) next(of, today, answers contracts.Date) contracts.Date {
	for _, w := range s.beside {
		if w.EffectiveDate > of && w.EffectiveDate <= today && (answers == "" || w.EffectiveDate < answers) {
			answers = w.EffectiveDate
		}
	}
	return answers
}

// vouchers names the accepted editions among the documents, and their hashes. They are not judged anew, and no value is
// proven by them.
func vouchers(v contracts.Verifiability, documents verify.Documents) (found []string, accepted map[string]bool) {
	accepted = map[string]bool{}
	for _, e := range v.Evidence {
		if d, ok := wording.ReadDocument(documents[e.SHA256].Body); ok {
			accepted[e.SHA256] = true
			found = append(found, fmt.Sprintf("%s: its words (%s) were accepted by %s on %s, as %.12s says",
				d.Carrier, d.Accepted.Path, contracts.Printable(d.Accepted.By),
				d.Accepted.At.UTC().Format(time.DateTime+"Z"), e.SHA256))
		}
	}
	return found, accepted
}

// readAt is when a week's document was read: that of the answer, or, for a week that comes from the archive, while the
// week was in force.
func readAt(w contracts.SurchargeWeek, v contracts.Verifiability) time.Time {
	if *w.EvidenceSHA256 == *v.EvidenceSHA256 {
		return v.SourceTimestamp
	}
	return w.EffectiveDate.AddDays(1).Time()
}

// isSame tells whether a week was read with the values of w, or without some of them.
func isSame(read contracts.ObservedWeek, w contracts.SurchargeWeek) bool {
	isPrintedSo := func(read, said *float64) bool { return read == nil || equal(read, said) }
	return read.EffectiveDate == w.EffectiveDate && read.Percent == w.Percent &&
		isPrintedSo(read.DieselUSD, w.DieselUSD) && isPrintedSo(read.TruckloadPercent, w.TruckloadPercent)
}

func dieselOf(w contracts.SurchargeWeek) *float64 { return w.DieselUSD }

func truckloadOf(w contracts.SurchargeWeek) *float64 { return w.TruckloadPercent }

// mayEnd tells whether a week can have its end, when its document prints the end given, or "", and the next week of the
// answer begins on next: it ends before that day, and no later than a week does or than is printed. A week that no
// answer shows may have ended it earlier.
func mayEnd(p carrier.Publication, w contracts.SurchargeWeek, printed, next contracts.Date) bool {
	latest := p.LastDay(w.EffectiveDate, next)
	switch {
	case next == "":
		latest = max(latest, w.EffectiveDate.AddDays(carrier.MaxWeekDays-1), printed)
	case next <= w.EffectiveDate:
		return false
	case printed < next:
		latest = max(latest, printed)
	}
	return w.EndDate == "" && next == "" || w.EffectiveDate <= w.EndDate && w.EndDate <= latest
}

func equal(a, b *float64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
