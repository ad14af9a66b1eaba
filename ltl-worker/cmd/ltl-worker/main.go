// Command ltl-worker reads the LTL fuel surcharges of carriers and answers for them on NATS.
package main

import (
	ltlworker "assay.dev/ltl-worker"
	"assay.dev/platform/daemon"
)

func main() {
	daemon.Main("ltl-worker", "reads the LTL fuel surcharges of carriers and answers for them on NATS", ltlworker.Run,
		daemon.Default("ASSAY_ADMIN_LISTEN", "127.0.0.1:9091"))
}
