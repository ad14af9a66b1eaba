package cache_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
)

// crowd calls Fill n times on each store at once and returns how often each code came; "" stands for an answer. No
// fetch ends before all have called.
func crowd(t *testing.T, all []*cache.Store, n int, fetch func(context.Context) (page, error)) map[contracts.Code]int {
	t.Helper()
	ctx := within(t, patient)
	var mu sync.Mutex
	var calls sync.WaitGroup
	codes := map[contracts.Code]int{}
	var everybody sync.WaitGroup
	everybody.Add(n * len(all))
	crowded := func(ctx context.Context) (page, error) {
		everybody.Wait()
		return fetch(ctx)
	}
	for _, s := range all {
		for range n {
			calls.Go(func() {
				everybody.Done()
				_, err := cache.Fill(ctx, s, key, crowded)
				mu.Lock()
				defer mu.Unlock()
				codes[contracts.CodeOf(err)]++
			})
		}
	}
	calls.Wait()
	return codes
}

func TestColdKeyIsFetchedOnce(t *testing.T) {
	t.Parallel()
	all := stores(t, bustest.Buckets(t, buckets...), 8)
	var fetches atomic.Int64
	codes := crowd(t, all, 500, func(context.Context) (page, error) {
		fetches.Add(1)
		return newPage("a", time.Hour), nil
	})
	if fetches.Load() != 1 || codes[""] != 4000 {
		t.Errorf("%d fetches, %v", fetches.Load(), codes)
	}
}

