package storecheck

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
)

// indexHead is a magic byte and a version.
const indexHead = 2

// indexed is the last message of the stream as the server wrote it down at its last stop, and at times before. An index
// that is missing or damaged says nothing: the server makes it anew from the blocks.
func (s Stream) indexed() (last uint64, ok bool) {
	content, err := os.ReadFile(filepath.Join(s.Dir, "msgs", "index.db"))
	if err != nil || len(content) < indexHead+sumSize {
		return 0, false
	}
	end := len(content) - sumSize
	if !bytes.Equal(newChecksum(s.Name).of(content[:end]), content[end:]) {
		return 0, false
	}
	// Messages, bytes, first sequence, first time (signed, which makes no difference to its size), last sequence.
	rest := content[indexHead:end]
	for range 5 {
		value, size := binary.Uvarint(rest)
		if size <= 0 {
			return 0, false
		}
		last, rest = value, rest[size:]
	}
	return last, true
}
