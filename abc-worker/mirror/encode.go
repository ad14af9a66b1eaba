package mirror

import (
	"encoding/binary"

	"assay.dev/contracts"
)

// texts are the texts of an entry; the number comes first. The expiration date is not among them.
func texts(e *Entry) [12]*string {
	r, a := &e.Record, &e.Record.Address
	return [...]*string{
		&r.LicenseNumber, &r.LicenseTypeCode, &r.LicenseTypeName, &r.DBAName, &r.OwnerName, &a.Street, &a.City, &a.State,
		&a.ZipCode, &a.County,
		&a.Raw, &e.Word,
	}
}

// encode appends the entry's texts and its date, each after its length.
func encode(out []byte, e Entry) []byte {
	for _, text := range texts(&e) {
		out = appendText(out, *text)
	}
	out = appendText(out, string(e.Record.ExpirationDate))
	// Comparisons keep entries, also those of versions that do not know the last flag: it has a bit of their last byte.
	return append(out, byte(e.File), bit(e.Unclear), bit(e.Unnumbered), bit(e.Undated)|bit(e.Unissued)<<1)
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

func bit(set bool) byte {
	if set {
		return 1
	}
	return 0
}

func first(doc []byte) []byte {
	n, w := binary.Uvarint(doc)
	return doc[w : w+int(n)]
}

// decode makes one copy of the entry, which its texts share.
func decode(doc []byte) Entry {
	all, at := string(doc), 0
	next := func() string {
		n, w := binary.Uvarint(doc[at:])
		begin := at + w
		at = begin + int(n)
		return all[begin:at]
	}
	var e Entry
	for _, text := range texts(&e) {
		*text = next()
	}
	e.Record.ExpirationDate = contracts.Date(next())
	flags := doc[at:]
	e.File, e.Unclear, e.Unnumbered = int(flags[0]), flags[1] == 1, flags[2] == 1
	e.Undated, e.Unissued = flags[3]&1 != 0, flags[3]&2 != 0
	e.Record.Suspensions = []contracts.Suspension{}
	return e
}
