package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
	"assay.dev/platform/clock/clocktest"
)

// storeFaults are those of streams and buckets.
var storeFaults = []fault{
	{
		name: "the bucket of keys is deleted, and restored", run: deletedKeys,
		must: "not made anew without --accept-loss; 503, never 401; restored by `assay restore`",
	},
	{
		name: "the streams of evidence are deleted", run: deletedEvidence,
		must: "answers go on and say EVIDENCE_NOT_KEPT",
	},
	{
		name: "corrupt entries and such of another schema in the cache", run: corruptAnswers,
		must: "a miss, never a 5xx",
	},
	{
		name: "a backup of the loaded system", run: backupUnderLoad,
		must: "every acknowledged write of before it is in it",
	},
	{
		name: "a publish with a mismatched Nats-Expected-Last-Msg-Id", run: mismatchedMessageID,
		must: "the metric behind the alert says so within a minute; the runbook's repair works",
	},
}

func deletedKeys(r *row) {
	d := r.ownSystem()
	folder := must(r.T, d.environ, "backup", r.TempDir())
	js := d.jetStream(r.T)
	r.need(js.DeleteStream(r.Context(), contracts.KeysBucket.Stream()))
	g := (*d.gateways.Load())[0]
	counts := map[int]int{}
	for range 50 {
		counts[status(g.api+"/v1/ltl/carriers", neverIssued)]++
		r.need(clock.Sleep(r.Context(), 100*time.Millisecond))
	}
	r.holds(counts[http.StatusUnauthorized] == 0, "in 5 s after the loss a key that no gateway knows got %v, a known one %d", counts, status(g.api+cachedPath, d.key))
	code, _, errs := run(r.T, d.environ, "provision", "--replicas", "3")
	r.holds(code != 0 && strings.Contains(errs, contracts.KeysBucket.Stream()), "`assay provision` exits with %d", code)
	began := time.Now()
	d.putBack(r, folder, contracts.KeysBucket.Stream())
	must(r.T, d.environ, "keys", "confirm")
	took := time.Since(began)
	refused := clocktest.Holds(func() bool { return status(g.api+"/v1/ltl/carriers", neverIssued) == http.StatusUnauthorized })
	r.holds(refused && status(g.api+cachedPath, d.key) == http.StatusOK, "restored and confirmed in %.1f s; %.1f s later the unknown key gets 401 (%t) and the known one %d",
		took.Seconds(), time.Since(began.Add(took)).Seconds(), refused, status(g.api+cachedPath, d.key))
}

func (d *deployed) putBack(r *row, folder, stream string) {
	r.Helper()
	must(r.T, d.environ, "restore", folder, stream, "--replicas", "3")
	must(r.T, d.environ, "provision", "--replicas", "3")
}

// neverIssued is a key in the form of a marketplace's that is in no store.
const neverIssued = "a-key-that-was-never-issued"

func deletedEvidence(r *row) {
	d := r.ownSystem()
	js := d.jetStream(r.T)
	r.need(js.DeleteStream(r.Context(), contracts.EvidenceStream(contracts.Test).Name))
	r.need(js.DeleteStream(r.Context(), contracts.FilesStream(contracts.Test).Name))
	said := 0
	var took time.Duration
	const asked = 12
	for range asked {
		began := time.Now()
		body, err := d.body(d.nextCold())
		took = max(took, time.Since(began))
		r.need(err)
		if strings.Contains(body, "EVIDENCE_NOT_KEPT") {
			said++
		}
	}
	r.holds(said == asked, "%d of %d cold answers were given and said so, the slowest after %s", said, asked, milliseconds(took))
}

