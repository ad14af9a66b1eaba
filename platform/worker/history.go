package worker

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// closed is the state of a breaker that lets requests through.
const closed = "closed"

// count tells that each source is served here, and adds a look at it to its history.
func (p *publisher) count(ctx context.Context, at time.Time) {
	for _, s := range p.sources {
		if s.Health != nil {
			p.record(ctx, s, func(h contracts.SourceHistory, seen contracts.SourceHealth) contracts.SourceHistory {
				h.ToldAt = new(at.UTC().Truncate(time.Second))
				if !isTried(seen) {
					return h
				}
				return add(h, seen, at.UTC())
			})
		}
	}
}

// isTried tells whether this worker has tried to read the source. One that has not has seen nothing of it.
func isTried(h contracts.SourceHealth) bool {
	return h.LastSuccess != nil || h.FailingSince != nil || h.Breaker != closed
}

// record changes a source's history by what is seen of it now. What cannot be written is left out: the history then
// shows fewer looks, and none that did not happen.
func (p *publisher) record(
	ctx context.Context, s listed, change func(contracts.SourceHistory, contracts.SourceHealth) contracts.SourceHistory,
) {
	health := s.Health()
	ctx, cancel := context.WithTimeout(ctx, ioTime)
	defer cancel()
	err := kv.Change(ctx, p.bucket, contracts.SourceHistoryKey(s.key), func(old []byte) ([]byte, error) {
		var h contracts.SourceHistory
		_ = json.Unmarshal(old, &h) // one that is damaged is begun anew
		return json.Marshal(change(h, health))
	})
	if err != nil && ctx.Err() == nil {
		p.log.Warn("history is not written", "source", s.key, "error", err)
	}
}

// see returns the history with the time since when the source is away, or is read by another path than its first.
func see(h contracts.SourceHistory, seen contracts.SourceHealth) contracts.SourceHistory {
	h.FailingSince, h.FallbackSince = seen.FailingSince, seen.FallbackSince
	return h
}

// add is a history with one more look. Times before the newest day, by a clock that is behind, count to that day.
func add(h contracts.SourceHistory, seen contracts.SourceHealth, at time.Time) contracts.SourceHistory {
	h = see(h, seen)
	if h.Breaker != seen.Breaker || seen.LastPath != "" && h.LastPath != seen.LastPath {
		h.ChangedAt = at.Truncate(time.Second)
	}
	h.Breaker = seen.Breaker
	if seen.LastPath != "" { // else this worker has not read yet, and another one may have
		h.LastPath = seen.LastPath
	}
	today := contracts.Date(at.Format(time.DateOnly))
	if n := len(h.Days); n == 0 || h.Days[n-1].Date < today {
		h.Days = append(h.Days, contracts.SourceDay{Date: today})
	}
	last := &h.Days[len(h.Days)-1]
	last.Looks++
	if seen.Breaker != closed || seen.FailingSince != nil {
		last.NotClosed++
	}
	oldest := last.Date.AddDays(1 - contracts.MaxHistoryDays)
	h.Days = slices.DeleteFunc(h.Days, func(d contracts.SourceDay) bool { return d.Date < oldest })
	return h
}
