#!/bin/bash
# Builds every image of deploy/k8s as an archive in bin/images, tagged as the local overlay names them, without a registry
# or an engine. The image with Chromium needs, once, root, Debian's mmdebstrap, and a Debian mirror (DEBIAN_MIRROR): its
# root file system is kept in ROOTFS.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/bin/images
rootfs=${ROOTFS:-$out/rootfs}
version=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo devel)}
say() { echo "k8s-images: $*"; }

# A root file system is whole when it has its name: until then it is made under another.
debian() {
	local mirror=${DEBIAN_MIRROR:-http://deb.debian.org} new=$rootfs.part
	[ "$(id -u)" = 0 ] || { say "making $rootfs needs root" >&2; return 1; }
	command -v mmdebstrap >/dev/null || {
		say "mmdebstrap is missing, installing Debian's"
		apt-get update -qq && apt-get install -y -qq --no-install-recommends mmdebstrap >/dev/null
	} || { say "mmdebstrap is missing and cannot be installed here" >&2; return 1; }
	say "making $rootfs from $mirror: a minute or more"
	rm -rf --one-file-system "$new"
	# Its mounts end with it, also when it is killed. What Debian's own slim images leave out is left out.
	unshare --mount mmdebstrap --mode=root --variant=minbase --include=ca-certificates,chromium,fonts-liberation,tini \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
		--dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
		--customize-hook='rm "$1/etc/hostname" "$1/etc/resolv.conf"' \
		bookworm "$new" "deb $mirror/debian bookworm main" "deb $mirror/debian-security bookworm-security main"
	mv "$new" "$rootfs"
}

mkdir -p "$out/bin"
[ -d "$rootfs" ] || debian
say "$rootfs has Chromium $(dpkg-query --admindir="$rootfs/var/lib/dpkg" -W -f '${Version}' chromium); remove it to have it made anew"

say "building the binaries, version $version"
(cd tools && GOWORK=off go build -o ../bin/image ./image)
export CGO_ENABLED=0
go build -pgo=assay/release.pgo -trimpath -ldflags="-s -w -X assay.dev/platform/daemon.version=$version" -o "$out/bin/" ./assay ./gateway/cmd/gateway \
	./ltl-worker/cmd/ltl-worker ./abc-worker/cmd/abc-worker ./captcha-worker/cmd/captcha-worker ./sandbox/cmd/sandbox
(cd assay && GOWORK=off go build -trimpath -ldflags="-s -w" -o "$out/bin/nats-server" github.com/nats-io/nats-server/v2)

say "writing the archives"
authorities=/etc/ssl/certs/ca-certificates.crt # Debian's, not this machine's
for name in assay gateway abc-worker captcha-worker sandbox; do
	bin/image --ref "docker.io/assay/$name:dev" --out "$out/$name.tar" --entrypoint "/$name" "$out/bin/$name=/$name" "$rootfs$authorities=$authorities"
done
bin/image --ref docker.io/library/nats:2.15.2 --out "$out/nats.tar" --entrypoint /nats-server "$out/bin/nats-server=/nats-server"
bin/image --ref docker.io/assay/ltl-worker:dev --out "$out/ltl-worker.tar" --rootfs "$rootfs" --entrypoint "/usr/bin/tini -- /ltl-worker" "$out/bin/ltl-worker=/ltl-worker"
ls -l "$out"/*.tar
