package contracts

import "slices"

// DeliveryRule is what a state's law makes of a delivery of some beverages.
type DeliveryRule struct {
	State     State
	Beverages []Beverage
	// List is the delinquent list that the rule goes by; empty for a law without a list.
	List string
	// Means is what it means to be on the list, or what the law means for everybody.
	Means DeliveryVerdict
	// Days is for how long a list is good. Uploaded lists are those that a tenant puts here; the others are published, and
	// read.
	Days     int
	Uploaded bool
	// Until is the hour on a license's first day on the list until which earlier orders may be delivered; 0 for none.
	Until int
	// Law and Source are the statute or rule, and where it can be read.
	Law, Source string
}

// HasPublicList tells whether a state publishes a delinquent list that is read.
func HasPublicList(s State) bool {
	return slices.ContainsFunc(DeliveryRules,
		func(r DeliveryRule) bool { return r.State == s && r.List != "" && !r.Uploaded })
}

// PublicListSource is what the public delinquent list of a state is called as a source, beside the state.
func PublicListSource(s State) string { return string(s) + "-holds" }

// DeliveryRules is the table of the laws, and the only place that knows them.
var DeliveryRules = []DeliveryRule{
	{
		State: TX, Beverages: []Beverage{Spirits, Wine}, List: "102.32", Means: Stop, Days: 20, Until: 13,
		Law:    "Alcoholic Beverage Code §102.32; 16 TAC §45.121",
		Source: "https://www.tabc.texas.gov/texas-alcohol-laws-regulations/cash-credit-law/",
	}, {
		State: TX, Beverages: []Beverage{Malt}, Means: CashOnly,
		Law: "Alcoholic Beverage Code §102.31", Source: "https://www.tabc.texas.gov/texas-alcohol-laws-regulations/cash-credit-law/",
	}, {
		State: NY, Beverages: []Beverage{Spirits, Wine}, List: "101-aa", Means: CashOnly, Days: 8, Uploaded: true,
		Law: "Alcoholic Beverage Control Law §101-aa", Source: "https://www.sla.ny.gov/sla-sends-delinquent-cod-list-reminder-letter-to-wholesalers",
	}, {
		State: NY, Beverages: []Beverage{Malt}, List: "101-aaa", Means: CashOnly, Days: 8, Uploaded: true,
		Law: "Alcoholic Beverage Control Law §101-aaa", Source: "https://www.sla.ny.gov/sla-sends-delinquent-cod-list-reminder-letter-to-wholesalers",
	}, {
		State: FL, Beverages: Beverages, List: "561.42", Means: Stop, Days: 20, Uploaded: true,
		Law: "Florida Statutes §561.42; Rule 61A-3.035, F.A.C.", Source: "https://www.flsenate.gov/Laws/Statutes/2024/561.42",
	}, {
		State: IL, Beverages: Beverages, List: "100.90", Means: Stop, Days: 20, Uploaded: true,
		Law: "235 ILCS 5/6-5; 11 Ill. Adm. Code 100.90", Source: "https://www.ilga.gov/commission/jcar/admincode/011/011001000000900R.html",
	}, {
		// The Commission's policy lets sellers extend credit for wine and spirits, and names no malt beverages.
		State: IL, Beverages: []Beverage{Malt}, Means: CashOnly,
		Law:    "235 ILCS 5/6-5; Liquor Control Commission policy TPP-5, which allows credit for wine and spirits",
		Source: "https://www.state.il.us/lcc/TPP-5.asp",
	}, {
		State: CA, Beverages: Beverages, Means: Deliver,
		Law: "Business and Professions Code §25509: each seller counts 30 days itself, and sells for cash to who has not " +
			"paid it by then; there is no list", Source: "https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=BPC&sectionNum=25509",
	},
}
