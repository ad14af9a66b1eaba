// Package kept holds what tenants keep here: their contracts with carriers in [contracts.AgreementsBucket], their
// audits in [contracts.AuditsBucket], and what the console showed them in [contracts.RepliesBucket]. What is deleted is
// gone; nothing of it is kept.
package kept

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// Owner is the tenant whose documents are meant. Nobody else sees them, nor the tenant's keys of the other environment.
type Owner struct {
	Environment contracts.Environment
	Tenant      string
}

// key is the tenant's entry, and of a name that of the document.
func (o Owner) key(name string) string {
	key := contracts.OwnerKey(o.Environment, o.Tenant)
	if name != "" {
		key += "." + name
	}
	return key
}

// shelf keeps documents of tenants in a bucket, each under its name: a document is an entry, or several where one has
// no room for it, and one more entry of the tenant lists what there is. E is what the list says of a document.
type shelf[E any] struct {
	of     contracts.Bucket
	bucket jetstream.KeyValue
	// under tells two shelves of one bucket apart. No name is written so.
	under string
	// apart is the key prefix of documents that are found without their owner; empty for keys under the owner's.
	apart string
	// list is the list's name in the tenant's entry, and name that of an entry of it.
	list string
	name func(E) string
	// none says that there is no such name, which stands for the first % in it, if there is one.
	none string
}

// missing is the error for a name that there is not.
func (s *shelf[E]) missing(name string) error {
	return contracts.Missing(contracts.NameUnknown, "%s",
		strings.Replace(s.none, "%", strconv.Quote(contracts.Printable(name)), 1))
}

// key is the key of a document, and of no name that of the list.
func (s *shelf[E]) key(o Owner, name string) string {
	if s.apart != "" && name != "" {
		return s.apart + name
	}
	if s.under == "" || name == "" {
		return o.key(s.under + name)
	}
	return o.key(s.under + "." + name)
}

// open binds the bucket.
func open[E any](ctx context.Context, js jetstream.JetStream, to **shelf[E], s shelf[E]) (err error) {
	s.bucket, err = kv.Open(ctx, js, s.of)
	*to = &s
	return err
}

// storeTime bounds a question to the store.
const storeTime = 5 * time.Second

// retry is when a client should come back while the store cannot be reached.
const retry = 5 * time.Second

// reached makes of an error of a store that cannot be reached, or has no room, one that says so: nothing is wrong with
// the request, or with us.
func reached(err *error) {
	damage, text := (*kv.Damaged)(nil), "what is kept here cannot be reached just now; retry later"
	if kv.Full(*err) {
		text = "there is no room to keep more just now; delete what you no longer need, or retry later"
	}
	if !errors.As(*err, &damage) && contracts.CodeOf(*err) == contracts.Internal {
		*err = contracts.Wrap(*err, contracts.SourceUnavailable, "%s", text).After(retry)
	}
}

var errOvertaken error = contracts.Errorf(contracts.SourceUnavailable, "what you are changing is being changed "+
	"by another request; retry").After(time.Second)

// put keeps a document. edit puts it into the list, from which it may take others; their documents are removed. Where
// another writer changes the document meanwhile, the error is errOvertaken: the list and the document tell the same.
func (s *shelf[E]) put(ctx context.Context, o Owner, name string, document []byte,
	edit func([]E) ([]E, error)) (err error) {
	defer reached(&err)
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	was, _, err := kv.Get(ctx, s.bucket, s.key(o, name))
	if err != nil {
		return err
	}
	var before, after []E
	// The list comes first: a name without a document is told as none, a document without a name would be kept unseen.
	err = s.change(ctx, o, func(all []E) (_ []E, err error) {
		before = slices.Clone(all)
		after, err = edit(all)
		return after, err
	})
	if err != nil {
		return err
	}
	gone := slices.DeleteFunc(slices.Clone(before), func(e E) bool { return s.entryIndex(after, s.name(e)) >= 0 })
	err = kv.PutParts(ctx, s.bucket, s.key(o, name), document, func(first []byte) error {
		if !bytes.Equal(first, was) {
			return errOvertaken
		}
		return nil
	})
	if err != nil {
		return errors.Join(err, s.putBack(ctx, o, name, before, after, gone))
	}
	for _, e := range gone { // those that a busy store does not remove in time go with the bucket's age
		if kv.PurgeParts(ctx, s.bucket, s.key(o, s.name(e))) != nil {
			break
		}
	}
	return nil
}

// entryIndex is where the entry of a name is in a list; below zero for none.
func (s *shelf[E]) entryIndex(all []E, name string) int {
	return slices.IndexFunc(all, func(e E) bool { return s.name(e) == name })
}

