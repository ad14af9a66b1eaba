package main

import (
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"assay.dev/contracts"
)

// inertWriter writes text for people without what would do something to their terminal ([contracts.Visible]): what
// commands print comes from sources, from the API, from other processes and from the command line.
type inertWriter struct {
	mu   sync.Mutex
	to   io.Writer
	rest []byte // the begin of a character whose end was not written yet, or a CR whose LF was not
}

// Write writes all characters that are whole.
func (w *inertWriter) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := slices.Concat(w.rest, text)
	end := wholeCharacters(all)
	w.rest = all[end:]
	shown := strings.ReplaceAll(contracts.Visible(string(all[:end])), "\r\n", "\x00")
	shown = strings.ReplaceAll(strings.ReplaceAll(shown, "\r", "?"), "\x00", "\r\n") // a lone CR writes over its line
	if _, err := io.WriteString(w.to, shown); err != nil {
		return 0, err
	}
	return len(text), nil
}

// wholeCharacters is where the last character begins when it is not whole, or the end of the text.
func wholeCharacters(text []byte) int {
	if n := len(text); n > 0 && text[n-1] == '\r' {
		return n - 1
	}
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}
