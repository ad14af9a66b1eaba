package mirror

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/platform/telemetry"
)

// File is one bulk file.
type File struct {
	// Name is the file's key in the buckets: letters, digits and '-'.
	Name string
	URL  string
	// MaxBytes bounds the download; 32 MiB when it is 0.
	MaxBytes int64
	// Read gives every license of the file to add, whose error ends it, and counts its rows. Its error is a
	// *[scrape.Failure], kind changed when the file is not what it should be. [Table.Read] bounds what it reads.
	Read func(body []byte, add func(Entry) error) (rows int, err error)
	// Published finds in the file how old it says that it is; zero when it does not say. nil: its Last-Modified tells.
	Published func(body []byte) time.Time
	// Rows asks the publisher how many rows the file must have, where a file that is cut off cannot be told from a whole
	// one. nil: it can, or KeepsAll.
	Rows func(context.Context) (int, error)
	// KeepsAll: no license ever leaves the file, so that one from which many are gone was cut off.
	KeepsAll bool
}

// Spec is the files of one state. What one file says of a number is weighed against the others by rank.
type Spec struct {
	// Name is a label in metrics, such as the state's code.
	Name string
	// Source is the source of its changes; Name when it is empty.
	Source string
	Files  []File
	// Contradicts tells, by its expiration dates in an earlier and a later file, whether nobody can tell which of them is
	// right about a license: it is not understood then. nil: the rank decides.
	Contradicts func(earlier, later contracts.Date) bool
	// MaxAge is when a copy is to be renewed; 0 means the default of package mirror.
	MaxAge time.Duration
	// Fetch replaces the plain download, for hosts that want a cookie first, or a token.
	Fetch func(context.Context, scrape.Request) (*scrape.Page, error)
	// Watch says how two editions are compared, where somebody wants to know what changes: see [Deps.Watched].
	Watch Watch
}

// Mirror answers from one state's files. It is safe for concurrent use.
type Mirror struct {
	Spec
	store *Store

	current atomic.Pointer[Copy]
	mu      sync.Mutex
	loading *load // under way; nil when none is
	nextTry time.Time
	overdue time.Time // the newest reading of another worker for which a load was due at once
	watched watched
}

// Copy is a mirror at one time. It does not change.
type Copy struct {
	// ReadAt is when the oldest of its files was downloaded, or found unchanged.
	ReadAt time.Time
	// Since is when what the copy says was first downloaded.
	Since time.Time
	// Files are those of the mirror's [Spec], in its order.
	Files      []CopiedFile
	index      *index
	downloaded bool // this process got a new edition of one of the files
	// IsPast: another worker has got a newer edition, which this one could not load in time. The copy may contradict it.
	IsPast bool
	// IsShort: many rows are gone, and nothing else says so yet: a file may have been cut off.
	IsShort bool
	isStale bool // a renewal of one of the files has failed, and this is the last good edition
}

// CopiedFile is a file as it was downloaded.
type CopiedFile struct {
	URL   string
	Since time.Time
	editionFile
	rows, before int // those of its edition
}

// PublishedAt is that of the oldest file; zero when none says.
func (c *Copy) PublishedAt() (oldest time.Time) {
	for _, f := range c.Files {
		if !f.PublishedAt.IsZero() && (oldest.IsZero() || f.PublishedAt.Before(oldest)) {
			oldest = f.PublishedAt
		}
	}
	return oldest
}

// Lookup gives the entries of a normal number, the one that ranks highest first. A number that no license has now is
// looked for among the former ones.
func (c *Copy) Lookup(number string) []Entry {
	if entries := c.index.lookup(number); entries != nil {
		return entries
	}
	return c.index.formerly(number)
}

// Find finds the licenses that hold all parts of the query, without regard to case and accents.
func (c *Copy) Find(q contracts.Query) Hits { return Hits{c.index, c.index.find(q)} }

// MayHide tells whether a row whose number cannot be read may be of this number: it prints no number, or one with
// these digits.
func (c *Copy) MayHide(number string) bool { return mayHide(c.index.unnumbered, number) }

// Len is how many licenses it holds.
func (c *Copy) Len() int { return c.index.len() }

// Copy is the newest copy there is. The first call loads it and waits for that as long as ctx allows; later ones wait
// only when the copy is older than an answer may be, or for [pastTime] when it is past. A load that is too slow is an
// ordinary failure: after some, the breaker spares later callers the wait. The error is a *[scrape.Failure] when there
// is no copy at all.
func (m *Mirror) Copy(ctx context.Context) (*Copy, error) {
	c := m.current.Load()
	isYoung := c != nil && time.Since(c.ReadAt) < contracts.LicenseTTL
	if isYoung && !m.isPast(ctx, c) {
		return c, nil
	}
	newest, err := m.newestCopy(ctx, isYoung)
	if isYoung && newest == c {
		past := *c
		past.IsPast, newest = true, &past
	}
	return newest, err
}

