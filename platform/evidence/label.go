package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// Label is what is known of a kept document. It is the JSON in the header [headerLabel] of the document's first
// message.
type Label struct {
	SHA256 string `json:"sha256"`
	// Size is that of the bytes as they were read; Parts is how many messages hold them.
	Size  int `json:"size"`
	Parts int `json:"parts"`
	// URL is where the document was read, without the values of parameters that look like secrets.
	URL    string    `json:"url"`
	ReadAt time.Time `json:"read_at"`
	Status int       `json:"status,omitempty"`
	// Header holds those of [keptHeaders] that the source sent.
	Header map[string]string `json:"header,omitempty"`
	Reading
	// Parser is the version of the program that read it.
	Parser string `json:"parser,omitempty"`
}

// Reading says what a document was read for.
type Reading struct {
	// Source is a carrier or a state, Path the path of it that ran.
	Source string `json:"source"`
	Path   string `json:"path"`
	// Rows say where the values of each row stood that was read, by the row's first day or license number. Labels of
	// before have none.
	Rows map[string][]scrape.Spot `json:"rows,omitempty"`
}

// The headers of the messages, beside those of NATS.
const (
	headerLabel = "assay-evidence"
	// headerPart stands in the further messages of a document, with the number of the part.
	headerPart = "assay-evidence-part"
)

// keptHeaders are the headers of a reply that say what its bytes are and how old they are.
var keptHeaders = []string{"Content-Type", "Content-Language", "Last-Modified", "Etag", "Date"}

const (
	// maxPart bounds the bytes of a message: NATS takes 1 MiB by default, its headers included.
	maxPart = 900_000
	// maxRows and maxRowBytes bound the rows in a label. A header has 64 KiB.
	maxRows, maxRowBytes = 200, 24 << 10
	// MaxSize bounds a document. It is that of the largest bulk file.
	MaxSize = 64 << 20
)

// labelOf is the label of a document with that hash.
func labelOf(d scrape.Document, hash string, of Reading, parser string) Label {
	l := Label{
		SHA256: hash, Size: len(d.Body), URL: d.EvidenceURL(), ReadAt: d.ReadAt.UTC(), Status: d.Status,
		Header: chosenHeaders(d.Header), Reading: of, Parser: parser,
	}
	l.Rows = boundedRows(of.Rows)
	return l
}

func chosenHeaders(h http.Header) map[string]string {
	chosen := map[string]string{}
	for _, name := range keptHeaders {
		if value := h.Get(name); value != "" {
			chosen[name] = strings.ToValidUTF8(value, "?")
		}
	}
	return chosen
}

// boundedRows are the rows that a label has room for, the newest first. One of which a value stands nowhere is left
// out.
func boundedRows(rows map[string][]scrape.Spot) map[string][]scrape.Spot {
	bounded, size := map[string][]scrape.Spot{}, 0
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(rows))) {
		if len(rows[key]) == 0 || slices.ContainsFunc(rows[key],
			func(s scrape.Spot) bool { return s.At == 0 || s.Text == "" }) {
			continue
		}
		for _, s := range rows[key] {
			size += len(s.Text) + 30
		}
		if size += len(key); len(bounded) == maxRows || size > maxRowBytes {
			break
		}
		bounded[key] = rows[key]
	}
	return bounded
}

// idOf is the message id of a document. Documents with the same bytes from two URLs are two documents, and so is one
// whose label says where its values stand beside one that was only opened, such as a license page on the way of a
// search.
func idOf(hash, url string, hasRows bool) string {
	if hasRows {
		url += " rows"
	}
	sum := sha256.Sum256([]byte(hash + " " + url))
	return hex.EncodeToString(sum[:16])
}

var (
	// it takes milliseconds and 2.6 MB
	encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(1<<20), zstd.WithEncoderCRC(false)) // the options are valid; the SHA-256 is the check
	decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(keepers), zstd.WithDecoderMaxMemory(MaxSize))
)

// pack compresses a document.
func pack(body []byte) []byte { return encoder.EncodeAll(body, make([]byte, 0, len(body)/4+64)) }

// messages are those of a compressed document.
func messages(subject string, l Label, packed []byte) ([]*nats.Msg, error) {
	l.Parts = max(1, (len(packed)+maxPart-1)/maxPart)
	label, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	var all []*nats.Msg
	for i := range l.Parts {
		m := &nats.Msg{Subject: subject, Header: nats.Header{},
			Data: packed[i*maxPart : min((i+1)*maxPart, len(packed))]}
		if i == 0 {
			m.Header.Set(headerLabel, string(label))
		} else {
			m.Header.Set(headerPart, fmt.Sprint(i))
		}
		all = append(all, m)
	}
	return all, nil
}

var errDamaged = errors.New("a kept document is damaged")

// unpack gives the bytes that a label describes.
func (l Label) unpack(packed []byte) ([]byte, error) {
	if l.Size < 0 || l.Size > MaxSize {
		return nil, errDamaged
	}
	body, err := decoder.DecodeAll(packed, make([]byte, 0, l.Size))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != l.SHA256 {
		return nil, fmt.Errorf("%w: its hash is another one", errDamaged)
	}
	return body, nil
}

// readLabel reads the label of a document's first message.
func readLabel(h nats.Header) (Label, error) {
	var l Label
	text := h.Get(headerLabel)
	if text == "" {
		return l, contracts.Missing(contracts.DocumentUnknown, "no document begins there")
	}
	err := json.Unmarshal([]byte(text), &l)
	return l, err
}
