package keys

import "time"

// LatestRevocation is when a revocation holds at the latest, at a gateway that reaches the bucket.
const LatestRevocation = copyLife + askAgainTimeout

// SetCopyLife makes the directory ask the bucket about each key that was last proven longer ago than life. Call it
// before the directory is used.
func (d *Directory) SetCopyLife(life time.Duration) { d.copyLife = life }
