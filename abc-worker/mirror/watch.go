package mirror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/changes"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"
)

// An edition is held when more of its licenses are gone than maxGone in a hundred, and at least manyGone.
const (
	maxGone  = 1
	manyGone = 50
)

// scope names this package's spans.
const scope = "assay.dev/abc-worker/mirror"

// watched is the comparing of one mirror in this process.
type watched struct {
	// begun: the first look at it as a watched one was taken.
	begun atomic.Bool
	// busy lets one comparison run at a time.
	busy sync.Mutex
	// behind is since when the record has stayed at revision behindAt without the newest copy. takeOver uses it.
	behind   time.Time
	behindAt uint64
	looking  sync.Mutex
	// isDegraded: this process told so last.
	isDegraded atomic.Bool
}

func (m *Mirror) isWatched() bool {
	return m.store.compared != nil && slices.Contains(m.store.Watched, m.Name) &&
		(m.store.Watching == nil || m.store.Watching())
}

// beginWatch makes the copy that there is, if any, the first that is compared, and has its files asked for now.
func (m *Mirror) beginWatch(c *Copy) {
	if !m.isWatched() || !m.watched.begun.CompareAndSwap(false, true) {
		return
	}
	if c == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nextTry = time.Time{}
	m.store.start(maxCompare, func(ctx context.Context) { m.compareNow(ctx, c, nil) })
}

// compareSoon compares the first copy, and a new one if it is this process that downloaded it. Otherwise another worker
// does. A copy that is the one from before is looked at when this process told that the source is degraded, or could
// not renew it, to tell that it recovered.
func (m *Mirror) compareSoon(c, before *Copy) {
	if m.isWatched() &&
		(c.downloaded || before == nil || !c.isStale && (before.isStale || m.watched.isDegraded.Load())) {
		m.store.start(maxCompare, func(ctx context.Context) { m.compareNow(ctx, c, before) })
	}
}

// takeOver compares a copy that another worker should have compared, when nothing has happened for some time.
func (m *Mirror) takeOver(c *Copy) {
	if !m.isWatched() || !m.watched.looking.TryLock() {
		return
	}
	started := m.store.start(maxCompare, func(ctx context.Context) {
		defer m.watched.looking.Unlock()
		r, err := m.compared(ctx)
		w := &m.watched
		switch {
		case m.isPast(ctx, c):
			w.behind = time.Time{}
			m.beginLoad(ctx, m.usual())
		case err != nil || r.revision > 0 && r.Next == nil && r.isDone(c.set()):
			w.behind = time.Time{}
		case w.behind.IsZero() || r.revision != w.behindAt:
			w.behind, w.behindAt = time.Now(), r.revision
		case time.Since(w.behind) > m.store.TakeOver:
			w.behind = time.Time{}
			m.compareNow(ctx, c, nil)
		}
	})
	if !started {
		m.watched.looking.Unlock()
	}
}

// isDone tells whether nothing is to be done about an edition.
func (r *compared) isDone(s editionSet) bool {
	return r.Done.same(s) || s.older(r.Done) || r.isHolding(s)
}

// isHolding tells whether the edition is the one that is held, and nobody has confirmed it.
func (r *compared) isHolding(s editionSet) bool {
	return r.Held != nil && !r.Held.Confirmed && r.Held.Edition.same(s)
}

func (m *Mirror) compareNow(ctx context.Context, c, before *Copy) {
	if !m.watched.busy.TryLock() {
		return
	}
	defer m.watched.busy.Unlock()
	ctx, span := telemetry.StartRoot(ctx, ctx, scope, "mirror.compare")
	defer span.End()
	start := time.Now()
	outcome, told, err := m.compare(ctx, c, before)
	switch {
	case errors.Is(err, changes.ErrOvertaken) || kv.Conflict(err):
		m.store.Log.InfoContext(ctx, "another worker compares the edition", "source", m.Name)
		return
	case err != nil:
		outcome = "failed"
		telemetry.Failed(span)
		m.store.Log.ErrorContext(ctx, "an edition is not compared yet", "source", m.Name, "changes", told, "error", err)
	case outcome != "":
		m.store.Log.InfoContext(ctx, "an edition was compared", "source", m.Name, "outcome", outcome, "changes", told,
			"dur_ms", time.Since(start).Milliseconds())
	}
	if outcome != "" {
		m.store.metrics.comparisons.WithLabelValues(m.Name, outcome).Inc()
	}
}

