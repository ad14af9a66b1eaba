// Package ratelimit admits at most a tenant's limit of requests in any minute, over any number of gateways.
//
// # The rule
//
// What a tenant was granted stands in one [Ledger], an entry of [contracts.LimitsBucket] that gateways change by
// compare-and-set. A gateway takes a lease: a grant of some tokens that it may spend until the grant's end and not
// later. A token counts against the limit until one window after the latest moment at which it can have been spent. So
// whatever window one looks at, the tokens spent in it were all in the ledger together when the last of them was
// leased, and the ledger never holds more than the limit.
//
// A lease is a 64th of what is free, and at least what the waiting requests need: a limit of 60 is leased one by one
// and spread over gateways as it comes, a limit of millions costs two writes a second. When a gateway next writes, it
// settles its own leases: tokens not spent return, and those spent count from when they really were.
//
// A lease of which tokens are left is renewed in the second half of its life, beside the requests that spend it. So who
// has one does not wait for the store, also while that hangs: before the lease ends, the store is known to be away.
//
// # Time
//
// Gateways' clocks differ, so time is that of the JetStream server, known to lie between two bounds ([Instant]). A
// grant ends by the later bound and is released by the earlier one.
//
// # When the store is away
//
// The gateway goes on with its own copy of the ledger: it admits at most the limit on its own, and what it admitted is
// in its next write.
package ratelimit
