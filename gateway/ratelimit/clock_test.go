package ratelimit

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The true time lies between the bounds, whatever the delays of the readings and the drift of the local clock.
func TestClockHoldsTheTrueTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewClock(nil)
		drift := rapid.Float64Range(-1.0/driftOf, 1.0/driftOf).Draw(t, "drift")
		born := time.Now()
		truth, local := int64(1_800_000_000e9), int64(0)
		pass := func(d int64) {
			truth += d
			local += int64(float64(d) * (1 + drift*0.9))
		}
		for range rapid.IntRange(1, 30).Draw(t, "readings") {
			sent := local
			pass(rapid.Int64Range(0, 1e9).Draw(t, "there"))
			seen := truth
			pass(rapid.Int64Range(0, 1e9).Draw(t, "back"))
			slack := int64(2e9) / driftOf
			c.learn(Instant{seen, seen + local - sent + slack}, born.Add(time.Duration(local)))
			pass(rapid.Int64Range(0, 60e9).Draw(t, "pause"))
			now := c.now.Load().instant(born.Add(time.Duration(local)))
			if truth < now.Earliest || truth > now.Latest {
				t.Fatalf("true time %d is outside of %v", truth, now)
			}
		}
	})
}

// When another server with another clock takes over, nothing is released early: for a window the bounds hold both times.
func TestClockBelievesBothTimesAfterAJump(t *testing.T) {
	for name, jump := range map[string]time.Duration{"ahead": 10 * time.Minute, "back": -10 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			c := NewClock(nil)
			at := time.Now()
			n := int64(1_800_000_000e9)
			c.learn(Instant{n, n + 1e6}, at)
			at, n = at.Add(5*time.Second), n+5e9
			jumped := n + int64(jump)
			c.learn(Instant{jumped, jumped + 1e6}, at)
			both := c.now.Load().Instant
			if both.Earliest > min(n, jumped) || both.Latest < max(n, jumped) {
				t.Errorf("bounds %v hold not both %d and %d", both, n, jumped)
			}
			for range 20 {
				at, jumped = at.Add(5*time.Second), jumped+5e9
				c.learn(Instant{jumped, jumped + 1e6}, at)
			}
			if now := c.now.Load().Instant; now != (Instant{jumped, jumped + 1e6}) {
				t.Errorf("bounds %v, want those of the new clock %d", now, jumped)
			}
		})
	}
}
