package kv_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
)

// Each loss leaves a stream whose own numbers are those of a whole one. A loss that its limits explain is none.
func TestAStreamThatShowsLessThanWasSeenIsDamaged(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	events, usage, files := contracts.EventsStream.Name, contracts.UsageStream.Name, contracts.FilesStream(contracts.Test).Name
	on := map[string]string{
		events: contracts.EventSubject(contracts.Test, contracts.EventRevision).Name, usage: contracts.UsageSubject(contracts.LTL).Name,
		files: contracts.FileSubject(contracts.Test, contracts.ABC, "CA").Name,
	}
	keys, weeks := contracts.KeysBucket, contracts.WeeksBucket
	for _, c := range []struct {
		name, stream string
		fill, harm   func(context.Context) error
		says         string
	}{
		{"a cut tail", usage, publish(js, on[usage], "a", "b", "c"),
			anew(js, usage, 0, publish(js, on[usage], "a", "b")), "it ends with message 2 of"},
		{"another content", events, publish(js, on[events], "a", "b"),
			anew(js, events, 0, publish(js, on[events], "a", "x", "y")), "message 2 of"},
		{"a cut beginning", files, publish(js, on[files], "a", "b", "c"),
			purge(js, files, 3), "it begins with message 3 of"},
		{"fewer keys, more changes", weeks.Stream(), publish(js, weeks.Subject("a"), "1", "2"),
			anew(js, weeks.Stream(), 100, nothing), "it holds 0 keys, and held 1"},
		{"gone", keys.Stream(), publish(js, keys.Subject("a"), "1"),
			func(ctx context.Context) error { return js.DeleteStream(ctx, keys.Stream()) }, "it is gone"},
		{"dropped when full", contracts.EvidenceStream(contracts.Test).Name, full(js, contracts.EvidenceStream(contracts.Test)), nothing, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := within(t, clocktest.Patience)
			attest := func() error { return kv.Attest(ctx, js, c.stream, nil) }
			for _, step := range []func() error{
				func() error { return c.fill(ctx) }, attest, attest, func() error { return kv.CheckStream(ctx, js, c.stream) },
				func() error { return c.harm(ctx) },
			} {
				if err := step(); err != nil {
					t.Fatal(err)
				}
			}
			err := kv.CheckStream(ctx, js, c.stream)
			if err == nil {
				err = attest()
			}
			var damage *kv.Damaged
			if errors.As(err, &damage) != (c.says != "") || damage != nil && !strings.HasPrefix(damage.What, c.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

// What an earlier restore left out is still missing after the next one, and the other way round.
func TestTheGapsOfRestoresAreOne(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	ctx, stream := within(t, clocktest.Patience), contracts.UsageStream.Name
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct{ left, want kv.Gap }{
		{kv.Gap{From: day(3), To: day(5)}, kv.Gap{From: day(3), To: day(5)}},
		{kv.Gap{From: day(20), To: day(21)}, kv.Gap{From: day(3), To: day(21)}},
		{kv.Gap{From: day(1), To: day(22)}, kv.Gap{From: day(1), To: day(22)}},
	} {
		if err := kv.Forget(ctx, js, stream, kv.Witness{Gap: c.left}); err != nil {
			t.Fatal(err)
		}
		if w, err := kv.ReadWitness(ctx, js, stream); err != nil || w.Gap != c.want {
			t.Errorf("after %v: %v, %v; want %v", c.left, w.Gap, err, c.want)
		}
	}
}

// Who looks while others write and note what they wrote sees no loss.
func TestWhoLooksWhileOthersWriteSeesNoLoss(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	ctx, keys := within(t, clocktest.Patience), contracts.KeysBucket // 800 exchanges, on a machine that does much else
	group, ctx := errgroup.WithContext(ctx)
	for writer := range 4 {
		group.Go(func() error {
			for i := range 50 {
				if err := publish(js, keys.Subject(fmt.Sprintf("k%d-%d", writer, i)), "1")(ctx); err != nil {
					return err
				}
				if err := kv.Attest(ctx, js, keys.Stream(), nil); err != nil {
					return err
				}
				if _, _, err := kv.Trust(ctx, js, keys.Stream()); err != nil {
					return err
				}
				if err := kv.CheckStream(ctx, js, keys.Stream()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

func nothing(context.Context) error { return nil }

func publish(js jetstream.JetStream, subject string, texts ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, text := range texts {
			if _, err := js.Publish(ctx, subject, []byte(text)); err != nil {
				return err
			}
		}
		return nil
	}
}

// anew makes a stream anew and fills it.
func anew(js jetstream.JetStream, name string, first uint64, fill func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		stream, err := js.Stream(ctx, name)
		if err != nil {
			return err
		}
		cfg := stream.CachedInfo().Config
		cfg.FirstSeq = first
		if err := js.DeleteStream(ctx, name); err != nil {
			return err
		}
		if _, err := js.CreateStream(ctx, cfg); err != nil {
			return err
		}
		return fill(ctx)
	}
}

func purge(js jetstream.JetStream, name string, first uint64) func(context.Context) error {
	return func(ctx context.Context) error {
		stream, err := js.Stream(ctx, name)
		if err != nil {
			return err
		}
		return stream.Purge(ctx, jetstream.WithPurgeSequence(first))
	}
}

// full lets a stream of documents drop its oldest between two looks.
func full(js jetstream.JetStream, s contracts.Stream) func(context.Context) error {
	subject, text := contracts.EvidenceSubject(contracts.Test, contracts.LTL, "ODFL").Name, strings.Repeat("x", 100_000)
	return func(ctx context.Context) error {
		stream, err := js.Stream(ctx, s.Name)
		if err != nil {
			return err
		}
		cfg := stream.CachedInfo().Config
		cfg.MaxBytes = 1 << 20
		if _, err := js.UpdateStream(ctx, cfg); err != nil {
			return err
		}
		for range 2 {
			for range 12 {
				if _, err := js.Publish(ctx, subject, []byte(text)); err != nil {
					return err
				}
			}
			if err := kv.Attest(ctx, js, s.Name, nil); err != nil {
				return err
			}
		}
		return nil
	}
}
