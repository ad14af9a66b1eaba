package daemon

import "runtime/debug"

// version is for the linker, where there is no repository to read it from, as in an image's build:
// -ldflags "-X assay.dev/platform/daemon.version=1.2.3".
var version string

// Version is the version this binary was built from: what the linker was told, a module version, the commit, or "devel".
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
