package ltlworker_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/trust"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/evidence"
	"assay.dev/platform/kv"
	"assay.dev/sandbox"
)

// An operator sees what is in doubt and why, in the document that the worker doubted, and accepts it: the answer is clean again within seconds.
func TestOperatorsDay(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	var cfg ltlworker.Config
	s.worker(func(c *ltlworker.Config) { c.Refresh = true; cfg = *c })
	desk, err := ltlworker.OpenSources(t.Context(), cfg, s.js, slog.New(slog.DiscardHandler))
	s.must(err)
	s.takesBack(desk)
	accept := func(want contracts.NoteCode, line string) {
		t.Helper()
		looks, err := desk.InDoubt(t.Context(), contracts.SAIA, "page")
		s.must(err)
		if len(looks) != 1 || !looks[0].Verdict.IsInDoubt() || looks[0].Verdict.Notes[0].Code != want || looks[0].SHA256 == "" ||
			!slices.ContainsFunc(looks[0].Verdict.Unknown, func(l trust.Line) bool { return l.Text == line }) {
			t.Fatalf("%+v", looks)
		}
		e := looks[0].Edition("the test", time.Now(), false)
		if after := looks[0].After(e, time.Now()); after.IsInDoubt() {
			t.Errorf("accepted, and in doubt: %+v", after.Notes)
		}
		s.must(desk.Accept(t.Context(), contracts.SAIA, e))
		clocktest.Await(t, "the answer is clean", func() bool {
			a, err := s.ask(contracts.SAIA)
			return err == nil && !a.InDoubt() && a.Body(4).Verifiability.ExtractionConfidence == 1
		})
		s.namesTheEdition(e)
	}
	accept(contracts.NoteWordingUnknown, "Fuel Surcharges - Saia LTL Freight")
	s.must(s.sandbox.Inject(sandbox.Fault{Host: "www.saia.com", Kind: sandbox.Reworded}))
	s.expire(contracts.SAIA)
	if a, err := s.ask(contracts.SAIA); err != nil || !a.Noted(contracts.NoteWordingChanged) {
		t.Fatalf("%v, %v", a.Notes, err)
	}
	clocktest.Await(t, "the doubt is listed", func() bool { // it is noted behind the answer
		all, err := desk.List(t.Context())
		s.must(err)
		return slices.ContainsFunc(all, func(p ltlworker.SourcePath) bool {
			return p.Source == contracts.SAIA && p.Path == "page" && p.Doubt != nil && p.By == "the test"
		})
	})
	mistake := time.Now()
	accept(contracts.NoteWordingChanged, "The percentages below are a draft and apply to shipments to Canada.")

	back, err := desk.Forget(t.Context(), contracts.SAIA, ltlworker.ToForget{From: mistake}, nobodyWrites)
	if err != nil || back.Answer == nil || len(back.Weeks) > 0 || back.Count != 1 {
		t.Errorf("the second acceptance alone: %+v, %v; its weeks were seen before", back, err)
	}
	if a, err := s.ask(contracts.SAIA); err != nil || !a.Noted(contracts.NoteWordingChanged) {
		t.Errorf("%+v, %v", a.Notes, err)
	}
	s.must(s.js.DeleteStream(t.Context(), contracts.EvidenceStream(contracts.Test).Name))
	if _, err := desk.InDoubt(t.Context(), contracts.SAIA, "page"); err == nil || !strings.Contains(err.Error(), "--read") {
		t.Errorf("without the document: %v, which does not say what to do", err)
	}
}

func nobodyWrites(context.Context) error { return nil }