// compare brings the record to the copy's edition: what was begun is ended, then the copy is compared. The outcome is
// empty when there is nothing to do.
func (m *Mirror) compare(ctx context.Context, c, before *Copy) (outcome string, told int, err error) {
	r, err := m.compared(ctx)
	if err != nil {
		return "", 0, err
	}
	if r.Next != nil {
		if told, err = m.finish(ctx, &r, c, before); err != nil {
			return "", told, err
		}
	}
	target := c.set()
	switch {
	case r.revision == 0:
		r.Done = target
		return "first", 0, m.writeCompared(ctx, &r)
	case m.isPast(ctx, c):
		return "", told, nil
	case r.Done.same(target):
		return m.back(ctx, &r, c, told)
	case target.older(r.Done):
		return "older", told, nil
	case r.isHolding(target):
		return "", told, nil
	}
	if held, err := m.hold(ctx, &r, target, c, before); held || err != nil {
		return "held", told, err
	}
	behind, err := m.isBehind(ctx, &r)
	if err != nil {
		return "", told, err
	}
	if behind {
		return m.rebase(ctx, &r, target)
	}
	heldKeys := ""
	if r.Held != nil {
		heldKeys = r.Held.Keys
	}
	r.Next, r.Held = &target, nil
	if err := m.writeCompared(ctx, &r); err != nil {
		return "", told, err
	}
	m.forgetObjects(ctx, []string{heldKeys})
	more, err := m.finish(ctx, &r, c, before)
	return "done", told + more, err
}

// back is what is left to do of an edition that was compared already: one that was held in between is held no longer.
func (m *Mirror) back(ctx context.Context, r *compared, c *Copy, told int) (string, int, error) {
	outcome := ""
	if told > 0 {
		outcome = "done"
	}
	if r.Held != nil {
		keys := r.Held.Keys
		r.Held = nil
		if err := m.writeCompared(ctx, r); err != nil {
			return outcome, told, err
		}
		m.forgetObjects(ctx, []string{keys})
	}
	return outcome, told, m.recovered(ctx, c)
}

// isBehind tells whether more was told than the record knows of, as after its restore from a backup.
func (m *Mirror) isBehind(ctx context.Context, r *compared) (bool, error) {
	last, err := m.changes(m.Watch.appeared().Group()).Last(ctx)
	edition, _ := last.Edition()
	return edition > r.Done.ID, err
}

// rebase makes an edition the one that the next is compared with. What changed up to it is not told: all stored answers
// end, and who follows the changes is told that some are missing.
func (m *Mirror) rebase(ctx context.Context, r *compared, target editionSet) (string, int, error) {
	// If another worker published the changes and deleted the edition, this write fails and nothing is lost.
	if err := m.writeCompared(ctx, r); err != nil {
		return "", 0, err
	}
	m.store.Log.ErrorContext(ctx, "the edition that was compared last is lost: what changed since is not told", "source",
		m.Name, "edition", r.Done.ID)
	if err := m.endAllAnswers(ctx); err != nil {
		return "", 0, err
	}
	m.degraded(ctx, r.Done.readAt(), "what changed up to the newest edition is not known, and not told")
	*r = compared{Done: target, revision: r.revision}
	return "lost", 0, m.writeCompared(ctx, r)
}

// hold tells whether too many licenses are gone from the edition. Nothing of it is told then, until an operator or the
// next edition confirms that they are gone.
func (m *Mirror) hold(ctx context.Context, r *compared, target editionSet, copies ...*Copy) (bool, error) {
	done, err := m.side(ctx, r.Done, copies...)
	if errors.Is(err, errLost) {
		return false, nil // finish finds that too, and makes a new beginning
	}
	if err != nil {
		return false, err
	}
	next, err := m.side(ctx, target, copies...)
	if err != nil {
		return false, err
	}
	c := comparison{Watch: &m.Watch, before: done.entries, after: next.entries}
	gone, of := c.gone()
	if m.Watch.ListName != "" || !isMuch(len(gone), of) || m.isConfirmed(ctx, r, target, gone, of) {
		return false, nil
	}
	if r.Held != nil && r.Held.Confirmed && r.Held.Edition.same(target) {
		return false, m.forgetBefore(ctx, target)
	}
	keys, err := m.keepObject(ctx, "held", target.ID, gone)
	if err != nil {
		return false, err
	}
	old := r.Held
	r.Held = &heldEdition{Edition: target, Gone: len(gone), Of: of, Keys: keys}
	if err := m.writeCompared(ctx, r); err != nil {
		return false, err
	}
	if old != nil {
		m.forgetObjects(ctx, []string{old.Keys})
	}
	m.store.Log.ErrorContext(ctx, "an edition is held: too many licenses are gone from it", "source", m.Name, "gone",
		len(gone), "of", of)
	m.degraded(ctx, time.Now(), fmt.Sprintf("%d of %d licenses are gone from the newest edition: its changes are held",
		len(gone), of))
	return true, nil
}

func isMuch(gone, of int) bool { return gone >= manyGone && gone*100 > of*maxGone }

// isConfirmed tells whether another edition than the one that is held lacks the same licenses.
func (m *Mirror) isConfirmed(ctx context.Context, r *compared, target editionSet,
	gone []contracts.Position, of int) bool {
	if r.Held == nil || r.Held.Edition.same(target) {
		return false
	}
	var held []contracts.Position
	if err := m.readObject(ctx, r.Held.Keys, &held); err != nil {
		return false
	}
	known := make(map[contracts.Position]bool, len(held))
	for _, k := range held {
		known[k] = true
	}
	news := 0
	for _, k := range gone {
		if !known[k] {
			news++
		}
	}
	return !isMuch(news, of)
}
