package mirror

import "context"

// CompareHeld compares the copy that there is, as who takes over does.
func (m *Mirror) CompareHeld(ctx context.Context) { m.compareNow(ctx, m.current.Load(), nil) }
