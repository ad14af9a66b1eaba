package surcharge

import "strings"

// mark is one thing that a heading can mean. A heading carries the marks of all its words.
type mark uint32

const (
	mDate      mark = 1 << iota // a day or a week
	mEffective                  // from which a rate applies
	mBegin                      // first day
	mEnd                        // last day
	mIndex                      // of the price index: its price, or its date
	mPosted                     // of a publication
	mPrice                      // of diesel
	mPercent                    // surcharge or rate
	mFuel                       // this is about fuel
	mLTL                        // less than truckload
	mTL                         // truckload
	mService                    // another service: never ours, wherever it stands
	mAbroad                     // another country, or a state off the mainland
	mOther                      // another figure than the percent or the national price: minimum, per mile, change
	mRegion                     // a part of the country
	mUS                         // the whole country
	mCents                      // cents per gallon
	mBound                      // a limit of a bracket
	mRemark                     // text
	mNeutral                    // known, and without weight
	mUnknown                    // not in the vocabulary
)

// words is the vocabulary of headings.
var words = vocabulary(map[mark]string{
	mDate:            "date dates dated day dt week weeks wk wks period",
	mEffective:       "effective eff effect effectiveness applicable applies apply valid",
	mBegin:           "from begin begins beginning start starts starting commencing",
	mEnd:             "to thru through end ends ending until till expires expiration expiry expire exp",
	mPosted:          "posted post posting published publish publication announced announcement released release updated update modified created entered issued reported report survey loaded",
	mIndex:           "index doe eia idx",
	mPrice:           "price prices pricing cost costs average averages avg ave gallon gallons gal gals ppg retail highway dollar dollars",
	mPrice | mFuel:   "diesel ulsd",
	mPrice | mUS:     "national natl nat nationwide",
	mPercent | mFuel: "surcharge surcharges fsc fscs",
	mPercent:         "percent percents percentage percentages pct pctg perc rate rates adjustment factor surchg schg chg",
	mFuel:            "fuel",
	mLTL:             "ltl",
	mTL:              "tl ftl truckload truckloads tlt",
	mUS:              "us usa domestic continental contiguous conus interstate",
	mCents:           "cents cent",
	mBound:           "low high lower upper least less below above over under exceeds exceeding greater more between range band bracket",
	mAbroad:          "canada canadian canadien cad cdn intracanada transborder crossborder mexico mexican alaska hawaii puerto rico guam caribbean offshore",
	mService:         "intrastate volume vol spot density cubic expedited expedite guaranteed ground air ocean parcel drayage intermodal rail flatbed reefer refrigerated frozen heated partial ptl heavyweight dedicated brokerage hazmat international gasoline unleaded kerosene propane litre litres liter liters",
	mOther:           "minimum min maximum max mile miles mileage cpm rpm change changes difference diff variance delta increase decrease previous prior last next upcoming former old base discount tax toll gri cwt hundredweight detention flat cap",
	mRegion:          "east west coast midwest gulf rocky mountain california padd england atlantic central northeast northwest southwest southeast north south",
	mRemark:          "note notes remark remarks comment comments description",
	mNeutral:         "of the for on in at a an and or per by with net line haul linehaul revenue freight bill bills charge charges chrg shipment shipments shipping ship pickup weekly current currently new applied total value amount amt number no all general standard regular service services lbs lb pounds pound weight wt weights based is as we our this your information history historical table chart schedule road see usd est only figure figures data rule item tariff load loads than truck s energy department dept administration assessed assessment level levels actual calculation program calculated",
})

func vocabulary(lists map[mark]string) map[string]mark {
	all := map[string]mark{}
	for m, list := range lists {
		for w := range strings.FieldsSeq(list) {
			all[w] |= m
		}
	}
	return all
}
