#!/bin/bash
# What a developer runs before each commit: build and vet of everything, lint and short tests of the packages that differ from
# BASE (default: where the branch left main, or the last commit). `make lint` lints everything: its cache helps a package only
# while nothing below it changes.
set -euo pipefail
base=${BASE:-$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)}

changed=$( (git diff --name-only "$base"; git ls-files --others --exclude-standard) | { grep -E '\.go$|/testdata/' || true; } |
	sed -E 's|/testdata/.*||; s|/[^/]*\.go$||' | sort -u | while read -r dir; do [ -d "$dir" ] && echo "./$dir" || true; done)
if [ -z "$changed" ]; then
	go build work
	go vet work
	echo "no package differs from ${base:0:12}"
	exit 0
fi

# The linter works while the rest is built and tested, and speaks last.
findings=$(mktemp)
# shellcheck disable=SC2086 # one word a package
bin/golangci-lint run --allow-parallel-runners $changed >"$findings" 2>&1 &
linter=$!
trap 'kill "$linter" 2>/dev/null || true; rm -f "$findings"' EXIT
go build work
go vet work
# Short tests wait more than they compute, for intervals that are promised: four of them a core.
# shellcheck disable=SC2086
go test -short -parallel "$(($(nproc) * 4))" $changed || failed=yes
wait "$linter" || failed=yes
cat "$findings"
[ -z "${failed:-}" ]
