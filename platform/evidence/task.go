package evidence

import (
	"context"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// task is one document on its way to the stream.
type task struct {
	doc     scrape.Document
	packed  []byte // nil: to be compressed
	label   Label
	id      string
	file    bool
	subject string
	// done is closed when sequence is set; 0 means that the document could not be stored.
	done     chan struct{}
	sequence uint64
}

func (t *task) isDone() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// await waits until the document is stored. Once patience is over, nothing is waited for any more.
func (t *task) await(ctx context.Context, patience *time.Timer) (*contracts.Evidence, bool) {
	select {
	case <-t.done:
	default:
		select {
		case <-t.done:
		case <-ctx.Done():
		case <-patience.C:
			patience.Reset(0) // for those that follow
		}
	}
	if !t.isDone() || t.sequence == 0 {
		return nil, false
	}
	return t.reference(), true
}

// reference is what an answer names the stored document by. Its role is that of one which was read on the way.
func (t *task) reference() *contracts.Evidence {
	e := contracts.Evidence{SHA256: t.label.SHA256, URL: t.label.URL, Role: contracts.RoleContext,
		At: contracts.PlaceOf(t.file, t.sequence)}
	if t.file {
		e.Role = contracts.RoleFile
	}
	return &e
}
