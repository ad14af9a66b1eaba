package scope

import (
	"regexp"
	"slices"
	"strings"
)

// neutral are phrases that leave the figures as they are, though words of them qualify figures elsewhere, with what stands in their place when
// a text is judged. Each phrase has one of the words, in small letters: most texts have none, and are not searched.
var neutral = []struct {
	words  []string
	phrase *regexp.Regexp
	with   string
}{
	// "User: GUEST Terminal: WEB": what the screen of a terminal says of who looks at it.
	{[]string{":"}, regexp.MustCompile(`(?i)\b(?:user|terminal|session|operator|host|device|profile|log-?on|sign-?on)(?: ?id)?: ?` +
		`(?:guest|web|www|public|anonymous|internet|visitor|online|default|none)\b`), ""},
	// "direct points and partner points": all points that a carrier reaches, by itself and with others.
	{[]string{"direct"}, regexp.MustCompile(`(?i)\bdirect(?: points?| service)? ?(?:and|&|/|,|or) ?(?:all |our )?` +
		`(?:partner|interline|indirect|joint[- ]line|agent|beyond)(?: points?| service| areas?)\b`), "all points"},
	// "within the 48 contiguous states, Canada and Mexico": ours and other territories alike. "Between the United States and Canada" is another one.
	{[]string{"canada", "mexico", "alaska", "hawaii", "puerto rico"}, regexp.MustCompile(`(?i)\b(?:within|throughout|across|in|serving|to all points in) ` +
		`(?:(?:all of )?the )?(?:48 (?:contiguous )?|contiguous |continental )?(?:united states|states|usa?\b|u\.s\.)(?:, (?:and )?| and | & )` +
		`(?:(?:canada|mexico|alaska|hawaii|puerto rico)(?:, (?:and )?| and | & )?)+\b`), "within all points "},
	// "170-AB": the numbers of tariffs.
	{[]string{"-"}, regexp.MustCompile(`\b\d{2,4}-[A-Z]{1,2}\b`), " "},
	// "Form F-117", "Doc ID PRC-0042": the numbers of papers.
	{[]string{"form", "doc", "publication", "bulletin", "memo", "ref"},
		regexp.MustCompile(`\b(?i:form|doc(?:ument)?(?: id)?|publication|bulletin|memo|ref)\.? (?i:no\.? ?|# ?)?[A-Z]{1,5}[- ]?\d[\w-]*`), ""},
	// The addresses of mail and of pages.
	{[]string{"@", "://"}, regexp.MustCompile(`\S+@\S+|https?://\S+`), ""},
	// ", down from 31.85% last week": the percent of the week before, with which one is compared.
	{[]string{"%", "percent"}, regexp.MustCompile(`(?i),? \(?(?:down from|up from|(?:compared (?:with|to)|versus|vs\.?) \d[\d.]* ?(?:%|percent) (?:last|the previous|the prior) week|` +
		`compared (?:with|to) \d[\d.]* ?(?:%|percent) (?:the week before|a week (?:ago|earlier))) ?(?:\d[\d.]* ?(?:%|percent))?(?: last week| the week before| the (?:previous|prior) week)?\)?`), ""},
	// "issue 47 / 2026", "Vol. 12, No. 3": the numbers of what appears again and again.
	{[]string{"issue", "dition", "ol. ", "olume "}, regexp.MustCompile(`(?i),? ?\bvol(?:ume)?\.? ?\d{1,3},? (?:[–—-] )?(?:issue|number|no\.?) ?#?\d{1,3}\b|` +
		`,? ?\b(?:issue|edition)(?: number| no\.?)? ?#?\d{1,3}\b(?: ?/ ?20\d\d\b)?`), " "},
	// "rates, which assume a baseline of $1.10 a gallon".
	{[]string{"assume"}, regexp.MustCompile(`(?i)\bassumes? a (?:base|baseline)(?: price)? of \$`), "have a base of $"},
	// "up to the border".
	{[]string{"up to the"}, regexp.MustCompile(`(?i)\bup to the (?:border|hour|minute)\b`), ""},
	// "billed up to the following Tuesday", "up to date", "The table goes back up to a year".
	{[]string{"up to"}, regexp.MustCompile(`(?i)\bup[- ]to[- ](?:date|the[- ]minute)\b|\bup to (?:and including )?(?:the )?(?:following |next |coming |same )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|` +
		`\bback up to (?:an?|one|two|three|\d{1,3}) (?:weeks?|months?|years?)\b`), ""},
	// "also in peak season", "in winter as in summer".
	{[]string{"season", "winter"}, regexp.MustCompile(`(?i),? (?:also|even|as well) (?:in|during) (?:the )?(?:peak|holiday|busy|slow) seasons?\b|,? in winter (?:as (?:well as )?in|and(?: in)?) summer\b`), ""},
	// "Winter weather advisory: terminals in Buffalo open two hours late".
	{[]string{"weather"}, regexp.MustCompile(`(?i)\b(?:winter |severe )?weather (?:advisory|alert|watch|update|delays?): [^.%]{0,90}`), ""},
	// "Forecasts of diesel prices are published by the agency", "We publish no estimates", "its sample of stations".
	{[]string{"forecast", "estimate", "sample"}, regexp.MustCompile(`(?i)\b(?:forecasts?|estimates?) of (?:the )?(?:diesel|fuel|oil) prices?\b|\b(?:publish|post|print|give|show) no (?:forecasts?|estimates?)\b|\bsamples? of (?:\w+ )?(?:stations|outlets|retailers)\b`), ""},
	// "The percentages for Alaska and Hawaii are on a page of their own", "Expedited shipments have a table of their own".
	{[]string{"of their own", "of its own", "own page"}, regexp.MustCompile(`(?i)(?:\b(?:the )?(?:percentages|surcharges?|rates|figures|tables?) (?:for|of) [^.;%]{3,60} (?:are|is|stands?) on (?:a page of (?:their|its) own|(?:their|its) own page)|` +
		`\b[\w-]+ (?:shipments|customers|freight|moves) ha(?:s|ve) a (?:table|page|schedule) of (?:their|its) own)\b`), ""},
	// "Last year the surcharge was changed 52 times", "Compared to last week the surcharge is 0.4 points lower".
	{[]string{"last year", "last week"}, regexp.MustCompile(`(?i)\blast year (?:the|our) (?:ltl )?(?:fuel )?(?:surcharge|percentage) (?:was )?changed \w+ times\b|` +
		`\bcompared (?:to|with) last week,? (?:the|our) (?:ltl )?(?:fuel )?(?:surcharge|percentage) is [\d.]+ (?:percentage )?points? (?:lower|higher)\b`), ""},
	// "Self-service cash prices, taxes included".
	{[]string{"self"}, regexp.MustCompile(`(?i)\bself[- ]serv(?:e|ice)\b`), ""},
	// "Multiply the charge by the percentage and divide by 100".
	{[]string{"divide"}, regexp.MustCompile(`(?i),? (?:and|then|and then) divide(?: the (?:result|product))? by (?:100|one hundred|a hundred)\b`), ""},
	// "We know that your budget depends on numbers you can trust".
	{[]string{"budget"}, regexp.MustCompile(`(?i)\byour (?:freight |shipping |transportation )?budgets?\b`), "your costs"},
	// "The same percentage applies at night and on weekends".
	{[]string{"night"}, regexp.MustCompile(`(?i)\bat night\b`), ""},
	// "No fuel surcharge is charged on storage".
	{[]string{"o fuel surcharge", "o surcharge"}, regexp.MustCompile(`(?i)\bno (?:ltl )?(?:fuel )?surcharge is (?:charged|due|added|applied|billed) (?:on|to|for) ` + accessorials + `\b`), ""},
	// "Spot quotes already include fuel".
	{[]string{"uote"}, regexp.MustCompile(`(?i)\b(?:spot|volume|online|rate)(?: ltl)? quotes (?:already |always )?include (?:the )?(?:fuel|current (?:fuel )?surcharge)\b`), ""},
	// "Now hiring dock workers in Memphis".
	{[]string{"hiring"}, regexp.MustCompile(`(?i)\b(?:we are |we're )?(?:now )?hiring\b[^.;:%|]{0,60}`), ""},
	// "Ignore the TL column for LTL freight".
	{[]string{"gnore the"}, regexp.MustCompile(`(?i)\bignore the (?:tl|truckload) (?:column|figures|percentages?)(?: for (?:your )?ltl(?: freight| shipments)?)?`), ""},
	// "What if my invoice shows another percentage?"
	{[]string{"hat if "}, regexp.MustCompile(`(?i)\bwhat (?:happens )?if (?:my|the|our|your) (?:invoice|bill|freight bill)\b[^?]{0,80}\?`), ""},
	// "Shipments to and from Canada use the Canadian table".
	{[]string{"canada", "mexico", "alaska", "hawaii", "uerto"}, regexp.MustCompile(`(?i)\b(?:shipments|freight) (?:to|from)(?: (?:and|or|and/or) (?:to|from))? (?:canada|mexico|alaska|hawaii|puerto rico)` +
		`(?:,? (?:and|or) (?:mexico|hawaii|alaska|canada))? (?:uses?|ha(?:s|ve)|takes?|follows?|(?:is|are) (?:on|in|under)) (?:the|an?|our|their) (?:canadian|mexican|other|separate|different|own) (?:table|page|schedule|tariff)\b`), ""},
	// "Published by the Rate Department".
	{[]string{" by "}, regexp.MustCompile(`(?i)\b(?:published|issued|prepared|maintained|posted) by (?:the |our )?(?:rates?|pricing|tariff|traffic|publications?) (?:department|dept\.?|team|bureau|office|group)\b`), ""},
	// "If the average exceeds the highest price in the table, add 0.4% for each 5 cents".
	{[]string{"highest", "last price", "top of the"}, regexp.MustCompile(`(?i)\b(?:if|when|where) the (?:average|price|index)(?: price)? (?:exceeds|is above|rises above|goes above|is higher than) the (?:highest|last|top)[^.;%]{0,40}, ` +
		`add [\d.]+ ?(?:%|per ?cent|points?|percentage points?) for (?:each|every) [^.;%]{1,40}`), ""},
	// "The surcharge is applied per shipment on the freight bill".
	{[]string{"per shipment"}, regexp.MustCompile(`(?i)\b(?:applied|added|charged|calculated|assessed) per shipment\b`), "applied"},
	// "Source data: EIA series EMD_EPD2D_PTE_NUS_DPG".
	{[]string{"series"}, regexp.MustCompile(`(?i)\b(?:eia )?series(?: id)?:? [A-Z]{2,4}[_.][A-Z0-9_.]+`), "EIA"},
	// "The surcharge does not apply to accessorial charges or to declared value charges".
	{[]string{"not apply to", "not applied to", "not applicable to", "not charged on"}, regexp.MustCompile(`(?i)\b(?:(?:do|does) not apply|is not (?:applied|applicable|charged)) (?:to|on) (?:any )?` + accessorials +
		`,? (?:or|and|nor) (?:to |on )?(?:any )?(?:declared value|insurance)(?: charges?| fees?)?`), ""},
	// "Nothing is added to these percentages".
	{[]string{"othing is added"}, regexp.MustCompile(`(?i)\bnothing is added to (?:these|the|our) (?:percentages|figures|rates)\b`), ""},
	// "all weights under 20,000 lb".
	{[]string{"lb", "pounds"}, regexp.MustCompile(`(?i)\ball (?:classes and (?:all )?)?weights (?:under|below|up to|less than) (?:1\d|2\d),000 ?(?:lbs?\.?|pounds)`), "all weights"},
	// "Published under the authority of the Vice President of Pricing", "Reviewed by: J. Whitfield, Director of Pricing".
	{[]string{"authority of", "irector", "resident"}, regexp.MustCompile(`(?i)\b(?:(?:published|issued) under the authority of (?:the )?|(?:reviewed|approved|issued|prepared) by:? (?:[A-Z]\. ?)*[A-Z]\w+, )` +
		`(?:senior |executive |assistant )*(?:vice president|director|manager|vp)(?:,? (?:of )?(?:pricing|rates|tariffs?|traffic|yield management|pricing and traffic))`), ""},
	// "Rates desk: 800-765-7242, option 3".
	{[]string{"desk", "hotline", "helpline"}, regexp.MustCompile(`(?i)\b(?:rates?|pricing|tariff|fuel|billing) (?:desk|hotline|helpline|line):? [\d().+ -]{7,}(?:,? (?:option|ext\.?|extension) \d+)?`), ""},
	// "Index value as published, not rounded".
	{[]string{"not rounded"}, regexp.MustCompile(`(?i)\b(?:index|price)(?: value)? as published,? not rounded\b`), ""},
	// "Fuel on spot quotes is included in the quote", "Estimate your charges with our calculator".
	{[]string{"quotes is included", "quotes are included", "stimate your"}, regexp.MustCompile(`(?i)\bfuel on (?:spot|volume) quotes is included in the quote\b|` +
		`\bestimate your (?:total )?(?:charges?|costs?|shipment|freight charges?)(?: (?:with|using|in) (?:our|the) (?:rate )?(?:calculator|tool|rate tool))?`), ""},
	// "Do you pay fuel on detention? No."
	{[]string{"? No", "? no"}, regexp.MustCompile(`(?i)\bdo (?:you|i|we) pay (?:the )?(?:fuel|surcharge|fuel surcharge) on ` + accessorials + `\? no\b\.?`), ""},
	// "Peak season surcharges of parcel carriers do not concern LTL freight".
	{[]string{"do not concern", "do not affect"}, regexp.MustCompile(`(?i)\b(?:peak season |holiday |demand )?surcharges of (?:parcel|other) carriers (?:do not|don't) (?:concern|affect) ltl(?: freight| shipments)?\b`), ""},
	// "Fraud alert", "Fake carrier warning".
	{[]string{"raud", "FRAUD", "fake", "Fake", "cam "}, regexp.MustCompile(`(?i)^\W*(?:fraud|scam|fake carrier|phishing) (?:alert|warning|notice|prevention|awareness)\W*$`), ""},
	// "Holiday planning made simple".
	{[]string{"planning"}, regexp.MustCompile(`(?i)\bplanning made (?:easy|easier|simple|simpler)\b`), ""},
	// "This week's fuel surcharge, and the six before it".
	{[]string{"before it"}, regexp.MustCompile(`(?i),? (?:and|with|plus) (?:the |those )?(?:\w+ )?(?:weeks? )?before it\b`), ""},
	// "once your discount has been taken off": what the surcharge is a percent of.
	{[]string{"once "}, regexp.MustCompile(`(?i)\b(?:once|as soon as) (?:your |the |any |all )?(?:waiver or )?discounts?(?: or waivers?)? (?:has been|have been|is|are)(?: taken)? (?:off|out|applied|deducted|subtracted|removed)\b`), ""},
	// "Your discount comes off first".
	{[]string{"discount"}, regexp.MustCompile(`(?i)\b(?:your |the |any )?discounts? (?:comes?|goes|is taken|are taken|is deducted|are deducted) (?:off )?first\b`), ""},
	// "save about four percent of fuel".
	{[]string{"save", "saving"}, regexp.MustCompile(`(?i)\bsav(?:e|es|ed|ing) (?:about |some |up to |nearly |over |around )?[\w.]+ ?(?:%|per ?cent) of (?:our |the )?(?:fuel|diesel)\b`), ""},
	// "up to five percent biodiesel".
	{[]string{"up to"}, regexp.MustCompile(`(?i)\bup to [\w.]+ ?(?:%|per ?cent) (?:biodiesel|ethanol|renewable)`), ""},
	// "every lane in the lower 48".
	{[]string{"lane"}, regexp.MustCompile(`(?i)\b(?:every lane|all (?:our )?lanes|any lane)\b`), "all points"},
	// "From Maine to California one percentage applies."
	{[]string{" one percentage", " one table", "same percentage"}, regexp.MustCompile(`(?i)\bfrom [A-Z]\w+ to [A-Z]\w+,? (?:one|the same) (?:percentage|table) (?:applies|holds|is charged|is used)\b`), "one percentage applies"},
	// "In case of a difference the governing rules tariff prevails."
	{[]string{"governing"}, regexp.MustCompile(`(?i)\bgoverning (?:rules )?(?:tariffs?|publication|item)\b`), "tariff"},
	// "Third-party names belong to their owners."
	{[]string{"owner"}, regexp.MustCompile(`(?i)\b(?:all |other |third[- ]party |company |product )*(?:names?|trademarks?|marks?|logos?)(?:,? (?:and|or) (?:names?|trademarks?|marks?|logos?))? ` +
		`(?:belong to|are the property of|are property of|remain the property of) their (?:respective )?owners\b`), ""},
	// "find the range it falls in and apply the matching percentage".
	{[]string{"matching", "corresponding"}, regexp.MustCompile(`(?i)\bthe (?:matching|corresponding) (percentage|percent|surcharge|bracket|range|row|line)\b`), "the $1"},
	// "Should the index come late, the former percentage stays in force until it is known".
	{[]string{"former", "previous", "prior", "last "}, regexp.MustCompile(`(?i)\b(?:should|if|when|whenever|in (?:the )?(?:case|event) of|in weeks (?:in which|when)) [^.:%]{0,50}\b(?:index|price|average|doe|eia|energy|diesel|publi\w+|holiday)\b[^.:%]{0,50},? ` +
		`(?:the )?(?:former|previous|prior|last) (?:percentage|percent|surcharge|week's \w+) (?:stays|remains|continues|is kept)(?: in (?:force|effect|place|use))?(?: until (?:it is|the new one is|the price is) (?:known|published|posted))?`), ""},
	// "In case of a difference between this page and the tariff, the tariff applies."
	{[]string{"difference", "discrepanc", "conflict", "inconsisten"}, regexp.MustCompile(`(?i)\b(?:in (?:the )?(?:case|event) of|if there is|should there be) (?:a |an |any )?(?:difference|discrepancy|conflict|inconsistency)\b[^.:%]{0,80}, ` +
		`(?:the )?(?:rules )?(?:tariff|publication|item \d+) (?:applies|governs|prevails|controls|takes precedence|rules)\b`), ""},
	// "Does the surcharge apply to accessorials? No, only to linehaul."
	{[]string{"?"}, regexp.MustCompile(`(?i)\b(?:does|do|is|are) (?:the |your |our )?(?:ltl )?(?:fuel )?(?:surcharges?|fuel|percentages?) (?:also )?(?:apply|applied|applicable|charged|added|assessed|calculated|figured|due) ` +
		`(?:to|on|for) (?:the |any |an? |your )?` + accessorials + `\? (?:no|yes|it is not|it is|it does not|it does|they are not|they do not)\b` +
		`(?:[,;:]? (?:only|it (?:applies|is charged)(?: only)?) (?:to|on) (?:the )?(?:net )?(?:linehaul|line[- ]haul|freight)(?: charges?)?)?[.!]?`), ""},
	// "Next issue: Tuesday".
	{[]string{"next "}, regexp.MustCompile(`(?i)\bnext (?:issue|edition|update|posting|publication):? (?:on )?(?:monday|tuesday|wednesday|thursday|friday)\b`), ""},
	{[]string{"se habla"}, regexp.MustCompile(`(?i)\bse habla espa[nñ]ol\b`), ""},
	// "LTL shipments in North America", "North American shipments": those of all our territories.
	{[]string{"north america"}, regexp.MustCompile(`(?i)\bnorth america\b`), "all points"},
	{[]string{"north american"}, regexp.MustCompile(`(?i)\bnorth american (ltl|less-than-truckload|shipments?|freight|customers|network|transportation)\b`), "$1"},
	// "The government's diesel figure is dated the Monday before".
	{[]string{"government"}, regexp.MustCompile(`(?i)\b(?:federal |u\.?s\.? )?government(?:'s|’s)? (diesel|price|figure|average|index|survey|publish(?:es)?|posts?|reports?|releases)\b`), "department of energy $1"},
	// "unless your pricing agreement says otherwise".
	{[]string{"unless "}, regexp.MustCompile(`(?i),? \bunless (?:your|the|a) (?:pricing|contract|agreement|tariff|pricing agreement|written agreement) (?:says|states|provides|specifies|calls for)(?: for)? (?:otherwise|something else|differently|another)\b`), ""},
	// "a minimum applies per shipment".
	{[]string{"minimum"}, regexp.MustCompile(`(?i)\ba minimum (?:charge |surcharge )?(?:applies|is charged|may apply) per shipment\b`), "a minimum applies"},
	// "California Transparency in Supply Chains Act", which pages of any company name.
	{[]string{"california", "ccpa"}, regexp.MustCompile(`(?i)\b(?:california (?:transparency in supply chains act|consumer privacy act|privacy (?:rights|notice|policy))|ccpa(?: notice)?(?: at collection)?)\b`), "privacy"},
	// "Source: EIA Weekly Petroleum Status Report".
	{[]string{"petroleum"}, regexp.MustCompile(`(?i)\bpetroleum (?:status|marketing|supply) (report|monthly)\b`), "$1"},
	// "The percent in the top line of the table applies through Tuesday".
	{[]string{"top ", "first "}, regexp.MustCompile(`(?i)\b(percent|percentage|surcharge|figure|rate) (?:in|on|of) the (?:top|first) (?:line|row)(?: of the table)?\b`), "$1"},
	// "For example, a shipment with a net charge of $500 would have a surcharge of $250."
	{[]string{"example"}, regexp.MustCompile(`(?i)\b(?:for|as an) example,? an? (?:ltl )?shipment [^.%]{0,60}(?:\.\d\d)? would (?:have|be charged|carry|get) an? (?:ltl )?(?:fuel )?surcharge of \$[\d,]+(?:\.\d\d)?`), ""},
	{[]string{"become a"}, regexp.MustCompile(`(?i)^\W*become an? (?:customer|member|driver|carrier)\W*$`), ""},
	// "Linehaul: the charge for moving freight between terminals", "TL: Truckload": entries of a glossary.
	{[]string{": "}, regexp.MustCompile(`(?i)^\W*(?:linehaul|line[- ]haul|accessorials?|net charges?|gross charges?|minimum charge|discount): (?:the |an? )(?:charges?|fees?|amount|price|service) [^.:%\d]*[.]?$`), ""},
	{[]string{"tl: "}, regexp.MustCompile(`(?i)^\W*f?tl: (?:full )?truckload\b`), ""},
	// "If you have a contract, your agreement says which surcharge applies".
	{[]string{"if you have"}, regexp.MustCompile(`(?i)\bif you have (?:a contract|an agreement|a pricing agreement), (?:your|that) (?:agreement|contract|pricing) (?:says|states|tells) (?:which|what) [^.:%]{0,40}\bapplies\b`), ""},
	// "Whatever lane you ship, the percent below applies".
	{[]string{"whatever "}, regexp.MustCompile(`(?i)\bwhatever (?:the )?(?:lane|route|state|distance|origin|destination|terminal)s?(?: you (?:ship|use|move)| your (?:freight|shipment) (?:takes|moves|travels))?,`), "all points:"},
	// "Min Charge: no shipment is billed less fuel than this."
	{[]string{"no shipment is"}, regexp.MustCompile(`(?i)\bno shipment is (?:billed|charged) less (?:fuel )?than (?:this|that)\b`), "this is the minimum"},
	// "The surcharge is reduced by 0.5% for each decrease of five cents".
	{[]string{" for each ", " for every "}, regexp.MustCompile(`(?i)\b(?:is|are) (?:increased|reduced|decreased|lowered|raised) by [\d.]+ ?(?:%|percent\b|percentage points?|points?) for (?:each|every) (?:decrease|increase|drop|rise|change|[\w.$]+ cents?)[^.:]{0,40}`), "follows the price"},
	// "Are parcel surcharges listed too?"
	{[]string{"?"}, regexp.MustCompile(`(?i)\bare (?:the )?(?:parcel|package|express|ground|truckload|volume|canadian)(?: and (?:parcel|package|express|ground|truckload|volume))? (?:fuel )?surcharges (?:listed|shown|included|published)(?: here)?(?: too| as well| also)?\?(?: no\b[.,]?)?`), ""},
	// "N/A = not available".
	{[]string{"n/a"}, regexp.MustCompile(`(?i)\bn/a ?[=:–-] ?(?:not|none|no) ?(?:available|applicable|published|reported)\b`), ""},
	// "Offices closed for Veterans Day".
	{[]string{"closed"}, regexp.MustCompile(`(?i)\b(?:(?:our|all) )?(?:offices?|terminals?|service centers?)? ?(?:(?:are|is|will be) )?closed (?:on|for|in observance of) ` +
		`(?:thanksgiving|christmas|new year'?s|veterans'?|labor|memorial|independence|columbus|presidents'?|easter|juneteenth|july 4|the fourth of july)(?: day| eve| sunday)?\b`), ""},
	// "Enter up to 10 PRO numbers".
	{[]string{"up to "}, regexp.MustCompile(`(?i)\bup to \w+ (?:pro|tracking|shipment|bol|reference|order|invoice) ?(?:numbers?|#s?)\b`), ""},
	// "Pickups in coastal Texas are suspended until further notice".
	{[]string{"suspended", "cancel", "delayed"}, regexp.MustCompile(`(?i)\b(?:pick-?ups?|deliver(?:y|ies)|services?|operations|departures|linehaul runs)\b[^.;:%]{0,60} (?:is|are|has been|have been|was|were|may be|will be) (?:temporarily )?(?:suspended|cancell?ed|delayed)\b[^.;%]*`), ""},
	// "Tropical storm: …", "Email this page to a friend".
	{[]string{"torm", "eather"}, regexp.MustCompile(`(?i)^\W*(?:tropical|winter|ice|snow|severe|hurricane)[\w ]{0,20}\b(?:storm|weather)(?: \w+)?: `), ""},
	{[]string{"friend", "colleague"}, regexp.MustCompile(`(?i)\b(?:e-?mail|send|share|forward) (?:this|the|a)(?: page| link)? (?:to|with) (?:an? )?(?:friend|colleague)s?\b`), ""},
	// "98 percent of our freight arrives on time".
	{[]string{"on time", "on-time"}, regexp.MustCompile(`(?i)\b[\d.]+ ?(?:%|per ?cent) of (?:our |all )?(?:freight|shipments|deliveries|pickups|loads) (?:arrives?|is|are|was|were)(?: delivered| picked up)? on[- ]time\b|\b[\d.]+ ?(?:%|per ?cent) on[- ]time\b`), ""},
	// "Accept all Reject all", "Reject non-essential cookies".
	{[]string{"eject "}, regexp.MustCompile(`(?i)\breject (?:all(?: cookies)?|cookies|optional|non-?essential|additional)(?: cookies)?\b`), ""},
	// "For archived percentages before 2024, write to pricing@example.com".
	{[]string{"archive", "older ", "past ", "historical", "previous"}, regexp.MustCompile(`(?i)\bfor (?:archived|older|past|historical|previous|earlier) (?:ltl |fuel )*(?:percentages|surcharges|weeks|figures|rates|tables|years)(?: (?:before|prior to|from before) \w+(?: \d+, \d+)?)?,? ` +
		`(?:please )?(?:write|call|e-?mail|contact|ask|see|visit|go to|click)\b`), "call"},
	// "For example, if your net freight charge is $250, multiply it by the percentage shown."
	{[]string{"example"}, regexp.MustCompile(`(?i)\bfor example,? if (?:your|the|a) (?:net |total |discounted )?(?:freight|linehaul|line[- ]haul|shipment)(?:'s)? (?:charges?|bill|costs?) (?:is|are|comes? to|of) \$[\d,.]*\d,?`), ""},
	// "Without it we would have to change our rates".
	{[]string{"would have to"}, regexp.MustCompile(`(?i)\bwithout (?:it|a fuel surcharge|the surcharge|one)\b[^.:%]{0,10}\b(?:we|carriers|rates) would have to\b`), "we"},
	// "accessorials are not included": what the surcharge is a percent of.
	{[]string{"accessorial"}, regexp.MustCompile(`(?i)[;,] (?:and )?(?:accessorials?|accessorial (?:charges|fees|services)) (?:are|is) (?:not (?:included|subject|counted)|excluded|left out)\b`), ""},
	// "Third-party logistics providers: the percentages are the same for you."
	{[]string{"third"}, regexp.MustCompile(`(?i)\bthird[- ]party (?:logistics )?(?:providers?|logistics|payers?|billing|payors?)(?: parties)?: the (?:percentages|percentage|surcharge|same)\b`), "the percentages"},
	// "By the numbers: 213 terminals, 6,500 tractors"
	{[]string{"numbers:", "glance:"}, regexp.MustCompile(`(?i)^\W*(?:[a-z]+ )?(?:by the numbers|at a glance): [^.%$]*$`), ""},
	// Names of other pages and of parts of all pages: "Code of conduct", "Density calculator", "Holiday schedule 2026", "Sample invoice".
	{[]string{"code of conduct", "calculator", "holiday ", "sample ", "change ", "request a", "more about"}, regexp.MustCompile(`(?i)^\W*(?:(?:supplier )?code of conduct|(?:density|transit time|rate|freight class|class|cube|linear foot|mileage|distance|fuel|fuel surcharge) calculator|` +
		`holiday (?:schedule|closings?|hours|calendar|closures?)(?: 20\d\d)?|sample (?:invoice|bill|freight bill|bill of lading|statement|calculation|computation)|change (?:your )?(?:region|country|language|location|site)|request a (?:call-?back|call|quote|pick-?up|demo)|` +
		`more about (?:our |the |fuel )*surcharges?)\W*$`), ""},
	{[]string{"equal opportunity", "equal-opportunity"}, regexp.MustCompile(`(?i)\b(?:an? )?equal[- ]opportunity (?:employer|workplace)[^.;%\d]*`), ""},
	// "Moving America forward since 1931", "Helping the world keep promises": slogans.
	{[]string{"america", "the world"}, regexp.MustCompile(`(?i)\b(?:moving|driving|keeping|helping|delivering|connecting|serving) (?:north )?(?:america|the world|the nation|the country)(?: (?:forward|moving|since \d{4}|keep (?:its |their )?promises|one \w+ at a time|better))*`), ""},
	// "The scale has no upper limit."
	{[]string{"limit", "cap"}, regexp.MustCompile(`(?i)\b(?:has|have|is|are|with|there is) (?:no|not|without)(?: an?)? (?:upper |maximum )?(?:limit|cap)\b`), "goes on"},
	// "Both direct and interline shipments are billed with this table", "No matter which lane: one table."
	{[]string{"both "}, regexp.MustCompile(`(?i)\bboth direct and (?:interline|indirect|partner|joint[- ]line) (shipments|freight|points|service)\b`), "all $1"},
	{[]string{"no matter", "matter "}, regexp.MustCompile(`(?i)\b(?:no matter|it (?:does not|doesn't) matter) (?:which|what|how|where)(?: (?:lane|route|state|distance|class|terminal|far|heavy|weight|your|freight|shipment|travels|moves|goes|it|you|ship|is))+[,:]?`), "for all points"},
	// "Freight that we hand to partners is billed with this table as well."
	{[]string{" as well", " too", " also "}, regexp.MustCompile(`(?i)\b(?:freight|shipments) (?:that )?(?:we |is |are )?(?:hand|handed|give|given|pass|passed|interline|interlined|tender|tendered)(?: over)? (?:to|with) (?:our |other )?(?:partners|carriers|partner carriers|agents) (?:is|are) (?:also )?(?:billed|charged|rated) (?:with|from|by|at) (?:this|the same) (table|percentages?|schedule)(?: as well| too)?\b`), "all freight is billed with this $1"},
	// "Error loading data? Reload the page."
	{[]string{"rror loading", "fails to load", "not load"}, regexp.MustCompile(`(?i)\b(?:error loading|trouble loading|problems? loading) (?:the )?(?:data|page|table|chart)\?(?: (?:please )?(?:reload|refresh) (?:the|this|your) (?:page|browser))?`), ""},
	{[]string{"mm/dd", "mm-dd", "m/d/"}, regexp.MustCompile(`(?i)\bmm?[/-]dd?[/-]y{2,4}\b`), ""},
	{[]string{"us$", "$ per us"}, regexp.MustCompile(`(?i)\bus\$|\$ per us\b`), "$"},
	{[]string{"axes included", "ax included", "including tax"}, regexp.MustCompile(`(?i)\b(?:taxes|tax) included\b|\bincluding (?:all )?tax(?:es)?\b`), ""},
	{[]string{"nmfc", "nmfta", "ata ", "smc3"}, regexp.MustCompile(`(?i)\b(?:governed by|subject to|participant in|party to) (?:the )?(?:stb )?nmfc(?: \d+)?(?:[- ]?[a-z]{1,2})?(?: series| provisions| rules)?\b|\b(?:nmfta|ata|smc3) (?:member|participant)\b`), ""},
	// Names of other pages of any company's site.
	{[]string{"case studies", "white papers", "insights", "scholarships", " cares", "we serve", "roadside", "ustainability", "privacidad", "utilisation", "oprima"}, regexp.MustCompile(`(?i)^\W*(?:case studies|white papers|(?:industry |market )?insights|scholarships|\w+ cares|industries we serve|24/7 roadside(?: assistance)?|` +
		`sustainability(?: report)?(?: 20\d\d)?|aviso de privacidad|conditions d'utilisation|para espa[nñ]ol,? oprima \d)\W*$`), ""},
	{[]string{"nauthorized"}, regexp.MustCompile(`(?i)\bunauthorized (?:copying|use|reproduction|access|distribution)[^.]{0,40}prohibited\b`), ""},
	// "under 20K lbs".
	{[]string{"0k", "5k"}, regexp.MustCompile(`(?i)\b(\d{1,3})k\b`), "$1,000"},
	// "Use the LTL column for shipments under 20,000 pounds and the TL column for all others", "Shipments of 20,000 lbs or more use the truckload column".
	{[]string{"tl column", "tl percent", "truckload column", "truckload percent"}, regexp.MustCompile(`(?i)\buse (?:the )?ltl (?:column|percentages?) for (?:all |any )?(?:shipments? |freight |loads? )?(?:under|below|less than|of less than|up to) (?:1\d|2\d),?\d{3} ?(?:pounds|lbs)(?:,? and (?:use )?(?:the )?(?:tl|truckload) (?:column|percentages?) for (?:all |any )?(?:others?|the rest|heavier (?:shipments|ones|freight)))?|` +
		`\bshipments (?:of|over|above|weighing) (?:1\d|2\d),?\d{3} ?(?:pounds|lbs)(?: or more| and (?:more|over|up|above))? (?:use|take|get|pay|are (?:charged|billed)(?: by| at| with)?) the (?:tl|truckload) (?:column|percentages?)|` +
		`\bthe (?:tl|truckload) (?:column|percentages?) (?:does not|do not|doesn't|don't) (?:concern|affect|matter to|apply to) ltl\b(?: (?:customers|shipments|freight|shippers))?`), ""},
	// "We list Canadian percentages on a page of their own", "Looking for Canada? Use the menu above."
	{[]string{"canad", "mexic", "alaska", "hawaii", "truckload", "volume", "puerto"}, regexp.MustCompile(`(?i)\b(?:we )?(?:list|show|publish|post|keep|have) (?:the |our )?(?:canadian|canada|mexican|mexico|alaskan?|hawaii(?:an)?|truckload|volume|puerto rico) (?:percentages|surcharges|rates|schedules?|tables?) (?:on|in) (?:an?(?:other)? |their |its )(?:own |separate |different |other )?(?:page|tab|section|document|pdf)(?: of (?:their|its) own)?|` +
		`\blooking for (?:the )?(?:canad\w+|mexic\w+|alaska\w*|hawaii\w*|truckload|volume|puerto rico)(?: (?:percentages|surcharges?|rates|table|schedule))?\? (?:please )?(?:use|see|go to|click|visit|open|try|look|call)[^.;%]*`), ""},
	// "rounded up to the next hundredth", "Minimum surcharge: none".
	{[]string{"rounded "}, regexp.MustCompile(`(?i)\brounded (?:up |down |off )?to (?:the )?(?:next|nearest) (?:hundredth|tenth|thousandth|cent|tenth of a (?:cent|percent|point)|hundredth of a (?:percent|point)|0?\.\d+ ?%?)\b`), "rounded"},
	{[]string{"imum"}, regexp.MustCompile(`(?i)\b(?:minimum|maximum)(?: (?:fuel )?(?:surcharge|charge))?: (?:none|no|n/a|not applicable)\b`), ""},
	// "Surcharge = linehaul x percentage".
	{[]string{" x ", "×"}, regexp.MustCompile(`(?i)\b([a-z]{3,}|\d%?) ?(?:×| x) ?([a-z]{3,}|\$?\d)`), "$1 times $2"},
	// "In the absence of a contract the table below is used", "Customer-specific schedules supersede this table".
	{[]string{"absence of"}, regexp.MustCompile(`(?i),? ?\bin the absence of (?:an? |any |your )?(?:individual |written |customer |special |other |pricing |negotiated )*(?:agreement|contract|pricing|arrangement)s?\b,?`), ""},
	{[]string{"supersede", "take precedence", "prevail"}, regexp.MustCompile(`(?i)\b(?:customer|contract|account|negotiated|individual)[- ]?(?:specific)? ?(?:schedules|tables|agreements|programs|pricing) (?:supersedes?|takes? precedence over|prevails? over) (?:this|these|the) (?:table|percentages|page|schedule)\b`), ""},
	// "Time zone: Eastern", "Region: All".
	{[]string{"zone:", "region:", "territory:", "area:", "country:", "lane:"}, regexp.MustCompile(`(?i)\btime zone: (?:eastern|central|mountain|pacific|e[sd]?t|c[sd]?t)\b|\b(?:region|territory|zone|area|country|countries|lane|lanes): ?(?:all|any|general|national|nationwide|48 states|u\.?s\.?a?|united states)(?: regions| territories| lanes| points)?\W*$`), ""},
	// What all pages have, and parts of papers: "Raw data", "EN | ES", "Appendix C".
	{[]string{"raw data", "close window", "live chat", "primary", "part ", "appendix", "exhibit", "annex", "en", "legend"}, regexp.MustCompile(`(?i)^\W*(?:raw data|close window|live chat|primary(?: navigation| menu)?|(?:part|appendix|exhibit|annex|attachment) [a-h]|en|en ?[|/] ?(?:es|fr)|(?:es|fr) ?[|/] ?en|` +
		`legend: (?:\w+ ?(?:=|:|is|for) ?(?:surcharge|diesel|price|index|ltl|percent|fuel|doe)\w*[,; ]*)+)\W*$`), ""},
	// "What if my freight is picked up on a Sunday?"
	{[]string{"what if"}, regexp.MustCompile(`(?i)\bwhat if (?:my|i)\b`), "my"},
}