// Waves of keys; the last store begins when the first has its answer: late ones must not fetch again.
func TestManyKeysAreFetchedOnceEach(t *testing.T) {
	t.Parallel()
	all := stores(t, bustest.Buckets(t, buckets...), 4)
	ctx := within(t, patient)
	fetches := make([]atomic.Int64, 100)
	var calls sync.WaitGroup
	for i := range fetches {
		k := contracts.CacheKey("test.key." + strings.Repeat("x", i+1))
		answered := make(chan struct{})
		for n, s := range all {
			calls.Go(func() {
				switch n {
				case 0:
					defer close(answered)
				case len(all) - 1:
					<-answered
				}
				_, err := cache.Fill(ctx, s, k, func(context.Context) (page, error) {
					fetches[i].Add(1)
					return newPage("a", time.Hour), nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	calls.Wait()
	for i := range fetches {
		if n := fetches[i].Load(); n != 1 {
			t.Errorf("key %d fetched %d times", i, n)
		}
	}
}

func TestFailureIsEverybodys(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		fetch func(context.Context) (page, error)
		code  contracts.Code
		lasts string
	}{
		"coded": {func(context.Context) (page, error) {
			return page{}, contracts.Errorf(contracts.SourceUnavailable, "the site is down")
		}, contracts.SourceUnavailable, "2s"},
		"lasting": {func(context.Context) (page, error) {
			return page{}, contracts.Errorf(contracts.SourceUnavailable, "not understood").After(contracts.FallbackTTL)
		}, contracts.SourceUnavailable, "15m0s"},
		"panic": {func(context.Context) (page, error) { panic("secret") }, contracts.Internal, "2s"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := bustest.Buckets(t, buckets...)
			all := stores(t, srv, 4)
			var fetches atomic.Int64
			codes := crowd(t, all, 50, func(ctx context.Context) (page, error) {
				fetches.Add(1)
				return c.fetch(ctx)
			})
			if fetches.Load() != 1 || codes[c.code] != 200 {
				t.Errorf("%d fetches, %v", fetches.Load(), codes)
			}
			flights, err := bustest.JetStream(t, bustest.Connect(t, srv)).Stream(t.Context(), contracts.FlightsBucket.Stream())
			if err != nil {
				t.Fatal(err)
			}
			const other contracts.CacheKey = "test.ltl.SAIA"
			usual := open(t, bustest.Connect(t, srv), cache.Deps{IOTime: patient})
			clocktest.Await(t, "a record of it is seen that lasts for "+c.lasts, func() bool { // a short one may be gone before
				_, _ = cache.Fill(within(t, patient), usual, other, c.fetch)
				failed, err := flights.GetLastMsgForSubject(t.Context(), contracts.FlightsBucket.Subject(string(other)+".0"))
				return err == nil && failed.Header.Get(jetstream.MsgTTLHeader) == c.lasts
			})
			if c.lasts != "2s" {
				_, err = cache.Fill(within(t, patient), all[0], key, c.fetch)
				later := contracts.AsError(err)
				if left := later.RetryAfter; left <= 0 || left >= contracts.FallbackTTL || !later.Repeated {
					t.Errorf("who asks later is told to come again after %v, repeated %t", left, later.Repeated)
				}
				return
			}
			clocktest.Await(t, "the failure is forgotten", func() bool {
				codes := crowd(t, all[:1], 1, func(context.Context) (page, error) { return newPage("back", time.Hour), nil })
				return codes[""] == 1
			})
		})
	}
}

// An entry of any of these kinds is a miss that is replaced once.
func TestUnusableEntryIsReplacedOnce(t *testing.T) {
	t.Parallel()
	entries := map[string]string{
		"expired":        `{"read_at":"2020-01-01T00:00:00Z","expires_at":"2020-01-02T00:00:00Z","text":"old"}`,
		"not JSON":       `<html>`,
		"damaged gzip":   "\x1f\x8bgarbage",
		"no provenance":  `{"text":"x"}`,
		"another schema": `{"schema":3,"read_at":"2020-01-01T00:00:00Z","expires_at":"2999-01-02T00:00:00Z","text":{"new":1}}`,
		"another key's":  `{"schema":4,"read_at":"2020-01-01T00:00:00Z","expires_at":"2999-01-02T00:00:00Z","text":"another key's"}`,
		"empty":          "",
	}
	for name, value := range entries {
		t.Run(name, func(t *testing.T) {
			srv := bustest.Buckets(t, buckets...)
			all := stores(t, srv, 3)
			answers := answersBucket(t, srv)
			if _, err := answers.Put(within(t, patient), string(key), []byte(value)); err != nil {
				t.Fatal(err)
			}
			var fetches atomic.Int64
			codes := crowd(t, all, 50, func(context.Context) (page, error) {
				fetches.Add(1)
				return newPage("new", time.Hour), nil
			})
			if fetches.Load() != 1 || codes[""] != 150 {
				t.Errorf("%d fetches, %v", fetches.Load(), codes)
			}
			if e, err := all[0].Get(within(t, patient), key); err != nil || !strings.Contains(string(e.Value), "new") {
				t.Errorf("%s, %v", e.Value, err)
			}
		})
	}
}

func TestAnswerIsKeptAfterItsCallerLeft(t *testing.T) {
	t.Parallel()
	s := stores(t, bustest.Buckets(t, buckets...), 1)[0]
	ctx, cancel := context.WithCancel(context.Background())
	left := make(chan struct{})
	_, err := cache.Fill(ctx, s, key, func(ctx context.Context) (page, error) {
		cancel()
		<-left
		return newPage("kept", time.Hour), ctx.Err()
	})
	close(left)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the caller got %v", err)
	}
	got, err := cache.Fill(within(t, patient), s, key, func(context.Context) (page, error) { panic("fetched again") })
	if err != nil || got.Text != "kept" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFetchIsBounded(t *testing.T) {
	t.Parallel()
	s := open(t, bustest.Connect(t, bustest.Buckets(t, buckets...)), cache.Deps{MaxFetch: 50 * time.Millisecond})
	_, err := cache.Fill(within(t, 5*time.Second), s, key, func(ctx context.Context) (page, error) {
		<-ctx.Done()
		return page{}, ctx.Err()
	})
	if contracts.CodeOf(err) != contracts.Timeout {
		t.Errorf("got %v", err)
	}
}

// An answer that cannot be stored still answers all who wait, here and elsewhere.
func TestAnswerThatCannotBeStored(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	all := stores(t, srv, 4)
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	stream, err := js.Stream(within(t, patient), contracts.AnswersBucket.Stream())
	if err != nil {
		t.Fatal(err)
	}
	full := stream.CachedInfo().Config
	full.MaxBytes = 10
	if _, err := js.UpdateStream(within(t, patient), full); err != nil {
		t.Fatal(err)
	}
	var fetches atomic.Int64
	codes := crowd(t, all, 20, func(context.Context) (page, error) {
		fetches.Add(1)
		return newPage("a", time.Hour), nil
	})
	if fetches.Load() != 1 || codes[""] != 80 {
		t.Errorf("%d fetches, %v", fetches.Load(), codes)
	}
}

func TestLargeAnswerIsStored(t *testing.T) {
	t.Parallel()
	all := stores(t, bustest.Buckets(t, buckets...), 2)
	text := strings.Repeat("a long page ", 1<<18) // 3 MiB: over the server's maximum payload
	_, err := cache.Fill(within(t, patient), all[0], key,
		func(context.Context) (page, error) { return newPage(text, time.Hour), nil })
	if err != nil {
		t.Fatal(err)
	}
	got, err := cache.Fill(within(t, patient), all[1], key, func(context.Context) (page, error) { panic("fetched again") })
	if err != nil || got.Text != text {
		t.Errorf("%d bytes, %v", len(got.Text), err)
	}
}

func TestRefresh(t *testing.T) {
	t.Parallel()
	all := stores(t, bustest.Buckets(t, buckets...), 3)
	ctx := within(t, patient)
	if _, err := cache.Fill(ctx, all[0], key, func(context.Context) (page, error) {
		return newPage("1", time.Hour),
			nil
	}); err != nil {
		t.Fatal(err)
	}
	due := stored(t, all[0])
	var did atomic.Int64
	var calls sync.WaitGroup
	reading, begun := make(chan struct{}), make(chan struct{})
	for _, s := range all {
		calls.Go(func() {
			_, ok, err := cache.Refresh(ctx, s, cache.Renewal{Key: key, Replaces: due.Revision}, func(context.Context) (page, error) {
				close(begun)
				<-reading
				return newPage("2", time.Hour), nil
			})
			if err != nil {
				t.Error(err)
			}
			if ok {
				did.Add(1)
			}
		})
	}
	<-begun
	got, err := cache.Fill(ctx, all[1], key, func(context.Context) (page, error) { panic("fetched") })
	if err != nil || got.Text != "1" {
		t.Errorf("meanwhile: %+v, %v", got, err)
	}
	close(reading)
	calls.Wait()
	if did.Load() != 1 {
		t.Errorf("%d workers refreshed", did.Load())
	}
	if _, ok, err := cache.Refresh(ctx, all[0], cache.Renewal{Key: key, Replaces: due.Revision}, func(context.Context) (page, error) { panic("fetched") }); ok || err != nil {
		t.Errorf("a refresh of what was replaced: %v, %v", ok, err)
	}
	_, ok, err := cache.Refresh(ctx, all[2], cache.Renewal{Key: key, Replaces: stored(t, all[2]).Revision}, func(context.Context) (page, error) { return page{}, errors.New("down") })
	if ok || err == nil {
		t.Errorf("a failed refresh: %v, %v", ok, err)
	}
	if got, err := cache.Fill(ctx, all[2], key, func(context.Context) (page, error) { panic("fetched") }); err != nil ||
		got.Text != "2" {
		t.Errorf("a failed refresh left %+v, %v", got, err)
	}
}

// stored is the entry of key, which appears a moment after its first callers have it.
func stored(t *testing.T, s *cache.Store) (entry cache.Entry) {
	t.Helper()
	ctx := within(t, patient)
	clocktest.Await(t, "the answer is stored", func() (ok bool) {
		var err error
		entry, err = s.Get(ctx, key)
		return err == nil
	})
	return entry
}

func answersBucket(t *testing.T, srv *server.Server) jetstream.KeyValue {
	t.Helper()
	b, err := bustest.JetStream(t, bustest.Connect(t, srv)).KeyValue(within(t, patient), contracts.AnswersBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Who is not admitted gets the reason, together with all who wait for the same, and leaves no flight behind. Who is admitted
// leaves when another process turns out to fetch, before it waits for that.
func TestAdmissionIsBeforeTheFlight(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	all := stores(t, srv, 2)
	full := contracts.Errorf(contracts.SourceUnavailable, "no room")
	refuse := func(ctx context.Context) (context.Context, func(), error) { return ctx, nil, full }
	_, err := cache.FillAdmitted(within(t, patient), all[0], key, refuse, func(context.Context) (page, error) { panic("fetched") })
	if !errors.Is(err, full) {
		t.Errorf("refused with %v", err)
	}
	if keys, err := flights(t, srv).Keys(within(t, patient)); !errors.Is(err, jetstream.ErrNoKeysFound) {
		t.Errorf("flights %v, %v", keys, err)
	}

	begun, release, left := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var first, second page
	var filling sync.WaitGroup
	filling.Go(func() {
		first, _ = cache.Fill(within(t, patient), all[0], key, func(context.Context) (page, error) {
			close(begun)
			<-release
			return newPage("a", time.Hour), nil
		})
	})
	<-begun
	filling.Go(func() {
		admit := func(ctx context.Context) (context.Context, func(), error) { return ctx, func() { close(left) }, nil }
		second, _ = cache.FillAdmitted(within(t, patient), all[1], key, admit, func(context.Context) (page, error) { panic("fetched again") })
	})
	<-left
	close(release)
	filling.Wait()
	if first.Text != "a" || second.Text != "a" {
		t.Errorf("%q and %q", first.Text, second.Text)
	}
}
