#!/bin/bash
# What a developer runs before each commit: build, vet and lint of everything, short tests of the packages that differ from BASE
# (default: the commit before all that is not on main yet, or the last commit) and of those that import them directly.
set -euo pipefail
base=${BASE:-$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)}

go build work
go vet work
bin/golangci-lint run "$@"

changed=$( (git diff --name-only "$base"; git ls-files --others --exclude-standard) | grep -E '\.go$|/testdata/' |
	sed -E 's|/testdata/.*||; s|/[^/]*\.go$||' | sort -u | while read -r dir; do [ -d "$dir" ] && echo "./$dir" || true; done)
if [ -z "$changed" ]; then
	echo "no package differs from ${base:0:12}"
	exit 0
fi
# shellcheck disable=SC2086 # one word a package
go test -short $changed
