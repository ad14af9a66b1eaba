package gateway_test

import (
	"testing"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
)

// The longest rows that a register has stand in the page with all their columns, and a button in one line.
func TestTheTableOfASearchHasRoom(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	w := s.worker(contracts.Test)
	r := record("0101-21-101460-04")
	r.LicenseTypeCode, r.LicenseTypeName, r.DBAName, r.OwnerName = "0101", "Additional Bar", "MARBLE DRAGONFLY STEAKHOUSE #214", "VELVET RESTAURANT ENTERPRISES HOLDINGS LLC"
	r.Address.Raw, r.Status, r.Inferred, r.NotReported = "17830 HIGHLAND AVE STE 164, LAKE PLACID, NY, 14202-1325", contracts.Expired, contracts.Members{"status"}, contracts.Members{"suspensions"}
	w.matches.Store(&[]contracts.LicenseRecord{r})
	g := s.gateway(withConsole)
	key := s.key(func(r *keys.Record) { r.Limit = 1000 })
	b := openBrowser(t)
	for _, l := range shown([]look{{width: 360}, {width: 1440}}) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visitWithoutScripts(t, b, "/console/licenses", key, l)
			v.write("#dba_name", "bar")
			v.press("#search button")
			v.checkStill()
			if cut := v.eval(`(t => t.scrollWidth - t.clientWidth)(document.querySelector("#records"))`); cut != "0" {
				t.Errorf("%s px are cut off", cut)
			}
			if height := v.eval(`Math.round(document.querySelector("#records button").getBoundingClientRect().height / parseFloat(getComputedStyle(document.body).lineHeight))`); height != "2" {
				t.Errorf("the button has %s lines with what is around them", height)
			}
		})
	}
}
