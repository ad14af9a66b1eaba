package install_test

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"assay.dev/contracts"
	"assay.dev/platform/access"
	"assay.dev/platform/clock/clocktest"
)

func TestTheDeployedAccountsAreCurrent(t *testing.T) {
	if read(t, filepath.Join(configDir, "accounts.conf")) != access.Config() {
		t.Error("run: assay accounts >deploy/k8s/base/nats/accounts.conf")
	}
}

// class is a kind of subject together with everybody who may use it. Users are named as roles: "live" and "test" in
// a name stand for themselves, so that the environments are told apart.
type class struct {
	subjects []string
	users    []string
}

// binding says which services know of a stream at all.
var binding = map[string][]string{
	"KV_assay_keys":          {"gateway", "courier", "operator"},
	"KV_assay_limits":        {"gateway"},
	"KV_assay_receipts":      {"gateway"},
	"KV_assay_agreements":    {"gateway"},
	"KV_assay_audits":        {"gateway"},
	"KV_assay_replies":       {"gateway"},
	"KV_assay_portfolios":    {"gateway", "courier"},
	"KV_ASSAY_ENDPOINTS":     {"gateway", "courier", "operator"},
	"ASSAY_DELIVERIES":       {"gateway"},
	"KV_assay_shares":        {"gateway"},
	"KV_assay_answers":       {"gateway", "ltl-worker-live", "ltl-worker-test", "abc-worker-live", "abc-worker-test", "operator"},
	"KV_assay_flights":       {"gateway", "courier", "ltl-worker-live", "ltl-worker-test", "abc-worker-live", "abc-worker-test", "operator"},
	"KV_assay_weeks":         {"ltl-worker-live", "ltl-worker-test", "operator"},
	"KV_assay_tariffs":       {"ltl-worker-live", "ltl-worker-test", "operator"},
	"KV_assay_wording":       {"ltl-worker-live", "ltl-worker-test", "operator"},
	"KV_assay_sources":       {"gateway", "ltl-worker-live", "ltl-worker-test", "abc-worker-live", "abc-worker-test", "operator"},
	"KV_assay_job_results":   {"ltl-worker-live", "ltl-worker-test", "abc-worker-live", "abc-worker-test", "captcha-worker-live", "captcha-worker-test"},
	"KV_assay_credits":       {"captcha-worker-live", "captcha-worker-test", "operator"},
	"KV_assay_mirrors":       {"abc-worker-live", "abc-worker-test"},
	"KV_assay_compared":      {"abc-worker-live", "abc-worker-test", "operator"},
	"ASSAY_CHANGES":          {"gateway", "courier", "ltl-worker-live", "ltl-worker-test", "abc-worker-live", "abc-worker-test", "operator"},
	"OBJ_assay_mirror_files": {"abc-worker-live", "abc-worker-test"},
	"KV_assay_witnesses":     {"gateway", "courier", "ltl-worker-live", "ltl-worker-test", "abc-worker-live", "abc-worker-test", "captcha-worker-live", "captcha-worker-test", "operator"},
	"ASSAY_USAGE":            {"gateway", "operator"},
	"ASSAY_JOBS":             {"operator"},
	"ASSAY_EVENTS":           {"ltl-worker-live", "ltl-worker-test", "operator"},
	"ASSAY_EVIDENCE_LIVE":    {"gateway", "ltl-worker-live", "abc-worker-live", "operator"},
	"ASSAY_EVIDENCE_TEST":    {"gateway", "ltl-worker-test", "abc-worker-test", "operator"},
	"ASSAY_FILES_LIVE":       {"gateway", "ltl-worker-live", "abc-worker-live", "operator"},
	"ASSAY_FILES_TEST":       {"gateway", "ltl-worker-test", "abc-worker-test", "operator"},
}

