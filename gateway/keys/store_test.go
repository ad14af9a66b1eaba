package keys_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

const marketplaceKey = "0a1b2c3d4emsh5f6a7b8c9d0e1f2p1a2b3cjsn4d5e6f7a8b9c"

func acme() keys.Record {
	return keys.Record{Tenant: "acme", Environment: contracts.Test, Products: []contracts.Product{contracts.LTL}}
}

func openStore(t *testing.T) *keys.Store {
	t.Helper()
	s, err := keys.OpenStore(t.Context(), bustest.JetStream(t, bustest.Connect(t, bustest.Server(t))))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func only(t *testing.T, s *keys.Store, last4 string) keys.Listed {
	t.Helper()
	all, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		if k.Last4 == last4 {
			return k
		}
	}
	t.Fatalf("no key ends with %s in %v", last4, all)
	return keys.Listed{}
}

func TestCreateAndList(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	key, err := s.Create(t.Context(), acme())
	if err != nil {
		t.Fatal(err)
	}
	k := only(t, s, key[len(key)-4:])
	if k.Tenant != "acme" || k.Limit != keys.DefaultLimit || k.Environment != contracts.Test || k.CreatedAt.IsZero() {
		t.Errorf("listed %+v", k)
	}
}

func TestCreateRefusesWhatIsNoKey(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	for name, edit := range map[string]func(*keys.Record){
		"no tenant":           func(r *keys.Record) { r.Tenant = "" },
		"tenant with a blank": func(r *keys.Record) { r.Tenant = "a b" },
		"no product":          func(r *keys.Record) { r.Products = nil },
		"unknown product":     func(r *keys.Record) { r.Products = []contracts.Product{"oil"} },
		"unknown environment": func(r *keys.Record) { r.Environment = "prod" },
		"negative limit":      func(r *keys.Record) { r.Limit = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			r := acme()
			edit(&r)
			if _, err := s.Create(t.Context(), r); err == nil {
				t.Error("created")
			}
		})
	}
}

// A store may acknowledge a key that nobody can read afterwards, such as one that moves it elsewhere.
func TestAKeyIsGivenOutOnceItCanBeReadBack(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	s, err := keys.OpenStore(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), contracts.KeysBucket.Stream())
	if err != nil {
		t.Fatal(err)
	}
	moved := stream.CachedInfo().Config
	moved.SubjectTransform = &jetstream.SubjectTransformConfig{
		Source: contracts.KeysBucket.Subject("*"), Destination: contracts.KeysBucket.Subject("moved.{{wildcard(1)}}"),
	}
	if _, err := js.UpdateStream(t.Context(), moved); err != nil {
		t.Fatal(err)
	}
	if key, err := s.Create(t.Context(), acme()); key != "" || !errors.Is(err, jetstream.ErrKeyNotFound) {
		t.Errorf("key %q, %v", key, err)
	}
}

