package mirror_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
)

// A test closes the connection of a worker that reads, as its death would: nats.go 1.55 leaves a goroutine when that meets a GetBytes which
// subscribes, and in a process that died nothing is left.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats.go/jetstream.(*obs).Get.func2"))
}

const host = "register.example.gov"

// publisher serves a bulk file of n licenses, with validators, or whatever else it is told.
type publisher struct {
	mu         sync.Mutex
	name       string // of all licenses
	rows       int
	body       []byte // instead
	status     int    // instead
	downloaded int    // with a body
	asked      int
	modified   time.Time
}

func (p *publisher) set(change func(*publisher)) { p.mu.Lock(); defer p.mu.Unlock(); change(p) }

func (p *publisher) counts() (asked, downloaded int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked, p.downloaded
}

func (p *publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	if p.status != 0 {
		w.WriteHeader(p.status)
		return
	}
	body := p.body
	if body == nil {
		var out bytes.Buffer
		out.WriteString("number,name\r\n")
		for i := range p.rows {
			fmt.Fprintf(&out, "%d,%s %d\r\n", 1000+i, p.name, i)
		}
		body = out.Bytes()
	}
	rec := httptest.NewRecorder()
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, len(body)+len(p.name)*7))
	http.ServeContent(rec, r, "file.csv", time.Time{}, bytes.NewReader(body))
	if !p.modified.IsZero() {
		w.Header().Set("Last-Modified", p.modified.UTC().Format(http.TimeFormat))
	}
	if r.Header.Get("If-None-Match") == w.Header().Get("ETag") {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	p.downloaded++
	_, _ = w.Write(body)
}

var spec = mirror.Spec{Name: "XX", Files: []mirror.File{{Name: "XX-file", URL: "https://" + host + "/file.csv", Read: read}}}

func read(body []byte, add func(mirror.Entry) error) (int, error) {
	return mirror.Table{Required: []string{"number", "name"}}.Read(bytes.NewReader(body), func(r mirror.Row, add func(mirror.Entry) error) error {
		return add(mirror.Entry{Record: contracts.LicenseRecord{LicenseNumber: r.Text("number"), DBAName: r.Text("name")}})
	}, add)
}

// deployment is a publisher and a NATS server, and any number of workers.
type deployment struct {
	*testing.T
	nats      *server.Server
	publisher *publisher
	internet  *scrapetest.Internet
	young     time.Duration // of the workers that start
	keeper    *evidence.Keeper
}

func deploy(t *testing.T) *deployment {
	p := &publisher{rows: 500, name: "alpha"}
	return &deployment{T: t, nats: bustest.Server(t), publisher: p, internet: scrapetest.Start(t, map[string]http.Handler{host: p})}
}

// worker is one worker's mirror; stop ends the worker.
func (d *deployment) worker(maxAge, retry time.Duration, resized ...string) (m *mirror.Mirror, stop func()) {
	d.Helper()
	conn := bustest.Connect(d.T, d.nats)
	js := bustest.JetStream(d.T, conn)
	ctx, cancel := context.WithCancel(context.Background())
	answers, err := cache.Open(ctx, js, cache.Deps{})
	d.must(err)
	fetcher, err := scrape.NewFetcher(d.internet.Config(), scrape.Deps{})
	d.must(err)
	store, err := mirror.Open(ctx, mirror.Deps{
		Environment: contracts.Test, Fetcher: fetcher, JetStream: js, Answers: answers, MaxAge: maxAge, Retry: retry,
		Resized: resized, Young: d.young, Keeper: d.keeper,
	})
	d.must(err)
	m = store.Mirror(spec)
	var running sync.WaitGroup
	running.Go(func() { _ = store.Run(ctx) })
	stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
		end, done := context.WithTimeout(context.Background(), clocktest.Patience)
		defer done()
		d.must(store.Close(end))
		d.must(answers.Close(end))
		fetcher.Close()
		conn.Close()
	})
	d.Cleanup(stop)
	return m, stop
}

func (d *deployment) must(err error) {
	d.Helper()
	if err != nil {
		d.Error(err)
	}
}

func (d *deployment) copy(m *mirror.Mirror) *mirror.Copy {
	d.Helper()
	c, err := m.Copy(d.Context())
	if err != nil {
		d.Fatal(err)
	}
	return c
}

