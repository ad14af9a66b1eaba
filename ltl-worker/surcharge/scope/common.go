package scope

import "strings"

// Words of everyday English change nothing about figures: what people do, how, when, and the things that every page of a
// company speaks of. Things that can be carried, places, services, companies and groups of people are no such words: they may
// qualify.

// commonVerbs are verbs in their base form. Their other forms are made by [inflect].
const commonVerbs = `
	accept access account achieve acquire act adapt add adjust adopt advise affect agree aim allow amend amount analyze announce answer
	anticipate appear apply appreciate approve arise arrange arrive ask assess assign assist assume assure attach attempt audit
	average avoid base become begin believe benefit bill book bring budget build calculate call cancel capture celebrate carry cause
	certify change charge check choose clarify claim click close collect combine come communicate compare compensate compile
	complete comply compute concern conclude confirm connect consider consist consult contact contain continue contribute
	convert copy correct cost count cover create cross decide decline decrease deduct define delay deliver depend derive describe
	design detail determine develop differ direct disclose discuss display dispute divide download drive drop earn
	edit elect eliminate email enable encourage end enjoy ensure enter equal establish evaluate exceed exclude exist expect
	experience explain express extend face fail feel file fill filter find finish fit fix fluctuate focus follow forget
	fund gain gather generate give go govern grow guide handle happen have hear help hire hold hope identify implement import improve
	include incorporate incur indicate inform initiate inquire intend introduce invest invite invoice involve issue join keep know label last
	launch lead learn leave let level like link list listen live load locate look lose lower maintain make manage mark match mean
	measure meet mention minimize monitor move multiply name need negotiate note notice notify obtain occur offer offset open
	operate order originate outline own participate pass pay perform pertain plan please post prefer prepare present prevent print
	proceed process produce program promise propose protect prove provide publish purchase pursue put qualify question raise range reach react
	read realize receive recognize recommend reconcile record recover reduce refer reflect refresh refuel regard register regulate
	relate release rely remain remember remind remove renew repeat replace reply report represent request require research reserve
	resolve respect respond rest restore result resume retain retrieve return reveal review revise rise round run save say scan
	schedule scroll search secure see seek seem select send serve set settle share ship show sign simplify sort speak specify spend
	stabilize stand start state stay stop store submit subscribe suggest suit sum summarize supply swipe tap support surprise switch take
	talk tell tend thank think tie time touch track trade train transfer transmit travel treat trust try turn type understand unlock unsubscribe
	update upload use validate value vary verify view visit wait walk want warn watch welcome win wish wonder work worry write`

