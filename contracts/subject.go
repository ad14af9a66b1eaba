package contracts

// Headers of a request or reply on NATS; names are case-sensitive there.
const (
	HeaderTimeout   = "assay-timeout-ms"
	HeaderRequestID = "assay-request-id"
	HeaderReplyKey  = "assay-reply-key"
	HeaderReplaces  = "assay-replaces"
)

// Services, as they are named on NATS, in telemetry and in Kubernetes, besides each [Product.Worker]. A service's name
// is its queue group.
const (
	Gateway       = "gateway"
	CaptchaWorker = "captcha-worker"
	Courier       = "courier"
)

// Subject is a NATS subject together with its template, the name it has in traces and metrics (environment and source
// are a closed set, so a template keeps them apart only by kind).
type Subject struct {
	Name     string
	Template string
}

// SurchargeSubject is where an ltl-worker answers [SurchargeRequest] for one carrier.
func SurchargeSubject(env Environment, c Carrier) Subject {
	return Subject{"assay.v1." + string(env) + ".ltl.surcharge." + string(c), "assay.v1.{env}.ltl.surcharge.{carrier}"}
}

// HistorySubject is where an ltl-worker answers [HistoryRequest] for one carrier.
func HistorySubject(env Environment, c Carrier) Subject {
	return Subject{"assay.v1." + string(env) + ".ltl.history." + string(c), "assay.v1.{env}.ltl.history.{carrier}"}
}

// FuelTableSubject is where an ltl-worker answers [FuelTableRequest] for one carrier.
func FuelTableSubject(env Environment, c Carrier) Subject {
	return Subject{"assay.v1." + string(env) + ".ltl.table." + string(c), "assay.v1.{env}.ltl.table.{carrier}"}
}

// DieselSubject is where an ltl-worker answers [DieselRequest].
func DieselSubject(env Environment) Subject {
	return Subject{"assay.v1." + string(env) + ".ltl.diesel", "assay.v1.{env}.ltl.diesel"}
}

// LicenseSubject is where an abc-worker answers [LicenseRequest] for one state.
func LicenseSubject(env Environment, s State) Subject {
	return Subject{"assay.v1." + string(env) + ".abc.license." + string(s), "assay.v1.{env}.abc.license.{state}"}
}

// SearchSubject is where an abc-worker answers [SearchRequest] for one state.
func SearchSubject(env Environment, s State) Subject {
	return Subject{"assay.v1." + string(env) + ".abc.search." + string(s), "assay.v1.{env}.abc.search.{state}"}
}

// MatchSubject is where an abc-worker answers [MatchRequest] for one state.
func MatchSubject(env Environment, s State) Subject {
	return Subject{"assay.v1." + string(env) + ".abc.match." + string(s), "assay.v1.{env}.abc.match.{state}"}
}

// MembersSubject is where an abc-worker answers [MembersRequest] for one state.
func MembersSubject(env Environment, s State) Subject {
	return Subject{"assay.v1." + string(env) + ".abc.members." + string(s), "assay.v1.{env}.abc.members.{state}"}
}

// VerifySubject is where a worker of a product answers [VerifyRequest].
func VerifySubject(env Environment, p Product) Subject {
	return Subject{"assay.v1." + string(env) + "." + string(p) + ".verify", "assay.v1.{env}." + string(p) + ".verify"}
}

// SolverSubject is where a captcha-worker answers [SolverRequest].
func SolverSubject(env Environment) Subject {
	return Subject{"assay.v1." + string(env) + ".captcha.solver", "assay.v1.{env}.captcha.solver"}
}

// JobKind is a kind of slow or paid work.
type JobKind string

// The kinds.
const (
	// Solve turns a CAPTCHA image into its text.
	Solve JobKind = "solve"
	// Render turns a URL into the HTML a browser shows.
	Render JobKind = "render"
)

// JobKinds lists both.
var JobKinds = []JobKind{Solve, Render}

// JobSubject is where jobs of one kind are put.
func JobSubject(env Environment, kind JobKind) Subject {
	return Subject{"assay.v1." + string(env) + ".jobs." + string(kind), "assay.v1.{env}.jobs." + string(kind)}
}

// EventSubject is where a worker reports something an operator or a subscriber may want to know, such as a
// re-published week. Name is one of the Event constants.
func EventSubject(env Environment, name string) Subject {
	return Subject{"assay.v1." + string(env) + ".events." + name, "assay.v1.{env}.events." + name}
}

// EventRevision is published when a carrier shows another value for a week that is already known.
const EventRevision = "ltl-revision"

// EvidenceSubject is where a worker keeps a document that it read of a source, such as a carrier or a state.
func EvidenceSubject(env Environment, p Product, source string) Subject {
	return documentSubject(env, "evidence", p, source)
}

// FileSubject is where a worker keeps an edition of a bulk file of a source.
func FileSubject(env Environment, p Product, source string) Subject {
	return documentSubject(env, "files", p, source)
}

func documentSubject(env Environment, kind string, p Product, source string) Subject {
	return Subject{
		"assay.v1." + string(env) + "." + kind + "." + string(p) + "." + source,
		"assay.v1.{env}." + kind + "." + string(p) + ".{source}",
	}
}

// UsageSubject is where the gateway reports each billable answer.
func UsageSubject(p Product) Subject {
	return Subject{"assay.v1.live.usage." + string(p), "assay.v1.live.usage." + string(p)}
}
