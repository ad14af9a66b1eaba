package contracts

import "testing"

func TestPrices(t *testing.T) {
	for text, want := range map[string]string{
		"0.003": "0.003", "0": "0.00", "0.030000": "0.03", "3": "3.00", "0.000001": "0.000001", "12.5": "12.50",
		"": "", ".5": "", "-1": "", "+1": "", "1e3": "", "0.0000001": "", "1234567": "", "0,003": "", "1.-5": "",
	} {
		var p Price
		if err := p.UnmarshalText([]byte(text)); (err == nil) != (want != "") || err == nil && p.String() != want {
			t.Errorf("%q: %s, %v, want %q", text, p, err, want)
		}
	}
	if got := Price(3_000*2_500 + 4_999).Cents(); got != 750 {
		t.Errorf("%d cents", got)
	}
	if got := LTL.UnitPrice(); got.String() != "0.03" || got.Cents() != LTL.UnitPriceCents() {
		t.Errorf("an answer costs %s", got)
	}
}
