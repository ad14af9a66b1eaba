// Package system runs the whole of Assay in one process, for assay up: a NATS server with JetStream on disk, the
// sandbox, the workers of both environments and the gateway. Each service runs the same code as it does alone. It
// connects to the NATS server without a socket.
package system
