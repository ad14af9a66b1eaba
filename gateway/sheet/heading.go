package sheet

import (
	"slices"
	"strings"
	"unicode"

	"assay.dev/contracts"
)

// A heading is taken for the set of its words, whatever their order, case and punctuation, however they are joined, and
// in whichever of the usual spellings. A word that is not known here makes it another heading.

// spellings are the words of headings, each with how else it is written.
var spellings = map[string][]string{
	"ship":     {"shipped", "shipping", "shipment", "shpmt", "shpt", "shp", "dispatch", "dispatched", "departure"},
	"pickup":   {"pick up", "pu", "p u", "picked up", "collection", "collected"},
	"delivery": {"deliver", "delivered", "dlv", "dlvry", "del", "deliv", "dlvd"},
	"date":     {"dt", "day", "dated"},
	"carrier": {"carr", "carriers", "transporter", "haulier", "trucker", "vendor", "provider", "servprov",
		"scac carrier", "trucking company", "carrier company"},
	"name": {"nm"},
	"code": {"cd", "codes", "abbr", "alpha code", "standard carrier alpha code"},
	"scac": {},
	"fuel": {},
	"fsc": {"fuel surcharge", "fuel sc", "fuel surch", "fuel surchg", "fuel sur", "fuelsurcharge", "surcharge fuel",
		"fs", "fuel adjustment", "fuel surcharges"},
	"rate": {"rt"},
	"pct":  {"%", "percent", "percentage", "perc", "prct", "pcnt"},
	"amount": {"amt", "amnt", "$", "charge", "charges", "chg", "chgs", "chrg", "cost", "costs",
		"dollars", "fee", "value"},
	"base":       {},
	"linehaul":   {"line haul", "lh", "linehauls", "line haul freight", "linehaul freight"},
	"freight":    {"frt", "transportation", "transport"},
	"net":        {"discounted", "after discount", "nett"},
	"total":      {"tot", "sum"},
	"pro":        {"pros"},
	"number":     {"#", "no", "num", "nbr", "nr", "id", "numbers", "ident"},
	"bill":       {"billing"},
	"waybill":    {"way bill", "wb", "fb", "freight bill", "frt bill"},
	"invoice":    {"inv", "invc"},
	"load":       {},
	"line":       {"row", "item", "record", "seq", "sequence"},
	"bol":        {"bill of lading", "b l", "bl", "lading"},
	"ref":        {"reference", "references"},
	"tracking":   {"trk", "trkg", "track"},
	"received":   {"rcvd", "recd", "receipt", "recvd", "rec d", "rcv"},
	"mode":       {"service"},
	"minimum":    {"min"},
	"customer":   {"cust", "client", "retailer", "buyer", "outlet", "licensee"},
	"account":    {"acct", "acc"},
	"business":   {"company", "establishment", "location"},
	"store":      {"shop", "premise", "premises"},
	"dba":        {"doing business as", "d b a", "trading as"},
	"trade":      {},
	"street":     {},
	"1":          {"line 1", "one"},
	"shipto":     {"ship to", "deliver to", "delivery to"},
	"billto":     {"bill to", "sold to"},
	"mailing":    {"mail", "mail to"},
	"physical":   {"site"},
	"address":    {"addr", "adr"},
	"city":       {},
	"town":       {"municipality"},
	"state":      {"province", "st"},
	"zip":        {"zipcode", "postal code", "postcode", "postal", "zip 5"},
	"license":    {"lic", "licence", "lic no", "license no", "licences"},
	"permit":     {"prmt"},
	"liquor":     {"abc", "alcohol", "beverage", "bev"},
	"cap":        {"ceiling"},
	"currency":   {"curr", "ccy"},
	"maximum":    {"max"},
	"discount":   {"disc"},
	"points":     {"pts"},
	"order":      {"ord"},
	"ordered":    {},
	"time":       {},
	"route":      {"rte"},
	"stop":       {},
	"ticket":     {"tkt"},
	"request":    {"requested", "req"},
	"schedule":   {"scheduled", "sched"},
	"product":    {"prod"},
	"type":       {},
	"class":      {},
	"category":   {"cat"},
	"serial":     {},
	"delinquent": {"delinq"},
	"listed":     {},
}

// idle words say nothing that tells one field from another.
var idle = []string{"the", "of", "on", "in", "at", "for", "per", "a", "actual", "billed", "invoiced", "charged", "usd",
	"us", "our", "your", "ltl"}

// near and far are words of whose address it is that a heading gives, the best first: where goods go, and where only
// letters and bills do.
var (
	near = []string{"shipto", "delivery", "ship", "store", "business", "physical", "customer", "account"}
	far  = []string{"billto", "bill", "mailing"}
)

