// Package packet makes of a kept audit what convinces a carrier: a ZIP with a letter that prints, the disputed lines,
// the kept documents that the right percents stand in, and how a stranger checks all of it without us. The same audit
// and the same request make the same bytes, as long as the same documents are kept: its dates are those of the audit.
package packet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
)

// MediaType is that of a packet.
const MediaType = "application/zip"

// Request says for whom a packet is, and from whom.
type Request struct {
	Carrier contracts.Carrier `json:"carrier" jsonschema:"The carrier's code."`
	Sender  Sender            `json:"sender"`
}

// Sender is who claims.
type Sender struct {
	Name    string   `json:"name" jsonschema:"The name of the shipper, or of who claims for it; at most 200 characters."`
	Address []string `json:"address" jsonschema:"1 to 6 lines of at most 200 characters."`
}

const maxText, maxAddress = 200, 6

// Validate names what is wrong with the request.
func (r Request) Validate() error {
	if !slices.Contains(contracts.Carriers, r.Carrier) {
		return contracts.Invalid("body", "carrier", "enum", "want one of %v", contracts.Carriers)
	}
	if len(r.Sender.Address) == 0 || len(r.Sender.Address) > maxAddress {
		return contracts.Invalid("body", "address", "value_error", "want 1 to %d lines", maxAddress)
	}
	for _, text := range append([]string{r.Sender.Name}, r.Sender.Address...) {
		isShown := text == contracts.Visible(text) && !strings.ContainsAny(text, "\t\r\n")
		if strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > maxText || !isShown {
			return contracts.Invalid("body", "sender", "value_error",
				"the name and each line of the address have 1 to %d characters, none of them a control or invisible one", maxText)
		}
	}
	return nil
}

// Claim is what an audit found that a carrier billed too much.
type Claim struct {
	Carrier contracts.Carrier
	// Lines are those that may be contested. Expired are those whose time had passed when the audit was made.
	Lines, Expired []audit.Audited
	// Amount is the sum of the lines, Late that of the expired ones. A line without amounts adds nothing.
	Amount, Late audit.Cents
}

// Claims are those of an audit against carriers, in the order of all carriers. A carrier with nothing to contest is not
// among them.
func Claims(a kept.Audit) (all []Claim) {
	of := map[contracts.Carrier]*Claim{}
	today := contracts.Today(a.KeptAt)
	for _, r := range a.Results {
		contestability := r.Contestability(today)
		if contestability == "" || contestability == audit.Undated {
			continue
		}
		c := contracts.Carrier(r.Carrier)
		if of[c] == nil {
			of[c] = &Claim{Carrier: c}
		}
		of[c].addLine(r, contestability)
	}
	for _, c := range contracts.Carriers {
		if of[c] != nil && len(of[c].Lines) > 0 {
			all = append(all, *of[c])
		}
	}
	return all
}

func (c *Claim) addLine(r audit.Audited, contestability audit.Contestability) {
	list, sum := &c.Lines, &c.Amount
	if contestability == audit.Expired {
		list, sum = &c.Expired, &c.Late
	}
	r.Others = nil // what else stood in the sender's file is not the carrier's to see
	*list = append(*list, r)
	if r.RecoverableAmount != nil {
		*sum += *r.RecoverableAmount
	}
}

// Packet is what goes to a carrier.
type Packet struct {
	Request
	Claim
	Audit kept.AuditEntry
	// CarrierName is how the carrier calls itself; IsTest: the data are invented.
	CarrierName string
	IsTest      bool
	// Rates are what the right percents rest on, and Documents where they stand, each once.
	Rates     []Rate
	Documents []Document
}

// Rate is a week, a table or prices that lines rest on.
type Rate struct {
	audit.Ground
	// File is the name of the document in the packet; empty where it is not in it, and Missing says why.
	File, Missing string
	// ReadAt is when the document was read.
	ReadAt time.Time
}

// Document is a kept document of the packet.
type Document struct {
	contracts.Evidence
	// File is its name in the packet. Where it is empty Missing says why.
	File, Missing string
	Bytes         int
	ReadAt        time.Time
	// Path is the path of the carrier that read it.
	Path string
}

