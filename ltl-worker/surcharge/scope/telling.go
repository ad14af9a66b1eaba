package scope

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
)

// telling are phrases that make the figures others than ours wherever they stand beside them, with what they then are. Each phrase has
// one of the words, in small letters: most texts have none, and are not searched.
var telling = []struct {
	are    string
	words  []string
	phrase *regexp.Regexp
}{
	{"the page is one customer's", []string{"(customer", "(account", "(contract"},
		regexp.MustCompile(`\((?:customer|account|contract)(?:[- ]specific)?(?: tariff| pricing)?\)`)},
	{"one group of customers' figures", []string{"customer"},
		regexp.MustCompile(`\bcustomers? (?:whose|with an?) (?:agreement|contract|pricing|tariff)s?\b[^.;]*\b(?:as follows|following|below)\b`)},
	{"the figures were put off", []string{"postponed", "suspended", "rescinded", "withdrawn", "revoked", "on hold", "cancel"},
		regexp.MustCompile(`\b(?:schedules?|fuel|fsc|surcharges?|percent(?:age)?s?|tables?)\b[^.;]*\b(?:has|have|was|were|is|are) (?:been )?` +
			`(?:postponed|suspended|rescinded|withdrawn|revoked|put on hold|cancell?ed)\b`)},
	{"the figures were put off", []string{" apply", " applied", " effect"},
		regexp.MustCompile(`\b(?:schedules?|fsc|surcharges?|percent(?:age)?s?)\b[^.;]*\b(?:will not|does not|did not|never) ` +
			`(?:apply|be applied|take effect|took effect|go into effect) *(?:[.;,!]|$)`)},
	{"the figures were altered", []string{"altered", "falsif", "randomi", "scrambl", "obfuscat", "shuffl", "distort", "masked"},
		regexp.MustCompile(`\b(?:percent(?:age)?s?|figures?|values?|numbers?|rates?|surcharges?)\b[^.;]*\b(?:have|has|were|was|are|is) (?:been )?` +
			`(?:altered|falsified|randomi[sz]ed|scrambled|obfuscated|shuffled|distorted|masked)\b`)},
	{"the figures are rounded", []string{"nearest"},
		regexp.MustCompile(`\bnearest (?:five|ten|5|10|multiple)\b`)},
	{"bills have other figures", []string{"bill", "invoice", "freight", "shipment"},
		regexp.MustCompile(`\b(?:bills?|invoices?) (?:use|carry|show|go by) (?:the )?(?:exact|other|different|real|true|unrounded)\b|` +
			`\b(?:freight|shipments?|bills?|invoices?)\b[^.;]*\b(?:moved|rated|billed|charged|invoiced) (?:at|with|on|under|by) (?:other|different) (?:percent|figure|rate|value|surcharge)`)},
	{"a sum of several charges", []string{"combin"},
		regexp.MustCompile(`\bcombin(?:es|ed|ing) (?:the |our |its )?(?:ltl )?(?:fuel surcharge|fuel|fsc)\b[^.;]* (?:with|and)\b|\b(?:fuel surcharge|fsc)\b[^.;]* combined (?:with|into)\b`)},
	{"money of another country", []string{"canadian", "mexican", "cad", "mxn", "pesos"},
		regexp.MustCompile(`(?:^\W*|[.;|] )(?:all |the )?(?:prices|rates|charges|amounts|figures|values)(?: (?:are|is|shown|listed|quoted|given|stated|published))* in ` +
			`(?:(?:canadian|mexican) (?:funds|dollars|currency|money|pesos)|cad|mxn|pesos)\b`)},
	{"the page is one customer's", []string{"signed in as", "logged in as", "your agreement", "your contract"},
		regexp.MustCompile(`\b(?:signed|logged) in as\W+(?:[a-fh-z]|g[a-tv-z])|\bwhat your (?:agreement|contract) (?:provides|says|gives)\b|\bpercent(?:age)?s of your (?:agreement|contract)\b`)},
	{"no surcharges, but a statistic", []string{"statistic", "went to diesel", "went to fuel"},
		regexp.MustCompile(`\boperating statistics?\b|\b(?:money|spent|costs?|expenses)\b[^.;]*\bwent (?:to|into) (?:diesel|fuel)\b`)},
	{"another company's figures", []string{"those of our"},
		regexp.MustCompile(`\bthose of our (?:former|sister|parent|partner|affiliate)`)},
	{"for internal use", []string{"internal"},
		regexp.MustCompile(`(?:^|[.;:] )(?:(?:this page|this table|these \w+|figures|percentages)(?: is| are)? )?(?:only )?for (?:our )?internal (?:use|purposes|training)\b`)},
	{"it holds under a condition", []string{" only "},
		regexp.MustCompile(`(?:^|[.;:] )(?:effective|valid|applicable|good|in force|appl(?:y|ies)) only (?:if|when|once|after|until|while|as long as|where)\b`)},
	{"only for some customers", []string{"accounts", "customers", "shippers", "members", "clients"},
		regexp.MustCompile(`(?:^|[.;:] )(?:quoted|charged|billed|offered|available|given|granted|extended) (?:only )?to (?:new|select(?:ed)?|certain|some|large|small|national|local|preferred|participating|enrolled|` +
			`qualified|eligible|approved|existing) (?:accounts|customers|shippers|members|clients)\b`)},
	{"another page has ours", []string{"the other", "another", "next", "link", "button", " tab", "for the real", "for the actual", "for the right", "for the correct", "for the true", "for the current", "for the proper"},
		regexp.MustCompile(`\bthe other (?:tab|page|table|panel|column|link|list|schedule)s? (?:has|have|holds?|shows?|gives?|lists?|is|are)\b[^.;]*\b(?:standard|regular|ltl|real|actual|current|general|usual)\b|` +
			`\b(?:standard|regular|ltl|general) (?:customers?|shippers?|shipments|freight|rates|percentages)\b[^.;]*\b(?:see|use|go to|visit|turn to|are on|is on|look at)\b[^.;]*\b(?:other|another|next|link|button|tab)\b|` +
			`\bask [^.;]*\bfor the (?:real|actual|right|correct|true|current|proper)\b`)},
	{"ours follow from them", []string{"add ", "subtract", "deduct", "take ", "double", "halve", "multipl", "divide", "reduce", "raise", "lower ", " of these ", " of each ", " of the "},
		regexp.MustCompile(`\b(?:add|subtract|deduct|take) (?:off )?(?:\w+ ){0,2}(?:[\d.]+|points?|per ?cent|%)(?: points?)? (?:to|from|off) (?:each|every|these|the|all) (?:of (?:these|the) )?(?:figures?|percent(?:age)?s?|lines?|rows?|values?|numbers?)\b|` +
			`\b(?:double|halve|multiply|divide|reduce|raise|lower) (?:each|every|all|these)(?: of these)? (?:figures?|percent(?:age)?s?|lines?|rows?|values?|numbers?)\b|` +
			`\bmultiply by (?:1|0)?\.\d+ (?:for|to)\b|\b(?:half|twice|double|a third|two thirds|a quarter|three quarters|[\d.]+ ?(?:%|per ?cent)) of (?:these|each|the) (?:figures?|percent(?:age)?s?|values?|numbers?|rates?)(?: \w+){0,2} (?:is|are) (?:billed|charged|applied|paid|added)\b`)},
	{"the figures were charged once", []string{"until ", "till ", "through ", "nobody ", "no one ", "no customer", "no shipper", "no shipment", "version of this", "since."},
		regexp.MustCompile(`\b(?:this|these|the) (?:schedules?|tables?|scales?|percent(?:age)?s|figures|rates|surcharges|page) (?:applied|ended|expired|(?:was|were) (?:valid|used|charged|billed|in force|in effect|good|ours)) (?:until|till|through|up to)\b|` +
			`\b(?:nobody|no one|no customer|no shipper|no shipment) (?:has (?:ever )?been|was|is|will be|had been) (?:ever )?(?:billed|charged|invoiced|asked to pay)\b|` +
			`\b(?:earlier|older|previous|old|former|outdated|prior) (?:version|edition|copy|state) of this (?:page|table|document|schedule)\b|\bnot (?:been )?(?:maintained|kept up|looked after|touched) since\b`)},
	{"we do not charge them", []string{"are not used", "is not used"},
		regexp.MustCompile(`\b(?:table|schedule|percentages|figures)(?: below| above| here| on this page)? (?:is|are) not used\b`)},
	{"we do not charge them", []string{"we do not", "we don't", "we never", "we no longer", "we did not", "we have never"},
		regexp.MustCompile(`\bwe (?:do not|don't|never|no longer|did not|have never) (?:ever )?(?:charged?|bill|billed|used?|appl(?:y|ied)) (?:them|these|it\b|this\b|by (?:them|it|this|these))`)},
	{"the figures hold a mistake", []string{"error", "mistake", "misprint", "resemblance", "should "},
		regexp.MustCompile(`\bknown (?:errors?|mistakes?|misprints?)\b|\b(?:errors?|mistakes?|misprints?)\b[^.;]* (?:will|shall|is to|are to) be (?:fixed|corrected|repaired|mended)|\bresemblance to (?:any |the )?(?:real|actual)\b|` +
			`\b(?:columns?(?: \w+)?|headings?|percent(?:age)?s?|values?|rows?|lines?) should (?:read|say|be|have been)\b`)},
	{"the dates are others", []string{"date"},
		regexp.MustCompile(`\bdates? (?:shown |listed |given |here |above |below )*(?:is|are|means?|refers? to|stands? for|gives?|shows?) (?:those|that|the days?|the dates?)?(?: of| on which| when)? ?(?:the |an |our |your )?(?:\w+ )?` +
			`(?:index|survey|invoic\w+|bill(?:ing)?|publication|posting|printing|delivery|settlement|week (?:ended|ends|closed|closes)|weeks (?:ended|end))\b`)},
	{"only for shipments that are counted otherwise", []string{"invoiced", "delivered", "booked", "quoted"},
		regexp.MustCompile(`\b(?:appl(?:y|ies)|hold|are|is) (?:to|for) (?:all |only )?(?:shipments|freight|orders|loads) (?:that (?:are|were) )?(?:invoiced|delivered|booked|quoted)\b`)},
	{"a share of costs", []string{"how much", "what part", "what share", "what portion"},
		regexp.MustCompile(`\b(?:how much|what (?:part|share|portion)) of (?:our|its|the company's|a carrier's|total) (?:costs?|revenues?|spending|expenses|budget|income)\b`)},
	{"a limit of what is charged", []string{"the least ", "the most "},
		regexp.MustCompile(`\bthe (?:least|most) (?:that )?(?:we|you|anyone|a customer|a shipper|customers|shippers) (?:ever )?(?:charges?|bills?|pays?|can|could|will|would|may|asks?)\b`)},
	{"another company's figures", []string{"courtesy of", "whose table", "whose figures", "whose percentages"},
		regexp.MustCompile(`\bcourtesy of\b|\b(?:whose|theirs is the) (?:table|figures|percentages|schedule)\b`)},
	{"the page is a copy or a preview", []string{"copy", "version", " look ", "snapshot", "mirror", "screenshot", "preview", "cached", "coming soon"},
		regexp.MustCompile(`^\W*(?:an? |the )?(?:earlier|older|old|previous|former|outdated|cached|archived|saved|early|first|advance) (?:copy|version|look|edition|snapshot|mirror|glimpse|preview)\b|` +
			`^\W*(?:an? )?(?:mirror|snapshot|screenshot|reprint)s? (?:of|from|for)\b|\b(?:seeing|viewing|looking at) an? (?:cached|archived|saved|mirrored) (?:page|copy|version)\b|^\W*coming soon\W*$`)},
	{"the page is there by mistake", []string{"for the record", "accident", "mistake", "in error", "too soon", "too early"},
		regexp.MustCompile(`^\W*(?:left|kept|retained) (?:here )?(?:only )?for the record\b|\b(?:put|posted|placed|published|went|gone|released) (?:online|live|here|up) (?:by (?:accident|mistake)|in error|too (?:soon|early))\b`)},
	{"the figures are not in force", []string{"since", "out of ", "to be ", "guess", "estimate", "projection", "prediction", "would have been", "dropped", "abandon", "scrapped", "given up", "if "},
		regexp.MustCompile(`^\W*(?:frozen|untouched|dead) since\b|^\W*out of (?:force|use|effect)\W*$|^\W*(?:yet |still )?to be (?:approved|adopted|confirmed|signed|agreed|ratified|filed)\b|` +
			`^\W*(?:our|an?|the)(?: own)? (?:guess|estimate|projection|prediction)s?\b|^\W*as (?:it|they) would have been\b|` +
			`\bunder (?:the|our|an?|its) (?:formula|schedule|scale|method|table|program)(?: that| which)? (?:we|was|were|has been) (?:dropped|abandoned|replaced|given up|retired|scrapped)\b|` +
			`^\W*if (?:diesel|fuel|oil|crude|prices|the price) (?:were|had)\b[^.]*\b(?:you|we|customers|shippers) would (?:see|pay|charge|bill|be (?:charged|billed))\b`)},
	{"the figures are for others", []string{"intended", "meant", "prepared", "compiled", "drawn up", "reserved", "produced", "made "},
		regexp.MustCompile(`^\W*(?:intended|meant|prepared|compiled|drawn up|reserved|produced|made)(?: exclusively| only| solely)? for (?:the )?(?:agents|brokers|carriers|contractors|employees|drivers|owner|partners|readers|members|bidders|staff|resellers|vendors|suppliers)\b`)},
	{"a percent of another amount", []string{"value", "cargo", "gross ", "list price"},
		regexp.MustCompile(`\b(?:of|on|from) the (?:declared value|value of the (?:goods|cargo|freight|shipment)|cargo'?s? (?:worth|value)|invoice value|list price)\b|\b(?:of|on|from) the gross (?:charges?|linehaul|rates?|freight) before\b`)},
	{"a part of them is charged", []string{"half of ", "third of ", "quarter of ", "part of ", "some of ", "most of "},
		regexp.MustCompile(`\b(?:half|a third|a quarter|a part|part|some|most) of (?:it|them|this|these|that) (?:is|are) (?:passed on|charged|billed|collected|applied|added|paid)\b`)},
	{"ours are others", []string{"are higher", "are lower", "are different", "its own", "the real ", "the actual ", "the right ", "the correct ", "the official ", "the live ", "the true "},
		regexp.MustCompile(`\b(?:published|posted|list|standard|regular|normal|usual) (?:prices|rates|percent(?:age)?s|figures|surcharges) are (?:higher|lower|different)\b|\bthe (?:asset|ltl|parent|actual) carrier (?:publishes|has|posts|shows) its own\b|` +
			`(?:^|[.;:!?] )the (?:real|actual|right|correct|official|live|true) (?:page|table|one|ones|figures|percent(?:age)?s|schedule) (?:is|are|has|have|can|stands?)\b`)},
	{"the page is one customer's", []string{"your ", "welcome back"},
		regexp.MustCompile(`\bhere (?:is|are) your (?:own )?(?:fuel |ltl )*(?:table|schedule|page|surcharges?|percent(?:age)?s)\b|^\W*welcome back,`)},
	{"ours stand elsewhere", []string{"ltl"},
		regexp.MustCompile(`\bltl\b[^.;]*\bin the (?:second|first|third|other|next|lower|upper|last) (?:table|tab|section|page|list)\b|\blook (?:right|left|below|above|elsewhere|further down) for ltl\b`)},
	{"nobody is charged by them", []string{"no ltl", "no shipment", "no freight", "no customer", "no shipper", "no bill", "no invoice"},
		regexp.MustCompile(`\bno (?:ltl )?(?:shipment|freight|customer|shipper|bill|invoice) (?:is|are|was|will be|gets|has been) (?:charged|billed|rated|invoiced|priced) (?:by|from|with|under|at|on)\b`)},
	{"the dates are others", []string{"date", "weeks are", "indexed to"},
		regexp.MustCompile(`\bdates are week(?:ly)?[- ]?end(?:ing)?s?\b|^\W*by date of (?:delivery|invoice|payment|billing|booking)\b|\bweeks are those (?:in|on|for) which (?:the|your|an?) (?:bill|invoice|payment|shipment is delivered)|\bindexed to the price (?:of )?(?:\w+ )?weeks? (?:later|before|ago|ahead)`)},
	{"the table is garbled", []string{"mislabel", "mixed up", "swapped", "switched", "transposed", "misplaced", "misprint", "mistyped", "garbled", "shifted", "changed", "reversed", "belong", "fit", "match", "agree", "digit", "jumbled", "corrupt"},
		regexp.MustCompile(`\b(?:columns?|rows?|lines?|headings?|labels|dates|figures|percent(?:age)?s|values|numbers)\b[^.;]*\b(?:(?:is|are|were|was|got|have been|has been|may be) (?:mislabell?ed|mixed up|swapped|switched|transposed|misplaced|misprinted|mistyped|garbled|shifted|jumbled|interchanged|exchanged|reversed|corrupt(?:ed)?)|` +
			`(?:do not|don't) (?:belong together|fit together|match each other|agree with each other)|(?:is|are) missing (?:a|one|some) digits?|lost a digit)\b`)},
	{"another company's figures", []string{"belong to "},
		regexp.MustCompile(`\bbelongs? to (?:an?|another|the) (?:other )?(?:carrier|company|firm|competitor|division|brand|subsidiary)\b`)},
	{"a schedule of its own", []string{"this is a"},
		regexp.MustCompile(`\bthis is an? (?:regional|local|divisional|special|private|secondary|temporary|partial|different|separate) (?:schedule|table|page|list|tariff|scale)\b`)},
	{"a change or a share", []string{"movement", "change", "variation", "swing", "share of"},
		regexp.MustCompile(`^\W*(?:week[- ](?:to|over|on)[- ]week|weekly|monthly|annual|yearly|daily) (?:movement|change|variation|swing|shift|difference)s?\b|^\W*(?:the )?share of (?:diesel|fuel)\b`)},
	{"a sum with another fee", []string{" fee", " levy", " toll", " tax"},
		regexp.MustCompile(`^\W*(?:including|includes|incl\.|with|plus) (?:the |a |our |an? )?(?:\w+[ -]){1,4}(?:fees?|levy|tolls?|tax(?:es)?)\W*$`)},
	{"a flat amount", []string{"a flat "},
		regexp.MustCompile(`^\W*a flat (?:amount|sum|fee|charge|rate)\b`)},
	{"ours follow from them", []string{"half of ", "thirds of", "twice ", "double ", "points ", "divide ", "multiply the "},
		regexp.MustCompile(`\b(?:half|twice|double|a third|two thirds|three quarters) of (?:what|the percentages|the figures)\b|\bltl (?:pays|is|gets|takes|has)\b[^.;]*\b(?:points? (?:lower|higher|less|more|off|below|above)|half|thirds|twice)\b|` +
			`\bdivide by (?:two|three|four|five|ten|\d)|\bmultiply the (?:figures|percentages|values|numbers|lines) (?:by|with)\b`)},
	{"ours follow from them", []string{"half ", "third of", "thirds of", "quarter of", "quarters of", "twice ", "double ", "triple ", "multipl"},
		regexp.MustCompile(`\b(?:half|twice|double|triple|a third of|two[- ]thirds of|a quarter of|three[- ]quarters of)(?: of)? (?:the|our|that|this|each) (?:fuel |listed |posted |shown |published )*(?:percent(?:age)?|surcharge|fsc)s?\b|` +
			`\bmultipl(?:y|ied) (?:the )?(?:percent(?:age)?|figure|surcharge)s?(?: \w+){0,2} by (?:two|three|four|five|ten|a half|half|[\d.]+)\b`)},
	{"the figures are not in force", []string{"previous ", "former ", "prior ", "old "},
		regexp.MustCompile(`\bthe (?:previous|former|prior|old) (?:percent(?:age)?|surcharge|table|schedule|figure|scale)s? (?:remains?|stays?|continues?|is still|are still)(?: to apply| to be charged| in (?:force|effect|use)|[.,;]|$)`)},
	{"the figures are not in force", []string{"old ", "former ", "retired ", "discontinued ", "superseded ", "outgoing "},
		regexp.MustCompile(`(?:^|[.;:|] )\W*(?:the |our )?(?:old|former|retired|discontinued|superseded|outgoing) (?:fuel|ltl|fsc|surcharge|rate|scale|schedule|table|program)s?\b`)},
	{"the figures are not in force", []string{"replaced", "superseded", "retired", "discontinued", "abolished", "repealed"},
		regexp.MustCompile(`\bth(?:is|ese) (?:\w+ ){0,2}(?:schedule|table|scale|page|percentage|figure|surcharge|rate)s?(?: below| above| here| shown)? (?:was|were|has been|have been|is|are) (?:replaced|superseded|retired|discontinued|abolished|repealed)\b`)},
	{"only for some customers", []string{"customers", "shippers", "accounts"},
		regexp.MustCompile(`\bfor (?:the )?(?:customers|shippers|accounts) (?:on|under|with) (?:the |an? |our )?(?:20\d\d|old|former|previous|alternate|special|custom|other) `)},
	{"a part of the shipments' charges", []string{"only"},
		regexp.MustCompile(`\bfor (?:pick-?up(?: and delivery)?|delivery|cartage)(?: service| charges)? only\b`)},
	{"for internal use", []string{"not for "},
		regexp.MustCompile(`^\W*not for (?:publication|distribution|release|billing|invoicing|public use)\b`)},
	{"averages", []string{"quarterly ", "monthly "},
		regexp.MustCompile(`^\W*(?:quarterly|monthly) (?:ltl )?(?:fuel|surcharge|fsc)\b`)},
	{"a share of costs", []string{"fuel cost", "fuel expense", "fuel spend"},
		regexp.MustCompile(`\bfuel (?:costs?|expenses?|spend|spending) as an? (?:percent(?:age)?|share)\b`)},
	{"another table has ours", []string{"use the "},
		regexp.MustCompile(`\buse the (?:right|left|other|next)[- ]?(?:hand )?(?:table|column|tab|page|list|schedule) for (?:standard|regular|ltl|general|all|normal)\b`)},
	{"the rows are no weeks", []string{"each row", "each line"},
		regexp.MustCompile(`\beach (?:row|line) (?:is|shows|gives|covers|stands for) (?:one|an?|the) (?:full |whole |calendar )?(?:month|quarter|year|day)\b`)},
	{"it holds under a condition", []string{"use this "},
		regexp.MustCompile(`\buse this (?:table|page|schedule|scale) (?:only )?(?:if|when) (?:you|your (?:shipments?|freight)) (?:ships?|moves?|weighs?|has|have|is|are) (?:more|over|above|at least|only|from|to|with|under|in|on|an?)\b`)},
	{"the figures are of groups", []string{" by "},
		regexp.MustCompile(`^\W*(?:\w+ ){1,4}by (?:customer|account|program|shipper)(?: group| type| class)?s?\W*$`)},
	{"money of another country", []string{"euro", "eur", "sterling", "gbp"},
		regexp.MustCompile(`\b(?:prices|rates|charges|amounts|figures|values)(?: (?:are|is|shown|given|stated))* in (?:euros?|eur|pounds sterling|gbp)\b`)},
	{"ours are others", []string{"subject to"},
		regexp.MustCompile(`\b(?:ltl|standard|regular)(?: ltl)?(?: shipments| freight| customers)? (?:are|is) (?:not|never) subject to\b`)},
	{"another service's figures", []string{"for "},
		regexp.MustCompile(`\b(?:surcharges?|percentages?|figures|rates) for (?:truckload|volume|expedited|guaranteed|parcel|interline|intermodal|spot)(?: shipments?| freight| service| customers)? (?:is|are) (?:shown|listed|given|found) (?:here|below|above)\b`)},
	{"the page is a copy or a preview", []string{"viewing ", "seeing ", "this is "},
		regexp.MustCompile(`\b(?:seeing|viewing|looking at) (?:archived|cached|old|outdated|former) (?:content|material|data|figures|pages)\b|\bthis is (?:last (?:week|month|year|quarter)'?s?|yesterday'?s|an? (?:old|older|former|outdated)) (?:page|table|schedule|list|version|edition)\b`)},
	{"another measure", []string{"in cents per", "in dollars per"},
		regexp.MustCompile(`\b(?:surcharges?|percentages?|figures|values|numbers)\b[^.;]* in (?:cents|dollars) per (?:mile|hundredweight|cwt|shipment|pound|kilogram)\b`)},
	{"another page has ours", []string{"new ", "other ", "another ", "moved"},
		regexp.MustCompile(`\b(?:use|see|visit|go to) (?:the|our) new (?:\w+ )?(?:page|site|portal|website|table|tool) for (?:the |our )?(?:current|actual|latest|new|ltl|fuel)\b|` +
			`\bcurrent (?:ltl )?(?:fuel )?surcharges? (?:is|are|can be found|stands?) (?:on|at|in) (?:the |our |an? )?(?:new|other|another|different|public) (?:\w+ )?(?:site|website|portal|page|tool)\b|^\W*moved\W+(?:see|to|please|visit)\b`)},
	{"bills have other figures", []string{"cut by", "reduced by", "lowered by", "raised by", "increased by", "discounted by", "does not show", "do not show", "not reflect"},
		regexp.MustCompile(`\b(?:percent(?:age)?|surcharge|figure|value|rate|line)s?\b[^;]* (?:is|are|will be|were|was|gets?) (?:then )?(?:cut|reduced|lowered|raised|increased|discounted) by [^;]*\b(?:at billing|when (?:we bill|billed|invoiced)|on (?:the|your|each|every) (?:bill|invoice)s?|for (?:all|every) customers?)\b|` +
			`\b(?:does|do) not (?:show|reflect|include) the (?:reduced|real|actual|billed|net|final|lower|higher)\b`)},
	{"a limit of what is charged", []string{"capped "},
		regexp.MustCompile(`\bcapped (?:fuel |ltl )*(?:percent(?:age)?|surcharge|figure|rate|scale|schedule|table)s?\b`)},
	{"ours are others", []string{"?"},
		regexp.MustCompile(`\b(?:does|do|is|are|will) [^.?!]*\b(?:apply|applied|applicable|charged|valid|good|meant|used|intended|hold|be used)? ?(?:to|for|on) (?:all |my |our |your |the )?(?:standard|regular|general|normal|ordinary|ltl|less-than-truckload)` +
			`(?: ltl| freight| shipments?| customers?| tariff| service| rates?)*\? (?:no|not|never|it (?:does|is|will) not|they (?:do|are|will) not|it doesn't|they don't)\b`)},
	{"a surcharge besides ours", []string{"in addition to", "on top of", "extra surcharge"},
		regexp.MustCompile(`\b(?:these|this|they|it|percentages|figures)\b[^.;]*\b(?:in addition to|on top of) (?:the |our |your )?(?:standard |regular |normal |usual |general |ltl |weekly )*fuel(?: surcharge)?\b|\bextra surcharge\b`)},
	{"the figures are before or after a waiver", []string{"waiver", "rebate", "reduction"},
		regexp.MustCompile(`\b(?:percentages|figures|shown|listed|table)\b[^.;]*\b(?:before|after|net of|less|without|with) (?:the |an? |any |our |your )?(?:[\w.%]+ )?(?:fuel )?(?:waiver|rebate|reduction)s?\b|\b(?:waiver|rebate|reduction)s? of [^.;]*\b(?:taken off|deducted|subtracted|included)\b`)},
	{"the figures may change for the past", []string{"being revised", "under revision", "retroactive"},
		regexp.MustCompile(`\b(?:is|are) (?:being revised|under revision)\b|\b(?:will|may|shall)\b[^.;]*\bretroactive`)},
	{"the figures were charged once", []string{"stopped being", "another schedule", "another table", "new schedule", "before the ", "used to be", "old table", "old schedule", "nostalg"},
		regexp.MustCompile(`\bstopped being (?:updated|maintained|used|charged|current)\b|\banother (?:schedule|table|scale|tariff) is (?:in (?:force|effect|use)|used|charged|valid)\b|` +
			`\b(?:schedules?|tables?|percentages|figures|scales?|rates) (?:from )?before the (?:change|revision|reform|merger|reissue|increase|switch)\b|\b(?:percentages|figures|rates|table|schedule) as (?:they|it) used to be\b|` +
			`\b(?:miss|remember) the old (?:table|schedule|percentages|scale)\b|\bnostalgia\b`)},
	{"nobody vouches for them", []string{"whether", "sent to us", "say they", "claim to"},
		regexp.MustCompile(`\b(?:whether|if) (?:these|the) (?:percentages|figures|values|numbers|rates) are (?:right|correct|true|real|current|ours)\b|\b(?:were|was|are|is) (?:sent|given|reported|handed|mailed) to us by\b|` +
			`\bwhat (?:shippers|customers|carriers|others|readers) (?:say|claim|report|told us)\b`)},
	{"a limit of what is charged", []string{"lowest ", "highest ", "smallest ", "largest ", "best "},
		regexp.MustCompile(`\bthe (?:lowest|highest|smallest|largest|best) (?:percentage|surcharge|figure|rate)s? (?:that )?(?:we|of the week|among|granted|charged|any)\b`)},
	{"averages", []string{"averaged"},
		regexp.MustCompile(`\b(?:percentages|figures|surcharges|values|numbers|rates) (?:are|were|have been|is|was) averaged\b`)},
	{"another measure", []string{"how far", "by which", "per thousand", "decimal point", "change of the", "change in the"},
		regexp.MustCompile(`\b(?:express|expresses|show|shows|tell|tells|give|gives) how far\b|\bby which (?:diesel|fuel|oil|the price|prices|the index|it)\b|\b(?:values|figures|numbers|percentages) are (?:in |given in )?per thousand\b|` +
			`\bdecimal point (?:has been|was|is) (?:moved|shifted|wrong|missing)\b|\b(?:number|figure|percentage|value|column|percent) (?:is|gives|shows) the change (?:of|in) the\b`)},
	{"the dates are others", []string{" the one ", "the week after", "after the date", "fiscal weeks", "date of ", " date"},
		regexp.MustCompile(`\b(?:row|line) (?:below|above|after|before|under) the (?:one|row|line) (?:with|of|for)\b|\bbelongs? to the week (?:after|before)\b|\b(?:starts?|begins?|takes? effect|appl(?:y|ies)) (?:one|a|two|\d) weeks? (?:after|before|later|earlier)\b|\bfiscal weeks\b|` +
			`\b(?:appl(?:y|ies|ied)|charged|billed|listed|sorted) by (?:the )?(?:(?:delivery|invoice|billing|booking|payment|posting) date|date of (?:delivery|invoice|payment|billing|booking))\b`)},
	{"it holds under a condition", []string{" when ", " if ", " where ", " unless ", "for you"},
		regexp.MustCompile(`(?:^|[.;:] )(?:it|this|they|these) (?:is|are) (?:only )?(?:charged|billed|applied|added|due|collected) (?:only )?(?:when|if|where|whenever) (?:you|we|the (?:shipper|customer|driver|consignee|freight|shipment)|your|our|an?|shipments|freight)\b|` +
			`\bthis (?:table|page|schedule) (?:does not|doesn't|do not) apply (?:to you\b|unless|if|when)|^\W*if (?:your|the) (?:freight|shipment)\b[^.]*\bthis is the (?:table|page|one|schedule)\b`)},
	{"the marks of a chart", []string{"axis", "axes"},
		regexp.MustCompile(`\b(?:marks?|ticks?|labels?|grid ?lines?) (?:of|on|along|for) (?:the |its |both |two )*(?:\w+ )?ax[ie]s\b`)},
	{"a percent of the week before", []string{"of the prior", "of the previous", "of the preceding", "of the last", "of the earlier"},
		regexp.MustCompile(`\bper ?cent(?:age)? of the (?:prior|previous|preceding|last|earlier) (?:week|month|year)`)},
	{"ours follow from them", []string{"multiplied by", "half of these", "add ", "subtract", "deduct", " less ", " minus ", " plus "},
		regexp.MustCompile(`\b(?:percentages|figures|values|numbers|rates|surcharges)\b[^.;]* (?:is|are|must be|will be|get) (?:then |first )?multiplied by (?:a factor of )?(?:[\d.]+|a |an |one|two|half)|` +
			`\b(?:is|are|be|gets?|pays?|charged?) (?:just |only |about )?(?:half|a third|two thirds|a quarter|three quarters|twice|double) of (?:these|those|that|this|them|it)\b|` +
			`\b(?:add|subtract|deduct|take) (?:off )?(?:[\d.]+|one|two|three|four|five|half|a half|a) (?:percentage )?(?:points?|per ?cent|%) (?:for|to get|to find|from|off|to arrive|when)\b|` +
			`\b(?:charged?|billed?|collected?|invoiced?|paid|pay)(?: \w+){0,3} (?:percent(?:age)?|figure|value|rate|number)s?(?: shown| listed| above| below)? (?:less|minus|plus) (?:[\d.]+|one|two|three|four|five|half|a)\b`)},
	{"the figures are not in force", []string{"last month", "last week", "last quarter", "last year", "next month", "next quarter", "next year"},
		regexp.MustCompile(`\blast (?:week|month|quarter|year)(?:'s|’s)? (?:percent(?:age)?|surcharge|table|schedule|figure|rate)s? (?:remains?|stays?|continues?|appl(?:y|ies)|is|are)\b|` +
			`^\W*(?:effective|valid|starting|beginning|in force|in effect|from) (?:from )?next (?:month|quarter|year)\W*$`)},
	{"the figures may change for the past", []string{"under review", "under revision", "being reviewed"},
		regexp.MustCompile(`^\W*(?:this page |this table |the table |currently |now )*(?:is )?(?:under (?:review|revision)|being reviewed)\W*$`)},
	{"another page has ours", []string{"for the current", "for the latest", "for the actual", "for current", "for standard", "for ltl", "for regular", "ltl is ", "ltl surcharges are ", "ltl percentages are "},
		regexp.MustCompile(`\bfor (?:the |our )?(?:current|latest|actual|standard|regular|ltl)(?: ltl)?(?: fuel)?(?: tables?| percent(?:age)?s?| surcharges?| figures?| schedule| freight| shipments?)*,? (?:please )?(?:go to|visit|see|use|turn to|look (?:at|in|on)) (?:the |our |an? )?(?:new|other|another|next|second|right|left|separate)\b|` +
			`\b(?:see|use|go to|open|choose|select|click) (?:the |our )?(?:other|next|second|first|right|left) (?:tab|page|table|list|section|link|column) for (?:the |our )?(?:standard|regular|ltl|general|current|actual|usual)\b|` +
			`\b(?:standard|regular|general) ltl(?: surcharges?| percent(?:age)?s?| rates?| table)? (?:is|are|stands?|can be found) (?:listed |shown |given |found )?(?:further|elsewhere|in the (?:next|other|second)|on (?:the other|another))\b`)},
	{"nobody vouches for them", []string{"survey", "poll", "questionnaire", " report ", " reported ", "submit", "supplied"},
		regexp.MustCompile(`\b(?:comes?|came|taken|drawn|collected|gathered|result) (?:from|by|of) (?:an? |our |the )?(?:\w+ )?(?:survey|poll|questionnaire)s? (?:of|among|by|with) (?:shippers|customers|carriers|readers|members|users|brokers)\b|` +
			`\b(?:shippers|customers|readers|carriers|users|members|drivers) (?:report|reported|submit|submitted|supplied|supply) (?:these|the|all) (?:percentages|figures|values|numbers|rates)\b`)},
	{"the figures are not in force", []string{" case", "look like", "looks like", "once ", "until ", "till ", "through ", "histor", "archival"},
		regexp.MustCompile(`^\W*(?:high|low|base|best|worst|mid|middle)[- ]case\W*$|\bif (?:diesel|fuel|oil|prices?|the price)\b[^.]*\blooks? like (?:this|these|that)\b|` +
			`^\W*(?:it |they )?(?:will be|to be|becomes?) (?:effective|valid|in force|charged) (?:once|when|after|if|as soon)\b|` +
			`^\W*(?:the |our )?(?:tariff|table|schedule|scale|percentages|surcharges?|rates) (?:in force|in effect|valid|used|charged|good) (?:until|till|through) (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|fall|winter)[a-z]*\W*$|` +
			`^\W*(?:historical|historic|archival) (?:document|file|copy|page|paper|edition|version)\W*$`)},
	{"only for some shipments", []string{"pallet", "skid", "piece", "handling unit", "carton", "linear f"},
		regexp.MustCompile(`^\W*(?:more than|over|at least|up to|fewer than|less than|under|for) \w+ (?:or more )?(?:pallets?|skids?|pieces?|handling units?|cartons?|linear f(?:ee|oo)t)\b`)},
	{"a percent of another charge", []string{"only", "charge", " fee"},
		regexp.MustCompile(`\b(?:appl(?:y|ies|ied)|charged|due|added) (?:to|on) (?:the )?(?:accessorial|pick-?up|delivery|detention|storage|liftgate|residential|stop-?off|redelivery|reconsignment|handling)\b[^.;]*\bonly\b|` +
			`^\W*(?:on|of|for) the (?:stop[- ]?off|detention|storage|handling|reconsignment|redelivery|liftgate|inside delivery|notification|cartage|drayage|border|toll|ferry)(?: \w+)? (?:charge|fee)s?\W*$`)},
	{"a change or a share", []string{" share", "above ", "below ", "over ", "under "},
		regexp.MustCompile(`^\W*(?:\w+ ){0,3}(?:diesel|fuel|biodiesel|costs?|revenue|market|miles|freight|volume|electric) share\W*$|^\W*(?:percent|%|points?) (?:above|below|over|under) (?:the )?(?:doe|eia|index|average|base|market)\b`)},
	{"ours follow from them", []string{"to be added", "to be deducted", "to be subtracted", "add-on", "addon"},
		regexp.MustCompile(`^\W*(?:\w+ ){0,2}to be (?:added|deducted|subtracted)(?: to| from)?\b|^\W*add-?ons?\W*$`)},
	{"no surcharges, but a statistic", []string{"confidence"},
		regexp.MustCompile(`^\W*(?:\w+ )?confidence(?: level| interval| score)?\W*$`)},
	{"only for some shipments", []string{"haul", "miles", "pounds", "lbs", "straight truck", "prepaid", " book", " plan"},
		regexp.MustCompile(`^\W*(?:long|short|medium)[- ]hauls?\b|^\W*(?:over|under|more than|less than|up to|at least) [\d,]+ miles\b|` +
			`^\W*(?:for |all |shipments |freight |loads |ltl )*(?:under|below|less than|up to) (?:\d{1,3}|[1-4],?\d{3}) ?(?:pounds|lbs)\b|^\W*straight trucks?\b|^\W*prepaid[- ](?:and|&)[- ]add\b|` +
			`^\W*(?:online|phone|web|app) booking(?: rates?| price| discount)?\W*$|^\W*(?:basic|starter|premium|plus|free) plan\b`)},
	{"the figures are worked out with another price", []string{"price of $"},
		regexp.MustCompile(`\b(?:calculated|computed|figured|worked out|shown|given) (?:with|at|from|for) an? (?:\w+ )?price of \$`)},
	{"another measure", []string{"fraction of", "per day", "rounded "},
		regexp.MustCompile(`\bfraction of [^.;]* per\b|^\W*per (?:day|hour)\W*$|^\W*rounded (?:up|down|off)\W*$`)},
	{"the figures are not in force", []string{"as it was", "as they were", "last good", "last known", "delayed", "behind", "late", "stale", "shifted by"},
		regexp.MustCompile(`^\W*as (?:it|they) (?:was|were) (?:on|in|at|before)\b|^\W*last (?:good|known) (?:data|values?|figures?|percent(?:age)?s?)\b|` +
			`^\W*(?:data|values|figures|percentages)(?: (?:is|are))? (?:delayed|behind|stale|late)\W*$|^\W*(?:one|two|three|a|\d) weeks? (?:behind|late|ahead)\W*$|\bshifted by (?:one|a|two|\d) (?:week|day|row|line)s?\b`)},
	{"a change or a share", []string{"chg"},
		regexp.MustCompile(`^\W*(?:(?:wkly|weekly|net|pct) )?chg\.?(?: %)?\W*$`)},
	{"a sum of several charges", []string{"all-in", "all in "},
		regexp.MustCompile(`^\W*all[- ]in (?:ltl|rate|surcharge|percent|fuel)`)},
	{"only for other territories", []string{"outside", "beyond", "other than", "except", "excluding", "not valid", "not applicable", "not effective", "not in "},
		regexp.MustCompile(`^\W*(?:(?:for|valid|effective|applicable|applies|apply|good|all|any|every|shipments|freight|points|states|territories|locations|ltl|in|to|from|only|and) )*` +
			`(?:outside|beyond|other than|except|excluding|not (?:valid|applicable|effective) (?:in|within|for)|not in)(?: of| for| in)? (?:the )?(?:\w+ ){0,2}(?:48|states|u\.?s\.?a?|united states|conus|mainland)\W*$|` +
			`\b(?:percentages|figures|table|surcharges|rates|schedule|these|this|it)\b[^.;]* (?:is|are|apply|applies|hold|valid|good) (?:for|to|in)?[^.;]*\b(?:outside|beyond|other than)(?: of)? (?:the )?(?:\w+ ){0,2}(?:48|u\.?s\.?a?\b|united states|conus|mainland)`)},
	{"ours are others", []string{"tl ", "truckload"},
		regexp.MustCompile(`\buse (?:the )?(?:tl|truckload) (?:column|percent(?:age)?s?|rate) for (?:all |any )?ltl\b|\b(?:tl|truckload) (?:column|percent(?:age)?s?|rate) (?:also )?(?:appl(?:y|ies)|holds?|is used|are used|is charged) (?:to|for) (?:all |any )?ltl\b|` +
			`\bltl(?: \w+)? (?:uses?|takes?|pays?|gets?|is charged|are charged|is billed|are billed)(?: by| at| with)? the (?:tl|truckload)\b`)},
	{"ours are others", []string{"ltl "},
		regexp.MustCompile(`\bltl (?:gets?|pays?|has|have|takes?|receives?|is charged|are charged|is billed|are billed)(?: at| with| by)? (?:an? |the )?(?:lower|higher|smaller|larger|different|reduced|other|separate|special) |` +
			`\bltl (?:percent(?:age)?s|surcharges?|rates|tables?|schedules?|figures)\b[^.;]* on (?:another|an? (?:different|separate|other)|its own|their own|the other) (?:page|tab|site|sheet)|\blooking for (?:the )?(?:ltl|less)[^?]*\? (?:please )?(?:use|see|go to|click|visit|open|try|call)\b`)},
	{"only for some shipments", []string{"pounds", "lbs"},
		regexp.MustCompile(`\b(?:use|appl(?:y|ies)|valid|charged|good|hold)\b[^.;]*\b(?:under|below|less than|up to) (?:\d{1,3}|[1-4],?\d{3}) ?(?:pounds|lbs)\b`)},
	{"only for some shipments", []string{"only "},
		regexp.MustCompile(`^\W*(?:appl(?:y|ies)|valid|good|charged|used) only (?:on|at|with|by|for) (?:\w+ )?(?:pick-?ups|deliveries|orders|bookings|tenders|appointments?)\b`)},
	{"a limit of what is charged", []string{"max"},
		regexp.MustCompile(`^\W*max(?:imum|\.)?(?: (?:fuel )?surcharge)?:? \d+(?:\.\d+)? ?(?:%|per ?cent)\W*$`)},
	{"the figures were charged once", []string{"what we charged", "what was charged", "replaced", "superseded"},
		regexp.MustCompile(`\b(?:table|page|list|schedule|percentages) (?:shows?|lists?|gives?|are|is) what (?:we|was|were) charged? ?(?:in|during|until|before|at|then)?\b|` +
			`\bthe (?:\w+ )?(?:schedule|table|scale|brackets|percentages|figures) (?:below|above|here|shown|on this page) (?:was|were|has been|have been) (?:replaced|superseded|retired|discontinued|withdrawn)\b`)},
	{"ours follow from them", []string{" of these", " of those", " of this", " of the"},
		regexp.MustCompile(`\b(?:charged|billed|paid|rated|invoiced) (?:at|with|by|for)? ?(?:only |just )?[\d.]+ ?(?:%|per ?cent) of (?:these|those|this|that|the (?:percentage|figure|table|surcharge|rate)s?)\b`)},
	{"ours follow from them", []string{"discount", "deduction", "reduction", "credit", "allowance", "markup", "points are", "point is", "doubled", "halved", "tripled", "waived"},
		regexp.MustCompile(`\b(?:percentages|figures|values|numbers|rates|surcharges)(?: shown| listed| above| below| here)? (?:are|is) (?:shown |listed |given |quoted )?(?:before|after|net of|less|minus|plus) (?:an? |the |our |any |all )?(?:\w+ )?(?:discount|deduction|reduction|credit|allowance|markup)s?\b|` +
			`\b(?:[\d.]+|one|two|three|four|five|half a) (?:percentage )?points? (?:is|are|will be|were) (?:then )?(?:added|deducted|subtracted|taken off)(?: (?:to|from|in|during|before|when|for (?:ltl|all|standard|regular))\b|[.;,]|$)|` +
			`\b(?:percentages|figures|surcharges?|rates|values) (?:is|are|will be|were) (?:doubled|halved|tripled|waived)\b`)},
	{"a sum of several charges", []string{"sum of ", "total of "},
		regexp.MustCompile(`\b(?:sum|total) of (?:all|the|these|several|both|our) (?:\w+ )?(?:surcharges|charges|fees)\b`)},
	{"a change or a share", []string{"change", "difference", "compare"},
		regexp.MustCompile(`(?:^|[.;:] )\W*(?:the|these|our) (?:figures|values|percentages|numbers|column) (?:gives?|shows?|tells?|is|are) (?:the |each |how )(?:\w+ ){0,2}(?:changes?|changed|differences?)\b|` +
			`(?:^|[.;:] )\W*the table shows how (?:the )?(?:index|price|diesel|prices|percentage)s? (?:has |have )?(?:changed|moved|developed)\b|\b(?:percentages|figures|values) compares? (?:each|the|one|this)\b`)},
	{"averages", []string{"average", "mean ", "median", "means "},
		regexp.MustCompile(`^\W*(?:monthly|quarterly|annual|yearly) (?:averages|means|figures|values|percentages) (?:are|is) (?:shown|listed|given)\b|\beach (?:figure|value|percentage|number|row) is (?:the|an?) (?:mean|average|median|sum|total|maximum|minimum)\b`)},
	{"the figures were charged once", []string{"stopped ", "been replaced", "been superseded"},
		regexp.MustCompile(`\bstopped (?:using|charging|applying|publishing|billing|updating)\b|\b(?:table|schedule|scale|percentages|page) (?:has|have) been (?:replaced|superseded)(?:[;,.!]|$| by (?:an?|the) (?:new|another|other))`)},
	{"the figures are not in force", []string{" not "},
		regexp.MustCompile(`\b(?:are|is) not (?:valid|effective|in force|in effect|charged|used|current) (?:now|today|any more|anymore|yet|at present|currently|at the moment)\b`)},
	{"we do not charge them", []string{"we waive", "we have waived", "we suspend", "we have suspended", "we forgo", "exempt", "excluded from", "free of"},
		regexp.MustCompile(`\bwe (?:waive|have waived|suspend|have suspended|forgo) (?:these|this|the)\b|\bltl\b[^.;]* (?:is|are) (?:exempt|excluded|free) (?:from|of)\b`)},
	{"the dates are others", []string{"date", "week"},
		regexp.MustCompile(`\bdates (?:is|are) (?:\w+ ){0,3}(?:off|wrong|shifted)\W*(?:$|[.;])|\b(?:days?|weeks?) (?:after|before) (?:the|each|that) (?:dates?|days?) (?:shown|listed|printed|given|in the|of the row)\b|` +
			`\bweeks? (?:shown|listed) (?:is|are) (?:the |those |that )*(?:weeks? )?of the (?:index|survey|invoice|price|bill)\b`)},
	{"what others are paid", []string{"we pay"},
		regexp.MustCompile(`\bwe pay (?:to )?(?:our |the )?(?:\w+ )?(?:drivers|contractors|agents|owner|carriers|partners|haulers)\b`)},
	{"another kind of figures", []string{"surcharge", "off-road", "off road", "purchased "},
		regexp.MustCompile(`^\W*(?:ltl |weekly |fuel )*surcharges?(?: [-–]|:| \()? ?(?:averages?|old|internal|change|survey|after (?:the )?(?:discount|rebate|waiver))\)?\W*$|^\W*off[- ]road\b|^\W*purchased transportation\b`)},
	{"ours follow from them", []string{"half", "times what", "% of what", "percent of what", "twice"},
		regexp.MustCompile(`\bltl (?:pays|takes|gets|is charged|is billed) (?:only |just )?(?:half|twice|double|a third|two thirds|[\d.]+ ?(?:%|per ?cent))\b|\b(?:[\d.]+ times|[\d.]+ ?(?:%|per ?cent) of|half of|twice) what (?:is|we|the)\b`)},
	{"bills have other figures", []string{"invoice", "bill", "percentages differ", "figures differ"},
		regexp.MustCompile(`\b(?:invoices?|bills?) (?:will |may |can )?(?:shows?|have|has|bears?|carr(?:y|ies)|lists?) (?:an? )?(?:lower|higher|different|other|smaller|larger|another)\b|\b(?:real|actual|right|true|final|correct) (?:percentages?|surcharges?|figures?|rates?) (?:differs?|(?:is|are) (?:found|shown|on|in|given|lower|higher))\b`)},
	{"the figures were charged once", []string{"applied", "charged", "used", "held", "billed"},
		regexp.MustCompile(`(?:^|[.;:] )\W*(?:these|this table|the (?:ltl )?(?:percentages|figures|rates|surcharges|table)) (?:applied|held|were charged|were used|were billed|ran) (?:last|until|till|before|in|during|from|between|through|up to)\b|` +
			`\bwe (?:charged|used|billed|applied) (?:these|this|them) (?:until|till|before|in|during|last|through|from)\b|\bsince \w+(?: \d{4})?,? we (?:have )?(?:charged?|used?|billed|applied) (?:other|different|another|new|higher|lower)\b`)},
	{"the figures are not in force", []string{"next ", "will charge", "will apply", "will use", "will bill"},
		regexp.MustCompile(`^\W*next (?:year|month|quarter)(?:'s|’s)? (?:ltl |fuel )*(?:percentages|figures|surcharges?|rates|table|schedule)\b|\bwe will (?:charge|use|bill|apply) (?:these|this|them) (?:from|in|after|once|as of|starting|beginning)\b|` +
			`(?:^|[.;:] )\W*(?:these|this table|the (?:percentages|figures|table) (?:below|above|shown|here)) will (?:apply|be (?:charged|used|billed|valid|applied)) (?:from|in|after|once|when|as of|starting|beginning)\b`)},
	{"another table has ours", []string{"newer ", "corrected ", "updated ", "new table", "better "},
		regexp.MustCompile(`\bthere is an? (?:newer|corrected|updated|new|better) (?:table|page|list|schedule|version)\b|\ban? (?:newer|corrected|updated|better|new) (?:table|page|list|schedule|version) (?:exists|will follow|follows|is (?:on|at|in|available|coming|due))\b`)},
	{"nobody vouches for them", []string{"vouch", "sent in", "collected from", "gathered from", "come from", "comes from", "came from"},
		regexp.MustCompile(`\b(?:can't|cannot|can not|do not|don't|won't) vouch\b|\b(?:were|was|are) (?:sent|handed|mailed|phoned) in\b|` +
			`\b(?:these|percentages|figures|numbers|values|rates)\b[^.;]* (?:(?:were|are|was) (?:collected|gathered|compiled|copied|taken) from|comes? from|came from) (?:an? |the |our |other |various )?(?:\w+ )?(?:model|budget|plan|press|reports?|news|readers|survey|forum|blog|customers?|shippers?|carriers?|competitors?|simulation|estimates?|projections?)\b`)},
	{"the page is a copy or a preview", []string{"a copy "},
		regexp.MustCompile(`\bthis (?:page|table) is a copy\b`)},
	{"the figures are rounded", []string{"whole number", "full number", "full percent", "whole percent", "integer"},
		regexp.MustCompile(`\brounded (?:up |down |off )?to (?:the (?:next|nearest) )?(?:whole|full) (?:numbers?|per ?cents?|points?)\b|\brounded to integers\b`)},
	{"a limit of what is charged", []string{"pays more than", "pays less than", "charged more than", "charged less than", "billed more than"},
		regexp.MustCompile(`\b(?:nobody|no one|no customer|no shipper|none) (?:pays|is charged|is billed|will pay) (?:more|less) than (?:these|this|that|those|what)\b`)},
	{"a sum with another fee", []string{"include"},
		regexp.MustCompile(`(?:^|[.;:] )\W*(?:these|the (?:percentages|figures|values|rates))(?: shown| below| above)? include (?:an? |the |our )(?:\w+[ -]){1,4}(?:fee|fees|charge|levy|tax|taxes|toll|tolls|increase)\b`)},
	{"only for some shipments", []string{"trailer", "prepaid", "collect ", "edi "},
		regexp.MustCompile(`\b(?:shipments|freight|loads) that fills? (?:an? |the |your )?(?:\w+ )?(?:trailer|truck|container)\b|^\W*(?:only )?(?:prepaid|collect|edi|third[- ]party) (?:shipments|freight|customers|bills|shippers) (?:is|are|use|uses|get|gets|pay|pays) (?:only )?(?:billed|charged|rated)? ?(?:by|with|from|under|at)? ?(?:these|this)\b|` +
			`^\W*only (?:prepaid|collect|edi|third[- ]party)\b`)},
	{"what others are paid", []string{"pay us", "paid to us", "pays us"},
		regexp.MustCompile(`\b(?:carriers|partners|agents|vendors|brokers) pay us\b`)},
	{"only for other territories", []string{"ship to ", "shipping to ", "ship from ", "shipping from "},
		regexp.MustCompile(`\bthis (?:table|page|schedule|list)\b[^.;]* (?:when|if|for) (?:you )?(?:ship|shipping) (?:to|from|into|out of|within) (?:canada|mexico|alaska|hawaii|puerto rico|ontario|quebec|guam)\b`)},
	{"the figures were charged once", []string{"in use ", "in force ", "in effect ", "since "},
		regexp.MustCompile(`\b(?:tables?|schedules?|percentages|figures|scales?|page)(?: below| above| here)? (?:was|were) in (?:use|force|effect) (?:until|till|through|up to|before)\b|` +
			`\bsince \w+(?: \d{1,2})?(?:,? \d{4})?,? an?(?:other| new| different) (?:schedule|table|scale)\b|\bnot (?:been )?updated since\b|` +
			`\b(?:bills|invoices|shipments) since \w+(?: \d{1,2})?(?:,? \d{4})? (?:use|follow|go by|are (?:rated|billed) (?:by|with|from)) (?:an? (?:new|different|other)|another|other)\b`)},
	{"another page has ours", []string{" new site", " new page", " new address", " new web"},
		regexp.MustCompile(`\b(?:current|new|latest|official|actual) (?:tables?|percentages|figures|page|schedule) (?:is|are|stands?) (?:now )?(?:on|at) (?:our|the|a) new\b`)},
	{"the dates are others", []string{"weeks behind", "week behind", "weeks ahead", "week ahead", "week after", "week before", "row above", "row below", "month that", "month after", "last week's"},
		regexp.MustCompile(`\b(?:percent(?:age)?s|figures|rows|table|values)(?: here| below| above| shown)? (?:is|are|runs?|lags?) (?:one|a|two|three) weeks? (?:behind|ahead)\b|` +
			`\bwe (?:bill|charge|use|apply) the (?:percent(?:age)?|figure|row|one) of the (?:week|row|month) (?:after|before|above|below)\b|` +
			`\b(?:percent(?:age)?s?|figures?|rows?|lines?)(?: of each row)? (?:appl(?:y|ies)|holds?|is charged|are charged) (?:to|in|for) the month (?:after|that follows)\b|` +
			`\b(?:current|newest|top|first|latest) (?:row|line|week|entry) (?:is|repeats|shows|still shows|holds|has) last week's\b`)},
	{"ours follow from them", []string{"supplement", "premium", "adder"},
		regexp.MustCompile(`\badd (?:the|an?|our) (?:\w+ )?(?:supplement|premium|adder)\b|\b(?:supplement|premium|adder) of [^.;]{1,20}(?:points?|per ?cent|%) (?:is|are) (?:not included|added|charged)\b`)},
	{"another company's figures", []string{"charge us", "we bought", "we acquired", "sold at our"},
		regexp.MustCompile(`\b(?:carriers|partners|vendors|contractors|railroads|suppliers) charge us\b|\b(?:carrier|company|firm)s?(?: that| which)? we (?:bought|acquired)\b|\bsold at our (?:stations|pumps)\b`)},
	{"a change or a share", []string{"change", "difference", "movement", "how much of "},
		regexp.MustCompile(`^\W*(?:the|this) (?:table|column|list) (?:shows|gives|lists) the (?:weekly )?(?:changes?|differences?|movements?)\b|\bhow much of (?:the|our) (?:freight|shipments|volume)\b`)},
	{"the table is garbled", []string{"digit", "decimal"},
		regexp.MustCompile(`\b(?:last|first) (?:digit|decimal)s? (?:is|are|was|were) (?:cut off|missing|dropped|lost)\b`)},
	{"the page is a copy or a preview", []string{"this is how"},
		regexp.MustCompile(`\bthis is how (?:the|our) (?:new )?(?:page|table|schedule)s? (?:will|would|might|could|may) look\b`)},
	{"only for some customers", []string{" on the "},
		regexp.MustCompile(`^\W*(?:shippers|customers|accounts)(?: who are| that are)? on the (?:\w+ )?(?:schedule|program|plan|scale|contract) (?:use|get|pay|have)\b`)},
	{"the figure is an offer", []string{"save "},
		regexp.MustCompile(`\bsave (?:up to )?[\d.]+ ?(?:%|per ?cent) (?:on|off) (?:your |the |our )?(?:ltl )?fuel\b`)},
	{"only for some customers", []string{"members "},
		regexp.MustCompile(`\bmembers (?:of|in) (?:our|the|an?) [^.;]*\b(?:program|club|plan)s?\b[^.;]* (?:pay|get|receive|are (?:charged|billed))\b`)},
	{"a part of them is charged", []string{" of the "},
		regexp.MustCompile(`\b(?:half|a third|a quarter|part|some) of the (?:ltl )?fuel surcharge\b`)},
	{"the figure is asked for", []string{"?"},
		regexp.MustCompile(`^\W*(?:was|were|is|are|did|will|would|could) the (?:ltl )?fuel surcharge [^?]*\d[^?]*\?`)},
	{"the figures are not in force", []string{"into force"},
		regexp.MustCompile(`\b(?:this|these|the) (?:table|schedule|percentages|figures|rates)(?: below| above| here)? will (?:come|enter) into force\b`)},
	{"only for some shipments", []string{"all other ", ": see "},
		regexp.MustCompile(`\ball other (?:ltl )?(?:shipments|freight|lanes|states|points)\b[^.;]*\b(?:see|use|refer|go|are (?:on|in))\b[^.;]*\b(?:general|other|separate|main|standard|next|another)\b`)},
	{"the figures are late", []string{"delayed", "stale", "lagging", "lag behind", "incomplete"},
		regexp.MustCompile(`\b(?:data|feed|figures|percent(?:age)?s|rates|values|tables?)\b[^.;]* (?:is|are) (?:currently |temporarily )?(?:delayed|stale|lagging|incomplete)\b|` +
			`\b(?:data|feed|figures|percent(?:age)?s|values) lags? behind\b`)},
	{"a percent of another amount", []string{"of the total ", "of the base rate", "of the rates of "},
		regexp.MustCompile(`\bof the total (?:invoice|bill)(?: amount)?,? including\b|\bof the (?:base )?rates? of (?:19|20)\d\d\b`)},
	{"a percent of invoices", []string{"invoice", "bill"},
		regexp.MustCompile(`\b(?:per ?cent(?:age)?|share|part|portion) of (?:the |your |an? |all )?(?:average (?:ltl )?(?:invoice|bill)|total (?:ltl )?invoice|(?:invoice|bill) total)`)},
}

