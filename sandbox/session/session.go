// Package session keeps what a stand-in site remembers of its visitors, by a cookie.
package session

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"sync"
)

// kept bounds the sessions; the oldest goes first.
const kept = 5000

// Store holds one T per visitor. It is safe for concurrent use; guarding T is its user's business.
type Store[T any] struct {
	cookie string

	mu     sync.Mutex
	all    map[string]*T
	oldest []string
}

// NewStore knows visitors by the named cookie.
func NewStore[T any](cookie string) *Store[T] { return &Store[T]{cookie: cookie, all: map[string]*T{}} }

// Open is the visitor's T; a visitor without one gets a cookie and a zero T.
func (s *Store[T]) Open(w http.ResponseWriter, r *http.Request) *T {
	if known := s.Find(r); known != nil {
		return known
	}
	id, fresh := Token(16), new(T)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[id] = fresh
	if s.oldest = append(s.oldest, id); len(s.oldest) > kept {
		delete(s.all, s.oldest[0])
		s.oldest = s.oldest[1:]
	}
	http.SetCookie(w, &http.Cookie{Name: s.cookie, Value: id, Path: "/", HttpOnly: true, Secure: true,
		SameSite: http.SameSiteLaxMode})
	return fresh
}

// Find is the visitor's T; nil for one who has none.
func (s *Store[T]) Find(r *http.Request) *T {
	cookie, err := r.Cookie(s.cookie)
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[cookie.Value]
}

// Token is a random text of twice as many hex digits as bytes.
func Token(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
