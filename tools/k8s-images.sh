#!/bin/bash
# Builds every container image as an archive in bin/images, for `ctr --namespace k8s.io images import` and the like: no registry,
# no engine. TAG (default dev) is what the images are tagged with. For ltl-worker it needs what tools/rootfs.sh needs; the root
# file system is kept in ROOTFS.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/bin/images
version=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo devel)}
arch=$(go env GOARCH)
rootfs=${ROOTFS:-$out/rootfs-$arch}

[ -d "$rootfs" ] || tools/rootfs.sh "$arch" "$rootfs"
tools/binaries.sh "$version" "$arch" "$out/bin"
tools/archives.sh "$version" "$arch" "$out/bin" "$rootfs" "$out" "docker.io/assay" "${TAG:-dev}"
ls -l "$out"/*.tar
