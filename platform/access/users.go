package access

import (
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/platform/jobs"
)

// Users that are no service.
const (
	// Provision creates and updates streams, buckets and consumers, and does nothing else.
	Provision = "provision"
	// Operator is a person with the assay command: keys, credits, usage, and what services say of themselves.
	Operator = "operator"
	// Backup reads every stream that must last.
	Backup = "backup"
	// Restore removes streams that are damaged and puts back what is gone. Nothing runs as it; an operator takes its key
	// when one is needed.
	Restore = "restore"
)

// Name is the user of a service that serves env; a service of no environment has its own name.
func Name(service string, env contracts.Environment) string {
	if env == "" {
		return service
	}
	return service + "-" + string(env)
}

// Users lists all users of a deployment, in a fixed order.
func Users() []User {
	users := []User{gateway(), courier()}
	for _, env := range contracts.Environments {
		for _, p := range contracts.Products {
			users = append(users, productWorker(env, p))
		}
		users = append(users, captchaWorker(env))
	}
	users = append(users, provision(), operator(), backup(), restore())
	for i := range users {
		witness(&users[i])
		slices.Sort(users[i].Publish)
		users[i].Publish = slices.Compact(users[i].Publish)
	}
	return users
}

const (
	any  = "*"
	rest = ">"
)

func gateway() User {
	return newUser(contracts.Gateway,
		publish(allRequests()...),
		read(contracts.KeysBucket, any), watch(contracts.KeysBucket, rest),
		readWrite(contracts.LimitsBucket, any),
		read(contracts.AnswersBucket, rest), readWrite(contracts.FlightsBucket, contracts.ConfirmLease),
		watch(contracts.PortfoliosBucket, any+"."+any),
		read(contracts.SourcesBucket, rest),
		publish(contracts.UsageSubject(any).Name), inspect(contracts.UsageStream), followAll(contracts.UsageStream),
		readWrite(contracts.ReceiptsBucket, any), readWrite(contracts.AgreementsBucket, rest),
		readWrite(contracts.AuditsBucket, rest),
		readWrite(contracts.RepliesBucket, rest), readWrite(contracts.PortfoliosBucket, rest),
		readWrite(contracts.SharesBucket, rest),
		readDocuments(contracts.Live), readDocuments(contracts.Test),
		inspect(contracts.ChangesStream), followAll(contracts.ChangesStream),
		readWrite(contracts.EndpointsBucket, rest),
		pull(contracts.DeliveriesStream, deliveries), publish(deliveries), // it removes those of an endpoint that is deleted
	)
}

var deliveries = contracts.DeliverySubject(any + "." + any + "." + any).Name

// courier delivers changes to endpoints of both environments, which it follows as it does the keys of their tenants,
// and looks into the portfolios that some name.
func courier() User {
	return newUser(contracts.Courier,
		read(contracts.KeysBucket, any), watch(contracts.KeysBucket, rest),
		readWrite(contracts.EndpointsBucket, any+"."+any+"."+any), watch(contracts.EndpointsBucket, any+"."+any+"."+any),
		read(contracts.PortfoliosBucket, rest), readWrite(contracts.FlightsBucket, contracts.CourierLease),
		inspect(contracts.ChangesStream), followAll(contracts.ChangesStream), publish(deliveries),
	)
}

// productWorker answers the product's requests, keeps documents, reads kept ones, publishes what changed, fills the
// cache and publishes its listings, the last two under keys such as "live.ltl.>".
func productWorker(env contracts.Environment, p contracts.Product) User {
	keys := string(env) + "." + string(p) + ".>"
	return newUser(Name(p.Worker(), env),
		serve(p.Worker(), requests(env, p)...),
		publish(contracts.EvidenceSubject(env, p, any).Name), readDocuments(env),
		readWrite(contracts.AnswersBucket, keys), readWrite(contracts.FlightsBucket, keys),
		readWrite(contracts.SourcesBucket, keys),
		publish(contracts.ChangeSubject(env, p, any, rest).Name), inspect(contracts.ChangesStream),
		further(env, p))
}

// further is what the worker of one product does besides.
func further(env contracts.Environment, p contracts.Product) grant {
	switch p {
	case contracts.LTL:
		return all(
			watch(contracts.WeeksBucket, string(env)+".>"), readWrite(contracts.WeeksBucket, string(env)+".>"),
			watch(contracts.TariffsBucket, string(env)+".*.*"), readWrite(contracts.TariffsBucket, string(env)+".*.*"),
			watch(contracts.WordingBucket, string(env)+".>"), read(contracts.WordingBucket, string(env)+".>"),
			write(contracts.WordingBucket, string(env)+".*.learned"), write(contracts.WordingBucket, string(env)+".*.doubts"),
			publish(contracts.EventSubject(env, contracts.EventRevision).Name),
			pull(contracts.EventsStream, contracts.EventSubject(env, contracts.EventRevision).Name),
			inspect(contracts.EventsStream),
			enqueue(env, contracts.Render),
		)
	case contracts.ABC:
		return all(
			readWrite(contracts.MirrorsBucket, string(env)+".>"), objects(contracts.MirrorsStore),
			enqueue(env, contracts.Solve, contracts.Render), publish(contracts.SolverSubject(env).Name),
			publish(contracts.FileSubject(env, contracts.ABC, any).Name),
			readWrite(contracts.ComparedBucket, string(env)+".abc.*"),
		)
	}
	return all()
}

func captchaWorker(env contracts.Environment) User {
	return newUser(Name(contracts.CaptchaWorker, env),
		serve(contracts.CaptchaWorker, contracts.SolverSubject(env).Name),
		work(env, contracts.Solve), work(env, contracts.Render),
		readWrite(contracts.CreditsBucket, string(env)+".>"),
	)
}

