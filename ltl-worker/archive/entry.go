package archive

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// form names the form of the entries in their keys: a worker of the version before never touches a key that it does not know.
const form = "v2"

// key is the key of a value: "live.v2.ODFL.2026-09-09.3".
func (a *Archive) key(c contracts.Carrier, v Value) string {
	return fmt.Sprintf("%s.%s.%s.%s.%d", a.env, form, c, v.EffectiveDate, v.number)
}

// entry is what a key of the bucket holds: a value, a week of the version before, or damage. A deleted entry has none of them.
type entry struct {
	key      string
	carrier  contracts.Carrier
	date     contracts.Date
	number   int // of a value; 0 of a week of the version before
	revision uint64

	value  *Value
	former *formerWeek
	damage error
}

// decode reads an entry. One that cannot be understood has its damage: it is not read, and the next observation of that week
// replaces it.
func (a *Archive) decode(kve jetstream.KeyValueEntry) entry {
	e := entry{key: kve.Key(), revision: kve.Revision()}
	if !e.readKey(string(a.env)) {
		return e.damaged(a, fmt.Errorf("it has a key that is not known"))
	}
	if kve.Operation() != jetstream.KeyValuePut {
		return e
	}
	var err error
	var date contracts.Date
	if e.number == 0 {
		e.former = &formerWeek{}
		err = json.Unmarshal(kve.Value(), e.former)
		date = e.former.EffectiveDate
	} else {
		e.value = &Value{}
		err = json.Unmarshal(kve.Value(), e.value)
		e.value.number, e.value.revision = e.number, e.revision
		date = e.value.EffectiveDate
	}
	if err == nil && date != e.date {
		err = fmt.Errorf("it is of %q", date)
	}
	if err != nil {
		return e.damaged(a, err)
	}
	return e
}

func (a *Archive) decodeAll(list []jetstream.KeyValueEntry) []entry {
	all := make([]entry, 0, len(list))
	for _, e := range list {
		all = append(all, a.decode(e))
	}
	return all
}

func (e entry) damaged(a *Archive, err error) entry {
	a.log.Warn("archive entry is not understood", "key", e.key, "error", err)
	e.value, e.former = nil, nil
	e.damage = fmt.Errorf("archive of %s: the week of %s: %w", e.carrier, e.date,
		&kv.Damaged{Stream: contracts.WeeksBucket.Stream(), What: "an entry cannot be understood: " + err.Error()})
	return e
}

// readKey takes the key apart: live.v2.ODFL.2026-09-09.3, or live.ODFL.2026-09-09 of the version before.
func (e *entry) readKey(env string) bool {
	parts := strings.Split(e.key, ".")
	switch {
	case len(parts) == 3 && parts[0] == env:
		e.carrier, e.date = contracts.Carrier(parts[1]), contracts.Date(parts[2])
		return true
	case len(parts) == 5 && parts[0] == env && parts[1] == form:
		var err error
		e.carrier, e.date = contracts.Carrier(parts[2]), contracts.Date(parts[3])
		e.number, err = strconv.Atoi(parts[4])
		return err == nil && e.number > 0
	}
	return false
}

// entries are those of one carrier, by their keys.
type entries map[string]entry

// add keeps an entry unless a newer one of its key is known.
func (es entries) add(e entry) {
	if old, ok := es[e.key]; !ok || old.revision < e.revision {
		es[e.key] = e
	}
}

// stored are the weeks of the entries in the present form, newest first, and the weeks of the version before.
func (es entries) stored() (weeks []Week, former []formerWeek) {
	byDate := map[contracts.Date]*Week{}
	for _, e := range es {
		switch {
		case e.former != nil:
			former = append(former, *e.former)
		case e.value != nil && byDate[e.date] == nil:
			byDate[e.date] = &Week{Date: e.date, Values: []Value{*e.value}}
		case e.value != nil:
			byDate[e.date].Values = append(byDate[e.date].Values, *e.value)
		}
	}
	for _, w := range byDate {
		slices.SortFunc(w.Values, byStart)
		weeks = append(weeks, *w)
	}
	slices.SortFunc(weeks, newestFirst)
	return weeks, former
}

// damage is that of the entries, if any: part of an archive is not read as all of it.
func (es entries) damage() error {
	for _, e := range es {
		if e.damage != nil {
			return e.damage
		}
	}
	return nil
}
