package mirror

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
)

// Watch says what two editions of a mirror are compared for.
type Watch struct {
	// Status is what a word means. reported is false where the status is not printed: an inferred one makes no change.
	Status func(word string) (status contracts.Status, reported bool)
	// FirstFileOnly: the licenses of the first file alone are compared, such as a set of active ones.
	FirstFileOnly bool
	// ByType: a number stands for several licenses, one of each type.
	ByType bool
	// MissingEditions is in how many editions in a row a license must be missing before it counts as gone.
	// ReportsRemovals says that going is told at all.
	MissingEditions int
	ReportsRemovals bool
	// ListName is the name of the delinquent list that the mirror is a copy of: [Entry.OnList] is then what it says of a
	// license. Empty for registers. So many come and go that neither the number of rows nor how many are gone says that
	// something is wrong.
	ListName string
}

// appeared and left are the changes of a license that is new, or gone.
func (w *Watch) appeared() contracts.ChangeType {
	if w.ListName != "" {
		return contracts.HoldPlaced
	}
	return contracts.LicenseAppeared
}

func (w *Watch) left() contracts.ChangeType {
	if w.ListName != "" {
		return contracts.HoldLifted
	}
	return contracts.LicenseLeft
}

// difference is one change of one license.
type difference struct {
	kind contracts.ChangeType
	// before and after are the license as it was and is; nil where it was not, or is not any more.
	before, after *Entry
	// carried is the edition in which before stood, where that is an earlier one than was compared last.
	carried *contracts.Evidence
}

// license names the license.
func (d *difference) license() *contracts.LicenseRecord {
	if d.after != nil {
		return &d.after.Record
	}
	return &d.before.Record
}

// item is a license of an edition. Items have the order of their numbers and, of one number, of their types.
type item struct {
	key contracts.Position
	doc []byte
	// unclear: the edition has the license and does not show it in a way that is understood.
	unclear bool
	missing int  // for how many editions the license was not there; of carried items only
	unseen  bool // nothing of the license was ever understood; of carried items only
	// carried is the edition in which the license stood.
	carried *contracts.Evidence
}

// The flags at the end of an encoded entry.
func fileOf(doc []byte) byte       { return doc[len(doc)-4] }
func isUnclear(doc []byte) bool    { return doc[len(doc)-3] == 1 }
func markUnclear(doc []byte)       { doc[len(doc)-3] = 1 }
func isUnnumbered(doc []byte) bool { return doc[len(doc)-2] == 1 }
func (w *Watch) leaves(doc []byte) bool {
	return isUnnumbered(doc) || w.FirstFileOnly && fileOf(doc) != 0
}

// items are the licenses of an edition: of a number the entry that ranks highest, or with ByType one of each type.
func (w *Watch) items(c *column) iter.Seq[item] {
	return func(yield func(item) bool) {
		var group []item
		flush := func() bool {
			if !w.ByType {
				group = group[:min(1, len(group))]
			}
			slices.SortStableFunc(group, func(a, b item) int { return a.key.Compare(b.key) })
			for _, i := range group {
				if !yield(i) {
					return false
				}
			}
			group = group[:0]
			return true
		}
		for i := range len(c.at) - 1 {
			next := w.item(c.entry(i))
			if len(group) > 0 && group[0].key.Number != next.key.Number && !flush() {
				return
			}
			if !w.leaves(next.doc) {
				group = append(group, next)
			}
		}
		flush()
	}
}

func (w *Watch) item(doc []byte) item {
	i := item{doc: doc, unclear: isUnclear(doc), key: contracts.Position{Number: string(first(doc))}}
	if w.ByType {
		_, size := binary.Uvarint(doc)
		i.key.Type = string(first(doc[size+len(i.key.Number):]))
	}
	return i
}

// overlay is items with the carried ones in their places: what of earlier editions the last one did not show.
func overlay(items iter.Seq[item], carried []item) iter.Seq[item] {
	return func(yield func(item) bool) {
		for i, kept := range join(items, slices.Values(carried)) {
			if !yield(*cmp.Or(kept, i)) {
				return
			}
		}
	}
}

// join is each license of either edition with what the other one has of it, in order.
func join(before, after iter.Seq[item]) iter.Seq2[*item, *item] {
	return func(yield func(b, a *item) bool) {
		nextBefore, stopBefore := iter.Pull(before)
		defer stopBefore()
		nextAfter, stopAfter := iter.Pull(after)
		defer stopAfter()
		b, a := pulled(nextBefore()), pulled(nextAfter())
		for b != nil || a != nil {
			was, is := b, a
			switch {
			case a == nil || b != nil && b.key.Compare(a.key) < 0:
				is = nil
			case b == nil || b.key != a.key:
				was = nil
			}
			if !yield(was, is) {
				return
			}
			if was != nil {
				b = pulled(nextBefore())
			}
			if is != nil {
				a = pulled(nextAfter())
			}
		}
	}
}

