package coding_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"assay.dev/gateway/coding"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]coding.Coding{
		"":                            coding.Identity,
		"gzip":                        coding.Gzip,
		"gzip, deflate":               coding.Gzip,
		"gzip, deflate, br, zstd":     coding.Zstd,
		"zstd, gzip":                  coding.Zstd,
		"GZIP":                        coding.Gzip,
		"x-gzip":                      coding.Gzip,
		"*":                           coding.Gzip,
		"br":                          coding.Identity,
		"identity":                    coding.Identity,
		"gzip;q=0":                    coding.Identity,
		"gzip;q=0, zstd;q=0":          coding.Identity,
		"zstd;q=0.5, gzip;q=0.9":      coding.Gzip,
		"gzip;q=0.5,zstd;q=0.5":       coding.Zstd,
		"gzip; q=1.0, zstd ; Q = 0.3": coding.Gzip,
		"gzip;q=2":                    coding.Identity,
		"gzip;q=x":                    coding.Identity,
		"gzip;level=9":                coding.Identity,
		",;,=;q":                      coding.Identity,
	} {
		if got := coding.Choose([]string{accept}); got != want {
			t.Errorf("Accept-Encoding %q: %q, want %q", accept, got, want)
		}
	}
	if got := coding.Choose([]string{"gzip", "zstd"}); got != coding.Zstd {
		t.Errorf("two lines: %q", got)
	}
	if got := coding.Choose(nil); got != coding.Identity {
		t.Errorf("no header: %q", got)
	}
}

func TestCompressedBodiesAreTheSame(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"empty": "", "small": `{"a":1}`, "large": strings.Repeat(`{"fuel_surcharge_pct":46.32},`, 5_000),
	} {
		for c, open := range map[coding.Coding]func(io.Reader) (io.Reader, error){
			coding.Identity: func(r io.Reader) (io.Reader, error) { return r, nil },
			coding.Gzip:     func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
			coding.Zstd:     func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
		} {
			for range 2 { // the second uses what the first left
				coded := c.Compress([]byte(body))
				r, err := open(bytes.NewReader(coded))
				if err != nil {
					t.Fatal(err)
				}
				if got, err := io.ReadAll(r); err != nil || string(got) != body {
					t.Errorf("%s in %q: %v", name, c, err)
				}
				if name == "large" && c != coding.Identity && len(coded) > len(body)/20 {
					t.Errorf("%q: %d bytes of %d", c, len(coded), len(body))
				}
			}
		}
	}
}

func TestETags(t *testing.T) {
	t.Parallel()
	for c, want := range map[coding.Coding]string{coding.Identity: `"a1"`, coding.Gzip: `"a1-gzip"`, coding.Zstd: `"a1-zstd"`} {
		if got := c.ETag(`"a1"`); got != want {
			t.Errorf("%q: %s", c, got)
		}
		if got := c.ETag(""); got != "" {
			t.Errorf("%q of none: %s", c, got)
		}
	}
}

func FuzzChoose(f *testing.F) {
	f.Add("gzip;q=0.5, zstd")
	f.Fuzz(func(t *testing.T, accept string) {
		c := coding.Choose([]string{accept})
		named := strings.Contains(strings.ToLower(accept), string(c)) || strings.Contains(accept, "*")
		if c != coding.Identity && !named {
			t.Errorf("%q for %q", c, accept)
		}
	})
}
