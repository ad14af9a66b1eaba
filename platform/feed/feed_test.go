package feed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/feed"
)

func TestMain(m *testing.M) {
	feed.Hold(300)
	goleak.VerifyTestMain(m)
}

// stand is a feed and what publishes its changes.
type stand struct {
	*testing.T
	js   jetstream.JetStream
	feed *feed.Feed
	told []string
	mu   sync.Mutex
	// metrics are those of the feed.
	metrics *prometheus.Registry
	// pause ends the following.
	pause func()
}

func start(t *testing.T) *stand {
	s := &stand{T: t, js: bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))}
	return s
}

// follow runs a feed until it knows the newest change.
func (s *stand) follow() {
	s.Helper()
	s.run()
	clocktest.Await(s, "the feed", func() bool { _, err := s.feed.Newest(); return err == nil })
}

func (s *stand) run() {
	s.Helper()
	s.metrics = prometheus.NewRegistry()
	f, err := feed.New(s.js, slog.New(slog.DiscardHandler), s.metrics, func(env contracts.Environment, c *contracts.Change) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.told = append(s.told, string(env)+" "+c.ID)
	})
	s.must(err)
	s.feed = f
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = f.Follow(ctx) })
	s.pause = func() { cancel(); running.Wait() }
	s.Cleanup(s.pause)
}

func (s *stand) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// publish publishes n changes of a source, numbered on from first.
func (s *stand) publish(env contracts.Environment, state string, kind contracts.ChangeType, first, n int) {
	s.Helper()
	for i := range n {
		doc, err := json.Marshal(contracts.Change{
			ID: fmt.Sprintf("%s.e.%d", state, first+i), Type: kind, Product: contracts.ABC, Source: state,
			Data: contracts.ChangeData{LicenseNumber: fmt.Sprint(first + i)},
		})
		s.must(err)
		_, err = s.js.Publish(s.Context(), contracts.ChangeSubject(env, contracts.ABC, state, kind).Name, doc)
		s.must(err)
	}
}

// publishOf publishes a change of each source itself, of no license.
func (s *stand) publishOf(kind contracts.ChangeType, sources ...string) {
	s.Helper()
	for _, source := range sources {
		doc, err := json.Marshal(contracts.Change{ID: source + "." + string(kind), Type: kind, Product: contracts.ABC, Source: source})
		s.must(err)
		_, err = s.js.Publish(s.Context(), contracts.ChangeSubject(contracts.Test, contracts.ABC, source, kind).Name, doc)
		s.must(err)
	}
}

// newest waits until the feed has so many changes.
func (s *stand) newest(n uint64) feed.Cursor {
	s.Helper()
	var c feed.Cursor
	clocktest.Await(s, fmt.Sprintf("change %d", n), func() bool { c, _ = s.feed.Newest(); return c.Sequence >= n })
	return c
}

func (s *stand) ids(p feed.Page) (ids []string) {
	s.Helper()
	for _, doc := range p.Changes {
		var c contracts.Change
		s.must(json.Unmarshal(doc, &c))
		ids = append(ids, c.ID)
	}
	return ids
}

// all reads page after page, and gives the ids.
func (s *stand) all(f *feed.Filter, since feed.Cursor, limit int) (ids []string) {
	s.Helper()
	for {
		p, err := s.feed.Read(s.Context(), f, since, limit)
		s.must(err)
		if len(p.Changes) == 0 {
			return ids
		}
		ids, since = append(ids, s.ids(p)...), p.Next
	}
}

func everything() *feed.Filter {
	return &feed.Filter{Environment: contracts.Test, Products: []contracts.Product{contracts.ABC}}
}

// A change that came just before the stream is looked at is on its way. The consumer is behind when it does not come.
func TestAChangeOnItsWayIsNotAFailure(t *testing.T) {
	s := start(t)
	f, err := feed.New(s.js, slog.New(slog.DiscardHandler), prometheus.NewRegistry(), nil)
	s.must(err)
	s.must(f.Begin(t.Context()))
	s.must(f.Check(t.Context()))
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 1, 1)
	s.must(f.Check(t.Context()))
	if f.Check(t.Context()) == nil {
		t.Error("a change that does not come is not noticed")
	}
}