// witnessing says who notes what is seen of a stream: who works with one that must last. The user provision does for each.
var witnessing = []string{
	"KV_assay_keys", "KV_assay_receipts", "KV_assay_agreements", "KV_assay_audits", "KV_assay_replies", "KV_assay_portfolios", "KV_assay_shares", "KV_ASSAY_ENDPOINTS", "KV_assay_weeks", "KV_assay_tariffs", "KV_assay_wording", "KV_assay_credits", "KV_assay_compared",
	"ASSAY_USAGE", "ASSAY_EVENTS", "ASSAY_CHANGES",
	"ASSAY_EVIDENCE_LIVE", "ASSAY_EVIDENCE_TEST", "ASSAY_FILES_LIVE", "ASSAY_FILES_TEST",
}

// publishing says who may publish what. It is written by hand, apart from what it checks.
func publishing() []class {
	classes := []class{
		{[]string{"$JS.API.INFO"}, []string{"provision"}},
		{[]string{"$SRV.PING", "$SRV.STATS.ltl-worker"}, []string{"operator"}},
		{[]string{
			"anything", "assay.v1", "assay.v2.live.ltl.surcharge.ODFL", "_INBOX.x.y", "_INBOX_gateway.x", "_INBOX_ltl-worker-live.x", "_R_.x", "$SYS.REQ.SERVER.PING",
			"$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST", "$JS.API.ACCOUNT.PURGE.APP", "$JS.API.SERVER.REMOVE", "$JS.API.META.LEADER.STEPDOWN",
			"$JS.API.STREAM.CREATE.other", "$KV.other.key", "$JS.EVENT.ADVISORY.x", "$JSC.R.x", "$NRG.V.x",
		}, nil},
	}
	births := contracts.BirthsBucket
	classes = append(classes,
		class{entry(births, "streams"), []string{"provision"}},
		class{each(births.Stream(), "STREAM.INFO", "STREAM.CREATE", "STREAM.UPDATE", "STREAM.MSG.GET"), []string{"provision"}},
		class{append(watching(births.Stream(), ">"), each(births.Stream(), "STREAM.DELETE", "STREAM.PURGE", "STREAM.MSG.DELETE", "STREAM.RESTORE")...), nil},
	)
	for stream, users := range binding {
		lasts, bucket := slices.Contains(witnessing, stream), strings.HasPrefix(stream, "KV_")
		witnesses := stream == "KV_assay_witnesses"
		classes = append(classes,
			class{each(stream, "STREAM.INFO"), slices.Concat(users, []string{"provision"}, when(lasts || witnesses, "backup", "restore"))},
			class{each(stream, "STREAM.CREATE"), append(when(lasts && bucket || witnesses, "restore"), "provision")},
			class{each(stream, "STREAM.UPDATE"), []string{"provision"}},
			class{append(each(stream, "STREAM.SNAPSHOT"), "$JS.SNAPSHOT.ACK."+stream+".x.y"), when(lasts && !bucket, "backup")},
			class{append(each(stream, "STREAM.RESTORE"), "$JS.SNAPSHOT.RESTORE."+stream+".x"), when(lasts && !bucket, "restore")},
			class{each(stream, "STREAM.DELETE"), []string{"restore"}},
			class{each(stream, "STREAM.PURGE", "STREAM.MSG.DELETE", "STREAM.LEADER.STEPDOWN", "STREAM.PEER.REMOVE", "CONSUMER.NAMES", "CONSUMER.LIST"), nil},
		)
	}
	weeks := binding["KV_assay_weeks"]
	classes = append(classes,
		class{[]string{"$JS.API.CONSUMER.CREATE.KV_assay_weeks.abcd", "$JS.API.CONSUMER.INFO.KV_assay_weeks.abcd", "$JS.API.CONSUMER.MSG.NEXT.KV_assay_weeks.abcd"}, []string{"backup"}},
		class{[]string{"$JS.API.CONSUMER.DELETE.KV_assay_weeks.abcd"}, append(slices.Clone(weeks), "backup")},
		class{each("KV_assay_weeks", "STREAM.MSG.GET"), []string{"backup"}},
		class{each("KV_assay_tariffs", "STREAM.MSG.GET"), []string{"backup"}},
		class{each("KV_assay_wording", "STREAM.MSG.GET"), []string{"backup"}},
	)
	for _, stream := range witnessing {
		classes = append(classes, class{entry(contracts.WitnessesBucket, stream), append(slices.Clone(binding[stream]), "provision", "restore")})
	}
	classes = append(classes,
		class{entry(contracts.WitnessesBucket, "KV_assay_answers"), nil},
		class{each("KV_assay_witnesses", "STREAM.MSG.GET"), append(slices.Clone(binding["KV_assay_witnesses"]), "provision", "backup", "restore")},
		class{watching("KV_assay_witnesses", ">"), nil},
		class{each("ASSAY_USAGE", "STREAM.MSG.GET"), []string{"gateway"}},
		class{each("ASSAY_EVENTS", "STREAM.MSG.GET"), []string{"ltl-worker-live", "ltl-worker-test"}},
		class{entry(contracts.KeysBucket, "5e884898"), []string{"operator", "restore"}},
		class{entry(contracts.LimitsBucket, "5e884898"), []string{"gateway"}},
		class{entry(contracts.ReceiptsBucket, "5e884898"), []string{"gateway", "restore"}},
		class{entry(contracts.AgreementsBucket, "live.5e884898.acme"), []string{"gateway", "restore"}},
		class{entry(contracts.AuditsBucket, "live.5e884898.0a1b.1"), []string{"gateway", "restore"}},
		class{entry(contracts.RepliesBucket, "live.5e884898.0a1b"), []string{"gateway", "restore"}},
		class{entry(contracts.PortfoliosBucket, "live.5e884898.bars"), []string{"gateway", "restore"}},
		class{entry(contracts.SharesBucket, "proof.5e884898"), []string{"gateway", "restore"}},
		class{watching("KV_assay_keys", "$KV.assay_keys.>"), []string{"gateway", "courier", "operator"}},
		class{each("KV_assay_keys", "STREAM.MSG.GET"), []string{"gateway", "courier", "operator", "backup"}},
		class{each("KV_assay_flights", "STREAM.MSG.GET"), []string{"gateway", "courier", "ltl-worker-live", "ltl-worker-test", "abc-worker-live", "abc-worker-test", "operator"}},
		class{each("KV_assay_job_results", "STREAM.MSG.GET"), binding["KV_assay_job_results"]},
		class{each("KV_assay_answers", "STREAM.MSG.GET"), nil},
		class{watching("KV_assay_weeks", "")[2:], []string{"ltl-worker-live", "ltl-worker-test", "operator"}},
		class{watching("KV_assay_tariffs", "")[1:], []string{"ltl-worker-live", "ltl-worker-test", "operator"}},
		class{watching("KV_assay_wording", "")[1:], []string{"ltl-worker-live", "ltl-worker-test", "operator"}},
		class{watching("KV_assay_job_results", ">"), nil},
		class{watching("OBJ_assay_mirror_files", "$O.assay_mirror_files.C.x"), []string{"abc-worker-live", "abc-worker-test"}},
		class{watching("ASSAY_USAGE", ">"), []string{"gateway", "operator"}},
		class{watching("ASSAY_CHANGES", ">"), []string{"gateway", "courier"}},
		class{[]string{"$JS.API.CONSUMER.CREATE.ASSAY_CHANGES.abcd", "$JS.API.CONSUMER.MSG.NEXT.ASSAY_CHANGES.abcd", "$JS.API.CONSUMER.INFO.ASSAY_CHANGES.abcd"}, []string{"gateway", "courier"}},
		class{each("ASSAY_CHANGES", "STREAM.MSG.GET"), []string{"gateway", "courier", "ltl-worker-live", "ltl-worker-test", "abc-worker-live", "abc-worker-test"}},
		class{each("KV_assay_compared", "STREAM.MSG.GET"), []string{"abc-worker-live", "abc-worker-test", "operator", "backup"}},
		class{append(watching("ASSAY_EVENTS", "")[1:], "$JS.API.CONSUMER.MSG.NEXT.ASSAY_EVENTS.abcd"), []string{"ltl-worker-live", "ltl-worker-test"}},
		class{[]string{"$JS.API.DIRECT.GET.OBJ_assay_mirror_files.$O.assay_mirror_files.M.x"}, []string{"abc-worker-live", "abc-worker-test"}},
		class{each("KV_assay_limits", "STREAM.MSG.GET"), []string{"gateway"}},
		class{each("KV_assay_receipts", "STREAM.MSG.GET"), []string{"gateway", "backup"}},
		class{each("KV_assay_agreements", "STREAM.MSG.GET"), []string{"gateway", "backup"}},
		class{each("KV_assay_audits", "STREAM.MSG.GET"), []string{"gateway", "backup"}},
		class{each("KV_assay_replies", "STREAM.MSG.GET"), []string{"gateway", "backup"}},
		class{each("KV_assay_portfolios", "STREAM.MSG.GET"), []string{"gateway", "courier", "backup"}},
		class{each("KV_ASSAY_ENDPOINTS", "STREAM.MSG.GET"), []string{"gateway", "courier", "operator", "backup"}},
		class{entry(contracts.EndpointsBucket, "live.5e884898.4rqj"), []string{"gateway", "courier", "operator", "restore"}},
		class{entry(contracts.EndpointsBucket, "live.5e884898"), []string{"gateway", "restore"}},
		class{entry(contracts.FlightsBucket, "courier"), []string{"courier"}},
		class{entry(contracts.FlightsBucket, "confirm"), []string{"gateway"}},
		class{watching("KV_assay_portfolios", "$KV.assay_portfolios.*.*"), []string{"gateway"}},
		class{watching("KV_ASSAY_ENDPOINTS", "$KV.ASSAY_ENDPOINTS.*.*.*"), []string{"courier", "operator"}},
		class{append(watching("ASSAY_DELIVERIES", "assay.v1.live.deliveries.5e884898.4rqj"), "$JS.API.CONSUMER.MSG.NEXT.ASSAY_DELIVERIES.abcd"), []string{"gateway"}},
		class{[]string{"assay.v1.live.deliveries.5e884898.4rqj", "assay.v1.test.deliveries.5e884898.4rqj"}, []string{"gateway", "courier"}},
		class{each("KV_assay_shares", "STREAM.MSG.GET"), []string{"gateway", "backup"}},
		class{[]string{"$JS.API.STREAM.MSG.GET.KV_assay_credits"}, []string{"captcha-worker-live", "captcha-worker-test", "operator", "backup"}},
		class{[]string{"$JS.API.STREAM.MSG.GET.KV_assay_mirrors"}, []string{"abc-worker-live", "abc-worker-test"}},
		class{[]string{"$O.assay_mirror_files.C.x", "$O.assay_mirror_files.M.x"}, []string{"abc-worker-live", "abc-worker-test"}},
		class{[]string{"assay.v1.live.usage.ltl", "assay.v1.live.usage.abc"}, []string{"gateway"}},
		class{[]string{"$JS.API.CONSUMER.CREATE.ASSAY_USAGE.abcd", "$JS.API.CONSUMER.MSG.NEXT.ASSAY_USAGE.abcd", "$JS.API.CONSUMER.INFO.ASSAY_USAGE.abcd"}, []string{"gateway", "operator"}},
		class{each("ASSAY_JOBS", "CONSUMER.CREATE"), nil},
		class{[]string{"assay.v1.test.usage.ltl", "$JS.API.CONSUMER.DELETE.ASSAY_JOBS.live-solve", "$JS.API.CONSUMER.PAUSE.ASSAY_JOBS.live-solve", "$JS.API.CONSUMER.CREATE.ASSAY_JOBS.other"}, nil},
	)
	for _, env := range contracts.Environments {
		classes = append(classes, perEnvironment(string(env))...)
	}
	return classes
}

