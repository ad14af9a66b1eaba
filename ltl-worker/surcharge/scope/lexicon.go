package scope

import "strings"

// kind is what sort of qualifier a word is.
type kind string

// The kinds of qualifiers that make a table another one than that of the carrier's standard LTL freight.
const (
	territory kind = "another territory"
	service   kind = "another service"
	party     kind = "another party"
	programme kind = "a programme of some customers"
	charge    kind = "another charge"
	unit      kind = "another unit"
	edition   kind = "no figures in force"
)

// foreignWords are single words of each kind, in lower case.
var foreignWords = index(map[kind]string{
	territory: `
		alabama alaska alaskan arizona arkansas california colorado connecticut delaware florida georgia hawaii
		hawaiian idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota
		mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont
		virginia washington wisconsin wyoming dakota carolina hampshire jersey columbia
		canada canadian canadien canadienne cdn transborder crossborder québec quebec ontario alberta manitoba
		saskatchewan newfoundland labrador nova scotia brunswick yukon nunavut maritimes maritime atlantic
		mexico mexican mexique méxico guam rico caribbean bahamas bermuda islands island overseas offshore export
		exports import imports europe european asia asian pacific latin america central international global worldwide
		northeast northeastern northwest northwestern southeast southeastern southwest southwestern midwest midwestern
		eastern western northern southern east west north south coastal gulf rocky mountain appalachia appalachian
		midatlantic england tristate panhandle delmarva padd peninsula intrastate regional region regions zone zones
		lane lanes corridor corridors metro metropolitan district districts province provinces provincial territory
		territories york chicago angeles dallas houston atlanta miami denver seattle boston philadelphia phoenix toronto
		montreal vancouver juneau anchorage honolulu`,
	service: `
		expedited expedite expediting guaranteed guarantee volume spot density cubic cube cubed ground air
		airfreight ocean lcl fcl parcel parcels package packages drayage dray intermodal rail railway boxcar flatbed
		reefer refrigerated refrigeration frozen chilled chill heated temperature temp cold perishable perishables
		partial ptl heavyweight oversize oversized overdimensional dedicated fleet hazmat hazardous dangerous
		residential residence residences household doorstep threshold glove courier messenger
		sameday overnight deferred economy premium priority critical urgent rush expedite 
		tradeshow tradeshows exhibition exhibitions convention container containers containerized trailer trailers 
		 tanker tank liquid auto automotive vehicle vehicles boat machinery warehousing warehouse storage
		fulfillment consolidation consolidated pooled pool retail grocery lastmile linear
		livestock furniture appliance appliances medical pharmaceutical pharma wine tobacco government military
		relocation van vans charter teams hotshot sprinter cartage shuttle
		specialty specialized special customs bonded transload transloading crossdock quote quoted`,
	party: `
		broker brokers brokered brokerage affiliate affiliates affiliated partner partners partnered subsidiary subsidiaries
		sister sisters agent agents 3pl 4pl interline interlined interlining logistics predecessor successor
		division divisions vendor vendors franchise franchisee contractor contractors 
		employee employees reseller resellers forwarder forwarders intermediary intermediaries tpl outsourced
		subcontractor subcontractors subcontracted alliance alliances cooperative coop acquired legacy
		competitor competitors industry benchmark formerly former`,
	programme: `
		account accounts agreement agreements contract contracts contractual contracted negotiated member members
		membership preferred promotional promotion promo loyalty rewards bid bids rfp gsa gsas association associations
		enrolled enrollment subscriber subscribers tender tendered exclusive vip platinum gold silver corporate enterprise
		 pilot program programme opted `,
	charge: `
		peak seasonal season accessorial accessorials security insurance detention layover redelivery reconsignment
		congestion environmental carbon emission emissions tax taxes toll tolls gri gris 
		cap caps capped ceiling discount discounts rebate rebates reduction reductions reduced deduct deducted deduction
		deductions saving savings credit credits refund refunds utilization utilisation efficiency mpg ontime performance damage 
		satisfaction border handling wage wages labour capacity pandemic covid
		war emergency disaster weather winter hurricane inflation cpi ppi gdp margin profit markup commission escrow interest
		finance financing late nsf growth variance difference differences`,
	unit: `
		mile		 miles mileage cpm rpm kilometer kilometers kilometre kilometres km cwt hundredweight litre litres liter liters
		kg kilo kilogram kilograms tonne tonnes pesos euro euros`,
	edition: `
		sample samples example examples estimate estimated estimates estimation forecast forecasted forecasts projected
		projection projections preliminary draft proposed proposal hypothetical illustrative illustration illustrations
		superseded obsolete discontinued retired lorem ipsum dolor test testing demo dummy placeholder fictitious
		calculator simulation simulated scenario scenarios simulated anticipated expected tentative unofficial provisional
		archived outdated invalid`,
})

