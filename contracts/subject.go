package contracts

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Headers of a request or reply on NATS; names are case-sensitive there.
const (
	HeaderTimeout   = "assay-timeout-ms"
	HeaderRequestID = "assay-request-id"
	HeaderReplyKey  = "assay-reply-key"
	HeaderReplaces  = "assay-replaces"
)

// Services, as they are named on NATS, in telemetry and in Kubernetes, besides each [Product.Worker]. A service's name is
// its queue group.
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

// Bucket describes a JetStream key-value bucket.
type Bucket struct {
	Name string
	// TTL is how long an entry lives; 0 for ever.
	TTL time.Duration
	// MaxBytes bounds the bucket; a full bucket refuses writes.
	MaxBytes int64
	// History is how many values of a key are kept.
	History uint8
	// PerKeyTTL permits entries with their own TTL.
	PerKeyTTL bool
	// Exact buckets decide something (keys, limits, money): reads go to the stream leader.
	Exact bool
	// Disposable buckets hold what is made anew when it is lost, such as cached answers. Nothing replaces the others.
	Disposable bool
	// Momentary buckets say what is going on, which is over when all processes that say it have ended.
	Momentary bool
	// Together permits several writes at once, of which all are made or none.
	Together bool
}

// Stream is the name of the stream that the bucket is.
func (b Bucket) Stream() string { return "KV_" + b.Name }

// Subject is where a key is written, or keys by a wildcard.
func (b Bucket) Subject(key string) string { return "$KV." + b.Name + "." + key }

// The buckets. Keys of those that both environments use begin with the environment.
var (
	// KeysBucket: SHA-256 of an API key in hex → its record.
	KeysBucket = Bucket{Name: "assay_keys", MaxBytes: 256 << 20, History: 1, Exact: true}
	// LimitsBucket: hash of a tenant → what it was granted in the running minute.
	LimitsBucket = Bucket{
		Name: "assay_limits", TTL: 10 * time.Minute, MaxBytes: 256 << 20, History: 1, Exact: true, Disposable: true, Momentary: true,
	}
	// AnswersBucket: [CacheKey] → answer.
	AnswersBucket = Bucket{Name: "assay_answers", TTL: SurchargeTTL, MaxBytes: 2 << 30, History: 1, Disposable: true}
	// FlightsBucket: [CacheKey] and the revision it replaces → who is reading it now; [TurnKey] → who reads that source
	// anew.
	FlightsBucket = Bucket{
		Name: "assay_flights", TTL: 10 * time.Minute, MaxBytes: 64 << 20, History: 1, PerKeyTTL: true, Exact: true, Disposable: true,
		Momentary: true,
	}
	// WeeksBucket: environment, carrier and effective date → the values observed for that week, revisions kept.
	WeeksBucket = Bucket{Name: "assay_weeks", MaxBytes: 512 << 20, History: 16, Together: true}
	// TariffsBucket: environment, carrier and number → an edition of its bracket table; environment, diesel and year →
	// the national prices of diesel of that year. Nothing is ever deleted from it.
	TariffsBucket = Bucket{Name: "assay_tariffs", MaxBytes: 64 << 20, History: 1}
	// WordingBucket: environment, carrier and "accepted" → the words around a carrier's percents that an operator accepted; "learned" → those that
	// a worker learned beside proven figures; "doubts" → what is in doubt now.
	WordingBucket = Bucket{Name: "assay_wording", MaxBytes: 128 << 20, History: 1}
	// SourcesBucket: [ListingKey] → [CarrierListing] or [StateListing]; [SourceHistoryKey] → [SourceHistory].
	SourcesBucket = Bucket{Name: "assay_sources", MaxBytes: 16 << 20, History: 1, Disposable: true}
	// ResultsBucket: environment and job id → the job's result.
	ResultsBucket = Bucket{Name: "assay_job_results", TTL: time.Hour, MaxBytes: 512 << 20, History: 1, Exact: true, Disposable: true}
	// CreditsBucket: environment and month → the ledger of paid calls.
	CreditsBucket = Bucket{Name: "assay_credits", MaxBytes: 64 << 20, History: 1, PerKeyTTL: true, Exact: true}
	// ReceiptsBucket: hash of a request that was sent with an Idempotency-Key → how much of it was charged, and hash of a
	// session of the console → that it was ended. Both are remembered for a day after they were written last.
	ReceiptsBucket = Bucket{Name: "assay_receipts", TTL: 24 * time.Hour, MaxBytes: 128 << 20, History: 1, Exact: true}
	// AgreementsBucket: environment, hash of a tenant and name → a contract of the tenant's with its carriers; environment and hash of a
	// tenant → the names of them.
	AgreementsBucket = Bucket{Name: "assay_agreements", MaxBytes: 256 << 20, History: 1, Exact: true}
	// AuditsBucket: environment, hash of a tenant and id → an audit that the tenant keeps, and under further parts of the key what is left of
	// it; environment and hash of a tenant → what audits there are.
	AuditsBucket = Bucket{Name: "assay_audits", TTL: 90 * 24 * time.Hour, MaxBytes: 1 << 30, History: 1, Exact: true}
	// RepliesBucket: environment, hash of a tenant and id → an answer or a chart of the console; environment and hash of a tenant → which there are.
	RepliesBucket = Bucket{Name: "assay_replies", TTL: 7 * 24 * time.Hour, MaxBytes: 64 << 20, History: 1, Exact: true}
	// PortfoliosBucket: environment, hash of a tenant and name → a portfolio of the tenant's; environment and hash of a tenant → what
	// portfolios there are.
	PortfoliosBucket = Bucket{Name: "assay_portfolios", MaxBytes: 128 << 20, History: 1, Exact: true}
	// SharesBucket: id, which is of the hash of its token → a proof that a tenant shares; environment and hash of a tenant → which proofs the
	// tenant shares.
	SharesBucket = Bucket{Name: "assay_shares", TTL: 400 * 24 * time.Hour, MaxBytes: 256 << 20, History: 1, Exact: true}
	// MirrorsBucket: environment and file → date, size and validators of the bulk mirror in MirrorsStore.
	MirrorsBucket = Bucket{Name: "assay_mirrors", MaxBytes: 16 << 20, History: 1, Exact: true, Disposable: true}
)

