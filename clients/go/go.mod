module assay.dev/clients/go

go 1.26.0

require assay.dev/contracts v0.0.0

replace assay.dev/contracts => ../../contracts
