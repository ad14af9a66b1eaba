package solver

import "testing"

// What no CAPTCHA shows never leaves this package as a solution.
func TestSolutionIsLettersAndDigits(t *testing.T) {
	for text, want := range map[string]string{
		"a7Kq2": "a7Kq2", " x9 ": "x9",
		"": "", "';DROP--": "", "a b": "", "<b>x": "", "аbс": "", "x\u202e9": "", "1\x00": "", "abcdefghijklm": "",
	} {
		var a answer
		a.Solution.Text = text
		s, err := a.solution()
		switch {
		case err == nil && s.Text != want:
			t.Errorf("%q became %q", text, s.Text)
		case err != nil && (want != "" || KindOf(err) != Hostile):
			t.Errorf("%q: %v", text, err)
		}
	}
}
