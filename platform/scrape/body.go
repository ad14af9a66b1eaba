package scrape

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// A page of text shrinks 5 to 40 times; gzip can do 1032. Beyond freeInflation bytes a body that grows more than
// maxInflation times is a bomb.
const (
	maxInflation  = 200
	freeInflation = 1 << 20
)

// readBody decodes the body and reads at most limit bytes of it, and what the budget has. progress is called whenever
// bytes arrive.
func readBody(resp *http.Response, limit int64, budget *atomic.Int64, progress func()) ([]byte, error) {
	raw := &meter{r: resp.Body, progress: progress}
	var decoded io.Reader = raw
	switch encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
		if resp.ContentLength > limit {
			return nil, tooLarge(limit)
		}
	case "gzip", "x-gzip":
		gz, err := gzip.NewReader(raw)
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, Failf(Changed, "the body is not gzip as it says: %w", err)
		}
		decoded = gz
	default:
		return nil, Failf(Changed, "the body is encoded as %q, which was not asked for", encoding)
	}
	return readBounded(decoded, raw, limit, budget)
}

func readBounded(decoded io.Reader, raw *meter, limit int64, budget *atomic.Int64) ([]byte, error) {
	var body bytes.Buffer
	chunk := io.LimitedReader{R: decoded}
	for {
		chunk.N = 64 << 10
		n, err := body.ReadFrom(&chunk)
		size := int64(body.Len())
		switch {
		case errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum):
			return nil, Failf(Changed, "the body is damaged: %w", err)
		case err != nil:
			return nil, err
		case size > limit:
			return nil, tooLarge(limit)
		case budget != nil && budget.Add(-n) < 0:
			return nil, Failf(Changed, "the page and what it loads are larger than they may be")
		case size > freeInflation && size > maxInflation*raw.n:
			return nil, Failf(Changed, "the body grows more than %d times when decompressed", maxInflation)
		case n == 0:
			return body.Bytes(), nil
		}
	}
}

func tooLarge(limit int64) error { return Failf(Changed, "the body is larger than %d bytes", limit) }

// meter counts what comes off the wire.
type meter struct {
	r        io.Reader
	n        int64
	progress func()
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if n > 0 {
		m.n += int64(n)
		m.progress()
	}
	return n, err
}
