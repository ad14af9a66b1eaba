package scope

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
	"assay.dev/ltl-worker/surcharge/token"
)

// doubtFact judges what a JSON document says beside a list. A flag that is false says nothing.
func (j *Judge) doubtFact(f sheet.Fact) string {
	if why := j.refutes(f); why != "" {
		return why
	}
	return j.doubtMember(f)
}

// doubtMember judges the words of a member, of its name or of its value.
func (j *Judge) doubtMember(f sheet.Fact) string {
	switch {
	case isOfOtherPages(f.Name) && !isAboutSurcharge(wordsOf(f.Value)):
		return j.doubt(f.Value, distant)
	case j.isOfOtherMember(f), isBlockName(f), isTranslated(f.Name):
		return ""
	case isTypeName(f.Name):
		return j.doubt(f.Value, lenient)
	case IsTechnical(f.Name) && isProse(f.Value, wordsOf(f.Value)):
		return j.doubt(f.Value, distant)
	case f.Value == "" || f.Value == "false" || IsTechnical(f.Name) || isOfTimeZone(f.Name):
		return ""
	case isFigure(f.Value) || f.Value == "true":
		return j.doubt(f.Name, lenient)
	}
	how := lenient
	if isToPeople(f.Name) && len(f.Value) > 1 {
		how = strict
	}
	if qualifies(f.Name) {
		if isWholeCountry(wordsOf(f.Value)) {
			return ""
		}
		how = strict
	}
	if why := j.doubt(f.Value, how); why != "" || j.vocabulary.Of(token.Spaced(f.Name)).Has(meaning.Price) {
		return why
	}
	return j.doubt(withoutQualifyingNames(f.Name), lenient)
}

// refutes says what a member says against the figures by its name and its value together: {"approved": false}, {"state": "HI"}.
func (j *Judge) refutes(f sheet.Fact) string {
	if k, word := foreignKind(append(wordsOf(f.Value), "")); k == edition && (saysState(f.Name, f.Value) || isEditionName(f.Name)) {
		return fmt.Sprintf("%q is %s", word, k)
	}
	if flag := flagOut(f.Name, f.Value); flag != "" {
		return fmt.Sprintf("%q is %s", flag, f.Value)
	}
	if word := heldBack(f); word != "" {
		return fmt.Sprintf("%q is not known to be in force", word)
	}
	if isOneCustomers(f.Name) && f.Value != "" && f.Value != "false" {
		return "the figures are one customer's"
	}
	if base := wordsOf(f.Value); isBase(f.Name) && slices.ContainsFunc(base, func(w string) bool { return foreignBases[w] }) {
		return fmt.Sprintf("the figures are percents of %q", f.Value)
	}
	if f.Name == sheet.Errors && f.Value != "" {
		return "the service reports errors"
	}
	if isEnvironment(f.Name) && !inUse[strings.ToLower(f.Value)] && isWord(f.Value) {
		return fmt.Sprintf("%q may be no environment in use", f.Value)
	}
	if formula.MatchString(f.Value) {
		return "the figures are parts of a formula"
	}
	if isViewing(f.Value) {
		if word := forWhom(f.Value); word != "" {
			return fmt.Sprintf("only for %q", word)
		}
	}
	if isLeastWeight(f) {
		return "only for heavy shipments"
	}
	if isPlaceName(f.Name) && codesOfPlaces.MatchString(f.Value) && f.Value != "US" {
		return fmt.Sprintf("only for %s", f.Value)
	}
	if isCompanyName(f.Name) && isWord(f.Value) && j.OfCarrier && j.isAnother(f.Value) {
		return fmt.Sprintf("%q may be another company", f.Value)
	}
	if slices.Contains(wordsOf(f.Name), "currency") && slices.ContainsFunc(wordsOf(f.Value), func(w string) bool { return unitsAbroad[w] }) {
		return fmt.Sprintf("%q is money of another country", f.Value)
	}
	return ""
}

// withoutQualifyingNames is the name of a member without what it is a member of: {"territory": "General"} is of no territory of its own,
// {"canadaTerritory": "General"} is.
func withoutQualifyingNames(name string) string {
	words := slices.DeleteFunc(wordsOf(name), func(w string) bool { return qualifyingNames[w] })
	return strings.Join(words, " ")
}