func named(c *mirror.Copy, name string) int {
	return c.Find(contracts.Query{DBAName: name}).Count()
}

func TestOneDownloadHoweverManyWorkers(t *testing.T) {
	d := deploy(t)
	var all sync.WaitGroup
	for range 4 {
		m, _ := d.worker(time.Hour, time.Hour)
		for range 5 {
			all.Go(func() {
				c, err := m.Copy(t.Context())
				if err != nil || c.Len() != 500 || named(c, "49 ALPHA") != 15 {
					t.Errorf("%v", err)
				}
			})
		}
	}
	all.Wait()
	late, _ := d.worker(time.Hour, time.Hour)
	if d.copy(late).Len() != 500 {
		t.Error("a late worker has another copy")
	}
	if asked, _ := d.publisher.counts(); asked != 1 {
		t.Errorf("the file was asked for %d times", asked)
	}
}

func TestNothingIsLoadedBeforeItIsAsked(t *testing.T) {
	d := deploy(t)
	d.worker(time.Millisecond, time.Millisecond)
	if !clocktest.Stays(func() bool { asked, _ := d.publisher.counts(); return asked == 0 }) {
		t.Error("the file was asked for")
	}
}

func TestRenewalDoesNotDisturbAnswers(t *testing.T) {
	d := deploy(t)
	d.publisher.modified = time.Now().Add(2 * time.Hour) // its clock was ahead, and is put right
	m, _ := d.worker(200*time.Millisecond, 20*time.Millisecond)
	old := d.copy(m)
	d.publisher.set(func(p *publisher) { p.name, p.rows, p.modified = "beta", 510, time.Now().Add(time.Hour) })
	clocktest.Await(t, "the new edition", func() bool {
		c := d.copy(m) // never waits, never fails
		if a, b := named(c, "alpha"), named(c, "beta"); (a != 500 || b != 0) && (a != 0 || b != 510) {
			t.Fatalf("half a copy: %d and %d", a, b)
		}
		return named(c, "beta") == 510
	})
	if named(old, "alpha") != 500 {
		t.Error("a copy in use changed")
	}
}

func TestUnchangedFileIsNotDownloadedAgain(t *testing.T) {
	d := deploy(t)
	m, _ := d.worker(100*time.Millisecond, 20*time.Millisecond)
	first := d.copy(m).ReadAt
	clocktest.Await(t, "a renewal", func() bool { return d.copy(m).ReadAt.After(first) })
	late, _ := d.worker(time.Hour, time.Hour)
	if c := d.copy(late); !c.Since.Equal(first) || !c.ReadAt.After(first) {
		t.Errorf("a late worker has it since %s, read at %s; the first has it since %s", c.Since, c.ReadAt, first)
	}
	if asked, downloaded := d.publisher.counts(); downloaded != 1 || asked < 2 {
		t.Errorf("asked %d times, downloaded %d times", asked, downloaded)
	}
}

func TestGuardsKeepTheLastGoodEdition(t *testing.T) {
	for name, spoil := range map[string]func(*publisher){
		"a page instead": func(p *publisher) {
			p.body = []byte("<!DOCTYPE html><title>Just a moment</title>" + strings.Repeat("x ", 2000))
		},
		"column renamed":   func(p *publisher) { p.body = []byte("number,title\n" + strings.Repeat("1,x\n", 500)) },
		"cut off":          func(p *publisher) { p.body = []byte("number,name\n" + strings.Repeat("1,x\n", 490) + "49") },
		"a third is gone":  func(p *publisher) { p.name, p.rows = "beta", 330 },
		"a third too many": func(p *publisher) { p.name, p.rows = "beta", 670 },
		"yesterday's":      func(p *publisher) { p.name, p.modified = "beta", p.modified.Add(-24*time.Hour) },
		"empty":            func(p *publisher) { p.body = []byte{} },
		"gone":             func(p *publisher) { p.status = http.StatusNotFound },
		"down":             func(p *publisher) { p.status = http.StatusInternalServerError },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := deploy(t)
			d.publisher.modified = time.Now().Add(-time.Hour)
			m, stop := d.worker(50*time.Millisecond, 20*time.Millisecond)
			good := d.copy(m)
			d.publisher.set(spoil)
			asked, _ := d.publisher.counts()
			clocktest.Await(t, "the end of an attempt", func() bool { n, _ := d.publisher.counts(); return n > asked+1 })
			if c := d.copy(m); named(c, "alpha") != 500 || c.ReadAt.Before(good.ReadAt) {
				t.Error("the last good copy is not served")
			}
			stop()
			bustest.Restart(t, d.nats)
			again, _ := d.worker(50*time.Millisecond, time.Hour)
			c := d.copy(again)
			if named(c, "alpha") != 500 || c.ReadAt.Before(good.ReadAt) {
				t.Error("the last good copy is lost over a restart")
			}
		})
	}
}

