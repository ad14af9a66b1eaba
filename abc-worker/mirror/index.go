package mirror

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// index holds all entries of a mirror in a few large blocks of memory, in order of their numbers. It never changes.
type index struct {
	entries column
	dba     column
	owner   column
	address column
	// unnumbered are what rows print whose numbers cannot be read.
	unnumbered []string
}

// column is one text per entry: entry i is text[at[i]:at[i+1]]. A text to search ends with '\n', which folding never
// leaves.
type column struct {
	text []byte
	at   []uint32
}

func (c *column) add(text []byte) {
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
	begin := sort.Search(x.len(), func(i int) bool { return compare(x.number(i), number) >= 0 })
	for i := begin; i < x.len() && x.number(i) == number; i++ {
		entries = append(entries, decode(x.entries.entry(i)))
	}
	return entries
}

func (x *index) number(i int) string { return string(first(x.entries.entry(i))) }

func compare(a, b string) int {
	return contracts.Position{Number: a}.Compare(contracts.Position{Number: b})
}

// search gives the entries that hold all parts of the query, in order of their numbers: of each number the one that
// ranks highest.
func (x *index) search(q contracts.Query) (entries []Entry) {
	x.hits(q, func(i int) { entries = append(entries, decode(x.entries.entry(i))) })
	return entries
}

// count is how many entries search gives.
func (x *index) count(q contracts.Query) (n int) {
	x.hits(q, func(int) { n++ })
	return n
}

func (x *index) hits(q contracts.Query, use func(i int)) {
	filters := x.filters(q)
	if len(filters) == 0 {
		return
	}
	x.each(filters[0], func(i int) {
		if i > 0 && bytes.Equal(first(x.entries.entry(i)), first(x.entries.entry(i-1))) {
			return
		}
		for _, f := range filters[1:] {
			if !bytes.Contains(f.column.entry(i), f.part) {
				return
			}
		}
		use(i)
	})
}

type filter struct {
	column *column
	part   []byte
}

// filters are the parts of the query, the longest first: the fewest entries have it.
func (x *index) filters(q contracts.Query) (all []filter) {
	add := func(c *column, text string) {
		for _, part := range fold.Parts(text) {
			all = append(all, filter{c, []byte(part)})
		}
	}
	add(&x.dba, q.DBAName)
	add(&x.owner, q.OwnerName)
	add(&x.address, q.Address)
	slices.SortStableFunc(all, func(a, b filter) int { return len(b.part) - len(a.part) })
	return all
}

// each calls use with every entry whose column holds the part.
func (x *index) each(f filter, use func(int)) {
	c := f.column
	for i, pos := 0, 0; i < x.len(); i++ {
		hit := bytes.Index(c.text[pos:], f.part)
		if hit < 0 {
			return
		}
		hit += pos
		for int(c.at[i+1]) <= hit {
			i++
		}
		use(i)
		pos = int(c.at[i+1])
	}
}

// builder gathers entries until they can be put in order.
type builder struct {
	slots map[slotKey]slot
	data  []byte
	// file is the place of the file that is read.
	file int
	// unclear counts the rows that are not understood.
	unclear int
}

type slotKey struct{ number, kind string }

type slot struct {
	rank     string
	from, to uint32
}

func newBuilder(file int) *builder { return &builder{slots: map[slotKey]slot{}, file: file} }

// add keeps the entry if it ranks above the one of its number and type. It fails with kind changed when the file's
// texts are too large.
func (b *builder) add(e Entry) error {
	if e.File = b.file; e.Unclear {
		b.unclear++
	}
	key := slotKey{e.Record.LicenseNumber, e.Record.LicenseTypeCode}
	if known, ok := b.slots[key]; ok && known.rank >= e.Rank {
		return nil
	}
	from := uint32(len(b.data))
	b.data = encode(b.data, e)
	b.slots[slotKey{strings.Clone(key.number), strings.Clone(key.kind)}] = slot{strings.Clone(e.Rank), from, uint32(len(b.data))}
	if len(b.data) > maxText {
		return scrape.Failf(scrape.Changed, "the texts of the licenses take more than %d bytes", maxText)
	}
	return nil
}