// isOfOtherPages tells whether a member lists other pages of the site, or what it puts on all of them: {"related": [{"title": "Accessorial
// charges"}]}.
func isOfOtherPages(name string) bool {
	words := wordsOf(name)
	return slices.ContainsFunc(words, func(w string) bool { return pageLists[w] }) &&
		!slices.ContainsFunc(words, func(w string) bool { return !pageLists[w] && !partsOfLinks[w] })
}

var (
	pageLists = indexPlain(`also siblings related links navigation nav sitemap announcements announcement sidebar news promo promos promotion promotions
		teaser teasers banner banners articles blog posts faq faqs`)
	// partsOfLinks belong to the names of such lists and of their members.
	partsOfLinks = indexPlain(`see quick footer header page pages list items item title titles name label text summary description headline
		subtitle body question answer q a root content primary secondary main site resources`)
)

// isTranslated tells whether a member has the texts of a page in another language than English: {"labels": {"en": {…}, "fr": {…}}}.
func isTranslated(name string) bool {
	words := wordsOf(name)
	i := slices.IndexFunc(words, func(w string) bool { return textLists[w] })
	return i >= 0 && i+1 < len(words) && (words[i+1] == "fr" || words[i+1] == "es")
}

var textLists = indexPlain(`labels translations strings texts messages i18n`)

// isOfOtherMember tells whether a member says in words what another member of the weeks is: {"units": {"tlSurcharge": "fraction of linehaul"}},
// {"truckloadNote": "20,000 lbs and over"}. It does not where it speaks of all figures, or of LTL.
func (j *Judge) isOfOtherMember(f sheet.Fact) bool {
	levels, value := strings.Fields(f.Name), wordsOf(f.Value)
	if !j.headedLTL || len(levels) == 0 || len(value) == 0 || !isWord(f.Value) || f.Value == "true" {
		return false
	}
	for len(levels) > 1 && memberLabels[strings.ToLower(levels[len(levels)-1])] {
		levels = levels[:len(levels)-1]
	}
	name := wordsOf(levels[len(levels)-1])
	isTruckload := slices.ContainsFunc(name, func(w string) bool { return truckloadNames[w] }) && !slices.ContainsFunc(name, func(w string) bool {
		return !truckloadNames[w] && !memberLabels[w] && !surchargeWords[w] && w != "fuel"
	})
	isOther := isTruckload || len(levels) > 1 && len(name) > 1 &&
		slices.ContainsFunc(j.otherHeadings, func(heading []string) bool { return slices.Equal(heading, name) })
	return isOther && value[0] != "only" && !refersToFigures(value) && tells(f.Value) == "" &&
		!slices.ContainsFunc(value, func(w string) bool { return ofAll[w] })
}

var (
	truckloadNames = indexPlain(`tl ftl truckload truckloads`)
	// memberLabels are the names of what is said of a member.
	memberLabels = indexPlain(`label labels title text note notes footnote description unit units name help hint tooltip caption heading header`)
)

// ofAll are words by which a text speaks of more than one column.
var ofAll = indexPlain(`ltl all both page document percents percentages figures surcharges rates weeks table`)

// isEnvironment tells whether a member of this name says in which environment its service runs.
func isEnvironment(name string) bool {
	words := wordsOf(name)
	return len(words) > 0 && (words[len(words)-1] == "environment" || words[len(words)-1] == "env")
}

// inUse are the names of environments whose figures are charged.
var inUse = map[string]bool{"prod": true, "production": true, "prd": true, "live": true, "public": true, "www": true}

