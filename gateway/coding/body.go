package coding

import "sync"

// Body is a body that is sent to many clients. It is compressed once for each coding, when the first client asks for
// that coding.
type Body struct {
	plain      []byte
	gzip, zstd coded
}

type coded struct {
	once  sync.Once
	bytes []byte
}

// NewBody makes the body. plain must not be changed any more.
func NewBody(plain []byte) *Body { return &Body{plain: plain} }

// In is the body in a coding. It is shared: do not change it.
func (b *Body) In(c Coding) []byte {
	of := &b.gzip
	switch c {
	case Identity:
		return b.plain
	case Zstd:
		of = &b.zstd
	}
	of.once.Do(func() { of.bytes = c.Compress(b.plain) })
	return of.bytes
}
