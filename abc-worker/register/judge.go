package register

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// tooOld is the age in days beyond which the data of a source prove nothing and show nothing.
const tooOld = 30

// PartialFinding is what the paths found out about a question that they could not answer. Its text is for callers.
type PartialFinding struct{ Text string }

func (k *PartialFinding) Error() string { return k.Text }

// CannotAsk is the failure of a path that works and cannot be asked this question, such as one that shows too many
// results to read.
func CannotAsk(format string, args ...any) error {
	return scrape.Failf(scrape.Unavailable, "%w", &declined{fmt.Sprintf(format, args...)})
}

type declined struct{ why string }

func (d *declined) Error() string { return d.why }

// judge turns what one path of a recipe reads into an answer.
type judge struct {
	Recipe
	Path
	op Operation
}

func (j judge) read(ctx context.Context, q Question) (scrape.Reading[Answer], error) {
	if j.Asks != nil && !j.Asks(q) {
		return scrape.Reading[Answer]{}, CannotAsk("%s cannot be asked this", j.Noun)
	}
	r, err := j.Path.Read(ctx, q)
	if isDeclined(err) && q.declined != nil {
		*q.declined = true
	}
	if err != nil {
		return scrape.Reading[Answer]{}, err
	}
	if r.ReadAt.IsZero() {
		r.ReadAt = time.Now().UTC()
	}
	if j.op == Lookup && len(r.Records) == 0 && j.Misses == "" && j.Name != Mirror && j.Bulk.lists(ctx, q.Number) {
		r.Unclear = 1
	}
	return j.judge(q, r)
}

func (j judge) judge(q Question, r Reading) (scrape.Reading[Answer], error) {
	v := verdict{judge: j, Question: q, Reading: r, notReported: j.NotReported.With(), inferred: j.Inferred.With()}
	if err := v.date(); err != nil {
		return scrape.Reading[Answer]{}, err
	}
	if err := v.bound(); err != nil {
		return scrape.Reading[Answer]{}, err
	}
	if len(r.Records) == 0 && r.Total == 0 {
		if err := v.nothing(); err != nil {
			return scrape.Reading[Answer]{}, err
		}
	}
	answer, lowest := v.answer()
	return scrape.Reading[Answer]{Value: answer, Tally: lowest, EvidenceURL: r.EvidenceURL, ReadAt: r.ReadAt}, nil
}

// verdict is the work of one judgement.
type verdict struct {
	judge
	Question
	Reading
	// old tells that the data are older than their schedule allows.
	old bool
	// notReported and inferred are the path's, sorted. Most records have no others.
	notReported, inferred contracts.Members
}

// date fails when the data are so old that the source has changed.
func (v *verdict) date() error {
	if v.PublishedAt.After(v.ReadAt) {
		v.PublishedAt = v.ReadAt // a clock that is ahead of ours
	}
	days := contracts.DateOf(v.Clock().In(v.Zone)).DaysSince(contracts.DateOf(v.dataDate().In(v.Zone)))
	if days > tooOld {
		return scrape.Failf(scrape.Changed, "%w",
			&PartialFinding{fmt.Sprintf("%s is of %s, which is too old to answer from", v.Noun, v.day())})
	}
	v.old = v.Schedule > 0 && days > v.Schedule
	return nil
}

// dataDate is what the age of the data counts from.
func (v *verdict) dataDate() time.Time { return cmp.Or(v.DataDate, v.PublishedAt, v.ReadAt) }

// day is the day of the data, for people.
func (v *verdict) day() string { return v.dataDate().In(v.Zone).Format("2 Jan 2006") }

// misses says what the path may not show today; it is empty when it shows all.
func (v *verdict) misses() string {
	switch {
	case v.Misses != "":
		return v.Misses
	case v.old:
		return fmt.Sprintf("%s is of %s, so licenses that were issued or changed since are missing.",
			capital(v.Noun), v.day())
	case v.IsShort:
		return fmt.Sprintf("Many licenses are gone from %s at once: it may have been cut off.", v.Noun)
	}
	return ""
}

// nothing fails when no record is no answer: rows that match are not understood, or the path cannot prove that there is
// nothing. A search whose own first path cannot prove that is answered all the same.
func (v *verdict) nothing() error {
	what := map[Operation]string{Lookup: "it", Search: "what matches"}[v.op]
	if v.Unclear > 0 {
		return scrape.Failf(scrape.Unclear, "%w", &PartialFinding{fmt.Sprintf(
			"%s shows %s in a way that is not understood, so it is neither reported nor denied", v.Noun, what)})
	}
	cannotAnswer := v.op == Search && (v.First(v.op, v.Question).Misses != "" || v.declined != nil && *v.declined)
	if v.misses() == "" || cannotAnswer {
		return nil
	}
	dated := v.Noun
	if !v.PublishedAt.IsZero() {
		dated += " of " + v.day()
	}
	does := map[Operation]string{Lookup: "does not list it", Search: "lists no match"}[v.op]
	return scrape.Failf(scrape.Unavailable, "%w", &PartialFinding{fmt.Sprintf(
		"%s %s, which proves nothing; the register itself could not be read", dated, does)})
}

