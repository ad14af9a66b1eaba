package texas

import (
	"encoding/base64"
	"net/http"
	"time"

	"assay.dev/sandbox/session"
)

// visit is what the server knows of a visitor: the last page issued, empty once that was submitted.
type visit struct{ page issued }

// issued is what the server remembers of a page.
type issued struct {
	viewState, validation string
	guid, text            string
	picture               []byte
	drawn                 time.Time
}

// issue gives the visitor a fresh page with a fresh image.
func (q *Inquiry) issue(v *visit) issued {
	picture, text := q.book.Draw()
	encode := base64.StdEncoding.EncodeToString
	fresh := issued{
		viewState: encode([]byte(session.Token(300))), validation: encode([]byte(session.Token(60))),
		guid: session.Token(16), text: text, picture: picture, drawn: q.options.Now(),
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	v.page = fresh
	return fresh
}

func (q *Inquiry) image(w http.ResponseWriter, r *http.Request) {
	v := q.visits.Find(r)
	if v == nil {
		http.NotFound(w, r)
		return
	}
	q.mu.Lock()
	current := v.page
	q.mu.Unlock()
	if current.guid == "" || current.guid != r.FormValue("guid") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(current.picture) // a reader that left
}
