package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/kv"
)

// write writes observations until until ends. Then it writes those that are left and returns.
func (a *Archive) write(ctx, until context.Context) {
	for {
		stopping := until.Err() != nil
		c, all, wait := a.copies.take(time.Now(), stopping)
		switch {
		case c != "":
			a.persist(ctx, until, c, all)
		case stopping:
			return
		default:
			select {
			case <-a.wakeUp:
			case <-time.After(wait):
			case <-until.Done():
			}
		}
	}
}

// persist tries until the observations of one carrier are written, and what changed is told, or ctx ends. Once until has
// ended, it makes no long pauses.
func (a *Archive) persist(ctx, until context.Context, c contracts.Carrier, all []Observation) {
	defer func() { a.copies.done(c, time.Now()) }()
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		err := a.writeWeeks(ctx, c, all...)
		switch {
		case err == nil:
			return
		case ctx.Err() != nil:
			a.logLost(err, all...)
			return
		}
		a.log.Warn("archive cannot be written, trying again", "carrier", c, "error", err, "wait", wait)
		if until.Err() == nil {
			_ = clock.Sleep(until, wait)
		} else {
			_ = clock.Sleep(ctx, time.Second) // when ctx ends, one more try tells
		}
	}
}

// Keep writes observations of one carrier, oldest first, all of them together, and returns when they are written.
func (a *Archive) Keep(ctx context.Context, c contracts.Carrier, all ...Observation) error {
	for i := range all {
		all[i].At = all[i].At.UTC().Truncate(time.Second)
	}
	return a.writeWeeks(ctx, c, all...)
}

// WriteTime bounds the writing of what was observed at once.
const WriteTime = 10 * time.Second

// writeWeeks has the values written that are added or changed. To write an observation twice has no further effect.
func (a *Archive) writeWeeks(ctx context.Context, c contracts.Carrier, all ...Observation) error {
	ctx, cancel := context.WithTimeout(ctx, WriteTime)
	defer cancel()
	read, err := a.load(ctx, c)
	if err != nil {
		return err
	}
	weeks := read.stored()
	var changes []change
	if a.outdate != nil {
		changes = read.untold() // written anew, which proves that nobody has told them meanwhile
	}
	for _, o := range all {
		added := changesBy(weeks, o)
		if err := a.report(ctx, o, added); err != nil {
			return err
		}
		a.mark(weeks, added, o)
		weeks, changes = with(weeks, added), append(changes, added...)
	}
	last, err := a.lastTold(ctx, c, changes)
	if err != nil {
		return err
	}
	if err := a.putChanges(ctx, c, onlyLatest(changes), read); err != nil {
		return err // another worker may have written a week; the next try loads it
	}
	if err := a.replaceDamage(ctx, read, all); err != nil {
		return err
	}
	return a.tell(ctx, c, last, read)
}

// onlyLatest leaves changes out that a later one of the same value contains.
func onlyLatest(all []change) (latest []change) {
	type value struct {
		date   contracts.Date
		number int
	}
	last := map[value]int{}
	for i := range all {
		last[value{all[i].EffectiveDate, all[i].number}] = i
	}
	for _, i := range slices.Sorted(maps.Values(last)) {
		latest = append(latest, all[i])
	}
	return latest
}

// putChanges writes changes of a carrier's weeks, whose entries were read before. It writes them in batches: one by one
// they would be synced to the disk one by one, and a first reading may show hundreds.
func (a *Archive) putChanges(ctx context.Context, c contracts.Carrier, all []change, read entries) error {
	for some := range slices.Chunk(all, kv.MaxTogether) {
		writes := make([]kv.Write, len(some))
		for i, change := range some {
			text, err := json.Marshal(change.Value)
			if err != nil {
				return err
			}
			key := a.key(c, change.Value)
			writes[i] = kv.Write{Key: key, Value: text, Revision: read[key].revision}
		}
		last, err := kv.SwapTogether(ctx, a.js, contracts.WeeksBucket, writes)
		if err != nil {
			return err
		}
		for i, change := range some {
			if err := a.written(writes[i].Key, change.Value, last-uint64(len(some)-1-i), read); err != nil {
				return err
			}
			a.weeks.WithLabelValues(string(change.outcome)).Inc()
		}
	}
	return nil
}

// report tells of the revisions and withdrawals among the changes.
func (a *Archive) report(ctx context.Context, o Observation, changes []change) error {
	for _, c := range changes {
		if c.outcome != revised && c.outcome != withdrawn {
			continue
		}
		id := fmt.Sprintf("%s.%s.%s.%d", a.env, o.Carrier, c.EffectiveDate, c.number)
		if err := a.revised(ctx, id, a.revision(c, o)); err != nil {
			return err
		}
	}
	return nil
}

func (a *Archive) revision(c change, o Observation) contracts.SurchargeRevision {
	return contracts.SurchargeRevision{
		Environment: a.env, Carrier: o.Carrier, Was: c.was, Is: c.SurchargeWeek, Withdrawn: c.Withdrawn,
		SeenAt: o.At, Path: o.Path, EvidenceURL: o.EvidenceURL,
	}
}

// putValue writes a value if its key still has the revision that was read; 0 means that there is no key yet.
func (a *Archive) putValue(ctx context.Context, key string, v Value, read entries) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	revision, err := a.kv.Update(ctx, key, text, read[key].revision)
	if err != nil {
		return err
	}
	return a.written(key, v, revision, read)
}

// written makes a value known that was written, also in what was read.
func (a *Archive) written(key string, v Value, revision uint64, read entries) error {
	e := entry{key: key, revision: revision, value: &v}
	if !e.readKey() {
		return errors.New("a key was made that is not known: " + key)
	}
	v.number = e.number
	a.copies.addEntries(e)
	read.add(e)
	return nil
}

// replaceDamage puts what the carrier still shows in the place of entries of the same weeks that cannot be understood.
func (a *Archive) replaceDamage(ctx context.Context, read entries, all []Observation) error {
	for _, e := range read {
		if e.damage == nil {
			continue
		}
		for _, o := range all {
			i := slices.IndexFunc(o.Weeks, func(w contracts.ObservedWeek) bool { return w.EffectiveDate == e.date })
			if i < 0 {
				continue
			}
			if err := a.putValue(ctx, e.key, o.value(o.Weeks[i], false), read); err != nil {
				return err
			}
			break
		}
	}
	return nil
}
