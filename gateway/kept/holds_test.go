package kept_test

import (
	"context"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/kept"
	"assay.dev/platform/bustest"
)

// However long a list was read for, it does not take the place of one that is newer. One that is not kept takes nobody's.
func TestAnOlderListReplacesNoNewerOne(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	holds := open(t, js).Holds
	bound(t, js, contracts.PortfoliosBucket, func(uint64) int64 { return 100 << 10 })
	for _, put := range []struct {
		list, date string
		size       int
		want       contracts.Code
	}{
		{"101-aa", "2026-11-10", 0, ""},
		{"101-aa", "2026-11-24", 0, ""},
		{"101-aa", "2026-11-10", 0, contracts.InvalidRequest},
		{"101-aaa", "2026-11-10", 0, ""},
		{"101-aa", "2026-12-08", 400 << 10, contracts.SourceUnavailable},
		{"101-aa", "2026-11-24", 0, ""},
	} {
		_, _, err := holds.Put(t.Context(), acme, kept.HoldList{State: contracts.NY, List: put.list, Date: contracts.Date(put.date),
			Entries: []kept.HeldLicense{{LicenseNumber: noise(put.size)}}})
		if contracts.CodeOf(err) != put.want {
			t.Errorf("%s of %s: %v", put.list, put.date, err)
		}
	}
	if l, err := holds.Get(t.Context(), acme, contracts.NY, "101-aa"); err != nil || l.Date != "2026-11-24" {
		t.Errorf("the list is of %s, %v", l.Date, err)
	}
	if all, err := holds.List(t.Context(), acme); err != nil || len(all) != 2 || all[0].List != "101-aa" || all[0].Date != "2026-11-24" {
		t.Errorf("listed %+v, %v", all, err)
	}
}

// late calls before once, between the write of a tenant's list and that of the document in it.
type late struct {
	jetstream.JetStream
	before func()
}

type lateBucket struct {
	jetstream.KeyValue
	*late
}

func (l *late) KeyValue(ctx context.Context, name string) (jetstream.KeyValue, error) {
	kv, err := l.JetStream.KeyValue(ctx, name)
	return lateBucket{kv, l}, err
}

func (b lateBucket) Update(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	if before := b.before; before != nil && strings.HasSuffix(key, "NY-101-aa") {
		b.late.before = nil
		before()
	}
	return b.KeyValue.Update(ctx, key, value, revision)
}

// Whoever writes between an older list's place among the lists and the list itself is not undone by it.
func TestAListIsTheOneThatIsListed(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]func(kept.Holds) error{
		"2026-11-24": func(h kept.Holds) error { return put(t, h, "2026-11-24") },
		"":           func(h kept.Holds) error { return h.Remove(t.Context(), acme, contracts.NY, "101-aa") },
	} {
		t.Run(name, func(t *testing.T) {
			js := &late{JetStream: bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))}
			holds := open(t, js).Holds
			err := put(t, holds, "2026-11-01")
			if err != nil {
				t.Fatal(err)
			}
			var other error
			js.before = func() { other = between(holds) }
			if err := put(t, holds, "2026-11-10"); contracts.CodeOf(err) != contracts.SourceUnavailable || other != nil {
				t.Errorf("%v, the other one: %v", err, other)
			}
			l, err := holds.Get(t.Context(), acme, contracts.NY, "101-aa")
			all, failed := holds.List(t.Context(), acme)
			listed := contracts.Date("")
			for _, e := range all {
				listed = e.Date
			}
			if string(l.Date) != name || listed != l.Date || name == "" != (contracts.CodeOf(err) == contracts.NotFound) || failed != nil {
				t.Errorf("the list is of %q, listed as of %q, %v, %v", l.Date, listed, err, failed)
			}
		})
	}
}

func put(t *testing.T, h kept.Holds, date contracts.Date) error {
	t.Helper()
	_, _, err := h.Put(t.Context(), acme, kept.HoldList{State: contracts.NY, List: "101-aa", Date: date})
	return err
}
