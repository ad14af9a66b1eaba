package mirror

import (
	"bytes"
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
}

// column is one text per entry: entry i is text[at[i]:at[i+1]]. A text to search ends with '\n', which folding never leaves.
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

// lookup finds an entry by its number.
func (x *index) lookup(number string) (Entry, bool) {
	i := sort.Search(x.len(), func(i int) bool { return string(first(x.entries.entry(i))) >= number })
	if i == x.len() || string(first(x.entries.entry(i))) != number {
		return Entry{}, false
	}
	return decode(x.entries.entry(i)), true
}

// search counts the entries that hold all members of the query and gives the first most of them.
func (x *index) search(q contracts.Query, most int) (total int, entries []Entry) {
	filters := x.filters(q)
	x.each(filters[0], func(i int) {
		for _, f := range filters[1:] {
			if !bytes.Contains(f.column.entry(i), f.part) {
				return
			}
		}
		if total++; total <= most {
			entries = append(entries, decode(x.entries.entry(i)))
		}
	})
	return total, entries
}

type filter struct {
	column *column
	part   []byte
}

// filters are those of the query, the longest first: the fewest entries have it.
func (x *index) filters(q contracts.Query) []filter {
	all := []filter{
		{&x.dba, []byte(fold.String(q.DBAName))},
		{&x.owner, []byte(fold.String(q.OwnerName))},
		{&x.address, []byte(fold.String(q.Address))},
	}
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
	slots map[string]slot
	data  []byte
}

type slot struct {
	rank     string
	from, to uint32
}

func newBuilder() *builder { return &builder{slots: map[string]slot{}} }

// add keeps the entry if it ranks above the one of its number. It fails with kind changed when the file's texts are too
// large.
func (b *builder) add(e Entry) error {
	number := e.Record.LicenseNumber
	if known, ok := b.slots[number]; ok && known.rank >= e.Rank {
		return nil
	}
	from := uint32(len(b.data))
	b.data = encode(b.data, e)
	b.slots[strings.Clone(number)] = slot{strings.Clone(e.Rank), from, uint32(len(b.data))}
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
	for number, s := range o.slots {
		if known, ok := b.slots[number]; ok && known.rank >= s.rank {
			continue
		}
		from := uint32(len(b.data))
		b.data = append(b.data, o.data[s.from:s.to]...)
		b.slots[number] = slot{s.rank, from, uint32(len(b.data))}
	}
	return b
}

func (b *builder) index() *index {
	numbers := make([]string, 0, len(b.slots))
	for number := range b.slots {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	n := len(numbers)
	x := &index{entries: newColumn(len(b.data), n), dba: newColumn(24*n, n), owner: newColumn(28*n, n), address: newColumn(44*n, n)}
	for _, number := range numbers {
		s := b.slots[number]
		doc := b.data[s.from:s.to]
		x.entries.add(doc)
		r := decode(doc).Record
		x.dba.add(searchable(r.DBAName))
		x.owner.add(searchable(r.OwnerName))
		x.address.add(searchable(r.Address.Street, r.Address.City, r.Address.State, r.Address.ZipCode))
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
	out = binary.AppendUvarint(out, uint64(e.Clean))
	return binary.AppendUvarint(out, uint64(e.Required))
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
	clean, w := binary.Uvarint(doc)
	required, _ := binary.Uvarint(doc[w:])
	e.Clean, e.Required = int(clean), int(required)
	r.Suspensions = []contracts.Suspension{}
	return e
}
