package wire

import (
	"net/http"
	"strings"
)

// asksFresh tells whether a request asks for a fresh reading of the source: Cache-Control with no-cache or max-age=0
// (RFC 9111 §5.2.1), or the older Pragma: no-cache.
func asksFresh(h http.Header) bool {
	return hasDirective(h["Cache-Control"], "no-cache", "max-age=0") || hasDirective(h["Pragma"], "no-cache")
}

func hasDirective(lines []string, wanted ...string) bool {
	for _, line := range lines {
		for directive := range strings.SplitSeq(line, ",") {
			for _, w := range wanted {
				if strings.EqualFold(strings.TrimSpace(directive), w) {
					return true
				}
			}
		}
	}
	return false
}
