package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/panics"
	"assay.dev/platform/telemetry"
)

// maxBody bounds an answer of the API.
const maxBody = 16 << 20

// object is a JSON object.
type object = map[string]any

// definition is what a tool is and the path of the API it stands for.
type definition struct {
	name, title, description string
	path                     string // a value in it is {argument}
	billable                 bool
	arguments                []argument
	// output is the schema of the API's body; nil for a path that has none yet.
	output object
	// notFound is what to tell when there is no such thing.
	notFound string
}

// tool is a definition that can be called.
type tool struct {
	definition
	product contracts.Product
	Deps
}

func (t *tool) describe() *sdk.Tool {
	yes := true
	described := &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description + "\n\n" + t.terms(), InputSchema: t.input(),
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &yes},
	}
	if t.output != nil {
		described.OutputSchema = t.output
	}
	return described
}

// terms are what a call costs, how often it may be made and how it fails.
func (t *tool) terms() string {
	cost := "Cost: free."
	if t.billable {
		cost = fmt.Sprintf("Cost: %.2f USD for each answer to a live_ key; errors and test_ keys are free.", float64(t.product.UnitPriceCents())/100)
	}
	return fmt.Sprintf("%s Limit: 60 requests a minute by default, shared with the REST API. Needs an API key with the %s product. "+
		"A failed call is a result with isError that begins with a code, such as RATE_LIMITED or SOURCE_UNAVAILABLE, and says what to do.", cost, t.product)
}

func (d definition) input() object {
	properties, required := object{}, []string{}
	for _, a := range d.arguments {
		properties[a.name] = a.schema
		if a.required {
			required = append(required, a.name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// handle is the tool's [sdk.ToolHandler].
func (t *tool) handle(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return t.call(ctx, r.Params.Arguments).result(), nil
}

// call is one call of the tool, with its span and its count.
func (t *tool) call(ctx context.Context, arguments json.RawMessage) (o outcome) {
	ctx, span := telemetry.StartSpan(ctx, "assay.dev/gateway/mcp", "tools/call "+t.name, trace.WithAttributes(
		attribute.String("mcp.method.name", "tools/call"), attribute.String("gen_ai.tool.name", t.name)))
	defer span.End()
	err := panics.Catch(ctx, t.Log, func() error {
		o = t.answer(ctx, arguments)
		return nil
	})
	if err != nil {
		o = t.failed(err, nil)
	}
	if o.code != "" {
		span.SetAttributes(attribute.String("error.type", string(o.code)))
	}
	if t.Called != nil {
		t.Called(t.name, o.code)
	}
	return o
}

// answer checks the arguments and asks the API.
func (t *tool) answer(ctx context.Context, arguments json.RawMessage) outcome {
	given, err := parseValues(t.arguments, arguments)
	if err != nil {
		return t.failed(err, nil)
	}
	response, body, err := t.ask(ctx, given)
	switch {
	case err != nil:
		return t.failed(err, nil)
	case response.StatusCode != http.StatusOK:
		return t.failed(apiError(response, body), response.Header)
	}
	return outcome{body: body, meta: metaOf(response.Header)}
}

// ask sends the call's request and reads the whole of the response.
func (t *tool) ask(ctx context.Context, given values) (*http.Response, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.target(given), nil)
	if err != nil {
		return nil, nil, err
	}
	response, err := t.API.RoundTrip(request)
	if err != nil {
		return nil, nil, contracts.Wrap(err, contracts.Internal, "the API cannot be reached; check its address and that it runs")
	}
	defer response.Body.Close()
	body, err := readBody(response)
	if err != nil {
		return nil, nil, contracts.Wrap(err, contracts.Internal, "the API's answer broke off; retry")
	}
	return response, body, nil
}

func readBody(r *http.Response) ([]byte, error) {
	if r.ContentLength > maxBody {
		return nil, errors.New("the body is too large")
	}
	if r.ContentLength >= 0 {
		body := make([]byte, r.ContentLength)
		_, err := io.ReadFull(r.Body, body)
		return body, err
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = errors.New("the body is too large")
	}
	return body, err
}

// target is the path and query of the call's request.
func (t *tool) target(given values) string {
	path := t.path
	for _, a := range t.arguments {
		if a.parameter == "" {
			path = strings.Replace(path, "{"+a.name+"}", url.PathEscape(given[a.name]), 1)
		}
	}
	if query := given.query(t.arguments); query != "" {
		path += "?" + query
	}
	return path
}
