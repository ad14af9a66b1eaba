// Package coding compresses HTTP bodies (RFC 9110 §8.4): zstd (RFC 8878) or gzip (RFC 1952), whichever the client
// takes. Answers are compressed when they are sent: two more forms of each stored answer would take the room of others.
package coding

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Coding is a content coding as headers write it.
type Coding string

// The codings. Identity is a body as it is.
const (
	Identity Coding = ""
	Gzip     Coding = "gzip"
	Zstd     Coding = "zstd"
)

// MinSize is the size in bytes from which compressing a body is worth it: a smaller one fits into one packet anyway.
const MinSize = 1 << 10

// IsCodable tells whether a body is sent compressed to clients that take that: neither a small one, nor one of bytes as
// they are, whose Content-Digest (RFC 9530 §2) is of what is sent.
func IsCodable(mediaType string, size int) bool {
	return size >= MinSize && mediaType != "application/octet-stream"
}

// Choose is the coding of an Accept-Encoding header (RFC 9110 §12.5.3) that is served: of those with the highest weight
// zstd before gzip before none. Identity where the client takes neither.
func Choose(acceptEncoding []string) Coding {
	best, most := Identity, 0.0
	for _, line := range acceptEncoding {
		for part := range strings.SplitSeq(line, ",") {
			name, parameters, _ := strings.Cut(part, ";")
			coding, weight := known(strings.TrimSpace(name)), weightOf(parameters)
			if coding != Identity && (weight > most || weight == most && weight > 0 && coding == Zstd) {
				best, most = coding, weight
			}
		}
	}
	return best
}

// known is the coding of a name; Identity for one that is not served. "*" means any coding: gzip is the one that all
// read.
func known(name string) Coding {
	switch strings.ToLower(name) {
	case "gzip", "x-gzip", "*":
		return Gzip
	case "zstd":
		return Zstd
	}
	return Identity
}

// weightOf is the q of a coding: 1 where it has none, 0 where it cannot be read.
func weightOf(parameters string) float64 {
	name, value, _ := strings.Cut(strings.TrimSpace(parameters), "=")
	if name = strings.TrimSpace(name); name == "" {
		return 1
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if !strings.EqualFold(name, "q") || err != nil || q < 0 || q > 1 {
		return 0
	}
	return q
}

// ETag is the entity tag of a coded body. It differs from that of the body as it is, since the bytes do (RFC 9110
// §8.8.3): `"abc"` is `"abc-gzip"`.
func (c Coding) ETag(plain string) string {
	if c == Identity || plain == "" {
		return plain
	}
	return strings.TrimSuffix(plain, `"`) + "-" + string(c) + `"`
}

var (
	gzips = sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(nil, gzip.DefaultCompression) // the level is valid
		return w
	}}
	zstds = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(err) // the options are valid
		}
		return e
	})
)

// Compress is a body in the coding.
func (c Coding) Compress(body []byte) []byte {
	switch c {
	case Gzip:
		return compressGzip(body)
	case Zstd:
		return zstds().EncodeAll(body, make([]byte, 0, len(body)/3))
	}
	return body
}

func compressGzip(body []byte) []byte {
	w := gzips.Get().(*gzip.Writer)
	defer gzips.Put(w)
	out := bytes.NewBuffer(make([]byte, 0, len(body)/3))
	w.Reset(out)
	_, _ = w.Write(body) // a buffer takes all
	_ = w.Close()
	return out.Bytes()
}
