// Package paid holds what the paid services of the sandbox have in common: failures on demand, and their controls over
// HTTP.
package paid

import (
	"net/http"
	"strings"

	"assay.dev/sandbox/page"
)

// Failures are what the next calls of a service are answered with. Who has them guards them.
type Failures[F ~string] []failing[F]

// failing is a failure of the next calls of a method; of every method when it is empty.
type failing[F ~string] struct {
	method  string
	failure F
	times   int
}

// Add has the next calls of a method fail.
func (fs *Failures[F]) Add(method string, failure F, times int) {
	*fs = append(*fs, failing[F]{method, failure, times})
}

// Take takes the failure that is due for a call of a method; it is empty when none is.
func (fs Failures[F]) Take(method string) (due F) {
	for i := range fs {
		f := &fs[i]
		if f.times > 0 && (f.method == "" || strings.EqualFold(f.method, method)) {
			f.times--
			return f.failure
		}
	}
	return ""
}

// Controls are the controls of a service:
//
//	GET    /            what Show shows: counts and behaviour
//	PATCH  /            changes the behaviour; what is left out stays
//	POST   /failures    {"method":"createTask","failure":"html","times":3}   makes the next calls fail
//	DELETE /            as at the start
type Controls struct {
	Show func() any
	// Change decodes over what there is, and changes it to that.
	Change func(decode func(into any) error) error
	Fail   func(method, failure string, times int) error
	Reset  func()
}

// Handler serves them.
func (c Controls) Handler() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, do func(decode func(into any) error) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := do(func(into any) error { return page.Decode(w, r, into) }); err != nil {
				http.Error(w, err.Error(), http.StatusUnprocessableEntity)
				return
			}
			page.JSON(w, http.StatusOK, c.Show())
		})
	}
	handle("GET /{$}", func(func(any) error) error { return nil })
	handle("DELETE /{$}", func(func(any) error) error { c.Reset(); return nil })
	handle("PATCH /{$}", c.Change)
	handle("POST /failures", func(decode func(any) error) error {
		var f struct {
			Method  string `json:"method"`
			Failure string `json:"failure"`
			Times   int    `json:"times"`
		}
		if err := decode(&f); err != nil {
			return err
		}
		return c.Fail(f.Method, f.Failure, f.Times)
	})
	return mux
}