func TestAnOperatorAcceptsAnotherSize(t *testing.T) {
	t.Parallel()
	d := deploy(t)
	const soon = 20 * time.Millisecond
	renewed := func(rows int, name string, taken bool, resized ...string) bool {
		m, stop := d.worker(soon, soon, resized...)
		defer stop()
		d.publisher.set(func(p *publisher) { p.name, p.rows = name, rows })
		has := func() bool { c := d.copy(m); return c.Len() == rows && named(c, name) == rows }
		if taken {
			return clocktest.Holds(has)
		}
		asked, _ := d.publisher.counts()
		clocktest.Await(t, "the end of an attempt", func() bool { d.copy(m); n, _ := d.publisher.counts(); return n > asked+1 })
		return !clocktest.Stays(func() bool { return !has() })
	}
	for _, step := range []struct {
		rows    int
		name    string
		resized []string
		taken   bool
	}{
		{500, "first", nil, true},
		{50, "tenth", nil, false},
		{50, "tenth", []string{"YY"}, false},
		{50, "tenth", []string{"YY", "XX"}, true},
		{55, "slightly more", nil, true},
		{0, "nothing", []string{"XX"}, false},
	} {
		if taken := renewed(step.rows, step.name, step.taken, step.resized...); taken != step.taken {
			t.Errorf("%s, resized %v: taken is %v", step.name, step.resized, taken)
		}
	}
}

func TestNoCopyAtAll(t *testing.T) {
	d := deploy(t)
	d.publisher.set(func(p *publisher) { p.status = http.StatusForbidden })
	m, _ := d.worker(time.Hour, time.Hour)
	if _, err := m.Copy(t.Context()); scrape.KindOf(err) != scrape.Blocked {
		t.Errorf("%v", err)
	}
	d.publisher.set(func(p *publisher) { p.status = 0 })
	clocktest.Await(t, "the first copy", func() bool { c, err := m.Copy(t.Context()); return err == nil && c.Len() == 500 })
}

// A worker that starts while the file is due and cannot be renewed has the last good edition, as the others do.
func TestTheFirstCopyMayBeDue(t *testing.T) {
	d := deploy(t)
	m, stop := d.worker(time.Hour, time.Hour)
	d.copy(m)
	stop()
	d.publisher.set(func(p *publisher) { p.status = http.StatusInternalServerError })
	again, _ := d.worker(time.Nanosecond, time.Hour)
	if named(d.copy(again), "alpha") != 500 {
		t.Error("not the last good edition")
	}
}