// placed takes the words of whose address it is, and of which of its lines, from a heading. rank says how good the
// place is; it is below zero for a heading without such words.
func placed(words []string) (rest []string, rank int) {
	rank = -1
	for _, word := range words {
		at := slices.Index(slices.Concat(near, far), word)
		switch {
		case at >= 0:
			rank = max(rank, at)
		case word == "1" || word == "line":
			rank = max(rank, 0)
		default:
			rest = append(rest, word)
		}
	}
	return rest, rank
}

// thesaurus leads from each spelling, its words separated by blanks, to its word; from an idle word to nothing.
var thesaurus = func() map[string]string {
	all := map[string]string{}
	for word, others := range spellings {
		all[word] = word
		for _, other := range others {
			all[other] = word
		}
	}
	for _, word := range idle {
		all[word] = ""
	}
	return all
}()

// partial are the words that are known within a spelling of several words only, such as haul.
var partial = func() map[string]bool {
	all := map[string]bool{}
	for spelling := range thesaurus {
		for word := range strings.FieldsSeq(spelling) {
			all[word] = true
		}
	}
	return all
}()

// longestWord is how many bytes a spelling of one word has at most.
var longestWord = func() (most int) {
	for spelling := range thesaurus {
		if !strings.Contains(spelling, " ") {
			most = max(most, len(spelling))
		}
	}
	return most
}()

// maxHeading bounds a heading, in bytes: a longer text is none.
const maxHeading = 80

// maxPhrase is how many words a spelling has at most.
const maxPhrase = 4

// wordsOf are the known words of a heading, sorted, and how many others it has. ok is false where there is no known one.
func wordsOf(heading string) (words []string, others int, ok bool) {
	if len(heading) > maxHeading {
		return nil, 0, false
	}
	var parts []string
	for _, part := range split(heading) {
		if partial[part] {
			parts = append(parts, part)
			continue
		}
		pieces := cut(part)
		if pieces == nil {
			others++
		}
		parts = append(parts, pieces...)
	}
	for i := 0; i < len(parts); {
		n := min(maxPhrase, len(parts)-i)
		for ; n > 1; n-- {
			if _, isKnown := thesaurus[strings.Join(parts[i:i+n], " ")]; isKnown {
				break
			}
		}
		word, isKnown := thesaurus[strings.Join(parts[i:i+n], " ")]
		if !isKnown {
			others++
		}
		if word != "" {
			words = append(words, word)
		}
		i += n
	}
	slices.Sort(words)
	return slices.Compact(words), others, len(words) > 0
}

// says tells whether a heading has a word, in whichever spelling.
func says(heading, word string) bool {
	words, _, _ := wordsOf(heading)
	return slices.Contains(words, word)
}

// split takes a heading apart at blanks, punctuation and where a capital or a number begins. #, % and $ are words.
func split(heading string) (parts []string) {
	var part []rune
	end := func() {
		if len(part) > 0 {
			parts = append(parts, strings.ToLower(string(part)))
			part = nil
		}
	}
	last := ' '
	for _, c := range heading {
		switch {
		case strings.ContainsRune("#%$", c):
			end()
			parts = append(parts, string(c))
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			end()
		default:
			if unicode.IsUpper(c) && unicode.IsLower(last) || unicode.IsDigit(c) && unicode.IsLetter(last) {
				end()
			}
			part = append(part, c)
		}
		last = c
	}
	end()
	return parts
}

// cut takes joined words apart, such as shipdate; nil where that leaves a rest. Idle words do not count: a shipper is
// no ship.
func cut(joined string) (parts []string) {
	if len(joined) > maxHeading {
		return nil
	}
	var ends [maxHeading + 1]int // of the word at a place from which on there are words alone; 0 elsewhere
	for i := len(joined) - 2; i >= 0; i-- {
		for end := min(len(joined), i+longestWord); end >= i+2 && ends[i] == 0; end-- {
			if (end == len(joined) || ends[end] > 0) && thesaurus[joined[i:end]] != "" {
				ends[i] = end
			}
		}
	}
	for at := 0; ends[at] > 0; at = ends[at] {
		parts = append(parts, joined[at:ends[at]])
	}
	return parts
}

// Squashed is a text in lower case without blanks and punctuation.
func Squashed(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, text)
}

// isMissed tells whether a heading is a name but for a slip.
func isMissed(heading, name string) bool {
	const enough = 6 // letters
	name = Squashed(name)
	return len(name) >= enough && contracts.IsSlip(Squashed(heading), name)
}
