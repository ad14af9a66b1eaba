// Package system runs the whole of Assay in one process: an embedded NATS server with JetStream on disk, the sandbox, the
// workers of both environments and the gateway, each as it would run alone, connected in process.
package system
