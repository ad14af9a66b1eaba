package carrier

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/trust"
)

// A file such as saia.wording holds the editions of the words around a carrier's percents that the makers of this
// release have seen on the real pages, as JSON. It is empty where nobody has seen the page. `assay sources accept
// --into` writes it.
//
//go:embed *.wording
var wordings embed.FS

// Shipped gives the editions of a carrier that this release carries. They are of the real sites, so that the test
// environment has none.
func Shipped(env contracts.Environment) func(contracts.Carrier) []trust.Edition {
	return func(c contracts.Carrier) []trust.Edition {
		if env != contracts.Live {
			return nil
		}
		editions, err := ReadWording(c)
		if err != nil {
			panic(err) // the file is part of the program: a test sees it
		}
		return editions
	}
}

// ReadWording reads the file of a carrier.
func ReadWording(c contracts.Carrier) (editions []trust.Edition, err error) {
	name := strings.ToLower(string(c)) + ".wording"
	text, err := wordings.ReadFile(name)
	if err != nil || len(text) == 0 {
		return nil, err
	}
	if err := json.Unmarshal(text, &editions); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return editions, nil
}