func perEnvironment(env string) []class {
	ltl, abc, captcha := "ltl-worker-"+env, "abc-worker-"+env, "captcha-worker-"+env
	var requests []string
	for _, c := range contracts.Carriers {
		requests = append(requests, "assay.v1."+env+".ltl.surcharge."+string(c), "assay.v1."+env+".ltl.history."+string(c),
			"assay.v1."+env+".ltl.table."+string(c))
	}
	requests = append(requests, "assay.v1."+env+".ltl.diesel", "assay.v1."+env+".ltl.verify", "assay.v1."+env+".abc.verify")
	for _, s := range contracts.States {
		requests = append(requests, "assay.v1."+env+".abc.license."+string(s), "assay.v1."+env+".abc.search."+string(s),
			"assay.v1."+env+".abc.match."+string(s), "assay.v1."+env+".abc.members."+string(s))
	}
	direct := func(b contracts.Bucket, key string) string {
		return "$JS.API.DIRECT.GET.KV_" + b.Name + ".$KV." + b.Name + "." + key
	}
	return []class{
		{requests, []string{"gateway"}},
		{[]string{"assay.v1." + env + ".jobs.solve", "assay.v1." + env + ".captcha.solver"}, []string{abc}},
		{[]string{"assay.v1." + env + ".jobs.render"}, []string{abc, ltl}},
		{[]string{"assay.v1." + env + ".events.ltl-revision"}, []string{ltl}},
		{[]string{"assay.v1." + env + ".events.other"}, nil},
		{[]string{"assay.v1." + env + ".evidence.ltl.ODFL"}, []string{ltl}},
		{[]string{"assay.v1." + env + ".evidence.abc.CA", "assay.v1." + env + ".files.abc.CA"}, []string{abc}},
		{[]string{"assay.v1." + env + ".files.ltl.ODFL", "assay.v1." + env + ".evidence.ODFL"}, nil},
		{each("ASSAY_EVIDENCE_"+strings.ToUpper(env), "DIRECT.GET"), []string{"gateway", ltl, abc, "operator"}},
		{each("ASSAY_FILES_"+strings.ToUpper(env), "DIRECT.GET"), []string{"gateway", ltl, abc, "operator"}},
		{append(watching("ASSAY_EVIDENCE_"+strings.ToUpper(env), ">"), each("ASSAY_EVIDENCE_"+strings.ToUpper(env), "STREAM.MSG.GET")...), nil},
		{entry(contracts.AnswersBucket, env+".ltl.ODFL"), []string{ltl, "operator"}},
		{entry(contracts.FlightsBucket, env+".ltl.ODFL.7"), []string{ltl}},
		{entry(contracts.WeeksBucket, env+".ODFL.2026-11-16"), []string{ltl, "operator", "restore"}},
		{entry(contracts.WeeksBucket, env+".v2.ODFL.2026-11-16.3"), []string{ltl, "operator", "restore"}},
		{entry(contracts.TariffsBucket, env+".ESTES.1"), []string{ltl, "restore"}},
		{entry(contracts.TariffsBucket, env+".diesel.2026"), []string{ltl, "restore"}},
		{entry(contracts.WordingBucket, env+".SAIA.accepted"), append([]string{"operator", "restore"}, when(env == "test", "provision")...)},
		{entry(contracts.WordingBucket, env+".SAIA.learned"), []string{ltl, "operator", "restore"}},
		{entry(contracts.WordingBucket, env+".SAIA.doubts"), []string{ltl, "restore"}},
		{entry(contracts.SourcesBucket, env+".ltl.ODFL"), []string{ltl}},
		{entry(contracts.AnswersBucket, env+".abc.license.CA.5e88"), []string{abc}},
		{entry(contracts.FlightsBucket, env+".abc.search.CA.5e88.7"), []string{abc}},
		{entry(contracts.FlightsBucket, env+".ltl.turn.ODFL"), []string{ltl}},
		{entry(contracts.FlightsBucket, env+".abc.turn.CA"), []string{abc}},
		{entry(contracts.MirrorsBucket, env+".tx"), []string{abc}},
		{entry(contracts.ComparedBucket, env+".abc.CA"), []string{abc, "operator", "restore"}},
		{entry(contracts.ComparedBucket, env+".ltl.ODFL"), []string{"operator", "restore"}},
		{[]string{"assay.v1." + env + ".changes.abc.CA.license.status_changed", "assay.v1." + env + ".changes.abc.CA.source.degraded"}, []string{abc}},
		{[]string{"assay.v1." + env + ".changes.ltl.ODFL.surcharge.published", "assay.v1." + env + ".changes.ltl.ESTES.table.replaced"}, []string{ltl}},
		{entry(contracts.SourcesBucket, env+".abc.CA"), []string{abc}},
		{entry(contracts.ResultsBucket, env+".solve.x"), []string{captcha}},
		{entry(contracts.ResultsBucket, env+".render.x"), []string{captcha}},
		{entry(contracts.CreditsBucket, env+".render.2026-11"), []string{captcha, "operator", "restore"}},
		{[]string{direct(contracts.AnswersBucket, env+".ltl.ODFL")}, []string{ltl, "gateway", "operator"}},
		{[]string{direct(contracts.AnswersBucket, env+".abc.license.CA.5e88")}, []string{abc, "gateway"}},
		{[]string{direct(contracts.SourcesBucket, env+".ltl.ODFL")}, []string{ltl, "gateway", "operator"}},
		{[]string{direct(contracts.SourcesBucket, env+".abc.CA")}, []string{abc, "gateway", "operator"}},
		{[]string{direct(contracts.WeeksBucket, env+".ODFL.2026-11-16")}, []string{ltl, "operator"}},
		{[]string{"$JS.API.CONSUMER.CREATE.KV_assay_weeks.abcd.$KV.assay_weeks." + env + ".ODFL.*"}, []string{ltl, "operator"}},
		{[]string{"$JS.API.CONSUMER.CREATE.ASSAY_EVENTS.abcd.assay.v1." + env + ".events.ltl-revision"}, []string{ltl}},
		{[]string{direct(contracts.TariffsBucket, env+".ESTES.1")}, []string{ltl, "operator"}},
		{[]string{"$JS.API.CONSUMER.CREATE.KV_assay_tariffs.abcd.$KV.assay_tariffs." + env + ".ESTES.*"}, []string{ltl, "operator"}},
		{[]string{direct(contracts.WordingBucket, env+".SAIA.accepted")}, append([]string{ltl, "operator"}, when(env == "test", "provision")...)},
		{[]string{direct(contracts.WordingBucket, env+".SAIA.doubts")}, []string{ltl, "operator"}},
		{[]string{"$JS.API.CONSUMER.CREATE.KV_assay_wording.abcd.$KV.assay_wording." + env + ".SAIA.*"}, []string{ltl, "operator"}},
		{[]string{"$JS.API.CONSUMER.CREATE.KV_assay_job_results.abcd.$KV.assay_job_results." + env + ".solve.x"}, nil},
		{[]string{
			"$JS.API.CONSUMER.MSG.NEXT.ASSAY_JOBS." + env + "-solve", "$JS.API.CONSUMER.MSG.NEXT.ASSAY_JOBS." + env + "-render",
			"$JS.ACK.ASSAY_JOBS." + env + "-solve.1.2.3.4.5", "$JS.ACK.ASSAY_JOBS." + env + "-render.1.2.3.4.5",
		}, []string{captcha}},
		{[]string{"$JS.API.CONSUMER.INFO.ASSAY_JOBS." + env + "-solve", "$JS.API.CONSUMER.INFO.ASSAY_JOBS." + env + "-render"}, []string{captcha, "operator"}},
		{[]string{
			"$JS.API.CONSUMER.CREATE.ASSAY_JOBS." + env + "-solve.assay.v1." + env + ".jobs.solve",
			"$JS.API.CONSUMER.CREATE.ASSAY_JOBS." + env + "-render.assay.v1." + env + ".jobs.render",
		}, []string{"provision"}},
	}
}

