package packet_test

import (
	"archive/zip"
	"bytes"
	"encoding/hex"
	"io"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/packet"
)

// A packet has 64 MB of documents at most. What it has no room for is named; what is smaller still gets in.
func TestTheDocumentsOfAPacketAreBounded(t *testing.T) {
	t.Parallel()
	const half = 32 << 20
	sizes := []int{half, half - 10, 11, 10}
	points, day := audit.Points(10_000), contracts.Date("2026-09-09")
	week := contracts.Surcharge{Carrier: contracts.ODFL, Weeks: []contracts.SurchargeWeek{{EffectiveDate: day}}}
	bodies := map[string][]byte{}
	for i, size := range sizes {
		hash := strings.Repeat(hex.EncodeToString([]byte{byte(i)}), 32)
		bodies[hash] = make([]byte, size)
		week.Verifiability.Evidence = append(week.Verifiability.Evidence, contracts.Evidence{SHA256: hash, At: "1"})
	}
	a := kept.NewAudit(&lines.Found{}, []audit.Audited{{Number: 1, Result: audit.Result{
		ID: "1", Carrier: "ODFL", ShipDate: contracts.Today(time.Now()), Verdict: audit.Overbilled, EffectiveDate: day, VariancePoints: &points,
	}}}, []audit.Ground{{Carrier: contracts.ODFL, Week: &week}}, "", time.Now())
	p, err := packet.New(a, packet.Request{Carrier: contracts.ODFL, Sender: packet.Sender{Name: "Acme", Address: []string{"1 Mill Road"}}}, "", false)
	if err != nil {
		t.Fatal(err)
	}
	reads := 0
	read := func(e contracts.Evidence) (*packet.Kept, error) {
		reads++
		return &packet.Kept{Body: bodies[e.SHA256], Extension: ".html"}, nil
	}
	if err := p.Find(read); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "", "the packet has no room for it", ""} {
		if d := p.Documents[i]; d.Missing != want || (d.File == "") != (want != "") || d.Bytes != sizes[i] {
			t.Errorf("the document of %d bytes: %+v", sizes[i], d)
		}
	}
	var body bytes.Buffer
	if err := p.Write(&body, read); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(body.Bytes()), int64(body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	size, manifest := uint64(0), ""
	for _, f := range z.File {
		if strings.Contains(f.Name, "/documents/") {
			size += f.UncompressedSize64
		}
		if strings.HasSuffix(f.Name, "/manifest.json") {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(r)
			manifest = string(text)
		}
	}
	if size != 2*half || reads != 2*len(sizes)-1 || !strings.Contains(manifest, `"missing": "the packet has no room for it"`) {
		t.Errorf("%d bytes, %d reads, %s", size, reads, manifest)
	}
}
