module assay.dev/ltl-worker

go 1.26.0

require (
	assay.dev/contracts v0.0.0
	assay.dev/platform v0.0.0
)

replace (
	assay.dev/contracts => ../contracts
	assay.dev/platform => ../platform
)
