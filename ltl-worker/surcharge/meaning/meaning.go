// Package meaning says what the words around surcharges mean: the words of headings, titles and names of JSON
// members. It has one vocabulary for all carriers; [Vocabulary] adds the words that only one carrier uses.
package meaning

// Set is a set of meanings. A heading has the meanings of all its words: "Effective Date" is Effective and Date.
type Set uint32

// The meanings.
const (
	Date      Set = 1 << iota // a day or a week
	Effective                 // the day from which a percent applies
	Begin                     // the first day
	End                       // the last day
	Index                     // of the price index: its price or its date
	Posted                    // of a publication
	Price                     // of diesel
	Percent                   // a surcharge or a rate
	Fuel                      // this is about fuel
	LTL                       // less than truckload
	Truckload                 // truckload
	Service                   // another service: never ours, wherever it stands
	Abroad                    // another country, or a state off the mainland
	Other                     // another figure: a minimum, a rate per mile, a regional price, a change
	Region                    // a part of the country
	US                        // the whole country
	Cents                     // cents per gallon
	Bound                     // a limit of a bracket
	Remark                    // text
	Neutral                   // a word that is known and changes nothing
	Unknown                   // a word that the vocabulary does not have
)

// Others are the meanings of what is not our figure for the whole country: another service or another place.
const Others = Truckload | Service | Abroad | Region

// Has tells whether s has at least one of the meanings.
func (s Set) Has(meanings Set) bool { return s&meanings != 0 }

// HasOnly tells whether s has none but the meanings.
func (s Set) HasOnly(meanings Set) bool { return s&^meanings == 0 }
