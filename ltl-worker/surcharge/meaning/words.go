package meaning

import "strings"

// words is the vocabulary of single words, in lower case: those of our own figures and the lexicon. A word may stand in
// several lists: "diesel" is Price and Fuel.
var words = indexWords(map[Set]string{
	Date:      "date dates dated day dt week weeks wk wks period",
	Effective: "effective eff effect effectiveness effectivity applicable applies apply valid",
	Begin:     "from begin begins beginning began start starts starting started commencing commences commenced",
	End:       "to thru through end ends ending until till expires expiration expiry expire exp",
	Posted: `reviewed posted post posting published publish publication announced announcement released release updated update modified
		revised rev revision edited created entered issued reported report survey loaded refreshed synced`,
	Index: "index doe eia idx",
	Price: "price prices pricing cost costs average averages avg ave gallon gallons gal gals ppg " +
		"retail highway dollar dollars",
	Price | Fuel:   "diesel ulsd",
	Price | US:     "national natl nat nationwide",
	Percent | Fuel: "surcharge surcharges fsc fscs",
	Percent: "percent percents percentage percentages pct pctg perc rate rates adjustment " +
		"factor surchg schg chg surch",
	Fuel:      "fuel",
	LTL:       "ltl",
	Truckload: "tl ftl truckload truckloads tlt",
	US:        "us usa domestic continental contiguous conus interstate",
	Cents:     "cents cent",
	Bound: "low high lower upper least less below above over under exceeds exceeding greater more " +
		"between range band bracket",
	Remark: "note notes remark remarks comment comments description",
	Neutral: `of the for on in at a an and or per by with net line haul linehaul revenue freight bill bills billing charge charges chrg
		shipment shipments shpt shpts shpmt shpmts shipping ship pickup weekly current currently new applied total value amount amt
		number no all general standard regular service services lbs lb pounds pound weight wt weights based is as we our this your
		information history historical table chart schedule road see usd only figure figures data rule item tariff load loads than
		truck s energy department dept administration assessed assessment level levels actual calculation program calculated it was
		will be recent latest archive archives archived`,
}, lexicon)

func indexWords(all ...map[Set]string) map[string]Set {
	index := map[string]Set{}
	for _, lists := range all {
		for meanings, list := range lists {
			for word := range strings.FieldsSeq(list) {
				index[word] |= meanings
			}
		}
	}
	return index
}

// whenWords only tell which week something is of.
var whenWords = indexWords(map[Set]string{Date: "this last next previous prior current currently upcoming coming past " +
	"now latest newest week weeks s"})

// OfWord is what one word in lower case means in a cell; 0 when the vocabulary does not have it.
func OfWord(word string) Set { return words[word] }
