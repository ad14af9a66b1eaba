#!/bin/bash
# Builds every program of a deployment for Linux: tools/binaries.sh VERSION ARCHITECTURE DIR. The same sources, Go and version
# make the same bytes on any machine: paths and the repository's state stay out.
set -euo pipefail
version=$1 arch=$2 dir=$3
cd "$(dirname "$0")/.."
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
export CGO_ENABLED=0 GOOS=linux GOARCH=$arch
echo "binaries: $arch, version $version"
go build -pgo=assay/release.pgo -trimpath -buildvcs=false -ldflags="-s -w -X assay.dev/platform/daemon.version=$version" -o "$dir/" ./assay ./gateway/cmd/gateway \
	./ltl-worker/cmd/ltl-worker ./abc-worker/cmd/abc-worker ./captcha-worker/cmd/captcha-worker ./courier/cmd/courier ./sandbox/cmd/sandbox
(cd assay && GOWORK=off go build -trimpath -buildvcs=false -ldflags="-s -w" -o "$dir/nats-server" github.com/nats-io/nats-server/v2)
