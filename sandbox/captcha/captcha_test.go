package captcha_test

import (
	"bytes"
	"image/png"
	"testing"

	"assay.dev/sandbox/captcha"
)

func TestBookReadsWhatItDrew(t *testing.T) {
	book := captcha.NewBook(7)
	for range 50 {
		picture, text := book.Draw()
		if _, err := png.Decode(bytes.NewReader(picture)); err != nil || len(text) != captcha.Length {
			t.Fatalf("text %q, picture: %v", text, err)
		}
		if got, ok := book.Read(picture); !ok || got != text {
			t.Fatalf("read %q (%v), drew %q", got, ok, text)
		}
		if wrong := book.Misread(text); wrong == text || len(wrong) != len(text) {
			t.Fatalf("misread %q as %q", text, wrong)
		}
	}
	if _, ok := book.Read([]byte("not ours")); ok {
		t.Error("read a picture that it never drew")
	}
}
