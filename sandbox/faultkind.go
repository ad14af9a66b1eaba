package sandbox

import (
	"net/http"
	"slices"
)

// faultKind is a way in which a site fails.
type faultKind struct {
	Kind Kind
	// Means says in a sentence what a client sees.
	Means  string
	effect effect
}

// faultKinds is the one table of the ways to fail. The index page and docs/run.md are made from it.
var faultKinds = []faultKind{
	{Down, "The connection is refused; with a path, it is closed without an answer.", hangUp},
	{Slow, "The right answer comes after `seconds`, 60 when none are given, or once the fault is cleared.", slow},
	{Drip, "The right answer comes one byte a second.", drip},
	{Reset, "The connection is reset after half of the right answer.", reset},
	{Forbidden, "403.", status(http.StatusForbidden, "Access to this page has been denied.")},
	{Throttled, "429 without Retry-After.", status(http.StatusTooManyRequests, "Too many requests.")},
	{Broken, "500.", status(http.StatusInternalServerError, "Something went wrong on our side.")},
	{Challenge, "200 with a page that wants to see a browser first.", status(http.StatusOK, challengePage)},
	{Empty, "200 without a body.", empty},
	{Redesigned,
		"The fields are gone: tables and lists became prose without figures, members of JSON have other names.",
		rewrite(redesign)},
	{Swapped, "Headings stay where they are; the values of each row stand in reverse order.", rewrite(swap)},
	{Reworded, "A sentence stands over the first table that did not stand there before.", rewrite(reword)},
	{Huge, "1 GiB of markup.", huge},
	{Bomb, "1 MiB of gzip that holds 1 GiB.", bomb},
	{Headers, "2 MB of response headers before the right answer.", headers},
	{PrivateRedirect, "302 to an address of the link-local network.",
		redirect("http://169.254.169.254/latest/meta-data/")},
	{ForeignRedirect, "302 to a copy of the page on a host that the source does not own, " + ForeignHost + ".",
		redirect("https://" + ForeignHost + "/")},
}

func kindOf(k Kind) (faultKind, bool) {
	i := slices.IndexFunc(faultKinds, func(f faultKind) bool { return f.Kind == k })
	if i < 0 {
		return faultKind{}, false
	}
	return faultKinds[i], true
}

func kindNames() []string {
	names := []string{}
	for _, f := range faultKinds {
		names = append(names, string(f.Kind))
	}
	return names
}
