package surcharge_test

import (
	"bytes"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/trust"
)

// pages are the right HTML documents of testdata, and their size.
func pages(b *testing.B) ([]sample, int64) {
	var all []sample
	var size int64
	for _, d := range samples(b) {
		if !d.json && d.isRead() {
			all = append(all, d)
			size += int64(len(d.body))
		}
	}
	return all, size
}

// BenchmarkRead is the whole reader, the lines for package trust included. It tells how many times as long as goquery takes to parse the
// same documents: the median of turns, in time of the processor, so that a busy machine changes it little.
func BenchmarkRead(b *testing.B) {
	all, size := pages(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var ratios []float64
	for b.Loop() {
		whole := spent(func() {
			for _, d := range all {
				read(b, d)
			}
		})
		bare := spent(func() {
			for _, d := range all {
				if _, err := goquery.NewDocumentFromReader(bytes.NewReader(d.body)); err != nil {
					b.Fatal(d.name, err)
				}
			}
		})
		ratios = append(ratios, float64(whole)/float64(bare))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "goqueries")
}

func read(b *testing.B, d sample) []trust.Line {
	r, err := surcharge.Read(d.body, d.rule, d.today)
	if err != nil {
		b.Fatal(d.name, err)
	}
	return trust.Lines(r.Document, reader.Found{Reading: r}.Trusted("page").Weeks)
}

// spent is the processor's time for f.
func spent(f func()) time.Duration {
	now := func() time.Duration {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	from := now()
	f()
	return now() - from
}
