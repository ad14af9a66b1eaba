package license

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"assay.dev/contracts"
)

// draw draws names, places and dates for one license.
type draw struct {
	*rand.Rand
	anchor contracts.Date
}

func pick[T any](d *draw, from []T) T { return from[d.IntN(len(from))] }

// chance is true in percent of 100 draws.
func (d *draw) chance(percent int) bool { return d.IntN(100) < percent }

// day is a date between from and to days after the anchor.
func (d *draw) day(from, to int) contracts.Date { return d.anchor.AddDays(from + d.IntN(to-from+1)) }

// ago and ahead are dates that stay past and future for as long as the register lives.
func (d *draw) ago() contracts.Date   { return d.day(-700, -60) }
func (d *draw) ahead() contracts.Date { return d.day(60, 700) }

// issued is an original issue date, long past.
func (d *draw) issued() contracts.Date { return d.day(-7000, -800) }

func (d *draw) digits(n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(byte('0' + d.IntN(10)))
	}
	return b.String()
}

// Surnames are built of syllables: nobody bears them.
var (
	surnameHeads = []string{"BRAN", "QUEL", "TOR", "MAV", "ZEN", "KOR", "LUV", "DRA", "VES", "HAL", "OST", "PEL", "RIN",
		"SAV", "TUM", "WEX", "YOL", "GRE", "FIN", "CAD"}
	surnameTails = []string{"DOVAR", "ISKET", "OMBRE", "ALTON", "ENKO", "URRIA", "ANDEL", "OVITZ", "ESTRA", "IMWELL",
		"ARROW", "UNDSEN", "ICKLE", "ADERO", "ONSKI", "EFORD", "OUGHRY", "ASHI", "EMOND", "IVARA"}
	givenNames = []string{"ALDA", "BENNO", "CORA", "DARIO", "EDITH", "FABIO", "GRETA", "HUGO", "INES", "JONAS",
		"KIRA", "LEON", "MIRA", "NILS", "OLGA", "PAVEL", "RUTH", "SAMIR", "TESSA", "VIKTOR"}
	adjectives = []string{"COPPER", "BLUE", "CROOKED", "GOLDEN", "SILENT", "RUSTY", "VELVET", "SEVENTH", "LUCKY",
		"WANDERING", "PAPER", "IRON", "CEDAR", "SALTY", "HIDDEN", "NORTHERN", "AMBER", "DOUBLE", "SUNNY", "LAST", "HARVEST",
		"RIVER", "PRAIRIE", "MARBLE"}
	things = []string{"KETTLE", "HERON", "LANTERN", "ANCHOR", "BARREL", "COMPASS", "FEATHER", "HARBOR", "OTTER",
		"PELICAN", "SADDLE", "TURNIP", "WINDMILL", "ORCHARD", "MAGPIE", "FOUNTAIN", "WALNUT", "TROLLEY", "CACTUS",
		"DRAGONFLY", "SPARROW", "QUARRY", "MERIDIAN", "POPPY"}
	venues = []string{"TAVERN", "CANTINA", "GRILL", "MARKET", "LIQUORS", "BISTRO", "CAFE", "WINE BAR", "BREWPUB",
		"KITCHEN", "LOUNGE", "PIZZERIA", "DELI", "FOOD MART", "STEAKHOUSE", "TAQUERIA"}
	companies = []string{"HOSPITALITY LLC", "RESTAURANT GROUP INC", "VENTURES LLC", "ENTERPRISES INC", "FOODS LP",
		"HOLDINGS LLC", "BEVERAGE CO", "PARTNERS LTD"}
	streets = []string{"CEDAR", "MAIN", "SYCAMORE", "LAKE", "SECOND", "COMMERCE", "HIGHLAND", "MILL", "ORANGE",
		"PROSPECT", "RIDGE", "UNION", "WILLOW", "SPRING", "CHESTNUT", "STATION"}
	ways = []string{"ST", "AVE", "BLVD", "RD", "DR", "LN"}
)

func (d *draw) surname() string { return pick(d, surnameHeads) + pick(d, surnameTails) }

// person is a name with the surname first, as the California register prints it, when surnameFirst.
func (d *draw) person(surnameFirst bool) string {
	given := pick(d, givenNames) + " " + pick(d, givenNames)
	if surnameFirst {
		return d.surname() + " , " + given
	}
	return given + " " + d.surname()
}

func (d *draw) company() string {
	return pick(d, adjectives) + " " + pick(d, things) + " " + pick(d, companies)
}

func (d *draw) trade() string {
	name := pick(d, adjectives) + " " + pick(d, things) + " " + pick(d, venues)
	if d.chance(25) {
		name += fmt.Sprintf(" #%d", 1+d.IntN(400))
	}
	return name
}

// town is a real town with its county and a ZIP code there.
type town struct{ city, county, zip string }

func (d *draw) place(state contracts.State, towns []town) Place {
	t := pick(d, towns)
	p := Place{
		Street: fmt.Sprintf("%d %s %s", 100+d.IntN(19900), pick(d, streets), pick(d, ways)),
		City:   t.city, State: string(state), Zip: t.zip, County: t.county,
	}
	if d.chance(15) {
		p.Suite = fmt.Sprintf("STE %d", 1+d.IntN(250))
	}
	if d.chance(40) {
		p.Zip += "-" + d.digits(4)
	}
	return p
}
