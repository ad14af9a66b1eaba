// Package mirror keeps copies of the bulk files that regulators publish, and answers from them.
//
// A [Mirror] is one state's files. The first question loads it; from then on the process holds a compact index of it,
// which is replaced whole when a newer edition is there: the licenses (index.go), and the words by which they are
// searched (words.go). One worker of a deployment downloads a file, at most once in [MaxAge]; the others take it from
// the object store [contracts.MirrorsStore]. A file that fails its guards (what it begins with, its columns, its number
// of rows, the bounds on what reading it may cost) changes nothing: the last good edition is served on, with its own
// date.
//
// # Comparing
//
// Each new edition of a watched mirror ([Deps.Watched]) is compared with the one that was compared last, license by
// license, and what differs is published as changes. The worker that downloaded the edition compares it; where nothing
// happens for [Deps.TakeOver], another one does. A record in [contracts.ComparedBucket] says how far the mirror is
// (compared.go): Done was compared last, Next is being compared with it, Held waits for a confirmation. A comparison
// (watch.go) goes so:
//
//  1. Where the record has Next, an earlier comparison was begun and not ended: it is finished, as in step 3.
//  2. It is asked whether the copy may be compared. The first copy of all becomes Done, and nothing is told. Nothing is
//     done with a copy that is Done already (Held ends then), is older than Done, is Held, or of which another worker
//     has a newer edition. A copy from which too many licenses are gone becomes Held, and nothing of it is told until
//     an operator confirms it, or another edition lacks the same licenses. Where the stream has changes of later
//     editions than Done, as after the restore of a backup, what changed is lost: the copy becomes Done, and
//     source.degraded is told.
//  3. The copy becomes Next, before anything is told of it. The differences (compare.go) are published (tell.go) in the
//     order of the licenses, those left out that the stream has already: the last change there says how far an earlier
//     try came. Then Next becomes Done. What it does not show as well as an earlier edition did, such as a license that
//     must be missing twice to be gone, is carried to the next comparison ([Watch.MissingEditions]). Where a file of Done or
//     Next is not kept any more, what changed is lost as in step 2.
package mirror