func isWord(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// formula finds how a figure is worked out of members of the document: "percent = base + ltlPercent".
var formula = regexp.MustCompile(`^\s*\w+ ?= ?\w+ ?[+*×x/-] ?\w+\s*$`)

// isTypeName tells whether a member names the type of its object, as services of Microsoft and of GraphQL and editors of pages do. Only words
// that are known to qualify count there: {"__type": "Freight.CanadaSurchargeDto"}, {"widgetType": "hero"}, {"jcr:primaryType": "cq:Page"}.
func isTypeName(name string) bool {
	words := wordsOf(name)
	isNamespaced := strings.Contains(name, ":") && len(words) > 0 && strings.HasPrefix(words[len(words)-1], "type")
	return isNamespaced || strings.HasSuffix(name, "__type") || strings.HasSuffix(name, "__typename") ||
		len(words) == 2 && words[1] == "type" && partsOfPages[words[0]]
}

var partsOfPages = indexPlain(`widget component block element section layout`)

// isBlockName tells whether a member says what kind of a part of a page its object is: {"type": "richText"}.
func isBlockName(f sheet.Fact) bool {
	name, value := wordsOf(f.Name), wordsOf(f.Value)
	last := len(name) - 1
	isKind := last >= 0 && (name[last] == "type" || name[last] == "component" || last > 0 && name[last] == "name" && partsOfPages[name[last-1]])
	return isKind && len(value) > 0 && !slices.ContainsFunc(value, func(w string) bool { return !blockNames[w] && !contentNames[w] })
}

var blockNames = indexPlain(`hero rich text html markdown data table tables grid image images picture media video carousel slider accordion tabs list cta
	button link divider spacer separator quote form embed column columns row rows container group paragraph heading title breadcrumb breadcrumbs header footer sidebar card cards block hubdb`)

// contentNames tell what is in a part of a page: {"component": "fuel_row"}.
var contentNames = indexPlain(`fuel surcharge surcharges week weeks weekly history ltl`)

// envelopes are members that hold the answer of a service and nothing else.
var envelopes = indexPlain(`d output outputs response result results body payload model props sitecore route placeholders jss sxa main hits queries x axis
	aadata dehydratedstate initialstate preloadedstate`)

// isProgramName tells whether a name on the way to a JSON list is made of everyday words, or of those of services: "relationships", "_embedded", "jss-main".
func isProgramName(name string) bool {
	words := slices.DeleteFunc(wordsOf(name), func(w string) bool { return envelopes[w] })
	if len(words) == 0 || envelopes[inOneWord(name)] {
		return true
	}
	k, _ := foreignKind(words)
	return k == "" && mood(words, false) == "" && !slices.ContainsFunc(words, func(w string) bool {
		return !further[w] && !further[strings.TrimSuffix(w, "s")] || ambiguous[w]
	})
}

// saysState tells whether a member of this name says whether the figures are in force. One of two capital letters is a state of the country:
// {"state": "HI"}.
func saysState(name, value string) bool {
	return !isPostal(value) && slices.ContainsFunc(wordsOf(name), func(w string) bool { return w == "status" || w == "state" || w == "stage" })
}

// isPostal tells whether a value is the code of a state or country: "HI".
func isPostal(value string) bool {
	return len(value) == 2 && strings.ToUpper(value) == value && isWord(value)
}

// isPlaceName, isCompanyName and isEditionName tell what a member of this name holds: {"state": "HI"}, {"company": "Saia"}, {"version": "draft"}.
func isPlaceName(name string) bool {
	words := wordsOf(name)
	return len(words) > 0 && placeMembers[words[len(words)-1]]
}

func isCompanyName(name string) bool {
	words := wordsOf(name)
	return len(words) > 0 && companyMembers[words[0]] && !slices.ContainsFunc(words[1:], func(w string) bool { return w != "name" })
}

func isEditionName(name string) bool {
	words := wordsOf(name)
	return len(words) > 0 && (words[len(words)-1] == "version" || words[len(words)-1] == "revision" || words[len(words)-1] == "edition")
}

// isAnother tells whether a company is not called by a name of the carrier.
func (j *Judge) isAnother(company string) bool {
	words := wordsOf(company)
	return len(j.withoutNames(words)) == len(words) && slices.ContainsFunc(words, func(w string) bool { return !companyWords[w] && w != "ltl" })
}

// codesOfPlaces are those of a state, a country, or two: "HI", "CA-US".
var codesOfPlaces = regexp.MustCompile(`^[A-Z]{2}(?:-[A-Z]{2})?$`)

var (
	placeMembers   = indexPlain(`state province territory origin destination lane`)
	companyMembers = indexPlain(`company carrier brand`)
)

// Flags tell whether figures are in force. Of lasting ones each row must be so; of passing ones older weeks need not: {"current": false}.
var (
	lastingFlags = indexPlain(`visible displayed published approved final confirmed verified official valid released ready`)
	passingFlags = indexPlain(`active current live enabled effective`)
	// outFlags say that figures are not in force.
	outFlags = indexPlain(`preview deprecated stale inactive disabled obsolete outdated unpublished retired superseded mocked unofficial unverified unconfirmed hidden deleted removed
		replaced invalidated delayed degraded average averages averaged monthly delta`)
	besideFlags = indexPlain(`is are has data rate rates surcharge surcharges fuel table record row schedule ltl page week weeks percent figures tariff was been flag ind indicator yn`)
)

// yesOrNoFlags are what flags hold: {"active": 0}, {"isActive": "N"}.
var yesOrNoFlags = map[string]bool{
	"true": true, "yes": true, "y": true, "1": true, "t": true, "on": true, "false": false, "no": false, "n": false, "0": false, "f": false, "off": false,
}

// flagOut is the flag by which a member says that figures are not in force: {"isPublished": false}, {"deprecated": true}; "" for none.
func flagOut(name, value string) string {
	is, isFlag := yesOrNoFlags[strings.ToLower(value)]
	if !isFlag {
		return ""
	}
	flag := ""
	for _, w := range wordsOf(name) {
		switch {
		case !is && (lastingFlags[w] || passingFlags[w]), is && outFlags[w]:
			flag = w
		case !besideFlags[w]:
			return ""
		}
	}
	return flag
}

// heldBack is what a member says of the figures that keeps them from being this week's for everybody: {"workflowState": "in review"},
// {"visibility": "internal"}, {"frequency": "monthly"}, {"multiplier": 0.9}; "" for nothing.
func heldBack(f sheet.Fact) string {
	name, value := wordsOf(f.Name), wordsOf(f.Value)
	if len(name) == 0 {
		return ""
	}
	last := name[len(name)-1]
	unknown := func(known map[string]bool) string {
		if i := slices.IndexFunc(value, func(w string) bool { return !known[w] && isWord(w) && len(w) > 1 }); i >= 0 {
			return f.Value
		}
		return ""
	}
	isOne := func(known map[string]bool) bool {
		return slices.ContainsFunc(value, func(w string) bool { return known[w] })
	}
	switch {
	case f.Value == "true" || f.Value == "false":
		return ""
	case (last == "status" || last == "state" || last == "stage") && saysState(f.Name, f.Value):
		return unknown(goodStates)
	case last == "visibility" || last == "audience":
		return unknown(everybody)
	case rhythmNames[last] && isOne(otherRhythms), measureNames[last] && isOne(changeWords):
		return f.Value
	case len(name) == 1 && factorNames[last] && changesFigures(f.Value):
		return f.Name
	case len(name) == 2 && removals[name[0]] && datesOf[last]:
		return f.Name
	case slices.ContainsFunc(name, func(w string) bool { return hostNames[w] }) && strings.Contains(f.Value, "://"):
		host, _, _ := strings.Cut(strings.SplitN(f.Value, "://", 2)[1], "/")
		if k, word := foreignKind(append(wordsOf(strings.NewReplacer(".", " ", "-", " ").Replace(host)), "")); k == edition {
			return word
		}
	}
	return ""
}

// changesFigures tells whether a factor or an addend is none that leaves figures as they are.
func changesFigures(value string) bool {
	n, err := strconv.ParseFloat(value, 64)
	return err == nil && n != 0 && n != 1 && n != 100
}

var (
	goodStates = indexPlain(`ok okay publish inherit success successful succeeded successfully active current published approved final finalized live effective valid verified complete completed ready public
		released in force effect up online normal available fulfilled done loaded posted open confirmed official enabled accepted processed found true yes new updated resolved idle
		no error errors the request was is and a standard regular`)
	everybody    = indexPlain(`public everyone everybody all external customers anonymous guest guests website web open global general users`)
	rhythmNames  = indexPlain(`frequency period aggregation granularity interval cadence resolution rhythm`)
	otherRhythms = indexPlain(`month months monthly quarter quarterly year yearly annual annually daily day average averages averaged mean median rolling`)
	measureNames = indexPlain(`measure metric display values`)
	factorNames  = indexPlain(`multiplier factor adjustment adder markup uplift`)
	removals     = indexPlain(`replaced superseded retired withdrawn discontinued`)
	datesOf      = indexPlain(`on at date since by`)
	hostNames    = indexPlain(`base api server host service endpoint`)
)

// isOneCustomers tells whether a member names a customer, by a number too: {"customerId": 88123}.
func isOneCustomers(name string) bool {
	words := wordsOf(name)
	return len(words) > 1 && customerNames[words[0]] && !slices.ContainsFunc(words[1:], func(w string) bool { return !numberNames[w] })
}

var (
	customerNames = indexPlain(`customer account contract shipper consignee agreement quote`)
	numberNames   = indexPlain(`id number no num code key nbr name`)
)

// isBase tells whether a member of this name says what the figures are percents of.
func isBase(name string) bool { return baseNames[strings.Join(wordsOf(name), " ")] }

var (
	baseNames    = map[string]bool{"percent of": true, "percentage of": true, "applied to": true, "applies to": true, "basis": true, "base": true, "calculated on": true}
	foreignBases = indexPlain(`total gross invoice accessorials value weight mileage miles`)
)

// leastHeavy is the least weight, in pounds, from which shipments are not ours alone.
const leastHeavy = 5000

// isLeastWeight tells whether a member is the least weight of the shipments, and a heavy one: {"minWeight": 20000}.
func isLeastWeight(f sheet.Fact) bool {
	words := wordsOf(f.Name)
	pounds, err := strconv.ParseFloat(f.Value, 64)
	return err == nil && pounds >= leastHeavy && slices.ContainsFunc(words, func(w string) bool { return w == "weight" || w == "lbs" || w == "pounds" }) &&
		slices.ContainsFunc(words, func(w string) bool { return w == "min" || w == "minimum" || w == "from" || w == "least" || w == "over" })
}

// isOfTimeZone tells whether a member of this name says in which time zone something is.
func isOfTimeZone(name string) bool {
	words := wordsOf(name)
	i := slices.Index(words, "zone")
	return i > 0 && words[i-1] == "time" || slices.Contains(words, "timezone")
}

// isToPeople tells whether a member of this name holds words to the people who read the figures.
func isToPeople(name string) bool {
	words := wordsOf(name)
	return len(words) > 0 && peopleNames[words[len(words)-1]]
}

var peopleNames = indexPlain(`note notes footnote footnotes remark remarks disclaimer disclaimers comment comments description caption subtitle intro introduction html text`)

// qualifies tells whether a member of this name says for what the figures hold.
func qualifies(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w string) bool { return qualifyingNames[w] || qualifyingNames[strings.TrimSuffix(w, "s")] })
}

var qualifyingNames = indexPlain(`brand tier segment service services mode type product region territory zone area country countries territories companies lane scope customer account
	program plan carrier provider operator issuer shipper origin destination company division market basis unit units kind category title name label applies applicability`)

// IsTechnical tells whether the values of a member of this name mean nothing to people.
func IsTechnical(name string) bool {
	return styleNames[inOneWord(name)] || strings.HasPrefix(name, "__") || strings.Contains(name, " __") || strings.ContainsAny(name, "$@") || slices.ContainsFunc(wordsOf(strings.TrimPrefix(name, "page ")), func(w string) bool { return technicalNames[w] })
}

// styleNames are members for style sheets.
var styleNames = map[string]bool{"rowclass": true, "cssclass": true, "classname": true}

// inOneWord is a name without blanks and capitals: "rowclass" of "row Class".
func inOneWord(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "")) }

var technicalNames = indexPlain(`id ids uri url href link links guid uuid slug cursor typename etag metadata hash token context self key
	created modified author editor status version revision nextlink path template image icon color lang locale format mime
	upd usr user users username published date updated timestamp generated odata typename schema count total size page uid owner language`)
