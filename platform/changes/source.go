package changes

import (
	"context"
	"errors"
	"strings"
	"time"

	"assay.dev/contracts"
)

// What [Log.TellHealth] tells of paths. What was told of a copy, by [Log.TellSource], is another matter: a path that is
// well ends no trouble of a copy.
const (
	notBelieved = "what it shows is not believed until an operator has looked at it"
	notRead     = "no path reads it"
	otherPath   = "it is read by another path than its first"
)

// isOfPaths tells whether a trouble was told by [Log.TellHealth].
func isOfPaths(is *contracts.ChangeValues) bool {
	return is != nil && (is.Why == notBelieved || is.Why == notRead || is.Why == otherPath)
}

// TellSource tells how the copy of a source stands since a moment, unless that was the last thing told of it. That it
// recovered is told after a trouble that was told in the same way only.
func (l *Log) TellSource(ctx context.Context, kind contracts.ChangeType, at time.Time,
	is contracts.ChangeValues) error {
	last, err := l.Last(ctx)
	if err != nil {
		return err
	}
	switch ofPaths := isOfPaths(last.Data.After); {
	case kind == last.Type && !ofPaths, kind == contracts.SourceRecovered && (ofPaths || last.Type == ""):
		return nil
	}
	return l.tellSource(ctx, &last, kind, at, is)
}

func (l *Log) tellSource(ctx context.Context, last *Last, kind contracts.ChangeType, at time.Time,
	is contracts.ChangeValues) error {
	_, what, _ := strings.Cut(string(kind), ".")
	return l.Append(ctx, last, contracts.Change{
		ID:   ID(l.Source, at.UTC().Format("20060102T150405Z")+"-"+what, 0),
		Type: kind, OccurredAt: at.UTC().Truncate(time.Second), Product: l.Product, Source: l.Source,
		Data:     contracts.ChangeData{Before: last.Data.After, After: &is},
		Evidence: contracts.ChangeEvidence{Before: []contracts.Evidence{}, After: []contracts.Evidence{}},
	})
}

// TellHealth tells how a source stands by the health that a worker sees. What it saw before the last thing that was
// told says nothing, unless that was the end of a copy's trouble, which says nothing of paths. Neither does a worker that
// has not read the source.
func (l *Log) TellHealth(ctx context.Context, h contracts.SourceHealth) error {
	kind, seen, is := contracts.SourceRecovered, h.LastSuccess, contracts.ChangeValues{Since: h.LastSuccess}
	switch {
	case h.DoubtSince != nil:
		kind, seen = contracts.SourceInDoubt, h.DoubtSince
		is = contracts.ChangeValues{Since: h.DoubtSince, Why: notBelieved}
	case h.FailingSince != nil:
		kind, seen = contracts.SourceDegraded, h.FailingSince
		is = contracts.ChangeValues{Since: h.FailingSince, Why: notRead}
	case h.FallbackSince != nil:
		kind, seen = contracts.SourceDegraded, h.FallbackSince
		is = contracts.ChangeValues{Since: h.FallbackSince, Why: otherPath}
	}
	last, err := l.Last(ctx)
	isOfCopy := last.Type == contracts.SourceRecovered && !isOfPaths(last.Data.Before)
	if err != nil || seen == nil || kind == last.Type || seen.Before(last.OccurredAt) && !isOfCopy ||
		kind == contracts.SourceRecovered && !isOfPaths(last.Data.After) {
		return err
	}
	if err := l.tellSource(ctx, &last, kind, time.Now(), is); !errors.Is(err, ErrOvertaken) {
		return err
	}
	return nil // the other worker saw it too
}
