package gateway_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/mcp"
)

// operation is what the served OpenAPI document says of a path.
type operation struct {
	OperationID, Description string
	Parameters               []struct{ Name, In string }
	Responses                map[string]any
}

// servedOperations are the document's operations by their paths.
func (g *runningGateway) servedOperations() map[string]operation {
	g.t.Helper()
	document := decode[struct {
		Paths map[string]map[string]operation
	}](g.t, g.get("", "/openapi.json").body)
	served := map[string]operation{}
	for name, methods := range document.Paths {
		for method, o := range methods {
			served[strings.ToUpper(method)+" "+name] = o
		}
	}
	return served
}

// servedTools are the tools of a product's server by their names.
func (g *runningGateway) servedTools(p contracts.Product) map[string]*sdk.Tool {
	g.t.Helper()
	served := map[string]*sdk.Tool{}
	for tool, err := range g.agent(stateless, mcp.Path(p), "").Tools(g.t.Context(), nil) {
		if err != nil {
			g.t.Fatal(err)
		}
		served[tool.Name] = tool
	}
	return served
}

// Every endpoint of the table is a route, an operation of the document and the tool that it names, with its
// parameters, its price and its failures; and nothing else is.
func TestTheTableIsWhatIsServed(t *testing.T) {
	t.Parallel()
	g := newSystem(t).gateway()
	operations, tools := g.servedOperations(), map[contracts.Product]map[string]*sdk.Tool{}
	for _, p := range contracts.Products {
		tools[p] = g.servedTools(p)
	}
	key := g.key()
	for _, e := range api.Endpoints {
		t.Run(e.ID, func(t *testing.T) {
			checkRoute(t, g, key, e)
			checkOperation(t, operations[operationOf(e)], e)
			if e.Tool != nil && e.Product != "" {
				checkTool(t, tools[e.Product][e.Tool.Name], e)
				delete(tools[e.Product], e.Tool.Name)
			}
		})
		delete(operations, operationOf(e))
	}
	for _, p := range api.Products { // tools that are no endpoint of one product
		for _, e := range p.Tools() {
			if tool := tools[p.Product][e.Tool.Name]; tool != nil {
				checkTool(t, tool, e)
				delete(tools[p.Product], e.Tool.Name)
			}
		}
	}
	for _, p := range contracts.Products {
		if len(tools[p]) > 0 {
			t.Errorf("tools of %s that are not in the table: %v", p, tools[p])
		}
	}
	if len(operations) > 0 {
		t.Errorf("served and not in the table: %v", operations)
	}
}

func operationOf(e *api.Endpoint) string { return e.Methods()[0] + " " + e.Path }

// ask sends an endpoint's request, with a body where it has one.
func (g *runningGateway) ask(e *api.Endpoint, key, target string) *response {
	g.t.Helper()
	if e.Method != "" {
		mediaType := "application/json"
		if e.Upload != nil && len(e.Upload.Forms) > 0 {
			mediaType = e.Upload.Forms[0].MediaType
		}
		return g.sendBody(e.Method, key, target, mediaType, "[]")
	}
	return g.get(key, target)
}

// checkRoute asks the endpoint without a key, without its product, with each parameter and with one that it does not
// have.
func checkRoute(t *testing.T, g *runningGateway, key string, e *api.Endpoint) {
	t.Helper()
	prefix, pathParameter, suffix := e.Route()
	path := prefix
	if pathParameter != "" {
		path += "1" + suffix
	}
	if want := map[bool]int{true: 200, false: 401}[e.Access == api.Open]; g.ask(e, "", path).StatusCode != want {
		t.Errorf("without a key: %d, want %d", g.ask(e, "", path).StatusCode, want)
	}
	if e.Product != "" {
		others := slices.DeleteFunc(slices.Clone(contracts.Products), func(p contracts.Product) bool { return p == e.Product })
		if r := g.ask(e, g.key(products(others...)), path); r.StatusCode != http.StatusForbidden {
			t.Errorf("without its product: %d", r.StatusCode)
		}
	}
	if e.Access == api.Open {
		return
	}
	if r := g.ask(e, key, path+"?zz=1"); !strings.Contains(r.violations(), "query.zz extra_forbidden") {
		t.Errorf("with an unknown parameter: %d %s", r.StatusCode, r.body)
	}
	for _, p := range e.Parameters {
		target := path + "?" + p.Name + "=a%00b"
		if p.InPath {
			target = prefix + "a%00b" + suffix
		}
		if r := g.ask(e, key, target); !strings.Contains(r.violations(), p.In()+"."+p.Name+" string_control") {
			t.Errorf("%s is not checked: %d %s", p.Name, r.StatusCode, r.body)
		}
	}
}

func checkOperation(t *testing.T, o operation, e *api.Endpoint) {
	t.Helper()
	if o.OperationID != e.ID {
		t.Fatalf("the document has %q at its path", o.OperationID)
	}
	var parameters, statuses []string
	for _, p := range o.Parameters {
		parameters = append(parameters, p.In+" "+p.Name)
	}
	var want []string
	for _, p := range e.Parameters {
		want = append(want, p.In()+" "+p.Name)
	}
	if e.LinePriced {
		want = append(want, "header Idempotency-Key")
	}
	if !slices.Equal(parameters, want) {
		t.Errorf("the document has the parameters %v, want %v", parameters, want)
	}
	if len(e.Bodies) > 0 || e.MediaType != "" {
		statuses = []string{"200"}
	}
	switch {
	case e.Creates && e.Method == http.MethodPost:
		statuses = []string{"201"}
	case e.Creates:
		statuses = append(statuses, "201")
	}
	if len(statuses) > 0 && e.Method == "" && e.Forms == nil { // one of several forms has no tag
		statuses = append(statuses, "304")
	}
	for _, f := range e.AllFailures() {
		statuses = append(statuses, strconv.Itoa(f.Status))
	}
	slices.Sort(statuses)
	if got := slices.Sorted(maps.Keys(o.Responses)); !slices.Equal(got, statuses) {
		t.Errorf("the document has the statuses %v, want %v", got, statuses)
	}
	checkPrice(t, o.Description, e)
}

