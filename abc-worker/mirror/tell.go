package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/changes"
)

// changes is the log of one group of the mirror's changes.
func (m *Mirror) changes(group string) *changes.Log {
	return &changes.Log{
		JetStream: m.store.JetStream, Environment: m.store.Environment, Product: contracts.ABC,
		Source: m.source(group), Group: group,
		Published: m.store.metrics.published,
	}
}

// source names the source of a group of changes: a list's health belongs to the list, its entries to the state.
func (m *Mirror) source(group string) string {
	if group == contracts.SourceDegraded.Group() {
		return m.Name
	}
	return cmp.Or(m.Source, m.Name)
}

// finish publishes the changes from Done to Next that are not published yet, and makes Next what was compared last. The
// newest copy is the first.
func (m *Mirror) finish(ctx context.Context, r *compared, copies ...*Copy) (told int, err error) {
	done, err1 := m.side(ctx, r.Done, copies...)
	next, err2 := m.side(ctx, *r.Next, copies...)
	if err := cmp.Or(err1, err2); err != nil {
		if !errors.Is(err, errLost) {
			return 0, err
		}
		outcome, _, err := m.rebase(ctx, r, *r.Next)
		if err == nil {
			m.store.metrics.comparisons.WithLabelValues(m.Name, outcome).Inc()
		}
		return 0, err
	}
	c := comparison{
		Watch: &m.Watch, before: done.entries, after: next.entries, carried: m.carriedItems(ctx, r.Carried),
		obscures: func(number string) bool { return mayHide(next.unnumbered, number) },
		evidence: func(file byte) *contracts.Evidence { return r.Done.Files[file].Kept },
	}
	carry, told, err := m.tell(ctx, r, &c)
	if err != nil {
		return told, err
	}
	before := r.objects()
	if r.Carried, err = m.keepCarried(ctx, r.Next.ID, carry); err != nil {
		return told, err
	}
	r.Done, r.Next = *r.Next, nil
	if err := m.writeCompared(ctx, r); err != nil {
		return told, err
	}
	m.forgetObjects(ctx, slices.DeleteFunc(before, func(o string) bool { return slices.Contains(r.objects(), o) }))
	return told, m.recovered(ctx, copies[0])
}

// tell publishes the differences of a comparison that follow the last one that was published of it.
func (m *Mirror) tell(ctx context.Context, r *compared, c *comparison) (carry []item, told int, err error) {
	log := m.changes(m.Watch.appeared().Group())
	last, err := log.Last(ctx)
	if err != nil {
		return nil, 0, err
	}
	edition, index := last.Edition()
	isResumed, begun := edition == r.Next.ID, last.Change
	if !isResumed {
		index = -1
	}
	beat := time.Now()
	var formers map[string][]string
	carry, err = c.run(func(d difference) error {
		if isResumed && !m.Watch.follows(&d, &begun) {
			return nil
		}
		if time.Since(beat) > m.store.TakeOver/3 { // others see that this goes on
			beat = time.Now()
			if err := m.writeCompared(ctx, r); err != nil {
				return err
			}
		}
		index++
		change := m.change(&d, r)
		change.ID = changes.ID(change.Source, r.Next.ID, index)
		if held := m.current.Load(); formers == nil && held != nil {
			formers = held.index.formersOf()
		}
		if err := m.endAnswers(ctx, &change, formers[change.Data.LicenseNumber], told == 0); err != nil {
			return err
		}
		if err := log.Append(ctx, &last, change); err != nil {
			return err
		}
		told++
		return nil
	})
	return carry, told, err
}

// follows tells whether a difference comes after a change of the same comparison.
func (w *Watch) follows(d *difference, last *contracts.Change) bool {
	is, was := contracts.Position{Number: d.license().LicenseNumber}, contracts.Position{Number: last.Data.LicenseNumber}
	if w.ByType {
		is.Type, was.Type = d.license().LicenseTypeCode, last.Data.LicenseTypeCode
	}
	place := func(t contracts.ChangeType) int { return slices.Index(contracts.ChangeTypes, t) }
	return cmp.Or(is.Compare(was), cmp.Compare(place(d.kind), place(last.Type))) > 0
}

// endAnswers ends the stored answers about a license, so that nobody reads in one what the change says is past, also
// those by its former numbers; with the first change of an edition the searches of the state, too.
func (m *Mirror) endAnswers(ctx context.Context, c *contracts.Change, formers []string, isFirst bool) error {
	if m.store.Answers == nil {
		return nil
	}
	if searches := c.OutdatesSearches(m.store.Environment); searches != "" && isFirst {
		if err := cache.EndAll(ctx, m.store.Answers, searches, time.Now()); err != nil {
			return fmt.Errorf("the stored searches: %w", err)
		}
	}
	keys := c.Outdates(m.store.Environment)
	for _, number := range formers {
		keys = append(keys, contracts.LicenseKey(m.store.Environment,
			contracts.LicenseRequest{State: contracts.State(c.Source), Number: number}))
	}
	for _, key := range keys {
		if err := cache.End(ctx, m.store.Answers, key, time.Now()); err != nil {
			return fmt.Errorf("the stored answer of %s: %w", c.Data.LicenseNumber, err)
		}
	}
	return nil
}

