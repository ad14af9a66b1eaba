#!/bin/bash
# Makes sure that there is a Chromium for the pages that only show their data after scripts ran. tools/chromium.sh
# chromium-headless-shell adds the one of the image ltl-worker, for tests. Never fails: without one, everything else works, and
# those pages are read by their other paths.
set -u

package=${1:-chromium}
names=("$package")
if [ "$package" = chromium ]; then names=("${ASSAY_CHROMIUM:-chromium}" chromium chromium-browser google-chrome); fi
for name in "${names[@]}"; do
	command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "chromium: none found, installing Debian's $package"
	export DEBIAN_FRONTEND=noninteractive
	if apt-get update -qq && apt-get install -y -qq --no-install-recommends "$package" >/dev/null; then
		exit 0
	fi
fi
cat >&2 <<END
chromium: $package was not found and could not be installed here.
  Install one (Debian: apt-get install $package) or set ASSAY_CHROMIUM to its path.
  Until then pages that need a browser are read by their other paths, and browser tests are skipped.
END
