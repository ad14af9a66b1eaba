package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/kept"
)

// MaxContract bounds the body of a contract, in bytes.
const MaxContract = 64 << 10

// Contracts is the body of the list of contracts.
type Contracts struct {
	Contracts []kept.ContractEntry `json:"contracts" jsonschema:"By their names."`
}

// ContractTerms is the body that a contract is put with.
type ContractTerms struct {
	Terms []audit.Term `json:"terms" jsonschema:"1 to 200. Two terms of a carrier are for different days."`
}

// Deleted is the body of a deletion.
type Deleted struct {
	Deleted string `json:"deleted" jsonschema:"The name or the id of what is gone."`
}

// contractEndpoints keep what a tenant agreed with its carriers (contract §4.14). They cost nothing.
var contractEndpoints = []*Endpoint{
	{
		Path: "/v1/ltl/contracts", ID: "listContracts",
		Summary: "Your contracts with carriers",
		Description: "The names of the contracts that you keep here, for the parameter contract of " +
			"an audit. It costs nothing.",
		Bodies: bodyType[Contracts](), Answer: listContracts,
	}, {
		Path: "/v1/ltl/contracts/{name}", ID: "getContract",
		Summary: "A contract", Description: "The terms of a contract, as they were put. It costs nothing.",
		Parameters: []*Parameter{contractName.Parameter}, Failures: []*Failure{NoContract},
		Bodies: bodyType[kept.KeptContract](), Answer: getContract,
	}, {
		Path: "/v1/ltl/contracts/{name}", ID: "putContract", Method: "PUT", Creates: true,
		Summary: "Put a contract in place",
		Description: "Dated terms for each carrier: percent = round(min(max(basis x multiplier - discount_points, " +
			"floor_pct), cap_pct), decimals), and amount = max(base_amount x percent / 100, min_amount). Two terms of a " +
			"carrier for one day are refused, and so are brackets with a gap or an overlap. At most 50 contracts, 200 " +
			"terms each. It costs nothing.",
		Parameters: []*Parameter{contractName.Parameter}, Failures: []*Failure{MalformedBody,
			UnsupportedMediaType, NotAcceptable},
		Upload: jsonUpload[ContractTerms](MaxContract, "The terms of the contract."),
		Bodies: bodyType[kept.KeptContract](), Answer: putContract,
	},
	deletion("/v1/ltl/contracts/{name}", "deleteContract", "Delete a contract", contractName.Parameter, NoContract,
		func(ctx context.Context, a *API, r *Request) (string, error) {
			name := contractName.of(r)
			return name, a.Contracts.Delete(ctx, r.owner(), name)
		}),
}

// deletion is an endpoint that deletes what its path parameter names; remove says what is gone then.
func deletion(
	path, id, summary string, of *Parameter, none *Failure, remove func(context.Context, *API, *Request) (string, error),
) *Endpoint {
	return &Endpoint{
		Path: path, ID: id, Method: http.MethodDelete, Summary: summary,
		Description: "Nothing of it is kept. It costs nothing.",
		Parameters:  []*Parameter{of}, Failures: []*Failure{none}, Bodies: bodyType[Deleted](),
		Answer: func(ctx context.Context, a *API, r *Request) (Reply, error) {
			gone, err := remove(ctx, a, r)
			return keptReply(Deleted{gone}, err)
		},
	}
}

// jsonUpload is the body of a request that is one JSON document of a type.
func jsonUpload[T any](most int64, text string) *Upload {
	return &Upload{MaxBytes: most, Body: bodyType[T]()[0],
		Forms: []Form{{"application/json", "application/json", most, text}}}
}

// NoContract is what a name is answered with under which the tenant keeps nothing.
var NoContract = coded("NoContract", "reason NAME: you keep no contract of that name.",
	contracts.Missing(contracts.NameUnknown, "no contract is called %q; GET /v1/ltl/contracts lists yours", "acme"))

