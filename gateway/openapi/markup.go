package openapi

import (
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

// identifier finds what a text quotes from the interface, such as extraction_confidence, WRONG_WEEK, Idempotency-Key or
// GET /v1/evidence/{sha256}, and what stands in backticks already. Of plain words that are also members' names it finds
// those that stand before their value, such as "complete false".
var identifier = regexp.MustCompile("`[^`]*`" +
	`|(?:GET )?/v1/[^\s,;]*[^\s,;.]` +
	`|\b(?:Idempotency-Key|If-None-Match|Assay-Environment|Retry-After|X-Request-ID|X-API-Key)\b` +
	`|\b(?:` + strings.Join(capitalWords(), "|") + `)\b` +
	`|\b[A-Za-z0-9]*_\w*` +
	`|\b(?:complete|current)(?: is)? (?:true|false)\b` +
	`|\b(?:null|true|false)\b`)

// capitalWords are the words in capitals that bodies hold, such as WRONG_WEEK and ACTIVE.
func capitalWords() []string {
	statuses := []contracts.Status{contracts.Active, contracts.Suspended, contracts.Expired, contracts.Revoked}
	return slices.Concat(contracts.Texts(statuses), contracts.Texts(contracts.Codes()),
		contracts.Texts(contracts.NoteCodes),
		contracts.Texts(audit.Verdicts), contracts.Texts(contracts.MatchOutcomes))
}

// markText sets identifiers in backticks: readers of the document show its texts as Markdown.
func markText(text string) string {
	return identifier.ReplaceAllStringFunc(text, func(found string) string {
		if found[0] == '`' {
			return found
		}
		if name, value, isPair := strings.Cut(found, " "); isPair && (name == "complete" || name == "current") {
			return "`" + name + "` " + markText(value)
		}
		return "`" + found + "`"
	})
}

// markTexts is the document with the identifiers in its summaries and descriptions marked. Examples stay as they are.
func markTexts(document any) any {
	switch v := document.(type) {
	case object:
		marked := make(object, len(v))
		for name, inner := range v {
			marked[name] = markMember(name, inner)
		}
		return marked
	case map[string]*jsonschema.Schema:
		marked := make(map[string]*jsonschema.Schema, len(v))
		for name, schema := range v {
			marked[name] = markSchema(schema)
		}
		return marked
	case []object:
		marked := make([]object, len(v))
		for i, inner := range v {
			marked[i], _ = markTexts(inner).(object)
		}
		return marked
	case *jsonschema.Schema:
		return markSchema(v)
	}
	return document
}

func markMember(name string, value any) any {
	text, isText := value.(string)
	switch {
	case name == "example" || name == "examples":
		return value
	case isText && (name == "description" || name == "summary"):
		return markText(text)
	}
	return markTexts(value)
}

// markSchema copies the schema: tools share it.
func markSchema(schema *jsonschema.Schema) *jsonschema.Schema {
	if schema == nil {
		return nil
	}
	marked := schema.CloneSchemas()
	walkSchemas(marked, func(s *jsonschema.Schema) { s.Description = markText(s.Description) })
	return marked
}
