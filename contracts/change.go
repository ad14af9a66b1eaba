package contracts

import (
	"strings"
	"time"
)

// ChangeType says what changed.
type ChangeType string

// The types of changes.
const (
	// SurchargePublished: the first clean reading of a week. SurchargeAnnounced: the week has not begun.
	SurchargePublished ChangeType = "surcharge.published"
	SurchargeAnnounced ChangeType = "surcharge.announced"
	// SurchargeRevised: a carrier shows another value for a week that stood clean, or took it back.
	SurchargeRevised ChangeType = "surcharge.revised"
	// TableReplaced: a carrier prints another bracket table.
	TableReplaced ChangeType = "table.replaced"
	// LicenseAppeared: a register's copy has a license that it did not have.
	LicenseAppeared ChangeType = "license.appeared"
	// LicenseLeft: NY's set of active licenses, or CA's export twice in a row, has a license no longer, whatever became of
	// it.
	LicenseLeft ChangeType = "license.left_register"
	// StatusChanged, ExpirationChanged and HolderChanged: two editions of a copy print another status, date or holder.
	StatusChanged     ChangeType = "license.status_changed"
	ExpirationChanged ChangeType = "license.expiration_changed"
	HolderChanged     ChangeType = "license.holder_changed"
	// HoldPlaced and HoldLifted: two editions of a public delinquent list differ in a license.
	HoldPlaced ChangeType = "hold.placed"
	HoldLifted ChangeType = "hold.lifted"
	// SourceInDoubt: what a carrier shows is not believed until an operator has looked at it.
	SourceInDoubt ChangeType = "source.in_doubt"
	// SourceDegraded: an edition of a register's copy was not taken, is held, or cannot be compared; a source is read by
	// another path than its first, or by none. SourceRecovered: it is as it should be again.
	SourceDegraded  ChangeType = "source.degraded"
	SourceRecovered ChangeType = "source.recovered"
)

// ChangeTypes lists all.
var ChangeTypes = []ChangeType{
	SurchargePublished, SurchargeAnnounced, SurchargeRevised, TableReplaced,
	LicenseAppeared, LicenseLeft, StatusChanged, ExpirationChanged, HolderChanged, HoldPlaced, HoldLifted,
	SourceInDoubt, SourceDegraded, SourceRecovered,
}

// Change is one event of [ChangesStream], as it stands there and as the feed gives it (contract §4.15). It holds only
// what is public.
type Change struct {
	// ID is the source, the edition that shows the change, and the change's place among those of the edition, such as
	// CA.20261125T150004Z-3f2a9c1b.17. It is given once and never changes.
	ID         string         `json:"id" jsonschema:"Given once: the same change has the same id wherever it is told."`
	Type       ChangeType     `json:"type"`
	OccurredAt time.Time      `json:"occurred_at" jsonschema:"When the reading was made that shows the change, UTC."`
	Product    Product        `json:"product"`
	Source     string         `json:"source" jsonschema:"The code of the state or of the carrier, or of a public delinquent list, such as TX-holds."`
	Data       ChangeData     `json:"data"`
	Evidence   ChangeEvidence `json:"evidence"`
}

// ChangeData says of what a change is, and what it was before and after.
type ChangeData struct {
	LicenseNumber   string `json:"license_number,omitempty" jsonschema:"Of changes of a license."`
	LicenseTypeCode string `json:"license_type_code,omitempty" jsonschema:"Of changes of a license."`
	// Before and After have the members that differ; nil where there was nothing, or is nothing any more.
	Before *ChangeValues `json:"before" jsonschema:"The members that differ, as they were; null where there was nothing."`
	After  *ChangeValues `json:"after" jsonschema:"The members that differ, as they are; null where there is nothing any more."`
}

// ChangeValues are the members that a change may be of. What is empty did not change.
type ChangeValues struct {
	Status         Status         `json:"status,omitempty"`
	ExpirationDate Date           `json:"expiration_date,omitempty"`
	OwnerName      string         `json:"owner_name,omitempty"`
	DBAName        string         `json:"dba_name,omitempty" jsonschema:"Of a license that appeared or left."`
	Address        string         `json:"address,omitempty" jsonschema:"Of a license that appeared or left: the address as the source has it."`
	Week           *SurchargeWeek `json:"week,omitempty" jsonschema:"Of changes of a surcharge: the week."`
	Edition        *Edition       `json:"edition,omitempty" jsonschema:"Of a table that was replaced: which table it is."`
	List           string         `json:"list,omitempty" jsonschema:"Of holds: the delinquent list."`
	HeldSince      Date           `json:"held_since,omitempty" jsonschema:"Of holds: since when the license is on the list; absent where it does not say."`
	Exempt         *bool          `json:"exempt,omitempty" jsonschema:"Of holds: the list says that its law is not enforced against the license, such as in bankruptcy."`
	Since          *time.Time     `json:"since,omitempty" jsonschema:"Since when a source is as it is."`
	Why            string         `json:"why,omitempty" jsonschema:"Why a source is in doubt or degraded."`
}

