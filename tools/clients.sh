#!/bin/bash
# Packs the clients in bin/clients: an npm package, a Python wheel and source archive, and a zip of the Go modules. It publishes
# nothing. Before, it renews what they have from the OpenAPI document.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/bin/clients
mkdir -p "$out"

command -v npm >/dev/null || { echo "clients: npm is needed to pack the TypeScript client (Debian: apt-get install npm)" >&2; exit 1; }
(cd clients/typescript && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
go test ./assay -run TestWhatClientsHaveFromTheDocumentIsCurrent -count=1 -clients.update
(cd clients/typescript && npm run --silent build && npm pack --silent --pack-destination "$out")
python3 clients/python/pack.py "$out"

(cd clients/go && GOWORK=off go vet ./...)
rm -f "$out/assay-go.zip"
git archive --format=zip --output="$out/assay-go.zip" HEAD clients/go contracts
ls -l "$out"
