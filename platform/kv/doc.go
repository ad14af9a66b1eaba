// Package kv opens the key-value buckets of package contracts, and changes their entries while NATS servers come and
// go.
package kv
