package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"

	"assay.dev/platform/scrape"
)

// prepared is what can be done for a document before it is known what was read from it: its hash, and its compression.
// It is done beside the reading, so that no answer waits for it.
type prepared struct {
	done   chan struct{}
	hash   string
	packed []byte
}

// run prepares a page. One that was kept lately needs no compression.
func (p *prepared) run(k *Keeper, page *scrape.Page) {
	defer close(p.done)
	sum := sha256.Sum256(page.Body)
	p.hash = hex.EncodeToString(sum[:])
	if k.recentOf(p.hash, scrape.Document{Page: page}.EvidenceURL(), false) == 0 {
		p.packed = pack(page.Body)
	}
}

// Wait waits until it is done.
func (p *prepared) Wait() { <-p.done }

// preparing bounds the documents that are prepared at the same time.
var preparing = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))

// Prepare begins to prepare a page to be kept, in a goroutine of its own. It is for [scrape.Deps]. While too many pages
// are prepared, or for a large one, it does nothing: that page is prepared when it is kept.
func (k *Keeper) Prepare(page *scrape.Page) any {
	if len(page.Body) > maxPart {
		return nil
	}
	select {
	case preparing <- struct{}{}:
	default:
		return nil
	}
	p := &prepared{done: make(chan struct{})}
	go func() { // Stop does not wait for it: a reading may outlive the keeper
		defer func() { <-preparing }()
		p.run(k, page)
	}()
	return p
}

// preparedOf returns what was prepared of a document, and prepares the document when nothing was.
func preparedOf(d scrape.Document) *prepared {
	if p, ok := d.Prepared.(*prepared); ok {
		p.Wait()
		return p
	}
	sum := sha256.Sum256(d.Body)
	return &prepared{hash: hex.EncodeToString(sum[:])}
}
