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

// form names the form of the entries in their keys: a worker of another version never touches a key that it does not
// know.
const form = "v2"

// pattern matches the keys of a carrier, or of all for "*".
func (a *Archive) pattern(c contracts.Carrier) string {
	return fmt.Sprintf("%s.%s.%s.*.*", a.env, form, c)
}

// key is the key of a value: "live.v2.ODFL.2026-09-09.3".
func (a *Archive) key(c contracts.Carrier, v Value) string {
	return fmt.Sprintf("%s.%s.%s.%s.%d", a.env, form, c, v.EffectiveDate, v.number)
}

// entry is what a key of the bucket holds: a value, or damage. A deleted entry has neither.
type entry struct {
	key      string
	carrier  contracts.Carrier
	date     contracts.Date
	number   int // of the value within its week
	revision uint64

	value  *Value
	damage error
}

// decode reads an entry; ok is false for one of another version's. One that cannot be understood has its damage: it is
// not read, and the next observation of that week replaces it.
func (a *Archive) decode(kve jetstream.KeyValueEntry) (e entry, ok bool) {
	e = entry{key: kve.Key(), revision: kve.Revision()}
	if !e.readKey() {
		return e, false
	}
	if kve.Operation() != jetstream.KeyValuePut {
		return e, true
	}
	e.value = &Value{}
	err := json.Unmarshal(kve.Value(), e.value)
	e.value.number = e.number
	if v := e.value; err == nil && (v.EffectiveDate != e.date || v.First.At.IsZero()) {
		err = fmt.Errorf("it is of %q, seen first on %s", v.EffectiveDate, v.First.At)
	}
	if err != nil {
		return e.damaged(a, err), true
	}
	return e, true
}

func (a *Archive) decodeAll(list []jetstream.KeyValueEntry) []entry {
	all := make([]entry, 0, len(list))
	for _, kve := range list {
		if e, ok := a.decode(kve); ok {
			all = append(all, e)
		}
	}
	return all
}

func (e entry) damaged(a *Archive, err error) entry {
	a.log.Warn("archive entry is not understood", "key", e.key, "error", err)
	e.value = nil
	e.damage = fmt.Errorf("archive of %s: the week of %s: %w", e.carrier, e.date,
		&kv.Damaged{Stream: contracts.WeeksBucket.Stream(), What: "an entry cannot be understood: " + err.Error()})
	return e
}

// readKey takes the key apart: live.v2.ODFL.2026-09-09.3.
func (e *entry) readKey() bool {
	parts := strings.Split(e.key, ".")
	if len(parts) != 5 {
		return false
	}
	var err error
	e.carrier, e.date = contracts.Carrier(parts[2]), contracts.Date(parts[3])
	e.number, err = strconv.Atoi(parts[4])
	return err == nil && e.number > 0
}

// entries are those of one carrier, by their keys.
type entries map[string]entry

// add keeps an entry unless it, or a newer one of its key, is known.
func (es entries) add(e entry) (isNew bool) {
	old, ok := es[e.key]
	if isNew = !ok || old.revision < e.revision; isNew {
		es[e.key] = e
	}
	return isNew
}

// stored are the weeks of the entries, newest first.
func (es entries) stored() (weeks []Week) {
	byDate := map[contracts.Date]*Week{}
	for _, e := range es {
		if e.value == nil {
			continue
		}
		if byDate[e.date] == nil {
			byDate[e.date] = &Week{Date: e.date}
		}
		byDate[e.date].Values = append(byDate[e.date].Values, *e.value)
	}
	for _, w := range byDate {
		slices.SortFunc(w.Values, byStart)
		weeks = append(weeks, *w)
	}
	slices.SortFunc(weeks, newestFirst)
	return weeks
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
