package main

import "regexp"

// plainWords say in words of ours what the library of command lines and the parsers of Go say of a value in theirs.
var plainWords = []struct {
	of    *regexp.Regexp
	plain string
}{
	{regexp.MustCompile(`expected a valid \d+ bit u?int but got `), "want a whole number, not "},
	{regexp.MustCompile(`(?s)expected a float but got (".*") \(\w+\)$`), "want a number such as 0.90, not $1"},
	{regexp.MustCompile(`expected \S+ value but got "EOL" \(<EOL>\)$`), "a value is missing"},
	{regexp.MustCompile(`bool value must be true, 1, yes, false, 0 or no but got `), "want true or false, not "},
	{regexp.MustCompile(`(?s)parsing time (".*?") as "2006-01": .*$`), "want a month such as 2026-11, not $1"},
	{regexp.MustCompile(`(?s)parsing time (".*?") as ".*$`), "want a time such as 2026-11-22T12:00:00Z, not $1"},
}

// inPlainWords is what is wrong with a command line, for people.
func inPlainWords(wrong string) string {
	for _, w := range plainWords {
		wrong = w.of.ReplaceAllString(wrong, w.plain)
	}
	return wrong
}
