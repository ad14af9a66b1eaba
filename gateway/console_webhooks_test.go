package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/kv"
	"assay.dev/platform/webhook"
)

const webhooksPage = "/console/webhooks"

// A person makes a webhook and copies its secret, tests it, reads what was replied, has a change sent again, pauses, rotates and deletes.
func TestWebhooksInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withConsole, withWebhooks)
	b := openBrowser(t)
	for i, l := range shown(journey) {
		t.Run(l.String(), func(t *testing.T) {
			key := s.key(tenant(fmt.Sprint("t", i)), func(r *keys.Record) { r.Limit = 1000 })
			g.cursor(key)
			v := g.visitWithoutScripts(t, b, webhooksPage, key, l)
			v.has("No webhook is kept yet.")
			v.checkStill()
			v.write("#url", "http://erp.example.com/hook")
			v.eval(`document.querySelector('[value="license.status_changed"]').checked = true`)
			v.press("#make button")
			v.isAt("#outcome")
			v.has("only https on port 443 is called")
			v.refused(422)
			v.checkStill()
			v.write("#url", "https://erp.example.com/hook")
			v.eval(`document.querySelector('[name="types"][value="source.recovered"]').focus()`)
			wait := v.tab.WaitNavigation("load")
			v.must(v.tab.Keyboard.Type(input.Tab, input.Enter))
			wait()
			v.isAt("#outcome")
			v.has("It is told this once", "license.status_changed", "Nothing was sent yet.", "active")
			secret := v.eval(`document.querySelector("#secret").value`)
			if !strings.HasPrefix(secret, "whsec_") {
				t.Errorf("the secret is %s", secret)
			}
			v.checkStill()
			v.picture("webhook that was made, " + l.String())
			v.moves(v.tab.Reload)
			v.until(`document.querySelector("#outcome").innerText.startsWith("This was done already, and the secret was told then.")`)
			v.refused(409)
			v.checkStill()
			if all := decode[api.Webhooks](t, g.get(key, "/v1/webhooks").body).Webhooks; len(all) != 1 {
				t.Errorf("after the page was loaded again: %+v", all)
			}
			v.press("#kept a")
			v.press(`#act [value="test"]`)
			v.isAt("#webhook-title")
			v.has("1 to be sent now.")
			if page := v.eval(`document.documentElement.outerHTML`); strings.Contains(page, "whsec_") {
				t.Error("the secret is told again")
			}
			s.noteDeliveries(v.eval(`document.querySelector('#act [name="id"]').value`))
			clocktest.Await(t, "what was replied is shown", func() bool {
				v.press("#waiting a")
				return v.eval(`document.querySelectorAll("#deliveries tbody tr").length`) == "2"
			})
			v.has("the status was 503", "document.title='x'", "try later", "by hand")
			if n := v.eval(`document.querySelectorAll("main script, main img").length + " " + document.title`); n != "0 Webhooks · Assay" {
				t.Errorf("elements of a reply, and the title: %s", n)
			}
			v.checkStill()
			v.picture("webhook with deliveries, " + l.String())
			v.press(`#deliveries button`)
			v.has("2 to be sent now.")
			v.press(`#act [value="pause"]`)
			v.has("paused")
			v.press(`#act [value="resume"]`)
			v.has("active")
			v.press(`#act [value="rotate"]`)
			v.isAt("#outcome")
			if again := v.eval(`document.querySelector("#secret").value`); again == secret || !strings.HasPrefix(again, "whsec_") {
				t.Errorf("the new secret is %s", again)
			}
			v.moves(v.tab.Reload)
			v.until(`document.querySelector("#outcome").innerText.startsWith("This was done already")`)
			v.refused(409)
			var kept webhook.Endpoint
			bucket, place := s.endpoint(v.eval(`document.querySelector('#act [name="id"]').value`))
			document, _, err := kv.Get(t.Context(), bucket, place)
			v.must(err)
			v.must(json.Unmarshal(document, &kept))
			if len(kept.Secrets) != 2 {
				t.Errorf("%d secrets after the page of the new one was loaded again", len(kept.Secrets))
			}
			v.press(`#act [value="delete"]`)
			v.has("No webhook is kept yet.")
		})
	}
}

