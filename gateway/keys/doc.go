// Package keys issues, stores and recognises API keys.
//
// A key is shown once, when it is issued. What is stored is its SHA-256, in [contracts.KeysBucket], with the record of
// what it permits. A [Store] is the bucket as an operator uses it; a [Directory] is the copy a gateway answers from.
package keys
