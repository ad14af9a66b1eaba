package browser

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// bound limits the writable memory of each process of Chromium, also of those to come: the JavaScript engine's own
// bound leaves out buffers. A process has the limit of the one that starts it, so bound looks again until it meets none
// without.
//
// The kernel's call takes the place of a shell's ulimit: the image of ltl-worker has no shell.
func (p *process) bound(memory int64) error {
	for changed := true; changed; {
		changed = false
		members, err := p.members()
		if err != nil {
			return err
		}
		for _, pid := range members {
			lowered, err := boundProcess(pid, uint64(memory))
			if err != nil && !errors.Is(err, unix.ESRCH) { // it ended meanwhile
				return fmt.Errorf("bounding the memory of process %d of Chromium: %w", pid, err)
			}
			changed = changed || lowered
		}
	}
	return nil
}

// boundProcess keeps a bound that is lower already, such as the container's.
func boundProcess(pid int, memory uint64) (lowered bool, err error) {
	var had unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_DATA, nil, &had); err != nil || had.Cur <= memory {
		return false, err
	}
	most := min(had.Max, memory)
	return true, unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most}, nil)
}

// members are the ids of the processes of Chromium: of its process group.
func (p *process) members() ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if group, err := unix.Getpgid(pid); err == nil && group == p.cmd.Process.Pid {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}
