#!/bin/bash
# Writes the container images of one architecture as archives NAME.tar:
# tools/archives.sh VERSION ARCHITECTURE BINARIES ROOTFS DIR PREFIX TAG, where PREFIX/NAME:TAG is what the images are called.
set -euo pipefail
version=$1 arch=$2 bin=$3 rootfs=$4 out=$5 prefix=$6 tag=$7
cd "$(dirname "$0")/.."
(cd tools && GOWORK=off go build -o ../bin/image ./image)
mkdir -p "$out"
echo "archives: $arch, $out"
authorities=/etc/ssl/certs/ca-certificates.crt # Debian's, not this machine's
for name in assay gateway abc-worker captcha-worker courier sandbox; do
	bin/image --ref "$prefix/$name:$tag" --out "$out/$name.tar" --arch "$arch" --version "$version" --entrypoint "/$name" \
		"$bin/$name=/$name" "$rootfs$authorities=$authorities"
done
# NATS has its own version: the image changes with it and with Go, so that an update of Assay does not restart the servers.
nats=$(cd assay && GOWORK=off go list -m -f '{{.Version}}' github.com/nats-io/nats-server/v2)
bin/image --ref "docker.io/library/nats:${nats#v}" --out "$out/nats.tar" --arch "$arch" --version "${nats#v}" --entrypoint /nats-server \
	"$bin/nats-server=/nats-server"
# No shell is there for Debian's wrapper of Chromium, so the program itself is named.
bin/image --ref "$prefix/ltl-worker:$tag" --out "$out/ltl-worker.tar" --arch "$arch" --version "$version" --rootfs "$rootfs" \
	--env ASSAY_CHROMIUM=/usr/lib/chromium/chromium-headless-shell --entrypoint "/usr/bin/tini -- /ltl-worker" "$bin/ltl-worker=/ltl-worker"
