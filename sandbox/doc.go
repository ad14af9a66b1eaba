// Package sandbox is the stand-in internet.
package sandbox
