package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

// told are all changes that were published, in short: "published 2026-09-02 51.1", "revised 2026-09-02 51.1>52", with their ids.
func told(t *testing.T, kv weeks) (all, ids []string) {
	t.Helper()
	stream, err := kv.js.Stream(context.Background(), contracts.ChangesStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	percent := func(v *contracts.ChangeValues) string {
		if v == nil {
			return ""
		}
		return fmt.Sprintf("%s %v", v.Week.EffectiveDate, v.Week.Percent)
	}
	for seq := uint64(1); seq <= stream.CachedInfo().State.LastSeq; seq++ {
		msg, err := stream.GetMsg(context.Background(), seq)
		if err != nil {
			t.Fatal(err)
		}
		var c contracts.Change
		if err := json.Unmarshal(msg.Data, &c); err != nil || msg.Subject != contracts.ChangeSubject(contracts.Live, contracts.LTL, "TFORCE", c.Type).Name {
			t.Errorf("%s: %v", msg.Subject, err)
		}
		what := strings.TrimPrefix(string(c.Type), "surcharge.")
		all = append(all, strings.TrimSpace(what+" "+percent(c.Data.Before)+">"+percent(c.Data.After)))
		ids = append(ids, c.ID)
	}
	return all, ids
}

func inDoubt(w contracts.ObservedWeek) contracts.ObservedWeek {
	w.Clean--
	return w
}

func TestWhatCleanReadingsChangeIsTold(t *testing.T) {
	t.Parallel()
	old := week("2026-09-02", 50)
	at := func(hour int) time.Time { return monday.Add(time.Duration(hour) * time.Hour) }
	whole := func(hour int, weeks ...contracts.ObservedWeek) archive.Observation {
		o := observation(at(hour), weeks...)
		o.Whole = true
		return o
	}
	for _, c := range []struct {
		name string
		then []archive.Observation
		want []string
	}{
		{"the same again", []archive.Observation{observation(at(1), old)}, nil},
		{"a new week", []archive.Observation{observation(at(1), week("2026-09-09", 51), old)}, []string{"published >2026-09-09 51"}},
		{"a week to come, which begins", []archive.Observation{
			observation(at(1), week("2026-09-16", 51), old), observation(at(72), week("2026-09-16", 51), old),
		}, []string{"announced >2026-09-16 51"}},
		{"another percent, and back", []archive.Observation{observation(at(1), week("2026-09-02", 52)), observation(at(2), old)},
			[]string{"revised 2026-09-02 50>2026-09-02 52", "revised 2026-09-02 52>2026-09-02 50"}},
		{"a week in doubt", []archive.Observation{observation(at(1), inDoubt(week("2026-09-09", 51)), old)}, nil},
		{"a week in doubt that stands clean later", []archive.Observation{
			observation(at(1), inDoubt(week("2026-09-09", 51)), old), observation(at(2), week("2026-09-09", 51), old),
		}, []string{"published >2026-09-09 51"}},
		{"a doubtful value is another than the clean one", []archive.Observation{
			observation(at(1), inDoubt(week("2026-09-09", 15)), old), observation(at(2), week("2026-09-09", 51), old),
		}, []string{"published >2026-09-09 51"}},
		{"a clean value, then one in doubt, then the clean one", []archive.Observation{
			observation(at(1), inDoubt(week("2026-09-02", 5))), observation(at(2), old),
		}, nil},
		{"an older reading", []archive.Observation{observation(at(-1), week("2026-09-02", 49))}, nil},
		{"weeks before all that stood clean, of which one is revised", []archive.Observation{
			observation(at(1), old, week("2026-08-26", 49), week("2022-01-05", 30)), observation(at(2), old, week("2026-08-26", 49.5)),
		}, []string{"revised 2026-08-26 49>2026-08-26 49.5"}},
		{"a path that shows less", []archive.Observation{observation(at(1), week("2026-09-02", 50, 4.2)), observation(at(2), old)}, nil},
		{"a week that is taken back, and comes again", []archive.Observation{
			observation(at(1), week("2026-09-09", 51), old), whole(2, old), whole(3, week("2026-09-09", 51), old),
		}, []string{"published >2026-09-09 51", "revised 2026-09-09 51>", "published >2026-09-09 51"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kv, r := bucket(t), &reports{}
			keep(t, kv, contracts.Live, r, observation(monday, old))
			keep(t, kv, contracts.Live, r, c.then...)
			got, ids := told(t, kv)
			if !slices.Equal(got, c.want) || !slices.Equal(r.outdated, ids) {
				t.Errorf("told %q, want %q; answers ended before %v of %v", got, c.want, r.outdated, ids)
			}
			if slices.Sort(ids); len(slices.Compact(ids)) != len(got) {
				t.Errorf("ids are given twice: %v", ids)
			}
		})
	}
}

// What a carrier shows at the first look is new to us, and no change.
func TestTheFirstLookTellsNothing(t *testing.T) {
	t.Parallel()
	kv, r := bucket(t), &reports{}
	keep(t, kv, contracts.Live, r, observation(monday, week("2026-09-02", 50), week("2026-08-26", 49)))
	if got, _ := told(t, kv); got != nil {
		t.Errorf("told %q", got)
	}
}

// dying is a bucket that fails from its n-th write on, as for a worker that is killed there.
type dying struct {
	jetstream.KeyValue
	mu   sync.Mutex
	left int
	dead chan struct{}
}

var errKilled = errors.New("killed")

func (d *dying) Update(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left == 0 {
		close(d.dead)
	}
	if d.left--; d.left < 0 {
		return 0, errKilled
	}
	return d.KeyValue.Update(ctx, key, value, revision)
}

// cut is a connection that ends before the n-th part of a batch is sent, as for a worker that is killed there.
type cut struct {
	net.Conn
	part string
	die  func()
}

func (c *cut) Dial(network, address string) (_ net.Conn, err error) {
	c.Conn, err = net.Dial(network, address)
	return c, err
}

func (c *cut) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(c.part)) {
		c.die()
		return 0, errors.Join(errKilled, c.Close())
	}
	return c.Conn.Write(b)
}

