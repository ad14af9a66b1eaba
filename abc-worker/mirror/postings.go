package mirror

import "slices"

// Postings are the entries of a copy that hold some words, as their places, in order.
type Postings struct {
	// Name are those that hold a word in the trade name or the holder's, Address in street or city, ZIP as ZIP code.
	Name, Address, ZIP map[string][]uint32
}

// Postings looks for all words at once: each text of the copy is gone through one time, however many words are wanted.
func (c *Copy) Postings(name, address, zip map[string]bool) Postings {
	p := Postings{map[string][]uint32{}, map[string][]uint32{}, map[string][]uint32{}}
	set := func(in map[string][]uint32) func(string, []uint32) {
		return func(word string, entries []uint32) {
			if known := in[word]; known != nil {
				entries = slices.Concat(known, entries)
				slices.Sort(entries)
				entries = slices.Compact(entries)
			}
			in[word] = entries
		}
	}
	c.index.dba.find(name, set(p.Name))
	c.index.owner.find(name, set(p.Name))
	c.index.address.find(address, set(p.Address))
	c.index.zip.find(zip, set(p.ZIP))
	return p
}

// At is an entry by its place. leads tells that it ranks highest of its number.
func (c *Copy) At(i uint32) (e Entry, leads bool) {
	return c.index.entry(int(i)), c.index.first.has(i)
}