// accessorials are charges of services of which nobody thinks that the figures are theirs.
const accessorials = `(?:(?:hazmat|hazardous|detention|storage|redelivery|liftgate|residential|inside|limited|access|delivery|reweigh|accessorial|other|additional|minimum)[ -]?)*` +
	`(?:accessorials?|accessorial charges?|charges?|fees?|services?|detention|storage|redelivery)`

// withoutNeutral puts what leaves figures as they are out of a text.
func withoutNeutral(text string) string {
	small := strings.ToLower(text)
	g := gramsOf(small)
	for _, n := range neutral {
		if g.holdOne(small, n.words) {
			text = n.phrase.ReplaceAllString(text, n.with)
		}
	}
	if found := greeting.FindStringSubmatch(text); found != nil && isTown(wordsOf(found[1])) {
		text = text[len(found[0]):]
	}
	if strings.Contains(text, "?") {
		text = withoutYesOrNo(withoutQuestion(text))
	}
	return text
}

// greeting begins a text: "Good afternoon from Richmond."
var greeting = regexp.MustCompile(`(?i)^\s*(?:good (?:morning|afternoon|evening|day)|hello|hi|greetings) from ((?:[\w']+ ?){1,3})[.!,](?: |$)`)

// askingReader begins a text that asks what its reader does with figures: "Planning a budget or auditing a bill? Use this page to …".
var askingReader = regexp.MustCompile(`(?i)^\s*(?:planning|budgeting|auditing|checking|reconciling|verifying|disputing|reviewing) [^.?!:%]*\? `)

