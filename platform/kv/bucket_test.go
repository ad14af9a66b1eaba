package kv_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/kv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func TestOpenBucketMakesWhatIsMissing(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	missing := contracts.Bucket{Name: "assay_missing", History: 1, MaxBytes: 1 << 20, Exact: true}
	for range 2 {
		if _, err := kv.Open(within(t, 20*time.Second), js, missing); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzExpand(f *testing.F) {
	f.Add([]byte(`{"a":1}`))
	f.Add(kv.Compress([]byte(`"` + strings.Repeat("x", 100_000) + `"`)))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := kv.Expand(data)
		if err != nil {
			return
		}
		again, err := kv.Expand(kv.Compress(doc))
		if strings.HasPrefix(string(doc), "\x1f\x8b") { // no JSON document
			return
		}
		if err != nil || string(again) != string(doc) {
			t.Errorf("%q became %q, %v", doc, again, err)
		}
	})
}
