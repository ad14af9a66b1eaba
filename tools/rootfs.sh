#!/bin/bash
# Makes the root file system of the image ltl-worker: tools/rootfs.sh ARCHITECTURE DIR, such as arm64 dist/rootfs-arm64. It has
# Debian's headless shell of Chromium, the libraries and fonts that it needs, tini, and certificate authorities; no shell, no
# package manager. It runs nothing of what it unpacks, so a machine of any architecture can make it. Needs root, Debian's
# mmdebstrap, and a Debian mirror (DEBIAN_MIRROR).
set -euo pipefail
arch=$1 dir=$2
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}
say() { echo "rootfs: $*"; }

[ "$(id -u)" = 0 ] || { say "making $dir needs root" >&2; exit 1; }
command -v mmdebstrap >/dev/null || {
	say "mmdebstrap is missing, installing Debian's"
	apt-get update -qq && apt-get install -y -qq --no-install-recommends mmdebstrap >/dev/null
} || { say "mmdebstrap is missing and cannot be installed here" >&2; exit 1; }

# Packages are taken whole but for what a browser without a screen never opens: drivers of graphics cards (and LLVM, which they
# need), the full browser's resources, documents. The licenses stay.
options=()
for path in '/usr/share/*' '/usr/lib/*/libLLVM-*' '/usr/lib/*/libz3.so*' '/usr/lib/*/dri/*' '/usr/lib/*/libicu*' '/usr/lib/*/gconv/*' \
	'/usr/lib/chromium/lib[Vv]*' '/usr/lib/chromium/resources.pak' '/usr/lib/chromium/chrome_*.pak'; do
	options+=("--dpkgopt=path-exclude=$path")
done
for path in '/usr/share/fonts/*' '/usr/share/fontconfig/*' '/usr/share/ca-certificates/*' '/usr/share/doc/*/copyright'; do
	options+=("--dpkgopt=path-include=$path")
done

# What each package is goes where scanners of images look for it. update-ca-certificates would do what cat does.
# shellcheck disable=SC2016 # the hook's own shell expands $1
finish='set -e
mkdir -p "$1/var/lib/dpkg/status.d" "$1/etc/ssl/certs"
for deb in "$1"/var/cache/apt/archives/*.deb; do dpkg-deb --field "$deb" >"$1/var/lib/dpkg/status.d/$(dpkg-deb --field "$deb" Package)"; done
cat "$1"/usr/share/ca-certificates/mozilla/*.crt >"$1/etc/ssl/certs/ca-certificates.crt"
rm -f "$1/etc/hostname" "$1/etc/resolv.conf"'

say "making $dir from $mirror: a minute or more"
new=$dir.part # a root file system is whole when it has its name
mkdir -p "$(dirname "$dir")"
rm -rf --one-file-system "$new"
mmdebstrap --quiet --mode=root --architectures="$arch" --variant=extract --include=ca-certificates,chromium-headless-shell,fonts-liberation,tini \
	"${options[@]}" --extract-hook="$finish" \
	bookworm "$new" "deb $mirror/debian bookworm main" "deb $mirror/debian-security bookworm-security main"
# What apt and dpkg left of themselves.
rm -rf "$new/var/lib/apt" "$new/var/cache" "$new/var/log" "$new/etc/apt" "$new/etc/dpkg" "$new"/var/lib/dpkg/[!s]* "$new/var/lib/dpkg/status"
mv "$new" "$dir"