// subscribing says who may subscribe to what.
func subscribing() []class {
	classes := []class{
		{[]string{">", "assay.>", "assay.v1.>", "$JS.>", "$KV.>", "$KV.assay_keys.>", "$O.>", "_INBOX.>", "_INBOX_gateway", "*.>", "$SRV.>", "$SYS.>"}, nil},
		{[]string{"assay.v1.live.usage.ltl", "assay.v1.live.jobs.solve", "assay.v1.test.jobs.solve", "assay.v1.live.events.>", "$JS.API.>", "$JS.ACK.>", "$JS.EVENT.>"}, nil},
		{[]string{"assay.v1.live.ltl.surcharge.ODFL spy", "assay.v1.live.ltl.surcharge.ODFL", "assay.v1.test.abc.license.TX", "assay.v1.live.abc.search.CA gateway"}, nil},
	}
	var workers []string
	for _, env := range contracts.Environments {
		ltl, abc, captcha := "ltl-worker-"+string(env), "abc-worker-"+string(env), "captcha-worker-"+string(env)
		workers = append(workers, ltl, abc, captcha)
		classes = append(classes,
			class{[]string{
				"assay.v1." + string(env) + ".ltl.surcharge.ODFL ltl-worker", "assay.v1." + string(env) + ".ltl.history.ODFL ltl-worker",
				"assay.v1." + string(env) + ".ltl.table.ODFL ltl-worker", "assay.v1." + string(env) + ".ltl.diesel ltl-worker",
				"assay.v1." + string(env) + ".ltl.verify ltl-worker",
			}, []string{ltl}},
			class{[]string{
				"assay.v1." + string(env) + ".abc.license.TX abc-worker", "assay.v1." + string(env) + ".abc.search.CA abc-worker",
				"assay.v1." + string(env) + ".abc.match.CA abc-worker", "assay.v1." + string(env) + ".abc.members.CA abc-worker",
				"assay.v1." + string(env) + ".abc.verify abc-worker",
			}, []string{abc}},
			class{[]string{"assay.v1." + string(env) + ".captcha.solver captcha-worker"}, []string{captcha}},
		)
	}
	classes = append(classes,
		class{[]string{"$SRV.PING", "$SRV.INFO", "$SRV.STATS"}, workers},
	)
	for _, verb := range []string{"PING", "INFO", "STATS"} {
		for _, s := range []string{"ltl-worker", "abc-worker", "captcha-worker"} {
			classes = append(classes, class{[]string{"$SRV." + verb + "." + s, "$SRV." + verb + "." + s + ".x"}, []string{s + "-live", s + "-test"}})
		}
	}
	for _, u := range access.Users() {
		classes = append(classes, class{[]string{"_INBOX_" + u.Name + ".>", "_INBOX_" + u.Name + ".x.*"}, []string{u.Name}})
	}
	return classes
}

