package mirror_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/opendata"
	"assay.dev/abc-worker/soda"
	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
	published "assay.dev/sandbox/opendata"
)

// watchedSpec reads the name of the publisher's file as the holder's.
var watchedSpec = mirror.Spec{
	Name: "CA", Files: []mirror.File{{Name: "XX-file", URL: "https://" + host + "/file.csv", Read: readHolders}},
	Watch: mirror.Watch{Status: func(string) (contracts.Status, bool) { return contracts.Active, true }, MissingEditions: 1, ReportsRemovals: true},
}

func readHolders(body []byte, add func(mirror.Entry) error) (int, error) {
	return mirror.Table{Required: []string{"number", "name"}}.Read(bytes.NewReader(body), func(r mirror.Row, add func(mirror.Entry) error) error {
		return add(mirror.Entry{Record: contracts.LicenseRecord{LicenseNumber: r.Text("number"), OwnerName: r.Text("name"), LicenseTypeCode: "1"}})
	}, add)
}

// watchedEditions are two editions that differ in [differences] licenses, and what is told of them.
type watchedEditions struct {
	*deployment
	name string
	// open has a worker's store read them.
	open func(*mirror.Store, *scrape.Fetcher)
	// publish publishes the second one.
	publish func()
	// source is that of the changes; change is the one at a place.
	source string
	change func(i int) string
	// unread is how often what is kept cannot be read.
	unread atomic.Int32
	// age is when workers that start renew their copies; 0 is soon.
	age time.Duration
	// reading is called by workers that start before they read what is kept under a name.
	reading func(object string)
	// registry has the metrics of the worker that started last.
	registry *prometheus.Registry
}

// filesAway opens stores of objects that are away for some reads.
type filesAway struct {
	jetstream.JetStream
	times   *atomic.Int32
	reading func(object string)
}

type objectsAway struct {
	jetstream.ObjectStore
	filesAway
}

func (f filesAway) ObjectStore(ctx context.Context, bucket string) (jetstream.ObjectStore, error) {
	objects, err := f.JetStream.ObjectStore(ctx, bucket)
	return objectsAway{objects, f}, err
}

func (o objectsAway) GetBytes(ctx context.Context, name string, opts ...jetstream.GetObjectOpt) ([]byte, error) {
	if o.reading != nil {
		o.reading(name)
	}
	if o.times.Add(-1) >= 0 {
		return nil, nats.ErrTimeout
	}
	return o.ObjectStore.GetBytes(ctx, name, opts...)
}

const differences = 800

// registerEditions are a register whose licenses all get another holder.
func registerEditions(t *testing.T) *watchedEditions {
	d := deploy(t)
	d.publisher.rows = differences
	return &watchedEditions{
		deployment: d, name: "CA", open: func(s *mirror.Store, _ *scrape.Fetcher) { s.Mirror(watchedSpec) },
		publish: func() { d.publisher.set(func(p *publisher) { p.name = "beta" }) },
		source:  "CA", change: func(i int) string { return fmt.Sprintf("license.holder_changed %d", 1000+i) },
	}
}

