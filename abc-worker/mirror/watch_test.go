package mirror_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/scrape"
)

// watchedSpec reads the name of the publisher's file as the holder's.
var watchedSpec = mirror.Spec{
	Name: "CA", Files: []mirror.File{{Name: "XX-file", URL: "https://" + host + "/file.csv", Read: readHolders}},
	Watch: mirror.Watch{Status: func(string) (contracts.Status, bool) { return contracts.Active, true }, Patience: 1, TellsGone: true},
}

func readHolders(body []byte, add func(mirror.Entry) error) (int, error) {
	return mirror.Table{Required: []string{"number", "name"}}.Read(bytes.NewReader(body), func(r mirror.Row) error {
		return add(mirror.Entry{Record: contracts.LicenseRecord{LicenseNumber: r.Text("number"), OwnerName: r.Text("name"), LicenseTypeCode: "1"}})
	})
}

// watcher is a worker that watches the file. Its connection is what dies when the worker is killed.
func (d *deployment) watcher() (conn *nats.Conn, stop func()) {
	d.Helper()
	conn = bustest.Connect(d.T, d.nats)
	js := bustest.JetStream(d.T, conn)
	ctx, cancel := context.WithCancel(context.Background())
	answers, err := cache.Open(ctx, js, cache.Deps{Lease: time.Second})
	d.must(err)
	fetcher, err := scrape.NewFetcher(d.internet.Config(), scrape.Deps{})
	d.must(err)
	store, err := mirror.Open(ctx, mirror.Deps{
		Environment: contracts.Test, Fetcher: fetcher, JetStream: js, Answers: answers, MaxAge: 100 * time.Millisecond,
		Retry: 50 * time.Millisecond, Watched: []string{"CA"}, TakeOver: 300 * time.Millisecond,
	})
	d.must(err)
	store.Mirror(watchedSpec)
	var running sync.WaitGroup
	running.Go(func() { _ = store.Run(ctx) })
	stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
		end, done := context.WithTimeout(context.Background(), clocktest.Patience)
		defer done()
		d.must(store.Close(end))
		_ = answers.Close(end) // a dead connection
		fetcher.Close()
		conn.Close()
	})
	d.Cleanup(stop)
	return conn, stop
}

// A worker is killed ten times in one comparison, in the end beside another one, and each change is there once.
func TestEachChangeIsToldOnceWhoeverDies(t *testing.T) {
	d := deploy(t)
	js := bustest.JetStream(t, bustest.Connect(t, d.nats))
	told := func() int {
		s, err := js.Stream(t.Context(), contracts.ChangesStream.Name)
		d.must(err)
		return int(s.CachedInfo().State.Msgs)
	}
	compared, err := js.KeyValue(t.Context(), contracts.ComparedBucket.Name)
	d.must(err)
	victim, stop := d.watcher()
	clocktest.Await(t, "the first edition", func() bool {
		_, err := compared.Get(t.Context(), contracts.ComparedKey(contracts.Test, contracts.ABC, "CA"))
		return err == nil
	})
	const rows = 500
	d.publisher.set(func(p *publisher) { p.name = "beta" })
	last := 0
	for kill := range 10 {
		for deadline := time.Now().Add(clocktest.Patience); told() == last; { // no pause: the comparison takes a quarter of a second
			if time.Now().After(deadline) {
				t.Fatalf("nobody goes on after %d changes", last)
			}
		}
		victim.Close()
		stop()
		if last = told(); last >= rows {
			t.Logf("kill %d came after the last change", kill)
			break
		}
		victim, stop = d.watcher()
		if kill == 5 {
			d.watcher() // a second worker beside it, from now on
		}
	}
	clocktest.Await(t, "all changes", func() bool { return told() >= rows })
	if !clocktest.Holds(func() bool { return told() == rows }) {
		t.Errorf("%d changes were told", told())
	}
	d.checkOrder(rows)
}

// checkOrder looks that the changes of licenses 1000 and up are there in their order, each once, with ids in a row.
func (d *deployment) checkOrder(rows int) {
	d.Helper()
	js := bustest.JetStream(d.T, bustest.Connect(d.T, d.nats))
	s, err := js.Stream(d.Context(), contracts.ChangesStream.Name)
	d.must(err)
	edition := ""
	for i := range rows {
		msg, err := s.GetMsg(d.Context(), uint64(i+1))
		if err != nil {
			d.Fatal(err)
		}
		var c contracts.Change
		d.must(json.Unmarshal(msg.Data, &c))
		if i == 0 {
			edition = c.ID[:len(c.ID)-1]
		}
		if c.ID != fmt.Sprintf("%s%d", edition, i) || c.Data.LicenseNumber != fmt.Sprint(1000+i) || c.Type != contracts.HolderChanged {
			d.Errorf("change %d is %s of %s", i, c.ID, c.Data.LicenseNumber)
		}
	}
}
