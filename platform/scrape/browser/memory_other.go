//go:build !linux

package browser

// bound does nothing: of what Assay runs on, only Linux bounds another process's memory. Services run there.
func (p *process) bound(int64) error { return nil }