// takesBack forgets all that was accepted of SAIA: an answer that was read by it is served no longer, and the weeks that were clean by it are not.
func (s *system) takesBack(desk *ltlworker.Sources) {
	s.Helper()
	before, err := s.ask(contracts.SAIA)
	s.must(err)
	if before.InDoubt() {
		s.Fatalf("in doubt before: %+v", before.Notes)
	}
	bucket, err := kv.Open(s.Context(), s.js, contracts.WeeksBucket)
	s.must(err)
	clean := func() (n int) {
		all, err := archive.View(contracts.Test, s.js, bucket, slog.New(slog.DiscardHandler)).Weeks(s.Context(), contracts.SAIA)
		s.must(err)
		for _, w := range all {
			if _, ok := w.Clean(); ok {
				n++
			}
		}
		return n
	}
	before.ReadAt = time.Now().Add(time.Hour) // the worker's clock is ahead of the operator's
	s.restore(contracts.SAIA, func(a *contracts.SurchargeAnswer) { a.ReadAt = before.ReadAt })
	clocktest.Await(s, "the weeks are archived", func() bool { return clean() >= 4 })
	back, err := desk.Forget(s.Context(), contracts.SAIA, ltlworker.ToForget{}, func(ctx context.Context) error {
		return archive.View(contracts.Test, s.js, bucket, slog.New(slog.DiscardHandler)).Keep(ctx, contracts.SAIA, archive.Observation{
			Carrier: contracts.SAIA, At: before.ReadAt, Weeks: []contracts.ObservedWeek{{
				SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: "2026-01-07", Percent: 50}, Tally: contracts.Tally{Clean: 2, Required: 2},
			}},
		})
	})
	s.must(err)
	if !slices.Contains(back.Weeks, "2026-01-07") {
		s.Errorf("in doubt are %s, and not what was written late", back.Weeks)
	}
	if back.Answer == nil || !back.Answer.Equal(before.ReadAt) || len(back.Weeks) < 4 {
		s.Errorf("ended: %+v, of an answer that was read at %s", back, before.ReadAt)
	}
	if a, err := s.ask(contracts.SAIA); err != nil || !a.Noted(contracts.NoteWordingUnknown) {
		s.Errorf("%+v, %v", a.Notes, err)
	}
	if n := clean(); n > 0 {
		s.Errorf("%d weeks are clean", n)
	}
}

// namesTheEdition checks that SAIA's answer names the accepted edition that vouches for its words, which was kept, and that a verification
// tells of it.
func (s *system) namesTheEdition(accepted trust.Edition) {
	s.Helper()
	a, err := s.ask(contracts.SAIA)
	s.must(err)
	i := slices.IndexFunc(a.Evidence, func(e contracts.Evidence) bool { return e.Role == contracts.RoleContext })
	if i < 1 {
		s.Fatalf("no edition is named: %+v", a.Evidence)
	}
	kept, err := evidence.NewStore(s.js).Get(s.Context(), contracts.Test, a.Evidence[i].SHA256, a.Evidence[i].At,
		func(contracts.Product) error { return nil })
	s.must(err)
	if d, ok := wording.ReadDocument(kept.Body); !ok || d.Carrier != contracts.SAIA || !reflect.DeepEqual(d.Accepted, accepted) {
		s.Errorf("kept is %s", kept.Body)
	}
	body, err := json.Marshal(a.Body(4))
	s.must(err)
	said, err := bus.Call[contracts.Verification](s.Context(), s.client, contracts.VerifySubject(contracts.Test, contracts.LTL),
		contracts.VerifyRequest{Answer: body})
	s.must(err)
	names := func(c contracts.Check) bool {
		return c.Holds && strings.HasPrefix(c.Text, "SAIA: its words (page) were accepted by the test on ")
	}
	if !said.Verified || !slices.ContainsFunc(said.Checks, names) {
		s.Errorf("%+v", said)
	}
}

// Any page can be tried without a deployment.
func TestTryAPage(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	cfg := ltlworker.Config{}
	cfg.HTTPSProxy, cfg.CAFile = s.sandbox.ProxyURL(), s.sandbox.CAFile()
	look, err := ltlworker.Try(context.Background(), cfg, "page", "https://www.saia.com/tools-and-resources/fuel-surcharges", slog.New(slog.DiscardHandler))
	s.must(err)
	if len(look.Reading.Weeks) < 26 || !look.Verdict.IsInDoubt() || len(look.Reading.Lines) == 0 {
		t.Errorf("%+v", look)
	}
}