func TestReadersGetWhatTheyAskFor(t *testing.T) {
	s := start(t)
	s.follow()
	begin, err := s.feed.Newest()
	s.must(err)
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 1, 5)
	s.publish(contracts.Live, "CA", contracts.StatusChanged, 6, 2)
	s.publish(contracts.Test, "TX", contracts.HolderChanged, 8, 3)
	s.publishOf(contracts.SourceDegraded, "CA", "TX", "TX-holds")
	s.newest(13)
	bar := feed.Licenses{}
	bar.Add(contracts.TX, "9")
	for name, tt := range map[string]struct {
		filter feed.Filter
		want   []string
	}{
		"everything of the environment": {*everything(), []string{"CA.e.1", "CA.e.2", "CA.e.3", "CA.e.4", "CA.e.5", "TX.e.8", "TX.e.9", "TX.e.10", "CA.source.degraded", "TX.source.degraded", "TX-holds.source.degraded"}},
		"a source":                      {feed.Filter{Environment: contracts.Test, Products: contracts.Products, Sources: []string{"TX"}}, []string{"TX.e.8", "TX.e.9", "TX.e.10", "TX.source.degraded"}},
		"a type": {
			feed.Filter{Environment: contracts.Test, Products: contracts.Products, Types: []contracts.ChangeType{contracts.HolderChanged}},
			[]string{"TX.e.8", "TX.e.9", "TX.e.10"},
		},
		"the other environment": {feed.Filter{Environment: contracts.Live, Products: contracts.Products}, []string{"CA.e.6", "CA.e.7"}},
		"a portfolio, and whether its sources are read": {
			feed.Filter{Environment: contracts.Test, Products: contracts.Products, Licenses: bar},
			[]string{"TX.e.9", "TX.source.degraded", "TX-holds.source.degraded"},
		},
		"another product": {feed.Filter{Environment: contracts.Test, Products: []contracts.Product{contracts.LTL}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, limit := range []int{1, 2, 100} {
				if got := s.all(&tt.filter, begin, limit); !slices.Equal(got, tt.want) {
					t.Errorf("by %d: %v", limit, got)
				}
			}
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.told) != 13 || s.told[5] != "live CA.e.6" {
		t.Errorf("told %v", s.told)
	}
}

// What is held no longer is read from the stream, in the same pages, and then what is held.
func TestAReaderComesBackAfterALongTime(t *testing.T) {
	s := start(t)
	const n = 1_500 // 1,200 more than are held
	s.publishMany(n)
	replica := &lagging{s.js, n}
	s.js = replica
	s.follow()
	newest := s.newest(n)
	since := feed.Cursor{Epoch: newest.Epoch, Sequence: 100}
	tx := &feed.Filter{Environment: contracts.Test, Products: contracts.Products, Sources: []string{"TX"}, Types: contracts.ChangeTypes}
	got := s.all(tx, since, 70)
	if want := n/2 - 50; len(got) != want || got[0] != "TX.e.101" || got[want-1] != fmt.Sprintf("TX.e.%d", n-1) {
		t.Errorf("%d changes, from %s to %s", len(got), got[0], got[len(got)-1])
	}
	if got := s.all(&feed.Filter{Environment: contracts.Live, Products: contracts.Products}, since, 70); got != nil {
		t.Errorf("of the other environment: %v", got)
	}
	none, few := everything(), everything()
	none.Licenses, few.Licenses = feed.Licenses{}, feed.Licenses{}
	few.Licenses.Add(contracts.TX, "9")
	page, err := s.feed.Read(t.Context(), none, since, 5)
	if err != nil || page.Next.Sequence != 1100 {
		t.Errorf("of no license, a page ends at %d, %v", page.Next.Sequence, err)
	}
	page, err = s.feed.Read(t.Context(), few, since, 5)
	if err != nil || !slices.Equal(page.Sequences, []uint64{102, 104, 106, 108, 110}) || page.Next.Sequence != 110 {
		t.Errorf("of licenses: %v, next %d, %v", page.Sequences, page.Next.Sequence, err)
	}
	if got := s.all(few, since, 70); len(got) != n/2-50 {
		t.Errorf("of licenses: %d changes", len(got))
	}
	replica.has, since.Sequence = 250, 1000
	if got := s.all(everything(), since, 1000); len(got) != n-1000 {
		t.Errorf("a replica that is behind: %d changes", len(got))
	}
}

// lagging is a JetStream whose consumers are on a replica that has only so many changes for them.
type lagging struct {
	jetstream.JetStream
	has int
}

func (js *lagging) CreateConsumer(ctx context.Context, stream string, cfg jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	consumer, err := js.JetStream.CreateConsumer(ctx, stream, cfg)
	return laggingConsumer{consumer, js.has}, err
}

type laggingConsumer struct {
	jetstream.Consumer
	has int
}

func (c laggingConsumer) CachedInfo() *jetstream.ConsumerInfo {
	info := *c.Consumer.CachedInfo()
	info.NumPending = min(info.NumPending, uint64(c.has))
	return &info
}

func (c laggingConsumer) FetchNoWait(most int) (jetstream.MessageBatch, error) {
	return c.Consumer.FetchNoWait(min(most, c.has))
}

// publishMany publishes n changes, of CA and of TX in turn, beginning with CA.e.0.
func (s *stand) publishMany(n int) {
	s.Helper()
	for i := range n {
		state := []string{"CA", "TX"}[i%2]
		doc := fmt.Sprintf(`{"id":"%s.e.%d","type":"license.status_changed","data":{"before":null,"after":null}}`, state, i)
		_, err := s.js.PublishAsync(contracts.ChangeSubject(contracts.Test, contracts.ABC, state, contracts.StatusChanged).Name, []byte(doc))
		if s.must(err); i%1000 == 0 { // only so many may be under way
			<-s.js.PublishAsyncComplete()
		}
	}
	<-s.js.PublishAsyncComplete()
}

// A stream that is gone makes the feed old. One that was restored has another epoch: cursors of before are GONE, and reading goes on from the oldest.
func TestTheStreamIsLostAndRestored(t *testing.T) {
	s := start(t)
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 1, 5)
	s.follow()
	before := s.newest(5)
	stream, err := s.js.Stream(t.Context(), contracts.ChangesStream.Name)
	s.must(err)
	config := stream.CachedInfo().Config
	s.must(s.js.DeleteStream(t.Context(), config.Name))
	clocktest.Await(t, "a feed that stands still for longer than between two looks", func() bool { return s.age() > 7 })
	if newest, err := s.feed.Newest(); err != nil || newest != before {
		t.Errorf("what is held is lost: %v %v", newest, err)
	}
	config.Metadata = map[string]string{contracts.EpochKey: "restored"}
	_, err = s.js.CreateStream(t.Context(), config)
	s.must(err)
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 1, 6)
	clocktest.Await(t, "the other life of the stream", func() bool {
		c, err := s.feed.Newest()
		return err == nil && c == feed.Cursor{Epoch: "restored", Sequence: 6}
	})
	if age := s.age(); age > 7 {
		t.Errorf("it follows, and is %v s old", age)
	}
	s.feed.Wait(t.Context(), before) // who waits with a cursor of before waits no longer
	_, err = s.feed.Read(t.Context(), everything(), before, 10)
	if contracts.CodeOf(err) != contracts.Gone || !strings.Contains(err.Error(), feed.Cursor{Epoch: "restored"}.String()) {
		t.Errorf("a cursor of before: %v", err)
	}
	if got := s.all(everything(), feed.Cursor{Epoch: "restored"}, 4); len(got) != 6 {
		t.Errorf("from the oldest on: %v", got)
	}
}