// noteDeliveries notes an attempt that failed and a test that did not.
func (s *system) noteDeliveries(id string) {
	s.t.Helper()
	_, place := s.endpoint(id)
	now := time.Now().UTC()
	next := now.Add(time.Minute)
	s.note(place, webhook.Noted{Sequence: 7, DeliveryAttempt: webhook.DeliveryAttempt{
		EventID: "CA.20260918T150004Z-3f2a9c1b.17", Type: contracts.StatusChanged, At: now, Attempt: 1, Status: 503, Error: "the status was 503",
		Reply: "<script>document.title='x'</script> \u202etry later " + strings.Repeat("x", 900), Milliseconds: 41, NextAt: &next,
	}})
	s.note(place, webhook.Noted{DeliveryAttempt: webhook.DeliveryAttempt{
		EventID: "test.GZ3OAD2XPPC4CTFTCCIG4AXK4B", Type: "webhook.test", At: now, Attempt: 1, ByHand: true, Status: 204, Milliseconds: 12,
	}})
}

// What a form may not do changes nothing and is said; nobody sees another's webhooks.
func TestWebhooksByForm(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway(withConsole, withWebhooks)
	key := s.key()
	g.cursor(key)
	id := decode[api.Webhook](t, g.post(key, "/v1/webhooks", "application/json", `{"url":"https://erp.example.com/hook"}`).body).ID
	s.noteDeliveries(id)
	mine, other := g.logIn(key), g.logIn(s.key(tenant("other")))
	for name, c := range map[string]struct {
		cookie string
		form   url.Values
		status int
		text   string
	}{
		"another tenant":  {other, url.Values{"id": {id}, "action": {"delete"}}, 404, "no webhook of that id"},
		"a path":          {mine, url.Values{"id": {"../x"}, "action": {"delete"}}, 404, "no webhook of that id"},
		"no action":       {mine, url.Values{"id": {id}}, 422, "none of test"},
		"another event":   {mine, url.Values{"id": {id}, "replay": {"CA.e.9"}}, 404, "no such event"},
		"a test":          {mine, url.Values{"id": {id}, "replay": {"test.GZ3OAD2XPPC4CTFTCCIG4AXK4B"}}, 404, "no such event"},
		"another type":    {mine, url.Values{"url": {"https://erp.example.com/"}, "types": {"<b>"}}, 422, "is no type of a change"},
		"no portfolio":    {mine, url.Values{"url": {"https://erp.example.com/"}, "portfolio": {"none"}}, 404, "no portfolio is called"},
		"a private place": {mine, url.Values{"url": {"https://10.0.0.1/"}}, 422, "none of the public internet"},
	} {
		if r := g.sendForm(webhooksPage, c.cookie, c.form); r.StatusCode != c.status || !strings.Contains(string(r.body), c.text) {
			t.Errorf("%s: %d %.3000s", name, r.StatusCode, r.body)
		}
	}
	if all := decode[api.Webhooks](t, g.get(key, "/v1/webhooks").body).Webhooks; len(all) != 1 || all[0].ID != id || all[0].Status != "active" {
		t.Errorf("after refused forms: %+v", all)
	}
	for name, cookie := range map[string]string{"another tenant": other, "the other environment": g.logIn(s.key(live))} {
		r := g.pageOf(webhooksPage+"?id="+id, "Cookie", cookie, "Accept-Encoding", "identity")
		list := g.pageOf(webhooksPage, "Cookie", cookie, "Accept-Encoding", "identity")
		if r.StatusCode != http.StatusNotFound || strings.Contains(string(r.body)+string(list.body), "erp.example.com/hook") {
			t.Errorf("%s sees %d %s", name, r.StatusCode, r.body)
		}
	}
	off := s.gateway(withConsole)
	off.cursor(key)
	if r := off.sendForm(webhooksPage, off.logIn(key), url.Values{"url": {"https://erp.example.com/"}}); r.StatusCode != 503 || !strings.Contains(string(r.body), "not set up here") {
		t.Errorf("without a key to seal: %d %s", r.StatusCode, r.body)
	}
}
