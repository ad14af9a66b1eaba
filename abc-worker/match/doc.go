// Package match finds the licenses of customers in the copy of a register: MATCHED only where number, name and address
// leave no choice.
//
// Names and addresses are compared word by word. Two words are the same, or are known spellings of one word (ST and
// STREET, MKT and MARKET), or differ by one slip of the hand. What is left over on either side decides: nothing, what
// says little, or what makes it another place or another shop. Each comparison gives a grade, and says its reason.
//
// MATCHED needs a license whose name and address both fit, one of them without a slip, while no other license of the
// copy fits both, or whose number was given and of which nothing that was given says otherwise. A name that lacks words
// or has further ones may be another company's of the same house: it fits only beside the number. All else that fits in
// part is for a person to decide.
package match

// grade is how well a name or an address fits.
type grade int

// The grades, the worst first. Nothing is known where the customer or the register says nothing.
const (
	differs grade = iota
	// elsewhere: the city or the ZIP code is the same, and the street is another one.
	elsewhere
	unknown
	// partly: a part of it is the same, and something speaks against it.
	partly
	// akin: a name is the same but for words that one side has besides, or for two slips.
	akin
	// nearly: it is the same but for a slip; an address also but for a suite, or words of its street that say little.
	nearly
	same
)

// points are what a grade adds to a score of at most 1.
var points = map[grade]float64{differs: 0, elsewhere: 0.05, unknown: 0.1, partly: 0.25, akin: 0.4,
	nearly: 0.45, same: 0.5}

// finding is a grade with its reason, in words.
type finding struct {
	grade
	reason string
}
