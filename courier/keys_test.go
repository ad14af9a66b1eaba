package courier

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
	"assay.dev/platform/webhook"
)

var always = time.Time{}

// issue writes a key of the test environment.
func (s *stand) issue(name, tenant string, ends time.Time, isRevoked bool, products ...contracts.Product) {
	s.Helper()
	k := tenantKey{Tenant: tenant, Environment: contracts.Test, Products: products, ExpiresAt: ends}
	if isRevoked {
		k.RevokedAt = time.Now()
	}
	doc, err := json.Marshal(k)
	s.must(err)
	keys, err := s.js.KeyValue(s.Context(), contracts.KeysBucket.Name)
	s.must(err)
	_, err = keys.Put(s.Context(), name, doc)
	s.must(err)
}

// revise publishes that ODFL revised a week.
func (s *stand) revise(id string) string {
	s.Helper()
	doc, err := json.Marshal(contracts.Change{ID: id, Type: contracts.SurchargeRevised, Product: contracts.LTL, Source: "ODFL"})
	s.must(err)
	_, err = s.js.Publish(s.Context(), contracts.ChangeSubject(contracts.Test, contracts.LTL, "ODFL", contracts.SurchargeRevised).Name, doc)
	s.must(err)
	return id
}

// A tenant of whom no key is good gets nothing, its place stays, and a new key goes on there. Nobody else notices, and a tenant that never
// had a key of ours is served.
func TestAWebhookNeedsAKeyThatIsGood(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.issue("a1", "acme", always, false, contracts.ABC, contracts.LTL)
	s.issue("a2", "acme", time.Now().Add(-time.Hour), false, contracts.ABC)
	s.issue("a3", "acme", always, false, contracts.LTL)
	s.issue("b1", "bolt", always, false, contracts.ABC)
	of := func(tenant, url string, products ...contracts.Product) (key string) {
		key = contracts.OwnerKey(contracts.Test, tenant) + fmt.Sprint(".e", len(products))
		_, sealed := s.sealer.New(key)
		s.create(key, webhook.Endpoint{
			ID: "e", URL: url, Products: products, Secrets: []webhook.Sealed{sealed}, Cursor: s.place(),
		})
		return key
	}
	acme, both, bolt, none := s.receiver(nil), s.receiver(nil), s.receiver(nil), s.receiver(nil)
	key := of("acme", acme.URL, contracts.ABC)
	of("acme", both.URL, contracts.ABC, contracts.LTL)
	of("bolt", bolt.URL, contracts.ABC)
	of("rapidapi:mona", none.URL, contracts.ABC)
	s.courier()
	first, _ := s.change(contracts.Test, "1")
	s.await("all are told", func() bool {
		return len(acme.got()) == 1 && len(both.got()) == 1 && len(bolt.got()) == 1 && len(none.got()) == 1
	})
	s.await("its place is noted", func() bool { return s.kept(key).Cursor == s.place() })
	place := s.place()
	failing := s.kept(key)
	failing.FailingSince = new(time.Now().Add(-time.Hour))
	s.put(key, failing)
	s.issue("a1", "acme", always, true, contracts.ABC, contracts.LTL)
	s.await("it is seen that no key is good", func() bool { return s.kept(key).Keyless })
	if e := s.kept(key); e.FailingSince != nil {
		t.Errorf("days without a key count as failing: %+v", e)
	}
	second, _ := s.change(contracts.Test, "2")
	s.await("the others are told", func() bool { return len(bolt.got()) == 2 && len(none.got()) == 2 })
	if e := s.kept(key); e.Status() != "disabled" || e.Reason() == "" || e.Cursor != place || len(acme.got()) != 1 {
		t.Errorf("%+v, told %v", e, acme.ids())
	}
	revised := s.revise("ODFL.e.1")
	s.await("the product whose key is good goes on", func() bool { return len(both.got()) > 1 })
	if join(both.ids()) != join([]string{first, revised}) {
		t.Errorf("of both products: told %v", both.ids())
	}
	s.issue("a4", "acme", always, false, contracts.ABC)
	s.await("a new key goes on", func() bool { return len(acme.got()) == 2 && !s.kept(key).Keyless })
	if join(acme.ids()) != join([]string{first, second}) {
		t.Errorf("told %v", acme.ids())
	}
}

// With the last good key of a product all of its changes end: what was read before, what is to be tried again, and what is asked for by hand.
func TestARevokedKeyEndsWhatWaits(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.issue("a1", "acme", always, false, contracts.ABC)
	s.issue("a2", "acme", always, false, contracts.LTL)
	revoked := make(chan struct{})
	slow := s.receiver(func(_ http.ResponseWriter, r *http.Request, n int) {
		if n == 1 {
			select {
			case <-revoked:
			case <-r.Context().Done():
			}
		}
	})
	begin := s.place()
	license, _ := s.change(contracts.Test, "1")
	at := s.place().Sequence
	s.change(contracts.Test, "2")
	week := s.revise("ODFL.e.1")
	of := func(id string, e webhook.Endpoint) (key string) {
		key = contracts.OwnerKey(contracts.Test, "acme") + "." + id
		_, sealed := s.sealer.New(key)
		e.ID, e.URL, e.Secrets, e.Cursor = id, slow.URL, []webhook.Sealed{sealed}, cmp.Or(e.Cursor, s.place())
		s.create(key, e)
		return key
	}
	of("new", webhook.Endpoint{Products: contracts.Products, Cursor: begin})
	seen := of("seen", webhook.Endpoint{Products: []contracts.Product{contracts.ABC}})
	s.courier()
	s.await("the first of what was read is under way", func() bool { return len(slow.got()) == 1 })
	s.issue("a1", "acme", always, true, contracts.ABC)
	s.await("the revocation is seen", func() bool {
		entry, err := s.bucket.Get(t.Context(), seen)
		s.must(err)
		_, _ = s.bucket.Update(t.Context(), seen, entry.Value(), entry.Revision()) // at what is written the courier looks at once
		return s.kept(seen).Keyless
	})
	close(revoked)
	s.await("the product whose key is good goes on", func() bool { return len(slow.got()) > 1 })
	soon := time.Now().Add(time.Millisecond)
	old := of("old", webhook.Endpoint{
		Products: contracts.Products, Portfolio: "bars",
		Retries: []webhook.Retry{{Event: license, Sequence: at, Due: soon}, {Event: week, Sequence: at + 2, Due: soon}},
		ByHand:  []webhook.Retry{{Event: license, Sequence: at, Due: soon}, {Event: "test.x", Due: soon}},
	})
	s.await("nothing waits", func() bool { return len(s.kept(old).Retries)+len(s.kept(old).ByHand) == 0 })
	if want := []string{license, week, "test.x", week}; join(slow.ids()) != join(want) {
		t.Errorf("told %v, want %v", slow.ids(), want)
	}
}

// Keys that were restored are not taken in before an operator confirmed them, also where the ones before are known.
func TestRestoredKeysWaitForAnOperator(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := &courier{js: s.js, keys: keyring{owners: map[string]map[string]tenantKey{}, known: true}}
	stream := contracts.KeysBucket.Stream()
	s.must(kv.Forget(t.Context(), s.js, stream, kv.Witness{Restored: time.Now()}))
	var damaged *kv.Damaged
	if err := c.takeKeys(t.Context(), nil); !errors.As(err, &damaged) || !damaged.Unconfirmed {
		t.Errorf("taken in: %v", err)
	}
	s.must(kv.Confirm(t.Context(), s.js, stream))
	s.must(c.takeKeys(t.Context(), nil))
}
