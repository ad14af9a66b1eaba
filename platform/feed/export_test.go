package feed

import "context"

// Hold has feeds keep n changes at least.
func Hold(n uint64) { held = n }

// Begin begins with the stream as it is, as the following does.
func (f *Feed) Begin(ctx context.Context) error {
	info, err := f.look(ctx)
	if err == nil {
		f.begin(info)
	}
	return err
}

// Check looks at the stream, as the following does when no change came for a while.
func (f *Feed) Check(ctx context.Context) error { return f.check(ctx) }
