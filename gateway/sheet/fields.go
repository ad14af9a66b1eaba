package sheet

import (
	"slices"
	"strings"
)

// Field is something that a column may hold.
type Field struct {
	Name     string
	Required bool
	// Headings are what its column may be called besides its name, the best first. See [Match] for what makes a heading
	// one of them.
	Headings []string
	// Shared are headings that it shares with another field. What the values look like decides.
	Shared []string
	// Looks tells whether a text looks like one of its values, and like none of a field that it shares headings with. Of
	// two columns that may hold the field, the one with more such texts does, unless most are such in both. nil for no
	// look of its own.
	Looks func(text string) bool
	// Strict fields are only in columns of such texts, or of their very name. Proves makes one text enough: a column
	// with it is the field's, also where other texts are odd.
	Strict bool
	Proves func(text string) bool
	// IsDay fields are only in columns whose headings speak of a date, are their very name, or have a day below: what is
	// called Shipment may be a number, and Delivered a yes.
	IsDay bool
	// Same tells whether two cells say the same of the field. When columns of different headings may hold it and differ
	// in some row, [Match] asks, unless one heading is the field's own name. nil for fields where the best heading is
	// enough.
	Same func(a, b string) bool
	// IsPart tells whether a text may be part of a value. A column of such texts that says another than the field's
	// own, under a heading that names the field but for one word that is not known, net or discount, is asked about. nil
	// for fields whose value stands in one column.
	IsPart func(text string) bool
	// MayBeGross fields may be before a discount: unless the heading of their column says net, a column of percents, or of
	// amounts nowhere above theirs, is asked about whose heading says that it is one or that it is net.
	MayBeGross bool
	// InAddress fields belong to an address: their headings may also say whose it is, as Ship To and Mailing, or that it
	// is the first line. A required one is never taken from a mailing or billing address.
	InAddress bool
	// Fallback is the field whose column holds this one too where it has none of its own.
	Fallback string
	// AskIfUnused fields are not left out where a column that holds no field looks like one of theirs, and has a text
	// that Proves takes, if that is given: [Match] asks.
	AskIfUnused bool
}

// Fields are those that a table may have, ready to be looked for.
type Fields struct {
	all []Field
	// named and open have the places in all of the fields that are called so, by the words of their headings or their
	// squashed names.
	named, open map[string][]named
}

// named is a field, and how well it is named: 0 is best.
type named struct{ field, rank int }

// NewFields makes fields ready. A heading of a word that is not known is a mistake of the caller.
func NewFields(all ...Field) Fields {
	f := Fields{all: all, named: map[string][]named{}, open: map[string][]named{}}
	for i, field := range all {
		name := "=" + Squashed(field.Name)
		f.named[name] = append(f.named[name], named{i, 0})
		for rank, h := range field.Headings {
			f.named[keyOf(h)] = append(f.named[keyOf(h)], named{i, rank + 1})
		}
		for _, h := range field.Shared {
			f.open[keyOf(h)] = append(f.open[keyOf(h)], named{i, 0})
		}
	}
	return f
}

// keyOf is the same for headings of the same words.
func keyOf(heading string) string {
	words, others, ok := wordsOf(heading)
	if !ok || others > 0 {
		panic("sheet: no heading: " + heading) // the headings are ours: a test sees it
	}
	return strings.Join(words, " ")
}

// of are the fields that a heading names, and those that it may name.
func (f Fields) of(heading string) (sure, open []named) {
	sure = f.named["="+Squashed(heading)]
	if words, others, ok := wordsOf(heading); ok && others == 0 {
		key := strings.Join(words, " ")
		sure, open = slices.Concat(sure, f.named[key]), f.open[key]
		if len(sure) == 0 {
			sure = f.placed(words)
		}
	}
	return sure, open
}

// isPart tells whether a heading is one of a field, but for one word that is not known, or that tells net from gross.
func (f Fields) isPart(heading string, field int) bool {
	words, others, ok := wordsOf(heading)
	known := slices.DeleteFunc(words, func(word string) bool { return word == "net" || word == "discount" })
	if len(known) < len(words) {
		others++
	}
	key := strings.Join(known, " ")
	return ok && others == 1 && slices.ContainsFunc(slices.Concat(f.named[key], f.open[key]), func(n named) bool {
		return n.field == field
	})
}

// tellsNet tells of a heading that it says net or discount, and no word that headings of fields share: these have
// discounts of their own. A net weight is of another kind.
func (f Fields) tellsNet(heading string) bool {
	words, others, _ := wordsOf(heading)
	isNet := others == 0 && slices.Contains(words, "net") || slices.Contains(words, "discount")
	return isNet && !slices.ContainsFunc(words, func(word string) bool { return len(f.open[word]) > 0 })
}

// saysAmount tells of a heading that all of its words speak of amounts.
func saysAmount(heading string) bool {
	words, others, _ := wordsOf(heading)
	return others == 0 && !slices.ContainsFunc(words, func(word string) bool {
		return !slices.Contains([]string{"net", "discount", "amount", "pct", "total", "base", "freight", "linehaul"}, word)
	})
}

// placedRank is above the rank of every heading that names a field by all of its words.
const placedRank = 100

// placed are the fields of an address that a heading names by some of its words.
func (f Fields) placed(words []string) (sure []named) {
	rest, rank := placed(words)
	if rank < 0 || len(rest) == 0 {
		return nil
	}
	key := strings.Join(rest, " ")
	for _, n := range slices.Concat(f.named[key], f.named["="+key]) {
		if field := f.all[n.field]; field.InAddress && (rank < len(near) || !field.Required) {
			sure = append(sure, named{n.field, (1+rank)*placedRank + n.rank})
		}
	}
	return sure
}

// Score counts the fields that a row of headings names.
func (f Fields) Score(cells []string) int { return f.score(cells, map[string][]named{}) }

// maxSeen bounds the texts that are kept while a table is looked at.
const maxSeen = 1 << 12

// score keeps in seen what a text names, for the rows to come: a small workbook may hold one text in all of its cells.
func (f Fields) score(cells []string, seen map[string][]named) int {
	if len(cells) > MaxColumns {
		return 0
	}
	found := map[int]bool{}
	for _, cell := range cells {
		names, isSeen := seen[cell]
		if !isSeen {
			names = slices.Concat(f.of(cell))
			if len(seen) < maxSeen {
				seen[cell] = names
			}
		}
		for _, n := range names {
			found[n.field] = true
		}
	}
	return len(found)
}

// example is the name of a field that no table is without, or else of any.
func (f Fields) example() string {
	return f.all[max(0, slices.IndexFunc(f.all, func(f Field) bool { return f.Required }))].Name
}
