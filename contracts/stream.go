package contracts

import (
	"strings"
	"time"
)

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
	// Purged buckets allow a rollup, by which a key is deleted with all that is left of it. Who may write any key of such a
	// bucket can empty all of it by one message.
	Purged bool
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
		Name: "assay_limits", TTL: 10 * time.Minute, MaxBytes: 256 << 20, History: 1, Exact: true,
		Disposable: true, Momentary: true,
	}
	// AnswersBucket: [CacheKey] → answer.
	AnswersBucket = Bucket{Name: "assay_answers", TTL: SurchargeTTL, MaxBytes: 2 << 30, History: 1, Disposable: true}
	// FlightsBucket: [CacheKey] and the revision it replaces → who is reading it now; [TurnKey] → who reads that source
	// anew.
	FlightsBucket = Bucket{
		Name: "assay_flights", TTL: 10 * time.Minute, MaxBytes: 64 << 20, History: 1, PerKeyTTL: true, Exact: true,
		Disposable: true, Momentary: true, Purged: true,
	}
	// WeeksBucket: environment, carrier and effective date → the values observed for that week, revisions kept.
	WeeksBucket = Bucket{Name: "assay_weeks", MaxBytes: 512 << 20, History: 16, Together: true}
	// TariffsBucket: environment, carrier and number → an edition of its bracket table; environment, diesel and year →
	// the national prices of diesel of that year. Nothing is ever deleted from it.
	TariffsBucket = Bucket{Name: "assay_tariffs", MaxBytes: 64 << 20, History: 1}
	// WordingBucket: environment, carrier and "accepted" → the words around a carrier's percents that an operator
	// accepted; "learned" → those that a worker learned beside proven figures; "doubts" → what is in doubt now.
	WordingBucket = Bucket{Name: "assay_wording", MaxBytes: 128 << 20, History: 1}
	// SourcesBucket: [ListingKey] → [CarrierListing] or [StateListing]; [SourceHistoryKey] → [SourceHistory].
	SourcesBucket = Bucket{Name: "assay_sources", MaxBytes: 16 << 20, History: 1, Disposable: true}
	// ResultsBucket: environment and job id → the job's result.
	ResultsBucket = Bucket{Name: "assay_job_results", TTL: time.Hour, MaxBytes: 512 << 20, History: 1, Exact: true,
		Disposable: true}
	// CreditsBucket: environment and month → the ledger of paid calls.
	CreditsBucket = Bucket{Name: "assay_credits", MaxBytes: 64 << 20, History: 1, PerKeyTTL: true, Exact: true}
	// ReceiptsBucket: hash of a request that was sent with an Idempotency-Key → how much of it was charged, and hash of a
	// session of the console → that it was ended. Both are remembered for a day after they were written last.
	ReceiptsBucket = Bucket{Name: "assay_receipts", TTL: 24 * time.Hour, MaxBytes: 128 << 20, History: 1, Exact: true}
	// AgreementsBucket: environment, hash of a tenant and name → a contract of the tenant's with its carriers; environment
	// and hash of a tenant → the names of them.
	AgreementsBucket = Bucket{Name: "assay_agreements", MaxBytes: 256 << 20, History: 1, Exact: true, Purged: true}
	// AuditsBucket: environment, hash of a tenant and id → an audit that the tenant keeps, and under further parts of the
	// key what is left of it; environment and hash of a tenant → what audits there are.
	AuditsBucket = Bucket{Name: "assay_audits", TTL: 90 * 24 * time.Hour, MaxBytes: 1 << 30, History: 1, Exact: true,
		Purged: true}
	// RepliesBucket: environment, hash of a tenant and id → an answer or a chart of the console; environment and hash of a
	// tenant → which there are.
	RepliesBucket = Bucket{Name: "assay_replies", TTL: 7 * 24 * time.Hour, MaxBytes: 64 << 20, History: 1, Exact: true,
		Purged: true}
	// PortfoliosBucket: environment, hash of a tenant and name → a portfolio of the tenant's; environment and hash of a
	// tenant → what portfolios there are.
	PortfoliosBucket = Bucket{Name: "assay_portfolios", MaxBytes: 128 << 20, History: 1, Exact: true, Purged: true}
	// SharesBucket: id, which is of the hash of its token → a proof that a tenant shares; environment and hash of a tenant
	// → which proofs the tenant shares.
	SharesBucket = Bucket{Name: "assay_shares", TTL: 400 * 24 * time.Hour, MaxBytes: 256 << 20, History: 1, Exact: true,
		Purged: true}
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
	KeysBucket, LimitsBucket, AnswersBucket, FlightsBucket, WeeksBucket, TariffsBucket, WordingBucket,
	SourcesBucket, ResultsBucket,
	CreditsBucket, ReceiptsBucket, AgreementsBucket, AuditsBucket, RepliesBucket, PortfoliosBucket, SharesBucket,
	EndpointsBucket, MirrorsBucket, ComparedBucket,
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
	// PerSubject is how many messages of a subject are kept, the newest ones; 0 for all. All of one can be removed by a
	// rollup.
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
	return documents("ASSAY_EVIDENCE_", EvidenceSubject(env, "*", "*"), env, evidenceAge,
		map[Environment]int64{Live: 12 << 30, Test: 512 << 20})
}

// FilesStream keeps the editions of bulk files that answers of an environment were read from.
func FilesStream(env Environment) Stream {
	return documents("ASSAY_FILES_", FileSubject(env, "*", "*"), env, filesAge,
		map[Environment]int64{Live: 2 << 30, Test: 256 << 20})
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
