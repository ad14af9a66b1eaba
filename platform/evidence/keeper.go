package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/scrape"
	"assay.dev/platform/telemetry"
)

const (
	// MaxWait is how long an answer waits for its documents to be kept, where [Deps] say nothing else.
	MaxWait = 250 * time.Millisecond
	// maxQueued and maxQueuedBytes bound the documents that wait to be stored.
	maxQueued, maxQueuedBytes = 256, 96 << 20
	// keepers is how many documents are stored at the same time.
	keepers = 4
	// publishTime bounds the storing of one document.
	publishTime = 5 * time.Second
)

// scope names this package's spans.
const scope = "assay.dev/platform/evidence"

// Deps is what a keeper needs. Log and Metrics may be nil.
type Deps struct {
	JetStream   jetstream.JetStream
	Environment contracts.Environment
	Product     contracts.Product
	// Parser is the version of the program that reads.
	Parser string
	// Wait takes the place of [MaxWait].
	Wait    time.Duration
	Log     *slog.Logger
	Metrics prometheus.Registerer
}

// Keeper stores documents. A nil Keeper stores nothing, and says so.
type Keeper struct {
	Deps
	metrics *metrics
	recent  *recent

	queue    chan *task
	waiting  atomic.Int64 // bytes in the queue
	stopping chan struct{}
	running  sync.WaitGroup
	abandon  context.CancelFunc
}

// Open starts a keeper. [Keeper.Stop] ends it. Open does not look for the stream: the first document shows whether it
// is there.
func Open(d Deps) (*Keeper, error) {
	d.Log = cmp.Or(d.Log, slog.New(slog.DiscardHandler))
	m, err := newMetrics(d.Metrics)
	if err != nil {
		return nil, err
	}
	k := &Keeper{Deps: d, metrics: m, recent: newRecent(), queue: make(chan *task, maxQueued),
		stopping: make(chan struct{})}
	var ctx context.Context
	ctx, k.abandon = context.WithCancel(context.Background())
	for range keepers {
		k.running.Go(func() { k.run(ctx) })
	}
	return k, nil
}

// Stop stores what is queued and ends the keeper. What is not stored when ctx ends is lost. Nothing may be kept any
// more.
func (k *Keeper) Stop(ctx context.Context) error {
	close(k.stopping)
	err := clock.Wait(ctx, &k.running)
	k.abandon()
	k.running.Wait()
	return err
}

// Keep stores the documents of one reading and gives their references, in the order of the documents. It waits for
// [MaxWait] at most. all is false when a document was not stored by then; without the first one, in which the values
// stand, there are no references at all.
func (k *Keeper) Keep(
	ctx context.Context, of Reading, documents []scrape.Document,
) (kept []contracts.Evidence, all bool) {
	if k == nil {
		return nil, false
	}
	ctx, span := telemetry.StartSpan(ctx, scope, "evidence.keep")
	defer span.End()
	start := time.Now()
	kept, all = k.await(ctx, k.begin(of, documents), documents)
	k.metrics.waited.Observe(time.Since(start).Seconds())
	span.SetAttributes(attribute.Int("assay.evidence.documents", len(documents)),
		attribute.Int("assay.evidence.kept", len(kept)))
	if !all && len(documents) > 0 {
		span.SetStatus(codes.Error, "not kept")
	}
	return kept, all
}

// begin queues the documents that are not kept yet. There is one task for each document; nil where nothing is to be
// done.
func (k *Keeper) begin(of Reading, documents []scrape.Document) []*task {
	tasks := make([]*task, len(documents))
	for i, d := range documents {
		if d.Page == nil {
			continue
		}
		reading := of
		if i > 0 {
			reading.Rows = nil
		}
		tasks[i] = k.task(d, reading, contracts.EvidenceSubject(k.Environment, k.Product, of.Source), false)
		if !tasks[i].isDone() {
			k.enqueue(tasks[i])
		}
	}
	return tasks
}

