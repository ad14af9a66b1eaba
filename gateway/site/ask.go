package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

// apiAnswer is what the API answered for a page.
type apiAnswer struct {
	status int
	header http.Header
	body   []byte
	// problem says in the API's words why there is no answer; empty when there is one.
	problem string
}

// get asks the API for an answer as the person who sees the page. target is a path with its query.
func get(r *Request, target string) apiAnswer { return ask(r, http.MethodGet, target, nil) }

// ask sends the API a request as the person who sees the page. Headers are names and values; without another
// Content-Type a body is JSON.
func ask(r *Request, method, target string, body []byte, headers ...string) apiAnswer {
	request, err := http.NewRequestWithContext(r.Context(), method, target, bytes.NewReader(body))
	if err != nil {
		return apiAnswer{status: http.StatusInternalServerError, problem: "The API could not be asked."}
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	for pair := range slices.Chunk(headers, 2) {
		request.Header.Set(pair[0], pair[1])
	}
	response, err := r.Ask(request)
	if err != nil {
		return apiAnswer{status: http.StatusInternalServerError, problem: "The API could not be asked."}
	}
	defer response.Body.Close()
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return apiAnswer{status: http.StatusInternalServerError, problem: "The API's answer broke off."}
	}
	a := apiAnswer{status: response.StatusCode, header: response.Header, body: answered}
	if a.status/100 != http.StatusOK/100 {
		a.problem = problemIn(answered, response)
	}
	return a
}

// jsonOf is a value as JSON, for the API or for a form that sends it back.
func jsonOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// decode reads the answer's body.
func (a apiAnswer) decode(to any) error {
	if err := json.Unmarshal(a.body, to); err != nil {
		return contracts.Wrap(err, contracts.Internal, "the API's answer is not understood")
	}
	return nil
}

// problemIn is what an error of the API says to a person, such as "to: this day is to come" or the message with its
// code.
func problemIn(body []byte, response *http.Response) string {
	e := api.ErrorIn(body)
	switch {
	case e == nil:
		return fmt.Sprintf("The gateway answered %d.", response.StatusCode)
	case e.Violations != nil:
		return violationsIn(e.Violations)
	}
	text := fmt.Sprintf("%s (%s)", e.Message, e.Code)
	if wait := response.Header.Get("Retry-After"); wait != "" {
		text += "; try again in " + wait + " seconds"
	}
	return text
}
