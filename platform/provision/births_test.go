package provision_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/provision"
)

var (
	keysStream    = contracts.KeysBucket.Stream()
	answersStream = contracts.AnswersBucket.Stream()
)

// A lasting stream that existed is made anew only by permission; a new or disposable one needs none.
func TestWhatWasBornIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Empty(t)))
	for _, c := range []struct {
		name    string
		gone    []string // deleted before
		options provision.Options
		missing []string
		err     error
	}{
		{name: "an empty server", err: provision.ErrFirst},
		{name: "said to be new", options: provision.Options{First: true}},
		{name: "again"},
		{name: "the cache is gone", gone: []string{answersStream}},
		{name: "keys and cache are gone", gone: []string{keysStream, answersStream}, missing: []string{keysStream}},
		{name: "still", options: provision.Options{First: true}, missing: []string{keysStream}},
		{name: "another loss is accepted", options: provision.Options{AcceptLoss: []string{contracts.UsageStream.Name}}, missing: []string{keysStream}},
		{name: "the loss is accepted", options: provision.Options{AcceptLoss: []string{keysStream}}},
		{name: "the record is gone, nothing else", gone: []string{contracts.BirthsBucket.Stream()}},
		{name: "the record is gone, and usage", gone: []string{contracts.BirthsBucket.Stream(), contracts.UsageStream.Name},
			missing: []string{contracts.UsageStream.Name}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
			defer cancel()
			for _, name := range c.gone {
				if err := js.DeleteStream(ctx, name); err != nil {
					t.Fatal(err)
				}
			}
			before := existing(ctx, t, js)
			c.options.Replicas = 1
			err := provision.All(ctx, js, c.options)
			var missing *provision.Missing
			switch {
			case c.missing == nil && !errors.Is(err, c.err):
				t.Errorf("got %v, want %v", err, c.err)
			case c.missing != nil && (!errors.As(err, &missing) || !slices.Equal(missing.Streams, c.missing)):
				t.Errorf("got %v, want %v missing", err, c.missing)
			}
			if after := existing(ctx, t, js); err != nil && !slices.Equal(before, after) {
				t.Errorf("refused, and made: before %v, after %v", before, after)
			}
		})
	}
}

// The file outlives the whole of the data.
func TestALostDiskIsNotANewDeployment(t *testing.T) {
	t.Parallel()
	births := provision.FileBirths(filepath.Join(t.TempDir(), "births.json"))
	var missing *provision.Missing
	for _, lost := range []bool{false, true} {
		js := bustest.JetStream(t, bustest.Connect(t, bustest.Empty(t)))
		err := provision.All(t.Context(), js, provision.Options{Replicas: 1, Births: births, First: true})
		if lost != errors.As(err, &missing) || err != nil && missing == nil {
			t.Errorf("lost %t: %v", lost, err)
		}
	}
	if missing == nil || !slices.Equal(missing.Streams, provision.Lasting()) {
		t.Errorf("missing %v, want %v", missing, provision.Lasting())
	}
}

func existing(ctx context.Context, t *testing.T, js jetstream.JetStream) []string {
	t.Helper()
	var names []string
	list := js.StreamNames(ctx)
	for name := range list.Name() {
		names = append(names, name)
	}
	if list.Err() != nil {
		t.Fatal(list.Err())
	}
	slices.Sort(names)
	return names
}

// A run that finds nothing new writes no record: another one, of a newer version, may have written more meanwhile.
func TestTheRecordOfBirthsIsWrittenWhenSomethingIsNew(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Empty(t)))
	revision := func() uint64 {
		t.Helper()
		if err := provision.All(t.Context(), js, provision.Options{Replicas: 1, First: true}); err != nil {
			t.Fatal(err)
		}
		bucket, err := js.KeyValue(t.Context(), contracts.BirthsBucket.Name)
		if err != nil {
			t.Fatal(err)
		}
		entry, err := bucket.Get(t.Context(), "streams")
		if err != nil {
			t.Fatal(err)
		}
		return entry.Revision()
	}
	if first, again := revision(), revision(); again != first {
		t.Errorf("revision %d, and %d after a run that made nothing", first, again)
	}
}
