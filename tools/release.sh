#!/bin/bash
# Makes a release in dist/VERSION: binaries and images for two architectures, what each is made of (SBOM), and checksums. Then
# writes the images' digests and the version to deploy/k8s/components/release, which the production overlay takes.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${VERSION:?say VERSION=1.2.3}
registry=${REGISTRY:-registry.example.com/assay}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[a-z0-9.]+)?$ ]] || { echo "release: $version is no version such as 1.2.3 or 1.2.3-rc.1" >&2; exit 1; }
out=$PWD/dist/$version
work=$PWD/dist/work # archives and root file systems, which are not part of the release
images=(assay gateway ltl-worker abc-worker captcha-worker courier sandbox nats)
architectures=(amd64 arm64)
rm -rf "$out" "$work/images"
mkdir -p "$out/sbom" "$out/images"

(cd tools && GOWORK=off go build -o ../bin/ ./image ./sbom)
for arch in "${architectures[@]}"; do
	rootfs=$work/rootfs-$arch
	[ -d "$rootfs" ] || tools/rootfs.sh "$arch" "$rootfs"
	tools/binaries.sh "$version" "$arch" "$out/linux-$arch"
	tools/archives.sh "$version" "$arch" "$out/linux-$arch" "$rootfs" "$work/images/$arch" "$registry" "$version"
	for name in "${images[@]}"; do
		binary=$name base=()
		[ "$name" = nats ] && binary=nats-server
		[ "$name" = ltl-worker ] && base=(--rootfs "$rootfs")
		bin/sbom --name "$name" --version "$version" "${base[@]}" "$out/linux-$arch/$binary" >"$out/sbom/$name-$arch.cdx.json"
	done
done

release=deploy/k8s/components/release/kustomization.yaml
{
	echo "# The images of version $version by digest, and the Job of that version. Written by make release."
	printf 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nimages:\n'
	for name in "${images[@]}"; do
		digest=$(bin/image --join "$out/images/$name" "$work/images/amd64/$name.tar" "$work/images/arm64/$name.tar")
		from=assay/$name
		[ "$name" = nats ] && from=nats
		echo "  - { name: $from, newName: $registry/$name, digest: $digest }"
	done
	# A name of a Kubernetes object has no dots at its ends and no capitals; a version has neither.
	printf 'patches:\n  - target: { kind: Job, name: provision }\n    patch: |\n      - op: replace\n        path: /metadata/name\n        value: provision-%s\n' "$version"
} >"$release.part"
mv "$release.part" "$release"
(cd "$out" && find . -type f ! -name SHA256SUMS -print0 | LC_ALL=C sort -z | xargs -0 sha256sum >SHA256SUMS)
du -sh "$out"/* "$out"/images/*
