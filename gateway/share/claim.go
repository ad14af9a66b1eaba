package share

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

// ProofRequest says what is to be proven: an answer, a line of a kept audit, or that there is no such license.
type ProofRequest struct {
	Answer  map[string]any  `json:"answer,omitempty" jsonschema:"The answer of one carrier's fuel surcharge or of a lookup, as it came."`
	Week    contracts.Date  `json:"week,omitempty" jsonschema:"The first day of the answer's week that is meant; by default its first one."`
	AuditID string          `json:"audit_id,omitempty" jsonschema:"A kept audit."`
	Line    int             `json:"line,omitempty" jsonschema:"The line's number in the file of the audit; a CSV's headings are 1."`
	State   contracts.State `json:"state,omitempty" jsonschema:"Of a lookup that found no such license, within a day."`
	Number  string          `json:"license_number,omitempty"`
	SHA256  string          `json:"evidence_sha256,omitempty"`
	Days    int             `json:"days,omitempty" jsonschema:"1 to 400; by default 90."`
}

// OfAbsence is the request for the proof that the answer is, the error of a lookup that found no such license.
func (r ProofRequest) OfAbsence() ProofRequest {
	text := func(of map[string]any, name string) string { s, _ := of[name].(string); return s }
	proof, _ := r.Answer["_verifiability"].(map[string]any)
	return ProofRequest{
		State: contracts.State(text(r.Answer, "state")), Number: text(r.Answer, "license_number"),
		SHA256: text(proof, "evidence_sha256"), Days: r.Days,
	}
}

// Validate wants one thing to prove, and a life within bounds. Without days it has the default.
func (r *ProofRequest) Validate() error {
	given := 0
	for _, is := range []bool{r.Answer != nil, r.AuditID != "", r.State != "" || r.Number != ""} {
		if is {
			given++
		}
	}
	r.Days = cmp.Or(r.Days, DefaultDays)
	switch {
	case given != 1:
		return invalid("answer", "want one of answer, audit_id with line, and state with license_number and evidence_sha256")
	case r.Days < MinDays || r.Days > MaxDays:
		return invalid("days", "want %d to %d days", MinDays, MaxDays)
	}
	return nil
}

func invalid(member, format string, args ...any) error {
	return contracts.Invalid("body", member, "value_error", format, args...)
}

// Claim is what a proof is to show, before a worker has read the documents again.
type Claim struct {
	Kind
	Product contracts.Product
	// Source is the carrier or state that the documents must have been read of.
	Source string
	// Row is the row of the document: a week's first day or a license number.
	Row string
	// Evidence are the documents that are named, the one with the value first.
	Evidence []contracts.Evidence
	Line     *Invoice
	Facts    []Fact
	week     contracts.SurchargeWeek
	license  *contracts.LicenseRecord
	lists    *lists
	number   string
	url      string
	method   contracts.Method
	// at is when a copy of a bulk file was read, or found unchanged, that the answer is from.
	at time.Time
}

// maxEvidence bounds the documents of a proof.
const maxEvidence = 16

// OfAnswer takes a claim out of an answer: a record, or the week that begins on a day.
func OfAnswer(answer map[string]any, week contracts.Date) (Claim, error) {
	text, err := json.Marshal(answer)
	if err != nil {
		return Claim{}, err
	}
	var a struct {
		contracts.License
		contracts.Delivery
		Record  *contracts.LicenseRecord  `json:"record"`
		Carrier contracts.Carrier         `json:"carrier"`
		Weeks   []contracts.SurchargeWeek `json:"weeks"`
	}
	switch err := json.Unmarshal(text, &a); {
	case err != nil:
		return Claim{}, invalid("answer", "this is no answer: %s", contracts.Printable(err.Error()))
	case a.Record != nil:
		c, err := ofLicense(a.State, *a.Record, a.Verifiability)
		if _, isDelivery := answer["holds_checked"]; err == nil && isDelivery {
			err = c.addLists(a.Delivery)
		}
		return c, err
	case a.Carrier == "" || len(a.Weeks) == 0:
		return Claim{}, invalid("answer", "want the answer of one carrier's fuel surcharge, or of a lookup; of a search, a "+
			"portfolio or a list, look the license up")
	case a.Verifiability.ExtractionConfidence < contracts.MinConfidence:
		return Claim{}, invalid("answer", "the confidence of the answer is below 0.90: nobody vouches for its percents")
	}
	i := 0
	if week != "" {
		i = slices.IndexFunc(a.Weeks, func(w contracts.SurchargeWeek) bool { return w.EffectiveDate == week })
	}
	if i < 0 {
		return Claim{}, invalid("week", "the answer has no week that begins on %s", week)
	}
	return ofWeek(a.Carrier, a.Weeks[i], a.Verifiability)
}

