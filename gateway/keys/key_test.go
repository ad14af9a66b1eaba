package keys

import (
	"errors"
	"strings"
	"testing"

	"assay.dev/contracts"
)

func TestIssuedKeysParse(t *testing.T) {
	for _, env := range contracts.Environments {
		key := generate(env)
		if want := len(env) + 1 + 32 + 6; len(key) != want {
			t.Errorf("%s has %d characters, want %d", key, len(key), want)
		}
		if !strings.HasPrefix(key, string(env)+"_") {
			t.Errorf("%s does not begin with its environment", key)
		}
		h, err := Parse(key)
		if err != nil || h != hashOf(key) {
			t.Errorf("Parse(%s): %v", key, err)
		}
	}
}

func TestMalformedKeysNeedNoLookup(t *testing.T) {
	key := generate(contracts.Live)
	flipped := []byte(key)
	flipped[10] ^= 1
	for name, bad := range map[string]string{
		"empty": "", "short": key[:len(key)-1], "long": key + "x", "a letter changed": string(flipped),
		"other environment": "test" + key[4:], "no random part": "live_", "spaces": "                    ",
		"control characters": "0123456789abcdef\x00", "not ASCII": "0123456789abcdefé", "huge": strings.Repeat("a", 4096),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse(bad); !errors.Is(err, ErrMalformed) {
				t.Errorf("Parse(%q) = %v, want ErrMalformed", bad, err)
			}
		})
	}
}

func TestMarketplaceKeysParse(t *testing.T) {
	if _, err := Parse("0a1b2c3d4emsh5f6a7b8c9d0e1f2p1a2b3cjsn4d5e6f7a8b9c"); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("live_")
	f.Add(generate(contracts.Test))
	f.Fuzz(func(t *testing.T, key string) {
		if h, err := Parse(key); err == nil && h != hashOf(key) {
			t.Errorf("Parse(%q) is not its hash", key)
		}
	})
}
