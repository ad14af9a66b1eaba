package mirror_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
)

// held is what the worker that started last shows of its edition.
func (d *watchedEditions) held() float64 {
	d.Helper()
	all, err := d.registry.Gather()
	d.must(err)
	for _, f := range all {
		if f.GetName() == "mirror_edition_held" {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	return -1
}

// types are the types of what was told.
func (d *watchedEditions) types(js jetstream.JetStream) (all string) {
	d.Helper()
	for _, c := range d.told(js) {
		all += string(c.Type) + " "
	}
	return all
}

// What a worker told of an edition that is held, or not taken, is known to the worker that takes its place.
func TestAnotherWorkerKnowsHowTheSourceStands(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil func(*publisher)
		held  float64
	}{
		"an edition is held":      {func(p *publisher) { p.rows = 940 }, 1},
		"an edition is not taken": {func(p *publisher) { p.body = []byte("<!DOCTYPE html><title>Sorry</title>") }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := registerEditions(t)
			d.publisher.rows = 1000
			js := bustest.JetStream(t, bustest.Connect(t, d.nats))
			compared, err := js.KeyValue(t.Context(), contracts.ComparedBucket.Name)
			d.must(err)
			_, stop := d.watcher()
			d.awaitFirst(compared)
			d.publisher.set(tt.spoil)
			clocktest.Await(t, "it is told", func() bool { return d.types(js) == "source.degraded " && d.held() == tt.held })
			stop()
			d.watcher()
			clocktest.Await(t, "the other worker shows it", func() bool { return d.held() == tt.held })
			if !clocktest.Stays(func() bool { return d.types(js) == "source.degraded " && d.held() == tt.held }) {
				t.Fatalf("%s, held %v", d.types(js), d.held())
			}
			d.publisher.set(func(p *publisher) { p.rows, p.body = 1000, nil })
			clocktest.Await(t, "the end of it is told", func() bool {
				return d.types(js) == "source.degraded source.recovered " && d.held() == 0
			})
		})
	}
}

// A worker goes on with a comparison that another one ends meanwhile: that the edition before is gone then says nothing.
func TestAnEditionThatIsComparedIsNotLost(t *testing.T) {
	d := registerEditions(t)
	d.publisher.rows = 3
	js := bustest.JetStream(t, bustest.Connect(t, d.nats))
	compared, err := js.KeyValue(t.Context(), contracts.ComparedBucket.Name)
	d.must(err)
	_, stop := d.watcher()
	d.awaitFirst(compared)
	stop()
	stopped := time.Now()
	before := d.object(compared)
	answers, other := d.storedAnswer(js, "9999")
	d.publish()
	clocktest.Await(t, "the first edition is old", func() bool { return time.Since(stopped) > time.Second })
	begun, goOn := d.stopAt(before, 2) // after it has said what it compares
	d.watcher()
	<-begun
	late, end := d.stopAt(before, 1)
	d.watcher()
	<-late
	close(goOn)
	files, err := js.ObjectStore(t.Context(), contracts.MirrorsStore)
	d.must(err)
	clocktest.Await(t, "the edition before is gone", func() bool {
		_, err := files.GetInfo(t.Context(), before)
		return errors.Is(err, jetstream.ErrObjectNotFound)
	})
	close(end)
	told := d.types(js)
	if !clocktest.Stays(func() bool { return d.types(js) == told }) || bytes.Contains([]byte(told), []byte("source")) || len(d.told(js)) != 3 {
		t.Errorf("told %s", d.types(js))
	}
	if _, err := answers.Get(t.Context(), other); err != nil {
		t.Errorf("an answer that nothing contradicts: %v", err)
	}
}

// storedAnswer opens the cache, and stores an answer about a license in it.
func (d *watchedEditions) storedAnswer(js jetstream.JetStream, number string) (*cache.Store, contracts.CacheKey) {
	d.Helper()
	answers, err := cache.Open(d.Context(), js, cache.Deps{})
	d.must(err)
	d.Cleanup(func() { d.must(answers.Close(context.Background())) })
	key := contracts.LicenseKey(contracts.Test, contracts.LicenseRequest{State: contracts.CA, Number: number})
	_, err = cache.Fill(d.Context(), answers, key, func(context.Context) (contracts.LicenseAnswer, error) {
		return contracts.LicenseAnswer{Provenance: contracts.Provenance{
			Schema: contracts.AnswerSchema, ReadAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
		}}, nil
	})
	d.must(err)
	clocktest.Await(d, "the stored answer", func() bool { _, err := answers.Get(d.Context(), key); return err == nil })
	return answers, key
}

