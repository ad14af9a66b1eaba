// Package bus is the only code that speaks NATS: connections, request-reply ([Serve], [Call]), jobs ([Work], [Do]), events
// ([Publish]), and the streams and buckets behind them ([Provision]). The wire is specified in package contracts.
//
// # Request-reply
//
// A server runs each request in its own goroutine under one semaphore; when that is full, it refuses with BUSY at once. A
// request passes the layers listed in [Serve] on its way to the handler. A call sends the time it has left, and is
// repeated (see [Call]), so handlers must be idempotent.
//
// # Jobs
//
// A job is put on a work queue once per id. A worker takes a free slot before it takes a job, tells the server while it is
// still at it, stores the result under the job's id, and only then acknowledges. A worker that dies leaves the job to
// another one, whose handler must expect that somebody has begun before.
package bus
