// Package bench measures Assay on the machine that it runs on: `make bench`. When it compares two things, it runs them
// in turn and takes the median of the rounds, so that other load on the machine slows both alike.
package bench
