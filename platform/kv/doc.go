// Package kv opens the key-value buckets of package contracts, and changes their entries while NATS servers come and
// go. It tells streams and buckets that lost what they held, by their own numbers and by what was seen of them before:
// see [Witness].
//
// # Trying again
//
// An exchange with JetStream fails for a moment while a server restarts or a stream elects a leader. A compare-and-set
// conflicts when another writer came first. [Retry] and [RetryAtStart] bear the former, [RetryConflicts] the latter,
// [Change] both:
//
//	name            repeats                     pause        gives up                   used for
//	Try             nothing                                  after 2 s                  flights and jobs, asked again
//	Retry           an exchange                 200 ms       after 12 s, 2 s a try      reads and writes of requests, jobs
//	RetryAtStart    an exchange                 200 ms       with ctx, or after 1 min   Open; reads of a start or a backup
//	Swap            a publish nobody takes      250 ms       after 2 more, or with ctx  receipts, flights, limits, mirrors
//	RetryConflicts  a compare-and-set           up to 4 s    with ctx                   flights, receipts, the courier
//	Change          RetryConflicts of Retry     as theirs    as theirs                  keys, webhooks, ledgers, prices
//
// An exchange that is repeated may have been carried out before: see at each what follows from it. [StartDeadline]
// repeats nothing; it gives RetryAtStart, and a start of many steps, the deadline of a minute where ctx has none.
package kv
