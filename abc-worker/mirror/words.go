package mirror

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/platform/scrape"
)

// words finds the entries that hold a part of a query in one of their texts. A part is a run of letters and digits, as
// a word is, so an entry holds it exactly when one of its words does: "KETTLE" stands in "COPPERKETTLE'S". Registers
// have far fewer different words than entries, so a search looks through the words and never through the entries.
type words struct {
	// text is the different words, each followed by '\n', which no word holds. Word w begins at starts[w].
	text   []byte
	starts []uint32
	// entries are those of the first word, then those of the second, and so on. Those of word w begin at from[w].
	entries []uint32
	from    []uint32
}

// mark sets the bit of every entry that holds the part.
func (w *words) mark(part string, in bitmap) {
	needle := []byte(part)
	for word, at := 0, 0; ; at = int(w.starts[word]) {
		hit := bytes.Index(w.text[at:], needle)
		if hit < 0 {
			return
		}
		for int(w.starts[word+1]) <= at+hit {
			word++
		}
		for _, entry := range w.entries[w.from[word]:w.from[word+1]] {
			in.set(entry)
		}
		word++
	}
}

// markWord sets the bit of every entry that holds the word.
func (w *words) markWord(text string, in bitmap) {
	line := []byte("\n" + text + "\n")
	at := bytes.Index(w.text, line) + 1
	if at == 0 && !bytes.HasPrefix(w.text, line[1:]) {
		return
	}
	word, _ := slices.BinarySearch(w.starts, uint32(at))
	for _, entry := range w.entries[w.from[word]:w.from[word+1]] {
		in.set(entry)
	}
}

// find gives the entries of each word that is wanted, in their order.
func (w *words) find(wanted map[string]bool, add func(word string, entries []uint32)) {
	for word := range len(w.starts) - 1 {
		text := w.text[w.starts[word] : w.starts[word+1]-1]
		if wanted[string(text)] {
			add(string(text), w.entries[w.from[word]:w.from[word+1]])
		}
	}
}

// wordsBuilder gathers the words of one entry after the other.
type wordsBuilder struct {
	ids  map[string]uint32
	text []byte
	// uses are the words of the first entry, then those of the second, and so on. Those of entry i end at ends[i].
	uses []uint32
	ends []uint32
	// last is the entry that used a word last, counted from 1: a word counts once in an entry.
	last []uint32
}

func newWordsBuilder(entries int) *wordsBuilder {
	return &wordsBuilder{ids: map[string]uint32{}, ends: make([]uint32, 0, entries)}
}

// addTexts gives the next entry its texts.
func (b *wordsBuilder) addTexts(texts ...string) {
	entry := uint32(len(b.ends) + 1)
	for _, text := range texts {
		for _, word := range fold.Parts(text) {
			id, known := b.ids[word]
			if !known {
				id = uint32(len(b.ids))
				b.text = append(append(b.text, word...), '\n')
				b.ids[strings.Clone(word)] = id
				b.last = append(b.last, 0)
			}
			if b.last[id] != entry {
				b.last[id], b.uses = entry, append(b.uses, id)
			}
		}
	}
	b.ends = append(b.ends, uint32(len(b.uses)))
}

// words sorts the uses by word, by counting them.
func (b *wordsBuilder) words() words {
	w := words{
		text: slices.Clip(b.text), starts: []uint32{0},
		entries: make([]uint32, len(b.uses)), from: make([]uint32, len(b.ids)+1),
	}
	for i, c := range b.text {
		if c == '\n' {
			w.starts = append(w.starts, uint32(i+1))
		}
	}
	for _, word := range b.uses {
		w.from[word+1]++
	}
	for i := range len(b.ids) {
		w.from[i+1] += w.from[i]
	}
	next, begin := slices.Clone(w.from), uint32(0)
	for entry, end := range b.ends {
		for _, word := range b.uses[begin:end] {
			w.entries[next[word]] = uint32(entry)
			next[word]++
		}
		begin = end
	}
	w.starts = slices.Clip(w.starts)
	return w
}

// checkWords fails with kind changed when the words of the entries would take more memory than those of a register.
func (b *builder) checkWords() error {
	seed, different, words := maphash.MakeSeed(), map[uint64]struct{}{}, 0
	for _, s := range b.slots {
		r := decode(b.data[s.from:s.to]).Record
		for column, text := range []string{r.DBAName, r.OwnerName, r.Address.Street + " " + r.Address.City,
			zipOf(r.Address)} {
			for _, word := range fold.Parts(text) {
				words++
				different[maphash.String(seed, word)+uint64(column)] = struct{}{}
			}
		}
		if words > maxWords || len(different) > maxDifferent {
			return scrape.Failf(scrape.Changed, "the names and addresses have %d words, %d different ones: more than %d or %d",
				words, len(different), maxWords, maxDifferent)
		}
	}
	return nil
}

// bitmap is a set of entries.
type bitmap []uint64

func newBitmap(entries int) bitmap { return make(bitmap, (entries+63)/64) }

func (b bitmap) set(i uint32) { b[i/64] |= 1 << (i % 64) }

func (b bitmap) has(i uint32) bool { return b[i/64]&(1<<(i%64)) != 0 }

// keep leaves the entries that are in o too; drop leaves those that are not.
func (b bitmap) keep(o bitmap) {
	for i := range b {
		b[i] &= o[i]
	}
}

func (b bitmap) drop(o bitmap) {
	for i := range b {
		b[i] &^= o[i]
	}
}

func (b bitmap) count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// from gives the entries from i on, in order.
func (b bitmap) from(i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for at := i / 64; at < len(b); at++ {
			word := b[at]
			if at == i/64 {
				word &= ^uint64(0) << (i % 64)
			}
			for ; word != 0; word &= word - 1 {
				if !yield(at*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
