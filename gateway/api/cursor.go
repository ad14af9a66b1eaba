package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"assay.dev/contracts"
)

// cursorSum is how many bytes of a cursor tell the search and the position that it is for.
const cursorSum = 12

// writeCursor is the cursor of the page after a position: a sum of the search and the position, and the position's
// number and type. It names no edition of the answer, so that the pages go on in a newer one.
func writeCursor(env contracts.Environment, q contracts.SearchRequest, after contracts.Position) string {
	return base64.RawURLEncoding.EncodeToString(append(sumCursor(env, q, after), after.Number+"\x00"+after.Type...))
}

func sumCursor(env contracts.Environment, q contracts.SearchRequest, after contracts.Position) []byte {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		"cursor", string(env), string(q.State), q.DBAName, q.OwnerName, q.Address, after.Number, after.Type,
	}, "\x00")))
	return sum[:cursorSum]
}

// readCursor is the position after which the page begins; the zero position without a cursor. A cursor that writeCursor
// did not write for this search is INVALID_REQUEST.
func readCursor(r *Request, q contracts.SearchRequest) (contracts.Position, error) {
	if !searchCursor.isGiven(r) {
		return contracts.Position{}, nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(searchCursor.of(r))
	if err == nil && len(raw) > cursorSum {
		number, kind, _ := strings.Cut(string(raw[cursorSum:]), "\x00")
		after := contracts.Position{Number: number, Type: kind}
		if bytes.Equal(raw[:cursorSum], sumCursor(r.Environment, q, after)) {
			return after, nil
		}
	}
	return contracts.Position{}, searchCursor.invalid("cursor",
		"this is not a next_cursor of the same state and filters; leave it out for the first page")
}
