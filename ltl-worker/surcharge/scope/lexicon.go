package scope

import "strings"

// kind is what sort of qualifier a word is.
type kind string

// The kinds of qualifiers that make a table another one than that of the carrier's standard LTL freight.
const (
	territory kind = "another territory"
	service   kind = "another service"
	goods     kind = "a part of the shipments"
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
		virginia washington wisconsin wyoming dakota carolina hampshire jersey columbia canada canadian canadien
		canadienne cdn transborder crossborder québec quebec ontario alberta manitoba saskatchewan newfoundland
		labrador nova scotia brunswick yukon nunavut maritimes maritime atlantic mexico mexican mexique méxico guam
		rico caribbean bahamas bermuda islands island overseas offshore export exports import imports europe european
		asia asian pacific latin america central international global worldwide northeast northeastern northwest
		northwestern southeast southeastern southwest southwestern midwest midwestern eastern western northern
		southern east west north south coastal gulf rocky mountain appalachia appalachian midatlantic england tristate
		panhandle delmarva padd peninsula intrastate regional region regions zone zones lane lanes corridor corridors
		metro metropolitan district districts province provinces provincial territory territories york chicago angeles
		dallas houston atlanta miami denver seattle boston philadelphia phoenix toronto montreal vancouver juneau
		anchorage honolulu`,
	service: `
		expedited expedite expediting guaranteed guarantee volume spot density cubic cube cubed ground air airline airlines airfreight
		ocean lcl fcl parcel parcels package packages drayage dray intermodal rail railway boxcar flatbed reefer
		refrigerated refrigeration frozen chilled chill heated temperature temp cold perishable perishables freezing freezable insulated climate partial
		ptl heavyweight oversize oversized overdimensional dedicated hazmat hazardous dangerous residential
		residence residences household doorstep threshold glove courier messenger sameday overnight deferred economy
		premium priority critical urgent rush tradeshow tradeshows exhibition exhibitions convention container
		containers containerized trailer trailers tanker tank liquid auto automotive vehicle vehicles boat machinery
		warehousing warehouse storage fulfillment consolidation consolidated pooled pool retail grocery lastmile
		linear livestock furniture appliance appliances medical pharmaceutical pharma wine tobacco government military
		relocation relocations relocate relocating movers mover belongings apartment apartments homes houses families van vans charter teams hotshot sprinter cartage shuttle specialty specialized special customs
		bonded transload transloading crossdock quote quoted`,
	party: `
		broker brokers brokered brokerage affiliate affiliates affiliated partner partners partnered subsidiary
		subsidiaries sister sisters agent agents 3pl 4pl interline interlined interlining logistics predecessor
		successor division divisions vendor vendors franchise franchisee contractor contractors employee employees
		reseller resellers forwarder forwarders intermediary intermediaries tpl outsourced subcontractor
		subcontractors subcontracted alliance alliances cooperative coop acquired legacy competitor competitors
		industry benchmark formerly former`,
	programme: `
		account accounts agreement agreements contract contracts contractual contracted negotiated member members
		membership preferred promotional promotion promo loyalty rewards bid bids rfp gsa gsas association
		associations enrolled enrollment subscriber subscribers exclusive vip platinum gold silver
		corporate enterprise pilot  programme opted`,
	charge: `
		peak seasonal season accessorial accessorials security insurance detention layover redelivery reconsignment
		congestion environmental carbon emission emissions tax taxes toll tolls gri gris cap caps capped ceiling
		discount discounts rebate rebates reduction reductions reduced deduct deducted deduction deductions saving
		savings credit credits refund refunds utilization utilisation efficiency mpg ontime performance damage
		satisfaction allowance allowances border handling wage wages labour capacity pandemic covid war emergency disaster weather winter
		hurricane inflation cpi ppi gdp margin profit markup commission escrow interest finance financing nsf growth
		variance difference differences`,
	unit: `
		mileage cpm rpm kilometer kilometers kilometre kilometres km cwt hundredweight litre litres liter
		liters kg kilo kilogram kilograms tonne tonnes pesos euro euros`,
	edition: `
		sample samples example examples estimate estimated estimates estimation forecast forecasted forecasts
		projected projection projections preliminary draft pending proposed proposal hypothetical illustrative illustration
		illustrations superseded obsolete discontinued retired lorem ipsum dolor test testing demo dummy placeholder
		fictitious calculator simulation simulated scenario scenarios anticipated expected tentative unofficial
		wayback capture captures expired planned planning intended contemplated suggested recommended target targeted disputed backtest budget budgeted
		budgetary budgeting whatif provisional archived outdated invalid sandbox staging uat qa training outlook forecaster suppose imagine pretend
		erroneous erroneously mistakenly void voided cancelled canceled withdrawn rescinded randomized random mock fake synthetic development`,
})

// foreignPhrases are words that qualify only together.
var foreignPhrases = map[kind][]string{
	territory: {
		"puerto rico", "virgin islands", "cross border", "new england", "new york", "new jersey", "new mexico",
		"united kingdom", "south america", "los angeles", "pacific rim", "rocky mountain", "off shore", "far west",
		"outside the", "within the state", "48 excluded", "states excluded", "border states",
	},
	service: {
		"full load", "truck load", "must arrive", "two day", "three day", "arrive by", "deliver by", "time definite", "time critical", "same day", "next day", "final mile", "last mile", "white glove",
		"do it yourself", "moving yourself", "move yourself", "moved yourself", "pack yourself", "self move", "self moves", "your move", "your home",
		"new home", "home move", "home moves", "home moving", "house move", "house moves", "house moving", "moving house", "moving home", "moving company", "moving companies",
		"moving day", "moving truck", "moving trucks", "moving cost", "moving costs", "moving rates", "moving container", "moving containers", "moving customers",
		"consumer moves", "consumer move", "local moves", "local move", "long distance", "u pack", "u haul", "personal effects", "personal goods", "personal property",
		"trade show", "home delivery", "after hours", "off hours", "moving service", "moving services", "team service", "team drivers", "final mile", "local delivery", "two man", "freight box", "flat rate box", "box shipments", "bulk freight", "inside delivery", "to the door", "two person", "heavy haul", "over dimensional", "step deck",
		"cubic foot", "linear feet", "linear foot", "lift gate", "limited access", "drop trailer", "space based", "dimensional pricing",
	},
	goods: {
		"or more", "skids and more", "pallets and more", "and over", "or over", "or greater", "and up", "and above", "and higher", "or higher", "and heavier",
	},
	party: {
		"third party", "third parties", "hand to", "handed to", "on behalf of", "owner operator", "non asset", "other carriers", "all carriers",
		"carriers in", "average of carriers",
	},
	programme: {"customer specific", "good standing", "tender rates", "managed transportation", "tendered under", "tendered via", "tendered through", "customer program", "loyalty program", "savings program", "special program", "pricing program", "discount program", "cap program", "your pricing", "online bookings", "booked online", "pay only", "select customers", "certain customers"},
	charge: {
		"load factor", "cost index", "currency adjustment", "currency surcharge", "maximum fuel", "maximum surcharge", "minimum fuel", "minimum surcharge", "general rate", "rate increase", "rate increases", "in addition to fuel", "other than fuel", "not fuel", "up to",
		"the most you", "at most", "most we", "year over", "same week last", "versus", "vs", "compared to", "compared with", "percent change", "percentage change",
		"percentage changes", "on time", "tariff surcharge", "import tariff", "claims ratio", "claim ratio", "claims free", "market share", "billing accuracy", "operating cost", "operating costs", "operating ratio", "pickup performance", "invoice accuracy", "discounted surcharge", "discounted surcharges",
		"discounted fuel", "discounted rate", "discounted rates", "tariff increase", "tariff increases", "price change", "price increase", "off the", "minimum charge", "customer satisfaction", "base rate", "base rates", "not to exceed", "no more than",
	},
	unit:    {"indexed figures", "indexed values", "indexed numbers", "indexed percentages", "driver pay", "pay table", "pay adjustment", "percent of gross", "we spend", "rates rose", "index points", "index point", "in points", "basis points", "base year", "base period", "index level", "index levels", "per mile", "cents mile", "miles per", "cents per", "per pound", "per hundred", "per shipment", "per load", "per cwt", "per hour", "per stop"},
	edition: {"opening position", "second reading", "under audit", "practice page", "used before", "as at the", "only if the", "replaced by", "made up", "left over", "leftover from", "could have", "would have", "internal use", "for planning", "for reference only", "for example", "no longer", "not yet", "last year", "in error", "by mistake", "will be replaced", "to be replaced", "will be corrected", "being corrected", "page is not"},
}

// notInForcePhrases say of figures that they are not those that are billed, whatever else a sentence says.
var notInForcePhrases = indexPhrases([]string{
	"not be used", "not be relied", "should not rely", "not for billing", "not for billing use", "not for use", "never put", "never in effect", "never took effect",
	"not in effect", "not in force", "not been adopted", "not adopted", "not been approved", "not approved", "not final", "not official",
	"not actual", "not real", "no longer maintained", "no longer updated", "no longer current", "no longer valid", "no longer in effect", "no longer in force",
	"are made up", "is made up data", "might look", "would look", "will look like", "could look", "what if", "would apply", "might apply", "would have", "had it been", "if adopted", "if approved", "cached copy", "wayback machine", "web archive", "internal use", "under review",
	"under consideration", "have proposed", "has proposed", "we propose", "not yet approved", "yet approved", "yet adopted", "considering a new",
	"considering the scale", "considering the schedule", "considering the table", "it adopted", "it approved", "awaits a decision", "awaiting a decision", "pending a decision",
	"may replace ours", "may replace our", "was rejected", "were rejected", "board approval", "will be if", "would yield", "is adopted", "is approved", "were adopted", "as they would be", "would be under", "would show", "would read", "would result", "is incorrect", "are incorrect", "was incorrect", "were incorrect", "listed incorrectly", "shown incorrectly", "posted incorrectly",
	"published incorrectly", "is wrong", "are wrong", "was wrong", "were wrong", "please disregard", "subject to approval", "pending approval", "awaiting approval", "await approval", "out of date",
})

// phrase is words that qualify only together.
type phrase struct {
	words []string
	kind  kind
}

// phrasesFrom are foreignPhrases by their first word.
var phrasesFrom = func() map[string][]phrase {
	all := map[string][]phrase{}
	for k, phrases := range foreignPhrases {
		for _, text := range phrases {
			words := strings.Fields(text)
			all[words[0]] = append(all[words[0]], phrase{words, k})
		}
	}
	return all
}()

// brands are names of carriers and other companies of the trade. On the page of a carrier that is known by name they are those
// of others.
var brands = indexPlain(`
		abf arcbest averitt dominion estes fedex odfl rlc saia sefl tforce xpo rxo gxo menlo panther molo upack yrc yellow reddaway roadrunner purolator
		manitoulin polaris linkex schneider werner swift amazon uber landstar coyote usps ups dhl ryder penske lineage maersk jbhunt
		holland dayton cargill walmart costco forwarding nvocc`)

// plainWords are words of titles and sentences that change nothing. The vocabulary of headings adds its own.
var plainWords = indexPlain(`
	ordinary indexed definite fragment fragments component components widgets module modules block blocks layout
	gov com org net www vice holdings
	txt htm rpt epa beware phishing maintenance password passwords
	axis safely instant featured sponsored advertisement sync ref
	google recaptcha captcha guest guests cdl tag tags topic topics category categories expert experts nasdaq nyse server build quest quality staff admin
	sortable ascending descending
	life coverage sustainability doc series hidden force bold shaded highlighted italic skip logged prevail prevails trailing asterisk traffic servlet jsp aspx php dataset datasets axis asp cfm cgi shtml cshtml inquiry enquiry secure language languages state unspecified public external
	moving travel traveling originating
	bookmark bookmarks founded
	tender tendered tenders tendering home recovery matrix alert alerts important denotes indicates indicated denote investor investors
	relations careers terminal terminals weighing weigh weighs fy ytd replaces replace cancel falls fall rises rise rose
	eased eases edged edges inched inches ticked slipped slips slid retreated retreats rebounded rebounds softened softens firmed tumbled plunged slumped jumped
	drops drop dropped fell climb climbs decline declines declined soared sharply summer spring autumn fall winter outage outages refinery
	oil market markets volatile decade cent cents mill mills increment increments step steps threshold thresholds trigger triggers
	triggered peg pegged pegs baseline floor minimums absolute rounding typographical typo believed
	believe reflects represent represents percentagepoint percentagepoints decide decides governs controls controlling conflict
	executive executives representative representatives team teams sales marketing billing finance pricing dept desk hotline
	helpline toll chat monday mondays tuesday tuesdays wednesday wednesdays thursdays fridays saturdays sundays weekend weekends
	morning afternoon evening midnight holiday observed observance labor memorial juneteenth veterans thanksgiving
	approximately approx roughly about around once twice per annum biweekly fortnight quarterly annually
	pick picks type types enter submit go reset clear apply cancel save choose expand all collapse view hide show less more
	welcome overview introduction intro background summary details highlights notes remarks comments legend key glossary
	explainer explained understanding learn knowledge education academy blog article articles post posts press releases media
	story stories event events podcast video videos webinar webinars whitepaper whitepapers
	loading please wait javascript enable enabled disabled browser supported support javascript required
	charge chg amt pct dollars usd lbs pounds weight weights equals equal multiply multiplied times plus minus divided sum
	tractor tractors fleetwide mileage fuel fueling refuel station stations pump mpg burn
	glance center centre hub portal gateway suite app application applications mobile desktop tablet device
	look looking looks find choose pick type xml csv json rss feed below above thank thanks jump select
	scope bulletin bulletins advisory advisories tracker desk corner snapshot digest dashboard insight insights guide guides handbook
	printer friendly destination origin origins refresh reset sort sorted filter filters keyword go apply loading expand collapse
	toggle accordion panel widget accessibility breadcrumb breadcrumbs tab back top scroll next prev previous entries rows showing
	tariff appendix exhibit attachment section subsection paragraph item items rule clause provision provisions supplement
	amendment amendments revision revisions reissue reissued cancels filing filed file issue issues issuing bureau
	bulleted circular memo memorandum publication governed subject thereunder whereas
	widely used common national standard benchmarked adjusts reset recalculated recalculate computed computation
	props acf payload nodes edges wp json api graphql endpoint response result results items list entries
	january february march april june july august september october november december
	percentagewise linehaul haul net gross invoice invoices billing bill bills rounding nearest tenth hundredth
	wed mon tue thu fri sat sun noon eastern
	collect prepaid program programs authorized
	ago back facebook linkedin twitter youtube instagram share print rev revision oct thursday sign hi thru badge footnotes
	48 a about above accept accordance according accountable accuracy accurate acf across ad add added additional adjust
	adjusted adjustments adjusts administration after again agree ahead all along also always am among whatever whichever whoever
	amounts an and announce announcement announcements annual another answer answers any applicable application applied
	applies apply apr april archive archives are area areas around array as ask asked aspx assess assesses assessing
	assist assistance at attribute attributes aug august authority automatically available average averaged averages avg
	award awards back band bands barrel barrels bases basic basics basis be become becomes been before begin beginning
	begins being below between bill billed billing bills body bol book both bracket brackets browse burn burned burns
	business businesses busy but buy buying by calculate calculated calculates calculating calendar call called can
	cannot carefully carried carrier carriers carry center centre cents change changed changes changing charged charges
	charging chart charts chat check choose christmas claim claims class clear click close closed code codes collection
	column columns com come comes commodities common companies company compare complete compliance compute computed
	conditions consent constantly consult consumer consumption contact content contents conterminous contiguous
	continental continue convenience cookie cookies copy copyright corp corporation correct corrected correction cost
	costs could country cover covers crude csv current currently customer customers cycle czar czarlite d daily data
	databases date dates day days dec december decimal decimals decrease decreased decreases default deliver delivered
	deliveries delivery department depend depending depends describe description detail details determine determined
	determines diesel different direct directory disclaimer discounted discrepancy discretion display displayed displays
	divided do document documents doe does dollar dollars domestic done dot down download downloads during each earlier
	earliest early easier easily easy edge edges edition effect effective effectively eia email emailed emails end
	ending ends energy english ensure enter entire entries entry errors establish established et etc event every
	exact exactly exceed excel expedient explain explained explanation fact facts fair fairly fak family faq faqs fast
	feb february federal fee feed feel fees few field fields figure figures file files find finder first fiscal five
	flat fleetwide fluctuate fluctuated fluctuates fluctuating fluctuation fluctuations follow followed following
	follows footnote for form format formula fossil found four fraction fractions free freight frequent frequently
	friday from fsc fscs ft fuel fuels full fully further future gal gallon gallons gasoline general generally get give
	given glad glance glossary go going good govern governed governing governs green gross group guess guide had hand
	has haul hauled have having header headquarters hello help helpful helps her here hereby herein hereof higher
	highest highway highways historic historical history hold holiday holidays hours how however html http https
	hundredth hwy if immediate impact impacts improve inc incl include included includes including increase increased
	increases independence index indexes indices individual info infographic inform information informational initial
	inquire inquiries instead interactive internet interstate into invoice invoiced invoices is issued it item items its
	j jan january journal jsp jul july jun june just keep keeping kept know known lading largely largest later latest
	law lead leader leading learn least legal less let letter level liability liable library line linehaul linehauls
	lines link linked links list listed listing listings lists live ll llc load loads log login lookup lookups low lower
	lowest ltd ltl m made mail mailto main maintain maintained make makes making manage manner many map mar march market
	math may me means measured measures media meet memorial menu method methodology midnight might min mini mission mode
	modern modes monday monitor month monthly months more most motor mount move moved moves multiple multiplied
	multiplier multiply must my n name names nat nation national nationwide natl near necessary need net new newest news
	newsroom next nice nmfc no node nodes non normal normally not note noted notes notice notices notification notified
	notify notwithstanding nov november now number numbers o object objects obtain occur oct october of off office
	offices official offset offsets often oil old older omissions on once one online only open operate operating
	operations option options or order orders org original other others otherwise our out over overall overview own
	owned p page pages paid paper part particular parts party pass passes past pay payable payload payment pays pct pdf
	pdfs penny people per percent percentage percentages period periods permit petroleum phone pick picked picking
	pickup place plain please plus point points policies policy portal possible post posted posting power practice
	present previous previously price priced prices pricing print printable printed prior privacy procedure procedures
	process product products properties property protect proud provide provided provides providing public publication
	publications publish published publisher publishes pump pumps purchase purpose purposes pursuant quality quarter
	quarterly question questions quick quickly range ranges rapidly rate rated rates rather rating ratio re read reading
	ready reason receive received recent recently record records recover recovering recovers refer reference references
	referred reflect reflected reflects refundable refunded regarding register regular regularly regulation regulations
	related release released relevant reliable remain remains reply report reported reports represent request requests
	require required reserve reserved reserves resource resources respective respond response responsible result results
	retail retain revenue review reviewed reviews revised right rights road root round rounded row rows rule rules
	running s safe safety same saturday save schedule scheduled schedules seal search section sections see select
	selected send sep separate separately sept september series serve served serves service services set sets seven
	several share sheet sheets ship shipment shipments shipped shipper shippers shipping ships short should show showing
	shown shows side simple simply since single site six size slavery small smart smc3 so sold sole solutions some
	someone soon source sources speak specific stable stand standard start starting starts statement statements states
	stay still stop straight street subject submit subscribe such sum summary sunday supersede supersedes supplier
	support surcharge surcharges sure survey suspend swings system t tab table tables take taken takes tariff tariffs
	technology tell ten tenth term terms text than thank thanks thanksgiving that the their them then there thereafter
	therefore thereof thereto these they third this those three through throughout thru thursday tied tiered time times
	tip title to today together tomorrow tool tools top total track tracking transit transport transportation trend
	trends truck trucking trucks trust trusted try tuesday turn two type types u.s ulsd under understand unit united
	unless until unusual up upcoming update updated updates upon us usa usage usd use used user users uses using usually
	valid value values varies vary ve version versions via view viewed viewing views visit volatile volatility wait want
	was watch way waybill we web website websites wednesday week weekday weekly weeks weight welcome well were what when
	whenever where whether which while who whole why wide will winning wish with within without word work works worry
	would write written www xls xlsx year years yes yesterday yet you your zip`)

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
