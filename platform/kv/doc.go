// Package kv opens the key-value buckets of package contracts, and changes their entries while NATS servers come and
// go. It tells streams and buckets that lost what they held, by their own numbers and by what was seen of them before:
// see [Witness].
//
// # Trying again
//
// An exchange with JetStream fails for a moment while a server restarts or a stream elects a leader. A compare-and-set
// conflicts when another writer came first. [Insist] and [Begin] bear the former, [Contend] the latter, [Change] both:
//
//	name     repeats                     pause        gives up                   used for
//	Try      nothing                                  after 2 s                  flights and jobs, asked again anyway
//	Insist   an exchange                 200 ms       after 12 s, 2 s a try      what requests and jobs read and write
//	Begin    an exchange                 200 ms       with ctx, or after 1 min   Open; what a start or a backup reads
//	Swap     a publish nobody takes      250 ms       after 2 more, or with ctx  receipts, flights, limits, mirrors
//	Contend  a compare-and-set           up to 4 s    with ctx                   flights, receipts, the courier
//	Change   Contend of Insist           as theirs    as theirs                  keys, webhooks, ledgers, prices
//
// An exchange that is repeated may have been carried out before: see at each what follows from it. [Patient] repeats
// nothing; it gives Begin, and a start of many steps, the deadline of a minute where ctx has none.
package kv