// tells says what a text makes of the figures; "" for nothing.
func tells(text string) string {
	text = strings.ToLower(text)
	g := gramsOf(text)
	for _, t := range telling {
		if g.holdOne(text, t.words) && t.phrase.MatchString(text) {
			return t.are
		}
	}
	if word := concern(text); word != "" {
		return fmt.Sprintf("%q is what they are for", word)
	}
	switch {
	case saysOne(text, "average", "mean") && isAverage(text):
		return "averages"
	case strings.Contains(text, "ltl") && isOtherLTL(text):
		return "LTL stands for something else"
	case isNetOfOffer(text):
		return "the figures are net of an offer"
	case flagsAbroad(text):
		return "the flag of another country"
	}
	return ""
}

// averaged finds an average of what figures are for, or of several weeks: "the mean of fourteen large carriers", "four-week averages".
var averaged = regexp.MustCompile(`\b(?:mean|average)s? (?:of|over|across) (?:[\w-]+ ){0,4}(?:carriers|companies|shipments|customers|invoices|lanes|terminals|centers|weeks?)\b|` +
	`\b(?:two|three|four|five|six|eight|ten|twelve|thirteen|\d+)[- ]weeks? (?:rolling |moving )?(?:means?|averages?)\b`)

// isAverage tells whether a sentence says that the figures are averages. Those of prices are none of our figures.
func isAverage(text string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == ';' }), func(sentence string) bool {
		return averaged.MatchString(sentence) && !saysOne(sentence, "price", "diesel", "index", "cost", "eia", "doe", "energy", "gallon", "not ", "n't")
	})
}