// object is the name of what is kept of the edition that was compared last.
func (d *watchedEditions) object(compared jetstream.KeyValue) string {
	d.Helper()
	e, err := compared.Get(d.Context(), contracts.ComparedKey(contracts.Test, contracts.ABC, d.name))
	d.must(err)
	var r struct {
		Done struct {
			Files []struct {
				Object string `json:"object"`
			} `json:"files"`
		} `json:"done"`
	}
	d.must(json.Unmarshal(e.Value(), &r))
	return r.Done.Files[0].Object
}

// stopAt has the worker that starts next stop where it reads what is kept under a name for the nth time, until goOn is closed.
func (d *watchedEditions) stopAt(object string, n int32) (begun <-chan struct{}, goOn chan<- struct{}) {
	reached, release := make(chan struct{}), make(chan struct{})
	var reads atomic.Int32
	d.reading = func(name string) {
		if name == object && reads.Add(1) == n {
			close(reached)
			<-release
		}
	}
	return reached, release
}

// Of two files one is not taken. That the other one is does not end the trouble.
func TestASourceWithoutOneOfItsFilesIsNotWell(t *testing.T) {
	d := registerEditions(t)
	d.publisher.rows = 3
	second, both := &publisher{rows: 3, name: "alpha"}, watchedSpec
	d.internet = scrapetest.Start(t, map[string]http.Handler{host: d.publisher, "second." + host: second})
	both.Files = append(slices.Clone(both.Files), mirror.File{Name: "XX-second", URL: "https://second." + host + "/file.csv",
		Read: func(body []byte, add func(mirror.Entry) error) (int, error) {
			return readHolders(body, func(e mirror.Entry) error { e.Record.LicenseNumber = "2" + e.Record.LicenseNumber; return add(e) })
		}})
	d.open = func(s *mirror.Store, _ *scrape.Fetcher) { s.Mirror(both) }
	js := bustest.JetStream(t, bustest.Connect(t, d.nats))
	compared, err := js.KeyValue(t.Context(), contracts.ComparedBucket.Name)
	d.must(err)
	d.watcher()
	d.awaitFirst(compared)
	d.publisher.set(func(p *publisher) { p.body = []byte("<!DOCTYPE html><title>Sorry</title>") })
	want := "source.degraded "
	clocktest.Await(t, "that a file is not taken is told", func() bool { return d.types(js) == want })
	second.set(func(p *publisher) { p.name = "beta" })
	want += strings.Repeat("license.holder_changed ", 3)
	clocktest.Await(t, "the changes of the other one", func() bool { return len(d.told(js)) >= 4 })
	if !clocktest.Stays(func() bool { return d.types(js) == want }) {
		t.Fatalf("told %s", d.types(js))
	}
	d.publisher.set(func(p *publisher) { p.body = nil })
	clocktest.Await(t, "the end of it is told", func() bool { return d.types(js) == want+"source.recovered " })
}

// A file that the publisher counts otherwise once, while he changes it, is taken at the next try, and nobody hears of it.
func TestAFileThatChangesWhileItIsReadIsNoTrouble(t *testing.T) {
	d := registerEditions(t)
	d.publisher.rows = 3
	var isChanging atomic.Bool
	counted := watchedSpec
	counted.Files = slices.Clone(counted.Files)
	counted.Files[0].Rows = func(context.Context) (int, error) {
		if isChanging.CompareAndSwap(true, false) {
			return 2, nil
		}
		return 3, nil
	}
	d.open = func(s *mirror.Store, _ *scrape.Fetcher) { s.Mirror(counted) }
	js := bustest.JetStream(t, bustest.Connect(t, d.nats))
	compared, err := js.KeyValue(t.Context(), contracts.ComparedBucket.Name)
	d.must(err)
	d.watcher()
	d.awaitFirst(compared)
	isChanging.Store(true)
	d.publish()
	clocktest.Await(t, "the changes", func() bool { return len(d.told(js)) >= 3 })
	if want := strings.Repeat("license.holder_changed ", 3); !clocktest.Stays(func() bool { return d.types(js) == want }) {
		t.Errorf("told %s", d.types(js))
	}
}
