//go:build unix

package gateway

import "syscall"

// descriptors is how many files and connections this process may have open at once.
func descriptors() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return enoughDescriptors
	}
	return limit.Cur
}
