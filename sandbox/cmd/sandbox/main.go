// Command sandbox is the stand-in internet: a forward proxy that plays the upstream sites.
package main

import (
	"assay.dev/platform/daemon"
	"assay.dev/sandbox"
)

func main() {
	daemon.Main("sandbox", "a forward proxy that plays the upstream sites under their real names", sandbox.Run,
		daemon.Default("ASSAY_ADMIN_LISTEN", "127.0.0.1:9094"))
}
