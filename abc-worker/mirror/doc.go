// Package mirror keeps copies of the bulk files that regulators publish, and answers from them.
//
// A [Mirror] is one state's files. The first question loads it; from then on the process holds a compact index of it,
// which is replaced whole when a newer edition is there: the licenses (index.go), and the words by which they are
// searched (words.go). One worker of a deployment downloads a file, at most once in [MaxAge]; the others take it from
// the object store [contracts.MirrorsStore]. A file that fails its guards (what it begins with, its columns, its number
// of rows, the bounds on what reading it may cost) changes nothing: the last good edition is served on, with its own
// date.
package mirror