func ofWeek(carrier contracts.Carrier, w contracts.SurchargeWeek, v contracts.Verifiability) (Claim, error) {
	if _, err := contracts.ParseCarrier(string(carrier)); err != nil {
		return Claim{}, err
	}
	if w.EvidenceSHA256 == nil {
		return Claim{}, invalid("answer", "no document is kept in which %s showed the week of %s", carrier, w.EffectiveDate)
	}
	c := Claim{Kind: Week, Product: contracts.LTL, Source: string(carrier), Row: string(w.EffectiveDate),
		method: v.ExtractionMethod}
	c.week = contracts.SurchargeWeek{
		EffectiveDate: w.EffectiveDate, EndDate: w.EndDate, Percent: w.Percent, DieselUSD: w.DieselUSD,
		TruckloadPercent: w.TruckloadPercent,
		EvidenceSHA256:   w.EvidenceSHA256,
	}
	return c.named(v.Evidence, *w.EvidenceSHA256)
}

// named takes the documents, the one with a hash first.
func (c Claim) named(all []contracts.Evidence, first string) (Claim, error) {
	i := slices.IndexFunc(all, func(e contracts.Evidence) bool { return e.SHA256 == first })
	if i < 0 || len(all) > maxEvidence {
		return Claim{}, invalid("answer",
			"want 1 to %d documents in evidence, and among them the one of evidence_sha256", maxEvidence)
	}
	c.Evidence = append([]contracts.Evidence{all[i]}, slices.Delete(slices.Clone(all), i, i+1)...)
	for i := range c.Evidence {
		if e := &c.Evidence[i]; !slices.Contains(contracts.EvidenceRoles, e.Role) {
			e.Role = contracts.RoleContext
		}
	}
	return c, nil
}

func ofLicense(s contracts.State, r contracts.LicenseRecord, v contracts.Verifiability) (Claim, error) {
	if _, err := contracts.ParseState(string(s)); err != nil {
		return Claim{}, err
	}
	if v.EvidenceSHA256 == nil {
		return Claim{}, invalid("answer", "no document of this license is kept")
	}
	c := Claim{
		Kind: License, Product: contracts.ABC, Source: string(s), Row: r.LicenseNumber, license: &r, number: r.LicenseNumber,
		url: string(v.RawDataEvidenceURL), method: v.ExtractionMethod, Facts: factsOf(r), at: v.SourceTimestamp,
	}
	return c.named(v.Evidence, *v.EvidenceSHA256)
}

// OfAbsence takes a claim out of the kept answer to a lookup, which must be of the document that is named. By this
// endpoint nobody else learns whether a license was looked up, nor what was found: there is one refusal.
func OfAbsence(a *contracts.LicenseAnswer, sha256 string) (Claim, error) {
	if a == nil || a.Record != nil || a.EvidenceSHA256() == nil || *a.EvidenceSHA256() != sha256 {
		return Claim{}, invalid("license_number", "no lookup of this license is kept that found none in this document; "+
			"look it up, and share the answer within a day")
	}
	_, bare := contracts.SplitLicenseType(a.State, a.Number)
	c := Claim{
		Kind: Absence, Product: contracts.ABC, Source: string(a.State), Row: bare, number: a.Number, url: a.EvidenceURL,
		method: a.Method, at: a.ReadAt,
	}
	return c.named(a.Evidence, sha256)
}

// OfLine takes a claim out of an audit: what the carrier published for the line's week. The ground is what the line
// rests on; nil where that is not kept.
func OfLine(all []audit.Audited, ground *audit.Ground, number int, contract string) (Claim, error) {
	i := slices.IndexFunc(all, func(a audit.Audited) bool { return a.Number == number })
	if i < 0 {
		return Claim{}, invalid("line", "the audit has no line %d", number)
	}
	r := all[i].Result
	switch {
	case !r.Verdict.IsResolved():
		return Claim{}, invalid("line", "line %d is %s: nothing is proven of it", number, r.Verdict)
	case ground == nil || ground.Week == nil:
		return Claim{}, invalid("line", "line %d rests on no week whose document is kept: tables and prices "+
			"are in the audit's packet", number)
	}
	c, err := ofWeek(ground.Carrier, ground.Week.Weeks[0], ground.Week.Verifiability.Verifiability)
	c.Kind, c.Line = Line, &Invoice{r, contract}
	return c, err
}

