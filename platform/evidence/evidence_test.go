package evidence_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/evidence"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a keeper of the test environment on a server.
type bench struct {
	testing.TB
	nats    *server.Server
	js      jetstream.JetStream
	keeper  *evidence.Keeper
	store   *evidence.Store
	metrics *prometheus.Registry
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{TB: t, nats: bustest.Server(t), metrics: prometheus.NewRegistry()}
	b.js = bustest.JetStream(t, bustest.Connect(t, b.nats))
	b.keeper = b.open(clocktest.Patience)
	b.store = evidence.NewStore(b.js)
	return b
}

// open opens a keeper for which an answer waits so long.
func (b *bench) open(wait time.Duration) *evidence.Keeper {
	b.Helper()
	k, err := evidence.Open(evidence.Deps{
		JetStream: b.js, Environment: contracts.Test, Product: contracts.LTL, Parser: "v1", Wait: wait, Metrics: b.metrics,
	})
	b.must(err)
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
		defer cancel()
		b.must(k.Stop(ctx))
	})
	return k
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func page(url, body string) scrape.Document {
	return scrape.Document{Page: &scrape.Page{
		URL: url, Status: http.StatusOK, Body: []byte(body), ReadAt: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Set-Cookie": {"secret=1"}, "Etag": {`"a"`}},
	}}
}

func (b *bench) keep(documents ...scrape.Document) ([]contracts.Evidence, bool) {
	of := evidence.Reading{Source: "ODFL", Path: "page"}
	spans := tracetest.NewSpanRecorder()
	ctx, span := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test").Start(b.Context(), "read")
	defer span.End()
	kept, all := b.keeper.Keep(ctx, of, documents)
	if failed := spans.Ended()[0].Status().Code == codes.Error; failed != (!all && len(documents) > 0) {
		b.Errorf("all are kept: %t, and the span failed: %t", all, failed)
	}
	return kept, all
}

func (b *bench) get(e contracts.Evidence) (*evidence.Document, error) {
	return b.store.Get(b.Context(), contracts.Test, e.SHA256, e.At, anybody)
}

func anybody(contracts.Product) error { return nil }

// lost is how many documents the metric counts as lost.
func (b *bench) lost() float64 {
	b.Helper()
	families, err := b.metrics.Gather()
	b.must(err)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "evidence_documents_total" && m.GetLabel()[0].GetValue() == "lost" {
				return m.GetCounter().GetValue()
			}
		}
	}
	b.Fatal("no such metric")
	return 0
}

