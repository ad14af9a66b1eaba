package feed

// Hold has feeds keep n changes at least.
func Hold(n uint64) { held = n }
