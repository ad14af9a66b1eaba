package scope

import (
	"slices"
	"strings"
)

// A closed world needs the words of the language in it. [commonVerbs] and [commonWords] are neutral in all titles. A line of four words or
// more that speaks neither of figures nor of what is shipped is rather a slogan or a note than a title; there these words are neutral too.
// They name no goods, places, services, companies or groups of people. In a title of few words, or behind a preposition, they may: "Under
// appeal", "Paper rolls".

// isNote tells whether a line is so.
func isNote(words []string) bool {
	return len(words) > 3 && !prepositions[words[0]] && !prepositionsOfPaper[words[0]] && !mayBeOfFigures(words) && !slices.ContainsFunc(words, func(w string) bool {
		return w == "ltl" || w == "only" || qualifiable[w]
	})
}

// further are those words, with their forms.
var further = func() map[string]bool {
	all := indexPlain(furtherWords)
	for verb := range strings.FieldsSeq(furtherVerbs) {
		for _, form := range inflect(verb) {
			all[form] = true
		}
	}
	return all
}()

// furtherVerbs are verbs in their base form. They do not count as verbs where the parts of a title are told apart.
const furtherVerbs = `
	abandon absorb  accomplish accompany accord accumulate acknowledge activate adhere admit advertise align alter alternate
	amplify anchor annoy anticipate apologize  appoint ascend assemble assert associate attain attract authenticate authorize
	automate await back balance ban bear beat behave belong bend bind blame bless block boost borrow bother bounce bow brace 
	break breathe broaden browse bump burden burst button bypass carve catch categorize caution cease challenge chase cite clean climb
	clip coach code coincide collaborate comfort command commence commend comment commit compete complain compliment compose comprise
	compress conceal conduct confer confine conflict confuse congratulate conserve construct contend contest contrast convene convey
	convince cooperate coordinate cope count couple craft crash crawl criticize crop curb curve customize cut cycle damp dare date
	dedupe defend defer delete deliberate delight demand denote deny depart depict deploy deposit designate desire detach detect
	deteriorate devote devise diagnose differentiate digest diminish disagree disappear disappoint disclaim discourage disregard
	dismiss dispatch disturb diverge diversify donate double doubt downgrade drag drift drill duplicate echo educate elaborate elevate
	embed embrace emerge emphasize empower enact encounter encrypt endorse endure energize enforce engage engineer enhance enrich
	entail entertain entitle equate equip err escalate escape examine exchange excite execute exercise exhaust exit expire exploit
	explore expose facilitate fade familiarize fascinate favor feature fetch fight flag flatten flip float flow fold forbid force
	formalize formulate forgive foster found frame free fuel fulfill function furnish gain gauge glance govern grab graduate grant
	grasp greet ground group guard halt harm harness hasten highlight hint honor hover humble hurry illustrate imply impose impress
	incline induce influence inherit inhibit initialize innovate input insert inspect inspire install instruct insure integrate
	interact interest interface interfere interpolate interpret interrupt intervene introduce invert invest iterate join judge jump
	justify knock lack land lapse laugh launch lean leap lessen license lift lighten linger lock log loosen maximize measure meditate
	mend merge migrate mind mirror miss misread mitigate modify motivate mute narrow navigate neglect nest nominate normalize notice
	number obey object obligate oblige observe obtain omit oppose optimize orient oscillate outdo outpace outperform output outweigh
	overcome overlap overlook overview overwrite owe pace page paint partake paste pause peel perceive permit persist persuade pick
	pin pioneer pivot play plot plug point poll possess postpone pour power practice praise precede predate preserve press presume
	prevail prioritize proclaim progress prolong prompt pronounce propel prosper protest provoke pull punish push puzzle quantify
	query quit rank realign reassess reassure rebound recall recede recheck reclaim reconnect recruit rectify recur redeem redesign
	redirect redo refine refill refocus reform refrain refuse regain regret reinforce reinstate reject rejoin relax reload remark
	remedy render reopen reorganize repair repay replicate reproduce rescue reset reshape reside resign resist resort reunite revamp
	reveal reverse revert revisit reward rewrite ride ring risk roll rotate rush sacrifice salute satisfy scale scare scroll seal
	segment select sense separate shape shed shift shine shock shop shorten shout shrink shut sign simplify sing sit skip slide slip
	slow smile smooth soar solve span spark spike spin spread sponsor spur squeeze stabilize stack stage stamp steer stem step stick
	stimulate stir strain streamline strengthen stress stretch strike strip strive struggle study stumble succeed suffer summarize
	supervise supplement suppose surge surpass surround survey suspect sustain swing switch tackle tag tailor teach team tease tempt
	thrive tick tighten tip toggle tolerate total toss trace transition translate trend trim triple trouble tumble tune twist uncover
	undergo undertake undo unfold unify unite unlink unveil upgrade uphold urge utilize vanish vary verify volunteer  wander
	warrant waste weaken weigh wipe withdraw withstand witness worsen wrap yield zoom`

