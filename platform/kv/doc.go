// Package kv opens the key-value buckets of package contracts, and changes their entries while NATS servers come and
// go. It tells streams and buckets that lost what they held, by their own numbers and by what was seen of them before:
// see [Witness].
package kv
