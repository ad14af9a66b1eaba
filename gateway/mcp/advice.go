package mcp

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

// advice says what an agent should do after an error (contract §4.8). [tool.failed] replaces {after}, such as by "7
// seconds", and {reason}.
var advice = map[contracts.Code]string{
	contracts.InvalidRequest:    "Correct the arguments and call again.",
	contracts.Unauthorized:      "Report that the API key is missing or invalid. Do not retry.",
	contracts.ProductNotEnabled: "Report that the API key must be subscribed to that product for this. Do not retry.",
	contracts.NotFound:          "Report it, and do not retry with the same arguments. {reason}",
	contracts.ComingSoon:        "Report that this is not available yet. Do not retry.",
	contracts.WeekNotArchived: "Report that no week is archived for that day, and which weeks are nearest. " +
		"Never take their rate for it.",
	contracts.NotAcceptable:        "Report the failure. Do not retry.",
	contracts.Gone:                 "Report that it is kept no longer. Do not retry; take the cursor of the message.",
	contracts.UnsupportedMediaType: "Report the failure. Do not retry.",
	contracts.RequestTooLarge:      "Call again with shorter arguments.",
	contracts.RateLimited:          "Wait {after}, then retry.",
	contracts.SourceUnavailable: "Retry after {after}, or report that the source cannot be read now. It says " +
		"nothing about whether the record exists.",
	contracts.CaptchaSolverNotConfigured: "Report that this deployment cannot read the state's register. Do not retry.",
	contracts.Internal:                   "Retry once; if it fails again, report the failure with its request id.",
}

// failed returns the outcome of a call that ended with an error of the API, or that did not reach it.
func (t *tool) failed(err error, h http.Header) outcome {
	e := contracts.AsError(err)
	meta := metaOf(h)
	meta[metaCode] = e.Code.Public()
	after := "a moment"
	if e.RetryAfter > 0 {
		seconds := int(e.RetryAfter / time.Second)
		after, meta[metaRetryAfter] = fmt.Sprintf("%d seconds", seconds), seconds
	}
	message := t.message(e)
	if e.Reason != "" {
		message, meta[metaReason] = fmt.Sprintf("%s (%s)", message, e.Reason), e.Reason
	}
	do := advice[e.Code.Public()]
	if e.Reason == contracts.CarrierMisnamed { // it is there under another code
		do = "{reason}"
	}
	do = strings.NewReplacer("{after}", after, "{reason}", e.Reason.Advice()).Replace(do)
	text := fmt.Sprintf("%s: %s\nWhat to do: %s", e.Code.Public(), message, strings.TrimSpace(do))
	if p := e.Proof; p != nil {
		text += fmt.Sprintf("\nProof: %s, read %s by %s.", p.RawDataEvidenceURL, p.SourceTimestamp.Format(time.RFC3339),
			p.ExtractionMethod)
		if meta[metaEnvironment] == string(contracts.Test) {
			text += " " + invented
		}
	}
	return outcome{text: text, code: e.Code.Public(), meta: meta}
}

// message says what is wrong with each argument. It names arguments as the tool does, not as the API does.
func (t *tool) message(e *contracts.Error) string {
	if len(e.Violations) == 0 {
		return asTools(e.Message)
	}
	var all []string
	for _, v := range e.Violations {
		msg := v.Msg
		if len(v.Loc) == 2 {
			msg = contracts.Printable(t.argumentOf(v.Loc[0], v.Loc[1])) + ": " + msg
		}
		all = append(all, asTools(msg))
	}
	return strings.Join(all, "; ")
}

// asTools replaces the paths in the API's words by the tools that an agent has for them, such as "GET
// /v1/ltl/carriers" by "list_carriers".
func asTools(message string) string { return pathsToTools.Replace(message) }

var pathsToTools = func() *strings.Replacer {
	var pairs []string
	for _, e := range api.Endpoints {
		if e.Tool != nil {
			pairs = append(pairs, "GET "+e.Path, e.Tool.Name)
		}
	}
	return strings.NewReplacer(pairs...)
}()

func (t *tool) argumentOf(in, name string) string {
	i := slices.IndexFunc(t.arguments, func(a argument) bool { return in == "query" && !a.inPath && a.parameter == name })
	if i < 0 {
		return name
	}
	return t.arguments[i].name
}

// apiError makes an error of the API's reply (contract §7).
func apiError(r *http.Response, body []byte) error {
	e := api.ErrorIn(body)
	if e == nil || advice[e.Code] == "" {
		e = &contracts.Error{Code: contracts.Internal,
			Message: fmt.Sprintf("the answer, status %d, is none of this API's; check its address", r.StatusCode)}
	}
	if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}