// listEditions are a delinquent list, as TX publishes it. On the second edition two licenses of five are new, two are there no more,
// and of one it has another day or says that it is exempt.
func listEditions(t *testing.T) *watchedEditions {
	var isSecond atomic.Bool
	rows := func() (all []published.Row) {
		for i := range differences {
			row := published.Row{fmt.Sprint(100_000_000 + i), "2026-11-02", ""} // license_id, effective_date, bankruptcy
			switch second := isSecond.Load(); {
			case i%5 < 2 && !second, (i%5 == 2 || i%5 == 3) && second:
				continue
			case second && i%5 == 4 && i%2 == 0:
				row[1] = "2026-11-01"
			case second && i%5 == 4:
				row[2] = "Y"
			}
			all = append(all, row)
		}
		return all
	}
	modified := func(first time.Time) time.Time {
		if isSecond.Load() {
			return first.Add(time.Minute)
		}
		return first
	}
	d := deploy(t)
	columns := []string{"license_id", "effective_date", "bankruptcy"}
	d.internet = scrapetest.Start(t, map[string]http.Handler{host: published.NewSoda(time.Now().Add(-time.Hour), published.Dataset{
		ID: "ix8u-msb9", Columns: columns, Rows: rows, Modified: modified,
	})})
	table := opendata.Table{Name: "TX-holds", Resource: "https://" + host + "/resource/ix8u-msb9.json", Columns: columns, Entry: holdEntry}
	return &watchedEditions{
		deployment: d, name: "TX-holds", publish: func() { isSecond.Store(true) },
		open: func(s *mirror.Store, f *scrape.Fetcher) {
			client := soda.Client{Fetcher: f}
			s.Mirror(mirror.Spec{
				Name: "TX-holds", Source: "TX", Fetch: client.Fetch, Files: []mirror.File{table.File(client)},
				Watch: mirror.Watch{ListName: "102.32", MissingEditions: 1, ReportsRemovals: true},
			})
		},
		source: "TX", change: func(i int) string {
			values := [...]string{">2026-11-02", ">2026-11-02", "2026-11-02>", "2026-11-02>", "2026-11-02>2026-11-02 exempt"}[i%5]
			if i%10 == 4 {
				values = "2026-11-02>2026-11-01"
			}
			kind := contracts.HoldPlaced
			if i%5 == 2 || i%5 == 3 {
				kind = contracts.HoldLifted
			}
			return fmt.Sprintf("%s %d %s", kind, 100_000_000+i, values)
		},
	}
}

func holdEntry(text opendata.Texts) mirror.Entry {
	e := mirror.Entry{}
	e.Record.LicenseNumber = text("license_id")
	e.PutOnList(contracts.ListEntry{Since: contracts.Date(text("effective_date")), IsExempt: text("bankruptcy") != ""})
	return e
}

// toldOf is a change in short, as [watchedEditions.change] says it.
func toldOf(c contracts.Change) string {
	text := fmt.Sprintf("%s %s", c.Type, c.Data.LicenseNumber)
	if c.Type.Group() != contracts.HoldPlaced.Group() {
		return text
	}
	value := func(v *contracts.ChangeValues) string {
		switch {
		case v == nil:
			return ""
		case v.Exempt == nil:
			return string(v.HeldSince) + " without exempt"
		case *v.Exempt:
			return string(v.HeldSince) + " exempt"
		}
		return string(v.HeldSince)
	}
	return text + " " + value(c.Data.Before) + ">" + value(c.Data.After)
}

// watcher is a worker that watches the editions. Its connection is what dies when the worker is killed.
func (d *watchedEditions) watcher() (conn *nats.Conn, stop func()) {
	d.Helper()
	conn = bustest.Connect(d.T, d.nats)
	js := bustest.JetStream(d.T, conn)
	ctx, cancel := context.WithCancel(context.Background())
	answers, err := cache.Open(ctx, js, cache.Deps{Lease: time.Second})
	d.must(err)
	fetcher, err := scrape.NewFetcher(d.internet.Config(), scrape.Deps{})
	d.must(err)
	d.registry = prometheus.NewRegistry()
	store, err := mirror.Open(ctx, mirror.Deps{
		Environment: contracts.Test, Fetcher: fetcher, JetStream: filesAway{js, &d.unread, d.reading}, Answers: answers,
		MaxAge: cmp.Or(d.age, 100*time.Millisecond), Young: d.young, Retry: 50 * time.Millisecond, Watched: []string{d.name}, TakeOver: 300 * time.Millisecond, Metrics: d.registry,
	})
	d.must(err)
	d.open(store, fetcher)
	var running sync.WaitGroup
	running.Go(func() { _ = store.Run(ctx) })
	stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
		end, done := context.WithTimeout(context.Background(), clocktest.Patience)
		defer done()
		d.must(store.Close(end))
		_ = answers.Close(ctx) // a dead connection, whose reads would wait for it
		fetcher.Close()
		conn.Close()
	})
	d.Cleanup(stop)
	return conn, stop
}

