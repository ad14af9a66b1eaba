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

// Subject is a NATS subject together with its template, the name it has in traces and metrics: that of the subject with
// the kind of a source in place of the source.
type Subject struct {
	Name     string
	Template string
}

// subject is that of words and a source, which may be none, as may its kind.
func subject(env Environment, words, source, kind string) Subject {
	begin := "assay.v1." + string(env) + "." + words
	return Subject{Name: begin + source, Template: begin + kind}
}

// SurchargeSubject is where an ltl-worker answers [SurchargeRequest] for one carrier.
func SurchargeSubject(env Environment, c Carrier) Subject {
	return subject(env, "ltl.surcharge.", string(c), "{carrier}")
}

// HistorySubject is where an ltl-worker answers [HistoryRequest] for one carrier.
func HistorySubject(env Environment, c Carrier) Subject {
	return subject(env, "ltl.history.", string(c), "{carrier}")
}

// FuelTableSubject is where an ltl-worker answers [FuelTableRequest] for one carrier.
func FuelTableSubject(env Environment, c Carrier) Subject {
	return subject(env, "ltl.table.", string(c), "{carrier}")
}

// DieselSubject is where an ltl-worker answers [DieselRequest].
func DieselSubject(env Environment) Subject {
	return subject(env, "ltl.diesel", "", "")
}

// LicenseSubject is where an abc-worker answers [LicenseRequest] for one state.
func LicenseSubject(env Environment, s State) Subject {
	return subject(env, "abc.license.", string(s), "{state}")
}

// SearchSubject is where an abc-worker answers [SearchRequest] for one state.
func SearchSubject(env Environment, s State) Subject {
	return subject(env, "abc.search.", string(s), "{state}")
}

// MatchSubject is where an abc-worker answers [MatchRequest] for one state.
func MatchSubject(env Environment, s State) Subject {
	return subject(env, "abc.match.", string(s), "{state}")
}

// MembersSubject is where an abc-worker answers [MembersRequest] for one state.
func MembersSubject(env Environment, s State) Subject {
	return subject(env, "abc.members.", string(s), "{state}")
}

// VerifySubject is where a worker of a product answers [VerifyRequest].
func VerifySubject(env Environment, p Product) Subject {
	return subject(env, string(p)+".verify", "", "")
}

// ProductSubjects are those that workers of products serve: one of each template.
func ProductSubjects() (all []Subject) {
	for _, env := range Environments {
		all = append(all, SurchargeSubject(env, ""), HistorySubject(env, ""), FuelTableSubject(env, ""), DieselSubject(env),
			LicenseSubject(env, ""), SearchSubject(env, ""), MatchSubject(env, ""), MembersSubject(env, ""))
		for _, p := range Products {
			all = append(all, VerifySubject(env, p))
		}
	}
	return all
}

// SolverSubject is where a captcha-worker answers [SolverRequest].
func SolverSubject(env Environment) Subject {
	return subject(env, "captcha.solver", "", "")
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
	return subject(env, "jobs."+string(kind), "", "")
}

// EventSubject is where a worker reports something an operator or a subscriber may want to know, such as a
// re-published week. Name is one of the Event constants.
func EventSubject(env Environment, name string) Subject {
	return subject(env, "events."+name, "", "")
}

// EventRevision is published when a carrier shows another value for a week that is already known.
const EventRevision = "ltl-revision"

// EvidenceSubject is where a worker keeps a document that it read of a source, such as a carrier or a state.
func EvidenceSubject(env Environment, p Product, source string) Subject {
	return subject(env, "evidence."+string(p)+".", source, "{source}")
}

// FileSubject is where a worker keeps an edition of a bulk file of a source.
func FileSubject(env Environment, p Product, source string) Subject {
	return subject(env, "files."+string(p)+".", source, "{source}")
}

// UsageSubject is where the gateway reports each billable answer.
func UsageSubject(p Product) Subject {
	return subject(Live, "usage."+string(p), "", "")
}