func TestEveryUserMayDoItsOwnAndNothingElse(t *testing.T) {
	d := startNATS(t)
	d.provision(t)
	pub, sub := publishing(), subscribing()
	for _, u := range access.Users() {
		t.Run(u.Name, func(t *testing.T) {
			denied := d.probe(t, u.Name, pub, sub)
			check(t, u.Name, "publish", pub, denied["Publish"])
			check(t, u.Name, "subscribe", sub, denied["Subscription"])
		})
	}
}

// TestTheMatrixKnowsEveryGrant keeps a new permission from going untested.
func TestTheMatrixKnowsEveryGrant(t *testing.T) {
	for _, u := range access.Users() {
		for _, granted := range u.Publish {
			if !covered(granted, u.Name, publishing()) {
				t.Errorf("%s may publish %s, and no test says so", u.Name, granted)
			}
		}
		for _, granted := range u.Subscribe {
			if !covered(granted, u.Name, subscribing()) {
				t.Errorf("%s may subscribe %s, and no test says so", u.Name, granted)
			}
		}
	}
}

func covered(granted, user string, classes []class) bool {
	for _, c := range classes {
		if slices.Contains(c.users, user) && slices.ContainsFunc(c.subjects, func(s string) bool {
			subject, queue, _ := strings.Cut(s, " ")
			pattern, group, _ := strings.Cut(granted, " ")
			return queue == group && server.SubjectsCollide(subject, pattern)
		}) {
			return true
		}
	}
	return false
}

