package daemon

import "log/slog"

const redacted = "(redacted)"

// Secret is a setting that never shows itself: printed, logged or marshalled it is "(redacted)", or "" when it is
// empty. A setting X of this type may also come from the file that X_FILE names.
type Secret string

// Reveal returns the secret itself.
func (s Secret) Reveal() string { return string(s) }

// String hides the secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// GoString hides the secret from %#v.
func (s Secret) GoString() string { return s.String() }

// LogValue hides the secret from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the secret from JSON and text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