// putBack restores the list after a document could not be stored: its old entry, unless another writer replaced it, and
// the entries that were removed for room. Their documents are still there.
func (s *shelf[E]) putBack(ctx context.Context, o Owner, name string, before, after, gone []E) error {
	was := s.entryIndex(before, name)
	if was < 0 && len(gone) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	return s.change(ctx, o, func(all []E) ([]E, error) {
		if at := s.entryIndex(all, name); was >= 0 && at >= 0 && same(all[at], after[s.entryIndex(after, name)]) {
			all[at] = before[was]
		}
		return append(all, gone...), nil
	})
}

// same tells whether two entries are kept alike.
func same[E any](a, b E) bool {
	one, errOne := json.Marshal(a)
	other, errOther := json.Marshal(b)
	return errors.Join(errOne, errOther) == nil && bytes.Equal(one, other)
}

// read is the document of a name, unpacked and decoded. is tells whether it is the one that was meant, and what names
// such documents.
func read[D, E any](ctx context.Context, s *shelf[E], o Owner, name, what string, is func(*D) bool) (d D, err error) {
	defer reached(&err)
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	var none D
	stored, err := kv.GetParts(ctx, s.bucket, s.key(o, name))
	if err == nil && stored == nil {
		err = s.missing(name)
	}
	if err != nil {
		return none, err
	}
	document, err := kv.Expand(stored)
	if err == nil {
		err = json.Unmarshal(document, &d)
	}
	if err != nil || !is(&d) {
		return none, s.damaged(what + " cannot be understood")
	}
	return d, nil
}

// listed is a list with an entry in the place of the one of its name, by names.
func (s *shelf[E]) listed(all []E, e E) []E {
	all = append(slices.DeleteFunc(all, func(other E) bool { return s.name(other) == s.name(e) }), e)
	slices.SortFunc(all, func(a, b E) int { return cmp.Compare(s.name(a), s.name(b)) })
	return all
}

// room is how many bytes a tenant's documents may take where the oldest go: a sixteenth of the bucket that all share, so
// that no few tenants fill it.
func (s *shelf[E]) room() int { return int(s.of.MaxBytes / 16) }

// newest are the first entries of a list, the newest first, that have room within a number and a sum of bytes; the
// first one always has. of tells an entry's bytes, and whether it lasts: the bucket drops what is too old by itself,
// but after a restore later.
func newest[E any](all []E, most, bytes int, of func(E) (size int, lasts bool)) []E {
	var left []E
	for _, e := range all {
		size, lasts := of(e)
		if !lasts {
			continue
		}
		if bytes -= size; len(left) == most || bytes < 0 && len(left) > 0 {
			break
		}
		left = append(left, e)
	}
	return left
}

// entries is the tenant's list.
func (s *shelf[E]) entries(ctx context.Context, o Owner) (all []E, err error) {
	defer reached(&err)
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	value, _, err := kv.Get(ctx, s.bucket, s.key(o, ""))
	if err != nil || value == nil {
		return []E{}, err
	}
	return s.decode(o, value)
}

// Delete removes a document. The error is NOT_FOUND where there is none.
func (s *shelf[E]) Delete(ctx context.Context, o Owner, name string) (err error) {
	defer reached(&err)
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	if err := kv.PurgeParts(ctx, s.bucket, s.key(o, name)); err != nil {
		return err
	}
	return s.change(ctx, o, func(all []E) ([]E, error) {
		i := s.entryIndex(all, name)
		if i < 0 {
			return nil, s.missing(name)
		}
		return slices.Delete(all, i, i+1), nil
	})
}

// change edits the tenant's list.
func (s *shelf[E]) change(ctx context.Context, o Owner, edit func([]E) ([]E, error)) error {
	return kv.Change(ctx, s.bucket, s.key(o, ""), func(old []byte) ([]byte, error) {
		all := []E{}
		if old != nil {
			var err error
			if all, err = s.decode(o, old); err != nil {
				return nil, err
			}
		}
		all, err := edit(all)
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]any{"tenant": o.Tenant, s.list: all})
	})
}

func (s *shelf[E]) decode(o Owner, value []byte) (all []E, err error) {
	members := map[string]json.RawMessage{}
	var tenant string
	if json.Unmarshal(value, &members) != nil || json.Unmarshal(members["tenant"], &tenant) != nil || tenant != o.Tenant ||
		json.Unmarshal(members[s.list], &all) != nil {
		return nil, s.damaged("a tenant's list cannot be understood")
	}
	return all, nil
}

func (s *shelf[E]) damaged(what string) error {
	return &kv.Damaged{Stream: s.of.Stream(), What: what}
}
