package wire

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/lines"
)

// A panic that no part of a request's way caught ends the connection, with a line; what ends a reply on purpose has none.
func TestAPanicEndsTheConnection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		panics any
		logged bool
	}{
		"a fault":               {"a map is nil", true},
		"a reply that is ended": {http.ErrAbortHandler, false},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s := &Server{Deps: Deps{Log: slog.New(slog.NewTextHandler(&log, nil))}, engine: gin.New()}
			s.engine.GET("/", func(*gin.Context) { panic(c.panics) })
			defer func() {
				if p := recover(); p != http.ErrAbortHandler { //nolint:errorlint // as net/http compares it
					t.Errorf("it ended with %v", p)
				}
				if strings.Contains(log.String(), "a map is nil") != c.logged {
					t.Errorf("logged %s", log.String())
				}
			}()
			s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		})
	}
}

// What was claimed is kept, whoever hung up: another request may have been told already that it is charged.
func TestAClaimedReplyIsKeptForWhoHungUp(t *testing.T) {
	t.Parallel()
	ctx, hangUp := context.WithCancel(t.Context())
	hangUp()
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	x := &exchange{c: c, ctx: ctx, route: openRoute("/"), caller: &keys.Record{Environment: contracts.Test}}
	err := (&Server{}).writePieces(x, api.Reply{
		Pieces: slices.Values([]lines.Piece{{Text: []byte("1"), Through: 1, Resolved: 1}}), IsWhole: true,
		Keep: func(ctx context.Context) error { return ctx.Err() },
	})
	if err != nil {
		t.Error(err)
	}
}
