package weeks

import (
	"cmp"
	"context"
	"slices"
	"time"

	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/platform/kv"
)

// mostJudgedAgain bounds the documents that are judged again at once, the newest ones.
const mostJudgedAgain = 100

// againTime bounds the work, which goes on before the carrier is read anew.
const againTime = 20 * time.Second

// JudgeAgain judges again the kept documents in which weeks were seen in doubt, the oldest first. The weeks of those
// that are believed now are clean in the archive from the day on which they were read.
func (s *Source) JudgeAgain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, againTime)
	defer cancel()
	known, err := s.archived(ctx)
	if err != nil {
		return
	}
	judged, clean := 0, 0
	for _, seen := range doubtful(known) {
		o, ok := s.judgeAgain(ctx, seen)
		if judged++; !ok {
			continue
		}
		err := kv.RetryConflicts(ctx, func() error { return s.Archive.Keep(ctx, s.recipe.Code, o) })
		if err != nil {
			s.Log.WarnContext(ctx, "weeks that are believed now cannot be written", "carrier", s.recipe.Code, "error", err)
			continue
		}
		clean++
	}
	s.Log.InfoContext(ctx, "documents that were in doubt are judged again", "carrier", s.recipe.Code, "documents",
		judged, "clean", clean)
}

// doubtful are the documents in which values were seen in doubt, oldest first.
func doubtful(known []archive.Week) []archive.Sighting {
	var all []archive.Sighting
	add := func(s archive.Sighting) {
		e, isKept := s.Document()
		isKnown := func(o archive.Sighting) bool {
			other, _ := o.Document()
			return other.SHA256 == e.SHA256 && o.At.Equal(s.At)
		}
		if isKept && !slices.ContainsFunc(all, isKnown) {
			all = append(all, s)
		}
	}
	for _, w := range known {
		for _, v := range w.Values {
			if v.IsClean() || v.Withdrawn || v.Imported != "" {
				continue
			}
			add(v.First)
			add(v.Last)
		}
	}
	slices.SortFunc(all, func(a, b archive.Sighting) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(*a.EvidenceSHA256, *b.EvidenceSHA256))
	})
	return all[max(0, len(all)-mostJudgedAgain):]
}

// judgeAgain reads a kept document again. ok is false where it is in doubt still, or cannot be read.
func (s *Source) judgeAgain(ctx context.Context, seen archive.Sighting) (o archive.Observation, ok bool) {
	e, _ := seen.Document()
	found, err := s.reader.RereadKept(ctx, s.Kept, s.Environment, e, carrier.Way(seen.Path), seen.At)
	if err != nil {
		s.Log.WarnContext(ctx, "a document that was in doubt cannot be read again", "carrier", s.recipe.Code, "sha256",
			e.SHA256, "error", err)
		return o, false
	}
	judged := s.Clock()
	s.Judge.recall(ctx)
	v := s.Judge.Judge(found, seen.Path, s.Judge.Past(ctx), judged)
	if v.IsInDoubt() {
		return o, false
	}
	found = tallied(found, v)
	return archive.Observation{
		Carrier: s.recipe.Code, Weeks: slices.Concat(found.Weeks, found.Coming), At: seen.At, JudgedAt: judged,
		Source: seen.Source, Whole: IsWhole(found.Reading),
	}, true
}
