package scrape

import (
	"context"
	"net/url"
	"slices"
	"sync"

	"assay.dev/contracts"
)

// Document is a page that an answer was read from. Kept is set in place of the page when it was kept before, as an
// edition of a bulk file is; a document with neither was read and could not be kept.
type Document struct {
	*Page
	Kept *contracts.Evidence
	// Prepared is what [Deps.Prepare] made of the page; nil for none.
	Prepared any
	// decides: the path says that the values stand in it.
	decides bool
}

// EvidenceURL is the document's URL without the values of parameters that look like secrets, such as api_key.
func (d Document) EvidenceURL() string { return evidenceURL(d.URL) }

func evidenceURL(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return masked(u)
}

// maxDocuments bounds the documents of one reading. A path reads far fewer.
const maxDocuments = 64

// Documents are those of a reading under way, in the order in which they were read.
type Documents struct {
	prepare func(*Page) any

	mu  sync.Mutex
	all []Document
}

type documentsKey struct{}

// RecordDocuments gives a context in which [Session.Fetch] and [Record] collect what is read. [Source.Read] does it;
// use it for reads outside of one.
func RecordDocuments(ctx context.Context) (context.Context, *Documents) {
	d := &Documents{}
	return context.WithValue(ctx, documentsKey{}, d), d
}

// Record adds a document to those that the context's reading is made from. [Session.Fetch] does it for every page; it
// is for what comes in another way: the page of a browser or of a rendering service, and what was kept before, which
// counts once.
func Record(ctx context.Context, d Document) {
	r, _ := ctx.Value(documentsKey{}).(*Documents)
	if r == nil {
		return
	}
	if d.Page != nil && r.prepare != nil {
		d.Prepared = r.prepare(d.Page)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	isKnown := func(known Document) bool { return known.Kept != nil && *known.Kept == *d.Kept }
	if len(r.all) < maxDocuments && (d.Kept == nil || !slices.ContainsFunc(r.all, isKnown)) {
		r.all = append(r.all, d)
	}
}

// Decide says that the values of the context's reading stand in a page that was recorded. Without it that is the last
// page with the reading's evidence URL, or else the last page.
func Decide(ctx context.Context, page *Page) {
	r, _ := ctx.Value(documentsKey{}).(*Documents)
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.all {
		r.all[i].decides = r.all[i].Page == page
	}
}

// Ordered are the documents, the one with the values of a reading with that evidence URL first.
func (r *Documents) Ordered(evidence string) []Document {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.all) == 0 {
		return nil
	}
	first := len(r.all) - 1
	for i, d := range r.all {
		if d.url() == evidenceURL(evidence) {
			first = i
		}
	}
	for i, d := range r.all {
		if d.decides {
			first = i
		}
	}
	all := append([]Document{r.all[first]}, r.all[:first]...)
	return append(all, r.all[first+1:]...)
}

func (d Document) url() string {
	switch {
	case d.Page != nil:
		return d.EvidenceURL()
	case d.Kept != nil:
		return d.Kept.URL
	}
	return ""
}