// merge adds what o knows better. Neither is used afterwards, but what is returned.
func (b *builder) merge(o *builder) *builder {
	if len(b.slots) == 0 {
		return o
	}
	for key, s := range o.slots {
		if known, ok := b.slots[key]; ok && known.rank >= s.rank {
			continue
		}
		from := uint32(len(b.data))
		b.data = append(b.data, o.data[s.from:s.to]...)
		b.slots[key] = slot{s.rank, from, uint32(len(b.data))}
	}
	return b
}

// sorted are the keys by number, those of one number by rank, the greatest first.
func (b *builder) sorted() []slotKey {
	keys := make([]slotKey, 0, len(b.slots))
	for key := range b.slots {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(x, y slotKey) int {
		if c := compare(x.number, y.number); c != 0 {
			return c
		}
		s, t := b.slots[x], b.slots[y]
		return cmp.Or(strings.Compare(t.rank, s.rank), cmp.Compare(s.from, t.from))
	})
	return keys
}

func (b *builder) index() *index {
	keys := b.sorted()
	n := len(keys)
	x := &index{entries: newColumn(len(b.data), n), dba: newColumn(24*n, n), owner: newColumn(28*n, n), address: newColumn(44*n, n)}
	for _, key := range keys {
		s := b.slots[key]
		doc := b.data[s.from:s.to]
		x.entries.add(doc)
		e := decode(doc)
		r := e.Record
		x.dba.add(searchable(r.DBAName))
		x.owner.add(searchable(r.OwnerName))
		x.address.add(searchable(r.Address.Street, r.Address.City))
		if e.Unnumbered {
			x.unnumbered = append(x.unnumbered, r.LicenseNumber)
		}
	}
	for _, c := range []*column{&x.entries, &x.dba, &x.owner, &x.address} {
		c.text = slices.Clip(c.text)
	}
	return x
}

func searchable(parts ...string) []byte {
	return append([]byte(fold.String(strings.Join(parts, " "))), '\n')
}

// encode appends the entry's texts, each after its length; the number comes first.
func encode(out []byte, e Entry) []byte {
	r := e.Record
	for _, text := range []string{
		r.LicenseNumber, r.LicenseTypeCode, r.DBAName, r.OwnerName, string(r.ExpirationDate), r.Address.Street, r.Address.City,
		r.Address.State, r.Address.ZipCode, r.Address.County, r.Address.Raw, e.Word,
	} {
		out = binary.AppendUvarint(out, uint64(len(text)))
		out = append(out, text...)
	}
	return append(out, byte(e.File), bit(e.Unclear), bit(e.Unnumbered))
}

func bit(set bool) byte {
	if set {
		return 1
	}
	return 0
}

func first(doc []byte) []byte {
	n, w := binary.Uvarint(doc)
	return doc[w : w+int(n)]
}

func decode(doc []byte) Entry {
	next := func() string {
		text := first(doc)
		_, w := binary.Uvarint(doc)
		doc = doc[w+len(text):]
		return string(text)
	}
	var e Entry
	r := &e.Record
	for _, text := range []*string{&r.LicenseNumber, &r.LicenseTypeCode, &r.DBAName, &r.OwnerName} {
		*text = next()
	}
	r.ExpirationDate = contracts.Date(next())
	a := &r.Address
	for _, text := range []*string{&a.Street, &a.City, &a.State, &a.ZipCode, &a.County, &a.Raw, &e.Word} {
		*text = next()
	}
	e.File, e.Unclear, e.Unnumbered = int(doc[0]), doc[1] == 1, doc[2] == 1
	r.Suspensions = []contracts.Suspension{}
	return e
}