func TestCallerThatLeavesDoesNotEndTheLoad(t *testing.T) {
	d := deploy(t)
	m, _ := d.worker(time.Hour, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Copy(ctx); scrape.KindOf(err) != scrape.Unreachable {
		t.Errorf("%v", err)
	}
	d.copy(m)
	if asked, _ := d.publisher.counts(); asked != 1 {
		t.Errorf("the file was asked for %d times", asked)
	}
}

// A body that is lost is downloaded again, although its edition is known and new.
func TestLostBodyIsReplaced(t *testing.T) {
	d := deploy(t)
	m, stop := d.worker(time.Hour, time.Hour)
	d.copy(m)
	stop()
	js := bustest.JetStream(t, bustest.Connect(t, d.nats))
	files, err := js.ObjectStore(t.Context(), contracts.MirrorsStore)
	d.must(err)
	all, err := files.List(t.Context())
	d.must(err)
	for _, f := range all {
		d.must(files.Delete(t.Context(), f.Name))
	}
	again, _ := d.worker(time.Hour, time.Hour)
	if d.copy(again).Len() != 500 {
		t.Error("not the whole file")
	}
	if asked, downloaded := d.publisher.counts(); asked != 2 || downloaded != 2 {
		t.Errorf("asked %d times, downloaded %d times", asked, downloaded)
	}
}

// Who wants what the publisher says now has the file asked for, once for all workers; where that fails, the copy stays.
func TestACopyIsRenewedOnRequest(t *testing.T) {
	d := deploy(t)
	d.young = time.Nanosecond
	m, _ := d.worker(time.Hour, time.Hour)
	beside, _ := d.worker(time.Hour, time.Hour)
	old := d.copy(m)
	if named(d.copy(beside), "alpha") != 500 {
		t.Error("the worker beside it has no copy")
	}
	d.publisher.set(func(p *publisher) { p.name = "beta" })
	if c := d.copy(m); c != old {
		t.Error("the copy was renewed by itself")
	}
	clocktest.Await(t, "the new edition", func() bool { return m.Renew(t.Context()) && named(d.copy(m), "beta") == 500 })
	other, _ := d.worker(time.Hour, time.Hour)
	for which, worker := range map[string]*mirror.Mirror{"beside it": beside, "that starts later": other} {
		clocktest.Await(t, "the newer copy of a worker "+which, func() bool { return named(d.copy(worker), "beta") == 500 })
	}
	d.publisher.set(func(p *publisher) { p.status = http.StatusInternalServerError })
	before := d.copy(m)
	if m.Renew(t.Context()) || d.copy(m) != before {
		t.Error("the copy did not stay")
	}
	d.publisher.set(func(p *publisher) { p.status = 0 })
	clocktest.Await(t, "a renewal of what has not changed", func() bool { return m.Renew(t.Context()) && d.copy(m).ReadAt.After(before.ReadAt) })
	if _, downloaded := d.publisher.counts(); downloaded != 2 {
		t.Errorf("downloaded %d times", downloaded)
	}
	d.young = time.Hour
	third, _ := d.worker(time.Hour, time.Hour)
	young := d.copy(third)
	if !third.Renew(t.Context()) || d.copy(third) != young {
		t.Error("a young copy was renewed")
	}
}

// A worker takes the edition that another one has got also while the answer that has it is not stored.
func TestAnEditionIsTakenBeforeItsAnswerIsStored(t *testing.T) {
	d := deploy(t)
	d.young = time.Nanosecond
	m, _ := d.worker(time.Hour, time.Hour)
	beside, _ := d.worker(time.Hour, time.Hour)
	d.copy(m)
	d.copy(beside)
	answers, err := bustest.JetStream(t, bustest.Connect(t, d.nats)).KeyValue(t.Context(), contracts.AnswersBucket.Name)
	d.must(err)
	key := string(contracts.CacheKey("test.abc.mirror.XX-file"))
	var before jetstream.KeyValueEntry
	clocktest.Await(t, "the first answer", func() bool { before, err = answers.Get(t.Context(), key); return err == nil })
	d.publisher.set(func(p *publisher) { p.name = "beta" })
	clocktest.Await(t, "the new edition", func() bool { return m.Renew(t.Context()) && named(d.copy(m), "beta") == 500 })
	_, err = answers.Put(t.Context(), key, before.Value())
	d.must(err)
	clocktest.Await(t, "the newer copy of the worker beside it", func() bool { return named(d.copy(beside), "beta") == 500 })
}

// Who asks for a fresh reading gets one also where copies are renewed as often as a fresh one may be old.
func TestACopyIsRenewedOnRequestBeforeItsTurn(t *testing.T) {
	store, err := mirror.Open(t.Context(), mirror.Deps{MaxAge: time.Hour, Retry: time.Hour, Young: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	page := &scrape.Page{Status: http.StatusOK, Body: []byte("number,name\n1,a\n"), ReadAt: time.Now().Add(-2 * time.Hour)}
	slow := spec
	slow.Fetch = func(context.Context, scrape.Request) (*scrape.Page, error) { return page, nil }
	m := store.Mirror(slow)
	if _, err := m.Copy(t.Context()); err != nil {
		t.Fatal(err)
	}
	page = &scrape.Page{Status: http.StatusOK, Body: page.Body, ReadAt: time.Now()}
	if c, err := m.Copy(t.Context()); err != nil || c.ReadAt.Equal(page.ReadAt) {
		t.Fatalf("the copy was renewed before its turn: %v", err)
	}
	if !m.Renew(t.Context()) {
		t.Error("the copy was not renewed")
	}
	if err := store.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
