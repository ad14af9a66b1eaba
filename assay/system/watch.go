package system

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// Watching makes the sandbox invent its registers, a third of the memory. So the test workers begin to watch when
// somebody first reads or posts a change there.

// beginWatch is called when a client reads the changes of an environment.
func (s *system) beginWatch(env contracts.Environment) {
	if env == contracts.Test {
		s.watching.Store(true)
	}
}

// editionTime bounds the wait for the first edition of a state's file.
const editionTime = 30 * time.Second

// knowingEditions lets a change of a license wait until the edition before it is known, without which it would not be
// told.
func (s *system) knowingEditions(admin http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/changes" {
			admin.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4096))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		var asked struct {
			State contracts.State `json:"state"`
		}
		_ = json.Unmarshal(body, &asked) // the sandbox says what is wrong with it
		if state, err := contracts.ParseState(string(asked.State)); err == nil {
			if err := s.awaitEdition(r.Context(), state); err != nil {
				http.Error(w, "the file of this state cannot be read yet, so that nobody would be told of its change: "+err.Error(),
					http.StatusServiceUnavailable)
				return
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		admin.ServeHTTP(w, r)
	})
}

func (s *system) awaitEdition(ctx context.Context, state contracts.State) error {
	ctx, cancel := context.WithTimeout(ctx, editionTime)
	defer cancel()
	s.watching.Store(true)
	js, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer js.Conn().Close()
	for {
		err := compared(ctx, js, state)
		if err == nil || clock.Sleep(ctx, 50*time.Millisecond) != nil {
			return err
		}
	}
}

// compared is nil once there is an edition of a state in the test environment that the next is compared with.
func compared(ctx context.Context, js jetstream.JetStream, state contracts.State) error {
	bucket, err := js.KeyValue(ctx, contracts.ComparedBucket.Name)
	if err == nil {
		_, err = bucket.Get(ctx, contracts.ComparedKey(contracts.Test, contracts.ABC, string(state)))
	}
	return err
}
