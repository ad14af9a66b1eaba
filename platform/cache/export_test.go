package cache

import "time"

// init has failures last for longer than a busy machine needs to let a crowd ask.
func init() { failedTTL = 10 * time.Second }
