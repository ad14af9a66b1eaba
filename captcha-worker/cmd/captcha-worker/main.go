// Command captcha-worker solves CAPTCHAs and renders pages for the other workers.
package main

import (
	captchaworker "assay.dev/captcha-worker"
	"assay.dev/platform/daemon"
)

func main() {
	daemon.Main("captcha-worker", "solves CAPTCHAs and renders pages through paid services", captchaworker.Run,
		daemon.Default("ASSAY_ADMIN_LISTEN", "127.0.0.1:9093"))
}
