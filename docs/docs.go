// Package docs holds the documents that the gateway shows to API users. It is a module of its own because Go embeds
// only what lies beside its sources: so the pages of a gateway and this folder have one text.
package docs

import _ "embed"

// Guide is what an answer claims, and what it does not, for API users. Contract is the interface contract. Both are
// Markdown (CommonMark with tables).
var (
	//go:embed guide.md
	Guide []byte
	//go:embed contract.md
	Contract []byte
)
