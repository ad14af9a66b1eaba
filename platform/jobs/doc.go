// Package jobs is the work queue of slow and paid work: [Do] has a job done, [Work] does jobs.
//
// A job is put on the queue once per id. A worker takes a free slot before it takes a job, tells the server while it is
// still at it, stores the result under the job's id, and only then acknowledges. A worker that dies leaves the job to
// another one, whose handler must expect that somebody has begun before.
package jobs