// A worker is killed ten times in one comparison, of a register or of a delinquent list, in the end beside another one, and each change is there
// once.
func TestEachChangeIsToldOnceWhoeverDies(t *testing.T) {
	for name, editions := range map[string]func(*testing.T) *watchedEditions{"a register": registerEditions, "a delinquent list": listEditions} {
		t.Run(name, func(t *testing.T) {
			d := editions(t)
			js := bustest.JetStream(t, bustest.Connect(t, d.nats))
			told := func() int {
				s, err := js.Stream(t.Context(), contracts.ChangesStream.Name)
				d.must(err)
				return int(s.CachedInfo().State.Msgs)
			}
			compared, err := js.KeyValue(t.Context(), contracts.ComparedBucket.Name)
			d.must(err)
			victim, stop := d.watcher()
			d.awaitFirst(compared)
			d.publish()
			d.killTenTimes(js, victim, stop, told)
			clocktest.Await(t, "the end of the comparison", func() bool {
				e, err := compared.Get(t.Context(), contracts.ComparedKey(contracts.Test, contracts.ABC, d.name))
				return err == nil && told() >= differences && !bytes.Contains(e.Value(), []byte(`"next":`))
			})
			if told() != differences {
				t.Errorf("%d changes were told", told())
			}
			d.checkOrder()
		})
	}
}

// awaitFirst waits until the first edition is one that the next is compared with.
func (d *watchedEditions) awaitFirst(compared jetstream.KeyValue) {
	d.Helper()
	clocktest.Await(d, "the first edition", func() bool {
		_, err := compared.Get(d.Context(), contracts.ComparedKey(contracts.Test, contracts.ABC, d.name))
		return err == nil
	})
}

// The edition that was compared last is read again until it can be read. Where it is lost, that is told in place of its changes, and
// no stored answer outlives them.
func TestAnEditionThatCannotBeRead(t *testing.T) {
	for name, tt := range map[string]struct {
		isLost bool
		want   []contracts.ChangeType
	}{
		"for a while": {false, []contracts.ChangeType{contracts.HolderChanged, contracts.HolderChanged, contracts.HolderChanged}},
		"ever again":  {true, []contracts.ChangeType{contracts.SourceDegraded, contracts.SourceRecovered}},
	} {
		t.Run(name, func(t *testing.T) {
			d := registerEditions(t)
			d.publisher.rows = 3
			js := bustest.JetStream(t, bustest.Connect(t, d.nats))
			compared, err := js.KeyValue(t.Context(), contracts.ComparedBucket.Name)
			d.must(err)
			_, stop := d.watcher()
			d.awaitFirst(compared)
			stop()
			answers, key := d.storedAnswer(js, "1001")
			d.unread.Store(5)
			if tt.isLost {
				d.lose(js)
			}
			d.publish()
			begun := time.Now()
			d.watcher()
			var told []contracts.Change
			clocktest.Await(t, "what is told", func() bool { told = d.told(js); return len(told) >= len(tt.want) })
			if _, err := answers.Get(t.Context(), key); !errors.Is(err, cache.ErrMiss) {
				t.Errorf("the answer is stored still: %v", err)
			}
			for i, c := range told {
				if len(told) != len(tt.want) || c.Type != tt.want[i] {
					t.Errorf("told %+v, want %s", told, tt.want)
				}
			}
			if is := told[0].Data.After; tt.isLost && (is.Since == nil || is.Since.After(begun) || is.Why == "") {
				t.Errorf("it does not say since when nothing is known, or why: %+v", is)
			}
		})
	}
}

