#!/bin/bash
# Installs Debian's packages of the programs that are not there: tools/debian.sh chromium promtool. Never fails: without one, what
# needs it says so, and its tests are skipped. With --beside it installs while its caller goes on, and Ctrl-C does not reach it:
# half an installation is worse than none.
set -u

if [ "${1:-}" = --beside ]; then
	shift
	setsid "$0" "$@" </dev/null &
	exit 0
fi

# A program, and what else may stand for it.
declare -A package=([node]=nodejs [promtool]=prometheus) instead=([chromium]="${ASSAY_CHROMIUM:-chromium} chromium-browser google-chrome")
missing=()
for program in "$@"; do
	# shellcheck disable=SC2086 # one word a program
	[ -n "$(command -v "$program" ${instead[$program]:-})" ] || missing+=("${package[$program]:-$program}")
done
[ ${#missing[@]} = 0 ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "installing Debian's ${missing[*]}; what needs them finds them once they are there"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq && apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}" >/dev/null &&
		echo "installed: ${missing[*]}" && exit 0
fi
cat >&2 <<END
${missing[*]}: not found, and not to be installed here (Debian: apt-get install ${missing[*]}).
Without Chromium (or ASSAY_CHROMIUM, its path) pages that need a browser are read by their other paths; tests of what is missing
are skipped.
END
