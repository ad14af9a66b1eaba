package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/cookiejar"
	"time"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/sandbox"
)

// turnsPerRound is high: both sides run in this process, so that a short turn of each costs no start.
const turnsPerRound = 20

// measureTable compares reading the surcharge history out of pages with goquery's bare parse of the same pages.
func measureTable(ctx context.Context, o options) ([]figure, error) {
	pages, size, err := carrierPages(ctx)
	if err != nil {
		return nil, err
	}
	today := carrier.Today(time.Now())
	var ours, bare, ratios []float64
	for range turnsPerRound * o.rounds {
		a := megabytesPerSecond(o.time/turnsPerRound, size, func() {
			for _, p := range pages {
				_, _ = surcharge.Read(p, surcharge.Rule{}, today)
			}
		})
		b := megabytesPerSecond(o.time/turnsPerRound, size, func() {
			for _, p := range pages {
				_, _ = goquery.NewDocumentFromReader(bytes.NewReader(p))
			}
		})
		ours, bare, ratios = append(ours, a), append(bare, b), append(ratios, a/b)
	}
	fmt.Printf("table     reader %.1f MB/s, goquery parse %.1f MB/s\n", median(ours), median(bare))
	return []figure{{
		name: "table reader ÷ goquery's parse", value: median(ratios), target: 0.5, least: true,
		detail: fmt.Sprintf("%.1f ÷ %.1f MB/s over %d pages of %d kB, one core", median(ours), median(bare), len(pages),
			size/1000),
	}}, nil
}

// carrierPages returns the sandbox's pages that hold a table without scripts, and the sum of their sizes in bytes.
func carrierPages(ctx context.Context) (pages [][]byte, size int, err error) {
	s, err := sandbox.Start(sandbox.Options{})
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	client := s.Client()
	defer client.CloseIdleConnections()
	if client.Jar, err = cookiejar.New(nil); err != nil {
		return nil, 0, err
	}
	for _, c := range contracts.Carriers {
		if visit := carrier.Recipes[c].Visit; visit != "" {
			if _, err := fetch(ctx, client, visit, ""); err != nil {
				return nil, 0, fmt.Errorf("%s: %w", c, err)
			}
		}
		page, err := fetch(ctx, client, carrier.Recipes[c].Pages[0], "")
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", c, err)
		}
		if bytes.Contains(page, []byte("<table")) {
			pages, size = append(pages, page), size+len(page)
		}
	}
	return pages, size, nil
}

// megabytesPerSecond calls pass, which reads size bytes, again and again for about the time d.
func megabytesPerSecond(d time.Duration, size int, pass func()) float64 {
	passes, began := 0, time.Now()
	for time.Since(began) < d {
		pass()
		passes++
	}
	return float64(passes*size) / 1e6 / time.Since(began).Seconds()
}
