// Package cache stores answers in JetStream key-value. When many callers want the same missing answer, it reads the
// source once for all of them, in this process and in all other workers.
//
// # Flights
//
// A flight is one read of a source for everybody who waits for its answer. The worker that wants to replace an entry
// creates the record "<key>.<revision of the entry>" in [contracts.FlightsBucket], such as "live.ltl.ODFL.17";
// revision 0 means that there is no entry. NATS lets one worker create the record. This worker is the owner, and the
// others are waiters.
//
// The owner reads the source, stores the answer and marks the record as landed. It does not delete the record: a
// worker that sees an older state of the answers would otherwise read the source again. Waiters look at the record
// until it has landed, and then read the answer. When the read fails, the owner writes the failure into the record,
// where it stays for two seconds (for 15 minutes where no retry makes sense before), and the waiters return the same
// failure. While the owner lives, it renews the record. When the owner dies, the record expires within the lease, and a
// waiter becomes the owner.
//
// # Turns
//
// A source with many keys, such as a state, is read anew on request by one worker at a time. That worker owns the
// record of the source's turn ([contracts.TurnKey]), renews it like a flight's, and removes it when it has read.
//
// # Copies
//
// A gateway keeps copies of answers in memory, each until it expires. Every 30 seconds one request has the copy
// compared with the shared entry; it waits 50 ms for that. Of an expired entry only the beginning is read, where the
// times stand. A gateway that finds an entry expired tells the worker its revision, so that the worker claims the
// flight without a look of its own. The worker believes this for a second. When the entry was replaced meanwhile, the
// record of the landed flight refuses the claim.
package cache