// foreignPhrases are words that qualify only together.
var foreignPhrases = map[kind][]string{
	territory: {
		"puerto rico", "virgin islands", "cross border", "new england", "new york", "new jersey", "new mexico",
		"united kingdom", "south america", "los angeles", "pacific rim", "rocky mountain", "off shore", "far west",
		"outside the", "within the state", "border states",
	},
	service: {
		"full load", "truck load", "time definite", "time critical", "same day", "next day", "final mile", "last mile", "white glove",
		"trade show", "home delivery", "moving service", "moving services", "team service", "team drivers", "final mile", "local delivery", "two man", "freight box", "flat rate box", "box shipments", "bulk freight", "inside delivery", "to the door", "two person", "heavy haul", "over dimensional", "step deck",
		"cubic foot", "linear feet", "linear foot", "lift gate", "limited access", "or more", "and over", "20 000 lbs",
		"drop trailer", "space based", "dimensional pricing",
	},
	party: {
		"third party", "third parties", "hand to", "handed to", "on behalf of", "owner operator", "non asset", "other carriers", "all carriers",
		"carriers in", "average of carriers",
	},
	programme: {"customer specific", "your pricing", "online bookings", "booked online", "select customers", "certain customers"},
	charge: {
		"load factor", "general rate", "rate increase", "rate increases", "in addition to fuel", "other than fuel", "not fuel", "up to",
		"the most you", "year over", "same week last", "versus", "vs", "compared to", "compared with", "percent change", "percentage change",
		"percentage changes", "off the", "minimum charge", "customer satisfaction", "base rate", "base rates", "not to exceed", "no more than",
	},
	unit:    {"per mile", "cents per", "per pound", "per hundred", "per shipment", "per load", "per cwt", "per hour", "per stop"},
	edition: {"for example", "no longer", "not yet", "last year", "page is not"},
}

