#!/bin/bash
# Runs every fuzz target of the workspace for the given time, three targets a core at once: much of a short run is starting up.
set -euo pipefail
export FUZZTIME=${1:-30s}

# The engine may report the end of its own time as a failure when a worker is busy at that moment. A real failure names
# the input that it wrote.
out_of_time() { # log
	grep -q '^ *context deadline exceeded$' "$1" && ! grep -q 'Failing input' "$1"
}
export -f out_of_time

# Go spends up to a minute on shortening each new input unless told otherwise, and tries no other meanwhile.
fuzz() { # module directory, package, target
	local log
	log=$(mktemp)
	if (cd "$1" && go test -run='^$' -fuzz="^$3\$" -fuzztime="$FUZZTIME" -fuzzminimizetime=10x -parallel=1 "$2") >"$log" 2>&1 || out_of_time "$log"; then
		echo "ok   $3 $2 $(grep -o 'execs: [0-9]*' "$log" | tail -1)"
		rm "$log"
	else
		cat "$log"
		echo "FAIL $3 $2"
		exit 255 # ends xargs
	fi
}
export -f fuzz

go list -m -f '{{.Dir}}' | while read -r dir; do
	(cd "$dir" && grep -rlE '^func Fuzz' --include='*_test.go' . || true) | while read -r file; do
		sed -nE "s|^func (Fuzz[A-Za-z0-9_]+)\(.*|$dir $(dirname "$file") \1|p" "$dir/$file"
	done
done | sort -u | xargs -r -P "$(($(nproc) * 3))" -L 1 bash -c 'fuzz "$@"' fuzz
