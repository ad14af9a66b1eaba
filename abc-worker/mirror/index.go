package mirror

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
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
	kinds []dated
	// numberOfKinds is one more than the last kind.
	numberOfKinds int
	// unnumbered are what rows print whose numbers cannot be read.
	unnumbered []string
	formers    column
}

// dated is a kind, and an expiration date as a number: 20270131, or 0 for none.
type dated struct{ kind, expires uint32 }

// column is one text per entry: entry i is text[at[i]:at[i+1]].
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

// builder gathers entries until they can be put in order.
type builder struct {
	slots map[slotKey]slot
	data  []byte
	// file is the place of the file that is read.
	file int
	// unclear counts the rows that are not understood.
	unclear int
	// downloaded: this process got the file from its publisher.
	downloaded bool
	// formers are those of [former].
	formers []string
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
	if e.Former != "" {
		b.formers = append(b.formers, former(e.Former, e.Record.LicenseNumber))
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
	b.formers = append(b.formers, o.formers...)
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
	w := newIndexWriter(len(b.data), len(keys))
	for i, key := range keys {
		s := b.slots[key]
		w.add(b.data[s.from:s.to], i == 0 || keys[i-1].number != key.number)
	}
	x := w.index()
	x.formers = b.sortedFormers()
	return x
}

// indexWriter makes an index of entries that come in order.
type indexWriter struct {
	x                        *index
	dba, owner, address, zip *wordsBuilder
	kinds                    map[kind]uint32
}

// kind is what entries have in common that differ in their texts and dates only: each has what the others have.
type kind struct {
	word                       string
	file                       int
	unclear, undated, timeless bool
	// empty has a bit for each of the texts.
	empty uint16
}

func newIndexWriter(size, n int) *indexWriter {
	return &indexWriter{
		x: &index{
			entries: newColumn(size, n), first: newBitmap(n), unclear: newBitmap(n), accented: newBitmap(n),
			kinds: make([]dated, 0, n),
		},
		dba: newWordsBuilder(n), owner: newWordsBuilder(n), address: newWordsBuilder(n), zip: newWordsBuilder(n),
		kinds: map[kind]uint32{},
	}
}

// add adds the next entry. first tells that no entry of its number came before.
func (w *indexWriter) add(doc []byte, first bool) {
	i, x := uint32(w.x.len()), w.x
	x.entries.add(doc)
	e := decode(doc)
	r := e.Record
	w.dba.add(r.DBAName)
	w.owner.add(r.OwnerName)
	w.address.add(r.Address.Street, r.Address.City)
	w.zip.add(zipOf(r.Address))
	if first {
		x.first.set(i)
	}
	if e.Unclear {
		x.unclear.set(i)
	}
	if beyondASCII(r.DBAName, r.OwnerName, r.Address.Street, r.Address.City) {
		x.accented.set(i)
	}
	if e.Unnumbered {
		x.unnumbered = append(x.unnumbered, r.LicenseNumber)
	}
	x.kinds = append(x.kinds, dated{w.kindOf(e), dateNumber(r.ExpirationDate)})
}

// kindOf numbers the kinds. Those that are not understood are all of one: nothing is told of them but how many they are.
func (w *indexWriter) kindOf(e Entry) uint32 {
	k := kind{unclear: true}
	if !e.Unclear {
		k = kind{word: e.Word, file: e.File, undated: e.Undated, timeless: e.Record.ExpirationDate == ""}
		for i, text := range texts(&e) {
			if *text == "" {
				k.empty |= 1 << i
			}
		}
	}
	id, known := w.kinds[k]
	if !known {
		id = uint32(len(w.kinds))
		w.kinds[k] = id
	}
	return id
}

func (w *indexWriter) index() *index {
	w.x.dba, w.x.owner, w.x.address, w.x.zip = w.dba.words(), w.owner.words(), w.address.words(), w.zip.words()
	w.x.entries.text = slices.Clip(w.x.entries.text)
	w.x.numberOfKinds = len(w.kinds)
	return w.x
}

func beyondASCII(texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
	})
}

// dateNumber is a date as a number of the same order: 20270131 for 2027-01-31, 0 for none.
func dateNumber(date contracts.Date) (n uint32) {
	for _, c := range []byte(date) {
		if c >= '0' && c <= '9' {
			n = 10*n + uint32(c-'0')
		}
	}
	return n
}

// texts are the texts of an entry; the number comes first. The expiration date is not among them.
func texts(e *Entry) [12]*string {
	r, a := &e.Record, &e.Record.Address
	return [...]*string{
		&r.LicenseNumber, &r.LicenseTypeCode, &r.LicenseTypeName, &r.DBAName, &r.OwnerName, &a.Street, &a.City, &a.State, &a.ZipCode, &a.County,
		&a.Raw, &e.Word,
	}
}

// encode appends the entry's texts and its date, each after its length.
func encode(out []byte, e Entry) []byte {
	for _, text := range texts(&e) {
		out = appendText(out, *text)
	}
	out = appendText(out, string(e.Record.ExpirationDate))
	return append(out, byte(e.File), bit(e.Unclear), bit(e.Unnumbered), bit(e.Undated))
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
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

// decode makes one copy of the entry, which its texts share.
func decode(doc []byte) Entry {
	all, at := string(doc), 0
	next := func() string {
		n, w := binary.Uvarint(doc[at:])
		begin := at + w
		at = begin + int(n)
		return all[begin:at]
	}
	var e Entry
	for _, text := range texts(&e) {
		*text = next()
	}
	e.Record.ExpirationDate = contracts.Date(next())
	flags := doc[at:]
	e.File, e.Unclear, e.Unnumbered, e.Undated = int(flags[0]), flags[1] == 1, flags[2] == 1, flags[3] == 1
	e.Record.Suspensions = []contracts.Suspension{}
	return e
}
