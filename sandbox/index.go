package sandbox

import (
	_ "embed"
	"html/template"
	"maps"
	"net/http"
	"slices"

	"assay.dev/contracts"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/page"
)

//go:embed index.html
var indexText string

var indexPage = template.Must(template.New("index").Parse(indexText))

// stateExamples are licenses of a state to try.
type stateExamples struct {
	State    contracts.State
	Licenses []license.License
}

// index shows what there is. Its links are relative, because assay up serves it below /sandbox/.
func (s *Sandbox) index(w http.ResponseWriter, _ *http.Request) {
	content := struct {
		Calls  []adminCall
		Kinds  []faultKind
		Hosts  []string
		States []stateExamples
	}{Calls: s.calls(), Kinds: faultKinds, Hosts: slices.Sorted(maps.Keys(s.proxy.sites))}
	for _, state := range contracts.States {
		content.States = append(content.States, stateExamples{state, s.Licensing().Examples(state)})
	}
	page.Show(w, http.StatusOK, indexPage, "index", content)
}