// pulled is nil where there is no item any more.
func pulled(i item, ok bool) *item {
	if !ok {
		return nil
	}
	return &i
}

// comparison is one edition beside the one before.
type comparison struct {
	*Watch
	before, after *column
	carried       []item
	// obscures tells whether a row of after whose number cannot be read may be of that license.
	obscures func(number string) bool
	// evidence is where a file of the edition before is kept.
	evidence func(file byte) *contracts.Evidence
}

// gone lists the licenses that the edition before has and the other one has not, of how many.
func (c *comparison) gone() (keys []contracts.Position, of int) {
	for b, a := range join(c.items(c.before), c.items(c.after)) {
		if b != nil {
			of++
		}
		if a == nil {
			keys = append(keys, b.key)
		}
	}
	return keys, of
}

// run gives use the differences in their order, and returns what the edition does not show and the next comparison
// needs.
func (c *comparison) run(use func(difference) error) (carry []item, err error) {
	for b, a := range join(overlay(c.items(c.before), c.carried), c.items(c.after)) {
		kept, all := c.pair(b, a)
		if kept != nil && b != nil {
			if kept.carried = b.carried; kept.carried == nil {
				kept.carried = c.evidence(fileOf(b.doc))
			}
		}
		if kept != nil {
			carry = append(carry, *kept)
		}
		for _, d := range all {
			if b != nil {
				d.carried = b.carried
			}
			if err := use(d); err != nil {
				return carry, err
			}
		}
	}
	return carry, nil
}

// pair compares a license. kept is what is carried of it, where the edition does not show it as well as is known.
func (c *comparison) pair(b, a *item) (kept *item, all []difference) {
	switch {
	case a == nil || a.unclear && b == nil:
		return c.single(b, a)
	case b == nil || b.unseen && !a.unclear:
		return nil, []difference{{kind: c.appeared(), after: new(decode(a.doc))}}
	case a.unclear:
		carried := *b
		carried.missing = 0
		if b.unclear && !b.unseen {
			return nil, nil // nothing is known of it
		}
		return &carried, nil
	case b.unclear || bytes.Equal(b.doc, a.doc):
		return nil, nil
	}
	was, is := decode(b.doc), decode(a.doc)
	settled, all := c.settle(was, is)
	if doc := encode(nil, settled); !bytes.Equal(doc, a.doc) {
		kept = &item{key: a.key, doc: doc}
	}
	return kept, all
}

// single is pair for a license that only one edition has: it is missing, or new and not understood.
func (c *comparison) single(b, a *item) (*item, []difference) {
	if b == nil {
		return &item{key: a.key, doc: a.doc, unclear: true, unseen: true}, nil
	}
	carried := *b
	if !c.obscures(b.key.Number) {
		carried.missing++
	}
	if carried.missing < c.MissingEditions {
		return &carried, nil
	}
	if !c.ReportsRemovals || b.unclear {
		return nil, nil
	}
	return nil, []difference{{kind: c.left(), before: new(decode(b.doc))}}
}

// settle compares what both editions print of a license. settled is the license as it is, with what was clean before in
// the place of what is not clean now.
func (c *comparison) settle(was, is Entry) (settled Entry, all []difference) {
	settled = is
	differs := func(kind contracts.ChangeType) {
		all = append(all, difference{kind: kind, before: &was, after: &is})
	}
	if c.ListName != "" {
		if was.OnList() != is.OnList() {
			differs(contracts.HoldPlaced)
		}
		return settled, all
	}
	before, wasReported := c.Status(was.Word)
	after, isReported := c.Status(is.Word)
	switch {
	case wasReported && !isReported:
		settled.Word = was.Word
	case wasReported && before != after:
		differs(contracts.StatusChanged)
	}
	hadDate, hasDate := was.Record.ExpirationDate != "" && !was.Undated, is.Record.ExpirationDate != "" && !is.Undated
	switch {
	case hadDate && !hasDate:
		settled.Record.ExpirationDate, settled.Undated = was.Record.ExpirationDate, false
	case hadDate && was.Record.ExpirationDate != is.Record.ExpirationDate:
		differs(contracts.ExpirationChanged)
	}
	switch {
	case is.Record.OwnerName == "":
		settled.Record.OwnerName = was.Record.OwnerName
	case was.Record.OwnerName != "" && fold.String(was.Record.OwnerName) != fold.String(is.Record.OwnerName):
		differs(contracts.HolderChanged)
	}
	return settled, all
}
