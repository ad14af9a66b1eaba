package texas

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"time"
)

// maxSessions bounds the sessions kept.
const maxSessions = 5000

// session is a visitor. Its page is the last one issued, and empty once that was submitted.
type session struct {
	id   string
	page issued
}

// issued is what the server remembers of a page.
type issued struct {
	viewState, validation string
	guid, text            string
	picture               []byte
	drawn                 time.Time
}

// session is the visitor's, or a new one.
func (q *Inquiry) session(w http.ResponseWriter, r *http.Request) *session {
	if s := q.existing(r); s != nil {
		return s
	}
	s := &session{id: token(12)}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sessions[s.id] = s
	if q.oldest = append(q.oldest, s.id); len(q.oldest) > maxSessions {
		delete(q.sessions, q.oldest[0])
		q.oldest = q.oldest[1:]
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: s.id, Path: "/", HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode})
	return s
}

func (q *Inquiry) existing(r *http.Request) *session {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.sessions[cookie.Value]
}

// issue gives the session a fresh page with a fresh image.
func (q *Inquiry) issue(s *session) issued {
	picture, text := q.book.Draw()
	fresh := issued{
		viewState: base64.StdEncoding.EncodeToString([]byte(token(300))), validation: base64.StdEncoding.EncodeToString([]byte(token(60))),
		guid: token(16), text: text, picture: picture, drawn: q.options.Now(),
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	s.page = fresh
	return fresh
}

func (q *Inquiry) image(w http.ResponseWriter, r *http.Request) {
	s := q.existing(r)
	if s == nil {
		http.NotFound(w, r)
		return
	}
	q.mu.Lock()
	current := s.page
	q.mu.Unlock()
	if current.guid == "" || current.guid != r.FormValue("guid") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(current.picture) // a reader that left
}

func token(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
