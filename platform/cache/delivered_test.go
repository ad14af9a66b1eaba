package cache_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
)

// An answer too large for a reply is read from where its worker stored it.
func TestLargeAnswerIsReadFromTheCache(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	all := stores(t, srv, 2)
	type question struct{}
	subject := contracts.Subject{Name: "assay.v1.test.large", Template: "assay.v1.{env}.large"}
	text := strings.Repeat("large ", 1<<19)
	worker, err := bus.Serve(bus.Deps{Conn: bustest.Connect(t, srv)}, bus.Service{
		Name: "large", Version: "1.0.0", Capacity: 1, MaxTime: patient,
		Endpoints: []bus.Endpoint{bus.HandleStored("large", subject,
			func(question) contracts.CacheKey { return key },
			func(ctx context.Context, _ question) (page, error) {
				return cache.Fill(ctx, all[0], key, func(context.Context) (page, error) { return newPage(text, time.Hour), nil })
			})},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Stop(within(t, patient)) }()
	conn := bustest.Connect(t, srv)
	got, err := bus.Call[page](within(t, patient),
		bus.NewClient(bus.Deps{Conn: conn, StoredAnswer: all[1].Delivered}), subject, question{})
	if err != nil || got.Text != text {
		t.Errorf("%d bytes, %v", len(got.Text), err)
	}
	_, err = bus.Call[page](within(t, patient), bus.NewClient(bus.Deps{Conn: conn}), subject, question{})
	if contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Errorf("a caller that cannot read the cache: %v", err)
	}
}

// What belongs to a reply alone comes with one whose answer was too large, and is not stored.
func TestALargeAnswerOfAFailedRefresh(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	all := stores(t, srv, 2)
	type question struct{ Failed bool }
	subject := contracts.Subject{Name: "assay.v1.test.large", Template: "assay.v1.{env}.large"}
	text := strings.Repeat("large ", 1<<19)
	worker, err := bus.Serve(bus.Deps{Conn: bustest.Connect(t, srv)}, bus.Service{
		Name: "large", Version: "1.0.0", Capacity: 1, MaxTime: patient,
		Endpoints: []bus.Endpoint{bus.HandleStored("large", subject,
			func(question) contracts.CacheKey { return key },
			func(ctx context.Context, q question) (page, error) {
				a, err := cache.Fill(ctx, all[0], key, func(context.Context) (page, error) { return newPage(text, time.Hour), nil })
				a.RefreshFailed = q.Failed
				return a, err
			})},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Stop(within(t, 5*time.Second)) }()
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv), StoredAnswer: all[1].Delivered})
	for _, failed := range []bool{true, false} {
		got, err := bus.Call[page](within(t, patient), client, subject, question{failed})
		if err != nil || got.Text != text || got.RefreshFailed != failed {
			t.Errorf("%d bytes, failed %v, want %v, %v", len(got.Text), got.RefreshFailed, failed, err)
		}
	}
}
