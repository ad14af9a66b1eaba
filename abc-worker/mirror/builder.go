package mirror

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

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
	// status is that of [Watch]; nil where entries have none.
	status func(word string) (status contracts.Status, reported bool)
}

type slotKey struct{ number, kind string }

type slot struct {
	rank     string
	from, to uint32
}

func newBuilder(file int) *builder { return &builder{slots: map[slotKey]slot{}, file: file} }

func (m *Mirror) newBuilder(file int) *builder {
	b := newBuilder(file)
	b.status = m.Watch.Status
	return b
}

// addEntry keeps the entry if it ranks above the one of its number and type, and marks that one if both rank alike and
// the other does not say the same. It fails with kind changed when the file's texts are too large.
func (b *builder) addEntry(e Entry) error {
	if e.File = b.file; e.Unclear {
		b.unclear++
	}
	if e.Former != "" {
		b.formers = append(b.formers, former(e.Former, e.Record.LicenseNumber))
	}
	key := slotKey{e.Record.LicenseNumber, e.Record.LicenseTypeCode}
	if known, ok := b.slots[key]; ok && known.rank >= e.Rank {
		if known.rank == e.Rank && b.disagree(b.data[known.from:known.to], e) {
			markUnclear(b.data[known.from:known.to])
		}
		return nil
	}
	from := uint32(len(b.data))
	b.data = encode(b.data, e)
	b.slots[slotKey{strings.Clone(key.number), strings.Clone(key.kind)}] = slot{strings.Clone(e.Rank), from,
		uint32(len(b.data))}
	if len(b.data) > maxText {
		return scrape.Failf(scrape.Changed, "the texts of the licenses take more than %d bytes", maxText)
	}
	return nil
}

// disagree tells whether another entry of a license speaks against the one that is kept.
func (b *builder) disagree(kept []byte, other Entry) bool {
	if b.status == nil {
		return false
	}
	one, _ := b.status(decode(kept).Word)
	two, _ := b.status(other.Word)
	return other.Unclear || one != two
}

// merge adds what o knows better, and marks what it contradicts. Neither is used afterwards, but what is returned.
func (b *builder) merge(o *builder, contradicts func(earlier, later contracts.Date) bool) *builder {
	if len(b.slots) == 0 {
		return o
	}
	for key, s := range o.slots {
		known, ok := b.slots[key]
		if ok && contradicts != nil && contradicts(expires(b.data, known), expires(o.data, s)) {
			markUnclear(b.data[known.from:known.to])
			continue
		}
		if ok && known.rank >= s.rank {
			continue
		}
		from := uint32(len(b.data))
		b.data = append(b.data, o.data[s.from:s.to]...)
		b.slots[key] = slot{s.rank, from, uint32(len(b.data))}
	}
	b.formers = append(b.formers, o.formers...)
	return b
}

// expires is the expiration date of the entry in a slot.
func expires(data []byte, s slot) contracts.Date {
	return decode(data[s.from:s.to]).Record.ExpirationDate
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
	b.markBad()
	keys := b.sorted()
	w := newIndexWriter(len(b.data), len(keys))
	for i, key := range keys {
		s := b.slots[key]
		w.addDocument(b.data[s.from:s.to], i == 0 || keys[i-1].number != key.number)
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

// kind is what entries share that differ only in texts and dates. They also lack the same texts.
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
			kinds: make([]kindAndExpiry, 0, n),
		},
		dba: newWordsBuilder(n), owner: newWordsBuilder(n), address: newWordsBuilder(n), zip: newWordsBuilder(n),
		kinds: map[kind]uint32{},
	}
}

// addDocument adds the next entry. first tells that no entry of its number came before.
func (w *indexWriter) addDocument(doc []byte, first bool) {
	i, x := uint32(w.x.len()), w.x
	x.entries.addText(doc)
	e := decode(doc)
	r := e.Record
	w.dba.addTexts(r.DBAName)
	w.owner.addTexts(r.OwnerName)
	w.address.addTexts(r.Address.Street, r.Address.City)
	w.zip.addTexts(zipOf(r.Address))
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
		x.unnumbered = append(x.unnumbered, hiding(r.LicenseNumber))
	}
	x.kinds = append(x.kinds, kindAndExpiry{w.kindOf(e), dateNumber(r.ExpirationDate)})
}

// kindOf numbers the kinds. Those that are not understood are all of one: nothing is told of them but how many they
// are.
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
