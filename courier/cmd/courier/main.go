// Command courier delivers changes to the webhooks of tenants.
package main

import (
	"assay.dev/courier"
	"assay.dev/platform/daemon"
)

func main() {
	daemon.Main("courier", "delivers changes to the webhooks of tenants", courier.Run,
		daemon.Default("ASSAY_ADMIN_LISTEN", "127.0.0.1:9095"))
}