// answer makes the answer and its lowest tally.
func (v *verdict) answer() (Answer, contracts.Tally) {
	a := Answer{
		Complete: v.complete(), Total: max(v.Total, len(v.Records)), Whole: true, Records: []contracts.LicenseRecord{},
		RefreshFailed: v.RefreshFailed, IsPast: v.IsPast,
	}
	if !v.PublishedAt.IsZero() {
		a.PublishedAt = new(v.PublishedAt.UTC())
	}
	lowest := v.tallies(&a)
	a.Notes = v.notes()
	v.page(&a)
	return a, lowest
}

func (v *verdict) complete() bool {
	if v.op == Lookup {
		return true
	}
	return v.misses() == "" && v.Unclear == 0 && v.Cut == "" && !v.AccentsMissed
}

// tallies tells of each record and of all together what is not reported and what is inferred, and gives the lowest
// tally.
func (v *verdict) tallies(a *Answer) contracts.Tally {
	v.finishAll()
	if len(v.MatchGroups) == 0 {
		return contracts.TallyOf(true, a.Complete)
	}
	var all, lowest contracts.Tally
	for i := range v.MatchGroups {
		r := &v.MatchGroups[i]
		t := v.tallyOf(&r.Record, a.Complete)
		all, lowest = all.Add(t.Times(r.N)), lowest.Lowest(t)
		a.NotReported, a.Inferred = merge(a.NotReported, r.NotReported), merge(a.Inferred, r.Inferred)
	}
	return lowest.Lowest(all)
}

// tallyOf is the tally of a record by itself. In a search, that the path shows every match is one more item of it.
func (v *verdict) tallyOf(r *Record, complete bool) contracts.Tally {
	unclean := slices.Concat(r.NotReported, r.Inferred)
	if v.old {
		unclean = append(unclean, Status)
	}
	t := tally(*r, v.Required[v.op], unclean)
	if slices.Contains(r.Unreadable, DBA) { // no operation requires it
		t = t.Add(contracts.TallyOf(false))
	}
	if v.op == Search {
		t = t.Add(contracts.TallyOf(complete))
	}
	return t
}

// finishAll finishes the records, and those that stand for all matches; where a path gives none, each stands for
// itself.
func (v *verdict) finishAll() {
	if v.MatchGroups == nil {
		sort(v.Records)
	}
	for i := range v.Records {
		v.finish(&v.Records[i])
	}
	for i := range v.MatchGroups {
		v.finish(&v.MatchGroups[i].Record)
	}
	if v.MatchGroups == nil {
		for _, r := range v.Records {
			v.MatchGroups = append(v.MatchGroups, MatchGroup{r, 1})
		}
	}
}

func sort(records []Record) {
	slices.SortStableFunc(records, func(a, b Record) int { return a.Position().Compare(b.Position()) })
}

// merge is a with what b has more. Most records of an answer have the same members.
func merge(a, b contracts.Members) contracts.Members {
	for _, member := range b {
		if !slices.Contains(a, member) {
			return a.With(b...)
		}
	}
	return a
}

// finish gives a record what holds of every record of its path.
func (v *verdict) finish(r *Record) {
	r.NotReported, r.Inferred = merge(v.notReported, r.NotReported), merge(v.inferred, r.Inferred)
	if len(r.Shown) > 0 {
		r.NotReported = slices.DeleteFunc(r.NotReported.With(), func(m string) bool { return slices.Contains(r.Shown, m) })
	}
	if r.Because != "" {
		r.Inferred = merge(r.Inferred, contracts.Members{Status})
	}
	if r.Suspensions == nil {
		r.Suspensions = NoSuspensions()
	}
	if slices.Contains(r.Unreadable, Suspensions) { // an empty list would say that there are none
		r.NotReported = merge(r.NotReported, contracts.Members{Suspensions})
	}
	if a := &r.Address; a.Raw == "" {
		county := a.County
		if slices.Contains(r.Inferred, County) {
			county = "" // no source's text
		}
		a.Raw = Joined(a.Street, a.City, a.State, a.ZipCode, county)
	}
}

// page keeps the records after the position that was asked for: all that a form gave, else at most so many as an answer
// holds.
func (v *verdict) page(a *Answer) {
	a.Records = make([]contracts.LicenseRecord, 0, min(len(v.Records), contracts.MaxKept))
	a.Rows = RowsOf(v.Records)
	for i := range v.Records {
		r := &v.Records[i]
		if r.Position().Compare(v.After) <= 0 {
			continue
		}
		if !v.Form && len(a.Records) == contracts.MaxKept {
			a.Whole = false
			break
		}
		a.Records, a.Tallies = append(a.Records, r.LicenseRecord), append(a.Tallies, v.tallyOf(r, a.Complete))
	}
	a.Whole = a.Whole && !v.More
}
