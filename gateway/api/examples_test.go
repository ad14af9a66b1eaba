package api

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/customers"
	"assay.dev/gateway/deliveries"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/lines"
)

var update = flag.Bool("update", false, "write examples.json anew")

const (
	exampleHash    = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	exampleAuditID = "5f3a0c4e9b1d48f7a2c6e0d3b5f79182"
)

var exampleMoment = time.Date(2026, 9, 18, 14, 2, 11, 0, time.UTC)

func exampleProvenance(m contracts.Method, evidence string) contracts.Provenance {
	return contracts.Provenance{
		Schema: contracts.AnswerSchema, ReadAt: exampleMoment, Method: m, EvidenceURL: evidence, Complete: true,
		Evidence: []contracts.Evidence{{SHA256: exampleHash, URL: evidence, Role: contracts.RoleValues, At: "1041"}},
	}
}

// madeExamples are the answers that say more than their requests: each is made as answers are.
var madeExamples = map[string]func() map[string]any{
	"listCarriers": carrierExamples, "getFuelSurcharge": surchargeExamples, "getFuelTable": tableExamples, "getDieselPrices": dieselExamples,
	"listStates": stateExamples, "searchLicenses": searchExamples, "getLicense": licenseExamples, "checkDelivery": checkedExamples,
	"checkDeliveries": judgedExamples, "matchCustomers": matchExamples, "getPortfolio": portfolioExamples, "listStops": stopsExamples,
	"auditFuelSurcharges": auditExamples,
	"getAudit": func() map[string]any {
		body := auditExamples()["two lines"].(Audit)
		body.AuditID = exampleAuditID
		return map[string]any{"an audit": body}
	},
	"listAudits": func() map[string]any {
		file, auditor := exampleFile()
		a := kept.NewAudit(nil, slices.Collect(auditor.All(file.Lines, func(audit.Verdict) {})), nil, "", exampleMoment)
		a.ID = exampleAuditID
		return map[string]any{"one audit": Audits{[]kept.AuditEntry{a.AuditEntry}}}
	},
	"putPortfolio": func() map[string]any { return map[string]any{"one line left out": examplePortfolioKept} },
	"changePortfolio": func() map[string]any {
		return map[string]any{"changed": PortfolioKept{examplePortfolioEntry, []string{}, exampleConfirming}}
	},
	"listPortfolios": func() map[string]any {
		return map[string]any{"one portfolio": Portfolios{[]kept.PortfolioEntry{examplePortfolioEntry}}}
	},
}

// exampleReplies are the results of the examples' lines in each form.
var exampleReplies = map[string]func(lines.Output) iter.Seq[lines.Piece]{
	"auditFuelSurcharges": func(o lines.Output) iter.Seq[lines.Piece] {
		file, auditor := exampleFile()
		return audit.Pieces(o, nil, auditor.All(file.Lines, func(audit.Verdict) {}))
	},
	"checkDeliveries": func(o lines.Output) iter.Seq[lines.Piece] {
		file, judged, editions := exampleJudgements()
		return deliveries.Pieces(o, file, judged, editions, func(deliveries.Verdict) {})
	},
	"matchCustomers": func(o lines.Output) iter.Seq[lines.Piece] {
		file, found, editions := exampleFound()
		return customers.Pieces(o, file, found, editions, func(contracts.MatchOutcome) {})
	},
}

// Each example is what would be answered: those that are computed are computed anew, the others are of their Go type, member by member.
func TestExamplesAreAsAnswersAreMade(t *testing.T) {
	all := recordedExamples()
	for operation, replies := range exampleReplies {
		for name, format := range map[string]lines.Format{"application/x-ndjson": lines.NDJSON, "text/csv": lines.CSV} {
			expectExample(t, operation+" as "+name, all[operation].Replies, name, string(lines.Whole(replies(lines.Output{Format: format})).Text))
		}
	}
	for operation, made := range madeExamples {
		if bodies := made(); len(bodies) != len(all[operation].Answers) {
			t.Errorf("%s has %d examples, and %d are made", operation, len(all[operation].Answers), len(bodies))
		} else {
			for name, body := range bodies {
				expectExample(t, operation+", "+name, all[operation].Answers, name, body)
			}
		}
	}
	if *update {
		text, err := json.MarshalIndent(all, "", " ")
		if err == nil {
			err = os.WriteFile("examples.json", append(text, '\n'), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	operations := map[string]bool{}
	for _, e := range Endpoints {
		operations[e.ID] = true
		for name, body := range ExamplesOf(e.ID).Answers {
			if !slices.ContainsFunc(e.Bodies, func(of reflect.Type) bool { return isWhole(t, body, of) }) {
				t.Errorf("%s, %s: it is not as %v is written", e.ID, name, e.Bodies)
			}
		}
		if e.Upload != nil && e.Upload.Body != nil && !isWhole(t, ExamplesOf(e.ID).Requests["application/json"], e.Upload.Body) {
			t.Errorf("%s: the request is not as %v is written", e.ID, e.Upload.Body)
		}
	}
	for operation := range all {
		if !operations[operation] {
			t.Errorf("there is no operation %s", operation)
		}
	}
}

// expectExample compares an example with what is made, or takes that where the examples are written anew.
func expectExample(t *testing.T, what string, of map[string]json.RawMessage, name string, made any) {
	t.Helper()
	want, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		of[name] = want
	} else if got := compacted(t, of[name]); !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\nand it is made as\n%s\nrun this test with -update", what, got, want)
	}
}

func compacted(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b.Bytes()
}

// isWhole tells whether a text has the members of a type, in its order and forms, and no others.
func isWhole(t *testing.T, text []byte, of reflect.Type) bool {
	t.Helper()
	value := reflect.New(of)
	if err := json.Unmarshal(text, value.Interface()); err != nil {
		return false
	}
	written, err := json.Marshal(value.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(written, compacted(t, text))
}

// The three forms of the examples' lines are the same lines.
func TestExampleRequestsAreAlike(t *testing.T) {
	expectAlike(t, audit.Schema, "auditFuelSurcharges")
	expectAlike(t, customers.Schema, "matchCustomers")
	expectAlike(t, deliveries.Schema, "checkDeliveries")
}

func expectAlike[L any, P lines.Line[L]](t *testing.T, s *lines.Schema[L, P], operation string) {
	t.Helper()
	first := readExample(s, operation, "application/json")
	for _, mediaType := range []string{"application/x-ndjson", "text/csv"} {
		other := readExample(s, operation, mediaType)
		for i := range other.Lines {
			setNumber(&other.Lines[i], i+1)
		}
		if !reflect.DeepEqual(first.Lines, other.Lines) {
			t.Errorf("%s: %+v in %s, and %+v in JSON", operation, other.Lines, mediaType, first.Lines)
		}
	}
}

// setNumber gives a line its place in a list: a CSV counts its header.
func setNumber(line any, number int) {
	reflect.ValueOf(line).Elem().FieldByName("Number").SetInt(int64(number))
}

// readExample reads the lines of an operation's example in a form.
func readExample[L any, P lines.Line[L]](s *lines.Schema[L, P], operation, mediaType string) lines.File[L] {
	body := ExamplesOf(operation).Requests[mediaType]
	var text string
	if json.Unmarshal(body, &text) == nil {
		body = []byte(text)
	}
	file, err := s.Read(context.Background(), lineFormats[mediaType], body, lines.Reading{})
	if err != nil {
		panic(fmt.Sprint(operation, " as ", mediaType, ": ", err))
	}
	return file
}