// contractNames are the names that a contract may have: they stand in keys and paths.
var contractNames = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9_-]{0,58}[a-z0-9])?$`)

const wrongContractName = "a name has a to z, digits, - and _, begins and ends with a letter or digit, " +
	"and at most 60 characters"

// contractName is the name in the path.
var contractName = patternParam(Parameter{
	Name: "name", InPath: true, Segment: true, Required: true, Description: "The contract's name: a to z, " +
		"digits, - and _, at most 60, a letter or digit first and last.",
	Example: "acme-2026",
}, contractNames, wrongContractName)

// auditContract is the contract that an audit goes by.
var auditContract = singleParam(Parameter{
	Name: "contract", Schema: &jsonschema.Schema{Type: "string", Pattern: contractNames.String()},
	Description: "The name of a contract of yours: lines are held against its terms in place of " +
		"what the carriers published.",
}, "", func(p *Parameter, text string) (string, error) {
	return text, checkContractName(p.In(), p.Name, text)
})

// CheckContractName refuses what is no name of a contract.
func CheckContractName(text string) error { return checkContractName(inBody, "name", text) }

func checkContractName(in, name, text string) error {
	if contractNames.MatchString(text) {
		return nil
	}
	return contracts.Invalid(in, name, "string_pattern_mismatch", wrongContractName)
}

// owner is the tenant that asks.
func (r *Request) owner() kept.Owner {
	return kept.Owner{Environment: r.Environment, Tenant: r.Tenant}
}

func listContracts(ctx context.Context, a *API, r *Request) (Reply, error) {
	all, err := a.Contracts.List(ctx, r.owner())
	return keptReply(Contracts{all}, err)
}

func getContract(ctx context.Context, a *API, r *Request) (Reply, error) {
	return keptReply(a.Contracts.Get(ctx, r.owner(), contractName.of(r)))
}

func putContract(ctx context.Context, a *API, r *Request) (Reply, error) {
	c, err := ReadContract(contractName.of(r), r.Body)
	if err == nil {
		err = a.CheckContract(ctx, r.Environment, c)
	}
	if err != nil {
		return Reply{}, err
	}
	kept, created, err := a.Contracts.Put(ctx, r.owner(), c, time.Now())
	return madeReply(kept, created, "/v1/ltl/contracts/"+c.Name, err)
}

// CheckContract refuses a contract that cannot be applied or meant, also one by the table of a carrier that publishes
// none.
func (a *API) CheckContract(ctx context.Context, env contracts.Environment, c audit.Contract) error {
	if err := c.Validate(contracts.Today(time.Now())); err != nil {
		return err
	}
	asked := map[contracts.Carrier]bool{} // whether it publishes one does not depend on the day
	for i, t := range c.Terms {
		if t.Basis != audit.TableAsOf || asked[t.Carrier] {
			continue
		}
		asked[t.Carrier] = true
		_, err := a.askTable(ctx, env, audit.TableOf{Carrier: t.Carrier, AsOf: t.AsOf})
		if contracts.CodeOf(err) == contracts.NotFound {
			return audit.Violation(i, "basis",
				"%s publishes no table of brackets; write its brackets, or take published", t.Carrier)
		}
	}
	return nil
}

// keptReply is the reply of what a tenant keeps.
func keptReply(body any, err error) (Reply, error) {
	if err != nil {
		return Reply{}, err
	}
	text, err := answers.Marshal(body)
	return Page(text, "", 0), err
}

// madeReply is the reply of what a tenant put or made; created: it was not there before, and is at a path now.
func madeReply(body any, created bool, path string, err error) (Reply, error) {
	reply, err := keptReply(body, err)
	if reply.Created = created; created {
		reply.Headers = append(reply.Headers, Header{"Location", path})
	}
	return reply, err
}

// ReadContract reads the body of a contract, whose terms are not checked. What is unknown in it is refused.
func ReadContract(name string, body []byte) (audit.Contract, error) {
	var given ContractTerms
	if err := readObject(body, "terms", "no contract", &given); err != nil {
		return audit.Contract{}, err
	}
	return audit.Contract{Name: name, Terms: given.Terms}, nil
}

// readObject reads a body of JSON, in which nothing is unknown. member is where its error stands, and what says that it
// is none.
func readObject(body []byte, member, what string, to any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if _, more := d.Token(); err == nil && !errors.Is(more, io.EOF) {
		err = errors.New("more follows after its end")
	}
	if err != nil {
		return contracts.Invalid(inBody, member, "unreadable_body", "the body is %s: %s", what,
			contracts.Visible(firstWords(err)))
	}
	return nil
}

// firstWords bounds what is told of an error that may quote the body.
func firstWords(err error) string {
	const most = 200
	text := fmt.Sprint(err)
	return text[:min(len(text), most)]
}
