package feed

import (
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

// Cursor is a place in the feed: behind the change of that sequence.
type Cursor struct {
	Epoch    string
	Sequence uint64
}

// String is the cursor as readers have it. They take it as it is.
func (c Cursor) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(c.Epoch + "." + strconv.FormatUint(c.Sequence, 10)))
}

// ParseCursor reads what [Cursor.String] gave.
func ParseCursor(text string) (Cursor, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	epoch, digits, isCursor := strings.Cut(string(raw), ".")
	if err != nil || !isCursor || epoch == "" {
		return Cursor{}, errors.New("this is no cursor")
	}
	sequence, err := strconv.ParseUint(digits, 10, 64)
	return Cursor{epoch, sequence}, err
}

// Filter says which changes a reader wants. Empty Sources and Types are all.
type Filter struct {
	Environment contracts.Environment
	Products    []contracts.Product
	Sources     []string
	Types       []contracts.ChangeType
	// Licenses are those whose changes are wanted, nil for all; whether their sources are read is told with them.
	Licenses Licenses
}

// Licenses are a portfolio's, by [licenseKey].
type Licenses map[string]bool

// Add takes a license of a state, such as 400000 or, of one type only, 47-400000.
func (l Licenses) Add(s contracts.State, number string) {
	l[licenseKey(s, number)] = true
	for _, source := range []string{string(s), contracts.PublicListSource(s)} {
		l[licenseKey(source, "")] = true // changes of no license, such as source.degraded
	}
}

func licenseKey[S ~string](source S, number string) string { return string(source) + " " + number }

func (f *Filter) takes(e *entry) bool {
	return e.env == f.Environment && slices.Contains(f.Products, e.product) &&
		(len(f.Sources) == 0 || slices.Contains(f.Sources, e.source)) &&
		(len(f.Types) == 0 || slices.Contains(f.Types, e.kind)) && f.takesLicense(e)
}

func (f *Filter) takesLicense(e *entry) bool {
	return f.Licenses == nil || f.Licenses[licenseKey(e.source, e.Data.LicenseNumber)] ||
		f.Licenses[licenseKey(e.source, e.Data.LicenseTypeCode+"-"+e.Data.LicenseNumber)]
}
