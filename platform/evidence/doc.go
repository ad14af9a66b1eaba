// Package evidence keeps the documents that answers were read from, byte for byte, and gives them back.
//
// A worker's [Keeper] stores each document as one message of its environment's stream ([contracts.EvidenceStream]): the
// bytes, compressed by zstd, and a header [Label] with what is known of them. A document that does not fit into one
// message is one atomic batch of messages (ADR-50 of NATS). An edition of a bulk file goes into [contracts.FilesStream]
// in the same form. The streams drop the oldest documents when they are full.
//
// A document is referred to by its SHA-256 and its place, which is the sequence of its first message. [Store] reads it
// there, so that no index is needed: a million documents cost a server no more memory than their blocks.
//
// No answer depends on this package. A keeper has a bounded queue, an answer waits for it for [MaxWait] at most, and a
// document that could not be kept by then is said to be not kept.
//
// A page is hashed and compressed while it is parsed, and published after: the label says where the values stood that
// were read, which is not known before.
package evidence
