#!/bin/bash
# Applies the local overlay to the cluster of KUBECTL (default: kubectl), waits for all pods, asks for one answer of each
# kind, deletes one pod of each kind, and asks again. KUBECTL may be several words. It refuses a cluster with a live
# environment: both overlays have one namespace.
set -euo pipefail
cd "$(dirname "$0")/.."
k() { ${KUBECTL:-kubectl} "$@"; }
kn() { k --namespace assay "$@"; }

standing=$(kn get deployments -o name)
if [[ $standing == *-live* ]]; then
	echo "k8s-smoke: this cluster has a live environment, which the local overlay would replace" >&2
	exit 1
fi

bin/assay secrets deploy/k8s/components/secrets/generated
kn get configmap first-install >/dev/null 2>&1 || {
	k create namespace assay --dry-run=client -o yaml | k apply -f -
	kn create configmap first-install --from-literal=until="$(date -u -d '+2 hours' +%Y-%m-%dT%H:%M:%SZ)"
}
bin/kustomize build deploy/k8s/overlays/local | k apply -f -

ready() {
	kn rollout status statefulset/nats --timeout=300s
	for d in $(kn get deployments -o name); do kn rollout status "$d" --timeout=300s; done
}
ask() {
	kn delete job "smoke-$1" --ignore-not-found
	kn create job "smoke-$1" --from=cronjob/smoke
	for _ in $(seq 300); do
		case $(kn get job "smoke-$1" -o 'jsonpath={.status.succeeded}/{.status.failed}') in
		1/*) kn logs "job/smoke-$1"; return ;;
		*/1) kn logs "job/smoke-$1"; echo "k8s-smoke: failed $1" >&2; return 1 ;;
		esac
		sleep 1
	done
	return 1
}

ready
ask before
for name in nats gateway ltl-worker abc-worker captcha-worker courier sandbox; do
	kn delete "$(kn get pods -l "app.kubernetes.io/name=$name" -o name | head -1)" --wait=false
done
ask during || echo "k8s-smoke: while pods restarted (not counted)"
ready
ask after
