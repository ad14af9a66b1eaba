//go:build unix

package browser

import (
	"errors"
	"os/exec"
	"syscall"
)

// inOwnGroup has cmd start a process group, which its children stay in.
func inOwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the group that leader started, at once.
func killGroup(leader int) { _ = syscall.Kill(-leader, syscall.SIGKILL) }

// gone tells that there is no such process.
func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
