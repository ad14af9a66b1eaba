package api

import (
	"strings"

	"assay.dev/contracts"
)

// NoPath is NOT_FOUND for a path where nothing is. It names the path that may be meant: one without the slash at its
// end, in lower case, or below /v1.
func NoPath(path string) error {
	for _, meant := range []string{path, "/v1" + path} {
		if known := knownPath(strings.TrimRight(meant, "/")); known != "" {
			return contracts.Missing(contracts.PathUnknown, "there is nothing at this path; did you mean %s?", known)
		}
	}
	return contracts.Missing(contracts.PathUnknown, "there is nothing at this path; GET /openapi.json lists the paths")
}

// methodsAt lists the methods of the endpoints at a path. Where there is no endpoint, it lists the methods of a page.
func methodsAt(path string) []string {
	known := knownPath(path)
	var all []string
	for _, e := range Endpoints {
		if e.Path == known {
			all = append(all, e.Methods()...)
		}
	}
	if len(all) == 0 {
		return (&Endpoint{}).Methods()
	}
	return all
}

// knownPath is the endpoint's path, as the OpenAPI document has it, that a path is in some letter case; empty for none.
func knownPath(path string) string {
	for _, e := range Endpoints {
		prefix, parameter, _ := e.Route()
		isEqual := strings.EqualFold(path, e.Path)
		isBelow := parameter != "" && len(path) > len(prefix) && strings.EqualFold(path[:len(prefix)], prefix) &&
			!strings.Contains(path[len(prefix):], "/")
		if isEqual || isBelow {
			return e.Path
		}
	}
	return ""
}
