// Command abc-worker reads the liquor licenses of U.S. states and answers for them on NATS.
package main

import (
	abcworker "assay.dev/abc-worker"
	"assay.dev/platform/daemon"
)

func main() {
	daemon.Main("abc-worker", "reads the liquor licenses of U.S. states and answers for them on NATS", abcworker.Run,
		daemon.Default("ASSAY_ADMIN_LISTEN", "127.0.0.1:9092"))
}
