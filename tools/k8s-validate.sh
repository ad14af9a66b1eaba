#!/bin/bash
# Renders the overlays and checks them against schemas that refuse unknown fields, and that somebody reads each variable that
# they give to a container; no network is needed. Then makes sure that a wrong field or variable does fail. The secrets are made
# for this alone: those of an installation are made by intent. With the argument settings it prints the variables of production.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in github.com/yannh/kubeconform/cmd/kubeconform sigs.k8s.io/kustomize/kustomize/v5; do
	(cd tools && GOWORK=off go build -o ../bin/ "$tool")
done
go build -o bin/assay ./assay

rendered=$(mktemp -d)
trap 'rm -rf "$rendered"' EXIT
mkdir "$rendered/k8s"
tar -C deploy/k8s --exclude=./components/secrets/generated -c . | tar -C "$rendered/k8s" -x
said=$(bin/assay secrets "$rendered/k8s/components/secrets/generated" 2>&1) || { echo "$said" >&2; exit 1; }
check() { bin/kubeconform -strict -summary -schema-location 'deploy/k8s/schemas/{{.ResourceKind}}{{.KindSuffix}}.json' "$@"; }
for overlay in local production; do
	bin/kustomize build "$rendered/k8s/overlays/$overlay" >"$rendered/$overlay.yaml"
	check "$rendered/$overlay.yaml"
	bin/assay settings --manifests "$rendered/$overlay.yaml" >"$rendered/settings" || { cat "$rendered/settings"; exit 1; }
done
for field in readOnlyRootFilesystem maxUnavailable lagThreshold podMetricsEndpoints; do
	sed "s/$field:/${field}x:/" "$rendered/production.yaml" >"$rendered/wrong.yaml"
	if check "$rendered/wrong.yaml" >/dev/null; then
		echo "k8s-validate: a wrong field ${field}x was not refused" >&2
		exit 1
	fi
done
sed 's/name: ASSAY_LISTEN$/name: ASSAY_LISTENx/' "$rendered/production.yaml" >"$rendered/wrong.yaml"
if bin/assay settings --manifests "$rendered/wrong.yaml" >/dev/null 2>&1; then
	echo "k8s-validate: a variable that nobody reads was not refused" >&2
	exit 1
fi
if [ "${1:-}" = settings ]; then
	cat "$rendered/settings"
fi
