package packet

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

// file is one of the packet's that is no document.
type file struct {
	name string
	body []byte
}

// Write writes the packet as a ZIP. read gives its documents once more, one after the other.
func (p *Packet) Write(w io.Writer, read func(contracts.Evidence) (*Kept, error)) error {
	files, err := p.files()
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for _, f := range files {
		if err := p.addFile(z, f.name, f.body); err != nil {
			return err
		}
	}
	for _, d := range p.Documents {
		if d.File == "" {
			continue
		}
		k, err := read(d.Evidence)
		if err == nil {
			err = p.addFile(z, d.File, k.Body)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

func (p *Packet) addFile(z *zip.Writer, name string, body []byte) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: p.Name() + "/" + name, Method: zip.Deflate,
		Modified: p.Audit.KeptAt.UTC()})
	if err == nil {
		_, err = w.Write(body)
	}
	return err
}

// files are those that are no documents. SHA256SUMS has the hashes of all but itself.
func (p *Packet) files() ([]file, error) {
	letter, err1 := p.letter()
	verify, err2 := p.verify()
	all := []file{{"letter.html", letter}, {p.LinesFile(), p.csv()}, {"VERIFY.txt", verify}}
	answer, err3 := p.rateAnswers()
	if answer != nil {
		all = append(all, file{"answer.json", answer})
	}
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return nil, err
		}
	}
	manifest, err := p.manifest(all)
	all = append(all, file{"manifest.json", manifest})
	var sums bytes.Buffer
	for _, f := range all {
		fmt.Fprintf(&sums, "%s  %s\n", hashOf(f.body), f.name)
	}
	for _, d := range p.Documents {
		if d.File != "" {
			fmt.Fprintf(&sums, "%s  %s\n", d.SHA256, d.File)
		}
	}
	return append(all, file{"SHA256SUMS", sums.Bytes()}), err
}

func hashOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// csv are the lines as the audit has them, the expired ones last.
func (p *Packet) csv() []byte {
	o := lines.Output{Format: lines.CSV, NoTotals: true}
	return lines.Whole(lines.Marked(audit.Pieces(o, nil, slices.Values(p.lines())))).Text
}

// LinesFile is the name of the lines. Those of invented data carry it with them.
func (p *Packet) LinesFile() string {
	if p.IsTest {
		return "test-lines.csv"
	}
	return "lines.csv"
}

// rateAnswers are the weeks whose documents are in the packet, as the API answers for several carriers; nil for none.
// Each says when its document was read.
func (p *Packet) rateAnswers() ([]byte, error) {
	all := contracts.Surcharges{Errors: []contracts.CarrierFailure{}}
	for _, r := range p.Rates {
		if r.Week == nil || r.File == "" {
			continue
		}
		week := *r.Week
		week.Verifiability.SourceTimestamp = r.ReadAt.UTC().Truncate(time.Second)
		week.Verifiability.Evidence = slices.DeleteFunc(slices.Clone(week.Verifiability.Evidence),
			func(e contracts.Evidence) bool {
				return !slices.ContainsFunc(p.Documents, func(d Document) bool { return d.SHA256 == e.SHA256 && d.File != "" })
			})
		all.Results = append(all.Results, week)
	}
	if all.Results == nil {
		return nil, nil
	}
	return indented(struct {
		InventedData bool `json:"invented_data,omitempty"` // as package verify knows it
		contracts.Surcharges
	}{p.IsTest, all})
}

func indented(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return append(contracts.EscapeJSON(text), '\n'), err
}

// manifestFile is a file in the manifest.
type manifestFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
}

// manifestDocument is a kept document in the manifest. Name is absent where it is not in the packet, and Missing says
// why.
type manifestDocument struct {
	Name    string     `json:"name,omitempty"`
	Missing string     `json:"missing,omitempty"`
	SHA256  string     `json:"sha256"`
	Bytes   int        `json:"bytes,omitempty"`
	URL     string     `json:"url"`
	Path    string     `json:"path,omitempty"`
	ReadAt  *time.Time `json:"read_at,omitempty"`
	Role    string     `json:"role"`
}

func (p *Packet) manifest(files []file) ([]byte, error) {
	m := struct {
		AuditID     string             `json:"audit_id"`
		MadeAt      time.Time          `json:"made_at"`
		Environment string             `json:"environment"`
		Carrier     contracts.Carrier  `json:"carrier"`
		Contract    string             `json:"contract,omitempty"`
		Sender      Sender             `json:"sender"`
		Lines       int                `json:"lines"`
		Amount      audit.Cents        `json:"amount_usd"`
		Expired     int                `json:"expired_lines"`
		Late        audit.Cents        `json:"expired_amount_usd"`
		Files       []manifestFile     `json:"files"`
		Documents   []manifestDocument `json:"documents"`
	}{
		p.Audit.ID, p.Audit.KeptAt, string(contracts.Live), p.Request.Carrier, p.Audit.Contract, p.Sender,
		len(p.Lines), p.Amount, len(p.Expired), p.Late, []manifestFile{}, []manifestDocument{},
	}
	if p.IsTest {
		m.Environment = string(contracts.Test)
	}
	for _, f := range files {
		m.Files = append(m.Files, manifestFile{f.name, hashOf(f.body), len(f.body)})
	}
	for _, d := range p.Documents {
		of := manifestDocument{Name: d.File, Missing: d.Missing, SHA256: d.SHA256, Bytes: d.Bytes, URL: d.URL, Path: d.Path,
			Role: string(d.Role)}
		if !d.ReadAt.IsZero() {
			of.ReadAt = &d.ReadAt
		}
		m.Documents = append(m.Documents, of)
	}
	return indented(m)
}