// Take notes a document as it is kept, in place of what was said of it.
func (c *Claim) Take(i int, d Document) error {
	k, want := c.listOf(i), c.Source
	if k >= 0 {
		want = contracts.PublicListSource(contracts.State(c.Source))
	}
	if d.Source != want {
		return invalid("answer", "the document %.12s was read of %s, not of %s", d.SHA256, d.Source, want)
	}
	c.Evidence[i] = d.Evidence
	if k >= 0 {
		c.lists.Checked[k].Evidence, c.lists.readAt[k] = c.Evidence[i:i+1], d.ReadAt
	}
	return nil
}

// Answer is what a worker is to find in the documents, of which the first was read at a time: what a client said
// besides is left out. A bulk file may have been found unchanged since, until now at most.
func (c *Claim) Answer(readAt, now time.Time) (json.RawMessage, error) {
	if isFile, _, _ := c.Evidence[0].At.Parse(); isFile && c.at.After(readAt) && !c.at.After(now) {
		readAt = c.at
	}
	v := map[string]any{
		"source_timestamp": readAt.UTC().Truncate(time.Second), "evidence_sha256": c.Evidence[0].SHA256,
		"evidence":          c.Evidence,
		"extraction_method": c.method, "raw_data_evidence_url": c.Evidence[0].URL,
	}
	if c.Product == contracts.ABC {
		v["raw_data_evidence_url"] = c.url
		if c.license != nil {
			v["inferred"] = c.license.Inferred
		}
		answer := map[string]any{"state": c.Source, "license_number": c.number, "record": c.license, "_verifiability": v}
		if c.lists != nil {
			v["evidence"] = c.Evidence[:c.lists.first]
			answer["holds"], answer["holds_checked"] = c.lists.Holds, c.lists.Checked
		}
		return json.Marshal(answer)
	}
	return json.Marshal(map[string]any{"carrier": c.Source, "weeks": []contracts.SurchargeWeek{c.week},
		"_verifiability": v})
}

// Sentence is the claim in words. name is how the carrier calls itself.
func (c *Claim) Sentence(name string) string {
	switch c.Kind {
	case License:
		r := c.license
		status := string(r.Status)
		if slices.Contains(r.Inferred, "status") {
			status += " (inferred, not printed)"
		}
		return fmt.Sprintf("The register of %s showed the license %s, %s, as %s.", c.Source, c.number,
			contracts.Visible(r.DBAName), status) + c.listsInWords()
	case Absence:
		if kind, bare := contracts.SplitLicenseType(contracts.State(c.Source), c.number); kind != "" {
			return fmt.Sprintf("The register of %s showed no license of type %s under the number %s.", c.Source, kind, bare)
		}
		return fmt.Sprintf("The register of %s showed no license %s.", c.Source, c.number)
	}
	if name != c.Source {
		name += " (" + c.Source + ")"
	}
	percent, whom := c.week.Percent, ""
	if c.Line != nil && c.Line.IsTruckload(c.week) {
		percent, whom = *c.week.TruckloadPercent, " for truckloads"
	}
	return fmt.Sprintf("%s published a fuel surcharge%s of %v %% for the week that begins on %s.", name, whom, percent,
		c.week.EffectiveDate)
}

// factsOf are the members of a record that people look for.
func factsOf(r contracts.LicenseRecord) (all []Fact) {
	suspensions := "none"
	if slices.Contains(r.NotReported, "suspensions") {
		suspensions = "not reported"
	} else if n := len(r.Suspensions); n > 0 {
		suspensions = fmt.Sprint(n)
	}
	for _, f := range []Fact{
		{"type", strings.TrimSpace(r.LicenseTypeCode + " " + r.LicenseTypeName)}, {"trade name", r.DBAName},
		{"owner", r.OwnerName},
		{"address", r.Address.Raw}, {"expires", string(r.ExpirationDate)}, {"suspensions", suspensions},
	} {
		if f.Value != "" {
			all = append(all, f)
		}
	}
	return all
}
