package contracts

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// carrierNames are the names under which carriers are written on invoices, former ones among them, in small letters and
// digits alone.
var carrierNames = map[string]Carrier{
	"olddominion": ODFL, "od": ODFL, "olddominionfreight": ODFL,
	"saia":  SAIA,
	"estes": ESTES, "estesexpress": ESTES,
	"abf": ABF, "arcbest": ABF, "arcb": ABF, "arkansasbestfreight": ABF, "arkansasbest": ABF,
	"rl": RLC, "rlc": RLC, "randl": RLC, "rlcarriers": RLC, "randlcarriers": RLC,
	"tforce": TFORCE, "upsfreight": TFORCE, "overnitetransportation": TFORCE,
	"xpo": XPO, "xpologistics": XPO, "conway": XPO,
	"southeastern": SEFL, "southeasternfreight": SEFL,
	"averitt": AVERITT, "averittexpress": AVERITT,
	"fedexfreight": FEDEX, "fxf": FEDEX, "fedexltl": FEDEX, "fedexfreightpriority": FEDEX, "fedexfreighteconomy": FEDEX,
	"fedexnational": FEDEX,
}

// What may follow a carrier's name without changing it: the form of the company, and what every carrier of freight may
// be called.
var nameEnds = []string{
	"inc", "llc", "corp", "corporation", "co", "company", "ltd", "lp", "incorporated", "the",
	"freight", "line", "lines", "ltl", "system", "systems", "motor", "carriers", "carrier", "usa", "us",
}

// maxCarrierName bounds a text that may name a carrier, in bytes: nobody's name is longer, and a file may hold texts of
// any length.
const maxCarrierName = 200

// CarrierNamed finds a carrier by what people write for it: its code, a SCAC that it files or filed, or one of its
// names, with or without the form of the company, such as "R & L Carriers, Inc." and "Old Dominion (ODFL)". A text that
// names two carriers names none.
func CarrierNamed(text string) (c Carrier, ok bool) {
	if len(text) > maxCarrierName {
		return "", false
	}
	for piece := range strings.FieldsFuncSeq(strings.ReplaceAll(text, " - ", "/"),
		func(r rune) bool { return strings.ContainsRune("()[]/|:;", r) }) {
		found, isOne := carrierIn(strings.TrimSpace(piece))
		switch {
		case isOne && ok && found != c:
			return "", false
		case isOne:
			c, ok = found, true
		}
	}
	return c, ok
}

func carrierIn(text string) (Carrier, bool) {
	if c, ok := CarrierOf(text); ok {
		return c, true
	}
	words := strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for len(words) > 0 {
		if c, ok := carrierNames[strings.Join(words, "")]; ok {
			return c, true
		}
		if !slices.Contains(nameEnds, words[len(words)-1]) {
			break
		}
		words = words[:len(words)-1]
	}
	return "", false
}

// NearestCarrier is the carrier that a text names, or whose code, SCAC or name it differs from by a slip; ok is false
// where it is near several.
func NearestCarrier(text string) (c Carrier, ok bool) {
	if c, ok = CarrierNamed(text); ok {
		return c, true
	}
	const enough = 4 // letters
	folded := strings.Join(strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "")
	known := maps.Clone(carrierNames)
	for code, of := range FiledCodes {
		known[strings.ToLower(code)] = of
	}
	for _, of := range Carriers {
		known[strings.ToLower(string(of))] = of
	}
	if c, ok = known[folded]; ok {
		return c, true
	}
	for name, of := range known {
		switch isNear := len(name) >= enough && IsSlip(folded, name); {
		case isNear && ok && of != c:
			return "", false
		case isNear:
			c, ok = of, true
		}
	}
	return c, ok
}

// IsSlip tells whether a text is another one but for one letter: more, less, wrong, or two changed over.
func IsSlip(text, other string) bool {
	a, b := text, other
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 1:
		return a[i:] == b[i+1:]
	case 0:
		return i < len(a) && (a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:])
	}
	return false
}
