package kv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
)

const (
	// compressFrom is the size from which a stored document is compressed: NATS keeps what it stored last in memory.
	compressFrom = 1 << 10
	// stateFrom is the size from which compressing is worth a megabyte of memory meanwhile.
	stateFrom = 64 << 10
	// MaxExpanded bounds what a compressed document may become, in bytes.
	MaxExpanded = 32 << 20
)

// gzip's first bytes (RFC 1952 §2.3.1); no JSON begins so.
var gzipMagic = []byte{0x1f, 0x8b}

// Compress makes a JSON document fit to be stored; a small one stays as it is.
func Compress(doc []byte) []byte {
	if len(doc) < compressFrom {
		return doc
	}
	return Gzip(doc)
}

// Gzip compresses a document, whatever it is.
func Gzip(doc []byte) []byte {
	level := gzip.BestSpeed
	if len(doc) < stateFrom {
		level = gzip.StatelessCompression
	}
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, level) // the level is valid
	_, _ = w.Write(doc)                      // a Buffer does not fail
	_ = w.Close()
	return out.Bytes()
}

// readers hold 40 KB each.
var readers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// Expand is the reverse of [Compress]. It fails on damaged data and on more than 32 MiB.
func Expand(stored []byte) ([]byte, error) { return Gunzip(stored, MaxExpanded) }

// Gunzip is the reverse of [Gzip]; what is not gzip stays as it is. It fails on damaged data and on more than most
// bytes.
func Gunzip(stored []byte, most int) ([]byte, error) {
	if !bytes.HasPrefix(stored, gzipMagic) {
		return stored, nil
	}
	r := readers.Get().(*gzip.Reader)
	defer readers.Put(r)
	if err := r.Reset(bytes.NewReader(stored)); err != nil {
		return nil, fmt.Errorf("expanding: %w", err)
	}
	doc, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, fmt.Errorf("expanding: %w", err)
	}
	if len(doc) > most {
		return nil, errors.New("expanding: too large")
	}
	return doc, nil
}
