#!/bin/bash
# Runs every fuzz target of the workspace for the given time, three targets a core at once: much of a short run is starting up.
# Each package is built once before that, one after the other: builds beside each other would compile what they share twice.
# tools/fuzz.sh 3s without-coverage takes the binaries of go test: mutations of the corpus, which no coverage guides.
set -euo pipefail
export FUZZTIME=${1:-30s} ROOT=$PWD
guide=-fuzz=.
[ "${2:-}" != without-coverage ] || guide=
binaries=$(mktemp -d)
trap 'rm -rf "$binaries"' EXIT

# The engine may report the end of its own time as a failure when a worker is busy at that moment. A real failure names
# the input that it wrote.
out_of_time() { # log
	grep -q '^ *context deadline exceeded$' "$1" && ! grep -q 'Failing input' "$1"
}
export -f out_of_time

# Go spends up to a minute on shortening each new input unless told otherwise, and tries no other meanwhile. Inputs that reach
# something new are kept where go test keeps them, for the next run.
fuzz() { # package's directory, test binary, target
	local log
	log=$(mktemp)
	if (cd "$1" && "$2" -test.run='^$' -test.fuzz="^$3\$" -test.fuzztime="$FUZZTIME" -test.fuzzminimizetime=10x -test.parallel=1 \
		-test.fuzzcachedir="$(go env GOCACHE)/fuzz/$(go list .)") >"$log" 2>&1 || out_of_time "$log"; then
		echo "ok   $3 ${1#"$ROOT"/} $(grep -o 'execs: [0-9]*' "$log" | tail -1)"
		rm "$log"
	else
		cat "$log"
		echo "FAIL $3 ${1#"$ROOT"/}"
		exit 255 # ends xargs
	fi
}
export -f fuzz

go list -f '{{.Dir}}' work | while read -r dir; do
	targets=$(sed -nE 's|^func (Fuzz[A-Za-z0-9_]+)\(.*|\1|p' "$dir"/*_test.go 2>/dev/null || true)
	[ -n "$targets" ] || continue
	binary=$(mktemp -p "$binaries")
	(cd "$dir" && go test -c -vet=off $guide -o "$binary" .)
	for target in $targets; do echo "$dir $binary $target"; done
done >"$binaries/targets"
xargs -r -P "$(($(nproc) * 3))" -L 1 bash -c 'fuzz "$@"' fuzz <"$binaries/targets"