// newestCopy waits for a load.
func (m *Mirror) newestCopy(ctx context.Context, isYoung bool) (*Copy, error) {
	c, l := m.current.Load(), m.beginLoad(ctx, m.usual())
	if l == nil {
		return c, nil // what there is must do until the next try
	}
	if m.store.Reread {
		ctx = m.store.base // the file is at hand, however long it takes to read
	}
	if isYoung {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, pastTime)
		defer cancel()
	}
	select {
	case <-l.done:
	case <-ctx.Done():
		if c != nil {
			return c, nil
		}
		return nil, scrape.Failf(scrape.Unreachable, "the %s mirror is still being loaded: %w", m.Name, ctx.Err())
	}
	if c = m.current.Load(); c != nil {
		return c, nil
	}
	return nil, l.err
}

// Rereads tells whether the files are documents of an earlier reading.
func (m *Mirror) Rereads() bool { return m.store.Reread }

// Renew asks for the files anew unless the copy is young. It is false where that failed or did not end in time, and the
// copy is the one from before.
func (m *Mirror) Renew(ctx context.Context) (done bool) {
	fresh := due{m.store.Young, m.store.Young, true}
	since := time.Now().Add(-m.store.Young)
	isFresh := func() bool { c := m.current.Load(); return c != nil && c.ReadAt.After(since) }
	for range 2 { // a load under way may be content with an older edition
		if isFresh() {
			return true
		}
		l := m.beginLoad(ctx, fresh)
		select {
		case <-l.done:
		case <-ctx.Done():
			return false
		}
		if l.due == fresh {
			break
		}
	}
	return isFresh()
}

// beginLoad joins the load under way or starts one. It is nil when there is a copy, nobody requests a newer one, and it
// is usual to try for that later.
func (m *Mirror) beginLoad(waiter context.Context, d due) *load {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.loading != nil {
		return m.loading
	}
	if !d.onRequest && m.current.Load() != nil && time.Now().Before(m.nextTry) {
		return nil
	}
	l := &load{due: d, done: make(chan struct{})}
	m.loading = l
	if !m.store.start(maxLoad, func(ctx context.Context) { m.run(ctx, waiter, l) }) {
		l.err = scrape.Failf(scrape.Unavailable, "the worker is stopping")
		m.loading = nil
		close(l.done)
	}
	return l
}

// manyLicenses is a third of the smallest register. To read so many leaves several times the size of the file behind,
// and the next file is a day away. What fewer leave is not worth a collection of all garbage at once, nor is a failure,
// which is soon tried again.
const manyLicenses = 10_000

func (m *Mirror) run(ctx, waiter context.Context, l *load) {
	ctx, span := telemetry.StartRoot(ctx, waiter, scope, "mirror.load")
	defer span.End()
	before := m.current.Load()
	c, err := m.load(ctx, l.due)
	if err == nil {
		if c.Since = c.since(); before != nil && before.index == c.index {
			c.Since = before.Since
		}
		m.current.Store(c)
		m.store.metrics.read.WithLabelValues(m.Name).Set(float64(c.ReadAt.Unix()))
		if at := c.PublishedAt(); !at.IsZero() {
			m.store.metrics.dataTime.WithLabelValues(m.Name).Set(float64(at.Unix()))
		}
		m.compareSoon(c, before)
	} else {
		telemetry.Failed(span)
	}
	if err == nil && c.Len() >= manyLicenses && (before == nil || before.index != c.index) {
		debug.FreeOSMemory()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	l.err, m.loading, m.nextTry = err, nil, time.Now().Add(m.retry())
	if err == nil {
		m.nextTry = c.ReadAt.Add(m.maxAge())
		if soonest := time.Now().Add(m.retry()); m.nextTry.Before(soonest) {
			m.nextTry = soonest
		}
	}
	close(l.done)
}

// maxAge is when a copy is to be renewed.
func (m *Mirror) maxAge() time.Duration {
	age := m.store.MaxAge
	if m.MaxAge > 0 {
		age = min(age, m.MaxAge)
	}
	if m.isWatched() && m.store.WatchEvery > 0 {
		age = min(age, m.store.WatchEvery)
	}
	return age
}

// retry is how soon a renewal that failed is tried again.
func (m *Mirror) retry() time.Duration {
	if m.isWatched() && m.store.WatchEvery > 0 {
		return min(m.store.Retry, m.store.WatchEvery)
	}
	return m.store.Retry
}

// refresh has a newer copy loaded when one is due. A mirror that was never asked, and that nobody watches, is left
// alone.
func (m *Mirror) refresh() {
	c := m.current.Load()
	m.beginWatch(c)
	if c != nil || m.isWatched() {
		m.beginLoad(m.store.base, m.usual())
	}
	if c != nil {
		m.takeOver(c)
	}
}
