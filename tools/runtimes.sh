#!/bin/bash
# Makes sure that there are a Node and a Python for the tests of the clients. Never fails: without them those tests are skipped.
missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v python3 >/dev/null || missing+=(python3)
[ ${#missing[@]} = 0 ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "runtimes: installing Debian's ${missing[*]}"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null && exit 0
fi
echo "runtimes: ${missing[*]} could not be installed here; the tests of those clients are skipped" >&2