func hashOf(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

func TestKeepsTheVeryBytes(t *testing.T) {
	b := newBench(t)
	values, form := "<p>\x00\xff 46.32</p>", "<form>"
	kept, all := b.keep(page("https://a.example/x?api_key=hidden&b=2", values), page("https://a.example/form", form))
	if !all || len(kept) != 2 || kept[0].SHA256 != hashOf(values) || kept[1].SHA256 != hashOf(form) {
		t.Fatalf("%+v, %t", kept, all)
	}
	if kept[0].Role != contracts.RoleValues || kept[1].Role != contracts.RoleContext {
		t.Errorf("roles %s, %s", kept[0].Role, kept[1].Role)
	}
	d, err := b.get(kept[0])
	b.must(err)
	if string(d.Body) != values || d.Product != contracts.LTL || d.Source != "ODFL" || d.Path != "page" || d.Parser != "v1" {
		t.Errorf("%+v", d)
	}
	if d.URL != "https://a.example/x?api_key=***&b=2" || kept[0].URL != d.URL {
		t.Errorf("a URL holds a key: %s, %s", d.URL, kept[0].URL)
	}
	if d.Header["Content-Type"] != "text/html; charset=utf-8" || d.Header["Etag"] != `"a"` || len(d.Header) != 2 {
		t.Errorf("headers %v", d.Header)
	}
	if d.Source != "ODFL" || d.Path != "page" || d.Status != 200 || d.ReadAt.Year() != 2026 {
		t.Errorf("label %+v", d.Label)
	}
}

// The same bytes of the same URL are kept once, by whichever worker reads them.
func TestTheSameBytesAreKeptOnce(t *testing.T) {
	b := newBench(t)
	first, _ := b.keep(page("https://a.example/", "same"))
	again, _ := b.keep(page("https://a.example/", "same"))
	b.keeper = b.open(clocktest.Patience) // another worker: it remembers nothing, the stream does
	other, _ := b.keep(page("https://a.example/", "same"))
	if len(first) != 1 || !slices.Equal(first, again) || !slices.Equal(first, other) {
		t.Errorf("%v, %v, %v", first, again, other)
	}
	elsewhere, _ := b.keep(page("https://b.example/", "same"))
	if elsewhere[0].At == first[0].At {
		t.Error("two pages with the same bytes are taken for one")
	}
	if info := b.info(contracts.EvidenceStream(contracts.Test)); info.State.Msgs != 2 {
		t.Errorf("%d messages", info.State.Msgs)
	}
}

// A page that was opened on the way of one reading, and that another reads values from, is kept with the places of the values.
func TestAPageIsKeptWithThePlacesOfItsValues(t *testing.T) {
	b := newBench(t)
	rows := map[string][]scrape.Spot{"400000": {{Text: "ACTIVE", At: 3}}}
	read := func(documents ...scrape.Document) contracts.Evidence {
		kept, all := b.keeper.Keep(t.Context(), evidence.Reading{Source: "CA", Path: "page", Rows: rows}, documents)
		if !all {
			t.Fatal("not all is kept")
		}
		return kept[len(kept)-1]
	}
	license := page("https://a.example/400000", "ACTIVE")
	opened := read(page("https://a.example/search", "400000"), license)
	placed := read(license)
	for e, want := range map[contracts.Evidence]int{opened: 0, placed: 1} {
		d, err := b.get(e)
		b.must(err)
		if len(d.Rows) != want {
			t.Errorf("%s: %d rows, want %d", e.Role, len(d.Rows), want)
		}
	}
	if again := read(page("https://a.example/search", "400000"), license); again.At != placed.At {
		t.Errorf("kept once more at %s, not at %s", again.At, placed.At)
	}
}

func (b *bench) info(s contracts.Stream) *jetstream.StreamInfo {
	b.Helper()
	stream, err := b.js.Stream(b.Context(), s.Name)
	b.must(err)
	info, err := stream.Info(b.Context())
	b.must(err)
	return info
}

// noise does not become smaller.
func noise(size int) string {
	body := make([]byte, size)
	_, _ = rand.Read(body)
	return string(body)
}

// A document that does not fit into one message is one batch. Others may be kept between its parts' sending, never between
// its parts.
func TestLargeDocuments(t *testing.T) {
	b := newBench(t)
	bodies := []string{noise(900_000), noise(900_100), noise(2_700_000), noise(7 << 20)}
	kept := make([][]contracts.Evidence, len(bodies))
	var all sync.WaitGroup
	for i, body := range bodies {
		all.Go(func() {
			d := page(fmt.Sprint("https://a.example/", i), body)
			clocktest.Holds(func() bool { // a large one may take longer than an answer waits
				kept[i], _ = b.keep(d)
				return kept[i] != nil
			})
			b.keep(page(fmt.Sprint("https://a.example/small/", i), body[:100]))
		})
	}
	all.Wait()
	for i, body := range bodies {
		if len(kept[i]) != 1 {
			t.Fatalf("document %d is not kept", i)
		}
		d, err := b.get(kept[i][0])
		if err != nil || string(d.Body) != body {
			t.Errorf("document %d: %v", i, err)
		}
	}
	file, err := b.keeper.KeepFile(t.Context(), evidence.Reading{Source: "IL", Path: "mirror"}, page("https://a.example/f.csv", bodies[2]))
	b.must(err)
	if d, err := b.get(*file); err != nil || string(d.Body) != bodies[2] || file.At[0] != 'b' || file.Role != contracts.RoleFile {
		t.Errorf("%+v, %v", file, err)
	}
}

// What is asked for is there, was there, or never was: each has its own failure, and one environment has nothing of the other.
func TestWhatIsNotThere(t *testing.T) {
	b := newBench(t)
	first, _ := b.keep(page("https://a.example/1", "first"))
	second, _ := b.keep(page("https://a.example/2", "second"))
	stream, err := b.js.Stream(t.Context(), contracts.EvidenceStream(contracts.Test).Name)
	b.must(err)
	b.must(stream.Purge(t.Context(), jetstream.WithPurgeSequence(2)))
	for name, tt := range map[string]struct {
		env    contracts.Environment
		sha256 string
		at     contracts.Place
		want   contracts.Code
	}{
		"kept":                  {contracts.Test, second[0].SHA256, second[0].At, ""},
		"dropped":               {contracts.Test, first[0].SHA256, first[0].At, contracts.Gone},
		"beyond the last":       {contracts.Test, second[0].SHA256, "3", contracts.NotFound},
		"another hash":          {contracts.Test, first[0].SHA256, second[0].At, contracts.NotFound},
		"of the other env":      {contracts.Live, second[0].SHA256, second[0].At, contracts.NotFound},
		"in the other stream":   {contracts.Test, second[0].SHA256, "b2", contracts.NotFound},
		"no place":              {contracts.Test, second[0].SHA256, "0", contracts.InvalidRequest},
		"a place in other form": {contracts.Test, second[0].SHA256, "+2", contracts.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.store.Get(t.Context(), tt.env, tt.sha256, tt.at, anybody)
			if contracts.CodeOf(err) != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
	refused := contracts.Errorf(contracts.ProductNotEnabled, "no")
	_, err = b.store.Get(t.Context(), contracts.Test, second[0].SHA256, second[0].At, func(p contracts.Product) error { return refused })
	if contracts.CodeOf(err) != contracts.ProductNotEnabled {
		t.Errorf("without the product: %v", err)
	}
}

// Without a store, with a full one and with a slow one nothing waits for long, and nothing is claimed to be kept.
func TestTheStoreIsNotThere(t *testing.T) {
	b := newBench(t)
	name := contracts.EvidenceStream(contracts.Test).Name
	b.must(b.js.DeleteStream(t.Context(), name))
	b.isLost("gone")

	full := jetstream.StreamConfig{Name: name, Subjects: contracts.EvidenceStream(contracts.Test).Subjects, MaxBytes: 1000, Discard: jetstream.DiscardNew}
	_, err := b.js.CreateStream(t.Context(), full)
	b.must(err)
	b.isLost("full")

	b.nats.Shutdown()
	b.nats.WaitForShutdown()
	b.isLost("NATS is away")

	b.keeper = b.open(0)
	if kept, all := b.keep(page("https://a.example/still", noise(5000))); kept != nil || all {
		b.Errorf("nobody waits until a document is lost: %v, %t", kept, all)
	}
}

// isLost wants a document to be lost, and the answer to go on then.
func (b *bench) isLost(why string) {
	b.Helper()
	start, before := time.Now(), b.lost()
	kept, all := b.keep(page("https://a.example/"+why, noise(5000)))
	if took := time.Since(start); kept != nil || all || took > clocktest.Patience/2 || b.lost() != before+1 {
		b.Errorf("%s: %v, %t after %s; lost %v, before %v", why, kept, all, took, b.lost(), before)
	}
}

// A stream that was made anew has other sequences: what was kept in the one before is sent again.
func TestTheStoreIsMadeAnew(t *testing.T) {
	b := newBench(t)
	for i := range 3 {
		b.keep(page(fmt.Sprint("https://a.example/", i), fmt.Sprint("page ", i)))
	}
	s := contracts.EvidenceStream(contracts.Test)
	b.must(b.js.DeleteStream(t.Context(), s.Name))
	b.keep(page("https://a.example/lost", "this finds that the stream is gone"))
	_, err := b.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: s.Name, Subjects: s.Subjects, AllowDirect: true})
	b.must(err)
	kept, all := b.keep(page("https://a.example/2", "page 2"))
	if !all || kept[0].At != "1" {
		t.Fatalf("%v, %t", kept, all)
	}
	if d, err := b.get(kept[0]); err != nil || string(d.Body) != "page 2" {
		t.Errorf("%v", err)
	}
}

// So it is when nothing showed that the stream was gone: what is kept next tells it.
func TestTheStoreIsMadeAnewUnseen(t *testing.T) {
	b := newBench(t)
	b.keep(page("https://a.example/1", "page 1"))
	s := contracts.EvidenceStream(contracts.Test)
	b.must(b.js.DeleteStream(t.Context(), s.Name))
	_, err := b.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: s.Name, Subjects: s.Subjects, AllowDirect: true,
		FirstSeq: kv.NextLife(1)})
	b.must(err)
	b.keep(page("https://a.example/2", "page 2"))
	kept, all := b.keep(page("https://a.example/1", "page 1"))
	if !all || len(kept) != 1 {
		t.Fatalf("%v, %t", kept, all)
	}
	if d, err := b.get(kept[0]); err != nil || string(d.Body) != "page 1" {
		t.Errorf("at %s: %v", kept[0].At, err)
	}
}

