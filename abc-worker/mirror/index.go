package mirror

import (
	"sort"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
)

// index holds all entries of a mirror in a few large blocks of memory, in order of their numbers. It never changes.
type index struct {
	entries column
	dba     words
	owner   words
	address words
	zip     words
	// first are the entries that rank highest of their number. Searches give no others.
	first bitmap
	// unclear are those that are not understood, accented those with a letter beyond ASCII in a text that is searched.
	unclear, accented bitmap
	// kinds are the kind of each entry and its date.
	kinds []kindAndExpiry
	// numberOfKinds is one more than the last kind.
	numberOfKinds int
	// unnumbered are the rows whose numbers cannot be read, as [hiding] has them.
	unnumbered []string
	formers    column
}

// kindAndExpiry is a kind, and an expiration date as a number: 20270131, or 0 for none.
type kindAndExpiry struct{ kind, expires uint32 }

// column is one text per entry: entry i is text[at[i]:at[i+1]].
type column struct {
	text []byte
	at   []uint32
}

func (c *column) addText(text []byte) {
	c.text = append(c.text, text...)
	c.at = append(c.at, uint32(len(c.text)))
}

func (c *column) entry(i int) []byte { return c.text[c.at[i]:c.at[i+1]] }

func newColumn(size, entries int) column {
	return column{text: make([]byte, 0, size), at: append(make([]uint32, 0, entries+1), 0)}
}

func (x *index) len() int { return len(x.entries.at) - 1 }

// lookup finds the entries of a number, the one that ranks highest first.
func (x *index) lookup(number string) (entries []Entry) {
	for i := x.begin(number); i < x.len() && x.number(i) == number; i++ {
		entries = append(entries, x.entry(i))
	}
	return entries
}

// begin is the first entry whose number is not before the number.
func (x *index) begin(number string) int {
	return sort.Search(x.len(), func(i int) bool { return compare(x.number(i), number) >= 0 })
}

func (x *index) number(i int) string { return string(first(x.entries.entry(i))) }

func (x *index) entry(i int) Entry { return decode(x.entries.entry(i)) }

func compare(a, b string) int {
	return contracts.Position{Number: a}.Compare(contracts.Position{Number: b})
}

// find gives the entries that hold all parts of the query: of each number the one that ranks highest.
func (x *index) find(q contracts.Query) bitmap {
	var found bitmap
	narrow := func(text string, mark func(part string, in bitmap)) {
		for _, part := range fold.Parts(text) {
			holds := newBitmap(x.len())
			mark(part, holds)
			if found == nil {
				found = holds
			} else {
				found.keep(holds)
			}
		}
	}
	narrow(q.DBAName, x.dba.mark)
	narrow(q.OwnerName, x.owner.mark)
	narrow(q.Address, x.markAddress)
	if found == nil { // nobody may ask for everything
		return newBitmap(x.len())
	}
	found.keep(x.first)
	return found
}

// markAddress sets the bit of every entry that [fold.HoldsAddress] finds the part in.
func (x *index) markAddress(part string, in bitmap) {
	x.address.mark(part, in)
	for _, other := range fold.OtherSpellings(part) {
		x.address.markWord(other, in)
	}
	if fold.IsZIPCode(part) {
		x.zip.markWord(part, in)
	}
}

// zipOf is the ZIP code that an address is found by.
func zipOf(a contracts.Address) string { return a.ZipCode[:min(5, len(a.ZipCode))] }