// initials finds what LTL is short for.
var initials = regexp.MustCompile(`\bltl\W+(l\w+)\W+(t\w+)\W+(l\w+)`)

// isOtherLTL tells whether a text says that LTL is short for something else: "LTL: low-temperature loads".
func isOtherLTL(text string) bool {
	found := initials.FindStringSubmatch(text)
	return found != nil && found[1] != "less" && found[1] != "ltl" && found[3] != "ltl"
}

// The letters that flags are made of: "🇨🇦" is CA.
const (
	firstOfFlags = '\U0001F1E6'
	lastOfFlags  = '\U0001F1FF'
)

// flagsAbroad tells whether a text shows flags, and ours is none of them.
func flagsAbroad(text string) bool {
	var letters []byte
	for _, r := range text {
		if r >= firstOfFlags && r <= lastOfFlags {
			letters = append(letters, byte('A'+r-firstOfFlags))
		}
	}
	for i := 0; i+1 < len(letters); i += 2 {
		if string(letters[i:i+2]) == "US" {
			return false
		}
	}
	return len(letters) > 1
}

// lastDay finds what makes a date that of a week's end: "Each line shows the last day on which the percent applies".
var lastDay = regexp.MustCompile(`(?i)\blast day (?:on|of|that|for) (?:which|the|that|each)\b|\b(?:dates?|days?) (?:shown |listed )?(?:is|are) (?:the )?(?:last|expiration|expiry|end|ending|closing)\b`)

