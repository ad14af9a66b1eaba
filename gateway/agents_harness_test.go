package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay.dev/contracts"
	"assay.dev/gateway/openapi/openapitest"
)

// The protocol versions that are promised; the SDK's own clients speak both.
const (
	handshake = "2025-11-25"
	stateless = "2026-07-28"
)

var protocols = []string{handshake, stateless}

// keyed sends an API key with every request.
type keyed struct {
	key  string
	next http.RoundTripper
}

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if k.key != "" {
		r.Header.Set("X-API-Key", k.key)
	}
	return k.next.RoundTrip(r)
}

// agent connects the SDK's client to a tool server.
func (g *runningGateway) agent(protocol, path, key string) *sdk.ClientSession {
	g.t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(g.t.Context(), &sdk.StreamableClientTransport{
		Endpoint: g.url + path, HTTPClient: &http.Client{Transport: keyed{key, g.client.Transport}}, DisableStandaloneSSE: true,
	}, &sdk.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != protocol {
		g.t.Fatalf("protocol %s, want %s", got, protocol)
	}
	return session
}

// hasTool tells whether a server lists a tool.
func (g *runningGateway) hasTool(protocol, path, name string) bool {
	for tool, err := range g.agent(protocol, path, "").Tools(g.t.Context(), nil) {
		if err != nil {
			g.t.Fatal(err)
		}
		if tool.Name == name {
			return true
		}
	}
	return false
}

func call(t testing.TB, s *sdk.ClientSession, tool string, arguments any) *sdk.CallToolResult {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return r
}

// textOf is the text of a result that equals its structured content, or that of an error. Words may stand before it: that a test key gets
// invented data, and a verdict.
func textOf(t testing.TB, r *sdk.CallToolResult) string {
	t.Helper()
	n := len(r.Content)
	if n == 0 || n > 3 {
		t.Fatalf("%d contents", n)
	}
	return blockOf(r, n-1)
}

// blockOf is a text block of a result.
func blockOf(r *sdk.CallToolResult, i int) string { return r.Content[i].(*sdk.TextContent).Text }

// costOf is what a result's _meta says of its cost.
func costOf(r *sdk.CallToolResult) string {
	return fmt.Sprintf("cost %v", r.Meta["assay.dev/cost-usd"])
}

// listed is the tool as the server lists it.
func listed(t testing.TB, s *sdk.ClientSession, name string) *sdk.Tool {
	t.Helper()
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tool.Name == name {
			return tool
		}
	}
	t.Fatalf("no tool %s", name)
	return nil
}

// validate checks a value against a schema by an implementation that is not the SDK's.
func validate(schema any, value []byte) error {
	compiled, err := openapitest.Compile(schema, "")
	if err != nil {
		return err
	}
	given, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return err
	}
	return compiled.Validate(given)
}

// message sends one JSON-RPC message as it is, with the headers of its protocol.
func (g *runningGateway) message(protocol, path, key, message string, headers ...string) *response {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.url+path, strings.NewReader(message))
	if err != nil {
		g.t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {protocol}}
	if key != "" {
		req.Header.Set("X-API-Key", key)
	}
	if protocol == stateless {
		var m struct {
			Method string
			Params struct{ Name string }
		}
		_ = json.Unmarshal([]byte(message), &m)
		req.Header.Set("Mcp-Method", m.Method)
		if m.Params.Name != "" {
			req.Header.Set("Mcp-Name", m.Params.Name)
		}
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := g.client.Do(req)
	if err != nil {
		g.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return &response{resp, body}
}

// toolsCall is the message that calls a tool.
func toolsCall(protocol, tool, arguments string) string {
	meta := ""
	if protocol == stateless {
		meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + protocol + `","io.modelcontextprotocol/clientCapabilities":{}},`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{%s"name":%q,"arguments":%s}}`, meta, tool, arguments)
}

// describeSources puts what workers say of their sources where the gateway finds it.
func (s *system) describeSources() {
	s.t.Helper()
	sources, err := s.js.KeyValue(s.t.Context(), contracts.SourcesBucket.Name)
	if err != nil {
		s.t.Fatal(err)
	}
	put := func(name string, listing any) {
		value, _ := json.Marshal(listing)
		if _, err := sources.Put(s.t.Context(), name, value); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, c := range contracts.Carriers {
		put("test.ltl."+string(c), contracts.CarrierListing{
			Code: c, SCAC: string(c), Name: "Carrier " + string(c), ExtractionMethod: contracts.APIMirror, FallbackMethods: []contracts.Method{},
		})
	}
	for _, state := range contracts.States {
		put("test.abc."+string(state), contracts.StateListing{
			State: state, Name: "State " + string(state), SearchFields: []string{"dba_name"}, ExtractionMethod: contracts.StructuredParse,
			FallbackMethods: []contracts.Method{}, Limitations: []string{}, LicenseTypes: []contracts.LicenseType{},
		})
	}
}