// withoutQuestion leaves out what a text asks its reader first, where that is about no figures.
func withoutQuestion(text string) string {
	question := askingReader.FindString(text)
	if question == "" {
		return text
	}
	words := wordsOf(question)[1:]
	if k, _ := foreignKind(words); k != "" && k != edition || mayBeOfFigures(words) {
		return text
	}
	return text[len(question):]
}

// yesOrNo finds questions that are answered by yes or no: "Do storage and redelivery attract fuel?"
var yesOrNo = regexp.MustCompile(`(?:^|[.!?] +)((?:Do|Does|Did|Is|Are|Can|Will|Should|Must|Has|Have|May) [^.?!:%]*\?)`)

// carrierVerbs are what a reader asks of the carrier, and not of himself: "Do you charge fuel on detention?"
var carrierVerbs = indexPlain(`charge bill apply add collect publish offer use figure round`)

// ordinary are what our shipments are called: "Is the surcharge applied to standard shipments? No".
var ordinary = indexPlain(`standard regular general normal ordinary`)

// withoutYesOrNo leaves out such questions where they are not about the figures that are shown, or about the reader: "Are you a broker?"
func withoutYesOrNo(text string) string {
	for _, found := range yesOrNo.FindAllStringSubmatch(text, -1) {
		if words := wordsOf(found[1]); len(words) > 3 && (words[1] != "you" || carrierVerbs[words[2]]) && words[1] != "your" && !pointsAtPage(words) && !refersToFigures(words) &&
			!slices.ContainsFunc(words, func(w string) bool { return figureWords[w] || figureNouns[w] || limiters[w] || ordinary[w] }) {
			text = strings.Replace(text, found[1], "", 1)
		}
	}
	return text
}
