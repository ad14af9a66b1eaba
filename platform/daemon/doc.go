// Package daemon is the shell that every service runs in: settings from the environment, logs, traces, metrics, the
// admin port, the NATS connection and an ordered stop.
//
// A service's main is one call of [Main]; its Run is one call of [Run]. Several services of one process share a [Host].
package daemon
