package ratelimit

import "time"

// BePatient is for tests of exactness: on a busy machine too, the source decides and not the gateway alone.
func (l *Limiter) BePatient() { l.patience = 20 * time.Second }

// BeQuick is for tests of waits, which the race detector must not make longer.
func (l *Limiter) BeQuick() { l.patience = 400 * time.Millisecond }
