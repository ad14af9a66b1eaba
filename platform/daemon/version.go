package daemon

import "runtime/debug"

// version is set by the linker in builds that have no repository to read it from, such as an image's:
// -ldflags "-X assay.dev/platform/daemon.version=1.2.3".
var version string

// Version returns the version of this binary: the one that the linker set, else the module's, else the commit, else
// "devel".
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return "devel"
}
