// Package accesstest overhears what a system under test says on NATS.
package accesstest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"assay.dev/platform/access"
)

// Overheard are the messages of a NATS server, requests, replies and what is stored among them.
type Overheard struct {
	conn     *nats.Conn
	mu       sync.Mutex
	messages []*nats.Msg
}

// Overhear listens to all subjects until conn is closed. Meanwhile a request that nobody serves waits for its deadline:
// NATS sees a receiver.
func Overhear(t testing.TB, conn *nats.Conn) *Overheard {
	t.Helper()
	o := &Overheard{conn: conn}
	if _, err := conn.Subscribe(">", o.hear); err != nil {
		t.Fatal(err)
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	return o
}

func (o *Overheard) hear(m *nats.Msg) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.messages = append(o.messages, m)
}

// Heard are the messages so far.
func (o *Overheard) Heard() []*nats.Msg {
	_ = o.conn.Flush() // what was said before is delivered
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.messages)
}

// own are subjects that are no deployment's: those that NATS makes, acknowledgements and advisories, and the one on
// which the commands ask an assay up whether its disk is full. Those of replies begin with _INBOX.
var own = []string{"$JS.ACK.>", "$JS.EVENT.>", "assay.up.disk"}

// inert are the characters of the subjects that services make; key that of what they store, which has no wildcard.
var (
	inert = regexp.MustCompile(`^[A-Za-z0-9_.$=/>*-]+$`)
	key   = regexp.MustCompile(`^(\$KV\.|assay\.)[^>*]+$`)
)

// Strange returns the subjects on which no user of a deployment may publish, and those with characters that our
// subjects never have.
func (o *Overheard) Strange() (strange []string) {
	allowed := slices.Clone(own)
	for _, u := range access.Users() {
		allowed = append(allowed, u.Publish...)
	}
	for _, m := range o.Heard() {
		isAllowed := strings.HasPrefix(m.Subject, "_INBOX") || slices.ContainsFunc(allowed, func(pattern string) bool {
			return server.SubjectMatchesFilter(m.Subject, pattern)
		})
		isStored := strings.HasPrefix(m.Subject, "$KV.") || strings.HasPrefix(m.Subject, "assay.")
		if !isAllowed || !inert.MatchString(m.Subject) || isStored && !key.MatchString(m.Subject) {
			strange = append(strange, m.Subject)
		}
	}
	return strange
}

// Holding are the subjects of the messages that hold the text, be it in the subject, a header or the body.
func (o *Overheard) Holding(text string) (subjects []string) {
	for _, m := range o.Heard() {
		if strings.Contains(m.Subject+fmt.Sprint(m.Header), text) || bytes.Contains(m.Data, []byte(text)) {
			subjects = append(subjects, m.Subject)
		}
	}
	return subjects
}
