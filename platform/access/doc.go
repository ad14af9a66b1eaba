// Package access says what each NATS user may do: one user a service, and one for each environment that a worker
// serves.
//
// Everything is derived from package contracts, so that a new carrier, bucket or stream needs nothing here; the
// servers' configuration is rendered from it by [Config]. The rules behind it:
//
//   - A user publishes and subscribes to just what its work needs. What is not granted is denied.
//   - A worker subscribes to requests in its own queue group only, so that it cannot listen in on others' shares, and
//     answers by the permission that a request brings with it (allow_responses).
//   - Replies come in under an inbox prefix of the user's own; nobody may subscribe to another's.
//   - Keys of buckets begin with the environment: a user of one environment writes under no other. Only witnesses are of
//     whole streams, as each user notes those of the streams that it binds, and the bodies of bulk files have no
//     environment: each abc-worker may replace and delete those of the other one, which finds it by the SHA-256.
//   - Streams and buckets are created and updated by [Provision] alone. [Restore], which nothing runs as, puts them back,
//     and alone may delete one, since a damaged one must go first. Nobody may purge one by JetStream's interface; by the
//     rollup of one message whoever writes a bucket that is Purged or has PerKeyTTL can.
//
// These rules bound what a service does by mistake. They do not hold one that was taken over: NATS checks the subject
// of a request, not the subject of its reply, and sends the reply with no user's permissions. Who may read a bucket
// directly or make a consumer, as each ltl-worker and abc-worker may, can name any subject of the account for the
// reply, that of a key or of JetStream's interface too, and choose its bytes by what it wrote before. Such a worker,
// of test as of live, can read, forge and delete whatever the account holds. An account for each service would end
// that.
//
// What NATS cannot separate besides: a read from the leader (buckets that are Exact) names the key in its body, so
// whoever may read such a bucket may read all of it; and whoever may watch a bucket may have the server deliver what
// is in it to any subject. Who looks after usage and events reads them by sequence, to see that what was there is
// still there: so the gateway could read what tenants used, and an ltl-worker the other environment's revisions, which
// are public. The streams of documents are read by sequence, so the gateway may read each of them: it serves both
// environments, and takes the one of the caller's key. A worker may read those of its environment, also what another
// product's worker has kept there.
package access
