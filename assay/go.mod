module assay.dev/assay

go 1.26.0

require (
	assay.dev/contracts v0.0.0
	assay.dev/platform v0.0.0
	assay.dev/gateway v0.0.0
	assay.dev/ltl-worker v0.0.0
	assay.dev/abc-worker v0.0.0
	assay.dev/captcha-worker v0.0.0
	assay.dev/sandbox v0.0.0
)

replace (
	assay.dev/contracts => ../contracts
	assay.dev/platform => ../platform
	assay.dev/gateway => ../gateway
	assay.dev/ltl-worker => ../ltl-worker
	assay.dev/abc-worker => ../abc-worker
	assay.dev/captcha-worker => ../captcha-worker
	assay.dev/sandbox => ../sandbox
)