// body asks the first gateway for the path.
func (d *deployed) body(path string) (string, error) {
	req, err := http.NewRequest(http.MethodGet, (*d.gateways.Load())[0].api+path, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("X-API-Key", d.key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var text json.RawMessage
	err = json.NewDecoder(resp.Body).Decode(&text)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s %s", path, resp.Status, text)
	}
	return string(text), err
}

func corruptAnswers(r *row) {
	d := r.ownSystem()
	var paths []string
	for range 20 {
		paths = append(paths, d.nextCold())
		_, err := d.body(paths[len(paths)-1])
		r.need(err)
	}
	kv, err := d.jetStream(r.T).KeyValue(r.Context(), contracts.AnswersBucket.Name)
	r.need(err)
	keys, err := kv.Keys(r.Context())
	r.need(err)
	damaged := 0
	for i, key := range keys {
		e, err := kv.Get(r.Context(), key)
		r.need(err)
		value := e.Value()
		switch i % 3 {
		case 0:
			value = append([]byte{}, value[:len(value)/2]...)
		case 1:
			value = []byte(`{"schema":1,"answer":{}}`)
		default:
			value = append([]byte{}, value...)
			for range 8 {
				value[r.IntN(len(value))] ^= byte(1 + r.IntN(255))
			}
		}
		_, err = kv.Put(r.Context(), key, value)
		r.need(err)
		damaged++
	}
	for i := range *d.gateways.Load() { // they forget what they hold in memory
		d.replaceGateway(d.whole, i).terminate(r.T)
	}
	all := d.askAll(append(paths, cachedPath), d.key)
	r.holds(len(all.failed()) == 0, "%d entries damaged (cut, of another schema, 8 bytes changed); %s", damaged, all)
}

func backupUnderLoad(r *row) {
	d := r.ownSystem()
	js := d.jetStream(r.T)
	kv, err := js.KeyValue(r.Context(), contracts.WeeksBucket.Name)
	r.need(err)
	ctx, stop := context.WithCancel(r.Context())
	var acked acknowledged
	var writing sync.WaitGroup
	var folder string
	var before int
	sent := d.observe(0, func() {
		writing.Go(func() { acked.write(ctx, kv) })
		r.need(clock.Sleep(r.Context(), 5*time.Second))
		acked.mu.Lock()
		before = len(acked.keys)
		acked.mu.Unlock()
		began := time.Now()
		folder = must(r.T, d.environ, "backup", r.TempDir())
		r.saw("made in %.1f s", time.Since(began).Seconds())
		stop()
		writing.Wait()
	})
	r.need(js.DeleteStream(r.Context(), contracts.WeeksBucket.Stream()))
	d.putBack(r, folder, contracts.WeeksBucket.Stream())
	kv, err = js.KeyValue(r.Context(), contracts.WeeksBucket.Name)
	r.need(err)
	kept := acknowledged{keys: acked.keys[:before]}
	lost := kept.lost(r, kv)
	r.holds(lost == 0, "%d of %d writes to the archive that were acknowledged before the backup are not in it; %d were acknowledged meanwhile", lost, before, len(acked.keys)-before)
	r.shareFailed(sent, 0)
}

func mismatchedMessageID(r *row) {
	d := r.ownSystem()
	stream := contracts.UsageStream.Name
	conn, js, err := connect(r.Context(), &console{environ: d.environ})
	r.need(err)
	defer conn.Close()
	_, err = js.Publish(r.Context(), contracts.UsageSubject(contracts.LTL).Name, []byte("{}"))
	r.need(err)
	folder := must(r.T, d.environ, "backup", r.TempDir())
	msg := nats.NewMsg(contracts.UsageSubject(contracts.LTL).Name)
	msg.Header.Set("Nats-Expected-Last-Msg-Id", "nobody-sent-this")
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	began := time.Now()
	if reply, err := conn.RequestMsgWithContext(ctx, msg); err == nil {
		r.saw("the publisher is told %s", reply.Data)
	} else {
		r.saw("the publisher is told %v", err)
	}
	silent := func() int {
		return (*d.gateways.Load())[0].metric("store_silent{", stream) + (*d.gateways.Load())[0].metric("store_damaged{", stream)
	}
	said := clocktest.Holds(func() bool { return silent() > 0 })
	led := "none"
	if info, err := js.Stream(r.Context(), stream); err == nil && info.CachedInfo().Cluster != nil {
		led = info.CachedInfo().Cluster.Leader
	}
	r.holds(said, "store_silent or store_damaged of %s is 1 after %.1f s: %t; its leader is then %q", stream, time.Since(began).Seconds(), said, led)
	r.need(js.DeleteStream(r.Context(), stream))
	d.putBack(r, folder, stream)
	whole := clocktest.Holds(func() bool { return silent() == 0 })
	_, err = js.Publish(r.Context(), contracts.UsageSubject(contracts.LTL).Name, []byte("{}"))
	r.holds(whole && err == nil, "deleted and restored: both are 0 again (%t), a publish gives %v", whole, err)
}
