package worker

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestHistoriesAreBounded(t *testing.T) {
	t.Parallel()
	var h contracts.SourceHistory
	for day := range 400 {
		for range 3 {
			h = add(h, contracts.SourceHealth{Breaker: closed}, noon.AddDate(0, 0, day))
		}
	}
	if n := len(h.Days); n != contracts.MaxHistoryDays || h.Days[0].Date != h.Days[n-1].Date.AddDays(1-n) {
		t.Errorf("%d days from %s to %s", len(h.Days), h.Days[0].Date, h.Days[len(h.Days)-1].Date)
	}
	if last := h.Days[len(h.Days)-1]; last.Looks != 3 || last.NotClosed != 0 {
		t.Errorf("%+v", last)
	}
	if text, err := json.Marshal(h); err != nil || len(text) > 8<<10 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	h = add(h, contracts.SourceHealth{Breaker: closed}, noon.AddDate(1, 6, 0))
	if len(h.Days) != 1 {
		t.Errorf("days that are long past are left: %+v", h.Days)
	}
}

func TestWhatAHistorySays(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return noon.Add(time.Duration(minute) * time.Minute) }
	h := add(contracts.SourceHistory{}, contracts.SourceHealth{Breaker: closed}, at(0))
	h = add(h, contracts.SourceHealth{Breaker: closed, LastPath: "page"}, at(1))
	h = add(h, contracts.SourceHealth{Breaker: closed}, at(2)) // another worker, which has not read yet
	if !h.ChangedAt.Equal(at(1)) || h.LastPath != "page" {
		t.Errorf("%+v", h)
	}
	h = add(h, contracts.SourceHealth{Breaker: "open", LastPath: "page"}, at(3))
	h = add(h, contracts.SourceHealth{Breaker: "half-open", LastPath: "mirror"}, at(4))
	h = add(h, contracts.SourceHealth{Breaker: "half-open", LastPath: "mirror"}, at(5))
	if !h.ChangedAt.Equal(at(4)) || h.LastPath != "mirror" || h.Breaker != "half-open" {
		t.Errorf("%+v", h)
	}
	if want := (contracts.SourceDay{Date: "2026-11-20", Looks: 6, NotClosed: 3}); len(h.Days) != 1 || h.Days[0] != want {
		t.Errorf("%+v", h.Days)
	}
	if h = add(h, contracts.SourceHealth{Breaker: closed}, at(-24*60)); len(h.Days) != 1 || h.Days[0].Looks != 7 {
		t.Errorf("a clock that is behind: %+v", h.Days)
	}
}

// Two workers that serve a source count both.
func TestWorkersCountTogether(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	var counting sync.WaitGroup
	var last *lister
	for range 3 {
		w := open(t, js, "x")
		w.health.LastSuccess = &noon
		last = w
		counting.Go(func() {
			for range 5 {
				w.count(t.Context(), noon)
			}
		})
	}
	counting.Wait()
	entry, err := last.bucket.Get(t.Context(), contracts.SourceHistoryKey("test.ltl.SAIA"))
	if err != nil {
		t.Fatal(err)
	}
	var h contracts.SourceHistory
	if err := json.Unmarshal(entry.Value(), &h); err != nil || len(h.Days) != 1 || h.Days[0].Looks != 15 {
		t.Errorf("%v %+v", err, h)
	}
	if _, err := last.bucket.Get(t.Context(), contracts.SourceHistoryKey("test.ltl.RLC")); err == nil {
		t.Error("a source that is not served has a history")
	}
}

// A worker that has not tried to read a source has seen nothing of it: its breaker is closed since nothing went through it.
func TestOnlyWhatWasTriedIsSeen(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	w := open(t, js, "x")
	history := func() (h contracts.SourceHistory) {
		if entry, err := w.bucket.Get(t.Context(), contracts.SourceHistoryKey("test.ltl.SAIA")); err == nil {
			_ = json.Unmarshal(entry.Value(), &h)
		}
		return h
	}
	w.count(t.Context(), noon)
	if h := history(); len(h.Days) != 0 || h.ToldAt == nil || !h.ToldAt.Equal(noon) {
		t.Errorf("nothing was tried: %+v", h)
	}
	w.health.FailingSince = &noon
	w.publish(t.Context(), sameButSuccess)
	if h := history(); h.FailingSince == nil || len(h.Days) != 0 {
		t.Errorf("the source is away: %+v", h)
	}
	w.count(t.Context(), noon)
	if h := history(); len(h.Days) != 1 || h.Days[0].Looks != 1 || h.Days[0].NotClosed != 1 {
		t.Errorf("a look at a source that is away: %+v", h)
	}
	w.health.FailingSince, w.health.LastSuccess, w.health.FallbackSince = nil, &noon, &noon
	w.publish(t.Context(), sameButSuccess)
	if h := history(); h.FailingSince != nil || h.FallbackSince == nil {
		t.Errorf("another way reads it: %+v", h)
	}
}
