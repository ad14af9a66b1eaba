package texas

import (
	"maps"
	"slices"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/opendata"
)

// Holds is the Credit Law delinquent list. Its columns are invented.
type Holds struct {
	// licenses are those of the register when the list was first asked for: what becomes of them there does not change the
	// list.
	licenses func() []license.Texas

	mu     sync.Mutex
	edited map[string]*Hold // by license numbers; nil for one that was lifted
	at     time.Time        // of the newest edition; zero of the first
}

// Hold is an entry of the list.
type Hold struct {
	Since  contracts.Date
	Exempt bool
}

// NewHolds is a list with some licenses of the register.
func NewHolds(register *license.Register) *Holds {
	return &Holds{licenses: sync.OnceValue(register.Texas), edited: map[string]*Hold{}}
}

// listedEvery is of how many licenses one is on the list from the start.
const listedEvery = 97

// all are the entries by their numbers, and the licenses in the register's order.
func (h *Holds) all() ([]license.Texas, map[string]*Hold) {
	licenses, entries := h.licenses(), map[string]*Hold{}
	for i := 60; i < len(licenses); i += listedEvery {
		entries[licenses[i].Number] = &Hold{Since: licenses[i].StatusChanged}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.Copy(entries, h.edited)
	return licenses, entries
}

// Place puts a license on the list, or with nil takes it from it, in an edition of its own. It is false for a number
// that there is not.
func (h *Holds) Place(number string, hold *Hold, at time.Time) bool {
	if !slices.ContainsFunc(h.licenses(), func(l license.Texas) bool { return l.Number == number }) {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.edited[number] = hold
	if at = at.Truncate(time.Second).Add(time.Second); !at.After(h.at) { // HTTP's dates have seconds
		at = h.at.Add(time.Second)
	}
	h.at = at
	return true
}

func (h *Holds) modified(published time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.at.After(published) {
		return h.at
	}
	return published
}

// Dataset is the list as open data.
func (h *Holds) Dataset() opendata.Dataset {
	return opendata.Dataset{
		ID: "ix8u-msb9", Name: "Credit Law Delinquent List",
		Columns: []string{"license_id", "trade_name", "owner", "address", "city", "county", "effective_date", "bankruptcy"},
		Rows:    h.rows, Modified: h.modified,
	}
}

func (h *Holds) rows() (rows []opendata.Row) {
	licenses, entries := h.all()
	for _, l := range licenses {
		hold := entries[l.Number]
		if hold == nil {
			continue
		}
		rows = append(rows, opendata.Row{
			l.Number + ".0", l.DBA, l.Owner, l.Premises.Line(), l.Premises.City,
			l.Premises.County, opendata.Timestamp(hold.Since), map[bool]string{true: "Y"}[hold.Exempt],
		})
	}
	return rows
}
