//go:build !unix

package gateway

// descriptors is of no interest: what Assay runs on beside Unix has no limit of its own.
func descriptors() uint64 { return enoughDescriptors }
