package surcharge_test

import (
	"bytes"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/ltl-worker/surcharge"
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

// BenchmarkRead is the whole reader: parse, find, check.
func BenchmarkRead(b *testing.B) {
	all, size := pages(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range all {
			if _, err := surcharge.Read(d.body, d.rule, d.today); err != nil {
				b.Fatal(d.name, err)
			}
		}
	}
}

// BenchmarkGoquery parses the same documents and does nothing with them.
func BenchmarkGoquery(b *testing.B) {
	all, size := pages(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range all {
			if _, err := goquery.NewDocumentFromReader(bytes.NewReader(d.body)); err != nil {
				b.Fatal(d.name, err)
			}
		}
	}
}
