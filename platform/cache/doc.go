// Package cache keeps answers in JetStream key-value, and makes concurrent reads of one source one read, in this process
// and across all workers.
//
// # Flights
//
// Who wants to replace an entry creates the record "<key>.<revision of the entry>" in [contracts.FlightsBucket]; revision 0
// stands for no entry. Creation succeeds once, so there is one owner. It reads the source, stores the answer, and marks the
// record as landed; a success never deletes the record, so a worker whose view of the answers is behind cannot read the
// source again. The others wait for the record to land. A failure is written into the record for two seconds, and is the
// waiters' failure too. An owner renews its record as long as it lives; when it dies, the record ends within the lease and
// a waiter takes over.
//
// # Turns
//
// A source with many keys, such as a state, is read anew on request by one worker at a time. That worker owns the record of
// the source's turn ([contracts.TurnKey]), renews it like a flight's, and removes it when it has read.
package cache