// requests are the subjects on which the worker of a product answers, and which the gateway asks.
func requests(env contracts.Environment, p contracts.Product) []string {
	var names []string
	for _, s := range p.Requests(env) {
		names = append(names, s.Name)
	}
	return names
}

// allRequests are those of every product in every environment.
func allRequests() []string {
	var names []string
	for _, env := range contracts.Environments {
		for _, p := range contracts.Products {
			names = append(names, requests(env, p)...)
		}
	}
	return names
}

func provision() User {
	births := contracts.BirthsBucket
	return newUser(Provision, publish("$JS.API.INFO"), readWrite(births, any), func(u *User) {
		for _, stream := range append(streams(), births.Stream()) {
			publish(api("STREAM.INFO", stream), api("STREAM.CREATE", stream), api("STREAM.UPDATE", stream))(u)
		}
		// The sandbox's words are accepted when an environment begins.
		all(read(contracts.WordingBucket, string(contracts.Test)+".*.accepted"),
			write(contracts.WordingBucket, string(contracts.Test)+".*.accepted"))(u)
		for _, env := range contracts.Environments {
			for _, kind := range contracts.JobKinds {
				publish(api("CONSUMER.CREATE", contracts.JobsStream.Name) + "." + jobs.ConsumerName(env, kind) + "." +
					contracts.JobSubject(env, kind).Name)(u)
			}
		}
	})
}

func operator() User {
	return newUser(Operator,
		readWrite(contracts.KeysBucket, any), watch(contracts.KeysBucket, rest),
		readWrite(contracts.EndpointsBucket, any+"."+any+"."+any), watch(contracts.EndpointsBucket, any+"."+any+"."+any),
		readWrite(contracts.CreditsBucket, rest),
		read(contracts.SourcesBucket, rest),
		readWrite(contracts.WeeksBucket, rest), watch(contracts.WeeksBucket, rest),
		// What is taken back ends the stored answers that rest on it.
		readWrite(contracts.AnswersBucket, any+".ltl.>"), read(contracts.FlightsBucket, any+".ltl.>"),
		read(contracts.TariffsBucket, rest), watch(contracts.TariffsBucket, rest),
		read(contracts.WordingBucket, rest), watch(contracts.WordingBucket, rest),
		write(contracts.WordingBucket, any+".*.accepted"), write(contracts.WordingBucket, any+".*.learned"),
		readDocuments(contracts.Live), readDocuments(contracts.Test),
		followAll(contracts.UsageStream),
		readWrite(contracts.ComparedBucket, rest), bind(contracts.ChangesStream.Name),
		publish(api("CONSUMER.INFO", contracts.JobsStream.Name)+".*"), bind(contracts.JobsStream.Name),
		bind(contracts.EventsStream.Name),
		publish("$SRV.>"),
	)
}

// lasting lists what must last: buckets, and streams that only grow.
func lasting() (buckets []contracts.Bucket, streams []contracts.Stream) {
	for _, b := range contracts.Buckets {
		if !b.Disposable && b != contracts.WitnessesBucket {
			buckets = append(buckets, b)
		}
	}
	for _, s := range contracts.Streams {
		if !contracts.Disposable(s.Name) {
			streams = append(streams, s)
		}
	}
	return buckets, streams
}

func backup() User {
	return newUser(Backup, func(u *User) {
		buckets, streams := lasting()
		for _, b := range buckets {
			all(bind(b.Stream()), publish(api("STREAM.MSG.GET", b.Stream())))(u)
			if b.History == 1 {
				continue
			}
			for _, operation := range []string{"CONSUMER.CREATE", "CONSUMER.INFO", "CONSUMER.MSG.NEXT", "CONSUMER.DELETE"} {
				publish(api(operation, b.Stream()) + ".*")(u)
			}
		}
		for _, s := range streams {
			all(bind(s.Name), publish(api("STREAM.SNAPSHOT", s.Name), "$JS.SNAPSHOT.ACK."+s.Name+".>"))(u)
		}
	})
}

func restore() User {
	return newUser(Restore, func(u *User) {
		buckets, growing := lasting()
		for _, b := range buckets {
			all(bind(b.Stream()), publish(api("STREAM.CREATE", b.Stream())), write(b, rest))(u)
		}
		publish(api("STREAM.CREATE", contracts.WitnessesBucket.Stream()))(u)
		for _, s := range growing {
			all(bind(s.Name), publish(api("STREAM.RESTORE", s.Name), "$JS.SNAPSHOT.RESTORE."+s.Name+".>"))(u)
		}
		for _, stream := range streams() {
			publish(api("STREAM.DELETE", stream))(u)
		}
	})
}

// Streams lists the streams, those of buckets included, that the user of that name works with; none when there is no
// such user.
func Streams(user string) []string {
	for _, u := range Users() {
		if u.Name == user {
			return bound(u)
		}
	}
	return nil
}

// bound lists the streams that a user may learn about.
func bound(u User) []string {
	var names []string
	for _, subject := range u.Publish {
		if name, ok := strings.CutPrefix(subject, api("STREAM.INFO", "")); ok {
			names = append(names, name)
		}
	}
	return names
}

// streams lists every stream by its name on the server.
func streams() []string {
	var names []string
	for _, b := range contracts.Buckets {
		names = append(names, b.Stream())
	}
	for _, s := range contracts.Streams {
		names = append(names, s.Name)
	}
	return append(names, contracts.MirrorsStream)
}
