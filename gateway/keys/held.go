package keys

import (
	"crypto/subtle"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unique"

	"assay.dev/contracts"
)

// heldRecord is one record in the copy: packed, because most keys are never used at one gateway. It does not change,
// except for verified, whole and next: a newer record replaces it.
type heldRecord struct {
	packed
	hash     Hash
	revision uint64
	gone     bool // deleted from the bucket
	verified atomic.Int64
	whole    atomic.Pointer[Record] // unpacked at its first use
	next     *heldRecord            // another one with the same ID; only under the directory's lock
}

// packed is a [Record] in less than half of its memory. The times are Unix microseconds, or never.
type packed struct {
	tenant                    unique.Handle[string]
	limit                     int
	created, expires, revoked int64
	last4                     [4]byte
	environment               uint8 // its place in contracts.Environments
	products                  uint8 // a bit for each of contracts.Products
	imported                  bool
}

func pack(r *Record) packed {
	p := packed{
		tenant: unique.Make(r.Tenant), limit: r.Limit, imported: r.Imported,
		created: micros(r.CreatedAt), expires: micros(r.ExpiresAt), revoked: micros(r.RevokedAt),
		environment: uint8(slices.Index(contracts.Environments, r.Environment)), // a valid record's is there
	}
	copy(p.last4[:], r.Last4)
	for i, product := range contracts.Products {
		if r.Allows(product) {
			p.products |= 1 << i
		}
	}
	return p
}

func (p *packed) record() *Record {
	r := &Record{
		Tenant: p.tenant.Value(), Environment: contracts.Environments[p.environment], Limit: p.limit, Imported: p.imported,
		Last4:     strings.TrimRight(string(p.last4[:]), "\x00"),
		CreatedAt: moment(p.created), ExpiresAt: moment(p.expires), RevokedAt: moment(p.revoked),
	}
	for i, product := range contracts.Products {
		if p.products&(1<<i) != 0 {
			r.Products = append(r.Products, product)
		}
	}
	return r
}

// never stands for the zero time.
const never = math.MinInt64

func micros(t time.Time) int64 {
	if t.IsZero() {
		return never
	}
	return t.UnixMicro()
}

func moment(micros int64) time.Time {
	if micros == never {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// record is the whole record, the same one at each call.
func (k *heldRecord) record() *Record {
	if r := k.whole.Load(); r != nil {
		return r
	}
	k.whole.CompareAndSwap(nil, k.packed.record())
	return k.whole.Load()
}

// recordSet holds records by the IDs of their hashes, several of which two keys may share. It is not safe for
// concurrent use.
type recordSet map[keyID]*heldRecord

// keyID is the beginning of a hash that [Hash.ID] prints.
type keyID [idLength / 2]byte

func (h Hash) keyID() keyID { return keyID(h[:idLength/2]) }

// get finds the record of a key. How long it takes tells nothing of a hash beyond its ID.
func (s recordSet) get(h Hash) (found *heldRecord) {
	for k := s[h.keyID()]; k != nil; k = k.next {
		if subtle.ConstantTimeCompare(k.hash[:], h[:]) == 1 {
			found = k
		}
	}
	return found
}

// renew keeps the newer one of k and the record of the same key, and returns it.
func (s recordSet) renew(k *heldRecord) *heldRecord {
	if old := s.get(k.hash); old != nil && old.revision > k.revision {
		return old
	}
	s.put(k)
	return k
}

// put adds a record, or replaces that of the same key.
func (s recordSet) put(k *heldRecord) {
	k.next = nil
	for other := s[k.hash.keyID()]; other != nil; {
		next := other.next
		if other.hash != k.hash {
			other.next, k.next = k.next, other
		}
		other = next
	}
	s[k.hash.keyID()] = k
}

// addMissing moves the records of keys that s does not have from another set.
func (s recordSet) addMissing(from recordSet) {
	for _, k := range from {
		for k != nil {
			next := k.next
			if s.get(k.hash) == nil {
				s.put(k)
			}
			k = next
		}
	}
}
