package mcp

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay.dev/contracts"
)

// maxPromptValue bounds an argument of a prompt, in characters.
const maxPromptValue = 200

// promptDefinition is a prompt: a text with arguments. All arguments are required.
type promptDefinition struct {
	name, title, description string
	arguments                []promptArgument
	// text makes the prompt's text of the values. When it refuses a value, the caller sees its error.
	text func(map[string]string) (string, error)
}

type promptArgument struct {
	name, description string
	// values are what a client may offer its user to choose from, such as the codes of the carriers.
	values []string
}

func (d promptDefinition) describe() *sdk.Prompt {
	p := &sdk.Prompt{Name: d.name, Title: d.title, Description: d.description}
	for _, a := range d.arguments {
		p.Arguments = append(p.Arguments, &sdk.PromptArgument{Name: a.name, Description: a.description, Required: true})
	}
	return p
}

// handle is the prompt's [sdk.PromptHandler]. It returns the JSON-RPC error -32602 for a missing or wrong argument.
func (d promptDefinition) handle(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	given := map[string]string{}
	for _, a := range d.arguments {
		value := strings.TrimSpace(r.Params.Arguments[a.name])
		switch {
		case value == "":
			return nil, invalidParams("the argument %s is required", a.name)
		case utf8.RuneCountInString(value) > maxPromptValue:
			return nil, invalidParams("the argument %s is longer than %d characters", a.name, maxPromptValue)
		}
		given[a.name] = value
	}
	text, err := d.text(given)
	if err != nil {
		return nil, invalidParams("%s", contracts.AsError(err).Message)
	}
	return &sdk.GetPromptResult{
		Description: d.description,
		Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
	}, nil
}

func invalidParams(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// complete returns the values of a prompt's argument that begin with the text typed so far, such as ODFL for "od".
func (s *Server) complete(_ context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	values := []string{}
	for _, v := range s.valuesOf(r.Params.Ref.Name, r.Params.Argument.Name) {
		if typed := r.Params.Argument.Value; len(v) >= len(typed) && strings.EqualFold(v[:len(typed)], typed) {
			values = append(values, v)
		}
	}
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}

func (s *Server) valuesOf(prompt, argument string) []string {
	for _, p := range prompts[s.product] {
		for _, a := range p.arguments {
			if p.name == prompt && a.name == argument {
				return a.values
			}
		}
	}
	return nil
}