// When the first document is not kept there is no reference at all; when another one is not, only that one is missing.
func TestPartsOfAReading(t *testing.T) {
	b := newBench(t)
	missing := scrape.Document{}
	if kept, all := b.keep(missing, page("https://a.example/", "x")); kept != nil || all {
		t.Errorf("%v, %t", kept, all)
	}
	if kept, all := b.keep(page("https://a.example/", "x"), missing); len(kept) != 1 || all {
		t.Errorf("%v, %t", kept, all)
	}
	file := &contracts.Evidence{SHA256: hashOf("f"), URL: "https://a.example/f", Role: contracts.RoleFile, At: "b1"}
	if kept, all := b.keep(scrape.Document{Kept: file}); len(kept) != 1 || kept[0] != *file || !all {
		t.Errorf("%v, %t", kept, all)
	}
	if kept, all := b.keep(); kept != nil || all {
		t.Errorf("nothing was read: %v, %t", kept, all)
	}
	var none *evidence.Keeper
	if kept, all := none.Keep(t.Context(), evidence.Reading{}, []scrape.Document{page("https://a.example/", "x")}); kept != nil || all {
		t.Errorf("%v, %t", kept, all)
	}
}

// A kept document that is not what its label says is never given out.
func TestAFlippedBit(t *testing.T) {
	b := newBench(t)
	kept, _ := b.keep(page("https://a.example/", strings.Repeat("46.32 ", 1000)))
	stream, err := b.js.Stream(t.Context(), contracts.EvidenceStream(contracts.Test).Name)
	b.must(err)
	m, err := stream.GetMsg(t.Context(), 1)
	b.must(err)
	for i := range m.Data {
		flipped := bytes.Clone(m.Data)
		flipped[i] ^= 1
		ack, err := b.js.PublishMsg(t.Context(), &nats.Msg{
			Subject: m.Subject, Data: flipped, Header: nats.Header{"assay-evidence": m.Header["assay-evidence"]},
		})
		b.must(err)
		d, err := b.store.Get(t.Context(), contracts.Test, kept[0].SHA256, contracts.PlaceOf(false, ack.Sequence), anybody)
		if err == nil && hashOf(string(d.Body)) != kept[0].SHA256 {
			t.Fatalf("byte %d is flipped, and other bytes are given out", i)
		}
		if err != nil && contracts.CodeOf(err) != contracts.Internal {
			t.Errorf("byte %d: %v", i, err)
		}
	}
}