// endsWeeks tells whether a text says that the dates are the ends of weeks, and no heading says that they are beginnings.
func endsWeeks(text string, s sheet.Sheet) bool {
	begins := func(h meaning.Heading) bool { return h.Is(meaning.Effective | meaning.Begin) }
	return saysOne(text, "last", "expir", " end", "closing") && lastDay.MatchString(text) && !slices.ContainsFunc(s.Columns, begins)
}

// totalBeside is the heading of another column of LTL percents where one of the two says that it has the whole, of which the other is a part:
// "LTL > Total charged" beside "LTL > Schedule", "LTL Base" beside "LTL Total"; "" where there is none.
func totalBeside(s sheet.Sheet, percent int) string {
	isTotal := func(h meaning.Heading) bool {
		return h.Is(meaning.LTL) && slices.ContainsFunc(wordsOf(h.String()), func(w string) bool { return totals[w] })
	}
	isPart := func(h meaning.Heading) bool {
		return h.Is(meaning.LTL) && slices.ContainsFunc(wordsOf(h.String()), func(w string) bool { return parts[w] })
	}
	ours := isTotal(s.Columns[percent])
	for i, h := range s.Columns {
		if i != percent && (!ours && isTotal(h) || ours && isPart(h)) {
			return h.String()
		}
	}
	return ""
}

var parts = indexPlain(`base basic part published schedule scheduled tariff standard`)

var totals = indexPlain(`total totals sum combined final net charged billed`)