// age is the metric of how long the feed stands still.
func (s *stand) age() float64 {
	s.Helper()
	families, err := s.metrics.Gather()
	s.must(err)
	for _, f := range families {
		if f.GetName() == "feed_age_seconds" {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	s.Fatal("no metric of the age")
	return 0
}

func TestCursorsThatLeadNowhere(t *testing.T) {
	s := start(t)
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 1, 5)
	stream, err := s.js.Stream(t.Context(), contracts.ChangesStream.Name)
	s.must(err)
	s.must(stream.Purge(t.Context(), jetstream.WithPurgeSequence(4))) // as age does
	s.follow()
	newest := s.newest(5)
	for name, c := range map[string]feed.Cursor{
		"aged":          {Epoch: newest.Epoch, Sequence: 2},
		"ahead":         {Epoch: newest.Epoch, Sequence: 6},
		"another epoch": {Epoch: "other", Sequence: 5},
	} {
		if _, err := s.feed.Read(t.Context(), everything(), c, 10); contracts.CodeOf(err) != contracts.Gone {
			t.Errorf("%s: %v", name, err)
		}
	}
	oldest := feed.Cursor{Epoch: newest.Epoch, Sequence: 3}
	if got := s.all(everything(), oldest, 10); !slices.Equal(got, []string{"CA.e.4", "CA.e.5"}) {
		t.Errorf("from the oldest on: %v", got)
	}
	parsed, err := feed.ParseCursor(oldest.String())
	if err != nil || parsed != oldest {
		t.Errorf("%v, %v", parsed, err)
	}
	for _, text := range []string{"", "x", "RlFBLg", "LjE4", "a+b"} {
		if _, err := feed.ParseCursor(text); err == nil {
			t.Errorf("%q is a cursor", text)
		}
	}
}

// Whoever waits is woken by the next change, and by the end of the feed.
func TestManyReadersWait(t *testing.T) {
	s := start(t)
	s.follow()
	newest := s.newest(0)
	const readers = 2000
	woken := make(chan bool, readers)
	for range readers {
		go func() { woken <- s.feed.Wait(t.Context(), newest) }()
	}
	s.publish(contracts.Test, "CA", contracts.StatusChanged, 1, 1)
	for range readers {
		if ended := <-woken; ended {
			t.Fatal("the feed has not ended")
		}
	}
	newest = s.newest(1)
	go func() { woken <- s.feed.Wait(t.Context(), newest) }()
	s.feed.Close()
	if ended := <-woken; !ended {
		t.Error("the feed has ended")
	}
	soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if s.feed.Wait(soon, feed.Cursor{Epoch: newest.Epoch}) {
		t.Error("there is more")
	}
}
