package courier

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
	"assay.dev/platform/webhook"
)

// A tenant of whom no key is good gets nothing, its place stays, and a new key goes on there. Nobody else notices, and a tenant that never
// had a key of ours is served.
func TestAWebhookNeedsAKeyThatIsGood(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	keys, err := s.js.KeyValue(t.Context(), contracts.KeysBucket.Name)
	s.must(err)
	issue := func(name, tenant string, ends time.Time, isRevoked bool, products ...contracts.Product) {
		t.Helper()
		k := tenantKey{Tenant: tenant, Environment: contracts.Test, Products: products, ExpiresAt: ends}
		if isRevoked {
			k.RevokedAt = time.Now()
		}
		doc, err := json.Marshal(k)
		s.must(err)
		_, err = keys.Put(t.Context(), name, doc)
		s.must(err)
	}
	always := time.Time{}
	issue("a1", "acme", always, false, contracts.ABC, contracts.LTL)
	issue("a2", "acme", time.Now().Add(-time.Hour), false, contracts.ABC)
	issue("a3", "acme", always, false, contracts.LTL)
	issue("b1", "bolt", always, false, contracts.ABC)
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
	issue("a1", "acme", always, true, contracts.ABC, contracts.LTL)
	s.await("it is seen that no key is good", func() bool { return s.kept(key).Keyless })
	second, _ := s.change(contracts.Test, "2")
	s.await("the others are told", func() bool { return len(bolt.got()) == 2 && len(none.got()) == 2 })
	if e := s.kept(key); e.Status() != "disabled" || e.Reason() == "" || e.Cursor != place || len(acme.got()) != 1 {
		t.Errorf("%+v, told %v", e, acme.ids())
	}
	doc, err := json.Marshal(contracts.Change{ID: "ODFL.e.1", Type: contracts.SurchargeRevised, Product: contracts.LTL, Source: "ODFL"})
	s.must(err)
	_, err = s.js.Publish(t.Context(), contracts.ChangeSubject(contracts.Test, contracts.LTL, "ODFL", contracts.SurchargeRevised).Name, doc)
	s.must(err)
	s.await("the product whose key is good goes on", func() bool { return len(both.got()) > 1 })
	if join(both.ids()) != join([]string{first, "ODFL.e.1"}) {
		t.Errorf("of both products: told %v", both.ids())
	}
	issue("a4", "acme", always, false, contracts.ABC)
	s.await("a new key goes on", func() bool { return len(acme.got()) == 2 && !s.kept(key).Keyless })
	if join(acme.ids()) != join([]string{first, second}) {
		t.Errorf("told %v", acme.ids())
	}
}

// Keys that were restored are not taken in before an operator confirmed them, also where the ones before are known.
func TestRestoredKeysWaitForAnOperator(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := &courier{js: s.js, keys: keyring{owners: map[string]map[string]tenantKey{}, known: true}}
	stream := contracts.KeysBucket.Stream()
	s.must(kv.Forget(t.Context(), s.js, stream, time.Now()))
	var damaged *kv.Damaged
	if err := c.takeKeys(t.Context(), nil); !errors.As(err, &damaged) || !damaged.Unconfirmed {
		t.Errorf("taken in: %v", err)
	}
	s.must(kv.Confirm(t.Context(), s.js, stream))
	s.must(c.takeKeys(t.Context(), nil))
}