func checkTool(t *testing.T, tool *sdk.Tool, e *api.Endpoint) {
	t.Helper()
	if tool == nil {
		t.Fatalf("no tool %s", e.Tool.Name)
	}
	text, _ := json.Marshal(tool.InputSchema)
	input := decode[struct {
		Properties map[string]struct{ Description string }
	}](t, text)
	want := 0
	for _, p := range e.Parameters {
		if !p.Argument.Omitted {
			want++
		}
	}
	if e.Upload != nil {
		want++
	}
	if e.Sourced {
		want++ // fresh
	}
	if len(input.Properties) != want {
		t.Errorf("the tool's arguments are %v", input.Properties)
	}
	for name, about := range input.Properties {
		if about.Description == "" {
			t.Errorf("the argument %s is not described", name)
		}
	}
	checkPrice(t, tool.Description, e)
}

// checkPrice holds a description to the price of contract §1.
func checkPrice(t *testing.T, description string, e *api.Endpoint) {
	t.Helper()
	price := map[contracts.Product]string{contracts.LTL: "0.03 USD", contracts.ABC: "0.05 USD"}[e.Product]
	if strings.Contains(description, "USD for each") || strings.Contains(description, "USD an answer") {
		if !e.Billable || !strings.Contains(description, price) {
			t.Errorf("billable %t, price %s: %s", e.Billable, price, description)
		}
	} else if e.Billable {
		t.Errorf("no price: %s", description)
	}
}

var (
	contractHead = regexp.MustCompile("(?m)^### 4\\.\\d+ `/.*`$")
	contractPath = regexp.MustCompile("/[^`]*")
	contractTool = regexp.MustCompile("(?m)^\\| `(\\w+)` \\| service-(\\w+) \\| `(/[^`]*)`")
)

// The contract names every endpoint and every tool of the table, and no other.
func TestTheContractNamesTheTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	var paths, tools, wantPaths, wantTools []string
	for _, head := range contractHead.FindAllString(string(text), -1) {
		paths = append(paths, contractPath.FindAllString(head, -1)...)
	}
	for _, m := range contractTool.FindAllStringSubmatch(string(text), -1) {
		tools = append(tools, strings.Join(m[1:], " "))
	}
	for _, e := range api.Endpoints {
		if e.Access != api.Open && !slices.Contains(wantPaths, e.Path) { // a path may have several methods
			wantPaths = append(wantPaths, e.Path)
		}
	}
	agents, err := os.ReadFile("../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range api.Products {
		_, row, _ := strings.Cut(string(agents), "| `service-"+string(p.Product)+"` |")
		row, _, _ = strings.Cut(row, "\n")
		for _, e := range p.Tools() {
			if !strings.Contains(row, "`"+e.Tool.Name+"`") {
				t.Errorf("docs/agents.md does not name the tool %s", e.Tool.Name)
			}
			wantTools = append(wantTools, strings.Join([]string{e.Tool.Name, string(p.Product), e.Path}, " "))
		}
	}
	for what, c := range map[string][2][]string{"paths": {paths, wantPaths}, "tools": {tools, wantTools}} {
		slices.Sort(c[0])
		slices.Sort(c[1])
		if !slices.Equal(c[0], c[1]) {
			t.Errorf("the contract has the %s\n%v\nthe table\n%v", what, c[0], c[1])
		}
	}
}

// An answer that is not as the document says is found: without this, no other test would notice that nothing is
// checked.
func TestTheDocumentRefusesOtherAnswers(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	good := g.get(g.key(), surchargePath+"?carriers=ODFL")
	if problem := g.spec.problem(good.Response, good.body); problem != nil {
		t.Fatalf("a good answer: %v", problem)
	}
	for name, edit := range map[string]func(*http.Response, *string){
		"a member is missing":        func(_ *http.Response, body *string) { *body = strings.Replace(*body, `"carrier":`, `"x":`, 1) },
		"a number is text":           func(_ *http.Response, body *string) { *body = strings.Replace(*body, `46.5`, `"46.5"`, 1) },
		"a code is not of the set":   func(_ *http.Response, body *string) { *body = strings.Replace(*body, `"ODFL"`, `"ACME"`, 1) },
		"above a bound":              func(_ *http.Response, body *string) { *body = strings.Replace(*body, `46.5`, `146.5`, 1) },
		"a status that is not there": func(r *http.Response, _ *string) { r.StatusCode = http.StatusTeapot },
		"no Age":                     func(r *http.Response, _ *string) { r.Header.Del("Age") },
		"a 304 without ETag": func(r *http.Response, body *string) {
			r.StatusCode, *body = http.StatusNotModified, ""
			r.Header.Del("ETag")
		},
		"a 401 without a challenge": func(r *http.Response, body *string) {
			r.StatusCode, *body = http.StatusUnauthorized, `{"detail":{"error":"UNAUTHORIZED","message":"x"}}`
		},
		"another media type": func(r *http.Response, _ *string) { r.Header.Set("Content-Type", "text/html") },
	} {
		t.Run(name, func(t *testing.T) {
			r, body := *good.Response, string(good.body)
			r.Header = r.Header.Clone()
			edit(&r, &body)
			if g.spec.problem(&r, []byte(body)) == nil {
				t.Error("it is accepted")
			}
		})
	}
}
