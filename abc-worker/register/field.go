package register

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// NoLicense is what a [StatusWords] maps a word to that stands for no license, such as "PENDING" for an application.
const NoLicense contracts.Status = ""

// StatusWords says what the status words of one source mean. Its keys are in upper case.
type StatusWords map[string]contracts.Status

// Status is what word means, whatever its case and blanks. A word that is not in the map is a failure of kind unclear.
func (w StatusWords) Status(word string) (contracts.Status, error) {
	status, known := w.Find(word)
	if !known {
		return "", scrape.Failf(scrape.Unclear, "status %q is not known", contracts.Printable(word))
	}
	return status, nil
}

// Find is Status for a caller that only asks whether the word is known.
func (w StatusWords) Find(word string) (status contracts.Status, known bool) {
	status, known = w[strings.ToUpper(fold.Blanks(word))]
	return status, known
}

// Date reads a date in one of the layouts of package time. An empty text gives no date and is clean; a text in no
// layout gives no date and is not clean.
func Date(text string, layouts ...string) (date contracts.Date, clean bool) {
	text = fold.Blanks(text)
	if text == "" {
		return "", true
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return contracts.DateOf(t), true
		}
	}
	return "", false
}

// ZipCode puts the hyphen into a ZIP code of nine digits and drops one that ends the text: "923161234" becomes
// "92316-1234", and "92316-" becomes "92316". Other texts stay as they are.
func ZipCode(s string) string {
	s = strings.TrimSuffix(fold.Blanks(s), "-")
	if len(s) == 9 && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }) < 0 {
		return s[:5] + "-" + s[5:]
	}
	return s
}

// SplitAtTwoBlanks splits "1 MAIN ST STE 4  ST CHARLES" into street and city, where a source sets two blanks
// between them. ok is false, and nothing is split, when there are no two blanks in a row.
func SplitAtTwoBlanks(text string) (street, city string, ok bool) {
	i := strings.LastIndex(text, "  ")
	if i < 0 {
		return "", "", false
	}
	return fold.Blanks(text[:i]), fold.Blanks(text[i:]), true
}

// Joined is the parts of an address as they stand, with commas between: "1 MAIN ST, FRESNO, CA, 93721". Empty parts are
// left out.
func Joined(parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, part := range parts {
		if part = fold.Blanks(part); part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ", ")
}

// UnreadableUnless is the member when a value of it could not be read, as a record's unreadable members.
func UnreadableUnless(clean bool, member string) contracts.Members {
	if clean {
		return nil
	}
	return contracts.Members{member}
}

// ByForm is the note for evidence that only a form shows.
func ByForm(format string, args ...any) []contracts.Note {
	return []contracts.Note{{Code: contracts.NoteEvidenceByForm, Message: fmt.Sprintf(format, args...)}}
}

// NoSuspensions is an empty list. It is not nil: JSON shows it as [], never as null.
func NoSuspensions() []contracts.Suspension { return []contracts.Suspension{} }
