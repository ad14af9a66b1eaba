#!/bin/bash
# Brings the scripts and styles of others that the gateway's pages use from npm, checked against the hashes below, into the
# folders from which the gateway embeds them. They are kept in version control, so that a build needs no npm. To take another
# version, change its line (`npm view NAME@VERSION dist.integrity` prints the hash) and run `make web-assets`.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fetch NAME VERSION SHA512 FOLDER FILE... copies files of an npm package into a folder.
fetch() {
	local name=$1 version=$2 want=$3 folder=$4 got
	shift 4
	(cd "$work" && npm pack --silent "$name@$version" >/dev/null)
	got=$(openssl dgst -sha512 -binary "$work/$name-$version.tgz" | base64 -w0)
	[ "$got" = "$want" ] || { echo "$name $version: its hash is $got" >&2; exit 1; }
	tar xzf "$work/$name-$version.tgz" -C "$work"
	mkdir -p "$folder"
	(cd "$work/package" && cp "$@" "$OLDPWD/$folder/")
	rm -rf "$work/package"
	echo "$name $version: $folder"
}

fetch swagger-ui-dist 5.35.0 U06rpMtW9V3XPGOBeamTUSr0Z09jMX4IJuANpE/EZbAhw0G8CgwrzU4YmXkn/h0wCDNsXdGarTNNHC3sU8yVUQ== \
	gateway/site/assets/swagger-ui swagger-ui-bundle.js swagger-ui.css LICENSE NOTICE swagger-ui-bundle.js.LICENSE.txt
fetch uplot 1.6.32 KIMVnG68zvu5XXUbC4LQEPnhwOxBuLyW1AHtpm6IKTXImkbLgkMy+jabjLgSLMasNuGGzQm/ep3tOkyTxpiQIw== \
	gateway/site/assets/uplot dist/uPlot.iife.min.js dist/uPlot.min.css LICENSE
fetch axe-core 4.14.1 FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ== \
	gateway/site/testdata/axe-core axe.min.js LICENSE LICENSE-3RD-PARTY.txt
