package fold

import (
	"cmp"
	"slices"
	"strings"
)

// sameWords are words of addresses that mean the same, each line's words parted by blanks and the words of one meaning
// by semicolons. They are those of the United States Postal Service's Publication 28 (suffixes, units, directions) with
// the forms that people and registers write beside them, and ordinals. A word may have several meanings: ST is STREET
// and SAINT.
const sameWords = `
	NORTH N; SOUTH S; EAST E; WEST W; NORTHEAST NE; NORTHWEST NW; SOUTHEAST SE; SOUTHWEST SW
	FIRST 1ST; SECOND 2ND; THIRD 3RD; FOURTH 4TH; FIFTH 5TH; SIXTH 6TH; SEVENTH 7TH; EIGHTH 8TH; NINTH 9TH; TENTH 10TH
	ELEVENTH 11TH; TWELFTH 12TH; THIRTEENTH 13TH; FOURTEENTH 14TH; FIFTEENTH 15TH; SIXTEENTH 16TH; SEVENTEENTH 17TH
	EIGHTEENTH 18TH; NINETEENTH 19TH; TWENTIETH 20TH; THIRTIETH 30TH; FORTIETH 40TH; FIFTIETH 50TH; SIXTIETH 60TH
	SEVENTIETH 70TH; EIGHTIETH 80TH; NINETIETH 90TH
	APARTMENT APT; BASEMENT BSMT; BUILDING BLDG; DEPARTMENT DEPT; FLOOR FL; FRONT FRNT; HANGAR HNGR; LOBBY LBBY
	LOWER LOWR; OFFICE OFC; PENTHOUSE PH; ROOM RM; SPACE SPC; SUITE STE; TRAILER TRLR; UPPER UPPR
	ALLEY ALY; ANNEX ANX; ARCADE ARC; AVENUE AVE AV AVEN; BAYOU BYU; BEACH BCH; BEND BND; BLUFF BLF; BLUFFS BLFS
	BOTTOM BTM; BOULEVARD BLVD BL BLV BOUL; BRANCH BR; BRIDGE BRG; BROOK BRK; BROOKS BRKS; BURG BG; BURGS BGS; BYPASS BYP
	CAMP CP; CANYON CYN; CAPE CPE; CAUSEWAY CSWY; CENTER CTR CENTRE CNTR; CENTERS CTRS; CIRCLE CIR CIRC; CIRCLES CIRS
	CLIFF CLF; CLIFFS CLFS; CLUB CLB; COMMON CMN; COMMONS CMNS; CORNER COR; CORNERS CORS; COUNTY CO CTY; COURSE CRSE
	COURT CT CRT; COURTS CTS; COVE CV; COVES CVS; CREEK CRK; CRESCENT CRES; CREST CRST; CROSSING XING; CROSSROAD XRD
	CROSSROADS XRDS; CURVE CURV; DALE DL; DAM DM; DIVIDE DV; DRIVE DR DRV; DRIVES DRS; ESTATE EST; ESTATES ESTS
	EXPRESSWAY EXPY EXPWY; EXTENSION EXT; EXTENSIONS EXTS; FALLS FLS; FERRY FRY; FIELD FLD; FIELDS FLDS; FLAT FLT
	FLATS FLTS; FORD FRD; FORDS FRDS; FOREST FRST; FORGE FRG; FORGES FRGS; FORK FRK; FORKS FRKS; FORT FT
	FREEWAY FWY FRWY; GARDEN GDN; GARDENS GDNS; GATEWAY GTWY; GLEN GLN; GLENS GLNS; GREEN GRN; GREENS GRNS; GROVE GRV
	GROVES GRVS; HARBOR HBR; HARBORS HBRS; HAVEN HVN; HEIGHTS HTS; HIGHWAY HWY HIWAY; HILL HL; HILLS HLS; HOLLOW HOLW
	INLET INLT; ISLAND IS; ISLANDS ISS; JUNCTION JCT; JUNCTIONS JCTS; KEY KY; KEYS KYS; KNOLL KNL; KNOLLS KNLS; LAKE LK
	LAKES LKS; LANDING LNDG; LANE LN; LIGHT LGT; LIGHTS LGTS; LOAF LF; LOCK LCK; LOCKS LCKS; LODGE LDG; MANOR MNR
	MANORS MNRS; MEADOW MDW; MEADOWS MDWS; MILL ML; MILLS MLS; MISSION MSN; MOTORWAY MTWY; MOUNT MT; MOUNTAIN MTN
	MOUNTAINS MTNS; NECK NCK; ORCHARD ORCH; OVERPASS OPAS; PARKWAY PKWY PKY; PARKWAYS PKWYS; PASSAGE PSGE; PINE PNE
	PINES PNES; PLACE PL; PLAIN PLN; PLAINS PLNS; PLAZA PLZ; POINT PT; POINTS PTS; PORT PRT; PORTS PRTS; PRAIRIE PR
	RADIAL RADL; RANCH RNCH; RAPID RPD; RAPIDS RPDS; REST RST; RIDGE RDG; RIDGES RDGS; RIVER RIV; ROAD RD; ROADS RDS
	ROUTE RTE RT; SAINT ST; SHOAL SHL; SHOALS SHLS; SHORE SHR; SHORES SHRS; SKYWAY SKWY; SPRING SPG; SPRINGS SPGS
	SQUARE SQ; SQUARES SQS; STATION STA; STRAVENUE STRA; STREAM STRM; STREET ST STR; STREETS STS; SUMMIT SMT
	TERRACE TER TERR; THROUGHWAY TRWY; TRACE TRCE; TRACK TRAK; TRAFFICWAY TRFY; TRAIL TRL; TUNNEL TUNL
	TURNPIKE TPKE TPK; UNDERPASS UPAS; UNION UN; UNIONS UNS; VALLEY VLY; VALLEYS VLYS; VIADUCT VIA; VIEW VW; VIEWS VWS
	VILLAGE VLG; VILLAGES VLGS; VILLE VL; VISTA VIS; WAY WY; WELL WL; WELLS WLS`

