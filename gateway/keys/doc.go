// Package keys issues, stores and recognises API keys.
//
// Whoever creates a key sees it once. [contracts.KeysBucket] holds the SHA-256 of the key and a [Record] of what the
// key permits, such as both products in the test environment. An operator changes the bucket through a [Store]. A
// gateway reads its own copy of the bucket, a [Directory].
//
// A revocation finds the id among all keys: 0.2 s with 100,000 of them. NATS finds messages by whole tokens of a
// subject, and an id is the beginning of one. A second bucket of ids would be a second record of what exists.
package keys