// plainWords are words of titles and sentences that change nothing. The vocabulary of headings adds its own.
var plainWords = indexPlain(`
	a about above accept accordance according account-holder accuracy accurate across add added additional adjust adjusted adjusts
	adjustments after again agree ahead all along also always am america's among amounts an and announce announcement announcements
	annual another answer answers any apply applied applies applicable application archive archives are area areas around as ask asked assess
	assesses assessing assist assistance at authority automatically available back band bands bases basic
	basis be become becomes been before begin beginning begins being below between bill billed billing bills book both bracket brackets
	browse business businesses but buy by calculate calculated calculates calculating call can cannot carried carrier carriers carry
	center centre chart charts charged charging charges check choose claim claims class click close closed code codes
	come comes commodities company companies compare compliance conditions consult contact contents continue convenience
	copy copyright corp corporation correct corrected correction cost costs could country cover covers current currently customer
	customers cycle daily data databases date dates day days default delivered delivery depend depends describe description detail
	details determine determined determines different direct directory disclaimer discrepancy display displayed displays do document
	documents does dollars domestic done dot down download downloads during each earlier earliest early easily easy edition
	effect effective eia email emailed emails end ending ends energy english enter entire errors establish established estes et
	etc event every example's exact exceed excel expedient explain explained explanation fact facts faq faqs federal feel few
	figure figures file files find first fiscal five fluctuate fluctuates fluctuating fluctuation fluctuations follow followed following follows
	footnote for form format formula found four free freight frequent frequently from ft fuel full fully further future fuels general
	generally get give given glance go going good govern governed governing governs group guide had has have having header help helpful
	helps her here higher highest highway highways history historic historical hold holidays home-page hours how however if
	improve inc incl include included includes including index indexes indices individual info inform information informational initial inquire inquiries
	interactive internet into invoice invoiced invoices is issued it item items its journal just keep kept know known
	largest last-updated later latest law learn least legal less let letter level library line lines link linked links list listed
	listing listings lists live llc log login lookup low lower lowest ltd made mail main maintain maintained make makes making manage manner
	many map market may me means measured measures media meet menu method methodology midnight might min mini mode modes monitor month monthly
	months more most motor mount move moved moves multiple multiplied must my name names nation nationwide national near necessary need net
	new news newest newsroom next no non normal normally not note noted notes notice notices notification notified notify now number
	numbers obtain occur of off office offices official often old older omissions on once one online only open operations option options or
	order orders org original other otherwise our out over overview own owned page pages paid paper part parts party pass past pay
	payable payment pays pdf people per percent percentage percentages period periods permit phone pick picked pickup place please plus
	point points policies policy portal possible post posted posting power practice present previous previously price priced prices pricing
	print printable printed prior privacy procedure procedures process product products protect provide provided provides providing public publication
	publications published publisher publishes publish purpose purposes question questions quick quickly range ranges rate rated rates rating re read
	reading ready receive received recent recently record reference references refer referred reflect reflected reflects regarding
	register regular regularly related release released relevant remain remains reply report reported reports represent request requests
	require required reserve reserved reserves resource resources respective respond result results retain revised
	revenue review reviewed reviews right rights road row rows rule rules running same saturday save schedule schedules
	scheduled search section sections see select selected send separate separately september series serve served
	serves service services set sets several share sheet sheets ship shipment shipments shipped shipper shippers shipping ships should
	show showing shown shows side simple simply since single site six size so sold solutions some soon source sources
	specific speak stand standard start starting starts statement statements states stay still street subject
	submit subscribe such summary sum supersede supersedes support surcharge surcharges survey system tab
	table tables take taken takes tariff tariffs team-member technology tell ten term terms text than that the their them then there thereafter
	therefore these they third this those three through throughout thru time times tip title to today together tomorrow tool tools top
	total track tracking trade-mark transit transport transportation trend trends trucking trucks trust try turn two type types under unless until up upcoming update updated
	updates upon us usa usage use used user users uses using usually valid value values vary varies version versions via
	view viewed viewing views visit wait want was way we web website websites week weekday weekly weeks weight welcome well were what
	when whenever where whether which while who whole why will wish with within without word work works would write written www year
	years yes yesterday yet you your zip zone-free
	adminstration administration department doe diesel gallon gallons gal gasoline linehaul linehauls haul hauled less-than-truckload ltl load loads
	continental contiguous 48 lower conterminous interstate domestic-us united
	monday tuesday wednesday thursday friday sunday january february march april june july august october november
	december jan feb mar apr jun jul aug sep sept oct nov dec labor-day christmas thanksgiving memorial independence holiday
	burn burned burns busy buying calendar called carefully changing change changed changes chat clear column columns common complete compute computed
	constantly consumer consumption cover-page currently-in custom-er deliver deliveries depending easier ensure exactly fair fairly fast fees
	fee finder five-day flat fleetwide fluctuated fuel's glad green guess hand hello immediate impact impacts increase increased increases
	decrease decreased decreases instead invoice's keeping largely lookups math mission modern nice offset offsets one-time operate operating
	others overall particular passes percentage-based picking plain policies-and pump purchase pumps questions-or quarter quarterly quality rapidly rather
	reason recover recovers recovering refundable refunded safe safety seal seven short slavery small
	smart someone stable stop straight supplier sure suspend swings third-quarter tied thank thanks tiered trusted truck understand unit unusual
	volatile volatility volatile-fuel watch weekly-updated wide worry
	department's administration's u.s s t re ve ll d m p ad o n j e-mail mailto com http https aspx html jsp pdfs xls xlsx csv
	highest-level hwy avg average averages averaged nat nat'l natl fsc fscs pct cents dollar usd penny tenth hundredth rounded round
	effectively thereof herein hereby hereof thereto pursuant notwithstanding applicable-to liable liability responsible discretion reserves-the
	accountable sole guarantee-of privacy-policy cookie cookies consent
	faq-s infographic glossary terms-of-use basics explained-here center's headquarters
	lead leader leading reliable award awards winning named-one nation's proud since-then family
	discounted gross linehaul-charge freight-bill bol lading waybill nmfc czar czarlite smc3 fak tariff's item's
	fraction fractions decimal decimals ratio divided multiplied multiply multiplier
	acf node nodes edge edges data item items result results record records content contents property properties attribute attributes
	field fields payload body response list lists entry entries feed object objects root collection array
	retail on-highway ulsd no number-2 petroleum crude oil barrel barrels fossil regulations regulation
	`)

func index(lists map[kind]string) map[string]kind {
	all := map[string]kind{}
	for k, list := range lists {
		for word := range strings.FieldsSeq(list) {
			all[word] = k
		}
	}
	return all
}

func indexPlain(list string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}
