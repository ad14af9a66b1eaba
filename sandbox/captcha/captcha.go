// Package captcha draws image CAPTCHAs and remembers what is written in them, so that the stand-in solver can read
// what the stand-in site has drawn.
package captcha

import (
	"bytes"
	"crypto/sha256"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"strings"
	"sync"
)

// Length is the number of characters in every image.
const Length = 6

// maxKept bounds the images that a Book remembers.
const maxKept = 10_000

// Book draws images and remembers the text of the latest ones. It is safe for concurrent use.
type Book struct {
	mu     sync.Mutex
	random *rand.Rand
	texts  map[[sha256.Size]byte]string
	oldest [][sha256.Size]byte
	png    png.Encoder
}

// NewBook returns a book. Books with the same seed draw the same images in the same order.
func NewBook(seed uint64) *Book {
	return &Book{
		random: rand.New(rand.NewPCG(seed, 1)), texts: map[[sha256.Size]byte]string{},
		png: png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &buffer{}},
	}
}

// buffer is reused by all images of a book: to make one for each would clear a megabyte.
type buffer struct{ kept *png.EncoderBuffer }

func (b *buffer) Get() *png.EncoderBuffer     { return b.kept }
func (b *buffer) Put(used *png.EncoderBuffer) { b.kept = used }

// Draw returns a PNG and the text in it.
func (b *Book) Draw() (picture []byte, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var letters strings.Builder
	for range Length {
		letters.WriteByte(alphabet[b.random.IntN(len(alphabet))])
	}
	text = letters.String()
	picture = b.draw(text)
	key := sha256.Sum256(picture)
	b.texts[key] = text
	if b.oldest = append(b.oldest, key); len(b.oldest) > maxKept {
		delete(b.texts, b.oldest[0])
		b.oldest = b.oldest[1:]
	}
	return picture, text
}

// Read returns the text of an image that this book has drawn, and whether it remembers the image.
func (b *Book) Read(picture []byte) (string, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text, ok := b.texts[sha256.Sum256(picture)]
	return text, ok
}

// Misread returns a wrong text that has the form of a right one.
func (b *Book) Misread(text string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	i, shift := b.random.IntN(len(text)), 1+b.random.IntN(len(alphabet)-1)
	wrong := []byte(text)
	wrong[i] = alphabet[(strings.IndexByte(alphabet, text[i])+shift)%len(alphabet)]
	return string(wrong)
}

const (
	scale  = 4
	width  = 20 + Length*7*scale
	height = 52
)

// draw paints the letters at jumping heights over dots, and lines over the letters.
func (b *Book) draw(text string) []byte {
	canvas := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{
		color.Gray{Y: 245}, color.RGBA{R: 40, G: 40, B: 110, A: 255}, color.RGBA{R: 170, G: 170, B: 190, A: 255},
	})
	for range 300 {
		canvas.SetColorIndex(b.random.IntN(width), b.random.IntN(height), 2)
	}
	font := glyphs()
	for i, letter := range text {
		b.stamp(canvas, font[letter], 10+i*7*scale+b.random.IntN(6), 4+b.random.IntN(height-7*scale-8))
	}
	for range 3 {
		b.line(canvas)
	}
	var out bytes.Buffer
	_ = b.png.Encode(&out, canvas) // a write to a buffer cannot fail
	return out.Bytes()
}

func (b *Book) stamp(canvas *image.Paletted, glyph [7]uint8, left, top int) {
	for row, bits := range glyph {
		for column := range 5 {
			if bits&(0b10000>>column) == 0 {
				continue
			}
			for pixel := range scale * scale {
				canvas.SetColorIndex(left+column*scale+pixel%scale, top+row*scale+pixel/scale, 1)
			}
		}
	}
}

func (b *Book) line(canvas *image.Paletted) {
	from, to := b.random.IntN(height), b.random.IntN(height)
	for x := range width {
		canvas.SetColorIndex(x, from+(to-from)*x/width, 2)
	}
}
