package abcworker_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/evidence"
	"assay.dev/platform/provision"
	"assay.dev/sandbox/license"
)

// storeFault makes the store of evidence fail in one way.
type storeFault struct {
	name  string
	begin func(*system)
}

var evidenceStream = contracts.EvidenceStream(contracts.Test)

// storeFaults are a store that is gone, one that is full and refuses, and one that never acknowledges.
var storeFaults = []storeFault{
	{"gone", func(s *system) { s.must(s.js.DeleteStream(s.Context(), evidenceStream.Name)) }},
	{"full", func(s *system) {
		s.must(s.js.DeleteStream(s.Context(), evidenceStream.Name))
		full := jetstream.StreamConfig{Name: evidenceStream.Name, Subjects: evidenceStream.Subjects, MaxBytes: 100, Discard: jetstream.DiscardNew}
		_, err := s.js.CreateStream(s.Context(), full)
		s.must(err)
	}},
	{"slow", func(s *system) {
		s.must(s.js.DeleteStream(s.Context(), evidenceStream.Name))
		hole, err := s.conn.Subscribe(evidenceStream.Subjects[0], func(*nats.Msg) {})
		s.must(err)
		s.Cleanup(func() { _ = hole.Unsubscribe() })
	}},
}

// Under load, whatever becomes of the store: every license is answered rightly and in time, and says that its evidence is not kept.
func TestAnswersGoOnWithoutAStoreOfEvidence(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	for _, fault := range storeFaults {
		t.Run(fault.name, func(t *testing.T) {
			s := start(t)
			s.worker(func(c *abcworker.Config) { c.HostConcurrency, c.EvidenceWait = 64, time.Second })
			shown := slices.DeleteFunc(s.register().Of(contracts.NY), func(l license.License) bool { return l.Primary == nil || l.Mirror == nil })
			next := 0
			clocktest.Await(t, "a document is kept within a second", func() bool {
				a, err := s.lookup(contracts.NY, shown[next].Number)
				if next++; err != nil || next == len(shown)-120 {
					t.Fatalf("%d licenses: %v, %s", next, err, show(a))
				}
				return a.EvidenceSHA256() != nil && !a.Noted(contracts.NoteEvidenceNotKept)
			})
			fault.begin(s)
			var all sync.WaitGroup
			var mu sync.Mutex
			var took []time.Duration
			atOnce := make(chan struct{}, 12)
			for _, l := range shown[next : next+120] {
				atOnce <- struct{}{}
				all.Go(func() {
					defer func() { <-atOnce }()
					begun := time.Now()
					a, err := s.lookup(contracts.NY, l.Number)
					mu.Lock()
					defer mu.Unlock()
					took = append(took, time.Since(begun))
					s.checkNotKept(a, err)
				})
			}
			all.Wait()
			slices.Sort(took)
			t.Logf("%d answers, median %s, slowest %s", len(took), took[len(took)/2], took[len(took)-1])
			// without EvidenceWait each answer waits for as long as a publish may take
			if took[len(took)/2] > 5*time.Second || took[len(took)-1] > clocktest.Patience/2 {
				t.Errorf("half of the answers took up to %s, the slowest %s", took[len(took)/2], took[len(took)-1])
			}
		})
	}
}

func (s *system) checkNotKept(a contracts.LicenseAnswer, err error) {
	s.Helper()
	if err != nil || a.Record == nil {
		s.Errorf("%v, %s", err, show(a))
		return
	}
	body, err := a.Body(time.Now())
	s.must(err)
	v := body.Verifiability
	if v.EvidenceSHA256 != nil || len(v.Evidence) != 0 || !a.Noted(contracts.NoteEvidenceNotKept) || time.Until(a.ExpiresAt) > contracts.FallbackTTL {
		s.Errorf("%v %v, notes %v, lives %s", v.EvidenceSHA256, v.Evidence, v.Notes, time.Until(a.ExpiresAt))
	}
	if v.ExtractionConfidence < 0.87 {
		s.Errorf("confidence %v: it does not count whether the bytes are kept", v.ExtractionConfidence)
	}
}

func (s *system) checkKept(number string) {
	s.Helper()
	a, err := s.lookup(contracts.NY, number)
	if err != nil || a.EvidenceSHA256() == nil || a.Noted(contracts.NoteEvidenceNotKept) {
		s.Errorf("%v, %s", err, show(a))
	}
}

// When an operator lets the store be made anew, documents are kept again at once.
func TestEvidenceIsKeptAgain(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	numbers := s.register().Of(contracts.NY)
	s.must(s.js.DeleteStream(t.Context(), evidenceStream.Name))
	a, err := s.lookup(contracts.NY, numbers[0].Number)
	s.checkNotKept(a, err)
	s.must(provision.All(t.Context(), s.js, provision.Options{Replicas: 1, AcceptLoss: []string{evidenceStream.Name}}))
	s.checkKept(numbers[1].Number)
}

// Every kept document says when it was read: proofs print it.
func TestKeptDocumentsSayWhenTheyWereRead(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.solves(nil)
	s.renders()
	begun, store := time.Now(), evidence.NewStore(s.js)
	for _, state := range contracts.States {
		a, err := s.lookup(state, s.plain(state, 1)[0])
		if err != nil || len(a.Evidence) == 0 {
			t.Errorf("%s: %v, %s", state, err, show(a))
		}
		for _, e := range a.Evidence {
			d, err := store.Get(t.Context(), contracts.Test, e.SHA256, e.At, func(contracts.Product) error { return nil })
			if err != nil || d.ReadAt.Before(begun.Add(-time.Minute)) || d.ReadAt.After(time.Now().Add(time.Minute)) {
				t.Errorf("%s: %v, %+v", state, err, d)
			}
		}
	}
}

// What a reading of a license stores, by state: documents that are repeated are stored once.
func TestWhatAReadingStores(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.solves(nil)
	s.renders()
	const readings = 20
	var all uint64
	for _, state := range contracts.States {
		before := s.storedBytes()
		shown := slices.DeleteFunc(s.register().Of(state), func(l license.License) bool { return l.Primary == nil || l.Mirror == nil })
		for _, l := range shown[:readings] {
			if a, err := s.lookup(state, l.Number); err != nil || a.EvidenceSHA256() == nil {
				t.Fatalf("%s %s: %v, %s", state, l.Number, err, show(a))
			}
		}
		each := (s.storedBytes() - before) / readings
		all += each
		t.Logf("%s: %d bytes a reading", state, each)
		if each == 0 || each > 30_000 {
			t.Errorf("%s: %d bytes a reading", state, each)
		}
	}
	t.Logf("1,000 readings a day, alike of each state: %.1f MB a day", float64(all)/float64(len(contracts.States))*1000/1e6)
}

func (s *system) storedBytes() uint64 {
	s.Helper()
	stream, err := s.js.Stream(s.Context(), evidenceStream.Name)
	s.must(err)
	return stream.CachedInfo().State.Bytes
}