// New makes the packet of an audit for a carrier, without documents. The error is INVALID_REQUEST where there is
// nothing to contest.
func New(a kept.Audit, r Request, carrierName string, isTest bool) (*Packet, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	claims := Claims(a)
	i := slices.IndexFunc(claims, func(c Claim) bool { return c.Carrier == r.Carrier })
	if i < 0 {
		return nil, contracts.Invalid("body", "carrier", "value_error", "the audit has no line of %s that was billed too "+
			"much and may be contested still", r.Carrier)
	}
	p := &Packet{Request: r, Claim: claims[i], Audit: a.AuditEntry,
		CarrierName: cmp.Or(carrierName, string(r.Carrier)), IsTest: isTest}
	p.rates(a.Grounds)
	return p, nil
}

// rates takes what the packet's lines rest on, and names its documents.
func (p *Packet) rates(all []audit.Ground) {
	used := map[contracts.Date]bool{}
	isPriced := false // by a table or by prices, which no effective date names
	for _, r := range p.lines() {
		used[r.EffectiveDate] = r.EffectiveDate != ""
		isPriced = isPriced || r.EffectiveDate == ""
	}
	for _, g := range all {
		isOurs := g.Carrier == p.Request.Carrier || g.Carrier == ""
		if !isOurs || g.Week == nil && !isPriced || g.Week != nil && !used[g.Week.Weeks[0].EffectiveDate] {
			continue
		}
		p.Rates = append(p.Rates, Rate{Ground: g})
		for _, e := range g.Documents() {
			if !slices.ContainsFunc(p.Documents, func(d Document) bool { return d.SHA256 == e.SHA256 }) {
				p.Documents = append(p.Documents, Document{Evidence: e})
			}
		}
	}
}

// lines are all of the claim, those that are contested first.
func (p *Packet) lines() []audit.Audited { return slices.Concat(p.Lines, p.Expired) }

// maxDocuments bounds the documents of a packet, in bytes.
const maxDocuments = 64 << 20

// Missing is why a document is not in the packet.
const (
	notKept = "it is no longer kept"
	tooMany = "the packet has no room for it"
)

// Find looks for the documents of the packet. read gives one; its error is NOT_FOUND or GONE for one that is kept no
// longer, which the packet names then. Any other failure is the packet's.
func (p *Packet) Find(read func(contracts.Evidence) (*Kept, error)) error {
	size := 0
	for i := range p.Documents {
		d := &p.Documents[i]
		k, err := read(d.Evidence)
		switch code := contracts.CodeOf(err); {
		case code == contracts.NotFound || code == contracts.Gone:
			d.Missing = notKept
			continue
		case err != nil:
			return err
		}
		d.ReadAt, d.Path, d.Bytes = k.ReadAt, k.Path, len(k.Body)
		if size+d.Bytes > maxDocuments {
			d.Missing = tooMany
			continue
		}
		size += d.Bytes
		d.File = fmt.Sprintf("documents/%s-%s%s", p.Request.Carrier, d.SHA256[:12], k.Extension)
	}
	for i := range p.Rates {
		p.Rates[i].place(p.Documents)
	}
	return nil
}

// Kept is a document as it is kept.
type Kept struct {
	Body            []byte
	ReadAt          time.Time
	Path, Extension string
}

// place says in which file a rate stands.
func (r *Rate) place(documents []Document) {
	named := r.Ground.Documents()
	if len(named) == 0 {
		r.Missing = "no document was kept of it"
		return
	}
	i := slices.IndexFunc(documents, func(d Document) bool { return d.SHA256 == named[0].SHA256 })
	r.File, r.Missing, r.ReadAt = documents[i].File, documents[i].Missing, documents[i].ReadAt
}

// Name is the name of the packet's file, such as claim-ODFL-2026-11-25.
func (p *Packet) Name() string {
	return fmt.Sprintf("claim-%s-%s", p.Request.Carrier, contracts.Today(p.Audit.KeptAt))
}
