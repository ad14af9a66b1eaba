#!/bin/bash
# Builds every image of deploy/k8s as an archive in bin/images, tagged as the local overlay names them, without a registry
# or an engine. The image with Chromium needs debootstrap and root, once: its root file system is kept in ROOTFS.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/bin/images
rootfs=${ROOTFS:-$out/rootfs}
mkdir -p "$out/bin"

(cd tools && GOWORK=off go build -o ../bin/image ./image)
export CGO_ENABLED=0
go build -trimpath -ldflags="-s -w" -o "$out/bin/" ./assay ./gateway/cmd/gateway ./ltl-worker/cmd/ltl-worker \
	./abc-worker/cmd/abc-worker ./captcha-worker/cmd/captcha-worker ./sandbox/cmd/sandbox
(cd assay && GOWORK=off go build -trimpath -ldflags="-s -w" -o "$out/bin/nats-server" github.com/nats-io/nats-server/v2)

authorities=/etc/ssl/certs/ca-certificates.crt
for name in assay gateway abc-worker captcha-worker sandbox; do
	bin/image --ref "docker.io/assay/$name:dev" --out "$out/$name.tar" --entrypoint "/$name" "$out/bin/$name=/$name" "$authorities=$authorities"
done
bin/image --ref docker.io/library/nats:2.15.2 --out "$out/nats.tar" --entrypoint /nats-server "$out/bin/nats-server=/nats-server"

if [ ! -x "$rootfs/usr/bin/chromium" ]; then
	command -v debootstrap >/dev/null || { echo "k8s-images: debootstrap is missing: apt-get install debootstrap" >&2; exit 1; }
	# In two steps: debootstrap alone cannot order what Chromium brings.
	debootstrap --variant=minbase --include=ca-certificates bookworm "$rootfs" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$out/debootstrap.log"
	cp /etc/resolv.conf "$rootfs/etc/resolv.conf"
	DEBIAN_FRONTEND=noninteractive chroot "$rootfs" apt-get install -y -qq --no-install-recommends chromium tini fonts-liberation >>"$out/debootstrap.log"
	rm -rf "$rootfs"/var/cache/apt/* "$rootfs"/var/lib/apt/lists/*
fi
bin/image --ref docker.io/assay/ltl-worker:dev --out "$out/ltl-worker.tar" --rootfs "$rootfs" --entrypoint "/usr/bin/tini -- /ltl-worker" "$out/bin/ltl-worker=/ltl-worker"
ls -l "$out"/*.tar
