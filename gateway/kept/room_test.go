package kept_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

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
	stream, err := js.Stream(t.Context(), contracts.AuditsBucket.Stream())
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	cfg.MaxBytes = 1 << 20
	if _, err := js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
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