// furtherWords are of other kinds.
const furtherWords = `
	absence accident accomplishment accountability achievement acronym acumen admiration adventure advertisement aftermath agenda
	ahead aim airwave allocation alphabet alteration ambition amendment analog analogy analysis analyst analysts anchor angle
	answerable anytime apology app appearance appetite appointment appreciation aptitude arc argument arrangement array arrow arrows
	article articles aside aspiration assembly assignment assumption asterisks asymmetry atmosphere attitude author authors authorship
	autumn avenue awareness backbone backlog badge badges balance ballpark banner banners bar bars barometer beat behalf behavior
	belief bell bias birthday blank blanks blend blessing blink block blocks blueprint board boldface bond boost bound boundary
	brainstorm  breach breadth breeze brief   bubble bucket buffer bug bullet bullets bureaucracy burst button
	buttons buzz bypass caching calm camera campaign capability caption captions careful carousel cart catalog categories category
	ceremony challenge champion chance chaos charity charm checkbox checklist checkout cheer choice choices circle citation
	clarification clause clever click clicks clock closeness clue coincidence collaboration color colors colour column coma
	combination comfort command commitment commitments committee companion comparison compass compassion competence competition
	complaint complexity compliment compromise concept concern concert conclusion confirmation conflict confusion connection consensus
	consequence consistency constraint  contest continuity contribution conversation conversion conviction cookie
	coordination core corner correlation correspondence counter courage courtesy coverage craft craftsmanship creation creativity
	credibility creed crisis criteria criterion crowd culture curiosity cursor cutoff cutover cyber dash dashed dashboard dashboards
	deadline deadlines dealing debate decade decades decimals dedication default defaults degree delight delta dependency deposit
	depth design designer designers destiny determination dialog dialogue dignity dilemma diligence dimension diploma disagreement
	discipline disclosure discovery display distance distances distinction diversity division docket donation dot dots dotted doubt
	downtime downturn dozens dream dreams duty eagerness ear ease editor editors editorial education efficiency ego elapsed element
	elements ellipsis  emblem emotion emphasis employer employment empty encouragement encryption endeavor endnote endnotes
	energy enhancement enthusiasm entity episode equality equity era essence ethic ethics etiquette exam excellence excitement
	exclamation excuse execution exercise exhibit existence exit expansion expertise explanation exploration exposure expression
	extension eyes facility facsimile faith fame fate fatigue favor favorite fear feedback fellow fellowship finish finite firewall
	firmness fitness fix flags flash flexibility flip flow flux focal foe fold font fonts forgot forgotten formality format formats
	fortune foundation fraction frames freedom freshness friend friends friendship frustration fulfillment fullscreen fun
	functionality fundraiser funnel gap gaps gateway gauge generation generations generosity genius gesture giving glimpse glitch
	glory goodwill grace gradient graduation grammar gratitude gray greeting greetings green grey grid grip growth guardian guesswork
	guests guideline gut habit halfway handle handling handshake handshakes happiness hardship harmony hash hashtag haste heads
	headset heart hearts heat height helpdesk heritage hero hesitation hierarchy highlights hindsight hobby holder holders holding
	holdings homepage honesty honor hope horizon horizontal hotline hourly hub human humans humility humor hundreds hurdle hyperlink
	hyphen icon icons idea ideal ideas identity idiom illness illusion imagination inbox inception incident inclusion income
	inconvenience independence indication individual individuals inequality influence infographics initials innovation inputs insert
	inspection inspiration instance instinct institution instruction instructor insight integrity intellect intelligence intensity
	intent intention interaction interior interpretation interruption interview intranet introduction intuition invention
	investigation investment invitation irony isolation joke journey joy judgment judgement junction justice keen keypad keys kids
	kindness knowledge lab label labels lapse latency laughter launch layer layers layout leader leaders leadership learning lecture
	legacy legend lesson lessons letters liberty lifestyle lifetime lifeline limitation lineup linear link listing literacy logic
	logistics loop loss losses lots love loyalty luck magnitude mainframe makeup malfunction manager managers mandate manual manuals
	manuscript marathon margins mark marks marker markers masthead mastery match matter matters maturity media meeting meetings memory
	memories merit message messages metaphor metric metrics milestone milestones mindset minimum minor miracle mirror misprint
	misunderstanding mnemonic mobility mode moderator modification moment moments momentum monetary monitor monument mood moral morale
	motivation motive motto movement multimedia music mute mystery narrative narrow navigator neat negative neighbor neighborhood
	neighbors nerve networking neutral newcomer niche noise noon norm norms nuance numeral numerals numeric obituary objection
	obligation obligations observation obstacle occasion occurrence odds offline offset ongoing onward openness operator opinion
	opinions opponent optics optimism orange orientation origin originals outage outcome outlet outline output outreach outset overlay
	oversight ownership oval pace padding pages pain pairs palette pamphlet panel panels paperless paperwork par paragraphs parameter
	parameters parity participants participation passion passwords patience patterns pause peace peers perception perfection permalink
	permissions perseverance perspective perspectives phase phases philosophy photograph phrase physical pick picks pie pieces pillar
	pillars pin pinch pioneer pipeline pixel pixels plain platform platforms pleasure pledge plot plots plug plurality plus podcast
	podcasts poem poet pointer poise polite politics popularity portfolio portrait positive possession possibilities posture potential
	powerful precaution precedent precondition preference preferences prefix prejudice premise preparation preparedness prerequisite
	prestige preview pride principal principle principles pro probability processing professional professionals professionalism
	profiles profound programmer progress prominence prompt pronunciation proof propaganda proportion prospect prosperity protocol
	proximity pull pulse punctuation purple pursuit push puzzle qualification quantities quantity quarter query quest quiet quotation
	quotations radio radius random rarity rationale reach reaction readiness reads rear reasoning rebound recap recession recipe
	recipient recipients recognition recommendation reconciliation rectangle redesign red reflection reform refresher regret regular
	reliability relief reluctance remedy reminders renewal repetition reply reporter representation reputation rescue reservation
	resilience resolution resonance respondent rest restart restrictions retention retrospect reveal reverse reversal rhythm ribbon
	richness riddle rigor ring ripple rituals river robust role roles roots rotation routine rows royal rubric ruler rumor runner rush
	sacrifice salute satisfaction scan scene scenes scholar scholarship scholarships science scientist scope score scores scratch
	screenreader screens  scribe scrutiny searches secret secrets segment segments selection self semester seminar sender
	senior sensation sentences sentiment separator sequences serial servant session sessions setback setup severity shade shaded
	shadow shape shapes shift shifts shortage shortcut shortcuts sidebar sidenote sign signature signatures signup silence simplicity
	simplified sincerity sketch skill skills skyline slack slash slice slider slides slogan slope slot smile smoothness snippet solid
	solidarity song soul sound soundness spam spans spark speaker specialist specialists spectrum speech spelling spin spirit
	spotlight spread spring square squares stability stack staff staffing stage stages stakeholder stakeholders stamina standings
	standpoint star stars states station steadiness steward stewardship stimulus strengths stress stretch stride strides string
	striped strips stripe structure struggle studio study stuff subsection subtitle subtlety success successes suffix suggestion
	summit sunrise superscript superscripts supervisor supplement supporters surface surname surprise surveys survival sustainability
	swatch swing symbol symmetry sympathy symposium synergy syntax syllabus synopsis tactic tactics tagline talent talents tap taste
	teammate teammates teamwork tease telephone televison temper template temptation tendency tenet tension tenure terminology
	testament testimony testimonials texture thanks theme themes theory therapy thick thin thousands thread thrill thumb ticker ticket
	tickets tidbit timeline timelines timely timeout timer timestamp timeliness timezone tint tiny toggle tolerance tone toolbar
	tooltip topics torch touch touchpoint tour tower trademark trademarks traits transcript transcription transformation transparency
	treasure triangle tribute trick trivia trophy truths tune twin twist typeface ultimate umbrella uncertainty underline underscore
	understandable union unison unity universe unlike upbeat upgrade uptime upside urgency usability username users utility utmost
	vacuum validation vantage verb verdict verge verification verse vertical vibe victory viewers viewpoint vigor virtue visibility
	vision visit visits visual visuals vital vocabulary vocation   waist walkthrough wall warmth wave waves weakness wealth
	wear webcast webpage weight wellness whiteboard whole widget widgets width willingness wing wins wisdom wizard workflow workflows
	workforce workplace worksheet workshop workshops worldview worth writer yardstick yearbook yellow zeal zest zip bookmark bookmarks
	embedded reader adobe acrobat calculator's prc x`
