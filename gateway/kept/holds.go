package kept

import (
	"context"
	"encoding/json"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// ListEntry is a delinquent list in a list of them.
type ListEntry struct {
	State      contracts.State `json:"state"`
	List       string          `json:"list"`
	Date       contracts.Date  `json:"date" jsonschema:"The list's own date."`
	Licenses   int             `json:"licenses" jsonschema:"How many licenses are on it."`
	UploadedAt time.Time       `json:"uploaded_at" jsonschema:"When it was put here, UTC."`
}

// HeldLicense is a license on a delinquent list.
type HeldLicense struct {
	LicenseNumber string         `json:"license_number"`
	Since         contracts.Date `json:"since" jsonschema:"null where the list does not say."`
}

// HoldList is a delinquent list as a tenant put it here.
type HoldList struct {
	State      contracts.State `json:"state"`
	List       string          `json:"list"`
	Date       contracts.Date  `json:"date" jsonschema:"The list's own date."`
	UploadedAt time.Time       `json:"uploaded_at" jsonschema:"When it was put here, UTC."`
	Entries    []HeldLicense   `json:"entries"`
}

// Holds keeps delinquent lists.
type Holds struct{ *shelf[ListEntry] }

func (e ListEntry) name() string { return NameOfList(e.State, e.List) }

// NameOfList is the name of a list of a state, such as NY-101-aa.
func NameOfList(s contracts.State, list string) string { return string(s) + "-" + list }

// Put keeps a list in place of the one before, which may not be newer: whoever came on it since would be delivered to.
// created tells that there was none.
func (s Holds) Put(ctx context.Context, o Owner, l HoldList) (e ListEntry, created bool, err error) {
	e = ListEntry{l.State, l.List, l.Date, len(l.Entries), l.UploadedAt}
	document, err := json.Marshal(l)
	if err != nil {
		return e, false, err
	}
	err = s.put(ctx, o, e.name(), kv.Compress(document), func(all []ListEntry) ([]ListEntry, error) {
		created = s.entryIndex(all, e.name()) < 0
		for _, before := range all {
			if before.name() == e.name() && l.Date < before.Date {
				return nil, contracts.Invalid("query", "date", "date", "the list that is here is newer, of %s; DELETE it "+
					"first if that is wrong", before.Date)
			}
		}
		return s.listed(all, e), nil
	})
	return e, created, err
}

// Get is the list that the tenant put for a state. The error is NOT_FOUND where there is none.
func (s Holds) Get(ctx context.Context, o Owner, state contracts.State, list string) (HoldList, error) {
	return read(ctx, s.shelf, o, NameOfList(state, list), "a delinquent list",
		func(l *HoldList) bool { return l.State == state && l.List == list })
}

// List lists those of the tenant.
func (s Holds) List(ctx context.Context, o Owner) ([]ListEntry, error) { return s.entries(ctx, o) }

// Remove removes a list.
func (s Holds) Remove(ctx context.Context, o Owner, state contracts.State, list string) error {
	return s.Delete(ctx, o, NameOfList(state, list))
}
