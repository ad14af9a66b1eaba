package meaning

// lexicon has the words that mark a table or a column as not ours, such as another country: it is left out. It has at
// most 150 words, and knows no sentences: whether the words around a table are believed is for package trust.
var lexicon = map[Set]string{
	// other countries, and states off the mainland
	Abroad: `canada canadian canadien ca cad cdn intracanada transborder crossborder mexico mexican alaska hawaii puerto rico guam
		caribbean offshore ontario quebec international`,
	// parts of the country
	Region: `east west coast midwest gulf rocky mountain california texas padd england atlantic central northeast northwest southwest
		southeast north south intrastate`,
	// other services, parties, goods and units
	Service: `volume vol spot density cubic expedited expedite guaranteed ground air ocean parcel drayage intermodal rail flatbed
		reefer refrigerated frozen heated partial ptl heavyweight dedicated brokerage hazmat gasoline unleaded kerosene propane litre
		litres liter liters contract negotiated interline`,
	// other figures of our freight
	Other: `minimum min maximum max mile miles mileage cpm rpm change changes difference diff variance delta increase decrease
		previous prior last next upcoming former old base discount tax toll gri cwt hundredweight detention flat cap`,
}
