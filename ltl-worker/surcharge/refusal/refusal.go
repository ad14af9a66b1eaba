// Package refusal names the grounds on which a document is not read.
package refusal

// Reason is one of the closed set of grounds on which a document is refused.
type Reason string

// The reasons.
const (
	// Empty: the document holds no text.
	Empty Reason = "empty document"
	// Malformed: the document is not JSON, is too large, or breaks off where its newest rows would be.
	Malformed Reason = "malformed document"
	// NoTable: nothing in the document looks like a surcharge history. A redirect to the home page ends here.
	NoTable Reason = "no surcharge history"
	// NoRows: no row of a history can be read.
	NoRows Reason = "history without rows"
	// Ambiguous: more than one reading is possible.
	Ambiguous Reason = "ambiguous"
	// Implausible: headings and values contradict each other, or the values cannot be weekly LTL percents.
	Implausible Reason = "headings and values disagree"
	// Stale: the newest week in force is more than 26 weeks old.
	Stale Reason = "stale"
	// NotInForce: all weeks are still to come.
	NotInForce Reason = "no week in force"
)

// Refusal is the error of a document, or of one table in it, that was not read.
type Refusal struct {
	Reason Reason
	// Detail says in words what was found; it may be empty.
	Detail string
}

func (r *Refusal) Error() string {
	if r.Detail == "" {
		return "surcharge: " + string(r.Reason)
	}
	return "surcharge: " + string(r.Reason) + ": " + r.Detail
}