// commonWords are words of other kinds, and forms that the rules do not make.
const commonWords = `
	i me myself he him his she us ours yours their theirs themselves itself yourself yourselves ourselves each either neither both such same
	another anyone anybody anything everyone everybody everything someone somebody something nobody nothing none one ones two three
	second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth dozen half halves twice thrice
	eight nine eleven twelve thirteen fourteen fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million
	zero once again ever never always often sometimes usually seldom rarely already still yet soon later now then here there today tonight
	tomorrow yesterday recently currently presently previously formerly subsequently eventually finally initially lately shortly
	immediately promptly regularly periodically frequently generally typically normally commonly mainly mostly primarily largely
	fully partly partially entirely completely wholly solely simply merely just quite rather very too also even indeed however therefore
	moreover furthermore nevertheless otherwise besides instead meanwhile thus hence accordingly respectively likewise similarly
	approximately exactly precisely nearly almost roughly directly indirectly automatically manually electronically quickly easily
	carefully clearly closely correctly properly equally separately together apart away back forth forward onward upward downward upwards
	downwards up down in out off over under above below across along around through throughout toward towards until till till since
	everywhere anywhere somewhere nowhere behind near underneath alongside concerning despite although though while whereas because unless whether if as per via amid among amongst against beyond beneath beside between
	during except inside outside onto opposite past plus versus within without according regardless due owing thanks subject prior
	able available aware basic best better big brief bright busy careful certain clear common complete consistent convenient correct
	current daily dear different difficult direct due dynamic early easy effective efficient entire equal essential exact
	excellent existing extra fair familiar fast few final fine first flexible following formal former free frequent fresh friendly
	full further future general good great happy hard helpful high honest important individual initial interested internal last late
	latest least less likely little long lower main major many monthly more most multiple much necessary new newest next nice normal
	obvious old older oldest only open original other overall particular patient plain popular possible present previous
	proper proud public quick ready real reasonable recent regular related relevant reliable responsible right same satisfied
	separate serious several short significant similar simple single slight small smooth solid soft sorry steady strong subsequent
	successful sufficient sure thorough total true typical unchanged unique upcoming useful usual valuable various visible volatile
	weekly welcome whole wide wrong yearly annual quarterly bi semi trailing fs surch schg q h rolling running ongoing
	century smarter faster ability addition director active advance advantage advice amount anniversary anomaly announcement approach area aspect assistance attachment attention audience
	background basis beginning benefit bottom box breakdown browser budget budgeting button calculation call career case cash caution
	cell cents certainty chance chapter character check circumstance circumstances clarity code colleague colleagues comma comment comments communication community
	comparison component concern conclusion condition confidence confusion connection consideration consultation contents context contrast
	control convenience conversation copy corner cost course ctrl currency curve cycle data deal decision default definition delay delays
	demand department description desktop detail difference digit digits dip direction discretion discussion display dispute document download
	drop duration edi ease effect effort email ending energy english entry envelope equation error errors estate evidence
	exception exceptions experience explanation expectation expectations extent eye fact factor factors faq feature features feedback field figure finding focus
	folder footer form formula forum framework frequency front function fun general glossary goal graph graphic guess guidance guideline
	guidelines hand happening header heading headline headlines help highlight hint history home hope hour hours icon idea image images impact
	improvement inbox indicator info information infrastructure initiative inquiry insight inspection instruction instructions integer integration interest interim interval
	introduction invoice issue item job journey keyboard keyword kb mb gb pdf png jpg spreadsheet spreadsheets landing language lead legend length letter level limit line link list
	location login logo look lookup luck mail majority manner math matter mean meaning measure mechanism meeting message method methodology middle mind minute minutes
	mistake mix mixture model moment money month morning motion movement movements name navigation need news newsletter night notation note notice notification number objective
	occasion occasions office opening operation operations opinion opportunity option order organization outcome output overview page panel paper paragraph passage password path
	pattern penny people percent performance period permission person phone photo phrase picture piece place plan planning point policy portion position
	possibility post practice practices precision presence presentation pressure principle problem procedure process profile progress project promptness property protection publication
	purpose query question questions queue range rank rating ratio reader readers reading reality reason recap receipt record recovery reference refinery refineries relation relationship
	relevance reminder remainder repetition report representative request requirement requirements research resource response responsibility rest result return review revision right
	risk role row rule sake scale schedule scheme screen script search section selection sense sentence sequence series session set setting share sheet
	side sight sign signal situation size slide snapshot software solution sort source space speed spell spike standard statement statistic statistics status step story strategy structure
	style subject subtotal success suggestion suite sum summary support survey symbol symbols system systems tab table tail talk target task team technology template term text thing things thought threshold tick
	time timeline timing tip title tool top topic total touch track tradition transaction transition transparency trend trouble truth turn tutorial type uncertainty understanding unit update usage user
	validity value variation variety verb version view viewer visitor visitors voice volatility wait warning way web webmaster week weekday weekend weeks will wish word words work writing year years zoom
	am are is was were be been being do does did done doing has had having can could may might must shall should will would ought cannot
	ate became began begun bought brought built came chose chosen drew drawn drove driven fell fallen felt found gave given gone went got gotten grew grown heard held kept knew
	known led left lost made meant met paid put ran rang read risen rose said sat saw seen sent shown slept sold spoke spoken spent stood struck
	taken taught thought threw told took tore tried understood went won wore written wrote
	don doesn didn won wouldn couldn shouldn isn aren wasn weren hasn haven hadn ain ll ve re d m s t
	hello hi thanks dear sincerely regards please yes no ok okay
	mr mrs ms dr sr jr dept attn re fyi asap tba tbd nb ie eg etc vs et al
	espanol español francais français deutsch italiano português
	billing invoicing payables receivables bookkeeping accounting ledger remittance
	crude barrel barrels opec refinery pump forecourt wti brent distillate biodiesel ulsd
	scac edi api json xml csv xls xlsx pdf fue nmfc nmfta smc czar czarlite pro bol gl po id url faq
	tractor driver drivers linehaul headhaul backhaul consignee consignees consignor shipper shippers payor payer biller billto
	ctrl alt shift esc f5 cache caches cookies popup popups flash html css javascript chrome firefox safari edge opera android ios iphone ipad`

// everyday are the words of everyday English, with their forms.
var everyday = func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(commonWords) {
		if !strings.Contains(word, "-") {
			all[word] = true
		}
	}
	for verb := range strings.FieldsSeq(commonVerbs) {
		for _, form := range inflect(verb) {
			all[form] = true
		}
	}
	return all
}()

// inflect gives the forms of a regular verb: "apply, applies, applied, applying".
func inflect(verb string) []string {
	last := verb[len(verb)-1]
	stem := verb[:len(verb)-1]
	switch {
	case last == 'e':
		return []string{verb, verb + "s", verb + "d", stem + "ing"}
	case last == 'y' && !strings.ContainsRune("aeiou", rune(verb[len(verb)-2])):
		return []string{verb, stem + "ies", stem + "ied", verb + "ing"}
	case strings.HasSuffix(verb, "s"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "x"):
		return []string{verb, verb + "es", verb + "ed", verb + "ing"}
	}
	double := verb + string(last)
	return []string{verb, verb + "s", verb + "ed", verb + "ing", double + "ed", double + "ing"}
}
