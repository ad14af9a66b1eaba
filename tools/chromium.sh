#!/bin/bash
# Makes sure there is a Chromium for the pages that only show their data after scripts ran. Never fails: without one,
# everything else works and those pages are read by their other paths.
set -u

for name in "${ASSAY_CHROMIUM:-chromium}" chromium chromium-browser google-chrome; do
	command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "chromium: none found, installing Debian's"
	export DEBIAN_FRONTEND=noninteractive
	if apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; then
		exit 0
	fi
fi
cat >&2 <<'END'
chromium: none found and it could not be installed here.
  Install one (Debian: apt-get install chromium) or set ASSAY_CHROMIUM to its path.
  Until then pages that need a browser are read by their other paths, and browser tests are skipped.
END