// ChangeEvidence are the documents in which the two readings stand.
type ChangeEvidence struct {
	Before []Evidence `json:"before" jsonschema:"Editions of bulk files are kept for 90 days; asking for one later is 410."`
	After  []Evidence `json:"after"`
}

// Changes is the HTTP body of the feed (contract §4.15).
type Changes struct {
	Changes []Change `json:"changes" jsonschema:"In the order in which they were published, oldest first."`
	Cursor  string   `json:"cursor" jsonschema:"Give it as since in the next request."`
}

// Outdates are the keys of the stored answers that the change makes wrong.
func (c *Change) Outdates(env Environment) (keys []CacheKey) {
	switch group := c.Type.Group(); {
	case group == SurchargePublished.Group():
		return []CacheKey{SurchargeKey(env, Carrier(c.Source))}
	case group == TableReplaced.Group():
		return []CacheKey{FuelTableKey(env, Carrier(c.Source), ""), FuelTableKey(env, Carrier(c.Source), Today(c.OccurredAt))}
	case group == HoldPlaced.Group(), c.Data.LicenseNumber == "":
		return nil
	}
	numbers := []string{c.Data.LicenseNumber}
	if c.Source == string(CA) && c.Data.LicenseTypeCode != "" {
		numbers = append(numbers, c.Data.LicenseTypeCode+"-"+c.Data.LicenseNumber)
	}
	for _, n := range numbers {
		keys = append(keys, LicenseKey(env, LicenseRequest{State: State(c.Source), Number: n}))
	}
	return keys
}

// OutdatesSearches begins the keys of the stored searches that the change makes wrong, each of which may show the
// license; empty where it makes none.
func (c *Change) OutdatesSearches(env Environment) CacheKey {
	if c.Type.Group() != StatusChanged.Group() {
		return ""
	}
	return SearchesOf(env, State(c.Source))
}

// ChangeSubject is where a worker publishes a change of one source of its product.
func ChangeSubject(env Environment, p Product, source string, t ChangeType) Subject {
	return subject(env, "changes."+string(p)+".", source+"."+string(t), "{source}."+string(t))
}

// Group is what the types of one kind have in common, such as "license" or "source". The changes of one source and one
// group have an order, in which each is published once.
func (t ChangeType) Group() string {
	group, _, _ := strings.Cut(string(t), ".")
	return group
}

// Product is the product that has changes of the type; empty for those that each has.
func (t ChangeType) Product() Product {
	switch {
	case t == SourceInDoubt, t.Group() == SurchargePublished.Group(), t == TableReplaced:
		return LTL
	case t == SourceDegraded, t == SourceRecovered:
		return ""
	}
	return ABC
}

// ChangesStream keeps what changed, for 13 months.
var ChangesStream = Stream{
	Name: "ASSAY_CHANGES", Subjects: []string{"assay.v1.*.changes.>"},
	MaxAge: 400 * 24 * time.Hour, MaxBytes: 1 << 30, DedupWindow: 2 * time.Minute, Epoch: true,
}

// EpochKey is the member of a stream's metadata that tells one life of the stream from another. Provision sets it, and
// so does a restore: sequences of another life mean other messages.
const EpochKey = "assay-epoch"

// RestoredKey is the member of the metadata of a stream that was restored: the last sequence that means what it meant
// in the life before.
const RestoredKey = "assay-restored"

// ComparedBucket tells of each environment, product and source which edition was compared last, and which is being
// compared.
var ComparedBucket = Bucket{Name: "assay_compared", MaxBytes: 16 << 20, History: 1, Exact: true}

// ComparedKey is the key of a source in [ComparedBucket], such as live.abc.CA.
func ComparedKey(env Environment, p Product, source string) string {
	return string(env) + "." + string(p) + "." + source
}
