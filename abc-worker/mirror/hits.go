package mirror

import (
	"cmp"
	"slices"

	"assay.dev/contracts"
)

// Hits are the licenses of a copy that match a query, in order of their numbers: of each number the entry that ranks
// highest. Their entries are made when they are asked for.
type Hits struct {
	index *index
	found bitmap
}

// Count is how many there are.
func (h Hits) Count() int { return h.found.count() }

// Unclear is how many of them are not understood. The other methods leave those out, but for Accented.
func (h Hits) Unclear() int {
	unclear := slices.Clone(h.found)
	unclear.keep(h.index.unclear)
	return unclear.count()
}

// After gives use the hits after a position, at most so many. more tells that others follow.
func (h Hits) After(p contracts.Position, most int, use func(*Entry)) (more bool) {
	for i := range h.clear().from(h.index.begin(p.Number)) {
		e := h.index.entry(i)
		if e.Record.Position().Compare(p) <= 0 {
			continue
		}
		if most == 0 {
			return true
		}
		most--
		use(&e)
	}
	return false
}

// Accented gives the hits with a letter beyond ASCII in a text that is searched.
func (h Hits) Accented() (entries []Entry) {
	accented := slices.Clone(h.found)
	accented.keep(h.index.accented)
	for i := range accented.from(0) {
		entries = append(entries, h.index.entry(i))
	}
	return entries
}

// Kind is hits of which the same is to be said but for their texts: they are of one file and one status word, have
// values of the same members, and have all expired or none of them has.
type Kind struct {
	// Entry is the first of them.
	Entry
	N int
}

// Kinds counts the hits by kind, those first that come first. An expiration date before today has passed.
func (h Hits) Kinds(today contracts.Date) []Kind {
	counted := make([]struct{ n, first int }, 2*h.index.numberOfKinds)
	now := dateNumber(today)
	for i := range h.clear().from(0) {
		of := h.index.kinds[i]
		k := 2 * of.kind
		if of.expires < now {
			k++
		}
		if counted[k].n++; counted[k].n == 1 {
			counted[k].first = i
		}
	}
	counted = slices.DeleteFunc(counted, func(c struct{ n, first int }) bool { return c.n == 0 })
	slices.SortFunc(counted, func(a, b struct{ n, first int }) int { return cmp.Compare(a.first, b.first) })
	kinds := make([]Kind, len(counted))
	for i, c := range counted {
		kinds[i] = Kind{h.index.entry(c.first), c.n}
	}
	return kinds
}

func (h Hits) clear() bitmap {
	clear := slices.Clone(h.found)
	clear.drop(h.index.unclear)
	return clear
}
