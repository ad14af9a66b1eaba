package kept_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/platform/bustest"
)

// noise is text that is hardly smaller when it is compressed.
func noise(size int) string {
	all, r := make([]byte, size), rand.NewChaCha8([32]byte{})
	_, _ = r.Read(all) // it never fails
	for i := range all {
		all[i] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[all[i]>>2]
	}
	return string(all)
}

// Few tenants do not fill the bucket of all: the oldest documents of one go before.
func TestATenantHasAPartOfTheBucket(t *testing.T) {
	t.Parallel()
	k, now := open(t, bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))), time.Now()
	large := kept.Answer{Status: 200, Body: noise(1 << 20)}
	var ids []string
	for range 8 {
		r := kept.Reply{Page: "/p", Answers: []kept.Answer{large}}
		if err := k.Replies.Put(t.Context(), acme, &r, now); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID)
	}
	left := 0
	for _, id := range ids {
		if _, err := k.Replies.Get(t.Context(), acme, "/p", id, now); err == nil {
			left++
		}
	}
	if sum := left * len(large.Body) * 3 / 4; left == 0 || sum > int(contracts.RepliesBucket.MaxBytes)/16 {
		t.Errorf("%d are left of 8, which have %d bytes", left, sum)
	}
}

// Who finds no room is told to delete something, and that makes room.
func TestAFullBucketSaysWhatToDo(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	k, now := open(t, js), time.Now()
	bound(t, js, contracts.AuditsBucket, func(uint64) int64 { return 1 << 20 })
	put := func() (string, error) {
		a := kept.NewAudit(&lines.Found{}, []audit.Audited{{Number: 1, Others: []string{noise(400 << 10)}}}, nil, "", now)
		return a.ID, k.Audits.Put(t.Context(), acme, a, "")
	}
	first, err := put()
	for range 5 {
		if err == nil {
			_, err = put()
		}
	}
	if contracts.CodeOf(err) != contracts.SourceUnavailable || !strings.Contains(err.Error(), "delete what you no longer need") {
		t.Fatal(err)
	}
	if err := k.Audits.Delete(t.Context(), acme, first); err != nil {
		t.Fatal(err)
	}
	if _, err := put(); err != nil {
		t.Errorf("after something was deleted: %v", err)
	}
}

// What makes way for an audit stays where that one finds no room.
func TestWhatIsNotKeptTakesNobodysPlace(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	k, now := open(t, js), time.Now()
	put := func(text string) (string, error) {
		a := kept.NewAudit(&lines.Found{}, []audit.Audited{{Number: 1, Others: []string{text}}}, nil, "", now)
		return a.ID, k.Audits.Put(t.Context(), acme, a, "")
	}
	oldest, err := put("")
	for range kept.MaxAudits - 1 {
		if err == nil {
			_, err = put("")
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	bound(t, js, contracts.AuditsBucket, func(used uint64) int64 { return int64(used) + 100<<10 })
	if _, err := put(noise(400 << 10)); contracts.CodeOf(err) != contracts.SourceUnavailable {
		t.Fatal(err)
	}
	all, err := k.Audits.List(t.Context(), acme, now)
	if err != nil || len(all) != kept.MaxAudits || all[len(all)-1].ID != oldest {
		t.Errorf("%d are left, %v", len(all), err)
	}
}

// bound gives a bucket room by what it uses.
func bound(t *testing.T, js jetstream.JetStream, of contracts.Bucket, room func(used uint64) int64) {
	t.Helper()
	stream, err := js.Stream(t.Context(), of.Stream())
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	cfg.MaxBytes = room(stream.CachedInfo().State.Bytes)
	if _, err := js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
}

// Of two equal requests at once, of which neither found the other's audit, one keeps its own.
func TestARequestKeepsOneAudit(t *testing.T) {
	t.Parallel()
	k, now := open(t, bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))), time.Now()
	first := kept.NewAudit(&lines.Found{}, nil, nil, "", now)
	for i, a := range []kept.Audit{first, kept.NewAudit(&lines.Found{}, nil, nil, "", now)} {
		if err := k.Audits.Put(t.Context(), acme, a, "request"); errors.Is(err, kept.ErrTwice) != (i > 0) {
			t.Error(err)
		}
	}
	if made, ok, err := k.Audits.Repeated(t.Context(), acme, "request", now); !ok || err != nil || made.ID != first.ID {
		t.Errorf("%v, %v", made.ID, err)
	}
	if all, err := k.Audits.List(t.Context(), acme, now); err != nil || len(all) != 1 {
		t.Errorf("%d are kept, %v", len(all), err)
	}
}
