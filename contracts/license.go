package contracts

import "time"

// Status is a license's standing (contract §2.3).
type Status string

// The statuses. A source's own word is mapped to one of them by its recipe and never guessed.
const (
	Active    Status = "ACTIVE"
	Suspended Status = "SUSPENDED"
	Expired   Status = "EXPIRED"
	Revoked   Status = "REVOKED"
)

// Address is the address object of the contract, §2.4. Unknown members are empty; Raw is the text as the source has it.
type Address struct {
	Street  string `json:"street"`
	City    string `json:"city"`
	State   string `json:"state"`
	ZipCode string `json:"zip_code"`
	County  string `json:"county"`
	Raw     string `json:"raw" jsonschema:"The address text as the source has it; never empty where the source prints anything of the address."`
}

// Suspension is a suspension served or to be served (contract §2.4). An unknown date is null.
type Suspension struct {
	StartDate Date   `json:"start_date"`
	EndDate   Date   `json:"end_date"`
	Reason    string `json:"reason"`
}

// LicenseRecord is the license record of the contract, §2.3.
type LicenseRecord struct {
	LicenseNumber         string       `json:"license_number"`
	LicenseTypeCode       string       `json:"license_type_code"`
	LicenseTypeName       string       `json:"license_type_name" jsonschema:"The type in the source's own words; empty where the path that was read prints a code alone."`
	DBAName               string       `json:"dba_name"`
	OwnerName             string       `json:"owner_name"`
	ExpirationDate        Date         `json:"expiration_date" jsonschema:"null when the source does not give it."`
	Status                Status       `json:"status"`
	StatusDate            Date         `json:"status_date" jsonschema:"The day from which the status holds, as the source prints it; null where the path that was read does not (all but CA's page)."`
	Address               Address      `json:"address"`
	OperatingRestrictions []string     `json:"operating_restrictions" jsonschema:"As the source prints them. null where the path that was read does not tell (all but CA's page); an empty list says that there are none."`
	Suspensions           []Suspension `json:"suspensions" jsonschema:"Served or to be served. An empty list means that there are none only when not_reported does not name 'suspensions'."`
	// NotReported are the members that the path cannot show, such as suspensions.
	NotReported Members `json:"not_reported" jsonschema:"Members that the path cannot show, such as 'suspensions'."`
	// Inferred are the members that follow from something else that the path prints, such as status from the date.
	Inferred Members `json:"inferred" jsonschema:"Members that follow from something else that the path prints, such as 'status' from the date."`
}

// LicenseRequest asks an abc-worker for one license. Number is in the normal form of [NormalLicenseNumber], which holds
// the license type that a caller in CA asks for.
type LicenseRequest struct {
	State  State  `json:"state"`
	Number string `json:"number"`
	// Fresh asks for a new reading of the source although a stored answer may be servable.
	Fresh bool `json:"fresh,omitempty"`
}

// LicenseAnswer is what an abc-worker answers to a [LicenseRequest] and what the cache holds. Its tally is the
// record's. A nil Record means that the source proved there is no such license.
type LicenseAnswer struct {
	Provenance
	Tally
	State  State          `json:"state"`
	Number string         `json:"number"`
	Record *LicenseRecord `json:"record"`
}

// License is the HTTP body of a lookup (contract §4.6).
type License struct {
	State         State         `json:"state"`
	LicenseNumber string        `json:"license_number"`
	Record        LicenseRecord `json:"record"`
	Judgement
	Verifiability Verifiability `json:"_verifiability"`
}

// Absence is that there is no license of a number, and what that was read from.
type Absence struct {
	State         State
	LicenseNumber string
	Verifiability
}

// Error is NOT_FOUND with the proof. A license type that was asked for may be missing where the number is known.
func (a Absence) Error() *Error {
	e := Missing(LicenseAbsent, "%s has no license %q", a.State, a.LicenseNumber)
	if kind, number := SplitLicenseType(a.State, a.LicenseNumber); kind != "" {
		e = Missing(TypeAbsent, "%s has no license of type %s under number %q; leave the type out to "+
			"see whether there is another", a.State, kind, number)
	}
	e.Proof = &a
	return e
}

// Body is the HTTP body at now; NOT_FOUND with its proof when the license is proven not to exist.
func (a LicenseAnswer) Body(now time.Time) (License, error) {
	if a.Record == nil {
		return License{}, Absence{a.State, a.Number, a.Verifiability(a.Tally, LicenseTTL)}.Error()
	}
	v, record := a.Verifiability(a.Tally, LicenseTTL), *a.Record
	if !a.OfThisVersion() {
		record = record.doubted()
	}
	v.NotReported, v.Inferred = record.NotReported.With(), record.Inferred.With()
	return License{
		State: a.State, LicenseNumber: record.LicenseNumber, Record: record,
		Judgement: inputOf(record, a.State, v, now).judged(), Verifiability: v,
	}, nil
}

// inputOf is what the verdict on a record is made of at a moment, in an answer that says v of itself.
func inputOf(r LicenseRecord, of State, v Verifiability, at time.Time) verdictInput {
	return verdictInput{LicenseRecord: r, of: of, confidence: v.ExtractionConfidence, complete: v.Complete, hasNotes: true,
		otherType: otherType(v.Notes, ""), today: of.Today(at)}
}

// JudgedOn is the verdict on the license on another day than that of the answer.
func (l License) JudgedOn(d Date) Judgement {
	s := inputOf(l.Record, l.State, l.Verifiability, time.Time{})
	s.today = d
	return s.judged()
}

// EndWithVerdict makes the answer end at the state's midnight at which a date passes that its verdict rests on.
func (a *LicenseAnswer) EndWithVerdict(now time.Time) {
	if a.Record != nil {
		a.EndBy(inputOf(*a.Record, a.State, a.Verifiability(a.Tally, LicenseTTL), now).changes(now, a.ExpiresAt))
	}
}

// doubted is the record as another version gives it, which does not tell what its path printed: the status may be
// inferred, and no suspensions may mean that they were not shown.
func (r LicenseRecord) doubted() LicenseRecord {
	r.Inferred = r.Inferred.With("status")
	if len(r.Suspensions) == 0 {
		r.NotReported, r.Suspensions = r.NotReported.With("suspensions"), []Suspension{}
	}
	return r
}