// WitnessesBucket maps the name of a stream that must last to what was seen of it and can never be less by right.
var WitnessesBucket = Bucket{Name: "assay_witnesses", MaxBytes: 1 << 20, History: 1, Exact: true}

// BirthsBucket says which streams were made, so that one that is gone is not made anew in silence. It is in no list,
// because only `assay provision` reads and writes it.
var BirthsBucket = Bucket{Name: "assay_births", MaxBytes: 1 << 20, History: 1, Exact: true}

// Buckets lists those that services work with.
var Buckets = []Bucket{
	KeysBucket, LimitsBucket, AnswersBucket, FlightsBucket, WeeksBucket, TariffsBucket, WordingBucket, SourcesBucket, ResultsBucket,
	CreditsBucket, ReceiptsBucket, AgreementsBucket, AuditsBucket, RepliesBucket, PortfoliosBucket, SharesBucket, EndpointsBucket, MirrorsBucket, ComparedBucket,
	WitnessesBucket,
}

// MirrorsStore is the object store that holds the bulk files.
const MirrorsStore = "assay_mirror_files"

// MirrorsStream is the name of the stream that the object store is.
const MirrorsStream = "OBJ_" + MirrorsStore

// Stream describes a JetStream stream.
type Stream struct {
	Name     string
	Subjects []string
	// WorkQueue streams drop a message when it is acknowledged and refuse new ones when full.
	WorkQueue bool
	MaxAge    time.Duration
	MaxMsgs   int64
	MaxBytes  int64
	// DedupWindow is how long a message id is remembered.
	DedupWindow time.Duration
	// Documents are kept in streams that drop the oldest when they are full. They are read by their sequences, and a
	// large one is a batch of messages that is stored as a whole or not at all.
	Documents bool
	// Epoch streams have an [EpochKey], because readers keep their sequences.
	Epoch bool
	// PerSubject is how many messages of a subject are kept, the newest ones; 0 for all. All of one can be removed by a rollup.
	PerSubject int64
}

// UsageStream keeps each billable answer for 13 months.
var UsageStream = Stream{
	Name: "ASSAY_USAGE", Subjects: []string{"assay.v1.*.usage.*"},
	MaxAge: 400 * 24 * time.Hour, MaxBytes: 8 << 30, DedupWindow: 2 * time.Minute,
}

// JobsStream is the work queue of slow and paid work; when MaxMsgs jobs wait, a further one is refused.
var JobsStream = Stream{
	Name: "ASSAY_JOBS", Subjects: []string{"assay.v1.*.jobs.*"},
	WorkQueue: true, MaxAge: 5 * time.Minute, MaxMsgs: 200, MaxBytes: 64 << 20, DedupWindow: 5 * time.Minute,
}

// EventsStream keeps events for operators.
var EventsStream = Stream{
	Name: "ASSAY_EVENTS", Subjects: []string{"assay.v1.*.events.*"},
	MaxAge: 400 * 24 * time.Hour, MaxBytes: 256 << 20, DedupWindow: 2 * time.Minute,
}

// How long documents are kept, unless an operator says otherwise. A bulk file is one document a day, and only of use
// while somebody may still ask about a day's edition.
const (
	evidenceAge = 7 * 365 * 24 * time.Hour
	filesAge    = 90 * 24 * time.Hour
)

// EvidenceStream keeps the documents that answers of an environment were read from.
func EvidenceStream(env Environment) Stream {
	return documents("ASSAY_EVIDENCE_", EvidenceSubject(env, "*", "*"), env, evidenceAge, map[Environment]int64{Live: 12 << 30, Test: 512 << 20})
}

