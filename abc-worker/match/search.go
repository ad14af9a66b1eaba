package match

import (
	"cmp"
	"slices"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/mirror"
)

// search finds the candidates of many customers in one copy.
type search struct {
	copy *mirror.Copy
	mirror.Postings
	// cities are the entries of each city that was looked for.
	cities map[string][]uint32
}

// How many entries are compared that one customer's words lead to: all that may stand at its address, and of the others
// the first.
const (
	mostAtAddress = 400
	mostByName    = 100
	namesLookedAt = 4
)

func newSearch(c *mirror.Copy, all []customer) *search {
	names, addresses, zips := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range all {
		for _, name := range all[i].names {
			for _, word := range name {
				names[word] = true
				for _, other := range spellingsOfName(word) {
					names[other] = true
				}
			}
		}
		for _, word := range slices.Concat(all[i].street, all[i].city, fold.Parts(all[i].house)) {
			addresses[word] = true
			for _, other := range fold.OtherSpellings(word) {
				addresses[other] = true
			}
		}
		zips[all[i].zip] = true
	}
	return &search{c, c.Postings(names, addresses, zips), map[string][]uint32{}}
}

// numbered are the entries of the number that was given, one at most: of the type that was given where there is one, or
// the one that ranks highest.
func (s *search) numbered(c *customer) []mirror.Entry {
	if c.number == "" {
		return nil
	}
	entries := s.copy.Lookup(c.number)
	if c.kind != "" {
		if i := slices.IndexFunc(entries, func(e mirror.Entry) bool { return e.Record.LicenseTypeCode == c.kind }); i >= 0 {
			entries = entries[i:]
		}
	}
	return entries[:min(len(entries), 1)]
}

// places are the entries that may be the customer's: those at its house in its ZIP code, city or street, and those of
// its name near by. isCut tells that not all at the address are among them.
func (s *search) places(c *customer) (found []uint32, isCut bool) {
	house := s.house(c)
	around := [][]uint32{s.inCity(c.city)}
	if c.zip != "" {
		around = slices.Insert(around, 0, s.ZIP[c.zip])
	}
	take := func(entries []uint32, most int) (cut bool) {
		cut = len(entries) > most
		found = append(found, entries[:min(len(entries), most)]...)
		return cut
	}
	isCut = take(both(house, around[0]), mostAtAddress)
	for _, word := range c.street {
		if !slices.Contains(ways, word) && !slices.Contains(directions, word) {
			isCut = take(both(house, s.spelled(s.Address, word, fold.OtherSpellings)), mostAtAddress) || isCut
		}
	}
	for _, name := range c.names {
		lists := make([][]uint32, 0, len(name))
		for _, word := range name {
			lists = append(lists, s.spelled(s.Name, word, spellingsOfName))
		}
		slices.SortFunc(lists, func(a, b []uint32) int { return cmp.Compare(len(a), len(b)) })
		for i, list := range lists[:min(len(lists), namesLookedAt)] {
			take(both(list, house), mostByName)
			for _, place := range around {
				near := both(list, place)
				if len(near) <= mostByName || len(lists) == 1 {
					take(near, mostByName)
					continue
				}
				for _, other := range lists[i+1:] {
					take(both(near, other), mostByName)
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found), isCut
}

// inCity are the entries of a city, looked for once for all customers in it.
func (s *search) inCity(city []string) []uint32 {
	name := strings.Join(city, " ")
	entries, isKnown := s.cities[name]
	if !isKnown {
		entries = s.all(city)
		s.cities[name] = entries
	}
	return entries
}

// house are the entries with the number of the house.
func (s *search) house(c *customer) []uint32 {
	if c.house == "" {
		return nil
	}
	return s.all(fold.Parts(c.house))
}

// all are the entries whose address has all words.
func (s *search) all(words []string) (entries []uint32) {
	for i, word := range words {
		list := s.spelled(s.Address, word, fold.OtherSpellings)
		if i == 0 {
			entries = list
			continue
		}
		entries = both(entries, list)
	}
	return entries
}

// spelled are the entries with a word in any of its spellings.
func (s *search) spelled(in map[string][]uint32, word string, others func(string) []string) []uint32 {
	entries := in[word]
	for _, other := range others(word) {
		if more := in[other]; other != word && len(more) > 0 {
			entries = slices.Concat(entries, more)
		}
	}
	if len(entries) > len(in[word]) {
		slices.Sort(entries)
		entries = slices.Compact(entries)
	}
	return entries
}

// both are the entries of two lists in order.
func both(a, b []uint32) (common []uint32) {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, entry := range a {
		i, isThere := slices.BinarySearch(b, entry)
		if isThere {
			common = append(common, entry)
		}
		b = b[i:]
	}
	return common
}
