package mirror

import "testing"

func TestWhatIsPackedComesBackAsItWas(t *testing.T) {
	for name, body := range map[string]string{
		"nothing": "", "a csv": "number,name\n1,a\n", "a zip": "PK\x03\x04…", "a gzip": string(pack([]byte("number,name\n"))),
	} {
		if got, err := unpack(pack([]byte(body))); err != nil || string(got) != body {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := unpack([]byte("\x1f\x8bno gzip")); err == nil {
		t.Error("damage was not seen")
	}
}
