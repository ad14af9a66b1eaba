//go:build linux || darwin

package system

import "syscall"

// freeBytes is how many bytes the disk of a directory has left; false where it cannot be told.
func freeBytes(dir string) (free int64, known bool) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return 0, false
	}
	return int64(disk.Bavail) * int64(disk.Bsize), true //nolint:unconvert // Bsize is 32 bits wide on darwin
}
