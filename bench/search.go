package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

// searching is the search of one state's mirror, with the making of an answer's records and notes.
type searching struct {
	state contracts.State
	path  register.Asking
	words []contracts.Query
}

// measureSearch searches the mirrors of all states at their real size for every different word of three letters or more that
// their licenses hold, and for the first three letters of each; and tells what the mirrors take in memory.
func measureSearch(ctx context.Context, _ options) (figures []figure, err error) {
	box, err := sandbox.Start(sandbox.Options{Licenses: license.RealSize()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, box.Close()) }()
	fetcher, err := scrape.NewFetcher(scrape.Config{
		Egress: scrape.Egress{HTTPSProxy: box.ProxyURL(), CAFile: box.CAFile()}, HostRate: 1000,
	}, scrape.Deps{})
	if err != nil {
		return nil, err
	}
	defer fetcher.Close()
	memory := map[contracts.State]float64{}
	for _, state := range contracts.States {
		s := searching{state: state, words: wordsOf(box.Licensing().Register.Of(state))}
		if _, err := s.load(ctx, fetcher); err != nil { // the site makes its file when it is asked first
			return figures, err
		}
		if memory[state], err = s.load(ctx, fetcher); err != nil {
			return figures, err
		}
		figures = append(figures, s.measure(ctx))
	}
	three := memory[contracts.CA] + memory[contracts.FL] + memory[contracts.IL]
	all := three + memory[contracts.NY] + memory[contracts.TX]
	return append(figures,
		figure{name: "memory of the mirrors CA, FL, IL", value: three, unit: "MB", target: 110, detail: "live heap at real size"},
		figure{name: "memory of all five mirrors", value: all, unit: "MB", target: 200, detail: perState(memory)},
	), nil
}

func perState(memory map[contracts.State]float64) (text string) {
	for _, state := range contracts.States {
		text += fmt.Sprintf("%s %.1f ", state, memory[state])
	}
	return text
}

// load loads the mirror anew and gives what it takes, in MB.
func (s *searching) load(ctx context.Context, fetcher *scrape.Fetcher) (float64, error) {
	s.path = register.Asking{}
	before := liveMB()
	mirrors, err := mirror.Open(ctx, mirror.Deps{Environment: contracts.Test, Fetcher: fetcher})
	if err != nil {
		return 0, err
	}
	paths := abcworker.Recipes[s.state](register.Deps{Fetcher: fetcher, Mirrors: mirrors, Clock: time.Now}).Paths(register.Search)
	s.path = paths[slices.IndexFunc(paths, func(p register.Asking) bool { return p.Name == "mirror" })]
	if _, err := s.path.Read(ctx, register.Question{Query: contracts.Query{DBAName: "kettle"}}.Asked()); err != nil {
		return 0, err
	}
	return liveMB() - before, mirrors.Close(ctx)
}

// measure gives the slowest word. All are searched three times, and the slowest hundred 50 times more, in turn: the best of a
// word is its search, without what else the machine does.
func (s searching) measure(ctx context.Context) figure {
	best := make(map[contracts.Query]time.Duration, len(s.words))
	repeat := func(words []contracts.Query, times int) {
		for range times {
			for _, q := range words {
				begun := time.Now()
				_, _ = s.path.Read(ctx, register.Question{Query: q}.Asked()) // what is not understood fails, as fast
				took := time.Since(begun)
				best[q] = min(cmp.Or(best[q], took), took)
			}
		}
	}
	slowestFirst := func(a, b contracts.Query) int { return cmp.Compare(best[b], best[a]) }
	runtime.GC()
	repeat(s.words, 3)
	words := slices.SortedFunc(maps.Keys(best), slowestFirst)
	repeat(words[:min(100, len(words))], 50)
	slices.SortFunc(words, slowestFirst)
	slowest, middle := words[0], words[len(words)/2]
	fmt.Printf("search    %s %d words, median %.3f ms, slowest %.3f ms: %+v\n", s.state, len(words), millis(best[middle]), millis(best[slowest]), slowest)
	return figure{
		name: "search in the mirror of " + string(s.state) + ", slowest word", value: millis(best[slowest]), unit: "ms", target: 0.7,
		detail: fmt.Sprintf("%d words, median %.2f ms, with an answer of 500 records", len(words), millis(best[middle])),
	}
}

// wordsOf are searches for every different word, and for its first three letters.
func wordsOf(all []license.License) []contracts.Query {
	different := map[contracts.Query]bool{}
	add := func(text string, asQuery func(string) contracts.Query) {
		for _, word := range fold.Parts(text) {
			if len(word) >= 3 {
				different[asQuery(word)], different[asQuery(word[:3])] = true, true
			}
		}
	}
	for _, l := range all {
		add(l.DBA, func(word string) contracts.Query { return contracts.Query{DBAName: word} })
		add(l.Owner, func(word string) contracts.Query { return contracts.Query{OwnerName: word} })
		add(l.Premises.Street+" "+l.Premises.City, func(word string) contracts.Query { return contracts.Query{Address: word} })
	}
	return slices.Collect(maps.Keys(different))
}
