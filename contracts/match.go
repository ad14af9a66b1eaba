package contracts

import "time"

// MaxCustomers bounds the customers of a [MatchRequest], and MaxCandidates the licenses that are shown of one.
const (
	MaxCustomers  = 200
	MaxCandidates = 5
)

// MatchRequest asks an abc-worker for the licenses of customers in one state.
type MatchRequest struct {
	State     State      `json:"state"`
	Customers []Customer `json:"customers"`
}

// Validate refuses a request of too many customers.
func (r MatchRequest) Validate() error {
	if n := len(r.Customers); n == 0 || n > MaxCustomers {
		return Errorf(InvalidRequest, "%d customers: want 1 to %d", n, MaxCustomers)
	}
	return nil
}

// Customer is who may hold a license, as a seller knows them. What is empty is not known.
type Customer struct {
	Name          string `json:"name,omitempty"`
	Street        string `json:"street,omitempty"`
	City          string `json:"city,omitempty"`
	ZipCode       string `json:"zip,omitempty"`
	LicenseNumber string `json:"license_number,omitempty"`
}

// MatchAnswer is what an abc-worker answers to a [MatchRequest], from its copy of the state's register.
type MatchAnswer struct {
	Edition RegisterEdition `json:"edition"`
	// Matches are those of the customers, in their order.
	Matches []Match `json:"matches"`
}

// RegisterEdition is the copy of a register that customers were looked for in.
type RegisterEdition struct {
	State       State      `json:"state"`
	ReadAt      time.Time  `json:"read_at" jsonschema:"When the register's files were read, UTC."`
	PublishedAt *time.Time `json:"published_at" jsonschema:"How old the files say that they are, UTC; null when they do not say."`
	Licenses    int        `json:"licenses" jsonschema:"How many licenses the copy has."`
	Misses      string     `json:"misses" jsonschema:"What the copy does not have, in a sentence; empty for nothing that is known."`
	Evidence    []Evidence `json:"evidence" jsonschema:"The kept files."`
}

// MatchOutcome says what became of a customer.
type MatchOutcome string

// The outcomes.
const (
	// Matched: one license is the customer's, by its number or by address and name.
	Matched MatchOutcome = "MATCHED"
	// Review: a person has to decide between the candidates, or whether the one candidate is the customer's.
	Review MatchOutcome = "REVIEW"
	// NoMatch: nothing in the copy fits.
	NoMatch MatchOutcome = "NONE"
	// Unresolved: there is no copy of that state's register just now.
	Unresolved MatchOutcome = "UNRESOLVED"
	// InvalidCustomer: the line cannot be read, or its state is not served.
	InvalidCustomer MatchOutcome = "INVALID"
)

// MatchOutcomes lists all.
var MatchOutcomes = []MatchOutcome{Matched, Review, NoMatch, Unresolved, InvalidCustomer}

// IsResolved tells whether a customer with the outcome is charged.
func (o MatchOutcome) IsResolved() bool { return o == Matched || o == Review }

// Match is what a copy tells of a customer.
type Match struct {
	Outcome MatchOutcome `json:"outcome"`
	// Reason says why it is none of MATCHED; empty for MATCHED.
	Reason string `json:"reason,omitempty"`
	// Candidates are the best licenses first: one for MATCHED, none for NONE.
	Candidates []MatchCandidate `json:"candidates,omitempty"`
}

// MatchCandidate is a license that may be a customer's. Whether it is good is asked by its number.
type MatchCandidate struct {
	LicenseNumber   string   `json:"license_number"`
	LicenseTypeCode string   `json:"license_type_code"`
	DBAName         string   `json:"dba_name"`
	OwnerName       string   `json:"owner_name"`
	Address         Address  `json:"address"`
	ExpirationDate  Date     `json:"expiration_date"`
	Score           float64  `json:"score" jsonschema:"From 0 to 1, how well number, name and address fit. It orders candidates, and proves nothing."`
	Reasons         []string `json:"reasons" jsonschema:"What fits and what does not, in words."`
}
