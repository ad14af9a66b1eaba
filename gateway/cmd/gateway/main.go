// The gateway answers HTTP requests with an API key, from caches and from workers.
package main

import (
	"assay.dev/contracts"
	"assay.dev/gateway"
	"assay.dev/platform/daemon"
)

func main() {
	daemon.Main(contracts.Gateway, "answers HTTP requests with an API key, from caches and from workers", gateway.Run)
}
