package contracts

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "O'Brien & Söhne\t1\r\n": "O'Brien & Söhne\t1\r\n", "\x1b[2JCAFÉ\u202e\u009b\x7f": "?[2JCAFÉ???", "a\x9bb\xff": "a?b?",
		"\u200b\ufeff\U000e0041": "???", "東京 😀": "東京 😀",
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// To who reads the JSON an escaped document is the same, and nothing in it does something to a terminal.
func TestEscapeJSON(t *testing.T) {
	texts := []string{"a\\u\"b\n", "東京 é", "\x00\x1b\x7f\u0085\u009b", "\u200b\u202e\u2066\u2028\ufeff\ufe0f", "\U000e0041😀", "\xff"}
	doc, _ := json.MarshalIndent(texts, "", "\t")
	escaped := string(EscapeJSON(doc))
	var read, want []string
	if err := errors.Join(json.Unmarshal([]byte(escaped), &read), json.Unmarshal(doc, &want)); err != nil || !slices.Equal(read, want) {
		t.Errorf("%v: %q, want %q", err, read, want)
	}
	if Visible(escaped) != escaped || !strings.Contains(escaped, `\udb40\udc41😀`) || !strings.Contains(escaped, "東京 é") {
		t.Errorf("%q", escaped)
	}
}
