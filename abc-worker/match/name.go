package match

import (
	"regexp"
	"slices"
	"strings"

	"assay.dev/abc-worker/fold"
)

// nameWords are words of names that mean the same. Those that are the same in addresses are not among them.
const nameWords = `
	MARKET MKT MARKT MRKT; RESTAURANT REST RESTRNT RSTRNT RESTAURANTE; LIQUOR LIQUORS LIQ LQR; GROCERY GROC GROCERIES; SUPERMARKET SUPERMKT
	STORE STORES; BROTHERS BROS; INTERNATIONAL INTL; ASSOCIATION ASSN ASSOC; MANAGEMENT MGMT MGT; ENTERPRISES ENTERPRISE ENT
	HOSPITALITY HOSP; BEVERAGE BEVERAGES BEV; FOOD FOODS; TAVERN TAV TVRN; AMERICAN AMER; CONVENIENCE CONV; SERVICE SERVICES SVC SVCS
	HOLDINGS HOLDING HLDGS; GROUP GRP; PARTNERS PARTNER PTNRS; VENTURES VENTURE; WINE WINES; SPIRITS SPIRIT; GRILL GRILLE; KITCHEN KITCH
	NATIONAL NATL; GENERAL GEN; JUNIOR JR; SENIOR SR; SAINT ST; MOUNT MT; FORT FT; NUMBER NO; COFFEE COFFEEHOUSE; STEAKHOUSE STEAKHSE
	CAFE CAF; PIZZERIA PIZZA; TAQUERIA TAQ; LOUNGE LNG; BISTRO BSTRO; BREWPUB BREWHOUSE; DELI DELICATESSEN; CENTER CTR CENTRE; THEATER THEATRE`

var otherNames = fold.Synonyms(nameWords)

func spellingsOfName(word string) []string { return otherNames[word] }

// legal are words that say what a company is and not which, and words without a meaning of their own.
var legal = strings.Fields("LLC INC CORP CORPORATION INCORPORATED CO COMPANY LTD LIMITED LP LLP LC PC " +
	"PLLC PLC THE AND OF A AN AT N")

// trades are words that say what is sold and not by whom: a name of nothing else tells no shop from another.
var trades = strings.Fields(`BAR GRILL RESTAURANT CAFE TAVERN LIQUOR LIQUORS MARKET STORE SHOP FOOD FOODS MART DELI PIZZA PIZZERIA WINE BEER SPIRITS KITCHEN INN
	HOTEL CLUB LOUNGE PUB BISTRO CANTINA BREWPUB STEAKHOUSE TAQUERIA GROCERY SUPERMARKET CONVENIENCE ENTERPRISES HOLDINGS GROUP HOSPITALITY VENTURES
	PARTNERS BEVERAGE MANAGEMENT HOUSE`)

func isTrade(word string) bool {
	return slices.Contains(trades, word) || slices.ContainsFunc(otherNames[word],
		func(other string) bool { return slices.Contains(trades, other) })
}

// callsItself parts a name into those that it holds: ACME FOODS LLC DBA CORNER MARKET has two.
var callsItself = regexp.MustCompile(`(?i)\s+(?:d\s*/\s*b\s*/\s*a|t\s*/\s*a|d\.b\.a\.|dba|aka)\s+|\s*[()]\s*`)

// lettered is what a company is, written in letters at the end of its name, as in ACME L.L.C. A letter elsewhere is of
// the name: L & C MARKET.
var lettered = regexp.MustCompile(`(?i)[\s,]+(?:p[. ]*)?l[. ]*(?:l[. ]*)?[pc]\.?\s*$`)

// maxNames is how many names of a text are compared.
const maxNames = 4

// namesOf are the names that a text holds, each as its words.
func namesOf(text string) (all [][]string) {
	for _, name := range callsItself.Split(text, -1) {
		if parts := slices.DeleteFunc(words(lettered.ReplaceAllString(name, "")),
			func(w string) bool { return slices.Contains(legal, w) }); len(parts) > 0 && len(all) < maxNames {
			all = append(all, parts)
		}
	}
	return all
}

// compareNames grades the best of the names on both sides. which says which of the register's name it is.
func compareNames(mine [][]string, theirs map[string][][]string) finding {
	best := finding{unknown, "no name was given"}
	if len(mine) > 0 {
		best = finding{differs, "the name is another one"}
	}
	for _, which := range []string{"trade name", "holder's name"} {
		for _, a := range mine {
			for _, b := range theirs[which] {
				if f := compareName(a, b); f.grade > best.grade {
					best = finding{f.grade, "the " + which + " " + f.reason}
				}
			}
		}
	}
	return best
}

func compareName(a, b []string) finding {
	p := pair(a, b, spellingsOfName)
	isSame, isSlip := p.isJoined()
	switch {
	case isSame && p.slips == 0:
		return finding{same, "is the same"}
	case isSame && p.slips == 1 || isSlip && p.slips == 0:
		return finding{nearly, "is the same but for a slip"}
	case isSame && p.slips == 2 && len(p.fitted) > 2:
		return finding{akin, "is the same but for two slips"}
	case len(p.left) == 0 && says(&p, p.missing):
		return finding{akin, "has further words: " + strings.Join(p.missing, " ")}
	case len(p.missing) == 0 && says(&p, p.left):
		return finding{akin, "lacks the words " + strings.Join(p.left, " ")}
	case len(p.fitted) > 0 && 2*len(p.fitted) >= max(len(a), len(b))-1 && hasOwn(p.fitted):
		return finding{partly, "has only some of the words"}
	}
	return finding{}
}

// says tells whether the words of both names identify a shop, although one has further words.
func says(p *pairing, besides []string) bool {
	if p.slips > 1 || !hasOwn(p.fitted) || len(besides) > 2 {
		return false
	}
	saysLittle := !slices.ContainsFunc(besides, func(w string) bool { return !isTrade(w) })
	return saysLittle || len(p.fitted) >= 2 && len(besides) < len(p.fitted)
}

// hasOwn tells whether a word among them tells a shop from others.
func hasOwn(fitted []string) bool {
	return slices.ContainsFunc(fitted, func(w string) bool { return len(w) >= slipLetters && !isTrade(w) && !isNumber(w) })
}
