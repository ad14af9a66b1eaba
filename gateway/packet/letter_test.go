package packet_test

import (
	"archive/zip"
	"bytes"
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

// The letter names the percent of the column that its lines were held against. A line that is not contested is in no letter.
func TestTheLetterNamesThePercentOfTheService(t *testing.T) {
	t.Parallel()
	const day contracts.Date = "2026-09-09"
	week := contracts.Surcharge{Carrier: contracts.SAIA, Weeks: []contracts.SurchargeWeek{{EffectiveDate: day, Percent: 46.32, TruckloadPercent: new(92.64)}}}
	today := time.Now()
	line := func(published audit.Points) audit.Audited {
		return audit.Audited{Number: 1, Result: audit.Result{
			ID: "1", Carrier: "SAIA", ShipDate: contracts.Today(today), Verdict: audit.Overbilled, EffectiveDate: day,
			PublishedPct: &published, ExpectedPct: &published, VariancePoints: new(audit.Points(20_000)),
		}}
	}
	ltl, truckload, withheld := line(463_200), line(926_400), line(926_400)
	withheld.ContestableAmount, withheld.ExpiredAmount = new(audit.Cents), new(audit.Cents)
	for name, c := range map[string]struct {
		results []audit.Audited
		want    string
	}{
		"ltl":                          {[]audit.Audited{ltl}, `<td class="n">46.32</td>`},
		"truckload":                    {[]audit.Audited{truckload}, `<td class="n">92.64 for truckloads</td>`},
		"both":                         {[]audit.Audited{truckload, ltl}, `<td class="n">46.32, and 92.64 for truckloads</td>`},
		"one that is not contested":    {[]audit.Audited{ltl, withheld}, `<td class="n">46.32</td>`},
		"none but what is not claimed": {[]audit.Audited{withheld}, ""},
	} {
		a := kept.NewAudit(&lines.Found{}, c.results, []audit.Ground{{Carrier: contracts.SAIA, Week: &week}}, "", today)
		p, err := packet.New(a, packet.Request{Carrier: contracts.SAIA, Sender: packet.Sender{Name: "Acme", Address: []string{"1 Mill Road"}}}, "", false)
		if (err != nil) != (c.want == "") {
			t.Fatal(name, err)
		}
		if err == nil && !strings.Contains(letterOf(t, p), `<tr><td class="d">2026-09-09</td>`+c.want) {
			t.Errorf("%s: no %s in %s", name, c.want, letterOf(t, p))
		}
	}
}

// A bill is called by its number, but for one that is none or may be that of many.
func TestTheLetterNamesTheShipment(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{"0077": "0077", "": "INV-7", "N/A": "INV-7", "1.23457E+11": "INV-7"} {
		r := audit.Audited{Number: 1, Result: audit.Result{
			ID: "INV-7", PRO: &number, Carrier: "SAIA", ShipDate: "2026-09-11", Verdict: audit.Overbilled,
			ExpectedPct: new(audit.Points(463_200)), VariancePoints: new(audit.Points(20_000)),
		}}
		a := kept.NewAudit(&lines.Found{}, []audit.Audited{r}, nil, "", time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		p, err := packet.New(a, packet.Request{Carrier: contracts.SAIA, Sender: packet.Sender{Name: "Acme", Address: []string{"1 Mill Road"}}}, "", false)
		if err != nil {
			t.Fatal(err)
		}
		if letter := letterOf(t, p); !strings.Contains(letter, "<tr><td>"+want+"</td>") {
			t.Errorf("%q: %s", number, letter)
		}
	}
}

// letterOf is the letter of a packet without documents.
func letterOf(t *testing.T, p *packet.Packet) string {
	t.Helper()
	var body bytes.Buffer
	if err := p.Write(&body, nil); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(body.Bytes()), int64(body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(p.Name() + "/letter.html")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