// endAllAnswers ends all stored answers about the state's licenses.
func (m *Mirror) endAllAnswers(ctx context.Context) error {
	if m.store.Answers == nil || m.Watch.ListName != "" {
		return nil
	}
	state := contracts.State(m.source(contracts.StatusChanged.Group()))
	return errors.Join(
		cache.EndAll(ctx, m.store.Answers, contracts.LicensesOf(m.store.Environment, state), time.Now()),
		cache.EndAll(ctx, m.store.Answers, contracts.SearchesOf(m.store.Environment, state), time.Now()))
}

// change is a difference as it is published.
func (m *Mirror) change(d *difference, r *compared) contracts.Change {
	l := d.license()
	c := contracts.Change{
		Type: d.kind, OccurredAt: r.Next.readAt().UTC().Truncate(time.Second), Product: contracts.ABC,
		Source: m.source(d.kind.Group()),
		Data: contracts.ChangeData{
			LicenseNumber: l.LicenseNumber, LicenseTypeCode: l.LicenseTypeCode, Before: m.values(d.kind, d.before),
			After: m.values(d.kind, d.after),
		},
		Evidence: contracts.ChangeEvidence{Before: r.Done.evidence(d.before), After: r.Next.evidence(d.after)},
	}
	if d.carried != nil {
		c.Evidence.Before = append([]contracts.Evidence{*d.carried}, c.Evidence.Before...)
	}
	return c
}

// evidence is where the entry's file is kept; all files where the set has no entry.
func (s *editionSet) evidence(e *Entry) []contracts.Evidence {
	found := []contracts.Evidence{}
	for i, f := range s.Files {
		if f.Kept != nil && (e == nil || e.File == i) {
			found = append(found, *f.Kept)
		}
	}
	return found
}

// values are the members of a license that a change of that kind is of.
func (m *Mirror) values(kind contracts.ChangeType, e *Entry) *contracts.ChangeValues {
	if e == nil {
		return nil
	}
	if m.Watch.ListName != "" {
		on := e.OnList()
		return &contracts.ChangeValues{List: m.Watch.ListName, HeldSince: on.Since, Exempt: &on.IsExempt}
	}
	r := &e.Record
	status, isReported := m.Watch.Status(e.Word)
	switch kind {
	case contracts.StatusChanged:
		return &contracts.ChangeValues{Status: status}
	case contracts.ExpirationChanged:
		return &contracts.ChangeValues{ExpirationDate: r.ExpirationDate}
	case contracts.HolderChanged:
		return &contracts.ChangeValues{OwnerName: r.OwnerName}
	}
	v := &contracts.ChangeValues{
		ExpirationDate: r.ExpirationDate, OwnerName: r.OwnerName, DBAName: r.DBAName, Address: r.Address.Raw,
	}
	if isReported {
		v.Status = status
	}
	return v
}

// forgetObjects deletes what no comparison and no copy needs any longer.
func (m *Mirror) forgetObjects(ctx context.Context, objects []string) {
	for _, f := range m.Files {
		last, err := m.last(ctx, f)
		if err != nil {
			return // what is left lies there until the store drops it
		}
		objects = slices.DeleteFunc(objects, func(o string) bool { return o == last.Object })
	}
	for _, o := range objects {
		if o == "" {
			continue
		}
		if err := m.store.forget(ctx, o); err != nil {
			m.store.Log.WarnContext(ctx, "an object of a comparison is not deleted", "object", o, "error", err)
		}
	}
}

// degraded tells that changes are not told since a moment, unless that was the last thing told of the source.
func (m *Mirror) degraded(ctx context.Context, since time.Time, why string) {
	if !m.isWatched() {
		return
	}
	since = since.UTC().Truncate(time.Second)
	err := m.changes(contracts.SourceDegraded.Group()).TellSource(ctx, contracts.SourceDegraded, time.Now(),
		contracts.ChangeValues{Since: &since, Why: why})
	if err != nil {
		m.store.Log.ErrorContext(ctx, "source.degraded was not published", "source", m.Name, "error", err)
		return
	}
	m.watched.isDegraded.Store(true)
}

// recovered tells that an edition of every file was taken again, where the last thing told is that one was not.
func (m *Mirror) recovered(ctx context.Context, newest *Copy) error {
	if newest.isStale {
		return nil
	}
	now := time.Now().UTC().Truncate(time.Second)
	err := m.changes(contracts.SourceRecovered.Group()).TellSource(ctx, contracts.SourceRecovered, now,
		contracts.ChangeValues{Since: &now})
	if err == nil {
		m.watched.isDegraded.Store(false)
	}
	return err
}
