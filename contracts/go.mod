module assay.dev/contracts

go 1.26.0
