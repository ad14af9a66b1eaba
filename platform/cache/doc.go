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
// where it stays for two seconds, and the waiters return the same failure. While the owner lives, it renews the
// record. When the owner dies, the record expires within the lease, and a waiter becomes the owner.
//
// # Turns
//
// A source with many keys, such as a state, is read anew on request by one worker at a time. That worker owns the record of
// the source's turn ([contracts.TurnKey]), renews it like a flight's, and removes it when it has read.
package cache
