package archive

// IsComplete tells whether the copies hold all that the bucket holds.
func (a *Archive) IsComplete() bool {
	a.copies.mu.Lock()
	defer a.copies.mu.Unlock()
	return a.copies.complete
}
