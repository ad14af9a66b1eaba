package kept

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// MaxReplies is how many of a tenant's answers and charts the console keeps. The oldest go.
const MaxReplies = 500

// Reply is what the API answered to a form of a page of the console.
type Reply struct {
	ID        string     `json:"id"`
	KeptAt    time.Time  `json:"kept_at"`
	ExpiresAt time.Time  `json:"expires_at"`
	Page      string     `json:"page"`
	Form      url.Values `json:"form"`
	Answers   []Answer   `json:"answers"`
}

// Answer is one answer of a reply. Problem is why there is none, in words.
type Answer struct {
	Status  int    `json:"status"`
	Body    string `json:"body"`
	Problem string `json:"problem,omitempty"`
}

// replyEntry is what the tenant's entry says of a reply.
type replyEntry struct {
	ID     string    `json:"id"`
	KeptAt time.Time `json:"kept_at"`
	Bytes  int       `json:"bytes"`
}

// Replies keeps what the console shows, so that opening it again asks nothing.
type Replies struct{ *shelf[replyEntry] }

// ErrKept says that there is a reply of that id.
var ErrKept = errors.New("the reply is kept already")

// Put keeps a reply, and gives it its times, and an id where it has none. The error is [ErrKept] for an id that there
// is.
func (s Replies) Put(ctx context.Context, o Owner, r *Reply, now time.Time) error {
	now = now.UTC().Truncate(time.Second)
	r.ID, r.KeptAt, r.ExpiresAt = cmp.Or(r.ID, newID()), now, now.Add(contracts.RepliesBucket.TTL)
	document, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if len(document) > kv.MaxExpanded {
		return contracts.Errorf(contracts.RequestTooLarge, "the answer has %d bytes, and one of %d at most is kept",
			len(document), kv.MaxExpanded)
	}
	document = kv.Compress(document)
	entry := replyEntry{r.ID, now, len(document)}
	return s.put(ctx, o, r.ID, document, func(all []replyEntry) ([]replyEntry, error) {
		if slices.ContainsFunc(all, func(e replyEntry) bool { return e.ID == r.ID }) {
			return nil, ErrKept
		}
		return newest(append([]replyEntry{entry}, all...), MaxReplies, s.room(), func(e replyEntry) (int, bool) {
			return e.Bytes, now.Before(e.KeptAt.Add(contracts.RepliesBucket.TTL))
		}), nil
	})
}

// Get is the reply with an id that a page was answered with. The error is NOT_FOUND where there is none.
func (s Replies) Get(ctx context.Context, o Owner, page, id string, now time.Time) (r Reply, err error) {
	if !AuditIDs.MatchString(id) {
		return r, s.missing(id)
	}
	r, err = read(ctx, s.shelf, o, id, "an answer", func(r *Reply) bool { return r.ID == id })
	if err == nil && (r.Page != page || !now.Before(r.ExpiresAt)) {
		return Reply{}, s.missing(id)
	}
	return r, err
}

// Delete removes a reply. The error is NOT_FOUND where there is none.
func (s Replies) Delete(ctx context.Context, o Owner, id string) error {
	if !AuditIDs.MatchString(id) {
		return s.missing(id)
	}
	return s.shelf.Delete(ctx, o, id)
}
