// Package contracts is the vocabulary that every Assay service shares: what is asked, what is answered, and how both
// travel. It depends on the standard library only, and everything else depends on it.
//
// # The system
//
//	clients ──HTTP──▶ gateway ──request-reply──▶ ltl-worker ──▶ carriers' sites
//	                     │                        abc-worker ──▶ state regulators
//	              JetStream key-value                  │ jobs
//	        keys, limits, answers, flights             ▼
//	                                             captcha-worker ──▶ CAPTCHA solver, rendering service
//	                 stream of changes ──▶ courier ──▶ endpoints of tenants
//
// The gateway authenticates, limits and caches; it reads no source. A worker reads sources; it knows no client. They
// meet only on NATS, on the subjects in subject.go. Requests travel by package platform/bus, jobs by platform/jobs, and
// what is stored is opened and changed by platform/kv.
//
// # Environments
//
// Every subject, cache key and worker belongs to one [Environment], live or test. A key of one environment is never
// answered with data of the other: the environment is a token of the subject and of the cache key.
//
// # Request and reply
//
// A request is a JSON document sent to a subject of this package, and is answered by exactly one member of the queue
// group of that subject. A request carries these headers:
//
//	assay-timeout-ms   what is left of the caller's deadline, in milliseconds, as it leaves the caller.
//	                   Remaining time, not a time of day: clocks differ.
//	traceparent, tracestate, baggage   W3C trace context, lower-case names
//	assay-request-id   the id the client sees in X-Request-ID: 1 to 128 printable ASCII characters without blank, quote
//	                   and backslash. Whoever serves the request has it in its log lines as request_id; another value
//	                   is ignored.
//	assay-replaces     the key of an answer and the revision of the entry that the caller found expired a moment ago,
//	                   0 for none, such as live.ltl.v4.ODFL.17. The worker need not look for it again. Optional.
//
// A reply without error headers is the JSON document of the answer. A reply with them is a failure:
//
//	Nats-Service-Error-Code   the number of the [Code]
//	Nats-Service-Error        the Code itself
//
// and its body is the JSON form of [Error]. A reply larger than the server's maximum payload is not sent; the answer is
// in the cache bucket by then, and the reply carries header assay-reply-key, the key to read it under. The body of that
// reply is empty, or a JSON document of the members that belong to this reply alone, such as {"refresh_failed":true}.
//
// # Answers, cache and flights
//
// A worker stores an answer in the bucket of its environment's answers before it replies, under the key that [CacheKey]
// makes, so that an answer whose caller left is still kept. An entry is the JSON of the answer type ([SurchargeAnswer],
// [LicenseAnswer], [SearchAnswer]); all begin with [Provenance], which says when it stops being servable. Concurrent
// requests for one key are one upstream read: the worker that creates the flight record of (key, revision of the entry
// it would replace) reads, the others wait for the entry. Requests for a fresh reading are served one at a time of a
// source: the worker that creates the record of the source's turn ([TurnKey]) reads, the others answer with what is
// stored.
//
// # History
//
// An ltl-worker also answers [HistoryRequest] with the weeks of one carrier that touch some days, such as those from
// 2025-03-01 to 2025-06-30. Where they include the current week it reads the source as for a [SurchargeRequest], else
// it answers from its archive alone. A [HistoryAnswer] is in no bucket of the workers': the archive is the store.
//
// # Evidence
//
// A worker keeps the documents that an answer was read from, byte for byte, before it answers: each is a message, or
// one batch of messages, in [EvidenceStream] or, for an edition of a bulk file, in [FilesStream]. The answer's
// [Evidence] names each by its SHA-256 and its [Place]. The gateway reads a document by its place and compares the
// hash. No answer fails because a document could not be kept.
//
// A worker also answers [VerifyRequest]: it reads the kept documents of an answer of its product again, with the
// parsers that read them first, and tells of each value whether it stands in them.
//
// # Jobs
//
// Slow and paid work (CAPTCHA solves, renders) is put on a work queue stream and pulled by captcha-worker, which takes
// a free slot before it takes a job. A job is identified by its id; its result is kept in the bucket of job results
// under that id, so a worker that dies leaves nothing that is paid for twice. Whether there is a CAPTCHA solver at all
// is no job: a captcha-worker answers [SolverRequest] by request and reply, however many jobs wait.
package contracts
