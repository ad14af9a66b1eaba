package access

import (
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/jobs"
)

// User is a NATS user: a name and what it may do. Subscribe entries may hold a queue group after a space.
type User struct {
	Name      string
	Publish   []string
	Subscribe []string
	// Responds: each request that the user receives lets it publish one reply to where the request says.
	Responds bool
}

// grant gives a user what one kind of work needs.
type grant func(*User)

func newUser(name string, grants ...grant) User {
	u := User{Name: name, Subscribe: []string{bus.InboxPrefix(name) + ".>"}}
	for _, g := range grants {
		g(&u)
	}
	return u
}

func publish(subjects ...string) grant {
	return func(u *User) { u.Publish = append(u.Publish, subjects...) }
}

// serve is to answer requests on subjects, as a member of the queue group, and to be found by operators.
func serve(service string, subjects ...string) grant {
	return func(u *User) {
		for _, s := range subjects {
			u.Subscribe = append(u.Subscribe, s+" "+service)
		}
		for _, verb := range []string{"PING", "INFO", "STATS"} {
			u.Subscribe = append(u.Subscribe, "$SRV."+verb, "$SRV."+verb+"."+service, "$SRV."+verb+"."+service+".*")
		}
		u.Responds = true
	}
}

// api is a subject of JetStream's own interface.
func api(operation, stream string) string { return "$JS.API." + operation + "." + stream }

// bind is to learn about a stream, as every use of a bucket begins.
func bind(stream string) grant { return publish(api("STREAM.INFO", stream)) }

// read is to read keys of a bucket.
func read(b contracts.Bucket, keys string) grant {
	get := api("DIRECT.GET", b.Stream()) + "." + b.Subject(keys)
	if b.Exact {
		get = api("STREAM.MSG.GET", b.Stream())
	}
	return all(bind(b.Stream()), publish(get))
}

// write is to create, update and delete keys of a bucket.
func write(b contracts.Bucket, keys string) grant { return publish(b.Subject(keys)) }

// readWrite is both.
func readWrite(b contracts.Bucket, keys string) grant { return all(read(b, keys), write(b, keys)) }

// watch is to follow keys of a bucket: by a consumer of the watcher's own, which sends to its inbox.
func watch(b contracts.Bucket, keys string) grant { return follow(b.Stream(), b.Subject(keys)) }

func follow(stream, filter string) grant {
	return all(bind(stream), publish(
		api("CONSUMER.CREATE", stream)+".*."+filter,
		api("CONSUMER.DELETE", stream)+".*",
		"$JS.FC."+stream+".>",
	))
}

// pull is to read messages of one subject of a stream, by a consumer of the reader's own.
func pull(s contracts.Stream, subject string) grant {
	return all(follow(s.Name, subject), publish(api("CONSUMER.MSG.NEXT", s.Name)+".*"))
}

// inspect is to learn about a stream and to read its messages by their sequences, to see that they are still the same.
func inspect(s contracts.Stream) grant {
	return all(bind(s.Name), publish(api("STREAM.MSG.GET", s.Name)))
}

// witness is to note what is seen of the streams that the user works with and that must last. A backup only compares.
func witness(u *User) {
	var grants []grant
	note := readWrite
	if u.Name == Backup {
		note = read
	}
	for _, stream := range bound(*u) {
		if !contracts.Disposable(stream) && stream != contracts.BirthsBucket.Stream() &&
			stream != contracts.WitnessesBucket.Stream() {
			grants = append(grants, note(contracts.WitnessesBucket, stream))
		}
	}
	all(grants...)(u)
}

// followAll is to read all messages of a stream, by a consumer of the reader's own.
func followAll(s contracts.Stream) grant {
	return all(follow(s.Name, rest), publish(
		api("CONSUMER.CREATE", s.Name)+".*", api("CONSUMER.INFO", s.Name)+".*", api("CONSUMER.MSG.NEXT", s.Name)+".*"))
}

// objects is to store, replace and read objects.
func objects(store string) grant {
	stream := "OBJ_" + store
	chunks, meta := "$O."+store+".C.*", "$O."+store+".M.*"
	return all(follow(stream, chunks), publish(chunks, meta, api("DIRECT.GET", stream)+"."+meta))
}

// readDocuments is to read what is kept of an environment, by its sequences.
func readDocuments(env contracts.Environment) grant {
	return func(u *User) {
		for _, s := range []contracts.Stream{contracts.EvidenceStream(env), contracts.FilesStream(env)} {
			all(bind(s.Name), publish(api("DIRECT.GET", s.Name)))(u)
		}
	}
}

// enqueue is to put jobs of some kinds on the queue and to get their results.
func enqueue(env contracts.Environment, kinds ...contracts.JobKind) grant {
	return func(u *User) {
		for _, kind := range kinds {
			all(publish(contracts.JobSubject(env, kind).Name),
				read(contracts.ResultsBucket, string(env)+"."+string(kind)+".*"))(u)
		}
	}
}

// work is to take jobs of one kind from the queue and to file their results.
func work(env contracts.Environment, kind contracts.JobKind) grant {
	consumer := contracts.JobsStream.Name + "." + jobs.ConsumerName(env, kind)
	return all(
		publish("$JS.API.CONSUMER.INFO."+consumer, "$JS.API.CONSUMER.MSG.NEXT."+consumer, "$JS.ACK."+consumer+".>"),
		readWrite(contracts.ResultsBucket, string(env)+"."+string(kind)+".*"),
	)
}

func all(grants ...grant) grant {
	return func(u *User) {
		for _, g := range grants {
			g(u)
		}
	}
}
