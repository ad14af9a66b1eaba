package cell_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"assay.dev/ltl-worker/document/cell"
)

// What is read without tokens is read as with them, which a blank behind it makes necessary.
func TestPlainCells(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const signs = "0012345678999/./.$%%, -"
	for range 300_000 {
		text := make([]byte, 1+random.IntN(10))
		for i := range text {
			text[i] = signs[random.IntN(len(signs))]
		}
		var r cell.Reader
		plain, tokens := r.Read(string(text)), r.Read(string(text)+" ")
		if tokens.Text = plain.Text; plain != tokens {
			t.Fatalf("%q: %+v, with tokens %+v", text, plain, tokens)
		}
		if plain, tokens := r.Marks(nil, string(text)), r.Marks(nil, string(text)+" "); !slices.Equal(plain, tokens) {
			t.Fatalf("%q: %+v, with tokens %+v", text, plain, tokens)
		}
	}
}
