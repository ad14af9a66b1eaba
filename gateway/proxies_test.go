package gateway_test

import (
	"strings"
	"testing"

	"assay.dev/gateway"
	"assay.dev/platform/daemon"
)

func TestTrustedProxies(t *testing.T) {
	for value, want := range map[string]string{
		"":                      "none",
		"none":                  "none",
		"10.0.0.0/8":            "10.0.0.0/8",
		"10.0.0.0/8, fd00::/8":  "10.0.0.0/8,fd00::/8",
		"CHOOSE":                `ASSAY_TRUSTED_PROXIES: "CHOOSE": want the address ranges of the proxies in front of the gateway`,
		"10.0.0.0/8,":           `ASSAY_TRUSTED_PROXIES: "": want`,
		"none,10.0.0.0/8":       `ASSAY_TRUSTED_PROXIES: "none": want`,
		"10.0.0.1":              `ASSAY_TRUSTED_PROXIES: "10.0.0.1": want`,
		"proxy.example.com/32":  `ASSAY_TRUSTED_PROXIES: "proxy.example.com/32": want`,
		"10.0.0.0/8;10.1.0.0/8": `ASSAY_TRUSTED_PROXIES: "10.0.0.0/8;10.1.0.0/8": want`,
	} {
		t.Run(value, func(t *testing.T) {
			cfg, err := daemon.Load[gateway.Config](daemon.Environ{"ASSAY_TRUSTED_PROXIES": value})
			if refused := strings.HasPrefix(want, "ASSAY_"); refused != (err != nil) {
				t.Fatalf("got %v, %v, want %s", cfg.TrustedProxies, err, want)
			}
			if err == nil && cfg.TrustedProxies.String() != want || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, %v, want %s", cfg.TrustedProxies, err, want)
			}
		})
	}
}