// FilesStream keeps the editions of bulk files that answers of an environment were read from.
func FilesStream(env Environment) Stream {
	return documents("ASSAY_FILES_", FileSubject(env, "*", "*"), env, filesAge, map[Environment]int64{Live: 2 << 30, Test: 256 << 20})
}

func documents(name string, on Subject, env Environment, age time.Duration, bytes map[Environment]int64) Stream {
	return Stream{
		Name: name + strings.ToUpper(string(env)), Subjects: []string{on.Name}, Documents: true,
		MaxAge: age, MaxBytes: bytes[env], DedupWindow: 2 * time.Minute,
	}
}

// Streams lists all.
var Streams = []Stream{
	UsageStream, JobsStream, EventsStream, ChangesStream, DeliveriesStream,
	EvidenceStream(Live), EvidenceStream(Test), FilesStream(Live), FilesStream(Test),
}

// Disposable tells whether what the stream of that name holds is made anew when it is lost. It is false for the keys,
// the ledger, the archive, usage, events and changes, and for a stream that is none of ours.
func Disposable(stream string) bool {
	for _, b := range Buckets {
		if b.Stream() == stream {
			return b.Disposable
		}
	}
	// Jobs are given up by who waits for them; deliveries are told for people who look for a fault.
	return stream == JobsStream.Name || stream == MirrorsStream || stream == DeliveriesStream.Name
}

// CacheKey names an answer in [AnswersBucket]. What a client sent (a number, a query) is hashed: keys allow few
// characters, and a key must not tell what was asked. It names the environment, the product and the answers' schema,
// such as live.ltl.v3.ODFL: versions with different schemas that run side by side never read each other's answers.
type CacheKey string

// answerForm names [AnswerSchema] in keys.
const answerForm = ".v3."

func answerKey(env Environment, p Product, rest string) CacheKey {
	return CacheKey(string(env) + "." + string(p) + answerForm + rest)
}

// SurchargeKey is the key of a carrier's [SurchargeAnswer].
func SurchargeKey(env Environment, c Carrier) CacheKey {
	return answerKey(env, LTL, string(c))
}

// FuelTableKey is the key of a carrier's [FuelTableAnswer] for a day; "" is the table that applies now.
func FuelTableKey(env Environment, c Carrier, asOf Date) CacheKey {
	if asOf == "" {
		return answerKey(env, LTL, "table."+string(c))
	}
	return answerKey(env, LTL, "table."+string(c)+"."+string(asOf))
}

// DieselKey is the key of a [DieselAnswer] for a range of days. Without days it is the key of the answer with all
// weeks.
func DieselKey(env Environment, from, to Date) CacheKey {
	if from == "" {
		return answerKey(env, LTL, "diesel")
	}
	return answerKey(env, LTL, "diesel."+string(from)+"."+string(to))
}

// HistoryKey names a [HistoryAnswer] among the gateway's own copies. No bucket holds it.
func HistoryKey(env Environment, r HistoryRequest) CacheKey {
	known := ""
	if r.KnownAt != nil {
		known = r.KnownAt.UTC().Format(time.RFC3339Nano)
	}
	return answerKey(env, LTL, "history."+string(r.Carrier)+"."+hash(string(r.From), string(r.To), known, strconv.FormatBool(r.Announced)))
}

// LicensesOf begins the keys of all [LicenseAnswer]s of a state.
func LicensesOf(env Environment, s State) CacheKey {
	return answerKey(env, ABC, "license."+string(s)+".")
}

// LicenseKey is the key of a [LicenseAnswer].
func LicenseKey(env Environment, r LicenseRequest) CacheKey {
	return LicensesOf(env, r.State) + CacheKey(hash(r.Number))
}

// SearchesOf begins the keys of all [SearchAnswer]s of a state.
func SearchesOf(env Environment, s State) CacheKey {
	return answerKey(env, ABC, "search."+string(s)+".")
}

// SearchKey is the key of a [SearchAnswer].
func SearchKey(env Environment, r SearchRequest) CacheKey {
	return SearchesOf(env, r.State) + CacheKey(hash(r.DBAName, r.OwnerName, r.Address, r.After.Number, r.After.Type))
}

// TurnKey is the key in [FlightsBucket] of a source's turn, such as live.abc.turn.CA. The worker that creates it may read
// the source anew on request; the others may not until it is gone.
func TurnKey(env Environment, p Product, code string) string {
	return string(env) + "." + string(p) + ".turn." + code
}

// ListingKey is the key in [SourcesBucket] of a carrier's or a state's listing.
func ListingKey(env Environment, p Product, code string) string {
	return string(env) + "." + string(p) + "." + code
}

// SourceHistoryKey is the key in [SourcesBucket] of the [SourceHistory] of the source that is listed under a
// [ListingKey].
func SourceHistoryKey(listing string) string { return listing + ".history" }

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
