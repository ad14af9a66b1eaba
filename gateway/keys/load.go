package keys

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// batchSize is how many entries of a load are decoded together.
const batchSize = 256

// loading reads all that the bucket held when a watch began, and then each change. Entries are decoded on all
// processors: that takes longer than their way here.
type loading struct {
	d *Directory
	// records are those that were delivered: of the load alone until they are the directory's. Its lock guards them.
	records recordSet
	// held is how many keys the bucket says that it holds, received how many entries were delivered.
	held, received uint64
	newest         uint64 // the last revision that the bucket held or that was delivered
	unreadable     atomic.Pointer[kv.Damaged]
	complete       bool

	batch    []jetstream.KeyValueEntry
	batches  chan []jetstream.KeyValueEntry
	decoding sync.WaitGroup
}

func (d *Directory) beginLoad(state jetstream.StreamState) *loading {
	l := &loading{d: d, records: recordSet{}, held: state.NumSubjects, newest: state.LastSeq,
		batches: make(chan []jetstream.KeyValueEntry)}
	for range runtime.GOMAXPROCS(0) {
		l.decoding.Go(func() {
			for batch := range l.batches {
				for _, e := range batch {
					l.copy(e)
				}
			}
		})
	}
	return l
}

// addEntry copies an entry, later when the load is not complete.
func (l *loading) addEntry(e jetstream.KeyValueEntry) {
	l.received++
	l.newest = max(l.newest, e.Revision())
	if l.complete {
		l.copy(e)
		return
	}
	if l.batch = append(l.batch, e); len(l.batch) == batchSize {
		l.batches <- l.batch
		l.batch = nil
	}
}

// end waits until all entries are decoded. Without it no load may be left.
func (l *loading) end() {
	if l.complete {
		return
	}
	l.batches <- l.batch
	close(l.batches)
	l.decoding.Wait()
	l.batch, l.complete = nil, true
}

// copy puts an entry among the records. What cannot be read is damage.
func (l *loading) copy(e jetstream.KeyValueEntry) {
	k, err := newHeld(e)
	if err != nil {
		damage := unreadable(e, err)
		l.unreadable.CompareAndSwap(nil, damage)
		l.d.damage.Store(damage)
		return
	}
	l.d.mu.Lock()
	defer l.d.mu.Unlock()
	l.records.renew(k)
}

func (l *loading) short() *kv.Damaged {
	return &kv.Damaged{
		Stream: contracts.KeysBucket.Stream(), What: fmt.Sprintf("it says that it holds %d entries and delivers %d", l.held,
			l.received),
	}
}

func (l *loading) result() *kv.Damaged {
	if l.received < l.held {
		return l.short()
	}
	return l.unreadable.Load()
}
