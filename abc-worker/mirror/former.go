package mirror

import (
	"bytes"
	"slices"
	"sort"
	"strings"
)

// former makes one text of a former number and the number of today. Texts of one former number stand together in their
// order.
func former(was, is string) string { return was + "\x00" + is }

// sortedFormers are the former numbers of all entries in order.
func (b *builder) sortedFormers() column {
	slices.Sort(b.formers)
	all := newColumn(0, len(b.formers))
	for _, text := range slices.Compact(b.formers) {
		all.addText([]byte(text))
	}
	return all
}

// formersOf are the former numbers by the number of today.
func (x *index) formersOf() map[string][]string {
	all := map[string][]string{}
	for i := range len(x.formers.at) - 1 {
		was, is, _ := strings.Cut(string(x.formers.entry(i)), former("", ""))
		all[is] = append(all[is], was)
	}
	return all
}

// formerly finds the entries of the license that had a number before. Where several licenses had it, the entries are
// not understood.
func (x *index) formerly(number string) (entries []Entry) {
	begin, n := []byte(former(number, "")), len(x.formers.at)-1
	i := sort.Search(n, func(i int) bool { return bytes.Compare(x.formers.entry(i), begin) >= 0 })
	for at := i; at < n && bytes.HasPrefix(x.formers.entry(at), begin); at++ {
		if entries == nil {
			entries = x.lookup(string(x.formers.entry(at)[len(begin):]))
			continue
		}
		for k := range entries {
			entries[k].Unclear = true
		}
	}
	return entries
}
