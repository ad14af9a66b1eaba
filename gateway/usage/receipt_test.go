package usage_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/gateway/usage"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

func receipts(t *testing.T, js jetstream.JetStream) *usage.Receipts {
	t.Helper()
	r, err := usage.OpenReceipts(t.Context(), js, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func claim(t *testing.T, r *usage.Receipt, through int) bool {
	t.Helper()
	due, isRepeated, err := r.Claim(t.Context(), through, through)
	if err != nil || isRepeated != (due == 0) {
		t.Fatal(due, isRepeated, err)
	}
	return due > 0
}

// The same body under the same key of the same tenant is one request, through whichever gateway it comes.
func TestReceiptIsOfTenantKeyAndBody(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	one, other := receipts(t, js), receipts(t, js)
	body := []byte("lines")
	if !claim(t, one.Of(contracts.Live, "acme", "/audit", "k", body), 250) {
		t.Error("the first claim is a repetition")
	}
	for name, c := range map[string]struct {
		of      *usage.Receipt
		isFirst bool
	}{
		"the same":            {other.Of(contracts.Live, "acme", "/audit", "k", body), false},
		"another tenant":      {other.Of(contracts.Live, "bolt", "/audit", "k", body), true},
		"another key":         {other.Of(contracts.Live, "acme", "/audit", "l", body), true},
		"another environment": {other.Of(contracts.Test, "acme", "/audit", "k", body), true},
		"another endpoint":    {other.Of(contracts.Live, "acme", "/match", "k", body), true},
		"parts moved over":    {other.Of(contracts.Live, "acm", "/audit", "ek", body), true},
	} {
		if got := claim(t, c.of, 250); got != c.isFirst {
			t.Errorf("%s: first %t", name, got)
		}
	}
	due, _, err := other.Of(contracts.Live, "acme", "/audit", "k", []byte("line")).Claim(t.Context(), 250, 250)
	if due != 0 || contracts.CodeOf(err) != contracts.InvalidRequest {
		t.Errorf("another body: due %d, %v", due, err)
	}
}

// A repetition that resolves more lines owes the difference: nobody has a list answered for nothing by having none of its lines resolved first.
func TestLinesThatWereFreeAreChargedOnceResolved(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	for _, c := range []struct {
		through, resolved, due int
		isRepeated             bool
	}{
		{250, 0, 0, false}, {250, 0, 0, true}, {250, 200, 200, true}, {250, 100, 0, true}, {500, 100, 0, false}, {500, 450, 250, true}, {500, 450, 0, true},
	} {
		due, isRepeated, err := receipts(t, js).Of(contracts.Live, "acme", "/audit", "k", nil).Claim(t.Context(), c.through, c.resolved)
		if err != nil || due != c.due || isRepeated != c.isRepeated {
			t.Errorf("%+v: due %d, repeated %t, %v", c, due, isRepeated, err)
		}
	}
}

// What was claimed and not written is charged when the request comes again, unless another went on meanwhile.
func TestReceiptIsReleased(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	release := func(r *usage.Receipt) {
		if err := r.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	first, again := receipts(t, js).Of(contracts.Live, "acme", "/audit", "k", nil), receipts(t, js).Of(contracts.Live, "acme", "/audit", "k", nil)
	if !claim(t, first, 250) || !claim(t, first, 500) {
		t.Fatal("the first time")
	}
	release(first)
	if claim(t, again, 250) || !claim(t, again, 500) || !claim(t, again, 750) {
		t.Error("the second time: not from line 251 on")
	}
	release(first)
	if claim(t, receipts(t, js).Of(contracts.Live, "acme", "/audit", "k", nil), 750) {
		t.Error("a late release took back what another claimed")
	}
}

// A claim that fails is none: releasing it takes back nothing of those before, which were answered and charged.
func TestAClaimThatFailsIsNotReleased(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	stream, err := js.Stream(t.Context(), contracts.ReceiptsBucket.Stream())
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	take := func(bytes int32) {
		cfg.MaxMsgSize = bytes
		if _, err := js.UpdateStream(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
	}
	r := receipts(t, js).Of(contracts.Live, "acme", "/audit", "k", nil)
	if !claim(t, r, 250) {
		t.Fatal("the first piece")
	}
	take(1)
	if due, _, err := r.Claim(t.Context(), 500, 500); err == nil {
		t.Fatalf("a claim that cannot be stored: due %d", due)
	}
	take(-1)
	if err := r.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := receipts(t, js).Of(contracts.Live, "acme", "/audit", "k", nil)
	if claim(t, again, 250) || !claim(t, again, 500) {
		t.Error("the second time: not from line 251 on")
	}
}

// A request that broke off goes on being charged where it ended.
func TestReceiptGoesOnWhereItEnded(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	first := receipts(t, js).Of(contracts.Live, "acme", "/audit", "k", nil)
	if !claim(t, first, 250) || !claim(t, first, 500) || claim(t, first, 500) {
		t.Error("the first time")
	}
	again := receipts(t, js).Of(contracts.Live, "acme", "/audit", "k", nil)
	for through, isFirst := range map[int]bool{250: false, 500: false} {
		if claim(t, again, through) != isFirst {
			t.Errorf("lines up to %d: first %t", through, !isFirst)
		}
	}
	if !claim(t, again, 600) {
		t.Error("what was not charged before is not charged now")
	}
}

// Of many who send a request at the same time, one is charged for each part.
func TestOneOfManyIsCharged(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	var charged [3]atomic.Int32
	var sending sync.WaitGroup
	for range 8 {
		r := receipts(t, js).Of(contracts.Live, "acme", "/audit", "k", nil)
		sending.Go(func() {
			for part := range charged {
				due, _, err := r.Claim(t.Context(), part+1, part+1)
				if err != nil {
					t.Error(err)
				} else if due > 0 {
					charged[part].Add(1)
				}
			}
		})
	}
	sending.Wait()
	for part := range charged {
		if n := charged[part].Load(); n != 1 {
			t.Errorf("part %d is charged %d times", part, n)
		}
	}
}

// While it is not known what was charged, nobody is told to charge.
func TestNoReceiptWithoutTheStore(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	r := receipts(t, js)
	bucket, err := js.KeyValue(t.Context(), contracts.ReceiptsBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	damaged := r.Of(contracts.Live, "acme", "/audit", "damaged", nil)
	claim(t, damaged, 1)
	keys, err := bucket.Keys(t.Context())
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	if _, err := bucket.Put(t.Context(), keys[0], []byte("{")); err != nil {
		t.Fatal(err)
	}
	var damage *kv.Damaged
	if due, _, err := r.Of(contracts.Live, "acme", "/audit", "damaged", nil).Claim(t.Context(), 1, 1); due > 0 || !errors.As(err, &damage) {
		t.Errorf("a receipt that cannot be understood: due %d, %v", due, err)
	}
	bustest.Stop(srv)
	began := time.Now()
	if due, _, err := r.Of(contracts.Live, "acme", "/audit", "k", nil).Claim(t.Context(), 1, 1); err == nil || due > 0 {
		t.Errorf("due %d, %v", due, err)
	}
	if took := time.Since(began); took > clocktest.Patience/2 {
		t.Errorf("it took %s", took)
	}
}

// A bill has answers and lines, each at the price of its moment.
func TestSumsOfLines(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	now := time.Now().UTC()
	p := publisher(t, js)
	atPrice := event(8, "acme", contracts.LTL, now)
	atPrice.Price = 20_000
	p.Report(atPrice)
	for i, lines := range []int{250, 250, 101, 0} {
		e := event(i, "acme", contracts.LTL, now)
		e.Lines, e.LinePrice = lines, 3_000
		p.Report(e)
	}
	dearer := event(9, "acme", contracts.LTL, now)
	dearer.Lines, dearer.LinePrice = 10, 10_000
	p.Report(dearer)
	if err := p.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	sums, err := usage.Sums(t.Context(), js, now)
	want := usage.Sum{Tenant: "acme", Product: contracts.LTL, Month: usage.Month(now), Count: 2, Lines: 611, Cents: 195, Price: 1_953_000}
	if err != nil || len(sums) != 1 || sums[0] != want {
		t.Errorf("%+v, %v, want %+v", sums, err, want) // 601 x 0.3 + 10 x 1 + 2 + 3 cents = 195.3
	}
}

// Of a number of claims each is one's who asks for the next, through whichever gateway, also one that starts anew.
func TestNextClaimsAreHandedOutOnce(t *testing.T) {
	t.Parallel()
	const most, gateways = 40, 4
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	var granted atomic.Int64
	var asking sync.WaitGroup
	for range gateways {
		asking.Go(func() {
			of := receipts(t, js).Of(contracts.Live, "", "", "confirm 2026-11-26", nil)
			for range most {
				isLeft, err := of.Next(t.Context(), most)
				if err != nil {
					t.Error(err)
				}
				if isLeft {
					granted.Add(1)
				}
			}
		})
	}
	asking.Wait()
	if granted.Load() != most {
		t.Errorf("%d of %d", granted.Load(), most)
	}
	if isLeft, err := receipts(t, js).Of(contracts.Live, "", "", "confirm 2026-11-26", nil).Next(t.Context(), most); isLeft || err != nil {
		t.Errorf("one more is left: %t, %v", isLeft, err)
	}
	if isLeft, err := receipts(t, js).Of(contracts.Test, "", "", "confirm 2026-11-26", nil).Next(t.Context(), most); !isLeft || err != nil {
		t.Errorf("of another environment none is left: %v", err)
	}
}
