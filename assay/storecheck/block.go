package storecheck

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A record is its length (4 bytes, the highest bit tells of headers), sequence (8), time (8), length of the subject
// (2), subject, with headers their length (4) and they themselves, payload, checksum (8). Numbers are little-endian.
const (
	lengthSize  = 4
	fixedSize   = 22
	sumSize     = 8
	headersBit  = 1 << 31
	maxLength   = 32 << 20
	maxMessage  = 2 << 20 // the server takes 1 MiB
	erasedBit   = 1 << 63 // in a sequence: the message was erased in its place
	removedBit  = 1 << 62 // in a sequence: the record says that a message was removed
	headersLine = "NATS/1.0"
	headersEnd  = "\r\n\r\n"
)

// block is a file of records.
type block struct {
	content  []byte
	sum      checksum
	subjects []string // of the stream
	newest   bool     // of the stream's blocks: the server was writing it
	last     uint64   // the highest sequence that was seen
	whole    int      // how many bytes of it are whole records, once it is verified
}

var (
	errCut     = errors.New("the file ends within it")
	errSum     = errors.New("its checksum is wrong")
	errLength  = errors.New("its length is none")
	errHeaders = errors.New("the length of its headers is wrong")
	errSubject = errors.New("its subject is none of the stream")
)

func (b *block) verify() error {
	for at := 0; at < len(b.content); {
		length, err := b.record(b.content[at:])
		if errors.Is(err, errCut) && b.newest && b.interrupted(b.content[at:]) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the record at byte %d of %d, behind message %d, is damaged: %w", at, len(b.content),
				b.last, err)
		}
		at += length
		b.whole = at
	}
	return nil
}

// record checks the one that rest begins with, and returns its length.
func (b *block) record(rest []byte) (length int, err error) {
	if len(rest) < fixedSize {
		return 0, errCut
	}
	head := binary.LittleEndian.Uint32(rest)
	length = int(head &^ headersBit)
	if length < fixedSize+sumSize || length > maxLength {
		return 0, errLength
	}
	if length > len(rest) {
		return 0, errCut
	}
	return length, b.message(rest[:length], head&headersBit != 0)
}

func (b *block) message(r []byte, hasHeaders bool) error {
	subjectEnd := fixedSize + int(binary.LittleEndian.Uint16(r[20:]))
	bodyStart := subjectEnd
	if hasHeaders {
		bodyStart += lengthSize
	}
	bodyEnd := len(r) - sumSize
	if bodyStart > bodyEnd {
		return errSubject
	}
	subject, body := r[fixedSize:subjectEnd], r[bodyStart:bodyEnd]
	if !bytes.Equal(b.sum.of(r[lengthSize:20], subject, body), r[bodyEnd:]) {
		return errSum
	}
	if hasHeaders && !headersEndAt(body, binary.LittleEndian.Uint32(r[subjectEnd:])) {
		return errHeaders
	}
	sequence := binary.LittleEndian.Uint64(r[4:])
	b.last = max(b.last, sequence&^(erasedBit|removedBit))
	if sequence&(erasedBit|removedBit) == 0 && !b.ours(string(subject)) {
		return errSubject
	}
	return nil
}

func headersEndAt(body []byte, length uint32) bool {
	if !bytes.HasPrefix(body, []byte(headersLine)) {
		return false
	}
	end := bytes.Index(body, []byte(headersEnd))
	return end >= 0 && uint64(end+len(headersEnd)) == uint64(length)
}

// ours tells whether a subject is one that the stream takes, and one that a subject can be.
func (b *block) ours(subject string) bool {
	if strings.ContainsFunc(subject, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune(`"{}*>`, c)
	}) {
		return false
	}
	return slices.ContainsFunc(b.subjects, func(pattern string) bool { return matches(pattern, subject) })
}

func matches(pattern, subject string) bool {
	for {
		p, patternRest, patternMore := strings.Cut(pattern, ".")
		s, subjectRest, subjectMore := strings.Cut(subject, ".")
		switch {
		case s == "":
			return false
		case p == ">":
			return !strings.Contains(subject, "..") && !strings.HasSuffix(subject, ".")
		case p != "*" && p != s || patternMore != subjectMore:
			return false
		case !patternMore:
			return true
		}
		pattern, subject = patternRest, subjectRest
	}
}

// interrupted tells whether the write of a record was cut off. A record whose length was damaged is all there, so its
// checksum stands at its true end.
func (b *block) interrupted(rest []byte) bool {
	if len(rest) < fixedSize+sumSize {
		return true
	}
	rest = rest[:min(len(rest), maxMessage)]
	plain := fixedSize + int(binary.LittleEndian.Uint16(rest[20:]))
	return !b.endsAfter(rest, plain, plain) && !b.endsAfter(rest, plain, plain+lengthSize)
}

// endsAfter looks for the checksum of a record whose subject ends and whose body starts at the given places.
func (b *block) endsAfter(rest []byte, subjectEnd, bodyStart int) bool {
	if bodyStart+sumSize > len(rest) {
		return false
	}
	b.sum.of(rest[lengthSize:20], rest[fixedSize:subjectEnd])
	var sum [sumSize]byte
	for end := bodyStart; end+sumSize <= len(rest); end++ {
		if bytes.Equal(b.sum.Sum(sum[:0]), rest[end:end+sumSize]) {
			return true
		}
		_, _ = b.sum.Write(rest[end : end+1])
	}
	return false
}