func check(t *testing.T, user, what string, classes []class, denied map[string]bool) {
	t.Helper()
	for _, c := range classes {
		for _, s := range c.subjects {
			if may := slices.Contains(c.users, user); may == denied[s] {
				t.Errorf("%s may %s %s: %t, want %t", user, what, s, !denied[s], may)
			}
		}
	}
}

// when is users where a condition holds.
func when(holds bool, users ...string) []string {
	if !holds {
		return nil
	}
	return users
}

// nobodyMay is a subject that no user may publish to.
const nobodyMay = "nobody.may"

// probe tries every subject as a user and returns what the server refused, by the verb it uses.
func (d deployment) probe(t *testing.T, user string, pub, sub []class) map[string]map[string]bool {
	t.Helper()
	var mu sync.Mutex
	denied := map[string]map[string]bool{"Publish": {}, "Subscription": {}}
	pair, err := nkeys.FromSeed([]byte(d.seed(t, user)))
	if err != nil {
		t.Fatal(err)
	}
	public, _ := pair.PublicKey()
	conn, err := nats.Connect(d.url, nats.RootCAs(d.caFile()), nats.Nkey(public, pair.Sign),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			verb, subject := violation(err)
			mu.Lock()
			defer mu.Unlock()
			if denied[verb] == nil {
				t.Errorf("unexpected: %v", err)
				return
			}
			denied[verb][subject] = true
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, c := range pub {
		for _, s := range c.subjects {
			if err := conn.Publish(s, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range sub {
		for _, s := range c.subjects {
			subject, queue, _ := strings.Cut(s, " ")
			if _, err := conn.QueueSubscribeSync(subject, queue); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := conn.Publish(nobodyMay, nil); err != nil {
		t.Fatal(err)
	}
	clocktest.Await(t, "the last refusal arrives", func() bool { // they arrive in the order of the attempts
		mu.Lock()
		defer mu.Unlock()
		return denied["Publish"][nobodyMay]
	})
	mu.Lock()
	defer mu.Unlock()
	return denied
}

// violation reads: nats: permissions violation: Permissions Violation for Subscription to "a.b" using queue "q"
func violation(err error) (verb, subject string) {
	_, text, _ := strings.Cut(err.Error(), "Permissions Violation for ")
	verb, text, _ = strings.Cut(text, " to ")
	parts := strings.Split(text, `"`)
	if len(parts) > 1 {
		subject = parts[1]
	}
	if len(parts) > 3 {
		subject += " " + parts[3]
	}
	return verb, subject
}

// watching is what a consumer of one's own takes.
func watching(stream, filter string) []string {
	return []string{"$JS.API.CONSUMER.CREATE." + stream + ".abcd." + filter, "$JS.API.CONSUMER.DELETE." + stream + ".abcd", "$JS.FC." + stream + ".x.y"}
}

func each(stream string, operations ...string) []string {
	var subjects []string
	for _, o := range operations {
		subjects = append(subjects, "$JS.API."+o+"."+stream)
	}
	return subjects
}

func entry(b contracts.Bucket, key string) []string { return []string{"$KV." + b.Name + "." + key} }
