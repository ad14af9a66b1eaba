// Package storecheck reads the files of a JetStream store that no server has open, and tells which streams are damaged.
//
// NATS repairs in silence: at a record whose checksum is wrong it cuts the rest of the block away, and a stream without
// its description is no stream. So what the files say is checked before a server opens them. The format is that of
// nats-server 2.15 (server/filestore.go): a folder for each stream, in it
//
//	meta.inf, meta.sum   the stream's configuration and its checksum
//	msgs/1.blk ...       records: length, sequence, time, subject, headers, payload, checksum
//	msgs/index.db        what the server knew at its last stop, with a checksum
//	obs/NAME/meta.inf    the configuration of a consumer, and its checksum beside it
//
// A record's checksum leaves out the lengths of the subject and of the headers, so both are checked by what they hold.
// One flip goes unnoticed: a shorter length that leaves a valid subject, in a record without headers. Of our buckets
// only those that are made anew (the cache, listings) have such records; the key that is asked for is then missing
// there.
package storecheck