// dyingIn opens the bucket for a worker that dies before it sends the n-th part of a batch.
func dyingIn(t *testing.T, kv weeks, n int) (weeks, chan struct{}) {
	t.Helper()
	dead := make(chan struct{})
	c := &cut{part: fmt.Sprintf("Nats-Batch-Sequence: %d\r\n", n), die: sync.OnceFunc(func() { close(dead) })}
	conn, err := nats.Connect(kv.js.Conn().ConnectedUrl(), nats.SetCustomDialer(c), nats.NoReconnect(),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return weeks{kv.KeyValue, bustest.JetStream(t, conn)}, dead
}

// A worker dies at any of its writes, and the next one tells what it left, each change once: without another reading
// where the values were written, which are so all together or not at all.
func TestAChangeIsToldOnceWhereverAWorkerDies(t *testing.T) {
	t.Parallel()
	old := week("2026-09-02", 50)
	want := []string{"announced >2026-09-16 53", "published >2026-09-09 51", "revised 2026-09-02 50>2026-09-02 52"}
	news := observation(monday.Add(time.Hour), week("2026-09-16", 53), week("2026-09-09", 51), week("2026-09-02", 52))
	for writes := range 6 { // the three parts of the batch of values, and each value again once it is told
		t.Run(fmt.Sprint(writes), func(t *testing.T) {
			t.Parallel()
			kv, r := bucket(t), &reports{}
			keep(t, kv, contracts.Live, r, observation(monday, old))
			d := &dying{KeyValue: kv.KeyValue, left: writes - 3, dead: make(chan struct{})}
			ill, dead := weeks{d, kv.js}, d.dead
			if writes < 3 {
				ill, dead = dyingIn(t, kv, writes+1)
			}
			killed := open(t, ill, contracts.Live, r)
			killed.Observe(news)
			<-dead
			now, cancel := context.WithCancel(t.Context())
			cancel()
			_ = killed.Stop(now)
			next := open(t, kv, contracts.Live, r)
			if writes < 3 {
				if all, err := next.Weeks(t.Context(), contracts.TFORCE); err != nil || len(all) != 1 || len(all[0].Values) != 1 {
					t.Errorf("a part of the reading was written: %+v, %v", all, err)
				}
				next.Observe(news)
			}
			clocktest.Await(t, "the changes are told", func() bool { got, _ := told(t, kv); return len(got) >= 3 })
			if err := next.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			got, _ := told(t, kv)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("told %q", got)
			}
		})
	}
}

// A change waits where the stored answers that it ends cannot be ended, or where another change is told before it.
func TestAChangeIsToldWhateverIsInItsWay(t *testing.T) {
	t.Parallel()
	kv := bucket(t)
	left := []func(ctx context.Context) error{
		func(context.Context) error { return errors.New("not now") },
		func(ctx context.Context) error {
			other, _ := json.Marshal(contracts.Change{ID: "other", Type: contracts.SurchargePublished})
			_, err := kv.js.Publish(ctx, contracts.ChangeSubject(contracts.Live, contracts.LTL, "TFORCE", contracts.SurchargePublished).Name, other)
			return err
		},
	}
	r := &reports{before: func(ctx context.Context) error {
		if len(left) == 0 {
			return nil
		}
		way := left[0]
		left = left[1:]
		return way(ctx)
	}}
	keep(t, kv, contracts.Live, r, observation(monday, week("2026-09-02", 50)), observation(monday.Add(time.Hour), week("2026-09-09", 51)))
	got, ids := told(t, kv)
	if want := []string{"published >", "published >2026-09-09 51"}; !slices.Equal(got, want) {
		t.Fatalf("told %q", got)
	}
	if want := []string{ids[1], ids[1]}; !slices.Equal(r.outdated, want) {
		t.Errorf("ended answers before %q", r.outdated)
	}
}

// Two workers that read the same tell it once.
func TestTwoWorkersTellOnce(t *testing.T) {
	t.Parallel()
	kv, r := bucket(t), &reports{}
	keep(t, kv, contracts.Live, r, observation(monday, week("2026-09-02", 50)))
	var all sync.WaitGroup
	for i := range 4 {
		a := open(t, kv, contracts.Live, &reports{})
		a.Observe(observation(monday.Add(time.Hour+time.Duration(i)*time.Second), week("2026-09-09", 51), week("2026-09-02", 52)))
		all.Go(func() {
			if err := a.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, _ := told(t, kv)
	slices.Sort(got)
	if want := []string{"published >2026-09-09 51", "revised 2026-09-02 50>2026-09-02 52"}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}