// Two workers have different editions of a register that does not say how old it is: one was renewed on request. The
// other worker does not revert what it told, and answers from the same edition.
func TestAWorkerThatIsBehindTakesNothingBack(t *testing.T) {
	d := registerEditions(t)
	d.publisher.rows, d.age, d.young = 3, time.Hour, time.Nanosecond
	var all []*mirror.Mirror
	d.open = func(s *mirror.Store, _ *scrape.Fetcher) { all = append(all, s.Mirror(watchedSpec)) }
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	loaded := make(chan struct{})
	var loads atomic.Bool
	js := bustest.JetStream(t, bustest.Connect(t, d.nats))
	compared, err := js.KeyValue(t.Context(), contracts.ComparedBucket.Name)
	d.must(err)
	for i := range 2 {
		d.watcher()
		d.copy(all[i])
		d.reading = func(string) {
			if loads.Load() { // who waits for the copy leaves
				leave()
				<-loaded
			}
		}
	}
	d.awaitFirst(compared)
	d.publish()
	clocktest.Await(t, "a renewal", func() bool { return all[0].Renew(t.Context()) })
	clocktest.Await(t, "the end of the comparison", func() bool {
		e, err := compared.Get(t.Context(), contracts.ComparedKey(contracts.Test, contracts.ABC, d.name))
		return err == nil && len(d.told(js)) >= 3 && !bytes.Contains(e.Value(), []byte(`"next":`))
	})
	loads.Store(true)
	if c, err := all[1].Copy(ctx); err != nil || !c.IsPast || c.Lookup("1001")[0].Record.OwnerName != "alpha 1" {
		t.Errorf("a copy that is past does not say so: %v", err)
	}
	close(loaded)
	for range 2 {
		all[1].CompareHeld(t.Context())
		if told := d.told(js); len(told) != 3 {
			t.Fatalf("told %+v", told)
		}
		clocktest.Await(t, "the newer copy of the other worker", func() bool {
			c := d.copy(all[1])
			return c.Lookup("1001")[0].Record.OwnerName == "beta 1" && !c.IsPast
		})
	}
}

// lose deletes what is kept.
func (d *watchedEditions) lose(js jetstream.JetStream) {
	d.Helper()
	files, err := js.ObjectStore(d.Context(), contracts.MirrorsStore)
	d.must(err)
	all, err := files.List(d.Context())
	d.must(err)
	for _, o := range all {
		d.must(files.Delete(d.Context(), o.Name))
	}
}

// told are the changes that were published.
func (d *watchedEditions) told(js jetstream.JetStream) (all []contracts.Change) {
	d.Helper()
	s, err := js.Stream(d.Context(), contracts.ChangesStream.Name)
	d.must(err)
	for i := range s.CachedInfo().State.Msgs {
		msg, err := s.GetMsg(d.Context(), i+1)
		d.must(err)
		var c contracts.Change
		d.must(json.Unmarshal(msg.Data, &c))
		all = append(all, c)
	}
	return all
}

// killTenTimes kills the one who publishes the changes ten times, each time after one more was told.
func (d *watchedEditions) killTenTimes(js jetstream.JetStream, victim *nats.Conn, stop func(), told func() int) {
	d.Helper()
	last := 0
	for kill := range 10 {
		next, err := js.OrderedConsumer(d.Context(), contracts.ChangesStream.Name, jetstream.OrderedConsumerConfig{
			DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: uint64(last + 1),
		})
		d.must(err)
		if _, err := next.Next(jetstream.FetchMaxWait(clocktest.Patience)); err != nil {
			d.Fatalf("nobody goes on after %d changes: %v", last, err)
		}
		victim.Close()
		stop()
		if last = told(); last >= differences {
			d.Logf("kill %d came after the last change", kill)
			break
		}
		victim, stop = d.watcher()
		if kill == 5 {
			d.watcher() // a second worker beside it, from now on
		}
	}
}

// checkOrder looks that the changes are there in their order, each once, with ids in a row.
func (d *watchedEditions) checkOrder() {
	d.Helper()
	js := bustest.JetStream(d.T, bustest.Connect(d.T, d.nats))
	s, err := js.Stream(d.Context(), contracts.ChangesStream.Name)
	d.must(err)
	edition := ""
	for i := range differences {
		msg, err := s.GetMsg(d.Context(), uint64(i+1))
		if err != nil {
			d.Fatal(err)
		}
		var c contracts.Change
		d.must(json.Unmarshal(msg.Data, &c))
		if i == 0 {
			edition = c.ID[:len(c.ID)-1]
		}
		if c.ID != fmt.Sprintf("%s%d", edition, i) || c.Source != d.source || toldOf(c) != d.change(i) {
			d.Errorf("change %d is %s of %s: %s, want %s", i, c.ID, c.Source, toldOf(c), d.change(i))
		}
	}
}
