package browser

import "os/exec"

// Windows runs the tool servers alone, which render no page. Chromium does not start there: it is spoken to by
// inherited files.
func inOwnGroup(*exec.Cmd) {}
func killGroup(int)        {}
func gone(int) bool        { return false }