func TestRotateOverlaps(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	old, err := s.Create(t.Context(), acme())
	if err != nil {
		t.Fatal(err)
	}
	successor, err := s.Rotate(t.Context(), old, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	left := time.Until(only(t, s, old[len(old)-4:]).ExpiresAt)
	if left < 59*time.Minute || left > time.Hour {
		t.Errorf("the old key lives %s more, want an hour", left)
	}
	k := only(t, s, successor[len(successor)-4:])
	if k.Tenant != "acme" || !k.ExpiresAt.IsZero() || k.Usable() != nil {
		t.Errorf("successor %+v", k)
	}
}

func TestRevokeByKeyAndByID(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	for name, ref := range map[string]func(key string) string{
		"key": func(key string) string { return key },
		"ID":  func(key string) string { return only(t, s, key[len(key)-4:]).ID },
	} {
		t.Run(name, func(t *testing.T) {
			key, err := s.Create(t.Context(), acme())
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Revoke(t.Context(), ref(key)); err != nil {
				t.Fatal(err)
			}
			k := only(t, s, key[len(key)-4:])
			if err := k.Usable(); !errors.Is(err, keys.ErrRevoked) {
				t.Errorf("Usable: %v", err)
			}
		})
	}
	if err := s.Revoke(t.Context(), "0123456789ab"); !errors.Is(err, keys.ErrUnknown) {
		t.Errorf("revoking an unknown key: %v", err)
	}
}

// Two hashes may begin alike. Which key is meant is not known then, so neither is revoked.
func TestAnIDOfTwoKeysNamesNeither(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	s, err := keys.OpenStore(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	key, err := s.Create(t.Context(), acme())
	if err != nil {
		t.Fatal(err)
	}
	hash, err := keys.Parse(key)
	if err != nil {
		t.Fatal(err)
	}
	bucket, err := js.KeyValue(t.Context(), contracts.KeysBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	record, err := bucket.Get(t.Context(), hash.String())
	if err != nil {
		t.Fatal(err)
	}
	twin := hash.ID() + strings.Repeat("0", len(hash.String())-len(hash.ID()))
	if _, err := bucket.Put(t.Context(), twin, record.Value()); err != nil {
		t.Fatal(err)
	}
	if err := s.Revoke(t.Context(), hash.ID()); !errors.Is(err, keys.ErrShared) {
		t.Errorf("by the id: %v", err)
	}
	if err := s.Revoke(t.Context(), key); err != nil {
		t.Errorf("by the key: %v", err)
	}
}

func TestImportAddsTheSecondProduct(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	for _, p := range contracts.Products {
		if err := s.Import(t.Context(), marketplaceKey, "rapidapi:mona", p); err != nil {
			t.Fatal(err)
		}
	}
	k := only(t, s, marketplaceKey[len(marketplaceKey)-4:])
	if !slices.Equal(k.Products, contracts.Products) || !k.Imported || k.Environment != contracts.Live {
		t.Errorf("imported %+v", k)
	}
	if err := s.Import(t.Context(), marketplaceKey, "rapidapi:other", contracts.LTL); err == nil {
		t.Error("another tenant took the key over")
	}
}

// openDirectory opens a store with a key of acme's, and a directory of it.
func openDirectory(t *testing.T, srv *server.Server) (*keys.Store, *keys.Directory, string) {
	t.Helper()
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	s, err := keys.OpenStore(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	key, err := s.Create(t.Context(), acme())
	if err != nil {
		t.Fatal(err)
	}
	d, err := keys.OpenDirectory(t.Context(), js, clocktest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	return s, d, key
}

func hashed(t *testing.T, key string) keys.Hash {
	t.Helper()
	h, err := keys.Parse(key)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func follow(t *testing.T, d *keys.Directory) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Follow(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	clocktest.Await(t, "the directory is loaded", d.Loaded)
}

func anyone() error { return nil }

func TestDirectory(t *testing.T) {
	t.Parallel()
	s, d, key := openDirectory(t, bustest.Server(t))
	h := hashed(t, key)
	if r, err := d.Lookup(t.Context(), h, anyone); err != nil || r.Tenant != "acme" {
		t.Fatalf("before the copy is loaded: %v, %v", r, err)
	}
	follow(t, d)
	if r, err := d.Lookup(t.Context(), h, anyone); err != nil || r.Tenant != "acme" {
		t.Fatalf("Lookup: %v, %v", r, err)
	}
	stranger := hashed(t, marketplaceKey)
	refuse := errors.New("not you")
	if _, err := d.Lookup(t.Context(), stranger, func() error { return refuse }); !errors.Is(err, refuse) {
		t.Errorf("a stranger's key was looked up: %v", err)
	}
	if _, err := d.Lookup(t.Context(), stranger, anyone); !errors.Is(err, keys.ErrUnknown) {
		t.Errorf("a stranger's key: %v", err)
	}
	if err := s.Revoke(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	clocktest.Await(t, "the revocation arrives", func() bool {
		_, err := d.Lookup(t.Context(), h, anyone)
		return errors.Is(err, keys.ErrRevoked)
	})
	clocktest.Await(t, "the copy is current", func() bool { return d.Age() < 2*time.Second })
	clocktest.Await(t, "an id that no key has is unknown", func() bool {
		_, err := d.ByID(stranger.ID())
		return errors.Is(err, keys.ErrUnknown)
	})
}

// late is a JetStream whose bucket of keys calls came before it tells that it has no such key.
type late struct {
	jetstream.JetStream
	came func()
}

func (js late) KeyValue(ctx context.Context, name string) (jetstream.KeyValue, error) {
	bucket, err := js.JetStream.KeyValue(ctx, name)
	if name != contracts.KeysBucket.Name {
		return bucket, err
	}
	return lateBucket{bucket, js.came}, err
}

type lateBucket struct {
	jetstream.KeyValue
	came func()
}

func (b lateBucket) Get(ctx context.Context, key string) (jetstream.KeyValueEntry, error) {
	e, err := b.KeyValue.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		b.came()
	}
	return e, err
}

// A key that is tried while it is imported is good from then on.
func TestAKeyThatIsImportedWhileItIsLookedUp(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	s, err := keys.OpenStore(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	h := hashed(t, marketplaceKey)
	var d *keys.Directory
	imported := sync.OnceFunc(func() {
		if err := s.Import(t.Context(), marketplaceKey, "rapidapi:mona", contracts.LTL); err != nil {
			t.Error(err)
		}
		clocktest.Await(t, "the copy has the key", func() bool { _, err := d.ByID(h.ID()); return err == nil })
	})
	d, err = keys.OpenDirectory(t.Context(), late{js, imported}, clocktest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	follow(t, d)
	for range 2 {
		if _, err := d.Lookup(t.Context(), h, anyone); err != nil {
			t.Error(err)
		}
		imported()
	}
}

// Without a watch at all a revocation still holds in time: an old copy is not trusted.
func TestRevocationWithoutTheWatch(t *testing.T) {
	t.Parallel()
	if keys.LatestRevocation >= 5*time.Second { // as users are promised
		t.Errorf("a revocation may take %s", keys.LatestRevocation)
	}
	s, d, key := openDirectory(t, bustest.Server(t))
	d.SetCopyLife(20 * time.Millisecond)
	h := hashed(t, key)
	if _, err := d.Lookup(t.Context(), h, anyone); err != nil {
		t.Fatal(err)
	}
	if err := s.Revoke(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	clocktest.Await(t, "the revocation arrives", func() bool {
		_, err := d.Lookup(t.Context(), h, anyone)
		return errors.Is(err, keys.ErrRevoked)
	})
}

func TestDirectoryWhenNATSIsDown(t *testing.T) {
	t.Parallel()
	const copyLife = 100 * time.Millisecond
	srv := bustest.Server(t)
	_, d, key := openDirectory(t, srv)
	d.SetCopyLife(copyLife)
	h := hashed(t, key)
	follow(t, d)
	opts := bustest.Stop(srv)
	stranger := hashed(t, marketplaceKey)
	if _, err := d.Lookup(t.Context(), stranger, anyone); !errors.Is(err, keys.ErrUnverifiable) {
		t.Errorf("an unknown key: %v", err)
	}
	clocktest.Await(t, "the copy is much older than it may be while NATS answers", func() bool {
		if _, err := d.Lookup(t.Context(), h, anyone); err != nil {
			t.Fatalf("a known key: %v", err)
		}
		return d.Age() > 10*copyLife
	})
	if found, err := d.ByID(h.ID()); err != nil || found != h {
		t.Errorf("the id of a known key: %v, %v", found, err)
	}
	if _, err := d.ByID(stranger.ID()); !errors.Is(err, keys.ErrUnverifiable) {
		t.Errorf("an id that the copy does not have: %v", err)
	}
	bustest.Start(t, opts)
	clocktest.Await(t, "the copy is current again", func() bool { return d.Age() < time.Second })
}
