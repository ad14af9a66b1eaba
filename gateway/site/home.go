package site

import (
	"encoding/json"
	"mime"
	"net/http"
	"strings"

	"assay.dev/gateway/answers"
	"assay.dev/gateway/api"
	"assay.dev/gateway/mcp"
	"assay.dev/gateway/openapi"
)

const homePath = "/"

// index is the home page for machines: what there is at this address.
type index struct {
	Name      string          `json:"name"`
	Version   string          `json:"version"`
	OpenAPI   string          `json:"openapi"`
	Docs      string          `json:"docs"`
	Guide     string          `json:"guide"`
	Agents    string          `json:"agents"`
	Status    string          `json:"status"`
	Endpoints []indexEndpoint `json:"endpoints"`
}

type indexEndpoint struct {
	Method  string `json:"method"`
	Path    string `json:"path"`
	Summary string `json:"summary"`
	NeedKey bool   `json:"needs_key"`
}

// homeContent is what the home page shows.
type homeContent struct {
	Products []api.Product
	Samples  []sample
}

// sample is a request that a reader can type, with an answer as the OpenAPI document has it.
type sample struct {
	Title, Command, Answer string
}

// home is a page for people and an index for machines: whoever does not name text/html gets JSON.
func (s *Site) home(w http.ResponseWriter, r *Request) error {
	w.Header().Add("Vary", "Accept")
	if !AcceptsHTML(r.Header["Accept"]) {
		return s.homeIndex(w, r)
	}
	base := s.API.BaseURL(&api.Request{Host: r.Host})
	samples, err := samples(base)
	if err != nil {
		return err
	}
	body, err := s.render("home", frame{
		Title: "Assay", Path: homePath, Content: homeContent{Products: api.Products, Samples: samples},
	})
	if err != nil {
		return err
	}
	setPageHeaders(w.Header())
	writeBody(w, r.Request, http.StatusOK, body, htmlType, "no-cache")
	return nil
}

func (s *Site) homeIndex(w http.ResponseWriter, r *Request) error {
	i := index{
		Name: "Assay", Version: openapi.Version, OpenAPI: "/openapi.json", Docs: docsPath, Guide: guidePath,
		Agents: mcp.CatalogPath,
		Status: statusJSONPath,
	}
	for _, e := range api.Endpoints {
		i.Endpoints = append(i.Endpoints, indexEndpoint{
			Method: e.Methods()[0], Path: e.Path, Summary: e.Summary, NeedKey: e.Access != api.Open,
		})
	}
	body, err := answers.Marshal(i)
	if err != nil {
		return err
	}
	writeBody(w, r.Request, http.StatusOK, body, "application/json", "public, max-age=300")
	return nil
}

// AcceptsHTML tells whether an Accept header names HTML. A wildcard, which curl and most libraries send, does not.
func AcceptsHTML(accept []string) bool {
	for _, line := range accept {
		for media := range strings.SplitSeq(line, ",") {
			name, parameters, err := mime.ParseMediaType(media)
			if err == nil && (name == "text/html" || name == "application/xhtml+xml") && parameters["q"] != "0" {
				return true
			}
		}
	}
	return false
}

// samples are the requests of the home page. base is the API's address, empty where the request did not tell it.
func samples(base string) ([]sample, error) {
	all := []struct{ title, path, id, example string }{
		{"What does Old Dominion charge this week?", "/v1/ltl/fuel-surcharge?carriers=ODFL&weeks=2",
			"getFuelSurcharge", "one carrier"},
		{"Is this license good?", "/v1/abc/license/2-1100003?state=IL", "getLicense", "revoked"},
	}
	var out []sample
	for _, a := range all {
		answer, err := json.MarshalIndent(api.ExamplesOf(a.id).Answers[a.example], "", "  ")
		if err != nil {
			return nil, err
		}
		command := `curl -H "X-API-Key: $KEY" "` + base + a.path + `"`
		out = append(out, sample{Title: a.title, Command: command, Answer: string(answer)})
	}
	return out, nil
}
