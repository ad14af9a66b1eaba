// Command schemas makes strict JSON schemas, which refuse unknown fields, of the Kubernetes kinds that our manifests
// use:
//
//	schemas SWAGGER_JSON OUT_DIR KIND...
//
// SWAGGER_JSON is api/openapi-spec/swagger.json of the module k8s.io/kubernetes. A KIND is GROUP/VERSION/Kind, as in
// apps/v1/Deployment, or v1/Service. What the kinds refer to goes into OUT_DIR/definitions.json, without descriptions.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const local = "#/definitions/"

type schema = map[string]any

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: schemas SWAGGER_JSON OUT_DIR KIND...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "schemas:", err)
		os.Exit(1)
	}
}

func run(swagger, out string, kinds []string) error {
	text, err := os.ReadFile(swagger)
	if err != nil {
		return err
	}
	var doc struct{ Definitions map[string]schema }
	if err := json.Unmarshal(text, &doc); err != nil {
		return err
	}
	used := map[string]schema{}
	for _, kind := range kinds {
		name := find(doc.Definitions, kind)
		if name == "" {
			return fmt.Errorf("%s is no kind of %s", kind, swagger)
		}
		collect(doc.Definitions, name, used)
		if err := write(filepath.Join(out, fileName(kind)),
			schema{"$ref": "definitions.json" + local + name}); err != nil {
			return err
		}
	}
	return write(filepath.Join(out, "definitions.json"), schema{"definitions": used})
}

// find returns the name of the definition of a kind.
func find(definitions map[string]schema, kind string) string {
	for name, d := range definitions {
		kinds, _ := d["x-kubernetes-group-version-kind"].([]any)
		for _, k := range kinds {
			gvk, _ := k.(schema)
			if strings.TrimPrefix(fmt.Sprintf("%v/%v/%v", gvk["group"], gvk["version"], gvk["kind"]), "/") == kind {
				return name
			}
		}
	}
	return ""
}

// fileName is what kubeconform looks for: kind-group-version, the group without its domain.
func fileName(kind string) string {
	parts := strings.Split(strings.ToLower(kind), "/")
	if len(parts) == 2 {
		return parts[1] + "-" + parts[0] + ".json"
	}
	group, _, _ := strings.Cut(parts[0], ".")
	return parts[2] + "-" + group + "-" + parts[1] + ".json"
}

// collect adds the definition and all it refers to.
func collect(definitions map[string]schema, name string, used map[string]schema) {
	if used[name] != nil {
		return
	}
	d := definitions[name]
	switch {
	case strings.HasSuffix(name, "util.intstr.IntOrString"):
		d = schema{"oneOf": []any{schema{"type": "string"}, schema{"type": "integer"}}}
	case strings.HasSuffix(name, "api.resource.Quantity"):
		d = schema{"oneOf": []any{schema{"type": "string"}, schema{"type": "number"}}}
	}
	if d["properties"] != nil && d["additionalProperties"] == nil {
		d["additionalProperties"] = false
	}
	used[name] = d
	walk(definitions, d, used)
}

func walk(definitions map[string]schema, v any, used map[string]schema) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			walk(definitions, one, used)
		}
	case schema:
		if ref, ok := v["$ref"].(string); ok {
			collect(definitions, strings.TrimPrefix(ref, local), used)
		}
		for key, one := range v {
			if _, text := one.(string); text && key == "description" || strings.HasPrefix(key, "x-kubernetes") {
				delete(v, key)
				continue
			}
			walk(definitions, one, used)
		}
	}
}

func write(file string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