func (k *Keeper) task(d scrape.Document, of Reading, on contracts.Subject, file bool) *task {
	ready := preparedOf(d)
	t := &task{
		doc: d, packed: ready.packed, label: Label{SHA256: ready.hash,
			URL: d.EvidenceURL()}, subject: on.Name, file: file,
		done: make(chan struct{}),
	}
	t.id = idOf(t.label.SHA256, t.label.URL, len(of.Rows) > 0)
	if !file {
		t.sequence = k.recentOf(t.label.SHA256, t.label.URL, len(of.Rows) > 0)
	}
	if t.sequence > 0 {
		k.metrics.count(repeated)
		close(t.done)
		return t
	}
	t.label = labelOf(d, ready.hash, of, k.Parser)
	return t
}

// recentOf is where a document was kept lately; 0 for nowhere. One with the places of its values stands for one
// without.
func (k *Keeper) recentOf(hash, url string, hasRows bool) uint64 {
	now := time.Now()
	if at := k.recent.find(idOf(hash, url, true), now); at > 0 || hasRows {
		return at
	}
	return k.recent.find(idOf(hash, url, false), now)
}

// enqueue puts a task into the queue; when that is full, the document is lost at once.
func (k *Keeper) enqueue(t *task) {
	size := int64(len(t.doc.Body))
	if k.waiting.Add(size) <= maxQueuedBytes {
		select {
		case k.queue <- t:
			return
		default:
		}
	}
	k.waiting.Add(-size)
	k.lose(t, errors.New("too many documents are waiting"))
	close(t.done)
}

func (k *Keeper) lose(t *task, err error) {
	k.metrics.count(lost)
	k.Log.Warn("a document is not kept", "source", t.label.Source, "bytes", t.label.Size, "error", err)
}

// await gives the references of the documents that are stored in time.
func (k *Keeper) await(
	ctx context.Context, tasks []*task, documents []scrape.Document,
) (kept []contracts.Evidence, all bool) {
	patience := time.NewTimer(cmp.Or(k.Wait, MaxWait))
	defer patience.Stop()
	all = true
	for i, d := range documents {
		reference, ok := d.Kept, d.Kept != nil
		if t := tasks[i]; t != nil {
			reference, ok = t.await(ctx, patience)
		}
		if !ok && i == 0 {
			return nil, false
		}
		if all = all && ok; ok {
			kept = append(kept, *reference)
		}
	}
	if len(kept) > 0 && kept[0].Role == contracts.RoleContext {
		kept[0].Role = contracts.RoleValues
	}
	return kept, all && len(kept) > 0
}

// KeepFile stores an edition of a bulk file and gives its reference. It waits until ctx ends. Who calls it knows that
// the edition is not kept, or is there no more: it is stored though it was kept a short while ago.
func (k *Keeper) KeepFile(ctx context.Context, of Reading, d scrape.Document) (*contracts.Evidence, error) {
	if k == nil {
		return nil, errors.New("nothing is kept here")
	}
	t := k.task(d, of, contracts.FileSubject(k.Environment, k.Product, of.Source), true)
	k.enqueue(t)
	select {
	case <-t.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if t.sequence == 0 {
		return nil, fmt.Errorf("%s is not kept", d.EvidenceURL())
	}
	return t.reference(), nil
}

// run stores documents until Stop, and then those that are left in the queue.
func (k *Keeper) run(ctx context.Context) {
	for {
		select {
		case t := <-k.queue:
			k.store(ctx, t)
		case <-k.stopping:
			for {
				select {
				case t := <-k.queue:
					k.store(ctx, t)
				default:
					return
				}
			}
		}
	}
}

func (k *Keeper) store(ctx context.Context, t *task) {
	defer close(t.done)
	defer k.waiting.Add(-int64(len(t.doc.Body)))
	ctx, cancel := context.WithTimeout(ctx, publishTime)
	defer cancel()
	if t.packed == nil {
		t.packed = pack(t.doc.Body)
	}
	all, err := messages(t.subject, t.label, t.packed)
	sequence, known := uint64(0), false
	if err == nil {
		sequence, known, err = publish(ctx, k.JetStream, t.id, all)
	}
	if err != nil {
		if errors.Is(err, jetstream.ErrNoStreamResponse) {
			k.recent.forget()
		}
		k.lose(t, err)
		return
	}
	t.sequence = sequence
	if !t.file {
		k.recent.addDocument(t.id, known, sequence, time.Now())
	}
	if known {
		k.metrics.count(repeated)
		return
	}
	k.metrics.keep(all)
}
