// Package bus connects to NATS and carries what services say to one another: requests and replies ([Serve], [Call]) and
// events ([Publish]). Slow work is in package jobs, what is stored in package kv. The wire is specified in package
// contracts.
//
// # Request-reply
//
// A server runs each request in its own goroutine under one semaphore; when that is full, it refuses with BUSY at
// once. A request passes the layers listed in [Serve] on its way to the handler. A call sends the time it has left,
// and is repeated (see [Call]), so handlers must be idempotent.
package bus