// otherWords are the other spellings of a word.
var otherWords = Synonyms(sameWords)

// Synonyms reads a table of words that mean the same: those of one meaning parted by blanks, the meanings by semicolons
// and the ends of lines. It gives the others of each word.
func Synonyms(table string) map[string][]string {
	others := map[string][]string{}
	for same := range strings.FieldsFuncSeq(table, func(r rune) bool { return r == ';' || r == '\n' }) {
		words := strings.Fields(same)
		for _, word := range words {
			for _, other := range words {
				if other != word && !slices.Contains(others[word], other) {
					others[word] = append(others[word], other)
				}
			}
		}
	}
	return others
}

// OtherSpellings are the words that stand in an address for a part of a filter, beside those that hold the part: STREET
// is written ST too.
func OtherSpellings(part string) []string { return otherWords[part] }

// IsZIPCode tells whether a part of a filter may be a ZIP code. It may be the number of a house as well.
func IsZIPCode(part string) bool { return len(part) == 5 && strings.Trim(part, "0123456789") == "" }

// HoldsAddress tells whether an address holds all parts of a filter, in any order: its folded street and city as a
// piece of text or in another spelling, or its ZIP code, of which the first five digits count.
func HoldsAddress(folded, zip string, parts []string) bool {
	var words []string
	for _, part := range parts {
		if strings.Contains(folded, part) || IsZIPCode(part) && strings.HasPrefix(zip, part) {
			continue
		}
		if words == nil {
			words = Parts(folded)
		}
		if !slices.ContainsFunc(otherWords[part], func(other string) bool { return slices.Contains(words, other) }) {
			return false
		}
	}
	return true
}

// SearchTexts are the texts by which to ask a form that finds pieces of street and city: one list of spellings for each
// part of the filter. Each list finds all matching addresses. The one whose shortest spelling is longest comes first. A
// part that may be a ZIP code is none.
func SearchTexts(filter string) (texts [][]string) {
	for _, part := range Parts(filter) {
		if !IsZIPCode(part) {
			texts = append(texts, pieces(append([]string{part}, otherWords[part]...)))
		}
	}
	slices.SortStableFunc(texts, func(a, b []string) int { return cmp.Compare(shortest(b), shortest(a)) })
	return texts
}

func shortest(words []string) int {
	return len(slices.MinFunc(words, func(a, b string) int { return cmp.Compare(len(a), len(b)) }))
}

// pieces are the words without those that hold another one as a piece.
func pieces(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.ContainsFunc(words, func(other string) bool { return other != word && strings.Contains(word, other) })
	})
}
