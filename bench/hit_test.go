package bench

import (
	"bytes"
	"fmt"
	"testing"
)

// measureHit compares cached answers through the whole gateway with a bare gin handler that writes the same bytes.
func measureHit(t *testing.T) []figure {
	s := startSubject(t)
	key := s.unlimitedKey()
	body := s.ask(key, oneCarrier)
	bare := startBare(t, bytes.NewReader(body))
	var whole, plain, ratios []float64
	for range *rounds {
		for base, rates := range map[string]*[]float64{s.base: &whole, bare: &plain} {
			*rates = append(*rates, load(t, base+oneCarrier, key, *runTime))
		}
	}
	for i := range whole {
		ratios = append(ratios, whole[i]/plain[i])
	}
	fmt.Printf("hit       gateway %.0f/s, bare gin %.0f/s, ratios %.2f, body of %d bytes\n",
		median(whole), median(plain), ratios, len(body))
	return []figure{{
		name: "cached answers, gateway ÷ bare gin", value: median(ratios), target: 0.8, least: true,
		detail: fmt.Sprintf("%.0f/s ÷ %.0f/s, %d connections, auth, limit, cache and metrics on",
			median(whole), median(plain), connections),
	}}
}
