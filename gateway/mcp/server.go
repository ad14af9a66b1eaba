package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay.dev/contracts"
	"assay.dev/gateway/openapi"
)

// listsLife is how long clients may keep the lists of tools and prompts, which change with a new version only.
const listsLife = 5 * time.Minute

// Server is the tool server of one product.
type Server struct {
	product contracts.Product
	tools   map[string]*tool
	sdk     *sdk.Server
	info    *sdk.Implementation
}

// Deps is what a server needs.
type Deps struct {
	// API takes a request for a path of the API to it, with the caller's credentials.
	API http.RoundTripper
	Log *slog.Logger
	// Called is told of each tool call and the code of its error, which is empty after an answer. It may be nil.
	Called func(tool string, failure contracts.Code)
}

// New makes the server of a product.
func New(p contracts.Product, d Deps) *Server {
	info := &sdk.Implementation{Name: Name(p), Title: title(p), Version: openapi.Version}
	s := &Server{product: p, tools: map[string]*tool{}, info: info}
	s.sdk = sdk.NewServer(info, &sdk.ServerOptions{
		Instructions: instructions(p), Logger: slog.New(slog.DiscardHandler), CompletionHandler: s.complete,
		// The lists never change while a server runs.
		Capabilities: &sdk.ServerCapabilities{
			Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Completions: &sdk.CompletionCapabilities{},
		},
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
			c.TTLMs, c.CacheScope = int(listsLife.Milliseconds()), "public"
		},
	})
	for _, t := range tools[p] {
		bound := &tool{definition: t, product: p, Deps: d}
		s.tools[t.name] = bound
		s.sdk.AddTool(bound.describe(), bound.handle)
	}
	for _, r := range prompts[p] {
		s.sdk.AddPrompt(r.describe(), r.handle)
	}
	return s
}

// Name is the server's name (contract §4.8).
func Name(p contracts.Product) string { return "service-" + string(p) }

func title(p contracts.Product) string {
	return map[contracts.Product]string{contracts.LTL: "LTL fuel surcharges", contracts.ABC: "Liquor licenses"}[p]
}

func summary(p contracts.Product) string {
	return map[contracts.Product]string{
		contracts.LTL: "Weekly LTL fuel surcharges of ten carriers, each with the proof of where it was read.",
		contracts.ABC: "Liquor licenses of CA, TX, NY, FL and IL from the state regulators, each with its proof.",
	}[p]
}

const common = `Every answer has a _verifiability block: cite raw_data_evidence_url, and rely on the data for billing or compliance only if extraction_confidence is at least 0.90. Answers of a test_ key come from a sandbox with invented data and say so in _meta ("assay.dev/environment": "test"). A result with isError begins with an error code and ends with what to do.`

func instructions(p contracts.Product) string {
	first := map[contracts.Product]string{
		contracts.LTL: "Use get_fuel_surcharge for what one carrier charges now or charged in a past week, list_carriers for which carriers there are.",
		contracts.ABC: "Use get_license when the license number is known, search_licenses when only a name or address is, list_states for what each state's register can prove.",
	}[p]
	return fmt.Sprintf("%s %s", first, common)
}
