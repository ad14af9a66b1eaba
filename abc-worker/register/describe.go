package register

import (
	"fmt"
	"slices"
	"strings"

	"assay.dev/contracts"
)

// Describe is the recipe's listing with what its paths can show, and what follows for callers.
func (r Recipe) Describe() contracts.StateListing {
	l := r.Listing
	l.ExtractionMethod = r.Lookup[0].Method
	l.ProvesAbsence = r.Lookup[0].Misses == ""
	l.Limitations = slices.Clone(l.Limitations)
	for _, op := range []Operation{Lookup, Search} {
		for i, p := range r.paths(op) {
			l.Paths = append(l.Paths, contracts.PathListing{
				Operation: string(op), Path: p.Name, Method: p.Method,
				NotReported: p.NotReported.With(), Inferred: p.Inferred.With(), ProvesAbsence: p.Misses == "",
			})
			if i > 0 && op == Lookup && !slices.Contains(l.FallbackMethods, p.Method) {
				l.FallbackMethods = append(l.FallbackMethods, p.Method)
			}
			for _, limit := range p.limits() {
				if !slices.Contains(l.Limitations, limit) {
					l.Limitations = append(l.Limitations, limit)
				}
			}
		}
	}
	return l
}

// limits are what the path cannot show, in sentences.
func (p Path) limits() (limits []string) {
	if len(p.NotReported) > 0 {
		limits = append(limits, fmt.Sprintf("%s cannot show %s.", capital(p.Noun), strings.Join(p.NotReported, ", ")))
	}
	if p.Misses != "" {
		limits = append(limits, p.Misses+" It cannot prove that a license does not exist.")
	}
	return limits
}
