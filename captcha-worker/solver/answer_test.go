package solver

import (
	"net/http"
	"testing"
)

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

// What is not of the protocol ends a task; what stands before a service that is away does not.
func TestAnswersThatCannotBeRead(t *testing.T) {
	for body, c := range map[string]struct {
		status int
		want   Kind
	}{
		`{"status":"ready","cost":1e999}`:     {http.StatusOK, Hostile},
		`{"status":"ready","solution":"a7K"}`: {http.StatusOK, Hostile},
		`{"status":"ready"`:                   {http.StatusOK, Hostile},
		`{"status":7}`:                        {http.StatusBadGateway, Unreachable},
		`<html>busy</html>`:                   {http.StatusOK, Unreachable},
		``:                                    {http.StatusOK, Unreachable},
		`{"status":"ready","cost":"0.001"}`:   {http.StatusOK, ""},
	} {
		if got := KindOf((&answer{}).decode(c.status, []byte(body))); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.status, body, got, c.want)
		}
	}
}
